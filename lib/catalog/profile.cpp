// The JSON of device profiles, both ways, with every figure within what a GPU can have.
#include "catalog/profile.hpp"

#include <cctype>

#include "catalog/spec.hpp"
#include "catalog/spec_reader.hpp"

namespace glass::jit {
namespace {

constexpr int format = 1;

// The numbers of a description by name, with the least and the most that they can be.
template <class Device, class Visit>
void each_number(Device& d, const Visit& visit) {
  visit("sm_count", d.sm_count, 1, 1024);
  visit("warp_size", d.warp_size, 32, 32);
  visit("max_threads_per_block", d.max_threads_per_block, 32, 1024);
  visit("max_threads_per_sm", d.max_threads_per_sm, 32, 4096);
  visit("max_blocks_per_sm", d.max_blocks_per_sm, 1, 128);
  visit("registers_per_sm", d.registers_per_sm, 1024, 1 << 20);
  visit("registers_per_block", d.registers_per_block, 1024, 1 << 20);
  visit("shared_per_block", d.shared_per_block, 1 << 10, 1 << 20);
  visit("shared_per_block_optin", d.shared_per_block_optin, 1 << 10, 1 << 20);
  visit("shared_per_sm", d.shared_per_sm, 1 << 10, 1 << 20);
  visit("l2_bytes", d.l2_bytes, 0, 1LL << 32);
  visit("memory_bytes", d.memory_bytes, 1 << 20, 1LL << 44);
  visit("memory_bus_bits", d.memory_bus_bits, 0, 1 << 16);
  visit("clock_khz", d.clock_khz, 0, 10000000);
  visit("memory_clock_khz", d.memory_clock_khz, 0, 100000000);
}

std::vector<std::string> device_keys() {
  std::vector<std::string> keys = {"backend", "name", "target"};
  const device_description any;
  each_number(any, [&](const char* key, const auto&, long long, long long) { keys.push_back(key); });
  for (const char* key : {"integrated", "mig", "power_class", "driver"}) keys.push_back(key);
  return keys;
}

bool is_target(const std::string& t) {  // sm_87
  return t.rfind("sm_", 0) == 0 && (t.size() == 5 || t.size() == 6) &&
         t.find_first_not_of("0123456789", 3) == std::string::npos;
}

device_description device_from(const json& v, const std::string& where) {
  const object_reader r(v, where, device_keys());
  device_description d;
  for (const char* key : {"backend", "name", "target", "integrated"}) r.require(key);
  r.read("backend", d.backend), r.read("name", d.name), r.read("target", d.target);
  if (d.backend != "cuda" && d.backend != "host")
    refuse(errc::invalid_argument, r.at("backend") + ": '" + d.backend + "' is neither cuda nor host.");
  if (d.backend == "cuda" && !is_target(d.target))
    refuse(errc::invalid_argument, r.at("target") + ": '" + d.target + "' is no architecture such as sm_87.");
  each_number(d, [&](const char* key, auto& to, long long least, long long most) {
    r.require(key);
    long long n = 0;
    r.read(key, n);
    if (n < least || n > most)
      refuse(errc::invalid_argument, r.at(key) + ": " + std::to_string(n) + " is not from " + std::to_string(least) +
                                         " to " + std::to_string(most) + ".");
    to = static_cast<std::remove_reference_t<decltype(to)>>(n);
  });
  r.read("integrated", d.integrated), r.read("mig", d.mig), r.read("driver", d.driver);
  r.read("power_class", d.power_class);
  const auto in_order = [&](const char* less, std::size_t a, const char* more, std::size_t b) {
    if (a > b)
      refuse(errc::invalid_argument,
             r.at(less) + ": " + std::to_string(a) + " is more than " + more + ", " + std::to_string(b) + ".");
  };
  in_order("shared_per_block", d.shared_per_block, "shared_per_block_optin", d.shared_per_block_optin);
  in_order("shared_per_block_optin", d.shared_per_block_optin, "shared_per_sm", d.shared_per_sm);
  in_order("registers_per_block", std::size_t(d.registers_per_block), "registers_per_sm",
           std::size_t(d.registers_per_sm));
  in_order("max_threads_per_block", std::size_t(d.max_threads_per_block), "max_threads_per_sm",
           std::size_t(d.max_threads_per_sm));
  return d;
}

}  // namespace

std::string profile_to_json(const device_profile& p) {
  const device_description& d = p.device;
  json device = {{"backend", d.backend}, {"name", d.name}, {"target", d.target}};
  each_number(d, [&](const char* key, const auto& value, long long, long long) { device[key] = value; });
  device["integrated"] = d.integrated, device["mig"] = d.mig, device["power_class"] = d.power_class,
  device["driver"] = d.driver;
  const json all = {{"glass_device_profile", format}, {"name", p.name}, {"source", p.source}, {"device", device}};
  return all.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

device_profile profile_from_json(const std::string& text, const std::string& where) {
  const json parsed = parse_json(text, where);
  const object_reader r(parsed, where, {"glass_device_profile", "name", "source", "device"});
  for (const char* key : {"glass_device_profile", "name", "device"}) r.require(key);
  int version = 0;
  r.read("glass_device_profile", version);
  if (version != format)
    refuse(errc::invalid_argument,
           r.at("glass_device_profile") + ": this glass reads format " + std::to_string(format) + ", not " +
               std::to_string(version) + ".",
           "Write it again with `glass info --profile` of this version.");
  device_profile p;
  r.read("name", p.name), r.read("source", p.source);
  p.device = device_from(parsed["device"], r.at("device"));
  p.device.id = "profile " + p.name;
  return p;
}

const std::vector<device_profile>& shipped_profiles() {
  static const std::vector<device_profile> all = [] {
    std::vector<device_profile> list;
    for (const auto& t : shipped_profile_texts()) list.push_back(profile_from_json(t.text, t.file));
    return list;
  }();
  return all;
}

device_profile find_profile(const std::string& name) {
  const std::string end = ".json";
  if (name.find('/') != std::string::npos ||
      (name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0))
    return profile_from_json(read_text(name), name);
  std::vector<std::string> known;
  for (const auto& p : shipped_profiles()) {
    if (p.name == name) return p;
    known.push_back(p.name);
  }
  refuse(errc::unknown_name, "no device profile is called '" + name + "'." + did_you_mean(name, known),
         "Shipped are " + join(known, ", ") + "; or give the file that `glass info --profile FILE` wrote.");
}

std::string profile_name(const std::string& device_name) {
  std::string name;
  for (const char c : device_name) {
    const bool kept = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (kept)
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? "device" : name;
}

}  // namespace glass::jit
