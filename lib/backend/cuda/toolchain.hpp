// What the images of one GPU are made with, whether it is here or described by a profile: the NVRTC that suits it,
// looked for when the first compile asks, so that a warm cache needs none; and libmathdx with nvJitLink, when the first
// kernel asks that calls their functions; and the headers of CUB.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cuda/cccl.hpp"
#include "backend/cuda/linker.hpp"
#include "backend/cuda/mathdx.hpp"
#include "backend/cuda/nvrtc.hpp"

namespace glass::jit::cuda {

struct device_libraries {
  std::shared_ptr<const mathdx> functions;
  std::shared_ptr<const linker> link;
};

// What is looked for when it is first asked for: found, or the error that says why not.
template <class T>
class looked_for_once {
 public:
  template <class Find>
  T get(Find find) {
    const std::lock_guard lock(looking_);
    try {
      if (answer_.index() == 0) answer_ = find();
    } catch (const error& e) { answer_ = e; }
    if (const auto* missing = std::get_if<error>(&answer_)) throw error(*missing);
    return std::get<T>(answer_);
  }

 private:
  std::mutex looking_;
  std::variant<std::monostate, T, error> answer_;
};

class toolchain {
 public:
  toolchain(int architecture, int driver_major) : architecture_(architecture), driver_major_(driver_major) {}
  std::shared_ptr<const nvrtc> chosen();  // throws errc::no_compiler, compiler_too_old
  device_libraries libraries();           // throws errc::no_compiler
  cccl headers();                         // the same
  std::string compiler() { return "nvrtc " + chosen()->version(); }
  std::string compiler_of(const source&);
  std::vector<std::string> quick_options() { return chosen()->quick_options(); }
  image compile(const source&);
  block_shape suggested_block(const library_function&);
  bool plausible(const std::vector<unsigned char>& bytes) const;

 private:
  int target() { return chosen()->target_for(architecture_); }
  const int architecture_, driver_major_;
  std::mutex choosing_;
  std::shared_ptr<const nvrtc> nvrtc_;
  looked_for_once<device_libraries> libraries_;
  looked_for_once<cccl> headers_;
};

}  // namespace glass::jit::cuda
