// The fingerprint of a device: capability as text.
#include "glass/jit/device.hpp"

namespace glass::jit {

std::string device_description::fingerprint() const {
  return backend + " " + target + " sm=" + std::to_string(sm_count) + " shared=" + std::to_string(shared_per_sm) + "/" +
         std::to_string(shared_per_block_optin) + " l2=" + std::to_string(l2_bytes) +
         " bus=" + std::to_string(memory_bus_bits) + " mig=" + (mig.empty() ? "-" : mig) +
         " integrated=" + (integrated ? "1" : "0");
}

}  // namespace glass::jit
