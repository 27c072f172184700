// The tests' own instruments: the race check of this program finds a missing sync, and is quiet where there is one; the
// guards find an access beside an operand.
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
template <int Element, bool Writes>
std::string one_access() {
  std::vector<problem> one(1);
  return run_lanes<problem>(
      {"thread", 1, {}}, 1, lane_order::forward,
      [](problem& p) {
        float& there = *(&p.x.at(0) + Element);
        (Writes ? there : p.y.at(0)) = Writes ? 1 : there;
      },
      one);
}
TEST(Instruments, AnAccessBesideAnOperandIsFound) {
#ifdef __SANITIZE_THREAD__
  EXPECT_EQ((one_access<0, false>()), "");
  EXPECT_EQ((one_access<8, true>()), "");
  EXPECT_EQ((one_access<9, false>()), "a read of 4 bytes beside an operand, 0 bytes into the memory that is nobody's");
  EXPECT_EQ((one_access<-1, true>()),
            "a write of 4 bytes beside an operand, 28 bytes into the memory that is nobody's");
#else
  GTEST_SKIP() << "built without the memory hooks";
#endif
}
TEST(Instruments, AndNotWhereItIs) { EXPECT_EQ(axpy_then_use<Sync::yes>(), ""); }

}  // namespace
}  // namespace glass::test
