// NVIDIA's real libraries where this machine has them: scripts/test fetches their wheels and names the files in
// GLASS_NVIDIA_LIBRARIES ("…/libmathdx.so.0:…/libnvJitLink.so.13"), NVRTC's in GLASS_NVRTC_LIBRARIES. Without these names
// they are looked for as always.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>

#include "backend/cuda/toolchain.hpp"

namespace glass::jit {

inline void name_real_libraries() {
  const auto split = [](const char* list) {
    std::stringstream words(list ? list : "");
    std::vector<std::string> files;
    for (std::string file; std::getline(words, file, ':');) files.push_back(file);
    return files;
  };
  for (const auto& file : split(std::getenv("GLASS_NVIDIA_LIBRARIES")))
    ::setenv(file.find("mathdx") != std::string::npos ? "GLASS_LIBMATHDX" : "GLASS_NVJITLINK", file.c_str(), 0);
  for (const auto& file : split(std::getenv("GLASS_NVRTC_LIBRARIES")))
    if (file.find(".so.13") != std::string::npos) ::setenv("GLASS_NVRTC", file.c_str(), 0);
}

// A test with the real libraries; skipped with the sentence that says what is missing.
class with_nvidia : public ::testing::Test {
 protected:
  void SetUp() override {
    name_real_libraries();
    try {
      cuda::toolchain(90, 0).libraries();
    } catch (const error& e) { GTEST_SKIP() << e.message() << " " << e.hint(); }
  }
};

}  // namespace glass::jit
