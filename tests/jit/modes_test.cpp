// Frozen robots: preload and freeze, the alarm, the record of what a program asked for, events and counters.
#include <sqlite3.h>

#include <fstream>
#include <thread>

#include "base/text.hpp"
#include "catalog/catalog.hpp"
#include "catalog/spec.hpp"
#include "jit_fixture.hpp"
#include "store/store.hpp"

namespace glass::jit {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// Counts the statements that any SQLite connection of this process begins.
std::atomic<int> statements{0};
int count_statements(sqlite3* db, const char**, const void*) {
  return sqlite3_trace_v2(
      db, SQLITE_TRACE_STMT, [](unsigned, void*, void*, void*) { return ++statements, 0; }, nullptr);
}

class Modes : public testing::Scripted {
 protected:
  static constexpr const char* fast = "variant=fused scope=tile4 pack=16 home=global";
  Modes() {
    ns[fast] = {.ns = 4};
    options.alarm = [this](const std::string& problem, const std::string& reason) {
      alarms.push_back(problem + ": " + reason);
    };
    options.event = [this](const jit::event& e) {
      const std::lock_guard lock(mutex);
      events.push_back(e);
    };
  }
  std::vector<std::string> kinds() {
    const std::lock_guard lock(mutex);
    std::vector<std::string> all;
    for (const auto& e : events) all.emplace_back(name(e.kind));
    return all;
  }
  std::string file(const char* name) {
    std::filesystem::create_directories(folder);
    return (folder / name).string();
  }
  static std::string content(const std::string& file) { return read_text(file); }

  std::vector<std::string> alarms;
  std::mutex mutex;
  std::vector<jit::event> events;
};

// ---- frozen

TEST_F(Modes, FrozenRaisesItsAlarmOncePerProblem) {
  { get(*std::make_unique<runtime>(start(tune_mode::exhaustive)), 8, 1024); }
  runtime rt = start(tune_mode::frozen);
  get(rt, 8, 1024);
  EXPECT_THAT(alarms, IsEmpty()) << "exactly as it was tuned";
  for (int i = 0; i < 3; ++i) get(rt, 8, 16);
  EXPECT_THAT(alarms, ElementsAre("scale N=8 f32 batch=16: no decision of its own is known; one of tier nearby_batch "
                                  "is used, from batch=1024"));
  for (int i = 0; i < 3; ++i) EXPECT_THROW(get(rt, 9), error);
  EXPECT_THAT(alarms, SizeIs(2));
  EXPECT_THAT(alarms[1], HasSubstr("scale N=9 f32 batch=1024: "));
  EXPECT_EQ(rt.counters().alarms, 2);
  EXPECT_EQ(device->compiles + device->samples, 0);
  EXPECT_THAT(kinds(), Contains("alarm"));
}

TEST_F(Modes, WithoutACallbackTheAlarmIsAWarning) {
  options.alarm = {};
  runtime rt = start(tune_mode::frozen);
  EXPECT_THROW(get(rt), error);
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("alarm: scale N=8 f32 batch=1024")));
}

TEST_F(Modes, ARunnerUpInPlaceOfTheWinnerIsAnAlarmToo) {
  { get(*std::make_unique<runtime>(start(tune_mode::exhaustive))); }
  ns[fast].loads = false;
  runtime rt = start(tune_mode::frozen);
  get(rt);
  EXPECT_THAT(alarms, ElementsAre(HasSubstr("its measured winner cannot be used")));
}

TEST_F(Modes, WhatACallbackThrowsIsDropped) {
  options.event = [](const jit::event&) { throw 1; };
  options.alarm = [](const std::string&, const std::string&) { throw 2; };
  runtime rt = start(tune_mode::frozen);
  EXPECT_THROW(get(rt), error);
}

// ---- preload and freeze

