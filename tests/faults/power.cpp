// A disk with a write cache, in memory.
#include "power.hpp"

#include <algorithm>
#include <memory>
#include <random>

namespace glass::faults {
namespace {

constexpr std::size_t sector = 512;

struct pending {
  const operation* what;
  std::size_t at;  // in the tape
};
struct inode {
  std::string durable;
  std::vector<pending> cache;
};

void put(std::string& file, long long offset, std::string_view bytes) {
  const std::size_t at = std::size_t(offset);
  if (file.size() < at + bytes.size()) file.resize(at + bytes.size(), '\0');
  std::copy(bytes.begin(), bytes.end(), file.begin() + long(at));
}
void apply(std::string& file, const operation& o) {
  o.what == cuts ? file.resize(std::size_t(o.offset), '\0') : put(file, o.offset, o.bytes);
}

void lose_some(std::string& file, const std::vector<pending>& cache, std::mt19937& random) {
  for (const pending& p : cache) {
    if (p.what->what == cuts) {
      if (random() % 2) apply(file, *p.what);
      continue;
    }
    const std::string_view all = p.what->bytes;
    for (std::size_t from = 0, next; from < all.size(); from = next) {  // to the next sector of the file
      next = std::min(all.size(), from + sector - (std::size_t(p.what->offset) + from) % sector);
      if (random() % 2) put(file, p.what->offset + (long long)from, all.substr(from, next - from));
    }
  }
}

}  // namespace

std::map<std::string, std::string> disk_after(const std::vector<operation>& tape, std::size_t until, lost how,
                                              unsigned seed) {
  std::map<std::string, std::shared_ptr<inode>> names;
  for (std::size_t at = 0; at < until; ++at) {
    const operation& o = tape[at];
    if (o.what == renames) {
      if (names.count(o.path)) names[o.to] = names[o.path], names.erase(o.path);
    } else if (o.what == creates && !o.to.empty()) {
      names[o.to] = names[o.path];
    } else if (o.what == removes) {
      names.erase(o.path);
    } else if (o.what == syncs) {
      if (const auto found = names.find(o.path); found != names.end()) {
        for (const pending& p : found->second->cache) apply(found->second->durable, *p.what);
        found->second->cache.clear();
      }
    } else {
      auto& node = names[o.path];
      if (!node) node = std::make_shared<inode>();
      if (o.what != creates) node->cache.push_back({&o, at});
    }
  }
  std::mt19937 random(seed);
  std::vector<std::size_t> unsynced_writes;
  for (const auto& [name, node] : names)
    for (const pending& p : node->cache) unsynced_writes.push_back(p.at);
  std::sort(unsynced_writes.begin(), unsynced_writes.end());
  const std::size_t few = std::min<std::size_t>(unsynced_writes.size(), 1 + seed % 5);
  const std::size_t torn = unsynced_writes.empty() ? until : unsynced_writes[unsynced_writes.size() - few];
  std::map<std::string, std::string> files;
  for (const auto& [name, node] : names) {
    std::string& file = files[name] = node->durable;
    switch (how) {
      case lost::unsynced:
        break;
      case lost::last:
        for (const pending& p : node->cache) {
          if (p.at < torn) apply(file, *p.what);
          if (p.at == torn && p.what->what == writes)
            put(file, p.what->offset, std::string_view(p.what->bytes).substr(0, p.what->bytes.size() / 2));
        }
        break;
      case lost::some:
        lose_some(file, node->cache, random);
        break;
      case lost::data: {
        std::string full = file;
        for (const pending& p : node->cache) apply(full, *p.what);
        file.resize(full.size(), '\0');
        break;
      }
    }
  }
  std::erase_if(files, [](const auto& f) { return f.second.empty() && f.first.find('.') == std::string::npos; });
  return files;
}

}  // namespace glass::faults
