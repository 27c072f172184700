// How a decision is found, what the kernel says of it, and that no tier and no damaged record makes a call fail.
#include "jit_fixture.hpp"
#include "store/store.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

using ::testing::AllOf;
using testing::behaviour;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Tiers : public testing::Scripted {
 protected:
  static constexpr const char* fast = "variant=fused scope=tile4 pack=16 home=global";
  static constexpr const char* second = "variant=fused scope=tile8 pack=8 home=global";
  Tiers() { ns[fast] = {.ns = 4}, ns[second] = {.ns = 6}, options.tuning.mode = tune_mode::exhaustive; }
  // One exhaustive run, so that the fastest of all is known to the cache.
  void tune(int n = 8, long long batch = 1024) {
    runtime rt = start(tune_mode::exhaustive);
    ASSERT_EQ(get(rt, n, batch).placement().text(), fast);
  }
  std::shared_ptr<store> rows() { return store::open(folder.string(), std::make_shared<warner>()); }
};

TEST_F(Tiers, ExactTunesOnceAndNeverAgain) {
  {
    runtime rt = start(tune_mode::exhaustive);
    const kernel k = get(rt);
    EXPECT_EQ(k.tier(), tier::exact);
    EXPECT_EQ(k.placement().text(), fast);
    EXPECT_THAT(k.why(),
                ::testing::MatchesRegex("scope=tile4 pack=16 home=global: exact, 5.0x over default, [0-9]+ samples"));
    EXPECT_NEAR(k.speedup_over_default(), 5, 1e-9);
    EXPECT_NEAR(k.ns_per_problem(), 4, 1e-9);
    EXPECT_EQ(k.problem(), "scale N=8 f32 batch=1024");
    const counters c = rt.counters();
    EXPECT_EQ(c.misses, 1);
    EXPECT_EQ(c.tuned, 1);
    EXPECT_GT(c.candidates_measured, 10);
    EXPECT_GT(c.tuning_launches, 0);
    EXPECT_EQ(c.compiles, device->compiles);
    EXPECT_GT(c.startup_seconds, 0);
  }
  runtime rt = start();
  const kernel k = get(rt);
  EXPECT_THAT(k.why(), HasSubstr(": exact, 5.0x over default"));
  EXPECT_EQ(device->compiles, 0);
  EXPECT_EQ(device->runs + device->samples, 0);
  EXPECT_EQ(device->loads, 1);
  const counters c = rt.counters();
  EXPECT_EQ(c.hits, 1);
  EXPECT_EQ(c.misses + c.compiles + c.tuned + c.tuning_launches, 0);
  EXPECT_EQ(c.images_from_cache, 1);
  EXPECT_EQ(c.loads, 1);
}

TEST_F(Tiers, AskingTwiceCostsNothing) {
  runtime rt = start();
  const kernel a = get(rt);
  const int compiles = device->compiles, loads = device->loads;
  const kernel b = get(rt);
  EXPECT_EQ(a.why(), b.why());
  EXPECT_EQ(device->compiles, compiles);
  EXPECT_EQ(device->loads, loads);
  EXPECT_EQ(rt.counters().misses, 1);
}

TEST_F(Tiers, ABatchOfTheSameClassIsExact) {
  tune(8, 1024);
  runtime rt = start(tune_mode::off);
  const kernel k = get(rt, 8, 600);
  EXPECT_EQ(k.tier(), tier::exact);
  EXPECT_EQ(k.problem(), "scale N=8 f32 batch=600");
}

TEST_F(Tiers, NearbyBatchTakesTheNeighbouringClass) {
  tune(8, 1024);
  ns[fast].ns = 7, ns["variant=fused scope=tile2 pack=16 home=global"] = {.ns = 4};
  {
    runtime rt = start(tune_mode::exhaustive);
    get(rt, 8, 16);
  }
  runtime rt = start(tune_mode::off);
  EXPECT_THAT(get(rt, 8, 4096).why(),
              AllOf(HasSubstr("scope=tile4"), HasSubstr(": nearby_batch (from batch=1024), 5.0x over default")));
  EXPECT_EQ(rt.counters().tuned, 0);
  EXPECT_THAT(get(rt, 8, 4).why(), AllOf(HasSubstr("scope=tile2"), HasSubstr("nearby_batch (from batch=16)")));
}