TEST_F(Modes, PreloadReadiesAManifestAndAfterFreezeTheCacheIsLeftAlone) {
  std::string manifest;
  {
    runtime bench = start(tune_mode::exhaustive);
    get(bench, 8), get(bench, 16);
    manifest = bench.manifest();
  }
  sqlite3_auto_extension(reinterpret_cast<void (*)()>(count_statements));
  runtime rt = start(tune_mode::off);
  const preload_report report = rt.preload(manifest);
  sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(count_statements));
  EXPECT_TRUE(report.ready());
  ASSERT_THAT(report.problems, SizeIs(2));
  EXPECT_EQ(report.problems[0].problem, "scale N=8 f32 batch=1024");
  EXPECT_EQ(report.problems[0].placement, fast);
  EXPECT_EQ(report.problems[0].tier, tier::exact);
  EXPECT_EQ(report.problems[0].layer, "overlay");
  EXPECT_FALSE(report.problems[0].compiled);
  EXPECT_THAT(report.text(),
              HasSubstr("scale N=16 f32 batch=1024: variant=fused scope=tile4 pack=16 home=global, exact "
                        "from overlay\n"));
  rt.freeze();
  EXPECT_GT(statements, 0);
  statements = 0;
  std::vector<float> x(8, 2), y(8, 1);
  EXPECT_TRUE(get(rt, 8).launch(nullptr, 1, 0.5f, x.data(), y.data()));
  get(rt, 16);
  EXPECT_EQ(statements, 0);
  EXPECT_THAT(alarms, IsEmpty());
  EXPECT_EQ(device->compiles + device->samples, 0);
}

TEST_F(Modes, PreloadReportsWhatIsMissing) {
  runtime rt = start(tune_mode::frozen);
  const preload_report report =
      rt.preload(R"({"problems": [{"operation": "dot", "sizes": {"N": 3}}, {"operation": "axpy", "sizes": {}}]})");
  EXPECT_FALSE(report.ready());
  ASSERT_THAT(report.problems, SizeIs(2));
  EXPECT_THAT(report.problems[0].error, HasSubstr("the mode is frozen"));
  EXPECT_THAT(report.problems[1].error, HasSubstr("N"));
  EXPECT_THAT(report.text(), ::testing::MatchesRegex("dot N=3 [^\n]*: neither a decision [^\n]*\naxpy: [^\n]*\n"));
  EXPECT_THROW(rt.preload("no_such_file.json"), error);
  EXPECT_THROW(rt.preload("{\"problems\": 3}"), error);
}

TEST_F(Modes, PreloadCompilesWhereThatIsAllowed) {
  runtime rt = start(tune_mode::off);
  const auto report = rt.preload(R"({"problems": [{"operation": "dot", "sizes": {"N": 3}, "batch": 64}]})");
  EXPECT_TRUE(report.ready()) << report.text();
  EXPECT_TRUE(report.problems[0].compiled);
  EXPECT_EQ(report.problems[0].tier, tier::model);
}

// ---- the record

operation_description with_everything() {
  operation_description d = testing::scale();
  d.options = {{"BIAS", {"no", "yes"}}};
  d.tunables = {{"UNROLL", {1, 2}}};
  d.rules = {{"UNROLL==2", "N<=64", "Long vectors are not unrolled."}};
  return d;
}

TEST_F(Modes, TheManifestHoldsWhatWasAskedForOnceEach) {
  runtime rt = start(tune_mode::off);
  rt.operation("posv", {.sizes = {{"N", up_to(12)}, {"NRHS", 1}}, .type = f64, .batch = 77, .measure = measure::graph});
  rt.operation("gemv", {.sizes = {{"N", 3}}, .options = {{"TRANS", "yes"}}});
  rt.compile(with_everything(), testing::scale_problem(9, 5));
  get(rt), get(rt);
  rt.compile(testing::scale(), testing::scale_problem(), placement::parse("scope=warp pack=2"));
  const auto entries = manifest_from_json(rt.manifest(), "manifest", "");
  ASSERT_THAT(entries, SizeIs(5));
  EXPECT_TRUE(entries[0].built_in);
  EXPECT_EQ(bind(entries[0].description, entries[0].problem, true).text(),
            "posv N<=12 NRHS=1 FACTOR=keep SHIFT=none f64 batch=77");
  EXPECT_EQ(entries[0].problem.measure, measure::graph);
  EXPECT_EQ(entries[1].problem.options.at("TRANS"), "yes");
  EXPECT_FALSE(entries[2].built_in);
  EXPECT_EQ(bind(entries[2].description, entries[2].problem, false).identity,
            bind(with_everything(), testing::scale_problem(9, 5), false).identity);
  EXPECT_EQ(entries[2].description.text, testing::scale().text);
  EXPECT_EQ(entries[2].description.rules[0].reason, "Long vectors are not unrolled.");
  EXPECT_EQ(entries[3].placement, "");
  EXPECT_EQ(entries[4].placement, "variant=fused scope=warp pack=2 home=global");
}

