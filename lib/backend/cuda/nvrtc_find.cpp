// Where NVRTC may lie on a machine, and which of several to take.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

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

constexpr std::initializer_list<const char*> sonames = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"};
std::string install() {
  return how_to_install("Install the CUDA toolkit, or the wheel alone", "nvrtc",
                        "nvidia-cuda-nvrtc (for a driver of CUDA 12: nvidia-cuda-nvrtc-cu12)",
                        "the file in GLASS_NVRTC");
}

std::string list_of(const std::vector<int>& architectures) {
  std::vector<std::string> names;
  for (int a : architectures) names.push_back("sm_" + std::to_string(a));
  return join(names, " ");
}

}  // namespace

std::vector<std::string> nvrtc::find() {
  std::multimap<std::pair<int, int>, std::string, std::greater<>> newest_first;
  for (auto& file : library_files("GLASS_NVRTC", "nvrtc", "cuda_nvrtc", sonames))
    newest_first.emplace(release_of(file), std::move(file));
  std::vector<std::string> files;
  for (auto& [release, file] : newest_first) files.push_back(std::move(file));
  return files;
}

std::shared_ptr<const nvrtc> nvrtc::choose(int architecture, int driver_major) {
  std::vector<std::string> files = find();
  if (files.empty()) files.assign(sonames.begin(), sonames.end());  // folders that only the loader knows (ld.so.conf)
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
                 "Install another release. " + install(),
                 "choose NVRTC",
                 trouble,
                 {}});
  }
  throw error({errc::no_compiler,
               stage::compile,
               "no NVRTC (the CUDA run-time compiler) was found on this machine.",
               install(),
               "open NVRTC",
               trouble,
               {}});
}

}  // namespace glass::jit::cuda
