// Mode background: answers at once, better code put under the kernel that the user holds, nothing that waits or breaks
// meanwhile.
#include <thread>

#include "jit_fixture.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

using ::testing::AllOf;
using testing::behaviour;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Background : public testing::Scripted {
 protected:
  static constexpr const char* fast = "variant=fused scope=tile4 pack=16 home=global";
  Background() {
    ns[fast] = {.ns = 4};
    options.tuning.mode = tune_mode::background;
    changed_device = [this] {
      auto d = fresh_device();
      d->quick = {"--hurry"};
      return d;
    };
  }
  runtime begin() { return start(tune_mode::background); }
  // The fastest of all is known to the cache, with its image and some others.
  void tune(int n = 8, long long batch = 1024) {
    runtime rt = start(tune_mode::exhaustive);
    ASSERT_EQ(get(rt, n, batch).placement().text(), fast);
  }
  // Nothing but this placement is measured faster than the default.
  bool solves(const kernel& k) {
    std::vector<float> x(80, 2), y(80, 1);
    return k.launch(nullptr, 10, 0.5f, x.data(), y.data()).ok() && y[79] == 2;
  }
};

TEST_F(Background, AnswersQuicklyAndSwapsWhenBetterIsKnown) {
  runtime rt = begin();
  std::atomic<bool> go{false};
  device->before_compile = [&](const source& s) {  // the full builds wait until the first answer has been looked at
    while (s.options.empty() && !go) std::this_thread::yield();
  };
  const kernel k = get(rt), copy = k;
  EXPECT_THAT(k.why(), HasSubstr(": model, compiled quickly, not measured"));
  EXPECT_TRUE(solves(k));
  EXPECT_EQ(rt.counters().background, 1);
  EXPECT_EQ(rt.counters().misses, 1);
  go = true;
  rt.finish_background();
  EXPECT_THAT(k.why(), HasSubstr("scope=tile4 pack=16 home=global: exact, 5.0x over default"));
  EXPECT_EQ(copy.why(), k.why());
  EXPECT_EQ(get(rt).why(), k.why());
  EXPECT_TRUE(solves(k));
  const counters c = rt.counters();
  EXPECT_EQ(c.swaps, 2) << "the full build, then the winner";
  EXPECT_EQ(c.tuned, 1);
  EXPECT_EQ(c.background, 0);
  EXPECT_EQ(c.by_tier[static_cast<int>(tier::model)], 1);
  EXPECT_EQ(device->timed_while_compiling, 0);
  EXPECT_THAT(warnings, IsEmpty());
}

TEST_F(Background, AQuickImageIsKeptNowhere) {
  {
    runtime rt = begin();
    get(rt);
    rt.finish_background();
  }
  auto rows = store::open(folder.string(), std::make_shared<warner>());
  EXPECT_GT(device->quick_compiles, 0);
  EXPECT_EQ(rows->stats().images, device->compiles - device->quick_compiles);
  for (const auto& e : rows->list()) EXPECT_THAT(rows->show(e.id), Not(HasSubstr("hurry")));
  runtime again = begin();
  EXPECT_THAT(get(again).why(), HasSubstr("exact"));
  EXPECT_EQ(device->compiles, 0);
}

TEST_F(Background, AKnownDecisionIsServedAndNothingIsLeftToDo) {
  tune();
  runtime rt = begin();
  EXPECT_EQ(get(rt).placement().text(), fast);
  EXPECT_EQ(rt.counters().background, 0);
  EXPECT_EQ(rt.counters().hits, 1);
  EXPECT_EQ(device->compiles + device->samples, 0);
}

TEST_F(Background, ALowerTierAnswersAndIsTunedLater) {
  tune(8, 1024);
  runtime rt = begin();
  std::atomic<bool> go{false};
  device->before_compile = [&](const source&) {
    while (!go) std::this_thread::yield();
  };
  const kernel k = get(rt, 8, 16);
  EXPECT_THAT(k.why(), HasSubstr("nearby_batch (from batch=1024)")) << "its image is the same: nothing is compiled";
  EXPECT_EQ(rt.counters().hits, 1);
  go = true;
  rt.finish_background();
  EXPECT_EQ(k.tier(), tier::exact);
}

TEST_F(Background, TheImageAtHandComesBeforeABetterOneThatMustBeCompiled) {
  const problem p = testing::scale_problem();
  tune();
  std::string winner_image;
  auto rows = store::open(folder.string(), std::make_shared<warner>([](const std::string&) {}));
  for (const auto& row : rows->find_related(bind(testing::scale(), p, false).identity, "f32", "", "throughput"))
    winner_image = row.image_key;
  rows->drop_image(winner_image, "by the test");
  rows.reset();
  runtime rt = begin();
  std::atomic<bool> go{false};
  device->before_compile = [&](const source&) {
    while (!go) std::this_thread::yield();
  };
  const kernel k = get(rt);
  EXPECT_NE(k.placement().text(), fast);
  EXPECT_EQ(device->compiles, 0);
  go = true;
  rt.finish_background();
  EXPECT_EQ(k.placement().text(), fast);
  EXPECT_EQ(rt.counters().tuned, 0) << "the decision is there; only its image was not";
  EXPECT_EQ(device->compiles, 1);
}

