// What a launch checks, what it passes on, and what a kernel outlives.
#include "jit_fixture.hpp"
#include "kernels_src/batch.cuh"

namespace glass::jit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// The block of arguments that the device reads is the one the host fills.
using device_block = glass::batch::arguments<most_operands>;
static_assert(sizeof(device_block) == sizeof(argument_block));
static_assert(offsetof(device_block, size) == offsetof(argument_block, size) &&
              offsetof(device_block, at) == offsetof(argument_block, at));
static_assert(sizeof(device_block::size) == sizeof(argument_block::size) &&
              sizeof(glass::batch::slot) == sizeof(argument_slot));
static_assert(sizeof(glass::batch::arguments<3>) == argument_block::bytes(3));

class Launch : public testing::Scripted {
 protected:
  Launch() {
    options.tuning.mode = tune_mode::off;
    device->compute = [this](const argument_block& a, const launch_shape& s) { seen = a, shape = s, ++launched; };
    rt = std::make_unique<runtime>(device, options);
  }
  kernel make(std::vector<operand> operands, const problem& p = testing::scale_problem()) {
    operation_description d = testing::scale();
    d.operands = std::move(operands);
    launched = 0;
    return rt->compile(d, p, placement::parse("scope=tile8 pack=16 home=shared"));
  }
  std::string refusal(const status& s) {
    EXPECT_EQ(s.code(), errc::invalid_argument);
    EXPECT_EQ(launched, 0) << "nothing may be launched";
    return s.message();
  }

  argument_block seen;
  launch_shape shape;
  int launched = 0;
  std::unique_ptr<runtime> rt;
  float x[4] = {}, y[4] = {};
  const float* cx = x;
  double d[4] = {};
  std::int32_t i[4] = {};
};

TEST_F(Launch, PassesEachOperandInItsSlot) {
  const kernel k = make({in("x", {"N"}), scalar("a", 1), scratch("w", {"N"}), scalar("b", 1).typed(f64),
                         in("n", {"N"}).typed(i32), out("y", {"N"}), info()});
  ASSERT_TRUE(k.launch(nullptr, 33, cx, 2.5f, -1.5, i, y, nullptr));
  EXPECT_EQ(launched, 1);
  EXPECT_EQ(seen.count, 33);
  EXPECT_EQ(seen.at[0].pointer, x);
  EXPECT_EQ(seen.at[1].f32, 2.5f);
  EXPECT_EQ(seen.at[3].f64, -1.5);
  EXPECT_EQ(seen.at[4].pointer, i);
  EXPECT_EQ(seen.at[5].pointer, y);
  EXPECT_EQ(seen.at[6].pointer, nullptr);
  EXPECT_EQ(shape.blocks, 3u);
  EXPECT_EQ(shape.threads, 128u);
  EXPECT_EQ(shape.count, 33);
  EXPECT_EQ(shape.shared_bytes, 4u * 16 * 8 * 4);  // x, w, n, y
}

TEST_F(Launch, ChecksTheNumberOfArguments) {
  const kernel k = make({in("x", {"N"}), scalar("a", 1), out("y", {"N"})});
  EXPECT_EQ(refusal(k.launch(nullptr, 4, x, 1.f)), "scale takes 3 arguments (x, a, y); 2 were given.");
  EXPECT_EQ(refusal(k.launch(nullptr, 4, x, 1.f, y, y)), "scale takes 3 arguments (x, a, y); 4 were given.");
}

TEST_F(Launch, ChecksTypes) {
  const kernel k = make({in("x", {"N"}), scalar("a", 1), out("y", {"N"})});
  EXPECT_EQ(refusal(k.launch(nullptr, 4, d, 1.f, y)), "scale: operand 'x' is const float*; double* was given.");
  EXPECT_EQ(refusal(k.launch(nullptr, 4, x, 1.f, i)), "scale: operand 'y' is float*; int* was given.");
  EXPECT_EQ(refusal(k.launch(nullptr, 4, x, 1.0, y)), "scale: scalar 'a' is a float; a double was given.");
  EXPECT_EQ(refusal(k.launch(nullptr, 4, x, y, y)), "scale: scalar 'a' is a float; float* was given.");
  EXPECT_EQ(refusal(k.launch(nullptr, 4, x, nullptr, y)), "scale: scalar 'a' is a float; nullptr was given.");
  EXPECT_EQ(refusal(k.launch(nullptr, 4, 1.f, 1.f, y)), "scale: operand 'x' is const float*; a float was given.");
  EXPECT_TRUE(k.launch(nullptr, 4, static_cast<void*>(x), 1.f, static_cast<void*>(y)))
      << "void pointers are not checked";
}

