// Where NVRTC may lie on a machine, and which of several to take.
#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <tuple>

#include "base/text.hpp"
#include "nvrtc.hpp"

namespace glass::jit::cuda {
namespace {

std::vector<std::string> matches(const std::string& pattern) {
  std::vector<std::string> found;
  glob_t g{};
  if (::glob(pattern.c_str(), 0, nullptr, &g) == 0) found.assign(g.gl_pathv, g.gl_pathv + g.gl_pathc);
  ::globfree(&g);
  return found;
}

// The numbers after "so.": {13, 0, 88} of libnvrtc.so.13.0.88.
std::vector<int> numbers_of(const std::string& file) {
  std::vector<int> numbers;
  const auto at = file.rfind(".so.");
  if (at == std::string::npos) return numbers;
  for (const auto& part : split(file.substr(at + 4), '.')) numbers.push_back(std::atoi(part.c_str()));
  return numbers;
}

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

std::string loaded_already(const char* name) {
  void* library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  link_map* map = nullptr;
  return library != nullptr && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr ? map->l_name : "";
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
  std::vector<std::string> files, folders;
  for (const char* name : sonames) files.push_back(loaded_already(name));
  const std::string home = environment("HOME"), data = environment("XDG_DATA_HOME");
  std::vector<std::string> roots;  // of Python packages
  if (!data.empty()) roots.push_back(data + "/glass/nvrtc");
  if (data.empty() && !home.empty()) roots.push_back(home + "/.local/share/glass/nvrtc");
  std::vector<std::string> pythons = {home + "/.local", "/usr/local"};  // and the environments that are active
  for (const auto& folder : split(environment("PATH"), ':')) {
    const auto prefix = std::filesystem::path(folder).parent_path().string();
    if (::access((folder + "/python3").c_str(), X_OK) == 0 && prefix.size() > 1) pythons.push_back(prefix);
  }
  for (const auto& python : pythons) {
    roots.push_back(python + "/lib/python3*/site-packages");
    roots.push_back(python + "/lib/python3*/dist-packages");
    folders.push_back(python + "/lib");  // conda
  }
  for (const auto& root : roots) {
    folders.push_back(root + "/nvidia/cu1[0-9]/lib");
    folders.push_back(root + "/nvidia/cuda_nvrtc/lib");
  }
  for (const auto& folder : split(environment("LD_LIBRARY_PATH"), ':')) folders.push_back(folder);
  for (const auto& toolkit : {environment("CUDA_HOME"), environment("CUDA_PATH")}) {
    if (!toolkit.empty()) folders.push_back(toolkit + "/lib64");
  }
  for (const char* folder : {"/usr/local/cuda*/lib64", "/usr/lib/*-linux-gnu", "/usr/lib64"}) folders.push_back(folder);
  for (const auto& folder : folders) {
    for (auto& file : matches(folder + "/libnvrtc.so.[0-9]*")) files.push_back(std::move(file));
  }
  std::vector<std::tuple<std::pair<int, int>, std::string>> found;
  for (const auto& file : files) {
    std::error_code ignored;
    const std::string real = file.empty() ? "" : std::filesystem::canonical(file, ignored).string();
    if (real.empty() || ignored) continue;
    if (std::none_of(found.begin(), found.end(), [&](const auto& f) { return std::get<1>(f) == real; })) {
      found.emplace_back(release_of(real), real);
    }
  }
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
