// The cuda backend on a real GPU: description, launch, measures, deadline, and what a device error leaves behind.
#include <thread>

#include "backend/cuda/cuda.hpp"
#include "gpu_fixture.hpp"

using namespace glass::jit;
using namespace glass::test;
using testing::HasSubstr;

namespace {

// y[i] += by, one number per problem.
const char* const add_text = R"(
#include <kernels_src/batch.cuh>
struct glass_body { template <class S, class T> GLASS_DEVICE static void run(S scope, T by, glass::vector<T, 1> y) { if (scope.rank() == 0) y(0) += by; } };
GLASS_BATCH(2, glass_body, glass::scope::thread, 64, glass::batch::home::global, glass::batch::scalar<float>, glass::batch::inout<float, glass::batch::layout<>, 1>)
)";

struct gpu_backend : on_gpu {
  void SetUp() override {
    on_gpu::SetUp();
    if (IsSkipped()) return;
    image_ = device().load(device().compile({add_text, "add", "", {}}).bytes, shape);
    y = std::make_unique<on_device<float>>(device(), std::vector<float>(count, 1.0f));
    a.count = count, a.at[0].f32 = 0.5f, a.at[1].pointer = y->get();
  }
  static constexpr long long count = 1000;
  launch_shape shape{16, 64, 0, count};
  arguments a;
  std::unique_ptr<on_device<float>> y;
  std::shared_ptr<const loaded_image> image_;
};

TEST_F(gpu_backend, describes_the_device) {
  const auto& d = device().device();
  EXPECT_FALSE(d.name.empty());
  EXPECT_GE(d.sm_count, 1);
  EXPECT_GT(d.memory_bytes, 0u);
  EXPECT_FALSE(device().compiler().empty());
  if (is_cuda()) {
    EXPECT_THAT(d.target, testing::StartsWith("sm_"));
    EXPECT_THAT(d.driver, HasSubstr("(CUDA "));
    EXPECT_GE(d.shared_per_block_optin, d.shared_per_block);
    EXPECT_GT(device().free_bytes(), 0u);
  }
}

TEST_F(gpu_backend, launches_on_the_default_stream) {
  ASSERT_TRUE(image_->launch(nullptr, shape, &a, sizeof a).ok());
  device().synchronize();
  EXPECT_THAT(y->values(), testing::Each(1.5f));
  if (is_cuda()) { EXPECT_GT(image_->usage().registers, 0); }
}

TEST_F(gpu_backend, launches_from_a_thread_that_never_saw_the_device) {
  std::thread([&] {
    EXPECT_TRUE(image_->launch(nullptr, shape, &a, sizeof a).ok());
    device().synchronize();
  }).join();
  EXPECT_THAT(y->values(), testing::Each(1.5f));
}

TEST_F(gpu_backend, measures_launch_as_often_as_they_say) {
  for (const measure how : {measure::throughput, measure::graph, measure::latency}) {
    const timing t = device().time(*image_, shape, &a, sizeof a, how, 20, 5);
    ASSERT_TRUE(t.status.ok()) << name(how) << ": " << t.status.message();
    EXPECT_GT(t.seconds, 0);
    EXPECT_LT(t.seconds, 0.1);
    RecordProperty(name(how), std::to_string(t.seconds * 1e6) + " us");
  }
  EXPECT_THAT(y->values(), testing::Each(1.0f + 3 * 20 * 0.5f));
}

TEST_F(gpu_backend, a_block_may_use_all_the_shared_memory_there_is) {
  if (!is_cuda()) GTEST_SKIP() << "The host has no shared memory limit.";
  const std::string text =
      R"(extern "C" __global__ void glass_entry(const void*) { extern __shared__ char memory[]; memory[threadIdx.x] = 0; })";
  const auto bytes = device().compile({text, "shared", "", {}}).bytes;
  const std::size_t most = device().device().shared_per_block_optin;
  EXPECT_TRUE(device().run(*device().load(bytes, {1, 32, most, 0}), {1, 32, most, 1}, &a, sizeof a, 5).ok());
  EXPECT_THROW(device().load(bytes, {1, 32, most + 1, 0}), error);
}

TEST_F(gpu_backend, a_launch_past_its_deadline_is_a_hang_and_the_device_comes_back_when_it_ends) {
  if (!is_cuda()) GTEST_SKIP() << "Launches on the host return when they are done.";
  const std::string text = R"(
extern "C" __global__ void glass_entry(const __grid_constant__ long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {}
})";
  const auto slow = device().load(device().compile({text, "slow", "", {}}).bytes, {1, 1, 0, 0});
  const long long cycles = 1000ll * device().device().clock_khz / 2;  // half a second
  EXPECT_EQ(device().run(*slow, {1, 1, 0, 1}, &cycles, sizeof cycles, 0.02).code(), errc::hang);
  EXPECT_EQ(device().run(*slow, {1, 1, 0, 1}, &cycles, sizeof cycles, 0.02).code(), errc::device_lost);
  status s;
  for (int i = 0; i < 200; ++i) {
    s = device().run(*image_, shape, &a, sizeof a, 1);
    if (s.ok()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_TRUE(s.ok()) << s.message();
}

// In a process of its own, for it loses the device.
void write_to_nowhere() {
  auto gpu = open_backend("cuda:0");
  const std::string text =
      R"(extern "C" __global__ void glass_entry(long long count) { if (count) *reinterpret_cast<volatile int*>(16) = 1; })";
  const auto wrong = gpu->load(gpu->compile({text, "wrong", "", {}}).bytes, {1, 1, 0, 0});
  const long long count = 1;
  const status first = gpu->run(*wrong, {1, 1, 0, 1}, &count, sizeof count, 5);
  const status second = gpu->run(*wrong, {1, 1, 0, 1}, &count, sizeof count, 5);
  std::fprintf(stderr, "%s | %s | %s\n", name(first.code()), name(second.code()), first.message());
  std::_Exit(first.code() == errc::device_lost && second.code() == errc::device_lost ? 0 : 1);
}
TEST_F(gpu_backend, an_illegal_address_loses_the_device_with_a_sentence) {
  if (!is_cuda()) GTEST_SKIP() << "On the host the race check finds it.";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(write_to_nowhere(), testing::ExitedWithCode(0), "device_lost.*CUDA_ERROR_ILLEGAL_ADDRESS");
}

TEST_F(gpu_backend, an_image_for_another_gpu_is_implausible_and_refused) {
  if (!is_cuda()) GTEST_SKIP() << "About cubins.";
  auto bytes = device().compile({add_text, "add", "", {}}).bytes;
  EXPECT_TRUE(device().plausible(bytes));
  bytes.resize(bytes.size() / 2);
  EXPECT_FALSE(device().plausible(bytes));
  EXPECT_THROW(device().load({1, 2, 3, 4}, shape), error);
}

}  // namespace