TEST_F(Launch, ChecksConstWhereTheKernelWrites) {
  const kernel k = make({in("x", {"N"}), inout("y", {"N"}), info()});
  EXPECT_EQ(refusal(k.launch(nullptr, 4, cx, cx, i)),
            "scale: operand 'y' is written, but a pointer to const was given.");
  EXPECT_EQ(refusal(k.launch(nullptr, 4, cx, y, static_cast<const std::int32_t*>(i))),
            "scale: operand 'info' is written, but a pointer to const was given.");
  EXPECT_EQ(refusal(k.launch(nullptr, 4, cx, static_cast<const void*>(y), i)),
            "scale: operand 'y' is written, but a pointer to const was given.");
  EXPECT_TRUE(k.launch(nullptr, 4, cx, y, i));
}

TEST_F(Launch, OnlyInfoMayBeNull) {
  const kernel k = make({in("x", {"N"}), out("y", {"N"}), info()});
  EXPECT_EQ(refusal(k.launch(nullptr, 4, nullptr, y, nullptr)),
            "scale: operand 'x' is a null pointer; only info may be.");
  float* null = nullptr;
  EXPECT_EQ(refusal(k.launch(nullptr, 4, x, null, nullptr)), "scale: operand 'y' is a null pointer; only info may be.");
  EXPECT_TRUE(k.launch(nullptr, 4, x, y, static_cast<std::int32_t*>(nullptr)));
  EXPECT_EQ(refusal(make({in("x", {"N"}), out("y", {"N"}), info()}).launch(nullptr, 4, x, y, x)),
            "scale: operand 'info' is int*; float* was given.");
  EXPECT_TRUE(make({in("x", {"N"}), out("y", {1})}, testing::scale_problem(0)).launch(nullptr, 4, nullptr, y))
      << "an operand without elements";
}

TEST_F(Launch, ChecksTheCount) {
  const kernel k = make({in("x", {"N"}), out("y", {"N"})});
  EXPECT_THAT(refusal(k.launch(nullptr, -1, x, y)), HasSubstr("-1 problems is negative"));
  EXPECT_THAT(refusal(k.launch(nullptr, 16LL * 2147483647 + 1, x, y)),
              HasSubstr("more than one launch takes with pack=16"));
  EXPECT_TRUE(k.launch(nullptr, 16LL * 2147483647, x, y));
  EXPECT_EQ(shape.blocks, 2147483647u);
}

TEST_F(Launch, NoProblemsIsSuccessWithoutALaunch) {
  const kernel k = make({in("x", {"N"}), out("y", {"N"})});
  EXPECT_TRUE(k.launch(nullptr, 0, x, y));
  EXPECT_TRUE(k.launch(nullptr, 0, nullptr, nullptr)) << "an empty array may have no address";
  EXPECT_EQ(launched, 0);
  EXPECT_THAT(refusal(k.launch(nullptr, 0, d, y)), HasSubstr("operand 'x'")) << "a wrong type is wrong for any count";
}

TEST_F(Launch, AnEmptyKernelSaysSo) {
  const kernel k;
  EXPECT_FALSE(k);
  EXPECT_THAT(refusal(k.launch(nullptr, 1, x)), HasSubstr("an empty kernel"));
  EXPECT_THROW(k.with({}), error);
  EXPECT_EQ(k.why(), "empty");
}

TEST_F(Launch, CheckThrowsWhatTheStatusSays) {
  const kernel k = make({in("x", {"N"}), out("y", {"N"})});
  try {
    k.launch(nullptr, 1, x).check();
    FAIL() << "accepted";
  } catch (const error& e) {
    EXPECT_EQ(e.stage(), stage::launch);
    EXPECT_THAT(e.what(), HasSubstr("scale takes 2 arguments"));
  }
}

