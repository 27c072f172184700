// Where NVRTC may lie on a machine, and which of several to take.
#include <algorithm>
#include <filesystem>
#include <tuple>

#include "base/text.hpp"
#include "folders.hpp"
#include "nvrtc.hpp"

namespace glass::jit::cuda {
namespace {

// Major and minor without loading the file: its builtins library carries both, the file itself often the major alone.
std::pair<int, int> release_of(const std::string& file) {
  const auto own = numbers_of(file);
  if (own.empty()) return {0, 0};
  if (own.size() >= 3) return {own[0], own[1]};
  const std::string folder = std::filesystem::path(file).parent_path();
  for (const auto& builtins : matches(folder + "/libnvrtc-builtins.so." + std::to_string(own[0]) + ".*")) {
    const auto numbers = numbers_of(builtins);
    if (numbers.size() == 2) return {numbers[0], numbers[1]};
  }
  return {own[0], 0};
}

constexpr const char* sonames[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"};
const char* const how_to_install =
    "Install the CUDA toolkit, or the wheel alone: pip install --no-deps --target ~/.local/share/glass/nvrtc "
    "nvidia-cuda-nvrtc (for a driver of CUDA "
    "12: nvidia-cuda-nvrtc-cu12); or name the file in GLASS_NVRTC.";

std::string list_of(const std::vector<int>& architectures) {
  std::vector<std::string> names;
  for (int a : architectures) names.push_back("sm_" + std::to_string(a));
  return join(names, " ");
}

}  // namespace

std::vector<std::string> nvrtc::find() {
  if (const std::string named = environment("GLASS_NVRTC"); !named.empty()) return {named};
  std::vector<std::string> files;
  for (const char* name : sonames) files.push_back(loaded_already(name));
  for (const auto& folder : library_folders("cuda_nvrtc")) {
    for (auto& file : matches(folder + "/libnvrtc.so.[0-9]*")) files.push_back(std::move(file));
  }
  std::vector<std::tuple<std::pair<int, int>, std::string>> found;
  for (const auto& file : real_files(files)) found.emplace_back(release_of(file), file);
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return std::get<0>(a) > std::get<0>(b); });
  std::vector<std::string> sorted;
  for (const auto& f : found) sorted.push_back(std::get<1>(f));
  return sorted;
}

std::shared_ptr<const nvrtc> nvrtc::choose(int architecture, int driver_major) {
  std::vector<std::string> files = find();
  if (files.empty())
    files.assign(std::begin(sonames), std::end(sonames));  // folders that only the loader knows (ld.so.conf)
  if (driver_major > 0) {
    std::stable_partition(files.begin(), files.end(),
                          [&](const std::string& file) { return release_of(file).first <= driver_major; });
  }
  std::string trouble, too_old;
  for (const auto& file : files) {
    try {
      auto compiler = std::make_shared<const nvrtc>(file);
      if (compiler->target_for(architecture) != 0) return compiler;
      if (too_old.empty())
        too_old = "NVRTC " + compiler->version() + " (" + file + ") knows " + list_of(compiler->architectures());
    } catch (const error& e) { trouble += e.message() + "\n" + e.log(); }
  }
  if (!too_old.empty()) {
    throw error({errc::compiler_too_old,
                 stage::compile,
                 "no NVRTC here compiles for this GPU (sm_" + std::to_string(architecture) + "): " + too_old + ".",
                 std::string("Install another release. ") + how_to_install,
                 "choose NVRTC",
                 trouble,
                 {}});
  }
  throw error({errc::no_compiler,
               stage::compile,
               "no NVRTC (the CUDA run-time compiler) was found on this machine.",
               how_to_install,
               "open NVRTC",
               trouble,
               {}});
}

}  // namespace glass::jit::cuda
