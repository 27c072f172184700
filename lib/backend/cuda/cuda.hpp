// The cuda backend: NVIDIA GPUs through the Driver API and NVRTC, both by dlopen. Public to the CLI and tests, not
// installed.
#pragma once
#include <memory>

#include "backend/backend.hpp"

namespace glass::jit {

// The index-th GPU that this process sees. Throws errc::no_driver, no_device with what to install or choose.
std::shared_ptr<backend> open_cuda_backend(int index = 0);

}  // namespace glass::jit
