// The tests' own instruments: the race check of this program finds a missing sync, and is quiet where there is one.
#include "support/hooks.hpp"

#include "glass/vector/axpy.cuh"
#include "support/scopes.hpp"
#include "support/solves.hpp"

namespace glass::test {
namespace {

struct problem {
  operand<float> x{uniform<float>(9, 1), layout::natural}, y{uniform<float>(9, 1), layout::natural};
};
template <Sync S>
std::string axpy_then_use() {
  std::vector<problem> one(1);
  return run_lanes<problem>(
      {"tile8", 8, {}}, 8, lane_order::forward,
      [](problem& p) {
        const scope::tile<8> scope;
        axpy<S>(scope, 2, p.x.vector<layout::natural, 9>(), p.y.vector<layout::natural, 9>());
        use_all(scope, p.x, p.y);
      },
      one);
}
TEST(Instruments, ASyncAtTheEndIsMissed) {
#ifdef __SANITIZE_THREAD__
  EXPECT_NE(axpy_then_use<Sync::no>(), "");
#else
  GTEST_SKIP() << "built without the memory hooks";
#endif
}
TEST(Instruments, AndNotWhereItIs) { EXPECT_EQ(axpy_then_use<Sync::yes>(), ""); }

}  // namespace
}  // namespace glass::test
