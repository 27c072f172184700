// The fingerprint of a device: capability as text. Integrated GPUs are without their bus: one board's driver says 64
// bits in one release, 128 in the next (Orin Nano), or 0 and then 256 (Thor).
#include "glass/jit/device.hpp"

#include <cstdlib>

namespace glass::jit {

std::string device_description::fingerprint() const {
  return backend + " " + target + " sm=" + std::to_string(sm_count) + " shared=" + std::to_string(shared_per_sm) + "/" +
         std::to_string(shared_per_block_optin) + " l2=" + std::to_string(l2_bytes) +
         " bus=" + std::to_string(integrated ? 0 : memory_bus_bits) + " mig=" + (mig.empty() ? "-" : mig) +
         " integrated=" + (integrated ? "1" : "0");
}

int device_description::arch() const { return target.rfind("sm_", 0) == 0 ? std::atoi(target.c_str() + 3) : 0; }

}  // namespace glass::jit
