// The model need not be right about nanoseconds, only about which of two placements to try first.
#include <gtest/gtest.h>

#include "glass/jit/runtime.hpp"
#include "support/scale.hpp"
#include "tune/model.hpp"

namespace glass::jit {
namespace {

double ns(const bound_problem& p, const std::string& where,
          const device_description& d = testing::fake_backend::gpu()) {
  return predict(p, placement::parse(where), d);
}
bound_problem problem_of(const std::string& name, int n, scalar_type t = f32, long long batch = 8192) {
  return bind(find_operation(name), {.sizes = {{"N", n}}, .type = t, .batch = batch}, true);
}

TEST(Model, BlocksCost) {
  const bound_problem p = problem_of("dot", 4);
  EXPECT_LT(ns(p, "scope=tile4 pack=32"), ns(p, "scope=warp pack=1"));
  EXPECT_GT(ns(p, "scope=block256 pack=1"), ns(p, "scope=block64 pack=1"));
}

TEST(Model, SmallProblemsWantFewLanesAndLargeOnesMany) {
  const bound_problem small = problem_of("posv", 8), large = problem_of("posv", 48);
  EXPECT_LT(ns(small, "scope=tile4 pack=32 body=fragment"), ns(small, "scope=warp pack=4 body=fragment"));
  EXPECT_LT(ns(large, "scope=warp pack=2 body=fragment"), ns(large, "scope=tile2 pack=32 body=fragment"));
}

TEST(Model, OneProblemAloneWantsMoreLanesThanABatch) {
  const bound_problem alone = problem_of("posv", 16, f32, 1);
  EXPECT_LT(ns(alone, "scope=tile16 pack=2 body=fragment"), ns(alone, "scope=thread pack=32 body=fragment"));
}

TEST(Model, RegistersBeatABodyThatComesBackToMemory) {
  const bound_problem p = problem_of("posv", 16);
  EXPECT_LT(ns(p, "scope=tile8 pack=16 body=fragment"), ns(p, "scope=tile8 pack=16 body=loop"));
  EXPECT_LT(ns(p, "scope=tile8 pack=16 home=shared body=loop"), ns(p, "scope=tile8 pack=16 home=global body=loop"));
}

TEST(Model, InterleavedStorageIsForThreads) {
  operation_description d = testing::scale();
  d.operands = {scalar("alpha", 0.5), in("x", {"N"}).interleaved(), inout("y", {"N"}).interleaved()};
  const bound_problem p = bind(d, testing::scale_problem(64, 16384), false);
  EXPECT_LT(ns(p, "scope=thread pack=128"), ns(p, "scope=warp pack=4"));
}

TEST(Model, TheHostWantsTasksThatAreWorthHandingOverAndEnoughOfThem) {
  const device_description cpu = testing::fake_backend::cpu();
  const bound_problem small = problem_of("dot", 4, f32, 16384), few = problem_of("posv", 48, f64, 64);
  EXPECT_LT(ns(small, "pack=256", cpu), ns(small, "pack=16", cpu));
  EXPECT_LT(ns(few, "pack=16", cpu), ns(few, "pack=64", cpu)) << "four cores share 64 problems";
}

}  // namespace
}  // namespace glass::jit
