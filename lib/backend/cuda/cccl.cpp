// Which CCCL a machine has, and whether NVRTC can compile it.
#include "backend/cuda/cccl.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <tuple>

#include "backend/cuda/folders.hpp"
#include "base/text.hpp"

namespace glass::jit::cuda {
namespace {

namespace fs = std::filesystem;
using numbers = std::tuple<int, int, int>;

// The number of `#define NAME NUMBER` in a file; 0: not there.
int defined_in(const fs::path& file, const std::string& name) {
  std::ifstream in(file);
  for (std::string word; in >> word;)
    if (word == name && in >> word) return std::atoi(word.c_str());
  return 0;
}

// CCCL counts 3000001 for 3.0.1, CUB before it 200302 for 2.3.2.
std::optional<numbers> version_of(const fs::path& folder) {
  if (const int n = defined_in(folder / "cuda/std/__cccl/version.h", "CCCL_VERSION"); n > 0)
    return numbers(n / 1000000, n / 1000 % 1000, n % 1000);
  if (const int n = defined_in(folder / "cub/version.cuh", "CUB_VERSION"); n > 0)
    return numbers(n / 100000, n / 100 % 1000, n % 100);
  return {};
}

std::string text(const numbers& v) {
  return std::to_string(std::get<0>(v)) + "." + std::to_string(std::get<1>(v)) + "." + std::to_string(std::get<2>(v));
}

// Why the headers of this folder are not used, one sentence, or "".
std::string unsuitable(const fs::path& folder, const std::optional<numbers>& version, const nvrtc& compiler) {
  std::error_code ignored;
  for (const char* part : {"cub/block/block_reduce.cuh", "cub/warp/warp_reduce.cuh", "cuda/std/type_traits"})
    if (!fs::exists(folder / part, ignored)) return folder.string() + " is not all of CCCL: it lacks " + part + ".";
  if (!version) return folder.string() + " does not say which CCCL it is (cuda/std/__cccl/version.h).";
  if (*version < numbers(2, 2, 0))
    return "CCCL " + text(*version) + " in " + folder.string() + " is older than 2.2, the first that NVRTC compiles.";
  if (*version >= numbers(3, 0, 0) && compiler.major() < 12)
    return "CCCL " + text(*version) + " in " + folder.string() + " needs NVRTC of CUDA 12 or later; NVRTC here is " +
           compiler.version() + ".";
  return {};
}

}  // namespace

std::vector<std::string> cccl::find(const nvrtc& compiler) {
  if (const std::string named = environment("GLASS_CCCL"); !named.empty()) return {named};
  std::vector<std::string> libraries = library_folders("cuda_cccl"), folders;
  libraries.insert(libraries.begin(), fs::path(compiler.file()).parent_path());
  for (const auto& library : libraries)  // include is beside lib, lib64 or targets/…/lib; a wheel may have no lib
    for (const fs::path& place : {fs::path(library) / "..", (fs::path(library) / "..").lexically_normal()})
      for (const char* include : {"include/cccl", "include"})
        for (auto& folder : matches(place / include))
          if (std::error_code ignored; fs::exists(folder + "/cub", ignored)) folders.push_back(std::move(folder));
  return real_files(folders);
}

cccl cccl::choose(const nvrtc& compiler) {
  std::string trouble;
  std::optional<std::pair<numbers, std::string>> best;
  for (const auto& folder : find(compiler)) {
    const auto version = version_of(folder);
    if (std::string why = unsuitable(folder, version, compiler); !why.empty()) {
      if (trouble.empty()) trouble = std::move(why);
    } else if (!best || *version > best->first) {
      best.emplace(*version, folder);
    }
  }
  if (best) return {best->second, text(best->first)};
  throw error(
      {errc::no_compiler,
       stage::compile,
       trouble.empty() ? "the headers of CCCL (CUB) were not found on this machine." : trouble,
       how_to_install("CCCL comes with the CUDA toolkit, or install it alone", "cccl",
                      "nvidia-cuda-cccl (for CUDA 11 and 12: nvidia-cuda-cccl-cu12)", "its folder in GLASS_CCCL"),
       "find CCCL",
       {},
       {}});
}

}  // namespace glass::jit::cuda
