// The headers of CCCL: which folder is taken, and the sentence when none is; and what a source that asks for them is
// compiled with.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "backend/cuda/cccl.hpp"
#include "backend/cuda/toolchain.hpp"
#include "backend/libraries.hpp"
#include "support/fake_cuda.hpp"

using namespace glass::jit;
using cuda::cccl;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

namespace {

struct cccl_folders : testing::Test {
  fake::nvrtc library;
  std::filesystem::path root = std::filesystem::temp_directory_path() / ("glass_cccl_" + std::to_string(::getpid()));
  fake::environment home{"HOME", root / "home"}, data{"XDG_DATA_HOME", root}, path{"LD_LIBRARY_PATH", root / "path"},
      nvrtc_file{"GLASS_NVRTC", library.file()};

  void write(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  // All that is looked for, as CCCL 3 has it.
  std::string add(const std::string& folder, const std::string& version) {
    for (const char* part : {"cub/block/block_reduce.cuh", "cub/warp/warp_reduce.cuh", "cuda/std/type_traits"})
      write(root / folder / part, "");
    if (!version.empty())
      write(root / folder / "cuda/std/__cccl/version.h", "#define __H\n#define CCCL_VERSION " + version + "\n");
    return root / folder;
  }
  std::string trouble(const std::string& folder) {
    const fake::environment named("GLASS_CCCL", folder);
    try {
      return "taken: " + cccl::choose(cuda::nvrtc(library.file())).version;
    } catch (const error& e) {
      EXPECT_EQ(e.code(), errc::no_compiler);
      EXPECT_THAT(e.hint(), HasSubstr("GLASS_CCCL"));
      return e.message();
    }
  }
  ~cccl_folders() override { std::filesystem::remove_all(root); }
};

TEST_F(cccl_folders, the_newest_of_those_beside_nvrtc_and_of_wheels_is_taken) {
  add("path/../include", "2008002");
  std::filesystem::create_directories(root / "path");
  const auto wheel = add("glass/cccl/nvidia/cu13/include/cccl", "99005000");  // where the hint puts it; it has no lib
  const cccl found = cccl::choose(cuda::nvrtc(library.file()));
  EXPECT_EQ(found.folder, wheel);
  EXPECT_EQ(found.version, "99.5.0");
  EXPECT_THAT(cccl::find(cuda::nvrtc(library.file())), Contains((root / "include").string()));
}

TEST_F(cccl_folders, the_one_that_is_named_is_the_only_one) {
  add("glass/cccl/nvidia/cu13/include/cccl", "99005000");
  EXPECT_EQ(trouble(add("named", "3000001")), "taken: 3.0.1");
}

TEST_F(cccl_folders, what_does_not_do_is_one_sentence) {
  const auto half = add("half", "3000001");
  std::filesystem::remove(root / "half/cub/warp/warp_reduce.cuh");
  EXPECT_EQ(trouble(half), half + " is not all of CCCL: it lacks cub/warp/warp_reduce.cuh.");
  EXPECT_THAT(trouble(add("nameless", "")), HasSubstr("does not say which CCCL it is"));
  EXPECT_THAT(trouble(add("old", "2001000")), HasSubstr("CCCL 2.1.0"));
  EXPECT_THAT(trouble(add("old", "2001000")), HasSubstr("older than 2.2"));
  EXPECT_THAT(trouble(root / "nowhere"), HasSubstr("it lacks cub/block/block_reduce.cuh"));
}

TEST_F(cccl_folders, one_that_only_says_its_version_as_cub_is_known_by_that) {
  const auto folder = add("by_cub", "");
  write(root / "by_cub/cub/version.cuh", "#define CUB_VERSION 200302 // macro\n");
  EXPECT_EQ(trouble(folder), "taken: 2.3.2");
}

TEST_F(cccl_folders, cccl_3_is_not_for_nvrtc_of_cuda_11) {
  library.set("major", 11), library.set("minor", 8);
  EXPECT_THAT(trouble(add("three", "3000001")), HasSubstr("needs NVRTC of CUDA 12 or later; NVRTC here is 11.8"));
  EXPECT_EQ(trouble(add("two", "2008002")), "taken: 2.8.2");
}

TEST_F(cccl_folders, a_source_that_asks_for_them_is_shown_them_and_counts_their_version) {
  const fake::environment named("GLASS_CCCL", add("named", "3000001"));
  cuda::toolchain tools(90, 13);
  source s{"text", "dot", "scope=warp", {}};
  const std::string plain = tools.compiler_of(s);
  s.cub = true;
  EXPECT_EQ(tools.compiler_of(s), plain + ", cccl 3.0.1");
  const image made = tools.compile(s);
  EXPECT_THAT(library.last_options(), Contains("-I" + (root / "named").string()));
  EXPECT_THAT(library.last_options(), Not(Contains("--minimal"))) << "CUB asks for the types of the CUDA runtime";
  EXPECT_EQ(made.log, "") << "warnings about NVIDIA's headers";
  s.cub = false;
  tools.compile(s);
  EXPECT_THAT(library.last_options(), Not(Contains(HasSubstr("-I"))));
}

TEST_F(cccl_folders, the_list_of_libraries_says_what_was_found_and_why_not) {
  const auto told = [] {
    for (const library_state& l : nvidia_libraries())
      if (l.name == "CCCL") return l;
    return library_state{};
  };
  {
    const fake::environment named("GLASS_CCCL", add("named", "3000001"));
    EXPECT_TRUE(told().usable());
    EXPECT_EQ(told().version, "3.0.1");
    EXPECT_THAT(told().adds, HasSubstr("CUB"));
  }
  const fake::environment named("GLASS_CCCL", root / "nowhere");
  EXPECT_FALSE(told().usable());
  EXPECT_THAT(told().install, HasSubstr("--target ~/.local/share/glass/cccl nvidia-cuda-cccl"));
}

}  // namespace
