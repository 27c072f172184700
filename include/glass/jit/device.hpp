// What the runtime knows of the device it runs on. Capability, not name, decides what can be reused from another
// device.
#pragma once
#include <cstddef>
#include <string>

namespace glass::jit {

struct device_description {
  std::string id;       // "cuda:0", "host"
  std::string backend;  // "cuda", "host"
  std::string name;     // "NVIDIA H200", "Intel(R) Xeon(R) …"
  std::string target;   // what images are compiled for: "sm_90"; on the host the ISA: "x86-64-v4"
  int sm_count = 1;     // multiprocessors; on the host cores that the pool uses
  int warp_size = 32;
  int max_threads_per_block = 1024;
  int max_threads_per_sm = 2048;
  int max_blocks_per_sm = 32;
  int registers_per_sm = 65536;
  int registers_per_block = 65536;
  std::size_t shared_per_block = 48 << 10;        // without opting in
  std::size_t shared_per_block_optin = 48 << 10;  // with
  std::size_t shared_per_sm = 48 << 10;
  std::size_t l2_bytes = 0;
  std::size_t memory_bytes = 0;
  int memory_bus_bits = 0;
  int clock_khz = 0, memory_clock_khz = 0;
  bool integrated = false;
  std::string mig;                          // the MIG slice, empty without
  std::string power_class = "unspecified";  // lib/backend/power.hpp: "limit=700W", "nvpmodel=MODE_30W clocks=free"
  std::string driver;                       // "580.159 (CUDA 13.0)"; empty on the host

  // Capability as text: "cuda sm_90 sm=132 shared=233472/232448 l2=… bus=… mig=- integrated=0". The device part of a
  // decision's key. Integrated GPUs: bus=0, for their drivers tell it differently.
  std::string fingerprint() const;
  int arch() const;  // 90 of "sm_90"; 0 on the host
};

}  // namespace glass::jit