TEST_F(Background, CopiesWithFixedSizesFollowTheSwap) {
  runtime rt = begin();
  device->compute = [](const argument_block& a, const launch_shape&) {
    static_cast<float*>(const_cast<void*>(a.at[2].pointer))[0] = static_cast<float>(a.size[0]);
  };
  std::atomic<bool> go{false};
  device->before_compile = [&](const source& s) {
    while (s.options.empty() && !go) std::this_thread::yield();
  };
  const kernel bounded = rt.compile(testing::scale(), {.sizes = {{"N", up_to(8)}}, .batch = 1024});
  const kernel five = bounded.with({{"N", 5}});
  go = true;
  rt.finish_background();
  EXPECT_EQ(five.why(), bounded.why());
  EXPECT_EQ(five.tier(), tier::exact);
  float x[8] = {}, y[8] = {};
  ASSERT_TRUE(five.launch(nullptr, 1, 1.f, x, y));
  EXPECT_EQ(y[0], 5);
  EXPECT_FALSE(bounded.launch(nullptr, 1, 1.f, x, y)) << "its size is still open";
}

TEST_F(Background, ANamedPlacementIsBuiltInFullLater) {
  runtime rt = begin();
  const kernel k = rt.compile(testing::scale(), testing::scale_problem(), placement::parse("scope=warp pack=2"));
  rt.finish_background();
  EXPECT_THAT(k.why(), AllOf(HasSubstr("scope=warp pack=2 home=global: named"), Not(HasSubstr("quickly"))));
  EXPECT_EQ(device->compiles, 2);
  EXPECT_EQ(device->samples, 0);
}

TEST_F(Background, WithoutAWayToHurryTheFirstAnswerIsTheFullBuild) {
  runtime rt = begin();
  device->quick = {};
  const kernel k = get(rt);
  EXPECT_THAT(k.why(), Not(HasSubstr("quickly")));
  rt.finish_background();
  EXPECT_EQ(k.placement().text(), fast);
  EXPECT_EQ(rt.counters().swaps, 1);
}

TEST_F(Background, AUsersMistakeIsThrownAtOnce) {
  runtime rt = begin();
  device->script = [](const std::string&) { return behaviour{.compile_error = "error: identifier \"foo\""}; };
  try {
    get(rt);
    FAIL() << "accepted";
  } catch (const error& e) { EXPECT_EQ(e.code(), errc::compile_failed); }
  EXPECT_EQ(rt.counters().background, 0);
}

TEST_F(Background, ARaceThatFailsLeavesTheKernelAsItIs) {
  runtime rt = begin();
  device->script = [](const std::string&) { return behaviour{.time = status(errc::launch_failed, "no clock")}; };
  const kernel k = get(rt);
  rt.finish_background();
  EXPECT_TRUE(solves(k));
  EXPECT_EQ(k.tier(), tier::model);
  EXPECT_THAT(warnings, Contains(HasSubstr("the background made nothing better of it")));
}

TEST_F(Background, TheBudgetOfTheProcessHolds) {
  options.tuning.process_budget_seconds = 0;
  runtime rt = begin();
  const kernel k = get(rt);
  rt.finish_background();
  EXPECT_EQ(k.tier(), tier::model);
  EXPECT_THAT(k.why(), Not(HasSubstr("quickly"))) << "the full build is made all the same";
  EXPECT_EQ(device->samples, 0);
}

TEST_F(Background, EndsBetweenCandidatesAndGoesOnNextTime) {
  std::atomic<int> measured{0};
  options.tuning.progress = [&](const tuning_progress& p) { measured = p.done; };
  std::vector<kernel> kernels;
  {
    runtime rt = begin();
    device->slots = 1;
    device->compute = [](const argument_block&, const launch_shape&) {};
    for (int n = 2; n < 40; ++n) kernels.push_back(get(rt, n));
    while (measured < 2) std::this_thread::yield();
    EXPECT_GT(rt.counters().background, 30);
  }
  EXPECT_LT(device->compiles, 38 * 4) << "what waited was dropped";
  auto rows = store::open(folder.string(), std::make_shared<warner>());
  for (const auto& e : rows->list()) EXPECT_THAT(rows->show(e.id), Not(HasSubstr("running")));
  float x[8] = {}, y[8] = {};
  EXPECT_TRUE(kernels[0].launch(nullptr, 1, 1.f, x, y)) << "a kernel outlives its runtime";
}

