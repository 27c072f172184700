// Which of NVIDIA's libraries are taken, and the sentence where one is not: scripted libraries, no wheel needed.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "backend/cuda/toolchain.hpp"
#include "backend/libraries.hpp"
#include "support/fake_cuda.hpp"

namespace glass::jit {
namespace {

using fake::environment;
using ::testing::HasSubstr;

const std::string folder = GLASS_BINARY_DIR "/tests/";

class finding : public ::testing::Test {
 protected:
  fake::nvrtc compiler;
  environment mathdx{"GLASS_LIBMATHDX", folder + "libfake_mathdx.so"};
  environment link{"GLASS_NVJITLINK", folder + "libfake_nvjitlink.so"};
  environment script{"GLASS_FAKE_MATHDX", ""};

  static error refused() {
    try {
      cuda::toolchain(90, 0).libraries();
    } catch (const error& e) { return e; }
    ADD_FAILURE() << "the libraries were taken";
    return {errc::io, stage::device, ""};
  }
  static error generating(const char* name = "posv", const char* library = "cusolverdx") {
    library_function f;
    f.library = library, f.name = name, f.symbol = "f", f.sizes = {8, 8, 1}, f.threads = 64;
    try {
      cuda::toolchain(90, 0).libraries().functions->generate(f, 90);
    } catch (const error& e) { return e; }
    ADD_FAILURE() << "it was made";
    return {errc::io, stage::device, ""};
  }
};

TEST_F(finding, takes_what_belongs_together) {
  cuda::toolchain tools(90, 0);
  EXPECT_EQ(tools.libraries().functions->version(), "0.4.9");
  EXPECT_EQ(tools.libraries().link->major(), 13);
  source s{"", "posv", "", {}};
  EXPECT_THAT(tools.compiler_of(s), ::testing::Not(HasSubstr("libmathdx"))) << "of a kernel that calls nothing";
  s.functions.resize(1);
  EXPECT_THAT(tools.compiler_of(s), HasSubstr(", libmathdx 0.4.9, nvjitlink 13.0"));
}

TEST_F(finding, one_of_another_cuda_is_not_loaded) {
  const environment other("GLASS_LIBMATHDX", folder + "libfake_mathdx12.so");
  const error e = refused();
  EXPECT_EQ(e.code(), errc::no_compiler);
  EXPECT_THAT(e.message(), HasSubstr("libfake_mathdx12.so is for CUDA 12, NVRTC here is 13.0"));
  EXPECT_THAT(e.hint(), HasSubstr("nvidia-libmathdx-cu13"));
}

TEST_F(finding, a_linker_older_than_the_code_is_named_with_both_releases) {
  compiler.set("minor", 5);
  const environment older("GLASS_FAKE_NVJITLINK", "13.0");
  const error e = refused();
  EXPECT_EQ(e.code(), errc::no_compiler);
  EXPECT_THAT(e.message(), HasSubstr("nvJitLink 13.0"));
  EXPECT_THAT(e.message(), HasSubstr("is older than NVRTC 13.5"));
  EXPECT_THAT(e.hint(), HasSubstr("nvidia-nvjitlink"));
}

TEST_F(finding, a_linker_of_another_cuda_is_named) {
  const environment other("GLASS_FAKE_NVJITLINK", "12.9");
  EXPECT_THAT(refused().message(), HasSubstr("is of CUDA 12, NVRTC 13.0"));
}

TEST_F(finding, half_a_toolkit_says_which_half_is_missing) {
  const environment none("GLASS_NVJITLINK", folder + "no_such_library.so");
  EXPECT_THAT(refused().message(), HasSubstr("no_such_library.so cannot be loaded as nvJitLink"));
  const environment neither("GLASS_LIBMATHDX", folder + "no_such_functions.so");
  EXPECT_THAT(refused().message(), HasSubstr("no_such_functions.so cannot be loaded as libmathdx"));
}

// pip puts nothing into a folder that has another of NVIDIA's packages, so that each hint names one of its own.
TEST_F(finding, what_is_installed_as_the_hints_say_is_found) {
  namespace fs = std::filesystem;
  const fs::path data = fs::temp_directory_path() / ("glass_data_" + std::to_string(::getpid()));
  const environment home("XDG_DATA_HOME", data), later("GLASS_FAKE_NVJITLINK", "13.99");
  compiler.set("minor", 99);
  const auto install = [&](const std::string& fake, const std::string& name) {
    const std::string hint = refused().hint(), before = "pip install --upgrade --no-deps --target ~/.local/share/";
    const auto at = hint.find(before);
    ASSERT_NE(at, std::string::npos) << hint;
    const fs::path target = hint.substr(at + before.size(), hint.find(' ', at + before.size()) - at - before.size());
    EXPECT_FALSE(fs::exists(data / target)) << hint;
    fs::create_directories(data / target / "nvidia/cu13/lib");
    fs::copy_file(folder + fake, data / target / "nvidia/cu13/lib" / name);
  };
  {
    const environment none("GLASS_LIBMATHDX", folder + "no_such_functions.so");
    install("libfake_mathdx.so", "libmathdx.so.0");
  }
  const environment found("GLASS_LIBMATHDX", ""), looked_for("GLASS_NVJITLINK", "");
  install("libfake_nvjitlink.so", "libnvJitLink.so.13");
  const auto taken = cuda::toolchain(90, 0).libraries();
  EXPECT_EQ(taken.functions->file(), data / "glass/libmathdx/nvidia/cu13/lib/libmathdx.so.0");
  EXPECT_EQ(taken.link->file(), data / "glass/nvjitlink/nvidia/cu13/lib/libnvJitLink.so.13");
  fs::remove_all(data);
}

TEST_F(finding, what_was_not_there_is_not_looked_for_again) {
  cuda::toolchain tools(90, 0);
  {
    const environment none("GLASS_LIBMATHDX", folder + "no_such_functions.so"), nowhere("GLASS_CCCL", folder);
    EXPECT_THROW(tools.libraries(), error);
    EXPECT_THROW(tools.headers(), error);
  }
  EXPECT_THROW(tools.libraries(), error) << "every candidate would pay for it";
  EXPECT_THROW(tools.headers(), error);
  EXPECT_NO_THROW(cuda::toolchain(90, 0).libraries());
}

TEST_F(finding, a_library_that_is_another_is_told) {
  const environment other("GLASS_LIBMATHDX", folder + "libfake_nvjitlink.so");
  EXPECT_THAT(refused().message(), HasSubstr("it lacks mathdxGetVersionEx"));
}

TEST_F(finding, glass_info_says_what_is_used_and_what_would_be_added) {
  const auto all = nvidia_libraries();
  ASSERT_GE(all.size(), 2u);
  EXPECT_TRUE(all[0].usable()) << all[0].trouble;
  EXPECT_THAT(all[0].version, HasSubstr("0.4.9 (cuSOLVERDx 0.4.9"));
  const environment none("GLASS_NVJITLINK", folder + "no_such_library.so");
  const auto half = nvidia_libraries();
  EXPECT_FALSE(half[0].usable()) << "libmathdx alone is of no use";
  EXPECT_THAT(half[0].trouble, HasSubstr("it needs nvJitLink"));
  EXPECT_FALSE(half[0].install.empty());
  EXPECT_THAT(half[0].adds, HasSubstr("cuSOLVERDx"));
}

TEST_F(finding, another_block_than_the_kernels_is_an_error_of_the_candidate) {
  const environment says("GLASS_FAKE_MATHDX", "block=128");
  const error e = generating();
  EXPECT_EQ(e.code(), errc::compile_failed);
  EXPECT_THAT(e.message(), HasSubstr("for blocks of 128 threads, the placement's have 64"));
}

TEST_F(finding, the_librarys_own_words_are_kept) {
  const environment says("GLASS_FAKE_MATHDX", "refuses=1");
  const error e = generating();
  EXPECT_THAT(e.message(), HasSubstr("it does not compile (code 3): the fake refuses it"));
  EXPECT_EQ(e.log(), "the fake refuses it");
  EXPECT_THAT(generating("no_such").message(), HasSubstr("cuSOLVERDx has no function no_such"));
}

TEST_F(finding, a_machine_short_of_memory_begins_nothing) {
  const auto real = cuda::available_memory;
  cuda::available_memory = [] { return std::size_t(2) << 30; };
  library_function f;
  f.library = "cusolverdx", f.name = "posv", f.symbol = "f", f.sizes = {8, 8, 1}, f.threads = 64;
  EXPECT_NO_THROW(cuda::toolchain(90, 0).libraries().functions->generate(f, 90));
  const error product = generating("mm", "cublasdx");
  cuda::available_memory = [] { return std::size_t(900) << 20; };
  const error solve = generating();
  cuda::available_memory = real;
  EXPECT_EQ(product.code(), errc::out_of_memory);
  EXPECT_THAT(product.message(), HasSubstr("this machine has 2048 MB left"));
  EXPECT_EQ(solve.code(), errc::out_of_memory);
  EXPECT_GT(real(), 0u);
}

TEST_F(finding, what_the_linker_says_is_kept) {
  try {
    cuda::toolchain(90, 0).libraries().link->link({{"kernel", {1}, false}}, 90, {"", "posv", "scope=block64", {}});
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::compile_failed);
    EXPECT_THAT(e.message(), HasSubstr("posv (scope=block64): nvJitLink 13.0"));
    EXPECT_THAT(e.message(), HasSubstr("linking failed (code 9): the fake reads nothing"));
  }
}

}  // namespace
}  // namespace glass::jit
