// Every catalog row, in every scope, home and body that is legal on this device, against the host backend's thread
// scope: f32 and f64, square and odd shapes, all options; the packs take turns. A new row is picked up from the
// catalog. Images come from the cache ($GLASS_CACHE), so that a second run, under a sanitizer say, compiles nothing.
#include <algorithm>
#include <limits>
#include <set>

#include "backend/host/host.hpp"
#include "build/build.hpp"
#include "catalog/catalog.hpp"
#include "gpu_fixture.hpp"
#include "neighbours.hpp"
#include "rows.hpp"
#include "tune/tune.hpp"

using namespace glass::jit;
using namespace glass::test;

namespace {

// Values of all options by turns, so that each occurs, and neighbours differ together.
std::map<std::string, std::string> options_number(const operation_description& d, std::size_t turn) {
  std::map<std::string, std::string> chosen;
  for (const auto& o : d.options) {
    chosen[o.name] = last_name(o.values[turn % o.values.size()]);
    turn = turn / o.values.size() + turn;
  }
  return chosen;
}

// Square with default options in a few sizes, and other options with every size different, also in sizes for tensor
// cores where they take a body. Bodies whose exchange memory may be the launch's meet a size where it is.
std::vector<problem> problems_of(const operation_description& d) {
  std::vector<problem> all;
  const auto names = sizes_of(d);
  std::size_t choices = 1;
  for (const auto& o : d.options) choices *= o.values.size();
  for (const scalar_type t : {f32, f64}) {
    std::vector<int> with_bodies = t == f32 ? std::vector<int>{1, 8, 17, 33} : std::vector<int>{1, 12, 32};
    if (t == f64 && !d.exchange.empty()) with_bodies.insert(with_bodies.end(), {120, 128, 128});
    for (const int n : d.bodies.empty() ? std::vector<int>{1, 17} : with_bodies) {
      problem p;
      for (const auto& name : names) p.sizes[name] = name == "NRHS" ? 1 : n;
      p.type = t, p.batch = 67;  // no multiple of any pack
      all.push_back(p);
    }
    const bool direct = std::find(d.bodies.begin(), d.bodies.end(), "direct") != d.bodies.end();
    for (const int least : direct ? std::vector<int>{6, 17} : std::vector<int>{6})
      for (std::size_t turn = 0; turn < std::min<std::size_t>(choices, 4); ++turn) {
        problem p;
        for (std::size_t i = 0; i < names.size(); ++i) p.sizes[names[i]] = least + int(names.size() - i);
        p.options = options_number(d, turn), p.type = t, p.batch = 67;
        all.push_back(p);
      }
  }
  return all;
}

// One legal placement of each scope, home, body and variant; which pack it has depends on `turn`. Where there are bodies
// to choose from, half of them at a time: over a row's problems all occur, with each type. GLASS_SLOW_TESTS: all.
std::vector<placement> covering(const bound_problem& p, backend& device, std::size_t turn) {
  const device_description& d = device.device();
  std::map<std::string, std::vector<placement>> alike;
  for (const auto& c : candidates(p, d)) {
    if (c.illegal.empty())
      alike[c.placement.variant + " " + c.placement.scope + " " + c.placement.home + " " + c.placement.body].push_back(
          c.placement);
  }
  std::vector<placement> all;
#ifdef GLASS_SLOW_TESTS
  const bool sample = false;
#else
  const bool sample = !p.description.bodies.empty();
#endif
  for (auto& [kind, list] : alike)  // blocks that take problems in turn: at this batch no candidate would
    if (list.front().body == "stream" && turn % 2 == 1)
      for (placement& c : list) c.pack = 4;
  // NVIDIA's body, where its libraries are: one block, and where it takes several problems, that too; by CUB a warp as
  // well. Products compile for ten seconds: two problems of each row, of both types, one with transposed factors.
  const bool takes_long = library_seconds(p) > 5;
  if (!sample || !takes_long || turn % 18 == (p.description.name == "gemm" ? 1 : 7))
    for (const candidate& c : library_candidates(p, device, std::numeric_limits<double>::infinity())) {
      const bool seen = std::any_of(all.begin(), all.end(), [&](const placement& q) {
        return q.is_block() == c.placement.is_block() && (q.pack > 1) == (c.placement.pack > 1);
      });
      if (!seen && all.size() < (takes_long ? 1 : 3)) all.push_back(c.placement);
    }
  for (const auto& [kind, list] : alike)
    if (!sample || std::hash<std::string>()(kind) % 2 == turn % 2) all.push_back(list[turn % list.size()]);
  return all;
}

struct gpu_operations : on_gpu, testing::WithParamInterface<std::string> {};

TEST_P(gpu_operations, agrees_with_the_host_in_every_scope_home_and_body) {
  const auto warn = std::make_shared<warner>();
  const std::shared_ptr<store> rows = store::open(store::default_folder(), warn);
  const std::shared_ptr<backend> host = open_host_backend();
  builder images(gpu().device, rows, warn), plain_images(host, rows, warn);
  std::set<std::string> scopes;
  std::set<scalar_type> types_of_libraries;
  int placements = 0, too_large = 0, of_libraries = 0;
  std::size_t turn = 0;
  for (const auto& p : problems_of(find_operation(GetParam()))) {
    const bound_problem bound = bind(find_operation(GetParam()), p, true);
    const std::vector<placement> list = covering(bound, device(), turn++);
    std::vector<std::vector<unsigned char>> code(list.size());
    std::vector<std::string> trouble(list.size());
    images.get_all(bound, list, [&](std::size_t i, const built* b, const error* e) {
      if (b != nullptr) {
        code[i] = b->bytes;
      } else {
        trouble[i] = e != nullptr ? e->what() + ("\n" + e->log()) : "no image";
      }
    });

    workload data(*host, bound, p.batch, 7);
    const placement plain = default_placement(bound, host->device());
    const launch_shape plain_shape = shape_of(bound, plain, p.batch);
    const auto plain_image = host->load(plain_images.get(bound, plain).bytes, plain_shape);
    const auto solve = [&] {
      host->run(*plain_image, plain_shape, data.arguments().data(), data.arguments().size(), 60).check();
      return data.collect();
    };
    data.restore();
    const workload::outcome reference = solve();
    data.restore(), data.perturb();
    const workload::outcome perturbed = solve();

    workload here(device(), bound, p.batch, 7);
    for (std::size_t k = 0; k < list.size(); ++k) {
      SCOPED_TRACE(bound.text() + " " + bound.options_text() + " " + list[k].text());
      ASSERT_EQ(trouble[k], "");
      here.restore();
      const launch_shape shape = shape_of(bound, list[k], p.batch);
      std::shared_ptr<const loaded_image> image;
      try {
        image = device().load(code[k], shape);
      } catch (const error& e) {
        // What a body takes for itself is known when it is compiled: the tuner passes over it, too.
        if (e.code() != errc::too_large) throw;
        ++too_large;
        continue;
      }
      const status s = device().run(*image, shape, here.arguments().data(), here.arguments().size(), 60);
      ASSERT_TRUE(s.ok()) << s.message();
      const auto got = here.collect();
      EXPECT_EQ(got.overrun, "");
      EXPECT_EQ(disagreement(bound, reference, perturbed, got), "");
      if (from_library(list[k]) && list[k].pack > 1) {
        const auto solve_those = [&](const workload& those) {
          device().run(*image, shape, those.arguments().data(), those.arguments().size(), 60).check();
        };
        EXPECT_EQ(harmed(device(), bound, list[k].pack, got, solve_those), "");
      }
      scopes.insert(list[k].scope);
      ++placements, of_libraries += from_library(list[k]);
      if (from_library(list[k])) types_of_libraries.insert(p.type);
    }
  }
  RecordProperty("placements", placements), RecordProperty("too_large", too_large);
  RecordProperty("of_nvidias_libraries", of_libraries);
  EXPECT_LT(too_large, placements / 20 + 1);
  if (of_libraries > 0) { EXPECT_EQ(types_of_libraries.size(), 2u) << "NVIDIA's body ran with one type only"; }
  if (is_cuda()) { EXPECT_GE(scopes.size(), 4u) << "too few scopes were legal for this to mean much"; }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& d : operations()) all.push_back(d.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(catalog, gpu_operations, testing::ValuesIn(names()),
                         [](const auto& info) { return info.param; });

}  // namespace
