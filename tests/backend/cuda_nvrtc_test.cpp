// NVRTC: choosing one, compiling, and its errors, with a scripted one; and the real ones of this machine, for which no
// GPU is needed.
#include <gmock/gmock.h>

#include <clocale>
#include <filesystem>
#include <future>
#include <thread>

#include "backend/cuda/cubin.hpp"
#include "backend/cuda/nvrtc.hpp"
#include "support/fake_cuda.hpp"

using namespace glass::jit;
using cuda::nvrtc;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

namespace {

const source empty{
    "extern \"C\" __global__ void glass_entry(float* p) { p[0] = 1.5f * p[1]; }\n", "empty", "scope=thread", {}};

TEST(nvrtc_choice, takes_the_exact_target_or_the_closest_earlier_minor) {
  fake::nvrtc library;
  const nvrtc compiler(library.file());
  EXPECT_EQ(compiler.target_for(90), 90);
  EXPECT_EQ(compiler.target_for(89), 86);
  EXPECT_EQ(compiler.target_for(121), 120);
  EXPECT_EQ(compiler.target_for(103), 100);
  EXPECT_EQ(compiler.target_for(87), 87);
  EXPECT_EQ(compiler.target_for(72), 0) << "oldest is 75";
  EXPECT_EQ(compiler.target_for(130), 0);
}

TEST(nvrtc_choice, integrated_boards_take_only_their_own) {
  EXPECT_TRUE(cuda::runs_on(87, 87));
  EXPECT_FALSE(cuda::runs_on(86, 87));
  EXPECT_FALSE(cuda::runs_on(87, 89));
  EXPECT_FALSE(cuda::runs_on(90, 86));
  EXPECT_FALSE(cuda::runs_on(0, 0));
}

TEST(nvrtc_choice, one_older_than_the_gpu_names_both_sides) {
  fake::nvrtc library;
  library.set("major", 11), library.set("minor", 8), library.set("newest", 87);
  try {
    nvrtc::choose(90);
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::compiler_too_old);
    EXPECT_THAT(e.message(), HasSubstr("sm_90"));
    EXPECT_THAT(e.message(), HasSubstr("NVRTC 11.8"));
    EXPECT_THAT(e.message(), HasSubstr("sm_75 sm_80 sm_86 sm_87"));
    EXPECT_THAT(e.hint(), HasSubstr("pip install"));
  }
}

TEST(nvrtc_choice, none_says_how_to_get_one) {
  fake::environment named("GLASS_NVRTC", "libnvrtc-that-is-not-there.so");
  try {
    nvrtc::choose(90);
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::no_compiler);
    EXPECT_THAT(e.hint(), HasSubstr("GLASS_NVRTC"));
    EXPECT_THAT(e.log(), HasSubstr("libnvrtc-that-is-not-there.so"));
  }
}

TEST(nvrtc_choice, a_library_that_is_no_nvrtc_is_told) {
  try {
    nvrtc library(GLASS_BINARY_DIR "/tests/libfake_cuda.so");
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::no_compiler);
    EXPECT_THAT(e.message(), HasSubstr("lacks nvrtcVersion"));
  }
}

// A folder with links named like NVRTC of several releases, each to the fake.
struct nvrtc_folders : testing::Test {
  fake::nvrtc library;
  std::filesystem::path root = std::filesystem::temp_directory_path() / ("glass_nvrtc_" + std::to_string(::getpid()));
  fake::environment unset{"GLASS_NVRTC", ""}, home{"HOME", root / "home"}, data{"XDG_DATA_HOME", root},
      path{"LD_LIBRARY_PATH", root / "path"};

  std::string add(const std::string& folder, const std::string& name) {
    std::filesystem::create_directories(root / folder);
    std::filesystem::copy_file(library.file(), root / folder / name);
    return root / folder / name;
  }
  ~nvrtc_folders() override { std::filesystem::remove_all(root); }
};

