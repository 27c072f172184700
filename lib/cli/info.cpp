// glass info: which devices, drivers and compilers there are, what is missing and what to install, and where the cache
// is.
#include <cstdio>

#include "backend/backend.hpp"
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

int run(bool as_json) {
  std::vector<missing> lacks;
  const json devices = gather(lacks);
  const auto rows = store::open(store::default_folder(), std::make_shared<warner>([](const std::string&) {}));
  const cache_stats cache = rows->stats();
  json absent = json::array();
  for (const auto& m : lacks)
    absent.push_back(
        {{"what", m.what}, {"code", name(m.why.code())}, {"reason", m.why.message()}, {"install", m.why.hint()}});
  const json all = {{"version", GLASS_VERSION},
                    {"devices", devices},
                    {"missing", absent},
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
    }
    for (const auto& m : lacks)
      std::printf("missing  %s: %s%s%s\n", m.what.c_str(), m.why.message().c_str(),
                  m.why.hint().empty() ? "" : "\n         ", m.why.hint().c_str());
    std::printf("cache    %s%s%s: %s, %lld images, %lld decisions\n", cache.location.c_str(),
                cache.trouble.empty() ? "" : ", ", cache.trouble.c_str(), size_text(cache.bytes).c_str(),
                static_cast<long long>(cache.images), static_cast<long long>(cache.decisions));
  }
  return devices.empty() ? 1 : 0;
}

}  // namespace

action add_info(CLI::App& app) {
  CLI::App* sub =
      app.add_subcommand("info", "devices, drivers, compilers found and missing, cache location, what to install");
  const auto as_json = std::make_shared<bool>(false);
  sub->add_flag("--json", *as_json, "print JSON");
  return [as_json] { return run(*as_json); };
}

}  // namespace glass::jit::cli
