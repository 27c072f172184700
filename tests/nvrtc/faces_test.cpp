// The faces of glass::nvidia under each generation of NVRTC: with the headers of NVIDIA's libraries that it takes, as far
// as they are on this machine, and the sentences without. (With nvcc: tests/faces.)
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "backend/cuda/cccl.hpp"
#include "base/text.hpp"
#include "compiler.hpp"

namespace glass::test {
namespace {

namespace fs = std::filesystem;

const nvrtc* of_major(int major) {
  for (const auto& c : nvrtc::all())
    if (c.major == major) return &c;
  return nullptr;
}

std::string all_faces() {
  std::ifstream in(GLASS_SOURCE_DIR "/tests/faces/faces.cu");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// A folder of CCCL for this compiler: of what the product finds, and then of those named in GLASS_CCCL_FOLDERS.
std::string cccl_for(const nvrtc& compiler, std::string& why) {
  const jit::cuda::nvrtc same(compiler.path);
  const char* named = std::getenv("GLASS_CCCL_FOLDERS");
  std::vector<std::string> folders = jit::cuda::cccl::find(same);
  for (auto& folder : jit::split(named ? named : "", ':')) folders.push_back(std::move(folder));
  const char* const before = std::getenv("GLASS_CCCL");
  const std::string kept = before ? before : "";
  std::string found;
  for (const auto& folder : folders) {
    if (folder.empty() || !found.empty()) continue;
    setenv("GLASS_CCCL", folder.c_str(), 1);
    try {
      found = jit::cuda::cccl::choose(same).folder;
    } catch (const jit::error& e) { why = e.message(); }
  }
  before ? setenv("GLASS_CCCL", kept.c_str(), 1) : unsetenv("GLASS_CCCL");
  return found;
}

class Faces : public testing::TestWithParam<std::pair<int, std::string>> {};  // a generation, and what it compiles for

TEST_P(Faces, CubCompiles) {
  const nvrtc* compiler = of_major(GetParam().first);
  if (!compiler) GTEST_SKIP() << "no NVRTC " << GetParam().first << " on this machine";
#ifndef GLASS_SLOW_TESTS
  if (GetParam().first == 13) GTEST_SKIP() << "cub_test.cpp has NVRTC 13; with GLASS_SLOW_TESTS here too";
#endif
  std::string why = "no headers of CCCL on this machine";
  const std::string folder = cccl_for(*compiler, why);
  if (folder.empty()) GTEST_SKIP() << why;
  const auto r =
      compiler->compile("#define FACES 1\n#define ONE_TYPE\n" + all_faces(), GetParam().second, false, {"-I" + folder});
  EXPECT_TRUE(r.compiled) << r.log;
}

// A source that calls one face, and the one error that comes of it.
void expect_sentence(const nvrtc& compiler, const std::string& call, const std::string& sentence,
                     const std::vector<std::string>& more = {}) {
  const auto r = compiler.compile("#include <glass/nvidia.cuh>\n__global__ void k(float* x) { " + call + "; }\n",
                                  "sm_80", false, more);
  EXPECT_FALSE(r.compiled);
  EXPECT_NE(r.log.find(sentence), std::string::npos) << r.log;
  std::size_t errors = 0;
  for (std::size_t at = 0; (at = r.log.find("error:", at)) != std::string::npos; ++at) ++errors;
  EXPECT_EQ(errors, 1u) << r.log;
}

TEST_P(Faces, EachLibraryThatIsNotThereIsOneSentenceWhereItsFaceIsCalled) {
  const nvrtc* compiler = of_major(GetParam().first);
  if (!compiler) GTEST_SKIP() << "no NVRTC " << GetParam().first << " on this machine";
  expect_sentence(*compiler, "*x = glass::nvidia::block::dot<float, 8>(x, x)",
                  "glass: the headers of CUB are not found (under NVRTC: -I to the folder of CCCL");
  expect_sentence(*compiler, "glass::nvidia::block::gemm<float, 8, 8, 8>(1, x, x, x)",
                  "glass: the headers of cuBLASDx are not found (cublasdx.hpp): add MathDx to the include path.");
  expect_sentence(*compiler, "glass::nvidia::block::posv<float, 8>(x, x)",
                  "glass: the headers of cuSOLVERDx are not found (cusolverdx.hpp): add MathDx to the include path.");
}

// Folders with nothing but the names that are looked for.
class folder {
 public:
  using files = std::map<std::string, std::string>;  // by name, their texts
  explicit folder(const files& all)
      : path_(fs::path(testing::TempDir()) / ("glass_faces_" + std::to_string(::getpid()))) {
    for (const auto& [name, text] : all) {
      fs::create_directories((path_ / name).parent_path());
      std::ofstream(path_ / name) << text;
    }
  }
  ~folder() { fs::remove_all(path_); }
  std::string option() const { return "-I" + path_.string(); }

 private:
  fs::path path_;
};

TEST(FacesOfHalfALibrary, SayWhatIsMissing) {
  const nvrtc* compiler = of_major(13);
  if (!compiler) GTEST_SKIP() << "no NVRTC 13 on this machine";
  {
    const folder half(folder::files{{"cusolverdx.hpp", "#error half"}});
    expect_sentence(*compiler, "glass::nvidia::block::posv<float, 8>(x, x)",
                    "glass: the headers of cuSOLVERDx are not whole (cusolverdx/database)", {half.option()});
  }
  const folder half(folder::files{{"cublasdx.hpp", "#error half"}});
  expect_sentence(*compiler, "glass::nvidia::block::gemm<float, 8, 8, 8>(1, x, x, x)",
                  "glass: the headers of cuBLASDx need CUTLASS (cute/tensor.hpp)", {half.option()});
}
TEST(FacesOfCccl3, AreASentenceUnderNvrtc11) {
  const nvrtc* compiler = of_major(11);
  if (!compiler) GTEST_SKIP() << "no NVRTC 11 on this machine";
  const folder three(folder::files{{"cuda/std/__cccl/version.h", "#define CCCL_VERSION 3000001\n"},
                                   {"cuda/std/type_traits", "#error three"},
                                   {"cub/block/block_reduce.cuh", "#error three"}});
  expect_sentence(*compiler, "*x = glass::nvidia::warp::dot<float, 8>(x, x)",
                  "glass: the headers of CUB are of CCCL 3, which needs CUDA 12 or later.", {three.option()});
}

#ifdef GLASS_SLOW_TESTS
// The major release that the CUDA headers of a folder are of; 0: there are none.
int cuda_release(const fs::path& folder) {
  std::ifstream in(folder / "cuda_runtime_api.h");
  for (std::string word; in >> word;)
    if (word == "CUDART_VERSION" && in >> word) return std::atoi(word.c_str()) / 1000;
  return 0;
}

// MathDx needs its CUTLASS, CCCL and CUDA's own headers, of the compiler's release: beside CCCL, as a toolkit or the
// wheels have them, or in GLASS_CUDA_INCLUDES.
TEST_P(Faces, MathDxCompiles) {
  const nvrtc* compiler = of_major(GetParam().first);
  const char* mathdx = std::getenv("GLASS_MATHDX");
  if (!compiler || !mathdx) GTEST_SKIP() << "not on this machine: this NVRTC, or MathDx (GLASS_MATHDX)";
  std::string why = "no headers of CCCL on this machine";
  const fs::path cccl = cccl_for(*compiler, why);
  if (cccl.empty()) GTEST_SKIP() << why;
  std::vector<fs::path> places = {cccl, cccl.parent_path(), cccl / "../../cuda_runtime/include"};
  if (const char* named = std::getenv("GLASS_CUDA_INCLUDES"))
    for (const auto& folder : jit::split(named, ':')) places.emplace_back(folder);
  std::string cuda;
  for (const auto& place : places)
    if (cuda.empty() && cuda_release(place) == compiler->major) cuda = place;
  if (cuda.empty()) GTEST_SKIP() << "no CUDA headers of release " << compiler->major << " on this machine";
  const std::string root = mathdx;
  for (const char* architecture : {"sm_80", "sm_90", "sm_120"}) {
    const auto r = compiler->compile(
        "#define FACES 3\n#define ONE_TYPE\n" + all_faces(), architecture, true,
        {"-I" + root + "/include", "-I" + root + "/external/cutlass/include", "-I" + cccl.string(), "-I" + cuda});
    EXPECT_TRUE(r.compiled) << r.log;
  }
}
#endif

INSTANTIATE_TEST_SUITE_P(Nvrtc, Faces,
                         testing::Values(std::pair(11, "sm_80"), std::pair(12, "sm_90"), std::pair(13, "sm_120")),
                         [](const auto& of) { return "of_" + std::to_string(of.param.first); });

}  // namespace
}  // namespace glass::test