TEST_F(nvrtc_folders, ours_and_the_loaders_are_searched_newest_first) {
  const auto old = add("path", "libnvrtc.so.98.2.1");
  const auto wheel = add("glass/nvrtc/nvidia/cu13/lib", "libnvrtc.so.99");
  add("glass/nvrtc/nvidia/cu13/lib", "libnvrtc-builtins.so.99.4");
  add("glass/nvrtc/nvidia/cu13/lib", "libnvrtc.alt.so.99");
  const auto older_minor = add("path", "libnvrtc.so.99.3.7");
  const auto found = nvrtc::find();
  ASSERT_GE(found.size(), 3u);
  EXPECT_EQ(found[0], wheel);
  EXPECT_EQ(found[1], older_minor);
  EXPECT_EQ(found[2], old);
  EXPECT_THAT(found, Not(Contains(HasSubstr("alt"))));
}

TEST_F(nvrtc_folders, one_of_the_drivers_major_goes_before_a_newer) {
  add("path", "libnvrtc.so.99.3.7");
  const auto fits = add("path", "libnvrtc.so.98.2.1");
  EXPECT_EQ(nvrtc::choose(90, 98)->file(), fits);
  EXPECT_THAT(nvrtc::choose(90, 99)->file(), HasSubstr("99.3.7"));
  EXPECT_THAT(nvrtc::choose(90)->file(), HasSubstr("99.3.7"));
}

TEST_F(nvrtc_folders, the_full_version_comes_from_the_file_or_the_wheel) {
  // Copies are scripted apart from the original, so each tells the defaults, 13.0.
  EXPECT_EQ(nvrtc(add("path", "libnvrtc.so.13.0.7")).version(), "13.0.7");
  std::filesystem::create_directories(root / "glass/nvrtc/nvidia_cuda_nvrtc-13.0.88.dist-info");
  EXPECT_EQ(nvrtc(add("glass/nvrtc/nvidia/cu13/lib", "libnvrtc.so.13")).version(), "13.0.88");
  EXPECT_THAT(nvrtc(add("elsewhere/a/b/c", "libnvrtc.so.13")).version(), testing::MatchesRegex("13.0 .[0-9]+ bytes."));
}

TEST(nvrtc_compile, passes_the_target_the_standard_and_the_callers_options_in_order) {
  fake::nvrtc library;
  source s = empty;
  s.options = {"-lineinfo", "--Ofast-compile=mid"};
  const image made = nvrtc(library.file()).compile(s, 86);
  EXPECT_THAT(library.last_options(), testing::ElementsAre("--gpu-architecture=sm_86", "--std=c++17", "-default-device",
                                                           "--minimal", "-lineinfo", "--Ofast-compile=mid"));
  EXPECT_THAT(library.last_headers(), Contains("glass/core/scope.cuh"));
  EXPECT_EQ(cuda::cubin_architecture(made.bytes), 86);
  EXPECT_EQ(made.log, "the fake's log");
  EXPECT_EQ(library.get("live.programs"), 0);
}

TEST(nvrtc_compile, leaves_out_what_an_old_release_does_not_know) {
  fake::nvrtc library;
  library.set("major", 11), library.set("minor", 8);
  nvrtc(library.file()).compile(empty, 86);
  EXPECT_THAT(library.last_options(), Not(Contains("--minimal")));
}

TEST(nvrtc_compile, hurries_only_where_the_release_knows_how) {
  fake::nvrtc library;
  const auto options = [&](int major, int minor) {
    library.set("major", major), library.set("minor", minor);
    return nvrtc(library.file()).quick_options();
  };
  EXPECT_THAT(options(11, 8), testing::IsEmpty());
  EXPECT_THAT(options(12, 8), testing::IsEmpty()) << "it has the option, but not that level";
  EXPECT_THAT(options(12, 9), testing::ElementsAre("--Ofast-compile=mid"));
  EXPECT_THAT(options(13, 0), testing::ElementsAre("--Ofast-compile=mid"));
}

