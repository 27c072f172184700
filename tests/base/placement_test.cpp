// Placements as text: round trips, widths, and mistakes.
#include "glass/jit/placement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "glass/jit/error.hpp"

namespace glass::jit {
namespace {

using ::testing::HasSubstr;

TEST(Placement, TextRoundTrips) {
  for (const char* text : {"variant=fused scope=thread pack=1 home=global",
                           "variant=split scope=tile8 pack=16 home=shared body=fragment UNROLL=4",
                           "variant=fused scope=block96 pack=2 home=global BODY=fragment UNROLL=2"})
    EXPECT_EQ(placement::parse(text).text(), text);
}

TEST(Placement, AxesLeftOutKeepTheirDefaults) {
  EXPECT_EQ(placement::parse("scope=warp").text(), "variant=fused scope=warp pack=1 home=global");
  EXPECT_EQ(placement::parse(""), placement());
}

TEST(Placement, KnowsItsLanes) {
  const std::pair<const char*, int> lanes[] = {{"thread", 1},  {"tile2", 2}, {"tile4", 4},    {"tile8", 8},
                                               {"tile16", 16}, {"warp", 32}, {"block64", 64}, {"block1024", 1024}};
  for (const auto& [scope, width] : lanes) {
    const placement p = placement::parse(std::string("pack=3 scope=") + scope);
    EXPECT_EQ(p.width(), width);
    EXPECT_EQ(p.threads(), p.is_block() ? width : 3 * width);  // a block takes its problems in turn
  }
}

TEST(Placement, NamesTheWordThatIsWrong) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"scope=tile3", "scope=tile3 is not a scope. Did you mean 'tile2'?"},
      {"scope=tile32", "is not a scope"},
      {"scope=block2048", "scope=block2048 is not a scope"},
      {"scope=block064", "is not a scope"},
      {"scope=block", "is not a scope"},
      {"scope=block64x", "is not a scope"},
      {"pack=0", "pack=0 is not a number of problems"},
      {"pack=4x", "pack=4x is not"},
      {"pack=99999999999", "is not a number of problems"},
      {"home=sharde", "Did you mean 'shared'?"},
      {"variant=fussed", "Did you mean 'fused'?"},
      {"scop=tile8", "'scop' is not an axis. Did you mean 'scope'?"},
      {"scope", "is not of the form axis=value"},
      {"=3", "is not of the form axis=value"},
      {"scope=", "is not of the form axis=value"},
      {"scope=warp scope=warp", "'scope' is given twice"},
      {"UN-ROLL=3", "is not a name"}};
  for (const auto& [text, says] : mistakes) {
    try {
      placement::parse(text);
      ADD_FAILURE() << text;
    } catch (const error& e) {
      EXPECT_EQ(e.code(), errc::invalid_argument);
      EXPECT_THAT(e.message(), HasSubstr(says));
    }
  }
}

}  // namespace
}  // namespace glass::jit
