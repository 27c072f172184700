// Opening a GPU through a scripted driver: what is described, and every way in which it can fail.
#include <gmock/gmock.h>

#include "backend/cuda/cuda.hpp"
#include "support/fake_cuda.hpp"

using namespace glass::jit;
using testing::HasSubstr;

namespace {

error failure(const std::string& id) {
  try {
    open_backend(id);
  } catch (const error& e) { return e; }
  ADD_FAILURE() << id << " opened";
  return {errc::ok, stage::device, ""};
}

TEST(cuda_open, describes_the_device_from_driver_and_nvml) {
  fake::cuda driver;
  const auto gpu = open_backend("cuda:0");
  const auto& d = gpu->device();
  EXPECT_EQ(d.id, "cuda:0");
  EXPECT_EQ(d.backend, "cuda");
  EXPECT_EQ(d.name, "Fake GPU");
  EXPECT_EQ(d.target, "sm_90");
  EXPECT_EQ(d.sm_count, 132);
  EXPECT_EQ(d.max_blocks_per_sm, 32);
  EXPECT_EQ(d.shared_per_block, std::size_t(48 << 10));
  EXPECT_EQ(d.shared_per_block_optin, std::size_t(227 << 10));
  EXPECT_EQ(d.shared_per_sm, std::size_t(228 << 10));
  EXPECT_EQ(d.driver, "580.95.05 (CUDA 13.0)");
  EXPECT_EQ(d.power_class, "limit=700W");
  EXPECT_EQ(d.mig, "");
}

TEST(cuda_open, names_the_mig_slice) {
  fake::cuda driver;
  driver.set("mig", 1);
  EXPECT_EQ(open_backend("cuda:0")->device().mig, "1g.10gb");
}

TEST(cuda_open, works_without_nvml) {
  fake::cuda driver;
  driver.set("nvmlInit_v2", 9);
  const auto gpu = open_backend("cuda:0");
  EXPECT_EQ(gpu->device().power_class, "unspecified");
  EXPECT_THAT(gpu->device().driver, HasSubstr("(CUDA 13.0)"));
}

TEST(cuda_open, says_that_the_driver_library_is_missing) {
  fake::environment nowhere("GLASS_LIBCUDA", "libcuda-that-is-not-there.so.1");
  const error e = failure("cuda:0");
  EXPECT_EQ(e.code(), errc::no_driver);
  EXPECT_THAT(e.message(), HasSubstr("libcuda-that-is-not-there.so.1 cannot be loaded"));
  EXPECT_THAT(e.hint(), HasSubstr("Install the NVIDIA driver"));
}

TEST(cuda_open, says_that_a_library_lacks_an_entry_point) {
  fake::environment other("GLASS_LIBCUDA", GLASS_BINARY_DIR "/tests/libfake_nvrtc.so");
  const error e = failure("cuda:0");
  EXPECT_EQ(e.code(), errc::no_driver);
  EXPECT_THAT(e.message(), HasSubstr("has no cuInit"));
}

TEST(cuda_open, tells_the_ways_apart_in_which_a_driver_does_not_start) {
  fake::cuda driver;
  driver.set("cuInit", 100);
  EXPECT_EQ(failure("cuda:0").code(), errc::no_device);
  driver.set("cuInit", 803);
  EXPECT_EQ(failure("cuda:0").code(), errc::no_driver);
  EXPECT_THAT(failure("cuda:0").hint(), HasSubstr("reboot"));
  driver.set("cuInit", 34);
  EXPECT_EQ(failure("cuda:0").code(), errc::no_driver);
  EXPECT_THAT(failure("cuda:0").hint(), HasSubstr("stub"));
  driver.set("cuInit", 999);
  EXPECT_EQ(failure("cuda:0").code(), errc::no_driver);
  EXPECT_THAT(failure("cuda:0").message(), HasSubstr("(999)"));
}

TEST(cuda_open, says_which_devices_there_are) {
  fake::cuda driver;
  driver.set("devices", 2);
  EXPECT_EQ(open_backend("cuda:1")->device().id, "cuda:1");
  const error e = failure("cuda:2");
  EXPECT_EQ(e.code(), errc::no_device);
  EXPECT_THAT(e.message(), HasSubstr("this process sees 2 GPUs"));
  EXPECT_THAT(e.hint(), HasSubstr("cuda:0 to cuda:1"));
  driver.set("devices", 0);
  EXPECT_THAT(failure("cuda:0").message(), HasSubstr("finds no GPU"));
}

TEST(cuda_open, says_that_the_context_is_refused) {
  fake::cuda driver;
  driver.set("cuDevicePrimaryCtxRetain", 46);
  const error e = failure("cuda:0");
  EXPECT_EQ(e.code(), errc::no_device);
  EXPECT_THAT(e.message(), HasSubstr("refuses a context"));
}

TEST(open_backend, refuses_names_that_are_no_device) {
  for (const char* id : {"", "cuda:", "cuda:x", "cuda:-1", "cuda:99999", "gpu", "hosts"}) {
    EXPECT_EQ(failure(id).code(), errc::no_device) << id;
    EXPECT_THAT(failure(id).hint(), HasSubstr("cuda:N"));
  }
  EXPECT_THAT(failure("hosts").message(), HasSubstr("Did you mean 'host'?"));
}

TEST(open_backend, opens_the_host_and_the_first_gpu_by_default) {
  EXPECT_EQ(open_backend("host")->device().backend, "host");
  {
    fake::cuda driver;
    EXPECT_EQ(open_default_backend()->device().id, "cuda:0");
    driver.set("cuInit", 100);
    EXPECT_EQ(open_default_backend()->device().backend, "host");
  }
  fake::environment nowhere("GLASS_LIBCUDA", "libcuda-that-is-not-there.so.1");
  EXPECT_EQ(open_default_backend()->device().backend, "host");
}

}  // namespace
