// Where NVIDIA's libraries may lie on a machine, and which release a file is, without loading it.
#pragma once
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace glass::jit::cuda {

std::vector<std::string> matches(const std::string& pattern);  // of glob(7)
// Patterns of folders, in the order of preference: those below $XDG_DATA_HOME/glass, else ~/.local/share/glass, where
// wheels are installed, Python environments, LD_LIBRARY_PATH, toolkits, system folders. `wheel`: the folder that older
// wheels of the library use, "cuda_nvrtc".
std::vector<std::string> library_folders(const std::string& wheel);
// The numbers after "so.": {13, 0, 88} of libnvrtc.so.13.0.88.
std::vector<int> numbers_of(const std::string& file);
// "13.0.88" of a library of release 13.0: from the file's name or the metadata of its wheel (nvidia_cuda_nvrtc); else
// the release with the file's size, which tells builds apart as well.
std::string full_version(const std::string& file, const std::string& wheel, int major, int minor);
// Of libNAME.so: the file that the environment's `variable` names, alone if set; else those that this process has loaded
// by the names `loaded` already, those in the folders `first`, then in library_folders(wheel). Real paths, each once.
std::vector<std::string> library_files(const char* variable, const std::string& name, const std::string& wheel,
                                       std::initializer_list<const char*> loaded,
                                       const std::vector<std::string>& first = {});
// Files by their real paths, each once.
std::vector<std::string> real_files(const std::vector<std::string>& files);
// "WHAT: pip install … PACKAGE; or name NAME." into a folder that library_folders knows, and that no other package is
// in: they all hold a folder `nvidia`, and pip leaves one alone that is there already, or replaces it with --upgrade.
std::string how_to_install(const std::string& what, const std::string& folder, const std::string& package,
                           const std::string& name);

}  // namespace glass::jit::cuda