TEST_F(Launch, LeavesOutOperandsWhoseConditionFails) {
  operation_description d = testing::scale();
  d.options = {{"BIAS", {"no", "yes"}}};
  d.operands = {in("x", {"N"}), in("b", {"N"}).only_if("BIAS==yes"), out("y", {"N"})};
  problem p = testing::scale_problem();
  EXPECT_TRUE(rt->compile(d, p).launch(nullptr, 1, x, y));
  p.options = {{"BIAS", "yes"}};
  EXPECT_THAT(rt->compile(d, p).launch(nullptr, 1, x, y).message(), HasSubstr("takes 3 arguments (x, b, y)"));
  EXPECT_TRUE(rt->compile(d, p).launch(nullptr, 1, x, x, y));
}

TEST_F(Launch, RunTimeSizesMustBeFixedFirst) {
  const kernel k = make({in("x", {"N"}), out("y", {"M"})}, {.sizes = {{"N", up_to(8)}, {"M", up_to(4)}}});
  EXPECT_THAT(refusal(k.launch(nullptr, 1, x, y)), HasSubstr("has no value yet; give it with kernel::with"));
  const kernel half = k.with({{"N", 5}});
  EXPECT_THAT(refusal(half.launch(nullptr, 1, x, y)), HasSubstr("run-time size M has no value yet"));
  const int loads = device->loads;
  const kernel full = half.with({{"M", 3}});
  ASSERT_TRUE(full.launch(nullptr, 1, x, y));
  EXPECT_EQ(seen.size[0], 5);
  EXPECT_EQ(seen.size[1], 3);
  ASSERT_TRUE(full.with({{"N", 0}}).launch(nullptr, 1, x, y));
  EXPECT_EQ(seen.size[0], 0);
  EXPECT_EQ(device->loads, loads) << "no compile, no lookup";
  ASSERT_TRUE(full.launch(nullptr, 1, x, y));
  EXPECT_EQ(seen.size[0], 5) << "with makes a copy";
}

TEST_F(Launch, WithChecksNamesAndBounds) {
  const kernel k = make({in("x", {"N"}), out("y", {"M"})}, {.sizes = {{"N", up_to(8)}, {"M", 4}}});
  const auto message = [&](std::map<std::string, int> sizes) -> std::string {
    try {
      k.with(sizes);
    } catch (const error& e) { return e.what(); }
    return "accepted";
  };
  EXPECT_THAT(message({{"N", 9}}), HasSubstr("above the bound 8"));
  EXPECT_THAT(message({{"N", -1}}), HasSubstr("negative"));
  EXPECT_THAT(message({{"K", 1}}), HasSubstr("no size 'K'"));
  EXPECT_THAT(message({{"M", 3}}), HasSubstr("compiled for M=4"));
  EXPECT_EQ(message({{"M", 4}, {"N", 8}}), "accepted");
}

TEST_F(Launch, AKernelOutlivesItsRuntime) {
  const kernel k = make({in("x", {"N"}), out("y", {"N"})});
  const std::weak_ptr<testing::fake_backend> watch = device;
  rt.reset();
  device.reset();
  EXPECT_FALSE(watch.expired());
  EXPECT_TRUE(k.launch(nullptr, 1, x, y));
  EXPECT_EQ(launched, 1);
}

TEST_F(Launch, TheLastKernelFreesTheDevice) {
  kernel k = make({in("x", {"N"}), out("y", {"N"})});
  const std::weak_ptr<testing::fake_backend> watch = device;
  rt.reset();
  device.reset();
  k = kernel();
  EXPECT_TRUE(watch.expired());
}

TEST_F(Launch, MemoryOutlivesItsRuntimeToo) {
  auto p = rt->array(std::vector<float>{1, 2, 3});
  EXPECT_EQ(rt->values(p, 3), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(rt->allocate(0), nullptr);
  EXPECT_EQ(device->allocated, 1);
  rt.reset();
  p.reset();
  EXPECT_EQ(device->allocated, 0);
}

}  // namespace
}  // namespace glass::jit
