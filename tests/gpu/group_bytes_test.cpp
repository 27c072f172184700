// The shared bytes that the device folds from a kernel's types are those that the host gives the launch, for every row
// and placement.
#include <algorithm>

#include "build/build.hpp"
#include "catalog/catalog.hpp"
#include "gpu_fixture.hpp"
#include "rows.hpp"
#include "tune/tune.hpp"

using namespace glass::jit;
using namespace glass::test;

namespace {

struct gpu_group_bytes : on_gpu {};

TEST_F(gpu_group_bytes, device_and_host_agree) {
  if (!is_cuda()) GTEST_SKIP() << "The host backend's own test compares its images.";
  struct job {
    std::string what;
    arguments a;
    std::size_t expected;
  };
  std::vector<job> jobs;
  std::vector<source> sources;
  on_device<int> answer(device(), {0});
  std::size_t turn = 0;
  for (const auto& d : operations()) {
    for (const bool at_run_time : {false, true}) {
      problem p;
      std::map<std::string, int> most;
      for (const auto& name : sizes_of(d)) p.sizes[name] = at_run_time ? up_to(7) : size_value(7), most[name] = 7;
      p.type = f64, p.batch = 100;
      const bound_problem bound = bind(d, p, true);
      arguments a;
      const auto slots = bound.slot_values(most);
      std::copy(slots.begin(), slots.end(), a.size);
      a.count = 1, a.at[0].pointer = answer.get();
      for (const auto& c : candidates(bound, device().device())) {
        if (!c.illegal.empty() || turn++ % 17 != 0) continue;  // a sample: a compile each
        jobs.push_back({bound.text() + " " + c.placement.text(), a, group_bytes(bound, c.placement)});
        // The same tail, but the kernel that it makes says how much memory it would use.
        source s = assemble(bound, c.placement);
        s.text.insert(s.text.find("#line 1 \"glass_tail\""), R"(
template <class Body, class S, int Pack, glass::batch::home H, class... O>
__device__ int bytes_of(const int* size) { return glass::batch::group_bytes<S, H, O...>(Pack, size); }
#undef GLASS_BATCH
#define GLASS_BATCH(n, ...) extern "C" __global__ void glass_entry(const __grid_constant__ glass::batch::arguments<4> a) { \
    if (a.count) *static_cast<int*>(a.at[0].pointer) = bytes_of<__VA_ARGS__>(a.size); }
)");
        sources.push_back(std::move(s));
      }
    }
  }
  const auto images = compile_all(device(), sources);
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    SCOPED_TRACE(jobs[k].what);
    ASSERT_EQ(images[k].trouble, "");
    const auto image = device().load(images[k].image, {1, 1, 0, 0});
    ASSERT_TRUE(device().run(*image, {1, 1, 0, 1}, &jobs[k].a, sizeof(arguments), 10).ok());
    EXPECT_EQ(std::size_t(answer.values()[0]), jobs[k].expected);
  }
  EXPECT_GE(jobs.size(), 50u);
}

}  // namespace
