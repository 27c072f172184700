// What a program captures stays whole whatever the library does meanwhile, in the capturing thread or another; what
// cannot be done meanwhile is refused in words. The fake driver has the rules of the real one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "backend/backend.hpp"
#include "support/fake_cuda.hpp"

namespace glass::jit {
namespace {

using ::testing::HasSubstr;

struct cuda_capture : ::testing::Test {
  fake::cuda driver;
  std::shared_ptr<backend> gpu = open_backend("cuda:0");
  void* stream = nullptr;
  template <class... A>
  int call(const char* name, A... a) {
    return driver.symbol<int (*)(A...)>(name)(a...);
  }
  void begin(unsigned flags) {
    ASSERT_EQ(call("cuStreamCreate", &stream, flags), 0);
    ASSERT_EQ(call("cuStreamBeginCapture_v2", stream, 0 /* global: the strictest */), 0);
  }
  int end() {
    void* graph = nullptr;
    const int r = call("cuStreamEndCapture", stream, &graph);
    if (graph) call("cuGraphDestroy", graph);
    call("cuStreamDestroy_v2", stream);
    return r;
  }
  // All that a race does on the device.
  void work() {
    const std::vector<unsigned char> cubin(128);  // the fake driver takes anything
    const launch_shape shape{16, 128, 0, 2048};
    const long long arguments[32] = {2048};
    const auto image = gpu->load(cubin, shape);
    void* p = gpu->allocate(64);
    int values[16] = {};
    gpu->upload(p, values, sizeof values);
    EXPECT_TRUE(gpu->run(*image, shape, arguments, 40, 1).ok());
    for (const measure how : {measure::throughput, measure::graph, measure::latency}) {
      const timing t = gpu->time(*image, shape, arguments, 40, how, 3, 1);
      EXPECT_TRUE(t.status.ok()) << t.status.message();
    }
    gpu->download(values, p, sizeof values);
    gpu->free(p);
    EXPECT_GT(gpu->free_bytes(), 0u);
  }
};

TEST_F(cuda_capture, a_race_in_another_thread_leaves_it_whole) {
  for (const unsigned flags : {0u, 1u}) {
    begin(flags);
    std::thread([&] { work(); }).join();
    EXPECT_EQ(end(), 0) << (flags ? "non-blocking" : "blocking");
  }
}

TEST_F(cuda_capture, set_up_calls_of_the_capturing_thread_leave_it_whole) {
  for (const unsigned flags : {0u, 1u}) {
    begin(flags);
    work();
    EXPECT_EQ(end(), 0) << (flags ? "non-blocking" : "blocking");
  }
}

TEST_F(cuda_capture, a_wait_that_would_break_it_is_refused) {
  begin(0);
  try {
    gpu->settle();
    FAIL() << "accepted";
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::refused);
    EXPECT_THAT(e.what(), HasSubstr("before the capture begins or after it has ended"));
  }
  EXPECT_EQ(end(), 0) << "asked first";
  gpu->settle();
  begin(1);
  gpu->settle();  // the default stream does not wait for this one
  EXPECT_EQ(end(), 0);
}

TEST_F(cuda_capture, synchronizing_meanwhile_is_refused_in_words) {
  begin(1);
  try {
    gpu->synchronize();
    FAIL() << "accepted";
  } catch (const error& e) { EXPECT_EQ(e.code(), errc::refused); }
  EXPECT_EQ(end(), 901) << "the driver's own rule";
  EXPECT_NO_THROW(gpu->synchronize());
}

// The fake would find it.
TEST_F(cuda_capture, the_default_stream_breaks_a_capture) {
  begin(0);
  EXPECT_EQ(call("cuEventRecord", static_cast<int*>(nullptr), static_cast<void*>(nullptr)), 906);
  EXPECT_EQ(end(), 901);
  begin(1);
  unsigned long long p = 0;
  EXPECT_EQ(call("cuMemAlloc_v2", &p, std::size_t(16)), 900);
  EXPECT_EQ(end(), 901);
}

}  // namespace
}  // namespace glass::jit
