// NVML by dlopen; see nvml.hpp.
#include "nvml.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace glass::jit::cuda {
namespace {
constexpr int graphics_clock = 0, sm_clock = 1;  // NVML_CLOCK_GRAPHICS, NVML_CLOCK_SM
// Software power cap, hardware slowdown, software and hardware thermal slowdown, power brake.
constexpr unsigned long long slowdown_bits = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;
}  // namespace

nvml::nvml(const std::string& bus_id) {
  const std::string named = environment("GLASS_LIBNVML");
  library_ = shared_library(named.empty() ? "libnvidia-ml.so.1" : named);
  auto* init = library_.find<int()>("nvmlInit_v2");
  if (init == nullptr || init() != 0) {
    library_ = {};
    return;
  }
  auto* find = library_.find<int(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
  if (find == nullptr || find(bus_id.c_str(), &device_) != 0) device_ = nullptr;
  clock_info_ = library_.find<int(void*, int, unsigned*)>("nvmlDeviceGetClockInfo");
  reasons_ = library_.find<int(void*, unsigned long long*)>("nvmlDeviceGetCurrentClocksThrottleReasons");
}

std::string nvml::driver_version() const {
  char text[96] = {};
  auto* get = library_.find<int(char*, unsigned)>("nvmlSystemGetDriverVersion");
  return get != nullptr && get(text, sizeof text) == 0 ? text : "";
}

std::string nvml::power_class() const {
  if (device_ == nullptr) return "";
  std::string text;
  unsigned milliwatts = 0, set = 0, usual = 0;
  auto* limit = library_.find<int(void*, unsigned*)>("nvmlDeviceGetEnforcedPowerLimit");
  if (limit != nullptr && limit(device_, &milliwatts) == 0 && milliwatts > 0)
    text = "limit=" + std::to_string((milliwatts + 500) / 1000) + "W";
  auto* applied = library_.find<int(void*, int, unsigned*)>("nvmlDeviceGetApplicationsClock");
  auto* otherwise = library_.find<int(void*, int, unsigned*)>("nvmlDeviceGetDefaultApplicationsClock");
  if (applied != nullptr && otherwise != nullptr && applied(device_, graphics_clock, &set) == 0 &&
      otherwise(device_, graphics_clock, &usual) == 0 && set != usual)
    text += (text.empty() ? "clocks=" : " clocks=") + std::to_string(set) + "MHz";
  return text;
}

nvml::clocks nvml::read() const {
  clocks now;
  if (device_ == nullptr) return now;
  if (clock_info_ == nullptr || clock_info_(device_, sm_clock, &now.sm_mhz) != 0) now.sm_mhz = 0;
  if (reasons_ == nullptr || reasons_(device_, &now.slowed_by) != 0) now.slowed_by = 0;
  now.slowed_by &= slowdown_bits;
  return now;
}

bool disturbed(const nvml::clocks& before, const nvml::clocks& after) {
  if (before.slowed_by != after.slowed_by) return true;
  if (before.sm_mhz == 0 || after.sm_mhz == 0) return false;
  const unsigned low = std::min(before.sm_mhz, after.sm_mhz), high = std::max(before.sm_mhz, after.sm_mhz);
  return (high - low) * 100 > 3 * high;
}

}  // namespace glass::jit::cuda
