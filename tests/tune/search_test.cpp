// The race on a scripted device: what wins, what is disqualified, what is kept, and how an interrupted run goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tune/search_fixture.hpp"

namespace glass::jit {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST_F(Search, TheFastestWinsByMoreThanTheMargin) {
  script({{others[3], {.ns = 4}}, {others[1], {.ns = 5}}});
  const decision d = run();
  EXPECT_EQ(d.row.placement, others[3]);
  EXPECT_EQ(d.row.runner_up, others[1]);
  EXPECT_NEAR(d.row.ns, 4, 1e-9);
  EXPECT_NEAR(d.row.default_ns, 10, 1e-9);
  EXPECT_GE(d.row.samples, 9);
  EXPECT_TRUE(d.row.complete);
  EXPECT_EQ(d.measured, d.total);
  EXPECT_EQ(d.failed, 0);
  EXPECT_GT(d.launches, 0);
  EXPECT_EQ(rows->find_decision("key", "material")->placement, others[3]);
  EXPECT_EQ(rows->find_decision("key", "material")->fingerprint, device->description.fingerprint());
}

TEST_F(Search, TheDefaultStaysWithinTheMargin) {
  script({{others[0], {.ns = 9.6}}});
  EXPECT_EQ(run().row.placement, standard);
  EXPECT_EQ(rows->find_decision("key", "material")->runner_up, others[0]);
}

TEST_F(Search, TheMarginIsAnOption) {
  script({{others[0], {.ns = 9.6}}});
  options.margin = 0.02;
  EXPECT_EQ(run().row.placement, others[0]);
}

TEST_F(Search, NoiseAsWideAsTheDifferenceDecidesNothing) {
  script({{standard, {.ns = 10, .jitter = 0.4}}, {others[0], {.ns = 9.2, .jitter = 0.4}}});
  EXPECT_EQ(run().row.placement, standard);
}

TEST_F(Search, ADifferenceWiderThanTheNoiseDecides) {
  script({{standard, {.ns = 10, .jitter = 0.4}}, {others[0], {.ns = 4, .jitter = 0.4}}});
  EXPECT_EQ(run().row.placement, others[0]);
}

TEST_F(Search, TheDefaultRunsFirst) {
  script({});
  run();
  EXPECT_EQ(device->order().front(), standard);
  EXPECT_LE(run().total, 16);
  EXPECT_GE(run().total, 5);
}

TEST_F(Search, WithoutBudgetOnlyTheDefaultIsMeasured) {
  script({{others[0], {.ns = 1}}});
  options.budget_seconds = 0;
  const decision d = run();
  EXPECT_EQ(d.row.placement, standard);
  EXPECT_FALSE(d.row.complete);
  EXPECT_EQ(device->compiles, 1);
}

TEST_F(Search, ExhaustiveMeasuresAllThatIsLegal) {
  script({{others.back(), {.ns = 1}}});
  options.mode = tune_mode::exhaustive;
  options.budget_seconds = 0;
  const decision d = run();
  EXPECT_EQ(static_cast<std::size_t>(d.total), others.size() + 1);
  EXPECT_EQ(d.row.placement, others.back());
}

TEST_F(Search, ABudgetNamesSeveralKindsOfPlacement) {
  script({});
  run();
  std::set<std::string> scopes;
  for (const auto& [text, row] : kept()) scopes.insert(placement::parse(text).scope);
  EXPECT_GE(scopes.size(), 4u);
}

TEST_F(Search, WhatFailsIsKeptWithItsReasonAndLoses) {
  script({{others[0], {.ns = 1, .compile_error = "error: too clever"}},
          {others[1], {.ns = 1, .loads = false}},
          {others[2], {.ns = 1, .run = status(errc::launch_failed, "no such luck")}},
          {others[3], {.ns = 1, .time = status(errc::hang, "still running")}},
          {others[4], {.ns = 1, .usage = {.registers = 3000}}},
          {others[5], {.ns = 1, .compute = testing::scale_code(8, 0.01f)}},
          {others[6], {.ns = 1, .compute = [](const argument_block& a, const launch_shape& s) {
                         testing::scale_code()(a, s);
                         static_cast<float*>(const_cast<void*>(a.at[2].pointer))[s.count * 8] = 0;
                       }}}});
  options.mode = tune_mode::exhaustive;
  const decision d = run();
  EXPECT_EQ(d.row.placement, standard);
  EXPECT_EQ(d.failed, 7);
  auto row = kept();
  EXPECT_THAT(row[others[0]].reason, HasSubstr("too clever"));
  EXPECT_THAT(row[others[1]].reason, HasSubstr("refused by the script"));
  EXPECT_THAT(row[others[2]].reason, HasSubstr("no such luck"));
  EXPECT_EQ(row[others[3]].state, "hang");
  EXPECT_THAT(row[others[4]].reason, HasSubstr("3000 registers"));
  EXPECT_EQ(row[others[5]].state, "wrong");
  EXPECT_THAT(row[others[5]].reason, HasSubstr("differs from the default placement"));
  EXPECT_THAT(row[others[6]].reason, HasSubstr("behind its end"));
  for (const int i : {0, 1, 2, 4}) EXPECT_EQ(row[others[static_cast<std::size_t>(i)]].state, "failed") << i;
  EXPECT_THAT(warnings, Contains(HasSubstr("is disqualified")));
  for (const auto& [text, r] : row) EXPECT_NE(r.state, "running") << text;
}

TEST_F(Search, ADefaultThatFailsIsAnError) {
  script({{standard, {.run = status(errc::launch_failed, "no such luck")}}});
  try {
    run();
    FAIL() << "accepted";
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::launch_failed);
    EXPECT_THAT(e.what(), HasSubstr("no such luck"));
  }
  EXPECT_FALSE(rows->find_decision("key", "material"));
}

