// The cuda backend: NVIDIA GPUs through the Driver API and NVRTC, both by dlopen. Public to the CLI and tests, not
// installed.
#pragma once
#include <memory>

#include "backend/backend.hpp"

namespace glass::jit {

// The index-th GPU that this process sees. Throws errc::no_driver, no_device with what to install or choose.
std::shared_ptr<backend> open_cuda_backend(int index = 0);
// A GPU that is not here: compiles for it, `compile_slots` at a time; whatever would need it throws errc::no_device.
std::shared_ptr<backend> open_absent_gpu(const device_description&, int compile_slots);

}  // namespace glass::jit
