// What glass::recommend answers: the table's decision for its problem, the nearest legal one for others, the rule where
// there is none; on every architecture a shape that can be launched.
#include <gtest/gtest.h>

#include "glass/recommend.cuh"

namespace {
using glass::op;
using glass::recommend;
using glass::dispatch::tier;

TEST(recommend, is_the_decision_of_the_table) {
  constexpr auto r = recommend<op::posv, float, 16, 16384>(90);
  static_assert(r.how == tier::exact && r.arch == 90);
  static_assert(r.width == 8 && !r.block && r.problems == 8 && r.threads == 64 && r.body == glass::Body::rows);
  static_assert(r.blocks(1000) == 125 && r.blocks(1001) == 126);
  EXPECT_NEAR(r.ns, 0.7266, 1e-6);
  constexpr auto product = recommend<op::gemm, float, 64, 64, 64, 1>(90);  // as without beta
  static_assert(product.block && product.threads == 128 && product.body == glass::Body::ring &&
                product.mma == glass::Mma::tf32x3 && product.tile == glass::Tile::m32n32);
  EXPECT_NEAR(product.gain, 4361.0 / 3633, 1e-6);
}
TEST(recommend, gives_a_block_its_reserve_of_shared_memory) {
  constexpr auto r = recommend<op::potrf, double, 128, 16384>(90);
  static_assert(r.block && r.body == glass::Body::whole && r.reserve > 48 << 10 && r.shared_bytes >= r.reserve);
  using S = glass::recommended_scope<r.width, r.block, r.problems, r.reserve>;
  static_assert(glass::reserve_of<S> == r.reserve);
}
TEST(recommend, goes_to_the_nearest_that_is_legal) {
  constexpr auto batch = recommend<op::posv, float, 16, 4096>(90);
  static_assert(batch.how == tier::nearby_batch && batch.width == 8);
  constexpr auto shape = recommend<op::posv, float, 14, 4096>(90);
  static_assert(shape.how == tier::nearby_shape && shape.width == 8);
  static_assert(shape.ns > 0.3 && shape.ns < 1.5);
  constexpr auto device = recommend<op::posv, float, 16, 16384>(87);
  static_assert(device.how == tier::other_device && device.arch == 90 && device.width == 8);
  // Tensor cores begin with 8.0: what is fastest with them is not legal before.
  constexpr auto old = recommend<op::potrf, float, 64, 16384>(75);
  static_assert(old.found() && old.body != glass::Body::regs && old.body != glass::Body::left);
}
TEST(recommend, has_an_answer_where_nothing_was_measured) {
  constexpr auto r = recommend<op::riccati_gain, double, 12, 4, 1000>(90);
  static_assert(r.how == tier::model && r.found() && r.threads % 32 == 0);
}
TEST(recommend, takes_one_size_for_a_square_problem_and_options_behind_the_batch) {
  static_assert(recommend<op::gemv, float, 32, 1>(90).how == tier::exact);
  static_assert(recommend<op::trsv, float, 16, 1>(90).how == tier::exact);
  static_assert(recommend<op::trsv, float, 16, 1, glass::Trans::yes>(90).how == tier::model);
  static_assert(recommend<op::trsv, float, 16, 1, glass::Trans::no, glass::Fill::lower>(90).how == tier::exact);
}
TEST(recommend, can_be_launched_on_every_architecture) {
  for (const int arch : {72, 75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121}) {
    for (const auto& r : {recommend<op::posv, float, 12, 4096>(arch), recommend<op::gemm, double, 64, 16384>(arch),
                          recommend<op::potrf, double, 128, 16384>(arch), recommend<op::svd, float, 24, 64>(arch)}) {
      EXPECT_TRUE(r.found()) << arch;
      EXPECT_EQ(r.threads, r.block ? r.width : r.width * r.problems) << arch;
      EXPECT_TRUE(r.threads > 0 && r.threads <= 1024 && r.threads % 32 == 0) << arch;
      EXPECT_LE(r.shared_bytes, glass::dispatch::device_of(arch).shared_optin) << arch;
      EXPECT_GT(r.ns, 0) << arch;
    }
  }
}
TEST(recommend, names_a_scope) {
  using glass::recommended_scope;
  static_assert(glass::detail::same<recommended_scope<1, false, 64>, glass::scope::thread>);
  static_assert(glass::detail::same<recommended_scope<8, false, 8>, glass::scope::tile<8, 8>>);
  static_assert(glass::detail::same<recommended_scope<32, false, 2>, glass::scope::tile<32, 2>>);
  static_assert(glass::detail::same<recommended_scope<8, false, 8, 0, true>,
                                    glass::scope::tile<8, 8, glass::scope::others::in_step>>);
  static_assert(recommend<op::posv, float, 16, 16384>(90).in_step && !recommend<op::trsv, float, 16, 1>(90).in_step);
  static_assert(glass::detail::same<recommended_scope<128, true, 1, 512>, glass::scope::block<128, 512>>);
}
}  // namespace
