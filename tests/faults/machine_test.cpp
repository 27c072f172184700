// What changes underneath a robot: the driver, the compiler, the library itself. Through the whole runtime, on the fake
// driver and the fake NVRTC.
#include <dlfcn.h>

#include "fault_fixture.hpp"
#include "support/fake_cuda.hpp"

namespace glass::faults {
namespace {

class machine_test : public fault_test {
 protected:
  // A process: the runtime on the first GPU, not tuning; the kernel's why().
  struct seen {
    std::string why;
    counters did;
  };
  seen process() {
    runtime_options o = options();
    o.device = "cuda:0", o.tuning.mode = tune_mode::off;
    runtime rt(o);
    std::string why = rt.compile(scale(), scale_problem()).why();
    return {why, rt.counters()};
  }
  fake::cuda driver;
  fake::nvrtc compiler;
};

TEST_F(machine_test, an_image_that_the_driver_refuses_is_made_again_with_one_warning) {
  process();
  driver.set("cuModuleLoadDataEx", 200);
  driver.set("cuModuleLoadDataEx.times", 1);
  const seen s = process();
  EXPECT_EQ(s.did.compiles, 1) << said();
  EXPECT_EQ(s.did.healed, 1);
  EXPECT_EQ(warnings.size(), 1u) << said();
  EXPECT_EQ(process().did.compiles, 0) << "and kept";
}

TEST_F(machine_test, a_warm_cache_needs_no_compiler) {
  const seen before = process();
  fake::environment none("GLASS_NVRTC", "/none/libnvrtc.so");
  const seen s = process();
  EXPECT_EQ(s.why, before.why);
  EXPECT_EQ(s.did.compiles, 0);
  EXPECT_TRUE(warnings.empty()) << said();
}

TEST_F(machine_test, a_cold_one_without_a_compiler_says_what_to_install) {
  fake::environment none("GLASS_NVRTC", "/none/libnvrtc.so");
  try {
    process();
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::no_compiler);
    EXPECT_THAT(e.hint(), ::testing::HasSubstr("nvidia-cuda-nvrtc"));
  }
}

TEST_F(machine_test, an_nvrtc_older_than_the_gpu_names_both) {
  compiler.set("newest", 75);
  try {
    process();
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::compiler_too_old);
    EXPECT_THAT(std::string(e.what()) + e.hint() + e.log(), ::testing::HasSubstr("90"));
  }
}

TEST_F(machine_test, another_driver_uses_the_same_images) {
  process();
  driver.set("driver_version", 13020);
  EXPECT_EQ(process().did.compiles, 0);
  EXPECT_TRUE(warnings.empty()) << said();
}

TEST_F(machine_test, a_driver_older_than_the_images_says_so) {
  process();
  driver.set("cuModuleLoadDataEx", 222);
  try {
    process();
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::driver_too_old);
    EXPECT_THAT(e.hint(), ::testing::HasSubstr("driver"));
  }
  driver.set("cuModuleLoadDataEx", 0);
  EXPECT_EQ(process().did.compiles, 0) << "the image stays for a driver that takes it";
}

TEST_F(machine_test, an_image_for_another_gpu_is_not_loaded) {
  process();
  ask("UPDATE image SET bytes = zeroblob(length)");
  ask("UPDATE image SET hash = '" + hash(std::string(std::stoul(ask("SELECT length FROM image").at(0)), '\0')) + "'");
  const seen s = process();
  EXPECT_EQ(s.did.compiles, 1);
  EXPECT_EQ(warnings.size(), 1u) << said();
  EXPECT_THAT(said(), ::testing::HasSubstr("not an image for this device"));
}

TEST_F(machine_test, ten_megabytes_of_text_that_is_not_ascii_are_compiled_and_kept) {
  operation_description d = scale();
  std::string large = "// größe 大小\n";
  while (large.size() < 10'000'000) large += "// " + std::string(997, 'x') + "\n";
  d.text = large + d.text;
  runtime_options o = options();
  o.tuning.mode = tune_mode::off;
  for (const int compiles : {1, 0}) {
    runtime rt(scripted(), o);
    EXPECT_EQ(rt.compile(d, scale_problem()).placement().threads() > 0, true);
    EXPECT_EQ(rt.counters().compiles, compiles);
  }
  EXPECT_TRUE(warnings.empty()) << said();
}

// A plugin that is built with the library is unloaded and loaded again, by a host that forks meanwhile.
TEST_F(machine_test, the_library_is_unloaded_and_loaded_again) {
  fake::environment where("GLASS_CACHE", folder);
  for (int round = 0; round < 3; ++round) {
    void* plugin = ::dlopen(GLASS_BINARY_DIR "/tests/libfault_plugin.so", RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(plugin, nullptr) << ::dlerror();
    const auto use = reinterpret_cast<int (*)()>(::dlsym(plugin, "use_glass"));
    ASSERT_NE(use, nullptr);
    EXPECT_EQ(use(), 0);
    EXPECT_EQ(finish(start([&] { return use() == 0; })), 0);
    EXPECT_EQ(::dlclose(plugin), 0);
    EXPECT_EQ(finish(start([] { return true; })), 0) << "a fork after the unloading";
  }
  EXPECT_TRUE(std::filesystem::exists(file()));
}

}  // namespace
}  // namespace glass::faults
