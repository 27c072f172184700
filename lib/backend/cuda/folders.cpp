#include "folders.hpp"

#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "backend/cuda/shared_library.hpp"
#include "base/text.hpp"

namespace glass::jit::cuda {

namespace fs = std::filesystem;

std::vector<std::string> matches(const std::string& pattern) {
  std::vector<std::string> found;
  glob_t g{};
  if (::glob(pattern.c_str(), 0, nullptr, &g) == 0) found.assign(g.gl_pathv, g.gl_pathv + g.gl_pathc);
  ::globfree(&g);
  return found;
}

std::vector<std::string> library_folders(const std::string& wheel) {
  const std::string home = environment("HOME");
  std::string data = environment("XDG_DATA_HOME");
  if (data.empty() && !home.empty()) data = home + "/.local/share";
  std::vector<std::string> folders, roots;  // roots: of Python packages
  if (!data.empty()) roots = {data + "/glass/*"};
  std::vector<std::string> pythons = {home + "/.local", "/usr/local"};  // and the environments that are active
  for (const auto& folder : split(environment("PATH"), ':')) {
    const auto prefix = fs::path(folder).parent_path().string();
    if (::access((folder + "/python3").c_str(), X_OK) == 0 && prefix.size() > 1) pythons.push_back(prefix);
  }
  for (const auto& python : pythons) {
    roots.push_back(python + "/lib/python3*/site-packages");
    roots.push_back(python + "/lib/python3*/dist-packages");
    folders.push_back(python + "/lib");  // conda
  }
  for (const auto& root : roots) {
    folders.push_back(root + "/nvidia/cu1[0-9]/lib");
    folders.push_back(root + "/nvidia/" + wheel + "/lib");
  }
  for (const auto& folder : split(environment("LD_LIBRARY_PATH"), ':')) folders.push_back(folder);
  for (const auto& toolkit : {environment("CUDA_HOME"), environment("CUDA_PATH")}) {
    if (!toolkit.empty()) folders.push_back(toolkit + "/lib64");
  }
  for (const char* folder : {"/usr/local/cuda*/lib64", "/usr/lib/*-linux-gnu", "/usr/lib64"}) folders.push_back(folder);
  return folders;
}

std::vector<int> numbers_of(const std::string& file) {
  std::vector<int> numbers;
  const auto at = file.rfind(".so.");
  if (at == std::string::npos) return numbers;
  for (const auto& part : split(file.substr(at + 4), '.')) numbers.push_back(std::atoi(part.c_str()));
  return numbers;
}

std::string full_version(const std::string& file, const std::string& wheel, int major, int minor) {
  const std::string release = std::to_string(major) + "." + std::to_string(minor);
  if (const auto at = file.rfind(".so." + release + "."); at != std::string::npos) return file.substr(at + 4);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::path(file).parent_path() / "../../..", ignored)) {
    const std::string name = entry.path().filename();
    const auto at = name.find("-" + release + ".");
    if (name.rfind(wheel, 0) != 0 || at == std::string::npos || entry.path().extension() != ".dist-info") continue;
    return name.substr(at + 1, name.size() - at - 1 - std::string(".dist-info").size());
  }
  const auto bytes = fs::file_size(file, ignored);
  return release + (ignored ? "" : " (" + std::to_string(bytes) + " bytes)");
}

std::vector<std::string> real_files(const std::vector<std::string>& files) {
  std::vector<std::string> real;
  for (const auto& file : files) {
    std::error_code ignored;
    const std::string found = file.empty() ? "" : fs::canonical(file, ignored).string();
    if (!found.empty() && !ignored && std::find(real.begin(), real.end(), found) == real.end()) real.push_back(found);
  }
  return real;
}

std::vector<std::string> library_files(const char* variable, const std::string& name, const std::string& wheel,
                                       std::initializer_list<const char*> loaded,
                                       const std::vector<std::string>& first) {
  if (std::string named = environment(variable); !named.empty()) return {std::move(named)};
  std::vector<std::string> files, folders = library_folders(wheel);
  for (const char* one : loaded) files.push_back(shared_library::loaded_already(one).path());
  folders.insert(folders.begin(), first.begin(), first.end());
  for (const auto& folder : folders)
    for (auto& file : matches(folder + "/lib" + name + ".so.[0-9]*")) files.push_back(std::move(file));
  return real_files(files);
}

std::string how_to_install(const std::string& what, const std::string& folder, const std::string& package,
                           const std::string& name) {
  return what + ": pip install --upgrade --no-deps --target ~/.local/share/glass/" + folder + " " + package +
         "; or name " + name + ".";
}

}  // namespace glass::jit::cuda