TEST_F(Tiers, NearbyShapeTakesTheShortestLogarithmicDistance) {
  tune(8);
  ns[fast].ns = 7, ns["variant=fused scope=tile2 pack=16 home=global"] = {.ns = 4};
  {
    runtime rt = start(tune_mode::exhaustive);
    device->compute = testing::scale_code(32);
    get(rt, 32);
  }
  runtime rt = start(tune_mode::off);
  EXPECT_THAT(get(rt, 12).why(), AllOf(HasSubstr("scope=tile4"), HasSubstr(": nearby_shape (from N=8)")));
  EXPECT_THAT(get(rt, 24).why(), AllOf(HasSubstr("scope=tile2"), HasSubstr(": nearby_shape (from N=32)")));
}

TEST_F(Tiers, NearbyShapeMustBeLegalHere) {
  operation_description d = testing::scale();
  d.rules = {{"scope==tile4", "N<=8", "Tiles of four are for N <= 8."}};
  {
    runtime rt = start(tune_mode::exhaustive);
    ASSERT_EQ(rt.compile(d, testing::scale_problem(8)).placement().text(), fast);
  }
  runtime rt = start(tune_mode::off);
  const kernel k = rt.compile(d, testing::scale_problem(12));
  EXPECT_THAT(k.why(), AllOf(HasSubstr("scope=tile8"), HasSubstr("nearby_shape"))) << "the runner-up of N=8";
}

TEST_F(Tiers, OtherDevicePrefersTheSameArchitecture) {
  tune();
  ns[fast].ns = 7, ns["variant=fused scope=tile2 pack=16 home=global"] = {.ns = 4};
  changed_device = [this] {
    auto d = fresh_device();
    d->description.target = "sm_80", d->description.sm_count = 108;
    return d;
  };
  {
    runtime rt = start(tune_mode::exhaustive);
    get(rt);
  }
  changed_device = [this] {
    auto d = fresh_device();
    d->description.sm_count = 114;
    return d;
  };
  runtime same = start(tune_mode::off);
  EXPECT_THAT(get(same).why(), AllOf(HasSubstr("scope=tile4"), HasSubstr(": other_device (from sm_90)")));
  changed_device = [this] {
    auto d = fresh_device();
    d->description.target = "sm_86";
    return d;
  };
  runtime near = start(tune_mode::off);
  EXPECT_THAT(get(near).why(), AllOf(HasSubstr("scope=tile4"), HasSubstr("other_device (from sm_90)")))
      << "86 is nearer to 90 than to 80";
}

TEST_F(Tiers, AnotherPowerClassIsAnotherDevice) {
  tune();
  changed_device = [this] {
    auto d = fresh_device();
    d->description.power_class = "15W";
    return d;
  };
  runtime rt = start(tune_mode::off);
  EXPECT_EQ(get(rt).tier(), tier::other_device);
}

TEST_F(Tiers, TheSameDeviceInAnotherPowerClassIsNearerThanAnotherDevice) {
  const auto started_as = [&](const std::string& power, int multiprocessors) {
    changed_device = [=, this] {
      auto d = fresh_device();
      d->description.power_class = power, d->description.sm_count = multiprocessors;
      return d;
    };
  };
  for (const int multiprocessors : {100, 132, 160}) {
    started_as(multiprocessors == 132 ? "15W" : "30W", multiprocessors);
    runtime rt = start();
    get(rt);
  }
  started_as("30W", 132);
  runtime rt = start(tune_mode::off);
  EXPECT_THAT(get(rt).why(), HasSubstr("other_device (from sm_90 15W)"));
}

