// Choosing once, compiling for the closest architecture that the compiler knows.
#include "backend/cuda/toolchain.hpp"

#include "backend/cuda/cubin.hpp"

namespace glass::jit::cuda {

std::shared_ptr<const nvrtc> toolchain::chosen() {
  const std::lock_guard lock(choosing_);
  if (nvrtc_ == nullptr) nvrtc_ = nvrtc::choose(architecture_, driver_major_);
  return nvrtc_;
}

image toolchain::compile(const source& s) {
  const auto with = chosen();
  return with->compile(s, with->target_for(architecture_));
}

bool toolchain::plausible(const std::vector<unsigned char>& bytes) const {
  return runs_on(cubin_architecture(bytes), architecture_);
}

}  // namespace glass::jit::cuda
