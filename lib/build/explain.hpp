// One sentence for the mistakes people make in a kernel's text.
#pragma once
#include "build/build.hpp"

namespace glass::jit {

// A user's function without GLASS_DEVICE compiles here (every function of JIT text is a device function), but not with
// nvcc.
bool lacks_device(const bound_problem&);
std::string missing_device_hint(const bound_problem&);

}  // namespace glass::jit
