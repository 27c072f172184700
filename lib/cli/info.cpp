// glass info: which devices, drivers and compilers there are, what is missing and what to install, and where the cache
// is.
#include <cstdio>

#include <fstream>

#include "backend/backend.hpp"
#include "backend/libraries.hpp"
#include "base/text.hpp"
#include "catalog/profile.hpp"
#include "cli/command.hpp"
#include "store/store.hpp"

namespace glass::jit::cli {
namespace {

struct missing {
  std::string what;
  const error why;
};

json device_json(backend& b, std::vector<missing>& lacks) {
  const device_description& d = b.device();
  json j = {{"id", d.id},
            {"backend", d.backend},
            {"name", d.name},
            {"target", d.target},
            {"driver", d.driver},
            {"compiler", ""},
            {"cores", d.sm_count},
            {"memory_bytes", d.memory_bytes},
            {"shared_bytes_per_block", d.shared_per_block_optin},
            {"power_class", d.power_class},
            {"fingerprint", d.fingerprint()}};
  try {
    j["compiler"] = b.compiler();
  } catch (const error& e) { lacks.push_back({"compiler of " + d.id, e}); }
  return j;
}

json gather(std::vector<missing>& lacks) {
  json devices = json::array();
  for (int ordinal = 0;; ++ordinal) {
    try {
      devices.push_back(device_json(*open_backend("cuda:" + std::to_string(ordinal)), lacks));
    } catch (const error& e) {
      if (ordinal == 0) lacks.push_back({"GPU", e});
      if (ordinal == 0 || e.code() == errc::no_device) break;
      lacks.push_back({"GPU " + std::to_string(ordinal), e});
      break;
    }
  }
  try {
    devices.push_back(device_json(*open_backend("host"), lacks));
  } catch (const error& e) { lacks.push_back({"host", e}); }
  return devices;
}

// NVIDIA's libraries, found or not: `usable` is what counts.
json libraries_json() {
  json all = json::array();
  for (const library_state& l : nvidia_libraries())
    all.push_back({{"name", l.name},
                   {"usable", l.usable()},
                   {"version", l.version},
                   {"file", l.file},
                   {"adds", l.adds},
                   {"reason", l.trouble},
                   {"install", l.usable() ? "" : l.install}});
  return all;
}

void print_libraries(const json& all) {
  for (const auto& l : all) {
    const auto text = [&](const char* key) { return l[key].get<std::string>(); };
    if (l["usable"])
      std::printf("library  %s %s: %s\n         %s\n", text("name").c_str(), text("version").c_str(),
                  text("adds").c_str(), text("file").c_str());
    else
      std::printf("optional %s: %s\n         It adds %s. %s\n", text("name").c_str(), text("reason").c_str(),
                  text("adds").c_str(), text("install").c_str());
  }
}

int run(bool as_json) {
  std::vector<missing> lacks;
  const json devices = gather(lacks);
  const auto rows = store::open(store::default_folder(), std::make_shared<warner>([](const std::string&) {}));
  const cache_stats cache = rows->stats();
  const json libraries = libraries_json();
  json absent = json::array();
  for (const auto& m : lacks)
    absent.push_back(
        {{"what", m.what}, {"code", name(m.why.code())}, {"reason", m.why.message()}, {"install", m.why.hint()}});
  const json all = {{"version", GLASS_VERSION},
                    {"devices", devices},
                    {"missing", absent},
                    {"libraries", libraries},
                    {"cache",
                     {{"location", cache.location},
                      {"persistent", rows->persistent()},
                      {"trouble", cache.trouble},
                      {"bytes", cache.bytes},
                      {"images", cache.images},
                      {"decisions", cache.decisions}}}};
  if (as_json) {
    print(all);
  } else {
    std::printf("glass %s\n", GLASS_VERSION);
    for (const auto& d : devices) {
      const auto text = [&](const char* key) { return d[key].get<std::string>(); };
      std::printf("%-8s %s, %s%s%s\n", text("id").c_str(), text("name").c_str(), text("target").c_str(),
                  text("driver").empty() ? "" : ", driver ", text("driver").c_str());
      std::printf("         compiler: %s\n", text("compiler").empty() ? "none" : text("compiler").c_str());
      std::printf("         power class: %s\n         fingerprint: %s\n", text("power_class").c_str(),
                  text("fingerprint").c_str());
    }
    for (const auto& m : lacks)
      std::printf("missing  %s: %s%s%s\n", m.what.c_str(), m.why.message().c_str(),
                  m.why.hint().empty() ? "" : "\n         ", m.why.hint().c_str());
    print_libraries(libraries);
    std::printf("cache    %s%s%s: %s, %lld images, %lld decisions\n", cache.location.c_str(),
                cache.trouble.empty() ? "" : ", ", cache.trouble.c_str(), size_text(cache.bytes).c_str(),
                static_cast<long long>(cache.images), static_cast<long long>(cache.decisions));
  }
  return devices.empty() ? 1 : 0;
}

// This machine's device as a profile, into `file` or to stdout.
int write_profile(const std::string& device, const std::string& file) {
  device_profile p;
  p.device = open_device(device)->device();
  p.name = profile_name(p.device.name);
  p.source = "glass info --profile, glass " GLASS_VERSION ", on a machine with " + p.device.name +
             (p.device.driver.empty() ? "" : ", driver " + p.device.driver);
  const std::string text = profile_to_json(p);
  if (file.empty()) return std::fputs(text.c_str(), stdout) < 0 ? 1 : 0;
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush())
    throw error(errc::io, stage::device, "the profile cannot be written to " + file + ".",
                "Name a file in a folder that exists and can be written.");
  return 0;
}

int list_profiles(bool as_json) {
  json all = json::array();
  std::vector<std::vector<std::string>> rows = {{"profile", "device", "target", "fingerprint"}};
  for (const auto& p : shipped_profiles()) {
    all.push_back({{"name", p.name},
                   {"device", p.device.name},
                   {"target", p.device.target},
                   {"fingerprint", p.device.fingerprint()},
                   {"source", p.source}});
    rows.push_back({p.name, p.device.name, p.device.target, p.device.fingerprint()});
  }
  if (as_json)
    print({{"profiles", all}});
  else
    print_table(rows);
  return 0;
}

struct arguments {
  bool json = false, list = false;
  std::string device, file;
};

}  // namespace

action add_info(CLI::App& app) {
  CLI::App* sub =
      app.add_subcommand("info", "devices, drivers, compilers found and missing, cache location, what to install");
  const auto a = std::make_shared<arguments>();
  sub->add_flag("--json", a->json, "print JSON");
  CLI::Option* profile =
      sub->add_option("--profile", a->file, "write the device as a profile for `glass prewarm`, to FILE or stdout")
          ->expected(0, 1)
          ->type_name("FILE");
  sub->add_option("--device", a->device, "with --profile: host, cuda:0 … (default: as everywhere)")->needs(profile);
  sub->add_flag("--profiles", a->list, "list the profiles that glass ships")->excludes(profile);
  return [a, profile] {
    return a->list ? list_profiles(a->json) : *profile ? write_profile(a->device, a->file) : run(a->json);
  };
}

}  // namespace glass::jit::cli