TEST_F(Tiers, OtherTypesAndMeasurementsAreNoRelatives) {
  tune();
  runtime rt = start(tune_mode::off);
  problem p = testing::scale_problem();
  p.type = f64;
  EXPECT_EQ(rt.compile(testing::scale(), p).tier(), tier::model);
  p = testing::scale_problem();
  p.measure = measure::latency;
  EXPECT_EQ(rt.compile(testing::scale(), p).tier(), tier::model);
}

TEST_F(Tiers, TheHostIsNoRelativeOfAGpu) {
  changed_device = [this] {
    auto d = fresh_device();
    d->description = testing::fake_backend::cpu();
    return d;
  };
  {
    runtime rt = start();
    get(rt);
  }
  changed_device = {};
  runtime rt = start(tune_mode::off);
  EXPECT_EQ(get(rt).tier(), tier::model);
}

TEST_F(Tiers, WithNothingKnownTheModelDecides) {
  runtime rt = start(tune_mode::off);
  const kernel k = get(rt);
  EXPECT_THAT(k.why(), HasSubstr(": model, not measured"));
  EXPECT_EQ(k.placement(),
            candidates(bind(testing::scale(), testing::scale_problem(), false), device->description).front().placement);
  EXPECT_EQ(device->compiles, 1);
  EXPECT_EQ(device->samples, 0);
  EXPECT_EQ(k.speedup_over_default(), 1);
}

// A problem for which the model prefers another placement than the default.
const problem model_differs = testing::scale_problem(32, 4096);

TEST_F(Tiers, AModelThatPicksWhatDoesNotCompileGivesWayToTheDefault) {
  const bound_problem p = bind(testing::scale(), model_differs, false);
  const std::string first = candidates(p, device->description).front().placement.text(),
                    standard = default_placement(p, device->description).text();
  ASSERT_NE(first, standard);
  ns[first].compile_error = "error: no";
  runtime rt = start(tune_mode::off);
  EXPECT_THAT(rt.compile(testing::scale(), model_differs).why(), HasSubstr(": default, not measured"));
}

TEST_F(Tiers, LowerTiersAreTunedWhereTuningIsAllowed) {
  tune(8);
  runtime rt = start(tune_mode::first_use);
  device->compute = testing::scale_code(12);
  EXPECT_EQ(get(rt, 12).tier(), tier::exact);
  EXPECT_EQ(rt.counters().tuned, 1);
}

TEST_F(Tiers, TheProcessBudgetEndsTuning) {
  options.tuning.process_budget_seconds = 0;
  runtime rt = start(tune_mode::first_use);
  EXPECT_EQ(get(rt).tier(), tier::model);
  EXPECT_EQ(device->samples, 0);
}

TEST_F(Tiers, TooLittleMemoryForTheGuardsMeansTheModel) {
  runtime rt = start(tune_mode::first_use);
  device->memory = 1000;
  EXPECT_EQ(get(rt).tier(), tier::model);
  EXPECT_THAT(warnings, Contains(HasSubstr("too little free device memory")));
}

TEST_F(Tiers, ExhaustiveGoesOnWhereABudgetStopped) {
  ns[fast].ns = 20;
  {
    runtime rt = start(tune_mode::first_use);
    get(rt);
  }
  ns[fast].ns = 4;
  {
    runtime rt = start(tune_mode::exhaustive);
    get(rt);
    EXPECT_EQ(rt.counters().tuned, 1);
  }
  runtime rt = start(tune_mode::exhaustive);
  get(rt);
  EXPECT_EQ(rt.counters().tuned, 0) << "all of them have been measured";
  EXPECT_EQ(rt.counters().hits, 1);
}

// ---- winners that no longer work

