// Loading and launching through a scripted driver: the bytes that reach cuLaunchKernel, contexts, streams, and what
// each refusal says.
#include <gmock/gmock.h>

#include <cstring>
#include <thread>

#include "backend/cuda/cuda.hpp"
#include "support/fake_cuda.hpp"

using namespace glass::jit;
using testing::HasSubstr;

namespace {

// The header of a cubin for `architecture`, with one empty section.
std::vector<unsigned char> cubin(int architecture) {
  std::vector<unsigned char> bytes(64 + 64);
  const unsigned char ident[] = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0x41, 8};
  std::memcpy(bytes.data(), ident, sizeof ident);
  bytes[18] = 190;                                       // e_machine
  bytes[40] = 64;                                        // e_shoff
  bytes[49] = static_cast<unsigned char>(architecture);  // e_flags, bits 8 to 15
  bytes[58] = 64, bytes[60] = 1;                         // e_shentsize, e_shnum
  return bytes;
}

struct arguments {
  long long count = 0;
  int size[8] = {};
};

struct cuda_launch : testing::Test {
  fake::cuda driver;
  std::shared_ptr<backend> gpu = open_backend("cuda:0");
  launch_shape shape{16, 128, 0, 2048};
  arguments a{2048, {1, 2, 3, 4, 5, 6, 7, 8}};

  error load_failure(const std::vector<unsigned char>& bytes, const launch_shape& largest) {
    try {
      gpu->load(bytes, largest);
    } catch (const error& e) { return e; }
    ADD_FAILURE() << "it loaded";
    return {errc::ok, stage::load, ""};
  }
};

TEST_F(cuda_launch, loading_launches_once_with_count_0_and_tells_the_usage) {
  launch_shape large{1000, 256, 100000, 0};
  const auto image = gpu->load(cubin(90), large);
  EXPECT_EQ(driver.get("launches"), 1);
  const auto& seen = driver.last_launch();
  EXPECT_EQ(seen.grid[0], 1u);
  EXPECT_EQ(seen.block[0], 256u);
  EXPECT_EQ(seen.shared, 100000u);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(seen.bytes[i], 0) << i;
  EXPECT_EQ(driver.get("function_attribute.8"), 100000);
  EXPECT_EQ(image->usage().registers, 40);
  EXPECT_EQ(image->usage().local_bytes, 8);
  EXPECT_EQ(image->usage().static_shared_bytes, 16);
  EXPECT_EQ(image->usage().max_threads, 1024);
}

TEST_F(cuda_launch, the_arguments_are_one_parameter_byte_for_byte) {
  const auto image = gpu->load(cubin(90), shape);
  CUstream_st* stream = reinterpret_cast<CUstream_st*>(0x0);
  ASSERT_TRUE(image->launch(stream, shape, &a, sizeof a).ok());
  const auto& seen = driver.last_launch();
  EXPECT_EQ(std::memcmp(seen.bytes, &a, sizeof a), 0);
  EXPECT_THAT(seen.grid, testing::ElementsAre(16u, 1u, 1u));
  EXPECT_THAT(seen.block, testing::ElementsAre(128u, 1u, 1u));
  EXPECT_EQ(seen.stream, stream);
}

TEST_F(cuda_launch, no_blocks_are_a_success_without_a_launch) {
  const auto image = gpu->load(cubin(90), shape);
  shape.blocks = 0;
  EXPECT_TRUE(image->launch(nullptr, shape, &a, sizeof a).ok());
  EXPECT_EQ(driver.get("launches"), 1);  // the one of load
}

TEST_F(cuda_launch, a_thread_without_a_context_gets_the_primary_one) {
  const auto image = gpu->load(cubin(90), shape);
  std::thread([&] {
    ASSERT_EQ(driver.current_context(), nullptr);
    EXPECT_TRUE(image->launch(nullptr, shape, &a, sizeof a).ok());
    EXPECT_NE(driver.current_context(), nullptr);
  }).join();
  EXPECT_EQ(driver.get("launches"), 2);
}

