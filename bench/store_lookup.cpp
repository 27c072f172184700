// How long the cache takes on the way to the first kernel: opening it, and looking up a decision and an image, with
// 10,000 decisions stored.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <filesystem>

#include "base/hash.hpp"
#include "store/store.hpp"

namespace {

using namespace glass::jit;
constexpr int decisions = 10000;

std::string material(int i) { return "posv N=" + std::to_string(i); }

struct filled_cache {
  std::string folder;
  filled_cache() {
    std::string name = (std::filesystem::temp_directory_path() / "glass-bench-XXXXXX").string();
    folder = ::mkdtemp(name.data());
    const auto s = store::open(folder, nullptr);
    for (int i = 0; i < decisions; ++i) {
      decision_row d;
      d.key = hash(material(i)), d.material = material(i) + std::string(400, '.');
      d.identity = i % 100 ? "posv/1" : "rare/1", d.sizes = "N=" + std::to_string(i), d.type = "f32",
      d.measure = "throughput", d.placement = "scope=tile8 pack=16";
      d.fingerprint = "cuda sm_90 sm=132", d.ns = i;
      s->put_decision(d);
      if (i % 20 == 0) {
        image_row r;
        r.key = d.key, r.material = d.material, r.bytes.assign(40000, (unsigned char)i);
        s->put_image(r);
      }
    }
  }
  ~filled_cache() { std::filesystem::remove_all(folder); }
};
const std::string& folder() {
  static const filled_cache one;
  return one.folder;
}

void open_and_first_lookup(benchmark::State& state) {
  folder();
  for (auto _ : state) {
    const auto s = store::open(folder(), nullptr);
    benchmark::DoNotOptimize(s->find_decision(hash(material(77)), material(77) + std::string(400, '.')));
  }
}
void decision_lookup(benchmark::State& state) {
  const auto s = store::open(folder(), nullptr);
  int i = 0;
  for (auto _ : state) {
    i = (i + 7919) % decisions;
    if (!s->find_decision(hash(material(i)), material(i) + std::string(400, '.'))) state.SkipWithError("not found");
  }
}
void image_lookup_40_kb(benchmark::State& state) {
  const auto s = store::open(folder(), nullptr);
  int i = 0;
  for (auto _ : state) {
    i = (i + 20 * 97) % decisions;
    if (!s->find_image(hash(material(i)), material(i) + std::string(400, '.'))) state.SkipWithError("not found");
  }
}
void hundred_related(benchmark::State& state) {
  const auto s = store::open(folder(), nullptr);
  for (auto _ : state) benchmark::DoNotOptimize(s->find_related("rare/1", "f32", "", "throughput"));
}
void put_candidate_row(benchmark::State& state) {
  const auto s = store::open(folder(), nullptr);
  candidate_row c;
  c.decision_key = hash("d"), c.state = "ok", c.ns.assign(40, 1.25);
  int i = 0;
  for (auto _ : state) {
    c.placement = "scope=tile8 pack=" + std::to_string(i++ % 100);
    s->put_candidate(c);
  }
}

}  // namespace

BENCHMARK(open_and_first_lookup);
BENCHMARK(decision_lookup);
BENCHMARK(image_lookup_40_kb);
BENCHMARK(hundred_related);
BENCHMARK(put_candidate_row);
BENCHMARK_MAIN();