TEST_F(Tiers, AWinnerThatNoLongerLoadsGivesWayToTheRunnerUp) {
  tune();
  ns[fast].loads = false;
  {
    runtime rt = start();
    const kernel k = get(rt);
    EXPECT_THAT(k.why(), HasSubstr("scope=tile8 pack=8 home=global: exact (from the runner-up), not measured"));
    EXPECT_EQ(rt.counters().tuned, 0);
    EXPECT_THAT(warnings, Contains(AllOf(HasSubstr("no longer runs"), HasSubstr(fast))));
  }
  const std::size_t said = warnings.size();
  runtime rt = start();
  EXPECT_EQ(get(rt).placement().text(), second);
  EXPECT_THAT(warnings, SizeIs(said)) << "the record is marked: nobody tries or warns again";
}

TEST_F(Tiers, AWinnerThatNoLongerCompilesGivesWayToTheRunnerUp) {
  tune();
  rows()->gc(0);
  ns[fast].compile_error = "error: this compiler is stricter";
  runtime rt = start();
  EXPECT_EQ(get(rt).placement().text(), second);
  EXPECT_EQ(rt.counters().tuned, 0);
  EXPECT_THAT(warnings, Contains(HasSubstr("no longer runs")));
}

TEST_F(Tiers, AWinnerThatIsNotLegalHereIsNotUsed) {
  tune();
  auto all =
      rows()->find_related(bind(testing::scale(), testing::scale_problem(), false).identity, "f32", "", "throughput");
  ASSERT_THAT(all, SizeIs(1));
  all[0].placement = "variant=fused scope=warp pack=64 home=global", all[0].runner_up = "variant=fused scope=nonsense";
  rows()->put_decision(all[0]);
  runtime rt = start(tune_mode::off);
  EXPECT_EQ(get(rt).tier(), tier::model);
  EXPECT_THAT(warnings, Contains(HasSubstr("2048 threads a block")));
}

TEST_F(Tiers, ADecisionWithoutRunnerUpThatFailsIsMeasuredAgain) {
  tune();
  auto all =
      rows()->find_related(bind(testing::scale(), testing::scale_problem(), false).identity, "f32", "", "throughput");
  all[0].runner_up.clear();
  rows()->put_decision(all[0]);
  ns[fast].loads = false;
  runtime rt = start(tune_mode::first_use);
  const kernel k = get(rt);
  EXPECT_EQ(k.tier(), tier::exact);
  EXPECT_EQ(rt.counters().tuned, 1);
  EXPECT_EQ(k.placement().text(), second);
}

TEST_F(Tiers, ARefusedImageIsMadeAgain) {
  tune();
  int refused = 0;
  changed_device = [this, &refused] {
    auto d = fresh_device();
    d->script = [&refused](const std::string&) { return behaviour{.loads = refused++ > 0}; };
    return d;
  };
  runtime rt = start();
  EXPECT_EQ(get(rt).placement().text(), fast);
  EXPECT_EQ(device->compiles, 1);
}

// ---- frozen, off, no compiler

TEST_F(Tiers, FrozenUsesWhatTheCacheHolds) {
  tune();
  runtime rt = start(tune_mode::frozen);
  EXPECT_EQ(get(rt).tier(), tier::exact);
  EXPECT_EQ(device->compiles, 0);
}

TEST_F(Tiers, FrozenTakesTheDefaultPlacementWhenItsImageIsThere) {
  const placement standard = default_placement(bind(testing::scale(), model_differs, false), device->description);
  {
    runtime rt = start(tune_mode::off);
    rt.compile(testing::scale(), model_differs, standard);
  }
  runtime rt = start(tune_mode::frozen);
  const kernel k = rt.compile(testing::scale(), model_differs);
  EXPECT_EQ(k.tier(), tier::fallback);
  EXPECT_EQ(k.placement(), standard);
  EXPECT_EQ(device->compiles + device->samples, 0);
}

TEST_F(Tiers, FrozenRefusesToCompile) {
  runtime rt = start(tune_mode::frozen);
  try {
    get(rt);
    FAIL() << "accepted";
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::refused);
    EXPECT_THAT(e.what(), AllOf(HasSubstr("scale N=8 f32 batch=1024"), HasSubstr("frozen")));
    EXPECT_THAT(e.hint(), HasSubstr("GLASS_TUNE"));
    EXPECT_THAT(e.versions(), AllOf(HasSubstr("scripted device sm_90"), HasSubstr("fake 1.0")));
  }
  EXPECT_EQ(device->compiles, 0);
}

