// Bodies of NVIDIA's libraries in a race: last, where they may win and the budget allows it, and chosen only where they
// beat the best of ours by the margin.
#include "support/library_backend.hpp"

#include "glass/jit/runtime.hpp"
#include "tune/model.hpp"
#include "tune/search_fixture.hpp"

namespace glass::jit {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

class Library : public Search {
 protected:
  Library() {
    with = std::make_shared<testing::library_backend>();
    with->compute = testing::scale_code();
    device = with;
    problem = bind(testing::scale_with_calls(), testing::scale_problem(), false);
  }
  std::vector<std::string> of_library(double best = 10) {
    std::vector<std::string> all;
    for (const auto& c : library_candidates(problem, *with, best)) all.push_back(c.placement.text());
    return all;
  }
  // The default takes 10 ns, the library's bodies what is said, others 20 or what is said.
  void times(double library, double best_of_ours) {
    with->script = [=, this](const std::string& label) {
      const bool theirs = label.find("body=nvidia") != std::string::npos;
      return behaviour{.ns = theirs ? library : label == standard ? 10.0 : label == others[0] ? best_of_ours : 20.0};
    };
  }
  std::shared_ptr<testing::library_backend> with;
};

TEST_F(Library, WhatItSuggestsComesFirst) {
  EXPECT_THAT(of_library(), ::testing::ElementsAre("variant=fused scope=block64 pack=2 home=shared body=nvidia",
                                                   "variant=fused scope=block64 pack=1 home=shared body=nvidia",
                                                   "variant=fused scope=block128 pack=2 home=shared body=nvidia"));
  with->suggested = {40, 64};  // no whole warps, and more than a block takes
  EXPECT_EQ(of_library().front(), "variant=fused scope=block64 pack=32 home=shared body=nvidia");
}

TEST_F(Library, IsNeverAmongTheCandidatesThatAreAlwaysThere) {
  for (const auto& c : candidates(problem, with->description)) EXPECT_NE(c.placement.body, "nvidia");
  EXPECT_NE(default_placement(problem, with->description).body, "nvidia");
}

TEST_F(Library, ComesLast) {
  times(5, 9);
  run();
  const auto order = with->order();
  const auto first = std::find_if(order.begin(), order.end(), [](const auto& l) { return l.find("nvidia") != l.npos; });
  ASSERT_NE(first, order.end());
  for (const auto& other : others) {
    const auto at = std::find(order.begin(), order.end(), other);
    EXPECT_TRUE(at == order.end() || at < first) << other;
  }
}

TEST_F(Library, WinsByMoreThanTheMarginOverTheBestOfOurs) {
  times(7, 8);
  const decision d = run();
  EXPECT_THAT(d.row.placement, HasSubstr("body=nvidia"));
  EXPECT_EQ(d.row.runner_up, others[0]) << "one of ours, for machines without the library";
  EXPECT_EQ(d.row.compiler, "fake 1.0, libmathdx 0.4");
  EXPECT_NEAR(d.row.ns, 7, 1e-9);
}

TEST_F(Library, WithinTheMarginOursIsTaken) {
  times(7.7, 8);
  const decision d = run();
  EXPECT_EQ(d.row.placement, others[0]);
  EXPECT_THAT(d.row.runner_up, Not(HasSubstr("nvidia")));
  EXPECT_EQ(d.row.compiler, "fake 1.0");
}

TEST_F(Library, TheBestOfOursCountsWhereTheDefaultWasKept) {
  times(9.3, 9.7);  // within 5 % of the best of ours, which is within 5 % of the default
  EXPECT_EQ(run().row.placement, standard);
  times(9.1, 9.7);
  rows = store::open("memory", warn);
  EXPECT_THAT(run().row.placement, HasSubstr("body=nvidia"));
}

TEST_F(Library, IsNotTriedWhereNothingIsToBeWon) {
  const double floor = floor_ns(problem, with->description);
  EXPECT_TRUE(of_library(floor * 1.04).empty());
  EXPECT_FALSE(of_library(floor * 1.06).empty());
  with->asked = 0;
  with->script = [&](const std::string&) { return behaviour{.ns = floor}; };
  run();
  EXPECT_EQ(with->asked, 0) << "the library is not even loaded";
}

TEST_F(Library, IsNotTriedWhereTheBudgetHasNoRoomForIt) {
  times(5, 9);
  options.budget_seconds = 0.7 * library_seconds(problem);
  run();
  EXPECT_THAT(with->order(), Each(Not(HasSubstr("nvidia"))));
  problem = bind(testing::scale_with_calls("cublasdx"), testing::scale_problem(), false);
  options.budget_seconds = 10;  // a product of cuBLASDx compiles for longer
  run();
  EXPECT_THAT(with->order(), Each(Not(HasSubstr("nvidia"))));
  EXPECT_EQ(with->asked, 0);
}

TEST_F(Library, ThatIsMissingGivesNoCandidates) {
  times(5, 9);
  with->installed = false;
  const decision d = run();
  EXPECT_EQ(d.row.placement, others[0]);
  EXPECT_EQ(d.failed, 0);
  EXPECT_TRUE(d.row.complete);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(Library, ThatFailsIsDisqualifiedWithItsReason) {
  with->script = [this](const std::string& label) {
    const bool theirs = label.find("body=nvidia") != std::string::npos;
    return behaviour{.ns = label == standard ? 10.0 : 20.0, .compile_error = theirs ? "no memory is left" : ""};
  };
  const decision d = run();
  EXPECT_EQ(d.row.placement, standard);
  EXPECT_EQ(d.failed, 3);
  EXPECT_THAT(kept().at(of_library().front()).reason, HasSubstr("no memory is left"));
}

TEST_F(Library, AMachineShortOfMemoryPassesItOverAndDoesNotRememberThat) {
  times(5, 9);
  with->short_of_memory = true;
  const decision d = run();
  EXPECT_EQ(d.row.placement, others[0]);
  EXPECT_EQ(d.failed, 3);
  EXPECT_THAT(warnings, Contains(HasSubstr("is passed over: the script has 1 MB left")));
  for (const auto& [placement, row] : kept()) EXPECT_THAT(placement, Not(HasSubstr("nvidia")));
  with->short_of_memory = false;
  EXPECT_THAT(run().row.placement, HasSubstr("body=nvidia"));
}

TEST_F(Library, PlacementsThatItDoesNotTakeSayWhy) {
  const auto why = [&](const std::string& where, const device_description& d = fake_backend::gpu()) {
    return examine(problem, d, placement::parse(where)).illegal;
  };
  EXPECT_EQ(why("scope=block64 home=shared body=nvidia"), "");
  EXPECT_EQ(why("scope=block64 pack=32 home=shared body=nvidia"), "");
  EXPECT_THAT(why("scope=block64 pack=33 home=shared body=nvidia"), HasSubstr("more than the 32"));
  EXPECT_THAT(why("scope=warp home=shared body=nvidia"), HasSubstr("work as a block"));
  EXPECT_THAT(why("scope=block64 body=nvidia"), HasSubstr("staged"));
  EXPECT_THAT(why("body=nvidia pack=64", fake_backend::cpu()), HasSubstr("for NVIDIA GPUs"));
  device_description small = fake_backend::gpu();
  small.shared_per_block_optin = 48 << 10;
  problem = bind(testing::scale_with_calls(), testing::scale_problem(8000), false);
  EXPECT_THAT(why("scope=block64 home=shared body=nvidia", small),
              HasSubstr("bytes of shared memory a block are more"));
  EXPECT_TRUE(of_library(1e9).empty() || !of_library(1e9).front().empty());
}

TEST_F(Library, OfHeadersWorksInWarpsAndBlocksWhereTheOperandsLie) {
  problem = bind(find_operation("dot"), {.sizes = {{"N", 200}}, .type = f32, .batch = 8192}, true);
  const auto all = of_library();
  EXPECT_EQ(all.size(), 4u);
  EXPECT_THAT(all, Each(::testing::MatchesRegex(".*scope=(warp|block[0-9]+) .*home=global.* body=nvidia")));
  EXPECT_THAT(all, Contains(HasSubstr("scope=warp")));
  EXPECT_THAT(all, Contains(HasSubstr("scope=block")));
  EXPECT_EQ(with->asked, 0) << "no function is to be generated";
  with->installed = false;
  EXPECT_TRUE(of_library().empty());
}

TEST_F(Library, OfHeadersKeepsTheContractOrIsIllegalWithTheReason) {
  const auto why = [](const std::string& sum, const std::string& where) {
    const auto dot = bind(find_operation("dot"), {.sizes = {{"N", up_to(200)}}, .options = {{"SUM", sum}}}, true);
    return examine(dot, fake_backend::gpu(), placement::parse(where)).illegal;
  };
  EXPECT_EQ(why("fast", "scope=warp pack=4 home=shared body=nvidia"), "");
  EXPECT_EQ(why("fast", "scope=block64 body=nvidia"), "");
  EXPECT_THAT(why("fixed", "scope=warp body=nvidia"), HasSubstr("CUB has its own"));
  EXPECT_THAT(why("fast", "scope=tile8 pack=4 body=nvidia"), HasSubstr("warps and blocks"));
  EXPECT_THAT(why("fast", "scope=block64 pack=2 body=nvidia"), HasSubstr("one problem"));
}

}  // namespace
}  // namespace glass::jit