TEST_F(Modes, ARecordTunesAndPreloadsExactlyWhatWasUsed) {
  options.record = file("used.json");
  {
    runtime robot = start(tune_mode::off);
    get(robot, 8, 600);
    robot.compile(with_everything(), testing::scale_problem(9));
    robot.compile(testing::scale(), testing::scale_problem(8), placement::parse("scope=warp pack=2"));
  }
  const std::string recorded = options.record;
  options.record = {};
  {
    runtime bench = start(tune_mode::first_use);  // as `glass tune` does
    device->compute = [](const argument_block&, const launch_shape&) {};
    EXPECT_TRUE(bench.preload(recorded).ready());
    EXPECT_EQ(bench.counters().tuned, 2);
  }
  runtime rt = start(tune_mode::frozen);
  const auto report = rt.preload(recorded);
  EXPECT_TRUE(report.ready()) << report.text();
  get(rt, 8, 600), rt.compile(with_everything(), testing::scale_problem(9));
  rt.compile(testing::scale(), testing::scale_problem(8), placement::parse("scope=warp pack=2"));
  EXPECT_THAT(alarms, IsEmpty());
  EXPECT_EQ(device->compiles + device->samples, 0);
  EXPECT_EQ(rt.counters().loads, 3);
}

TEST_F(Modes, ARecordIsMergedWithWhatTheFileHolds) {
  options.record = file("used.json");
  std::ofstream(options.record) << R"({"problems": [{"operation": "dot", "sizes": {"N": 3}},
                                       {"operation": "dot", "type": "f32", "sizes": {"N": 4}}]})";
  for (int i = 0; i < 2; ++i) {
    runtime rt = start(tune_mode::off);
    rt.operation("dot", {.sizes = {{"N", 4}}});
    rt.operation("dot", {.sizes = {{"N", 5}}});
  }
  const auto entries = manifest_from_json(content(options.record), "manifest", "");
  ASSERT_THAT(entries, SizeIs(3));
  EXPECT_EQ(entries[0].problem.sizes.at("N").value, 3);
  EXPECT_EQ(entries[2].problem.sizes.at("N").value, 5);
  for (const auto& f : std::filesystem::directory_iterator(folder))
    EXPECT_THAT(f.path().filename().string(), Not(HasSubstr(".new")));
}

TEST_F(Modes, ManyProgramsShareARecord) {
  options.record = file("used.json");
  options.cache = "memory";
  std::vector<std::thread> programs;
  for (int t = 0; t < 8; ++t)
    programs.emplace_back([&, t] {
      runtime_options o = options;
      o.tuning.mode = tune_mode::off;
      runtime rt(fresh_device(), o);
      for (int n = 1; n <= 4; ++n) rt.operation("dot", {.sizes = {{"N", t % 4 * 4 + n}}});
    });
  for (auto& p : programs) p.join();
  EXPECT_THAT(manifest_from_json(content(options.record), "manifest", ""), SizeIs(16));
}