TEST_F(Tiers, AWarmCacheNeedsNoCompiler) {
  tune();
  changed_device = [this] {
    auto d = fresh_device();
    d->has_compiler = false;
    return d;
  };
  runtime rt = start();
  EXPECT_EQ(get(rt).placement().text(), fast);
  try {
    get(rt, 100);
    FAIL() << "accepted";
  } catch (const error& e) { EXPECT_EQ(e.code(), errc::no_compiler); }
}

TEST_F(Tiers, AUsersMistakeIsReportedAsSuchInEveryMode) {
  for (const tune_mode mode : {tune_mode::first_use, tune_mode::off, tune_mode::exhaustive}) {
    runtime rt = start(mode);
    device->script = [](const std::string&) {
      return behaviour{.compile_error = "scale(1): error: identifier \"foo\" is undefined"};
    };
    try {
      get(rt);
      FAIL() << "accepted";
    } catch (const error& e) {
      EXPECT_EQ(e.code(), errc::compile_failed) << name(mode);
      EXPECT_THAT(e.log(), HasSubstr("foo"));
    }
  }
}

TEST_F(Tiers, AFailedCallCanBeRepeated) {
  runtime rt = start(tune_mode::off);
  device->has_compiler = false;
  EXPECT_THROW(get(rt), error);
  device = fresh_device();
  runtime again(device, options);
  EXPECT_NO_THROW(get(again));
}

// ---- named placements

TEST_F(Tiers, ANamedPlacementIsUsedAsItIs) {
  runtime rt = start();
  const kernel k = rt.compile(testing::scale(), testing::scale_problem(), placement::parse("scope=warp pack=2"));
  EXPECT_THAT(k.why(), HasSubstr("scope=warp pack=2 home=global: named, not measured"));
  EXPECT_EQ(device->compiles, 1);
  EXPECT_EQ(device->samples, 0);
}

TEST_F(Tiers, AnIllegalNamedPlacementSaysWhy) {
  runtime rt = start();
  try {
    rt.compile(testing::scale(), testing::scale_problem(), placement::parse("scope=warp pack=64"));
    FAIL() << "accepted";
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::invalid_argument);
    EXPECT_THAT(e.what(), HasSubstr("2048 threads a block"));
  }
}

// ---- the environment

class Environment : public Tiers {
 protected:
  ~Environment() override {
    unsetenv("GLASS_TUNE");
    unsetenv("GLASS_CACHE");
    unsetenv("GLASS_DEVICE");
  }
};

TEST_F(Environment, GlassTuneOverridesTheMode) {
  options.tuning_from_environment = true;
  setenv("GLASS_TUNE", "off", 1);
  runtime rt = start(tune_mode::first_use);
  EXPECT_EQ(get(rt).tier(), tier::model);
  setenv("GLASS_TUNE", "of", 1);
  try {
    start();
    FAIL() << "accepted";
  } catch (const error& e) { EXPECT_THAT(e.what(), HasSubstr("GLASS_TUNE=of is no mode. Did you mean 'off'?")); }
}

TEST_F(Environment, GlassCacheIsTheFolder) {
  options.cache.clear();
  setenv("GLASS_CACHE", folder.c_str(), 1);
  runtime rt = start(tune_mode::off);
  get(rt);
  EXPECT_THAT(rt.cache().location, HasSubstr(folder.string()));
  EXPECT_EQ(rt.cache().images, 1);
}

TEST_F(Environment, GlassDeviceChoosesTheDevice) {
  setenv("GLASS_DEVICE", "host", 1);
  EXPECT_EQ(runtime(options).device().backend, "host");
  setenv("GLASS_DEVICE", "hots", 1);
  EXPECT_THROW(runtime{options}, error);
}

}  // namespace
}  // namespace glass::jit
