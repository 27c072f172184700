// Reads /proc and /sys; whatever is not there keeps its default.
#include "backend/host/device.hpp"

#include <fstream>
#include <sched.h>
#include <unistd.h>

#include "backend/host/compiler.hpp"
#include "backend/power.hpp"

namespace glass::jit {
namespace {
std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line.substr(0, line.find('\0'));  // device-tree strings end with one
}
// The value of "key : value" in a file of such lines.
std::string field(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const std::size_t begin = line.find_first_not_of(" \t", line.find(':') + 1);
    return begin == line.npos ? "" : line.substr(begin);
  }
  return {};
}
std::size_t number(const std::string& text) {  // "2048K" -> 2097152
  char* end = nullptr;
  const std::size_t n = std::strtoull(text.c_str(), &end, 10);
  return *end == 'K' ? n << 10 : *end == 'M' ? n << 20 : n;
}
}  // namespace

int allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));  // more cores than a cpu_set_t holds
}

std::size_t available_memory() { return number(field("/proc/meminfo", "MemAvailable")) << 10; }

device_description describe_host(int workers) {
  const std::string cpu = "/sys/devices/system/cpu/cpu0/";
  device_description d;
  d.id = d.backend = "host";
  d.name = field("/proc/cpuinfo", "model name");
  if (d.name.empty()) d.name = first_line("/proc/device-tree/model");
  if (d.name.empty()) d.name = "CPU";
  d.target = host_target();
  d.sm_count = workers;
  d.warp_size = 32;
  d.shared_per_block = d.shared_per_block_optin = d.shared_per_sm = 228 << 10;
  d.l2_bytes = number(first_line(cpu + "cache/index2/size"));
  d.memory_bytes = number(field("/proc/meminfo", "MemTotal")) << 10;
  d.clock_khz = static_cast<int>(number(first_line(cpu + "cpufreq/cpuinfo_max_freq")));
  d.integrated = true;  // host memory is device memory
  d.power_class = power_class_or_unspecified(host_power_class());
  return d;
}

}  // namespace glass::jit
