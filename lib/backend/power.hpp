// The power class: what the owner of a machine set that moves its clocks, as normalised text. Part of a decision's key,
// so that bench and robot agree only where they run alike. Reads files below a root folder (tests give recorded ones)
// and runs no program. What varies by itself (temperature, load, the present clock) stays out.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace glass::jit {

inline constexpr char unspecified_power[] = "unspecified";

// The mode that nvpmodel set: the text of /etc/nvpmodel.conf (its modes) and of /var/lib/nvpmodel/status
// ("pmode:0002"): "nvpmodel=MODE_30W gpu=612MHz emc=2133MHz", with the caps that the mode sets. A mode that the conf
// does not list: "nvpmodel=#2". Without a status the conf's own default. "" when neither text says anything.
std::string nvpmodel_class(std::string_view conf, std::string_view status);

// A Jetson's GPU: nvpmodel_class and, from devfreq, "clocks=pinned" (jetson_clocks: least and most are one) or
// "clocks=free"; where there is no nvpmodel "gpu=1300MHz clocks=free". "" on other machines.
std::string jetson_power_class(const std::filesystem::path& root = "/");

// A CPU: "governor=performance turbo=1", on a Jetson behind its mode; what cannot be read is left out. "" if nothing.
std::string host_power_class(const std::filesystem::path& root = "/");

// $GLASS_POWER_CLASS, for containers that hide these files; else `found`; else `unspecified`.
std::string power_class_or_unspecified(const std::string& found);

}  // namespace glass::jit
