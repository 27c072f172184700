// A decision outlives its image: what was evicted is compiled again, and nothing is measured again.
#include "jit_fixture.hpp"
#include "store/store.hpp"

namespace glass::jit {
namespace {

class Evicted : public testing::Scripted {};

TEST_F(Evicted, ADecisionWithoutItsImageCostsOneCompile) {
  std::string placement;
  {
    runtime rt = start(tune_mode::exhaustive);
    placement = get(rt).placement().text();
  }
  {
    const auto rows = store::open(folder.string(), nullptr);
    rows->gc(0);
    EXPECT_EQ(rows->stats().images, 0);
    EXPECT_EQ(rows->stats().decisions, 1);
  }
  runtime rt = start();
  const kernel k = get(rt);
  EXPECT_EQ(k.tier(), tier::exact);
  EXPECT_EQ(k.placement().text(), placement);
  EXPECT_EQ(rt.counters().compiles, 1);
  EXPECT_EQ(rt.counters().tuning_launches, 0);
  EXPECT_EQ(rt.cache().total.decision_hits, 1);
  EXPECT_THAT(warnings, ::testing::IsEmpty());
}

}  // namespace
}  // namespace glass::jit
