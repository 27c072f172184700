#include "targets.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/hash.hpp"
#include "catalog/profile.hpp"
#include "catalog/spec.hpp"
#include "cli/npy.hpp"
#include "glass/jit/error.hpp"
#include "store/pack.hpp"

namespace glass::faults {
namespace {

using namespace glass::jit;

void must(bool right) {
  if (!right) std::abort();
}
// Runs `f`; that it refuses its input is an answer.
template <class F>
void taken_or_refused(F f) {
  try {
    f();
  } catch (const error& e) { must(!e.message().empty()); }
}

std::string& folder_of_overlay() {
  static auto* one = new std::string;
  return *one;
}

// A file with these bytes, in memory.
std::string file_with(std::string_view bytes) {
  static const int fd = ::memfd_create("fuzz", 0);
  must(::ftruncate(fd, 0) == 0);
  must(::pwrite(fd, bytes.data(), bytes.size(), 0) == ssize_t(bytes.size()));
  return "/proc/self/fd/" + std::to_string(fd);
}

void read_pack(std::string_view bytes) {
  const std::string kept(bytes);
  taken_or_refused([&] {
    pack p = pack::open({kept.data(), kept.size()}, nullptr);
    faults_of(p);
    for (std::size_t n = 0; n < p.entries->images() && n < 4; ++n) {
      try {
        const auto row = p.rows->image(p.entries->image_key(n));
        must(row && p.entries->examine(*row).empty());
        p.rows->family(row->family);
      } catch (const damaged_row&) {
      } catch (const database_error&) {}
    }
  });
}

// A cache's file: whatever it holds, the store opens, answers, and keeps what is put.
void read_overlay(std::string_view bytes) {
  static const std::string folder = [] {
    std::string name = "/dev/shm/glass-fuzz-XXXXXX";
    must(::mkdtemp(name.data()) != nullptr);
    std::atexit([] { std::filesystem::remove_all(folder_of_overlay()); });
    return folder_of_overlay() = name;
  }();
  std::filesystem::remove_all(folder);
  must(::mkdir(folder.c_str(), 0700) == 0);
  std::ofstream(folder + "/cache.sqlite", std::ios::binary) << bytes;
  const auto s = store::open(folder, std::make_shared<warner>([](const std::string&) {}));
  for (const cache_entry& e : s->list()) s->show(e.id);
  s->stats();
  s->find_related("posv/1", "f32", "", "throughput");
  s->find_family(hash("family"), 0);
  image_row r;
  for (const char* material : {"material 0", "material 1", "new"}) {
    r.material = material, r.key = hash(r.material), r.family = hash("family"), r.bytes = {1, 2, 3, 4};
    s->find_image(r.key, r.material);
  }
  s->find_decision(hash("problem 0"), "problem 0");
  s->candidates(hash("problem 0"));
  for (int round = 0; round < 3; ++round) {  // what was put before more damage was found lies in the file set aside
    s->put_image(r);
    if (const auto found = s->find_image(r.key, r.material)) return must(found->bytes == r.bytes);
  }
  std::abort();
}

void read_placement(std::string_view text) {
  taken_or_refused([&] {
    const placement p = placement::parse(text);
    must(placement::parse(p.text()) == p);
    must(p.threads() > 0);
  });
}

void read_manifest(std::string_view text) {
  taken_or_refused([&] { manifest_from_json(std::string(text), "fuzz.json", "/none"); });
}

void read_spec(std::string_view text) {
  taken_or_refused([&] {
    const std::string once = to_json(description_from_json(std::string(text), "fuzz.json"));
    must(to_json(description_from_json(once, "again.json")) == once);
  });
  taken_or_refused([&] {
    const std::string once = to_json(problem_from_json(std::string(text), "fuzz.json"));
    must(to_json(problem_from_json(once, "again.json")) == once);
  });
}

void read_array(std::string_view bytes) {
  taken_or_refused([&] {
    const array a = read_npy(file_with(bytes));
    const array b = read_npy(file_with(npy_bytes(a)));
    must(a.shape == b.shape && a.type == b.type && a.values.size() == b.values.size());
    for (std::size_t i = 0; i < a.values.size(); ++i)
      must(a.values[i] == b.values[i] || (std::isnan(a.values[i]) && std::isnan(b.values[i])));
  });
}

void read_signature(std::string_view bytes) {
  const std::string text(bytes);
  taken_or_refused([&] { verified_signer(text, "message"); });
  taken_or_refused([&] {
    for (const public_key& k : read_public_keys({file_with(bytes)}))
      must(!k.line().empty() && !k.fingerprint().empty());
  });
}

void read_profile(std::string_view text) {
  taken_or_refused([&] {
    const std::string once = profile_to_json(profile_from_json(std::string(text), "fuzz.json"));
    must(profile_to_json(profile_from_json(once, "again.json")) == once);
  });
}

}  // namespace

const std::map<std::string, std::function<void(std::string_view)>>& fuzz_targets() {
  static const std::map<std::string, std::function<void(std::string_view)>> all{
      {"overlay", read_overlay}, {"pack", read_pack}, {"placement", read_placement}, {"manifest", read_manifest},
      {"spec", read_spec},       {"npy", read_array}, {"signature", read_signature}, {"profile", read_profile}};
  return all;
}

}  // namespace glass::faults
