// Device profiles: the description of a device as JSON, so that glass can compile for a GPU that is not there. Shipped
// ones (cache/profiles) are from public figures; `glass info --profile` writes that of a device that is there.
#pragma once
#include <string>
#include <vector>

#include "glass/jit/device.hpp"

namespace glass::jit {

struct device_profile {
  std::string name;    // "jetson-agx-orin-64gb"
  std::string source;  // where the figures come from
  device_description device;
};

std::string profile_to_json(const device_profile&);
// Throws errc::invalid_argument or unknown_name with the place ("p.json: device.sm_count"): a key that is missing or
// not known, a value of another type or beyond what any GPU has, values that contradict each other.
device_profile profile_from_json(const std::string& text, const std::string& where);

const std::vector<device_profile>& shipped_profiles();  // by name
// A file (its name ends in .json or holds a slash), or a shipped profile by its name. Throws errc::io, unknown_name.
device_profile find_profile(const std::string& name_or_file);
// A name for a device: "NVIDIA H100 PCIe" -> "nvidia-h100-pcie".
std::string profile_name(const std::string& device_name);

struct profile_text {
  const char *file, *text;
};
const std::vector<profile_text>& shipped_profile_texts();  // generated from cache/profiles

}  // namespace glass::jit
