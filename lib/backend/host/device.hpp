// What this machine is, as a device.
#pragma once
#include "glass/jit/device.hpp"

namespace glass::jit {
int allowed_cores();             // by the affinity of this process
std::size_t available_memory();  // bytes, an estimate by the kernel
device_description describe_host(int workers);
}  // namespace glass::jit
