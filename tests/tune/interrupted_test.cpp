// A tuning run that ends early: asked to stop, killed at any launch, or taken down by a candidate. What is lost, how
// the next run goes on, and who is not tried again.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <set>

#include "tune/journal.hpp"
#include "tune/search_fixture.hpp"

namespace glass::jit {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class Interrupted : public Search {
 protected:
  Interrupted() {
    device->slots = 2;
    for (const auto& c : shortlist(candidates(problem, device->description), 12))
      if (const std::string text = c.placement.text(); text != standard && text != others[0] && text != others[1])
        fastest = text;  // the last of those that a budget names
    script({{others[0], {.ns = 5}}, {others[1], {.compile_error = "error: no"}}, {fastest, {.ns = 4}}});
  }
  std::set<std::string> in_state(const char* state) {
    std::set<std::string> list;
    for (const auto& [text, row] : kept())
      if (row.state == state) list.insert(text);
    return list;
  }
  void leave(const std::string& placement, const char* state, const std::string& reason = {}) {
    candidate_row row;
    row.decision_key = "key", row.placement = placement, row.state = state, row.reason = reason;
    rows->put_candidate(row);
  }
  // Placements that were gated from launch `from` on.
  std::vector<std::string> gated(std::size_t from) const {
    auto all = device->order();
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(from));
    return all;
  }
  std::string fastest;
  std::string verdict(const decision& d) const {
    return d.row.placement + "|" + d.row.runner_up + "|" + std::to_string(d.row.ns) + "|" +
           std::to_string(d.row.default_ns) + "|" + std::to_string(d.row.complete);
  }
};

TEST_F(Interrupted, AskedToStopItEndsBetweenCandidatesAndTheNextRunGoesOn) {
  int measured = 0;
  options.progress = [&](const tuning_progress& p) { measured = p.done; };
  options.stop = [&] { return measured >= 5; };
  try {
    run();
    FAIL() << "went on";
  } catch (const error& e) { EXPECT_EQ(e.code(), errc::interrupted); }
  EXPECT_FALSE(rows->find_decision("key", "material"));
  EXPECT_THAT(in_state(state::running), ::testing::IsEmpty());
  EXPECT_THAT(in_state(state::timing), ::testing::IsEmpty());
  std::set<std::string> before;
  for (const auto& [text, row] : kept()) before.insert(text);
  EXPECT_GE(before.size(), 5u);
  EXPECT_LT(before.size(), 10u);

  options.stop = {};
  const std::size_t ran = device->order().size();
  const decision d = run();
  EXPECT_TRUE(d.resumed);
  EXPECT_EQ(d.measured + d.failed, d.total);
  for (const auto& text : gated(ran)) EXPECT_TRUE(text == standard || before.count(text) == 0) << "again: " << text;

  rows->clear();
  EXPECT_EQ(verdict(d), verdict(run())) << "not what an uninterrupted run decides";
}

// Ctrl-C goes to the whole group of processes: compilers end with an error that is not their source's.
TEST_F(Interrupted, ACompileThatEndedWithItIsNoFailureOfTheCandidate) {
  std::atomic<bool> asked = false;  // candidates compile in several threads
  device->script = [&](const std::string& label) {
    if (label == others[0]) asked = true;
    return asked ? behaviour{.compile_error = "Interrupt signal terminated program cc1plus"} : behaviour{};
  };
  options.stop = [&] { return asked.load(); };
  EXPECT_THROW(run(), error);
  EXPECT_THAT(in_state(state::failed), ::testing::IsEmpty());
}

TEST_F(Interrupted, ACandidateIsMarkedBeforeItRuns) {
  std::string while_running;
  script({{others[0], {.compute = [&](const argument_block& a, const launch_shape& s) {
             for (auto& [text, row] : kept())
               if (text == others[0]) while_running = row.state;
             testing::scale_code()(a, s);
           }}}});
  run();
  EXPECT_EQ(while_running, state::running);
}

TEST_F(Interrupted, OneAtATimeIsMarked) {
  device->slots = 8;
  std::size_t most = 0;
  options.watch = [&](const running_candidate&) { most = std::max(most, in_state(state::running).size()); };
  run();
  EXPECT_EQ(most, 1u);
}

TEST_F(Interrupted, WhatWasRunningWhenTheProcessEndedIsSkippedAndReported) {
  leave(fastest, state::running);
  const decision d = run();
  EXPECT_EQ(d.row.placement, others[0]) << "the fastest is the one that is skipped";
  EXPECT_EQ(d.killed, 1);
  EXPECT_THAT(device->order(), Not(Contains(fastest)));
  EXPECT_EQ(kept()[fastest].state, state::killed);
  EXPECT_THAT(kept()[fastest].reason, HasSubstr("the process ended while this candidate ran"));
  EXPECT_THAT(warnings, Contains(::testing::AllOf(HasSubstr(fastest), HasSubstr("glass tune --isolate"))));
  EXPECT_TRUE(holds_suspect(*rows, "key"));
}

