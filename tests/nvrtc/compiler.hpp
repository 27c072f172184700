// An NVRTC library found on this machine, for compile tests without a GPU. Small on purpose, and apart from the cuda
// backend, which these tests do not test.
#pragma once
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/headers.hpp"

namespace glass::test {

class nvrtc {
 public:
  int major = 0, minor = 0;
  std::string path;

  static std::optional<nvrtc> open(const std::string& path) {
    std::error_code none;
    const auto real = std::filesystem::canonical(path, none);
    nvrtc r;
    r.path = none ? path : real.string();
    if (!none) {  // the builtins first, by real path: not every libnvrtc finds its own
      for (const auto& file : std::filesystem::directory_iterator(real.parent_path(), none)) {
        const std::string name = file.path().filename();
        if (name.rfind("libnvrtc-builtins.so.", 0) == 0) dlopen(file.path().c_str(), RTLD_NOW | RTLD_LOCAL);
      }
    }
    r.library_ = dlopen(r.path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!r.library_ || r.function<int(int*, int*)>("nvrtcVersion")(&r.major, &r.minor) != 0) return {};
    return r;
  }

  // Every library named in GLASS_NVRTC_LIBRARIES, and what the loader finds by itself.
  static const std::vector<nvrtc>& all() {
    static const std::vector<nvrtc> found = [] {
      std::vector<nvrtc> list;
      const char* named = std::getenv("GLASS_NVRTC_LIBRARIES");
      std::stringstream paths(std::string(named ? named : "") +
                              ":libnvrtc.so.13:libnvrtc.so.12:libnvrtc.so.11.2:libnvrtc.so");
      for (std::string path; std::getline(paths, path, ':');)
        if (!path.empty())
          if (auto one = open(path)) list.push_back(*one);
      return list;
    }();
    return found;
  }

  struct result {
    bool compiled = false;
    std::string log;
    std::size_t bytes = 0;  // of the cubin
  };
  // As the cuda backend calls it: the device headers from memory, -default-device, --minimal where it is known. Not
  // optimized: what follows the front end does as little as it can, which saves a third of the time.
  // `more`: options such as -I, for which the types of the CUDA runtime are known too (no --minimal).
  result compile(const std::string& text, const std::string& architecture, bool optimized,
                 const std::vector<std::string>& more = {}) const {
    std::vector<std::string> kept;
    std::vector<const char*> headers, names;
    for (const auto& h : jit::embedded_headers()) kept.emplace_back(h.text), kept.emplace_back(h.name);
    for (std::size_t i = 0; i < kept.size(); i += 2)
      headers.push_back(kept[i].c_str()), names.push_back(kept[i + 1].c_str());
    void* program = nullptr;
    result r;
    if (function<int(void**, const char*, const char*, int, const char* const*, const char* const*)>(
            "nvrtcCreateProgram")(&program, text.c_str(), "matrix", int(headers.size()), headers.data(),
                                  names.data()) != 0) {
      r.log = "nvrtcCreateProgram failed";
      return r;
    }
    const std::string target = "--gpu-architecture=" + architecture;
    std::vector<const char*> options = {target.c_str(), "-std=c++17", "-default-device"};
    for (const std::string& option : more) options.push_back(option.c_str());
    if (more.empty() && std::pair(major, minor) >= std::pair(12, 9)) options.push_back("--minimal");
    if (!optimized) options.push_back("--ptxas-options=-O0");
    if (!optimized && std::pair(major, minor) >= std::pair(12, 9)) options.push_back("--Ofast-compile=max");
    r.compiled = function<int(void*, int, const char* const*)>("nvrtcCompileProgram")(program, int(options.size()),
                                                                                      options.data()) == 0;
    std::size_t n = 0;
    function<int(void*, std::size_t*)>("nvrtcGetProgramLogSize")(program, &n);
    r.log.resize(n);
    function<int(void*, char*)>("nvrtcGetProgramLog")(program, r.log.data());
    while (!r.log.empty() && (r.log.back() == '\0' || r.log.back() == '\n')) r.log.pop_back();
    if (r.log.find("Architectures prior to") != std::string::npos && r.log.find('\n') == std::string::npos)
      r.log.clear();  // 12.9 says of sm_72 that later ones will not know it
    if (r.compiled) function<int(void*, std::size_t*)>("nvrtcGetCUBINSize")(program, &r.bytes);
    function<int(void**)>("nvrtcDestroyProgram")(&program);
    return r;
  }

 private:
  template <class F>
  F* function(const char* name) const {
    return reinterpret_cast<F*>(dlsym(library_, name));
  }
  void* library_ = nullptr;
};

}  // namespace glass::test
