// What the images of one GPU are made with, whether it is here or described by a profile: the NVRTC that suits it,
// looked for when the first compile asks, so that a warm cache needs none.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cuda/nvrtc.hpp"

namespace glass::jit::cuda {

class toolchain {
 public:
  toolchain(int architecture, int driver_major) : architecture_(architecture), driver_major_(driver_major) {}
  std::shared_ptr<const nvrtc> chosen();  // throws errc::no_compiler, compiler_too_old
  std::string compiler() { return "nvrtc " + chosen()->version(); }
  std::vector<std::string> quick_options() { return chosen()->quick_options(); }
  image compile(const source&);
  bool plausible(const std::vector<unsigned char>& bytes) const;

 private:
  const int architecture_, driver_major_;
  std::mutex choosing_;
  std::shared_ptr<const nvrtc> nvrtc_;
};

}  // namespace glass::jit::cuda