TEST_F(Interrupted, InAWatchedProcessItIsTriedOnceMoreAfterAllOthers) {
  leave(fastest, state::running);
  options.retry_killed = true;
  EXPECT_EQ(run().row.placement, fastest);
  EXPECT_EQ(device->order().back(), fastest);
  EXPECT_FALSE(holds_suspect(*rows, "key"));
}

TEST_F(Interrupted, FoundRunningTwiceItIsNotTriedAgain) {
  leave(fastest, state::running);
  options.retry_killed = true;
  options.watch = [&](const running_candidate& r) {
    if (r.placement == fastest) throw std::runtime_error("the end");
  };
  EXPECT_THROW(run(), std::runtime_error);
  EXPECT_EQ(kept()[fastest].state, state::running);
  options.watch = {};
  const decision d = run();
  EXPECT_EQ(d.row.placement, others[0]);
  EXPECT_THAT(kept()[fastest].reason, HasSubstr("twice"));
  EXPECT_FALSE(holds_suspect(*rows, "key"));
}

TEST_F(Interrupted, WhatWasTimedBesideOthersIsTriedAgainByItself) {
  leave(others[0], state::timing), leave(fastest, state::timing);
  std::set<std::string> states;
  options.watch = [&](const running_candidate& r) {
    if (r.placement == fastest) states.insert(kept()[fastest].state);
  };
  EXPECT_EQ(run().row.placement, fastest);
  EXPECT_THAT(states, ::testing::ElementsAre(state::ok, state::running)) << "timed beside others again";
}

TEST_F(Interrupted, ADefaultThatWasRunningRunsAgain) {
  leave(standard, state::running);
  EXPECT_EQ(run().row.placement, fastest);
  EXPECT_THAT(warnings, Contains(HasSubstr("so it runs again")));
}

// After a launch that hangs, a GPU refuses every other: the next candidate has done nothing.
TEST_F(Interrupted, TheNextIsNotBlamedForADeviceThatHangs) {
  script({{others[0], {.run = status(errc::hang, "still running")}},
          {others[1], {.run = status(errc::device_lost, "a launch still runs")}}});
  EXPECT_THROW(run(), error);
  EXPECT_EQ(kept()[others[0]].state, state::hang);
  EXPECT_EQ(kept()[others[1]].state, state::timing);
}

TEST_F(Interrupted, TheWatcherIsToldWhatRunsAndWhenNothingDoes) {
  std::vector<running_candidate> told;
  options.watch = [&](const running_candidate& r) { told.push_back(r); };
  run();
  ASSERT_GT(told.size(), 20u);
  ASSERT_EQ(told.size() % 2, 0u);
  EXPECT_EQ(told.front().placement, standard);
  for (std::size_t i = 0; i < told.size(); i += 2) {
    EXPECT_EQ(told[i].decision_key, "key");
    EXPECT_GE(told[i].seconds, 1);
    EXPECT_EQ(told[i + 1].placement, "");
  }
}

// kill -9 before every seventh launch of the run, and once more while it is resumed.
TEST_F(Interrupted, KilledAtAnyLaunchTheVerdictIsThatOfAnUninterruptedRun) {
  const auto folder = std::filesystem::temp_directory_path() / ("glass_kill_" + std::to_string(getpid()));
  int launches = 0;
  options.watch = [&](const running_candidate& r) { launches += !r.placement.empty(); };
  const std::string expected = verdict(run());
  ASSERT_GT(launches, 60);
  options.retry_killed = true;
  const auto killed_at = [&](int last) {
    const pid_t child = fork();
    if (child == 0) {
      rows = store::open(folder.string(), warn);
      options.watch = [n = 0, last](const running_candidate& r) mutable {
        if (!r.placement.empty() && ++n == last) kill(getpid(), SIGKILL);
      };
      run();
      _exit(0);
    }
    int how = 0;
    waitpid(child, &how, 0);
    return WIFSIGNALED(how);
  };
  for (int n = 1; n <= launches; n += 7) {
    SCOPED_TRACE(n);
    std::filesystem::remove_all(folder);
    EXPECT_TRUE(killed_at(n));
    killed_at(n / 2 + 3);
    options.watch = {};
    rows = store::open(folder.string(), warn);
    const auto before = in_state(state::ok);
    const std::size_t ran = device->order().size();
    EXPECT_EQ(verdict(run()), expected);
    for (const auto& text : gated(ran)) EXPECT_TRUE(text == standard || before.count(text) == 0) << "again: " << text;
  }
  rows.reset();
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace glass::jit
