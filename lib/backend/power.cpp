// Reads nvpmodel's files, devfreq and cpufreq. See power.hpp.
#include "backend/power.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include "base/text.hpp"

namespace glass::jit {
namespace {
namespace fs = std::filesystem;

constexpr long long no_cap = 2147483647;  // so, as -1 or as 0, nvpmodel.conf writes "as fast as it goes"

std::string whole(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}
std::string first_word(const fs::path& file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  return word;
}
std::optional<long long> number(const std::string& text) {
  char* end = nullptr;
  const long long n = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0') return std::nullopt;
  return n;
}
std::string megahertz(long long hertz) { return std::to_string((hertz + 500000) / 1000000) + "MHz"; }

struct mode {
  std::string name;
  long long gpu = 0, emc = 0;  // caps in Hz; 0: none
};
struct modes {
  std::vector<std::pair<long long, mode>> by_id;
  std::optional<long long> usual;
};

// "< POWER_MODEL ID=2 NAME=MODE_30W >", then lines such as "GPU MAX_FREQ 612000000"; "< PM_CONFIG DEFAULT=2 >".
modes modes_of(std::string_view conf) {
  modes all;
  mode* open = nullptr;
  for (const auto& raw : split(std::string(conf), '\n')) {
    std::istringstream line(raw);
    std::vector<std::string> words;
    for (std::string w; line >> w;) words.push_back(w);
    if (words.empty()) continue;
    const auto value = [&](const std::string& key) {
      for (const auto& w : words)
        if (w.rfind(key + "=", 0) == 0) return w.substr(key.size() + 1);
      return std::string();
    };
    if (words[0] == "<") {
      open = nullptr;
      if (words.size() < 2) continue;
      if (words[1] == "PM_CONFIG") all.usual = number(value("DEFAULT"));
      const auto id = number(value("ID"));
      if (words[1] != "POWER_MODEL" || !id || value("NAME").empty()) continue;
      all.by_id.push_back({*id, {value("NAME"), 0, 0}});
      open = &all.by_id.back().second;
    } else if (open != nullptr && words.size() >= 3 && words[1] == "MAX_FREQ") {
      const auto hertz = number(words[2]);
      if (!hertz || *hertz <= 0 || *hertz == no_cap) continue;
      if (words[0].rfind("GPU", 0) == 0) open->gpu = open->gpu == 0 ? *hertz : std::min(open->gpu, *hertz);
      if (words[0] == "EMC") open->emc = *hertz;
    }
  }
  return all;
}

// "pmode:0002 fmode:quiet" -> 2
std::optional<long long> mode_number(std::string_view status) {
  const auto at = status.find("pmode:");
  if (at == status.npos) return std::nullopt;
  const auto digits = status.substr(at + 6);
  return number(std::string(digits.substr(0, digits.find_first_not_of("0123456789"))));
}

// The folder of the GPU among the devfreq devices: 17000000.ga10b (Orin, JetPack 5) or .gpu (6), 17000000.gv11b
// (Xavier), gpu-gpc-0 (Thor).
std::optional<fs::path> gpu_devfreq(const fs::path& root) {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(root / "sys/class/devfreq", ignored)) {
    const std::string name = entry.path().filename();
    const auto ends = [&](const std::string& s) {
      return name.size() >= s.size() && name.compare(name.size() - s.size(), s.size(), s) == 0;
    };
    if (name.rfind("gpu-gpc", 0) == 0 || ends(".gpu") || ends(".ga10b") || ends(".gv11b")) found.push_back(entry);
  }
  if (found.empty()) return std::nullopt;
  return *std::min_element(found.begin(), found.end());
}

std::string nvpmodel_class_of(const fs::path& root) {
  return nvpmodel_class(whole(root / "etc/nvpmodel.conf"), whole(root / "var/lib/nvpmodel/status"));
}

}  // namespace

std::string nvpmodel_class(std::string_view conf, std::string_view status) {
  const modes known = modes_of(conf);
  const auto set = mode_number(status);
  const auto id = set ? set : known.usual;
  if (!id) return "";
  for (const auto& [number, m] : known.by_id) {
    if (number != *id) continue;
    return "nvpmodel=" + m.name + (m.gpu > 0 ? " gpu=" + megahertz(m.gpu) : "") +
           (m.emc > 0 ? " emc=" + megahertz(m.emc) : "");
  }
  return "nvpmodel=#" + std::to_string(*id);
}

std::string jetson_power_class(const fs::path& root) {
  std::string text = nvpmodel_class_of(root);
  const auto gpu = gpu_devfreq(root);
  if (!gpu) return text;
  const auto least = number(first_word(*gpu / "min_freq")), most = number(first_word(*gpu / "max_freq"));
  if (!least || !most) return text;
  if (text.empty()) text = "gpu=" + megahertz(*most);
  return text + (*least == *most ? " clocks=pinned" : " clocks=free");
}

std::string host_power_class(const fs::path& root) {
  const fs::path cpu = root / "sys/devices/system/cpu";
  std::vector<std::string> parts;
  // The mode alone: its caps are those of the GPU and the memory.
  if (const auto words = split(nvpmodel_class_of(root), ' '); !words.empty()) parts.push_back(words[0]);
  if (const auto governor = first_word(cpu / "cpu0/cpufreq/scaling_governor"); !governor.empty())
    parts.push_back("governor=" + governor);
  const auto off = first_word(cpu / "intel_pstate/no_turbo"), on = first_word(cpu / "cpufreq/boost");
  if (off == "0" || off == "1")
    parts.push_back(std::string("turbo=") + (off == "0" ? "1" : "0"));
  else if (on == "0" || on == "1")
    parts.push_back("turbo=" + on);
  return join(parts, " ");
}

std::string power_class_or_unspecified(const std::string& found) {
  if (const std::string named = environment("GLASS_POWER_CLASS"); !named.empty()) return named;
  return found.empty() ? unspecified_power : found;
}

}  // namespace glass::jit