TEST_F(cuda_launch, another_current_context_is_a_status_and_stays_current) {
  const auto image = gpu->load(cubin(90), shape);
  void* other = reinterpret_cast<void*>(0x2000);
  driver.make_current(other);
  const status s = image->launch(nullptr, shape, &a, sizeof a);
  EXPECT_EQ(s.code(), errc::launch_failed);
  EXPECT_THAT(s.message(), HasSubstr("another device or context current"));
  EXPECT_EQ(driver.current_context(), other);
  EXPECT_EQ(driver.get("launches"), 1);
}

TEST_F(cuda_launch, set_up_calls_work_in_any_thread_and_put_its_context_and_capture_mode_back) {
  void* other = reinterpret_cast<void*>(0x2000);
  driver.make_current(other);
  const auto image = gpu->load(cubin(90), shape);
  EXPECT_EQ(driver.last_launch().context, reinterpret_cast<void*>(0x1000));
  gpu->free(gpu->allocate(16));
  EXPECT_EQ(driver.current_context(), other);
  EXPECT_EQ(driver.symbol<int (*)()>("fake_capture_mode")(), 0);
  EXPECT_GT(driver.get("cuThreadExchangeStreamCaptureMode.calls"), 0);
}

TEST_F(cuda_launch, a_stream_of_another_device_is_a_status) {
  const auto image = gpu->load(cubin(90), shape);
  const status s = image->launch(static_cast<CUstream_st*>(fake::foreign_stream), shape, &a, sizeof a);
  EXPECT_EQ(s.code(), errc::launch_failed);
  EXPECT_THAT(s.message(), HasSubstr("the stream belongs to another device"));
}

TEST_F(cuda_launch, refusals_say_what_was_asked_for) {
  const auto image = gpu->load(cubin(90), shape);
  driver.set("cuLaunchKernel", 1);
  EXPECT_THAT(image->launch(nullptr, shape, &a, sizeof a).message(), HasSubstr("16 blocks of 128 threads"));
  driver.set("cuLaunchKernel", 701);
  EXPECT_THAT(image->launch(nullptr, shape, &a, sizeof a).message(), HasSubstr("128 threads with 40 registers each"));
  EXPECT_EQ(image->launch(nullptr, shape, &a, sizeof a).code(), errc::too_large);
  driver.set("cuLaunchKernel", 999);
  EXPECT_EQ(image->launch(nullptr, shape, &a, sizeof a).code(), errc::launch_failed);
}

TEST_F(cuda_launch, a_sticky_error_loses_the_device_for_every_later_call) {
  const auto image = gpu->load(cubin(90), shape);
  driver.set("cuLaunchKernel", 700);
  const status s = image->launch(nullptr, shape, &a, sizeof a);
  EXPECT_EQ(s.code(), errc::device_lost);
  EXPECT_THAT(s.message(), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS (700)"));
  EXPECT_THAT(s.message(), HasSubstr("restart"));
  driver.set("cuLaunchKernel", 0);
  EXPECT_EQ(gpu->run(*image, shape, &a, sizeof a, 1).code(), errc::device_lost);
  EXPECT_EQ(gpu->time(*image, shape, &a, sizeof a, measure::throughput, 1, 1).status.code(), errc::device_lost);
  EXPECT_EQ(load_failure(cubin(90), shape).code(), errc::device_lost);
  for (const auto& call : std::vector<std::function<void()>>{[&] { gpu->allocate(8); }, [&] { gpu->synchronize(); },
                                                             [&] { gpu->free_bytes(); }}) {
    try {
      call();
      ADD_FAILURE() << "the device is lost";
    } catch (const error& e) {
      EXPECT_EQ(e.code(), errc::device_lost);
      EXPECT_THAT(e.versions(), HasSubstr("580.95.05"));
    }
  }
}

TEST_F(cuda_launch, a_sticky_error_found_by_a_wait_is_device_lost) {
  driver.set("cuCtxSynchronize", 700);
  try {
    gpu->synchronize();
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::device_lost);
    EXPECT_THAT(e.hint(), HasSubstr("Restart the process"));
  }
}

