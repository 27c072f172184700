#include "store/pack_rows.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "base/hash.hpp"
#include "base/headers.hpp"
#include "base/text.hpp"
#include "glass/jit/error.hpp"
#include "store/pack_writer.hpp"
#include "store/row_hash.hpp"

namespace glass::jit {

namespace {

constexpr double rung = 1.05;

// What an image computes and how: its material without what it was compiled for, by and with.
std::string kernel_of(const std::string& material) {
  jit::material m;
  std::size_t fields = 0;
  for (const auto& [name, value] : fields_of(material))
    if (++fields; name != "target" && name != "compiler" && name != "headers") m.add(name, value);
  return fields ? m.key() : hash(material);
}

double median(std::vector<double> v) {  // as tune/summary.cpp has it
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  const std::size_t n = v.size();
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

}  // namespace

std::string problem_of(const decision_row& d) {
  std::vector<std::string> words{d.identity.substr(0, d.identity.rfind('/'))};
  for (const std::string& s : {d.sizes, d.options, d.type})
    if (!s.empty()) words.push_back(s);
  return join(words, " ") + " batch=" + std::to_string(d.batch_class);
}

rank rank_of(const decision_row& d, const std::vector<candidate_row>& evidence) {
  const long step = d.ns > 0 && std::isfinite(d.ns) ? std::lround(std::floor(std::log(d.ns) / std::log(rung)))
                                                    : std::numeric_limits<long>::max();
  std::string age = d.created;
  for (char& c : age) c = char(~c);
  return {!d.state.empty(), step, std::move(age), hash_of(d) + hash_of(evidence)};
}

row_source::row_source(const std::string& path) : name_(path) {
  struct stat s {};
  if (::stat(path.c_str(), &s) != 0) throw error(errc::io, stage::store, "there is no cache and no pack at " + path);
  if (!S_ISDIR(s.st_mode)) {
    *this = row_source(pack_source(path), {});
    return;
  }
  const place where{std::filesystem::absolute(path).lexically_normal().string()};
  if (::stat(where.file().c_str(), &s) != 0)
    throw error(errc::io, stage::store, "the folder " + path + " holds no cache (cache.sqlite)");
  cache_ = open_overlay(where);
  if (!cache_.overlay)
    throw error(errc::store, stage::store, "the cache in " + path + " cannot be read: " + cache_.trouble);
  rows_ = cache_.overlay.get();
}

row_source::row_source(const pack_source& from, const std::vector<std::string>& keys)
    : name_(from.path.empty() ? from.name() : from.path), packed_(true) {
  const std::vector<public_key> required = read_public_keys(keys);
  try {
    pack_ = pack::open(from, keys.empty() ? nullptr : &required);
  } catch (const error& e) {
    throw error(e.code(), e.stage(), "the pack " + name_ + " is not used: " + e.message(), e.hint());
  }
  notes = pack_.remarks;
  rows_ = pack_.rows.get();
}

std::optional<decision_row> row_source::decision(const std::string& key) {
  try {
    return rows_->decision(key);
  } catch (const damaged_row& d) {
    notes.push_back(name_ + ": decision " + key.substr(0, 12) + " is left out: " + d.why);
    return {};
  }
}
std::vector<candidate_row> row_source::evidence(const std::string& key) {
  std::vector<damaged_row> damaged;
  auto all = rows_->candidates(key, damaged);
  for (const damaged_row& d : damaged)
    notes.push_back(name_ + ": candidate " + d.placement + " of " + key.substr(0, 12) + " is left out: " + d.why);
  std::erase_if(all, [](const candidate_row& c) { return c.state == "running"; });
  return all;
}
std::optional<image_row> row_source::image(const std::string& key) {
  try {
    return rows_->image(key);
  } catch (const damaged_row& d) {
    notes.push_back(name_ + ": image " + key.substr(0, 12) + " is left out: " + d.why);
    return {};
  }
}

std::map<std::string, row_source::head> row_source::heads() {
  std::map<std::string, head> all;
  query q = rows_->rows().ask("SELECT key, target, material FROM image");
  while (q.step()) {
    const std::string material = q.text(2), headers = field_of(material, "headers");
    all[q.text(0)] = {q.text(1), kernel_of(material), headers.empty() || headers == embedded_headers_hash()};
  }
  return all;
}

row_source::chosen row_source::choose(const std::function<bool(const decision_row&)>& wanted,
                                      const std::vector<std::string>* operations,
                                      const std::vector<std::string>& targets) {
  chosen all;
  const auto images = heads();
  std::set<std::string> kernels, raced;  // wanted ones; images that took part in a race
  const auto want = [&](const std::string& image) {
    if (const auto at = images.find(image); at != images.end()) kernels.insert(at->second.kernel);
  };
  std::vector<std::pair<std::string, std::string>> winners;  // problem, kernel
  for (const std::string& key : rows_->decision_keys()) {
    const auto d = decision(key);
    if (!d) continue;
    const auto some = evidence(key);
    for (const candidate_row& c : some) raced.insert(c.image_key);
    raced.insert(d->image_key);
    if (!d->state.empty() || (wanted && !wanted(*d))) continue;
    all.decisions.push_back(key);
    want(d->image_key);
    bool standard = false;  // the default placement is known by its time
    for (const candidate_row& c : some) {
      const bool is_default = !standard && c.state == "ok" && median(c.ns) == d->default_ns;
      standard = standard || is_default;
      if (is_default || c.placement == d->runner_up) want(c.image_key);
    }
    const auto at = images.find(d->image_key);
    winners.emplace_back(problem_of(*d), at == images.end() ? "" : at->second.kernel);
  }
  std::set<std::pair<std::string, std::string>> there;  // kernel, target
  for (const auto& [key, i] : images) {
    if (!packed_ && !i.current) continue;  // no glass of this version would look for it
    if (!targets.empty() && std::find(targets.begin(), targets.end(), i.target) == targets.end()) continue;
    bool take = packed_ && targets.empty() && !wanted;
    if (kernels.count(i.kernel)) take = true;
    if (!take && !raced.count(key)) {
      take = !operations;
      if (operations)
        if (const auto row = image(key))
          take = std::find(operations->begin(), operations->end(), row->name) != operations->end();
    }
    if (!take) continue;
    all.images.push_back(key);
    there.emplace(i.kernel, i.target);
  }
  std::set<std::string> present;
  for (const auto& [kernel, target] : there) present.insert(kernel);
  for (const auto& [problem, kernel] : winners) {
    if (targets.empty() && !present.count(kernel))
      notes.push_back(problem + ": no image of its winner; run it once with this glass before exporting");
    for (const std::string& target : targets)
      if (!there.count({kernel, target}))
        notes.push_back(problem + ": no image of its winner for " + target + "; compile it first");
  }
  return all;
}

}  // namespace glass::jit