TEST_F(Background, AForegroundCompileWaitsForNoRace) {
  runtime rt = begin();
  device->quick = {};
  std::atomic<bool> timing{false}, served{false};
  device->disturbed = [&](int sample) {
    timing = true;
    if (sample == 20)
      for (int i = 0; i < 1000 && !served; ++i) std::this_thread::yield();
    return false;
  };
  get(rt, 8);
  while (!timing) std::this_thread::yield();
  const kernel other = get(rt, 16);  // compiled between two samples of the race
  served = true;
  EXPECT_TRUE(other);
  rt.finish_background();
  EXPECT_EQ(device->timed_while_compiling, 0);
  EXPECT_EQ(rt.counters().tuned, 2);
}

// While the background may still choose variant=split, a launch is told to bring the workspace that would need.
TEST_F(Background, AWorkspaceIsAskedForBeforeItIsNeeded) {
  ns["variant=split scope=tile4 pack=16 home=global"] = {.ns = 1};
  operation_description d = testing::scale();
  d.operands = {scalar("alpha", 0.5), in("x", {"N"}), inout("y", {"N"}), scratch("w", {"N"}), workspace()};
  d.stages = {"first", "second"};
  runtime rt = begin();
  std::atomic<bool> go{false};
  device->before_compile = [&](const source& s) {
    while (s.options.empty() && !go) std::this_thread::yield();
  };
  const kernel k = rt.compile(d, testing::scale_problem());
  const std::size_t bytes = k.workspace_bytes(1024);
  EXPECT_EQ(bytes, 1024u * 8 * 4);
  std::vector<float> x(8 * 1024), y(8 * 1024), work(bytes / 4 + 4);
  void* aligned = reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(work.data()) + 15) / 16 * 16);
  EXPECT_TRUE(k.launch(nullptr, 1024, 1.f, x.data(), y.data(), aligned));
  go = true;
  rt.finish_background();
  EXPECT_EQ(k.workspace_bytes(1024), k.placement().variant == "split" ? bytes : 0u);
  EXPECT_TRUE(k.launch(nullptr, 1024, 1.f, x.data(), y.data(), aligned));
}

TEST_F(Background, AHundredThreadsAskAndLaunchWhileItSwaps) {
  for (const char* where : {"folder", "memory"}) {
    if (std::string(where) == "memory") options.cache = where;
    runtime rt = begin();
    std::atomic<int> wrong{0};
    std::atomic<bool> done{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < 100; ++t)
      threads.emplace_back([&, t] {
        const kernel k = get(rt, 8, t % 2 ? 1024 : 600);
        for (int i = 0; i < 20 || (t == 0 && !done); ++i) {
          if (!solves(t % 3 ? k : get(rt, 8, 1024))) ++wrong;
          if (t % 5 == 0) static_cast<void>(k.why() + k.placement().text());
        }
      });
    rt.finish_background();
    done = true;
    for (auto& t : threads) t.join();
    rt.finish_background();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(get(rt).placement().text(), fast);
    EXPECT_EQ(rt.counters().tuned, 1) << "one race for both kernels of the class";
    EXPECT_EQ(device->timed_while_compiling, 0);
  }
}

TEST_F(Background, FreezingDropsWhatIsLeft) {
  runtime rt = begin();
  device->compute = [](const argument_block&, const launch_shape&) {};
  std::vector<kernel> kernels;
  for (int n = 2; n < 30; ++n) kernels.push_back(get(rt, n));
  rt.freeze();
  EXPECT_EQ(rt.counters().background, 0);
  const int compiles = device->compiles;
  EXPECT_THROW(get(rt, 50), error);
  EXPECT_EQ(device->compiles, compiles);
  float x[8] = {}, y[8] = {};
  EXPECT_TRUE(kernels.back().launch(nullptr, 1, 1.f, x, y));
}

// The same with real code: a quick image, then the full one, then what was measured, all of them right.
TEST(BackgroundOnTheHost, SolvesTheSameBeforeWhileAndAfter) {
  runtime_options o;
  o.device = "host", o.cache = "memory", o.tuning_from_environment = false;
  o.tuning.mode = tune_mode::background, o.tuning.budget_seconds = 0.3;
  runtime rt(o);
  operation_description d = testing::scale();
  d.text = R"(
    template <class S, class X, class Y>
    GLASS_DEVICE void scale(S s, float alpha, X x, Y y) { glass::axpy(s, alpha, x, y); })";
  const kernel k = rt.compile(d, testing::scale_problem(4, 256));
  const std::string first = k.why();
  EXPECT_THAT(first, HasSubstr("compiled quickly"));
  std::atomic<int> wrong{0};
  const auto use = [&] {
    for (int i = 0; i < 300; ++i) {
      std::vector<float> x(1024, 2), y(1024, 1);
      wrong += !k.launch(nullptr, 256, 0.5f, x.data(), y.data()).ok() || y != std::vector<float>(1024, 2);
    }
  };
  std::thread a(use), b(use);
  rt.finish_background();
  a.join(), b.join();
  use();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(k.tier(), tier::exact) << k.why();
  EXPECT_EQ(rt.counters().swaps, 2);
}

}  // namespace
}  // namespace glass::jit