TEST_F(cuda_launch, images_that_the_driver_refuses_say_why) {
  driver.set("cuModuleLoadDataEx", 222);
  EXPECT_EQ(load_failure(cubin(90), shape).code(), errc::driver_too_old);
  EXPECT_THAT(load_failure(cubin(90), shape).hint(), HasSubstr("580.95.05 (CUDA 13.0)"));
  EXPECT_THAT(load_failure(cubin(90), shape).log(), testing::Eq("the fake's log"));
  driver.set("cuModuleLoadDataEx", 209);
  EXPECT_EQ(load_failure(cubin(90), shape).code(), errc::driver_too_old);
  EXPECT_EQ(load_failure(cubin(75), shape).code(), errc::load_failed);
  EXPECT_THAT(load_failure(cubin(75), shape).message(), HasSubstr("for sm_75, and this GPU is sm_90"));
  driver.set("cuModuleLoadDataEx", 200);
  EXPECT_EQ(load_failure({1, 2, 3}, shape).code(), errc::load_failed);
  EXPECT_THAT(load_failure({1, 2, 3}, shape).message(), HasSubstr("no image for a GPU"));
  driver.set("cuModuleLoadDataEx", 2);
  EXPECT_EQ(load_failure(cubin(90), shape).code(), errc::out_of_memory);
  EXPECT_EQ(driver.get("live.modules"), 0);
}

TEST_F(cuda_launch, an_image_that_cannot_be_used_is_unloaded) {
  driver.set("cuModuleGetFunction", 500);
  EXPECT_EQ(load_failure(cubin(90), shape).code(), errc::load_failed);
  driver.set("cuModuleGetFunction", 0);
  driver.set("max_threads", 64);
  EXPECT_THAT(load_failure(cubin(90), shape).message(), HasSubstr("128 threads is asked for"));
  EXPECT_EQ(load_failure(cubin(90), shape).code(), errc::too_large);
  driver.set("max_threads", 1024);
  driver.set("cuFuncSetAttribute", 1);
  shape.shared_bytes = 100000;
  EXPECT_THAT(load_failure(cubin(90), shape).message(), HasSubstr("100000 bytes of shared memory a block are refused"));
  driver.set("cuFuncSetAttribute", 0);
  shape.shared_bytes = gpu->device().shared_per_block_optin - 15;  // and 16 of the kernel's own
  EXPECT_THAT(load_failure(cubin(90), shape).message(), HasSubstr("and the 16 of this kernel's own are more than"));
  EXPECT_EQ(load_failure(cubin(90), shape).code(), errc::too_large);
  shape.shared_bytes -= 1;
  EXPECT_NO_THROW(gpu->load(cubin(90), shape));
  shape.shared_bytes = 0;
  driver.set("cuLaunchKernel", 701);
  EXPECT_EQ(load_failure(cubin(90), shape).code(), errc::too_large);
  EXPECT_EQ(driver.get("live.modules"), 0);
}

TEST_F(cuda_launch, everything_is_given_back) {
  gpu->load(cubin(90), shape);
  EXPECT_EQ(driver.get("live.modules"), 0);
  gpu.reset();
  EXPECT_EQ(driver.get("live.streams"), 0);
  EXPECT_EQ(driver.get("live.events"), 0);
}

TEST_F(cuda_launch, memory_is_copied_both_ways_and_its_end_is_told) {
  const int from[] = {1, 2, 3};
  int to[3] = {};
  void* p = gpu->allocate(sizeof from);
  gpu->upload(p, from, sizeof from);
  gpu->download(to, p, sizeof to);
  gpu->free(p);
  EXPECT_THAT(to, testing::ElementsAre(1, 2, 3));
  EXPECT_EQ(driver.get("live.memory"), 0);
  EXPECT_EQ(gpu->allocate(0), nullptr);
  gpu->free(nullptr);
  driver.set("memory", 1000);
  EXPECT_EQ(gpu->free_bytes(), 1000u);
  try {
    gpu->allocate(1001);
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::out_of_memory);
    EXPECT_THAT(e.message(), HasSubstr("1001 bytes"));
  }
}

}  // namespace