TEST_F(Search, ADefaultThatWritesOutOfBoundsIsAnError) {
  device->compute = [](const argument_block& a, const launch_shape&) {
    static_cast<float*>(const_cast<void*>(a.at[2].pointer))[-1] = 0;
  };
  EXPECT_THROW(run(), error);
}

TEST_F(Search, SlowCandidatesHitTheDeadline) {
  script({{others[0], {.ns = 2e6}}});  // 2 s for 1024 problems: beyond 1 s and 100 × the best
  const decision d = run();
  EXPECT_EQ(kept()[others[0]].state, "hang");
  EXPECT_EQ(d.row.placement, standard);
}

TEST_F(Search, DisturbedRoundsDoNotCount) {
  script({{others[0], {.ns = 4}}});
  std::set<int> discarded;
  device->disturbed = [&](int sample) { return sample > 40 && sample < 45 && discarded.insert(sample).second; };
  run();
  EXPECT_FALSE(discarded.empty());
  auto rows = kept();
  for (const auto& text : {standard, others[0]})
    for (const double ns : rows[text].ns) EXPECT_LE(ns, 10.01) << text;
}

TEST_F(Search, NothingIsTimedWhileAnythingCompiles) {
  script({});
  device->slots = 8;
  run();
  EXPECT_GT(device->samples, 0);
  EXPECT_EQ(device->timed_while_compiling, 0);
}

TEST_F(Search, ReportsProgress) {
  script({{others[0], {.ns = 4}}});
  std::vector<tuning_progress> seen;
  options.progress = [&](const tuning_progress& p) { seen.push_back(p); };
  const decision d = run();
  ASSERT_EQ(static_cast<int>(seen.size()), d.total);
  EXPECT_EQ(seen.front().done, 1);
  EXPECT_EQ(seen.back().done, d.total);
  EXPECT_EQ(seen.back().total, d.total);
  EXPECT_EQ(seen.back().best, others[0]);
  EXPECT_NEAR(seen.back().best_ns, 4, 1e-9);
  EXPECT_EQ(seen.back().problem, problem.text());
  EXPECT_GT(seen.back().seconds_left, 0);
}

TEST_F(Search, ALostDeviceEndsTheRunAndTheCulpritIsKnown) {
  script({{others[0], {.run = status(errc::device_lost, "illegal address")}}});
  EXPECT_THROW(run(), error);
  EXPECT_EQ(kept()[others[0]].state, "failed");
  const std::size_t ran = device->order().size();
  run();
  const auto order = device->order();
  EXPECT_THAT(std::vector<std::string>(order.begin() + static_cast<long>(ran), order.end()), Not(Contains(others[0])));
}

TEST_F(Search, NonFiniteResultsOfTheDefaultLeaveNothingToCompare) {
  script({{others[0], {.ns = 1}}});
  device->compute = [](const argument_block& a, const launch_shape& s) {
    for (long long e = 0; e < s.count * 8; ++e) static_cast<float*>(const_cast<void*>(a.at[2].pointer))[e] = 0.f / 0.f;
  };
  const decision d = run();
  EXPECT_EQ(d.row.placement, standard);
  EXPECT_EQ(d.measured, 1);
  EXPECT_THAT(warnings, Contains(HasSubstr("are not finite")));
}

TEST_F(Search, TooLittleMemoryIsNotTuned) {
  device->memory = 1000;
  try {
    run();
    FAIL() << "accepted";
  } catch (const error& e) { EXPECT_EQ(e.code(), errc::out_of_memory); }
}

TEST_F(Search, EverySampleIsKept) {
  script({{others[0], {.ns = 4}}});
  run();
  const auto row = kept()[others[0]];
  EXPECT_EQ(row.state, "ok");
  EXPECT_GE(row.ns.size(), 9u);
  EXPECT_THAT(row.image_key, Not(IsEmpty()));
  EXPECT_GE(kept()[others[1]].ns.size(), 2u) << "losers too";
}

TEST(Summarize, GivesTheMedianAndOrderStatisticsAroundIt) {
  EXPECT_EQ(summarize({}).median, 0);
  EXPECT_EQ(summarize({3, 1, 2}).median, 2);
  EXPECT_EQ(summarize({4, 1, 2, 3}).median, 2.5);
  const summary few = summarize({1, 2, 3});
  EXPECT_EQ(few.low, 1);
  EXPECT_EQ(few.high, 3);
  std::vector<double> many;
  for (int i = 1; i <= 100; ++i) many.push_back(i);
  const summary s = summarize(many);
  EXPECT_EQ(s.median, 50.5);
  EXPECT_EQ(s.low, 41);
  EXPECT_EQ(s.high, 60);
}

}  // namespace
}  // namespace glass::jit