TEST(nvrtc_compile, a_failure_carries_the_log_and_frees_the_program) {
  fake::nvrtc library;
  library.set("nvrtcCompileProgram", 6);
  const nvrtc compiler(library.file());
  try {
    compiler.compile(empty, 90);
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::compile_failed);
    EXPECT_EQ(e.log(), "the fake's log");
    EXPECT_THAT(e.message(), HasSubstr("empty (scope=thread)"));
    EXPECT_THAT(e.attempted(), HasSubstr("--gpu-architecture=sm_90"));
    EXPECT_THAT(e.versions(), HasSubstr("nvrtc 13.0"));
  }
  library.set("nvrtcCompileProgram", 7);
  EXPECT_THROW(
      try { compiler.compile(empty, 90); } catch (const error& e) {
        EXPECT_EQ(e.code(), errc::no_compiler);
        EXPECT_THAT(e.hint(), HasSubstr("libnvrtc-builtins"));
        throw;
      },
      error);
  EXPECT_EQ(library.get("live.programs"), 0);
}

TEST(nvrtc_compile, several_run_at_once) {
  fake::nvrtc library;
  library.set("meet", 3);
  const nvrtc compiler(library.file());
  std::vector<std::future<image>> all;
  for (int i = 0; i < 3; ++i)
    all.push_back(std::async(std::launch::async, [&] { return compiler.compile(empty, 90); }));
  for (auto& made : all) EXPECT_NO_THROW(EXPECT_FALSE(made.get().bytes.empty()));
}

TEST(nvrtc_compile, the_processs_locale_stays_as_it_is) {
  ASSERT_NE(std::setlocale(LC_NUMERIC, "C.UTF-8"), nullptr);
  fake::nvrtc library;
  library.set("resets_locale", 1), library.set("meet", 1000);
  const nvrtc compiler(library.file());
  std::thread first([&] { compiler.compile(empty, 90); });
  while (library.get("inside") == 0) std::this_thread::yield();
  library.set("meet", 2);
  compiler.compile(empty,
                   90);  // begins when the first has reset the locale already, and is the one to end the other's wait
  first.join();
  EXPECT_STREQ(std::setlocale(LC_NUMERIC, nullptr), "C.UTF-8");
  std::setlocale(LC_NUMERIC, "C");
}

// ---- the real ones
class real_nvrtc : public testing::TestWithParam<std::string> {};

TEST_P(real_nvrtc, compiles_for_each_architecture_it_knows_and_leaves_the_locale) {
  const nvrtc compiler(GetParam());
  ASSERT_NE(std::setlocale(LC_NUMERIC, "C.UTF-8"), nullptr);
  for (const int architecture : compiler.architectures()) {
    if (architecture < 72) continue;
    const image made = compiler.compile(empty, architecture);
    EXPECT_EQ(cuda::cubin_architecture(made.bytes), architecture) << compiler.version();
    auto cut = made.bytes;
    cut.resize(cut.size() / 2);
    EXPECT_EQ(cuda::cubin_architecture(cut), 0) << "half of a cubin is none";
  }
  EXPECT_STREQ(std::setlocale(LC_NUMERIC, nullptr), "C.UTF-8");
  std::setlocale(LC_NUMERIC, "C");
}

TEST_P(real_nvrtc, takes_its_quick_options) {
  const nvrtc compiler(GetParam());
  source s = empty;
  s.options = compiler.quick_options();
  EXPECT_NO_THROW(compiler.compile(s, compiler.architectures().back())) << compiler.version();
}

TEST_P(real_nvrtc, an_error_of_the_text_is_in_the_log_with_its_line) {
  const nvrtc compiler(GetParam());
  const source wrong{"#line 1 \"lm_step\"\n\nint f() { return undeclared; }\n", "lm_step", "", {}};
  try {
    compiler.compile(wrong, compiler.architectures().back());
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::compile_failed);
    EXPECT_THAT(e.log(), HasSubstr("lm_step(2)"));
    EXPECT_THAT(e.log(), HasSubstr("undeclared"));
  }
}

std::vector<std::string> real_ones() {
  std::vector<std::string> files;
  for (const auto& file : nvrtc::find()) {
    if (std::filesystem::exists(file)) files.push_back(file);
  }
  return files;
}
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(real_nvrtc);
INSTANTIATE_TEST_SUITE_P(found, real_nvrtc, testing::ValuesIn(real_ones()),
                         [](const auto& info) { return "library" + std::to_string(info.index); });

}  // namespace
