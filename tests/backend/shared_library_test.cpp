// Libraries that are opened while the program runs.
#include "backend/cuda/shared_library.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "support/thrown.hpp"

using namespace glass::jit;
using cuda::shared_library;
using glass::test::thrown;
using testing::HasSubstr;

namespace {

const std::string fake = GLASS_BINARY_DIR "/tests/libfake_nvrtc.so";
const shared_library::kind kind = {"NVRTC", "CUDA 11.2", "Name another."};

TEST(shared_library, none_answers_without_an_error) {
  const shared_library none, missing("libglass_that_is_not_there.so");
  for (const shared_library* l : {&none, &missing}) {
    EXPECT_FALSE(*l);
    EXPECT_EQ(l->find<int()>("nvrtcVersion"), nullptr);
    EXPECT_EQ(l->path(), "");
  }
  EXPECT_THAT(missing.trouble(), HasSubstr("libglass_that_is_not_there.so"));
  EXPECT_FALSE(shared_library::loaded_already("libglass_that_is_not_there.so"));
}

TEST(shared_library, is_the_file_behind_a_link) {
  const auto folder = std::filesystem::temp_directory_path() / ("glass_link_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder / "real");
  std::filesystem::copy_file(fake, folder / "real/library.so");  // a copy, which no other test has loaded by its name
  std::filesystem::create_symlink(folder / "real/library.so", folder / "link.so");
  EXPECT_EQ(shared_library(folder / "link.so").path(), std::filesystem::canonical(folder) / "real/library.so");
  std::filesystem::remove_all(folder);
}

TEST(shared_library, says_what_cannot_be_loaded_what_is_missing_and_what_to_do) {
  const error missing = thrown([] { shared_library("libglass_that_is_not_there.so", kind); });
  EXPECT_EQ(missing.code(), errc::no_compiler);
  EXPECT_EQ(missing.message(), "libglass_that_is_not_there.so cannot be loaded as NVRTC.");
  EXPECT_EQ(missing.attempted(), "dlopen libglass_that_is_not_there.so");
  EXPECT_THAT(missing.log(), HasSubstr("libglass_that_is_not_there.so"));
  const shared_library library(fake, kind);
  int (*function)() = nullptr;
  library.resolve("nvrtcVersion", function);
  EXPECT_NE(function, nullptr);
  const error half = thrown([&] { library.resolve("nvrtcVersion", function).resolve("nvrtcNone", function); });
  EXPECT_EQ(half.message(), fake + " is no NVRTC of CUDA 11.2 or later: it lacks nvrtcNone.");
  EXPECT_EQ(half.hint(), "Name another.");
}

}  // namespace
