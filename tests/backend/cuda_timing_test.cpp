// Measuring through a scripted driver: what is launched how often, what a deadline does, and when a sample is called
// disturbed.
#include <gmock/gmock.h>

#include "backend/cuda/cuda.hpp"
#include "support/fake_cuda.hpp"

using namespace glass::jit;
using testing::HasSubstr;

namespace {

struct cuda_timing : testing::Test {
  fake::cuda driver;
  std::shared_ptr<backend> gpu = open_backend("cuda:0");
  launch_shape shape{4, 128, 0, 512};
  long long arguments[8] = {512};
  std::shared_ptr<const loaded_image> image = gpu->load({}, shape);
  long long before = driver.get("launches");

  timing time(measure how, int launches, double deadline = 1) {
    return gpu->time(*image, shape, arguments, sizeof arguments, how, launches, deadline);
  }
  long long launched() { return driver.get("launches") - before; }
};

TEST_F(cuda_timing, throughput_is_the_time_between_two_events_over_the_launches) {
  driver.set("elapsed_us", 500);
  const timing t = time(measure::throughput, 20);
  ASSERT_TRUE(t.status.ok());
  EXPECT_EQ(launched(), 20);
  EXPECT_NEAR(t.seconds, 25e-6, 1e-9);
  EXPECT_FALSE(t.disturbed);
}

TEST_F(cuda_timing, a_graph_captures_the_launches_and_is_replayed_once) {
  driver.set("elapsed_us", 500);
  const timing t = time(measure::graph, 20);
  ASSERT_TRUE(t.status.ok());
  EXPECT_EQ(driver.get("captured"), 20);
  EXPECT_EQ(driver.get("graph.launches"), 20);
  EXPECT_NEAR(t.seconds, 25e-6, 1e-9);
  EXPECT_EQ(driver.get("live.graphs"), 0);
}

TEST_F(cuda_timing, a_failing_launch_ends_the_capture_and_leaves_no_graph) {
  driver.set("cuLaunchKernel", 701), driver.set("cuLaunchKernel.skip", 3);
  EXPECT_EQ(time(measure::graph, 20).status.code(), errc::too_large);
  EXPECT_EQ(driver.get("cuStreamEndCapture.calls"), 1);
  EXPECT_EQ(driver.get("live.graphs"), 0);
  driver.set("cuLaunchKernel", 0);
  for (const char* step : {"cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuGraphInstantiateWithFlags",
                           "cuGraphUpload", "cuGraphLaunch"}) {
    driver.set(step, 999);
    EXPECT_EQ(time(measure::graph, 2).status.code(), errc::launch_failed) << step;
    EXPECT_EQ(driver.get("live.graphs"), 0) << step;
    driver.set(step, 0);
  }
  EXPECT_TRUE(time(measure::graph, 2).status.ok());
}

TEST_F(cuda_timing, latency_waits_after_each_launch) {
  const long long queries = driver.get("cuEventQuery.calls");
  const timing t = time(measure::latency, 9);
  ASSERT_TRUE(t.status.ok());
  EXPECT_EQ(launched(), 9);
  EXPECT_EQ(driver.get("cuEventQuery.calls") - queries, 9);
  EXPECT_GT(t.seconds, 0);
}

TEST_F(cuda_timing, run_launches_once_and_tells_a_failure_that_comes_later) {
  EXPECT_TRUE(gpu->run(*image, shape, arguments, sizeof arguments, 1).ok());
  EXPECT_EQ(launched(), 1);
  driver.set("cuEventQuery", 700);
  EXPECT_EQ(gpu->run(*image, shape, arguments, sizeof arguments, 1).code(), errc::device_lost);
}

TEST_F(cuda_timing, a_deadline_is_a_hang_in_every_measure) {
  for (const measure how : {measure::throughput, measure::graph, measure::latency}) {
    driver.set("never_ready", 1);
    const timing t = time(how, 3, 0.002);
    EXPECT_EQ(t.status.code(), errc::hang) << name(how);
    EXPECT_THAT(t.status.message(), HasSubstr("did not end within 0.002 s"));
    driver.set("never_ready", 0);
    EXPECT_TRUE(time(how, 3).status.ok()) << "finished after all";
  }
}

TEST_F(cuda_timing, while_a_launch_hangs_the_device_is_lost_and_nothing_waits_for_it) {
  void* p = gpu->allocate(8);
  driver.set("never_ready", 1);
  EXPECT_EQ(gpu->run(*image, shape, arguments, sizeof arguments, 0.001).code(), errc::hang);
  const status s = gpu->run(*image, shape, arguments, sizeof arguments, 0.001);
  EXPECT_EQ(s.code(), errc::device_lost);
  EXPECT_THAT(s.message(), HasSubstr("passed its deadline"));
  EXPECT_THROW(gpu->synchronize(), error);
  gpu->free(p);
  image.reset();
  EXPECT_EQ(driver.get("live.memory"), 1);  // left alone: freeing would wait
  EXPECT_EQ(driver.get("live.modules"), 1);
  driver.set("never_ready", 0);
  EXPECT_NO_THROW(gpu->synchronize());
}

TEST_F(cuda_timing, a_moving_clock_or_a_new_throttle_reason_disturbs) {
  driver.set("sm_mhz_step", -20);  // 1 %
  EXPECT_FALSE(time(measure::throughput, 1).disturbed);
  driver.set("sm_mhz_step", -100);  // 5 %
  EXPECT_TRUE(time(measure::throughput, 1).disturbed);
  driver.set("sm_mhz_step", 0);
  EXPECT_FALSE(time(measure::throughput, 1).disturbed);
  driver.set("slowed_by_step", 0x20);  // thermal
  EXPECT_TRUE(time(measure::throughput, 1).disturbed);
  EXPECT_FALSE(time(measure::throughput, 1).disturbed) << "slowed all along";
}

TEST_F(cuda_timing, idle_and_application_clock_reasons_do_not_disturb) {
  driver.set("slowed_by_step", 0x1 | 0x2);
  EXPECT_FALSE(time(measure::throughput, 1).disturbed);
}

}  // namespace