TEST_F(Modes, ARecordThatCannotBeKeptIsOneWarning) {
  options.record = file("used.json");
  std::ofstream(options.record) << "no manifest";
  {
    runtime rt = start(tune_mode::off);
    get(rt, 8), get(rt, 9);
  }
  EXPECT_THAT(warnings, ElementsAre(AllOf(HasSubstr("record"), HasSubstr("used.json: not JSON"))));
  EXPECT_EQ(content(options.record), "no manifest") << "nobody's file is written over";
  options.record = (folder / "no/such/folder/used.json").string();
  runtime rt = start(tune_mode::off);
  EXPECT_TRUE(get(rt));
  EXPECT_THAT(warnings, SizeIs(2));
}

TEST_F(Modes, AFrozenRefusalIsRecorded) {
  runtime rt = start(tune_mode::frozen);
  EXPECT_THROW(get(rt), error);
  EXPECT_THAT(manifest_from_json(rt.manifest(), "manifest", ""), SizeIs(1)) << "the next tuning run brings it";
}

TEST_F(Modes, TheRecordMayComeFromTheEnvironment) {
  setenv("GLASS_RECORD", file("used.json").c_str(), 1);
  {
    runtime rt = start(tune_mode::off);
    get(rt);
  }
  unsetenv("GLASS_RECORD");
  EXPECT_THAT(manifest_from_json(content(file("used.json")), "manifest", ""), SizeIs(1));
}

// ---- events and tiers

TEST_F(Modes, EventsSayWhatHappened) {
  {
    runtime rt = start(tune_mode::first_use);
    get(rt);
  }
  EXPECT_EQ(events.front().kind, event_kind::compile);
  EXPECT_THAT(kinds(),
              AllOf(Contains("tune").Times(1), Contains("miss").Times(1), Contains("load"), Not(Contains("hit"))));
  for (const auto& e : events) EXPECT_EQ(e.problem, "scale N=8 f32 batch=1024") << name(e.kind);
  events.clear();
  runtime rt = start(tune_mode::first_use);
  get(rt), get(rt);
  EXPECT_THAT(kinds(), ElementsAre("load", "hit"));
  EXPECT_EQ(events[1].layer, "overlay");
  EXPECT_EQ(events[1].text, "exact");
  EXPECT_GT(events[1].seconds, 0);
  EXPECT_THAT(get(rt).why(), ::testing::EndsWith(", from overlay"));
  EXPECT_EQ(get(rt).layer(), "overlay");
  events.clear();
  runtime background = start(tune_mode::background);
  get(background, 24);
  background.finish_background();
  EXPECT_THAT(kinds(), Contains("swap"));
}

TEST_F(Modes, AHealedRecordIsAnEvent) {
  { get(*std::make_unique<runtime>(start(tune_mode::exhaustive))); }
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "cache.sqlite").c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, "UPDATE image SET bytes = zeroblob(length)", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(db);
  events.clear();
  runtime rt = start(tune_mode::first_use);
  EXPECT_EQ(get(rt).placement().text(), fast);
  EXPECT_THAT(kinds(), Contains("heal"));
  EXPECT_GT(rt.counters().healed, 0);
}

TEST_F(Modes, TheSameDeviceAtAnotherPowerIsNearerThanAnotherDevice) {
  const auto on = [this](int sms, const char* power) {
    changed_device = [this, sms, power] {
      auto d = fresh_device();
      d->description.sm_count = sms, d->description.power_class = power;
      return d;
    };
  };
  on(114, "700 W");
  { get(*std::make_unique<runtime>(start(tune_mode::exhaustive))); }
  ns[fast].ns = 30, ns["variant=fused scope=tile2 pack=16 home=global"] = {.ns = 4};
  on(132, "300 W");
  { get(*std::make_unique<runtime>(start(tune_mode::exhaustive))); }
  on(132, "700 W");
  runtime rt = start(tune_mode::off);
  const kernel k = get(rt);
  EXPECT_THAT(k.why(), AllOf(HasSubstr("scope=tile2"), HasSubstr("other_device (from sm_90 300 W)")));
  const counters c = rt.counters();
  EXPECT_EQ(c.hits, 1);
  EXPECT_EQ(c.misses, 0);
  EXPECT_EQ(c.by_tier[static_cast<int>(tier::other_device)], 1);
}

}  // namespace
}  // namespace glass::jit
