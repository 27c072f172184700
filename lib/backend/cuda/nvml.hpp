// What NVML knows and the Driver API does not: the driver's version, the power limit, clocks and throttling. Everything
// here is optional: without libnvidia-ml (Jetson has none) the answers are empty.
#pragma once
#include <string>

#include "shared_library.hpp"

namespace glass::jit::cuda {

class nvml {
 public:
  // libnvidia-ml.so.1 ($GLASS_LIBNVML names another file); `bus_id` as cuDeviceGetPCIBusId gives it.
  explicit nvml(const std::string& bus_id);
  std::string driver_version() const;  // "580.95.05"
  // "limit=700W": the limit in force now; with "clocks=1410MHz" where application clocks are set (nvidia-smi -ac).
  // NVML does not tell clocks locked by nvidia-smi -lgc. "" without an answer.
  std::string power_class() const;
  struct clocks {
    unsigned sm_mhz = 0;               // 0: unknown
    unsigned long long slowed_by = 0;  // reasons that lower clocks: power or temperature
  };
  clocks read() const;

 private:
  shared_library library_;
  void* device_ = nullptr;
  int (*clock_info_)(void* device, int type, unsigned* mhz) = nullptr;
  int (*reasons_)(void* device, unsigned long long* bits) = nullptr;
};

// Whether two readings around a measurement say that it is not comparable: the SM clock moved by more than 3 %, or a
// reason came or went.
bool disturbed(const nvml::clocks& before, const nvml::clocks& after);

}  // namespace glass::jit::cuda
