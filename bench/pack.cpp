// What a pack costs: mounting one that is signed and looking up the first decision, further lookups, and verifying all of
// it. 10,000 decisions with 12 candidates of 40 samples each, 2,000 images of 40 kB.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <filesystem>

#include "base/hash.hpp"
#include "store/pack_writer.hpp"

namespace {

using namespace glass::jit;
constexpr int decisions = 10000, images = 2000, image_bytes = 40000;

std::string material_of(int i) { return "posv N=" + std::to_string(i) + std::string(400, '.'); }

struct packed {
  std::string folder, file, key;
  packed() {
    std::string name = (std::filesystem::temp_directory_path() / "glass-bench-XXXXXX").string();
    folder = ::mkdtemp(name.data());
    file = folder + "/robot.pack", key = folder + "/key";
    make_pack_key(key);
    pack_writer w;
    for (int i = 0; i < decisions; ++i) {
      decision_row d;
      d.material = material_of(i), d.key = hash(d.material);
      d.identity = "posv/1", d.sizes = "N=" + std::to_string(i), d.type = "f32", d.measure = "throughput";
      d.fingerprint = "cuda sm_90 sm=132", d.placement = "scope=tile8 pack=16", d.ns = i, d.created = "2026-01-01";
      std::vector<candidate_row> evidence;
      for (int c = 0; c < 12; ++c)
        evidence.push_back(
            {d.key, "scope=tile8 pack=" + std::to_string(c), "ok", "", std::vector<double>(40, i + c), 0.1, ""});
      w.add(d, evidence);
    }
    for (int i = 0; i < images; ++i) {
      image_row r;
      r.material = material_of(i), r.key = hash(r.material), r.bytes.assign(image_bytes, (unsigned char)i);
      for (std::size_t at = 0; at < r.bytes.size(); at += 64) r.bytes[at] = (unsigned char)(at * 7 + std::size_t(i));
      w.add(r);
    }
    w.finish(file, key);
  }
  ~packed() { std::filesystem::remove_all(folder); }
};
const packed& one() {
  static const packed p;
  return p;
}
std::unique_ptr<store> mounted() {
  return store::open(store_options{"memory", {one().file}, {one().key + ".pub"}}, nullptr);
}

void mount_signed_pack_and_first_lookup(benchmark::State& state) {
  one();
  for (auto _ : state) {
    const auto s = mounted();
    if (!s->find_decision(hash(material_of(77)), material_of(77))) state.SkipWithError("not found");
  }
  state.counters["pack_MB"] = double(std::filesystem::file_size(one().file)) / 1e6;
}
void decision_lookup_in_pack(benchmark::State& state) {
  const auto s = mounted();
  int i = 0;
  for (auto _ : state) {
    i = (i + 7919) % decisions;
    if (!s->find_decision(hash(material_of(i)), material_of(i))) state.SkipWithError("not found");
  }
}
void image_lookup_in_pack(benchmark::State& state) {
  const auto s = mounted();
  int i = 0;
  for (auto _ : state) {
    i = (i + 97) % images;
    if (!s->find_image(hash(material_of(i)), material_of(i))) state.SkipWithError("not found");
  }
}
void verify_whole_pack(benchmark::State& state) {
  for (auto _ : state)
    if (!verify_pack(one().file, {one().key + ".pub"}).faults.empty()) state.SkipWithError("faults");
}

}  // namespace

BENCHMARK(mount_signed_pack_and_first_lookup)->Unit(benchmark::kMillisecond);
BENCHMARK(decision_lookup_in_pack)->Unit(benchmark::kMicrosecond);
BENCHMARK(image_lookup_in_pack)->Unit(benchmark::kMicrosecond);
BENCHMARK(verify_whole_pack)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
