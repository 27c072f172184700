// glass tune: a list of problems, one after the other. What is in the cache is not measured again, so a second run goes
// on where the first stopped.
#include <cstdio>
#include <filesystem>
#include <limits>

#include "catalog/spec.hpp"
#include "cli/command.hpp"

namespace glass::jit::cli {
namespace {

struct arguments {
  std::string manifest, device;
  tuning_arguments tuning;
  bool json = false;
};

int run(const arguments& a) {
  const std::string folder = std::filesystem::path(a.manifest).parent_path().string();
  const auto entries = manifest_from_json(read_text(a.manifest), a.manifest, folder);
  for (std::size_t i = 0; i < entries.size(); ++i) {  // all mistakes before any work
    try {
      bind(entries[i].description, entries[i].problem, entries[i].built_in);
    } catch (const error& e) {
      throw error(e.code(), e.stage(), a.manifest + ": problems[" + std::to_string(i) + "]: " + e.message(), e.hint());
    }
  }
  runtime_options o;
  o.device = a.device;
  a.tuning.apply(o);
  o.tuning.process_budget_seconds = std::numeric_limits<double>::max();  // the list is the bound
  runtime rt(o);

  json done = json::array();
  int failed = 0;
  for (const auto& e : entries) {
    const std::int64_t launches = rt.counters().tuning_launches;
    const std::string text = bind(e.description, e.problem, e.built_in).text();
    try {
      const kernel k = get_kernel(rt, e.description, e.built_in, e.problem, std::nullopt);
      const std::int64_t used = rt.counters().tuning_launches - launches;
      done.push_back({{"problem", text},
                      {"placement", k.placement().text()},
                      {"tier", name(k.tier())},
                      {"ns_per_problem", k.ns_per_problem()},
                      {"speedup_over_default", k.speedup_over_default()},
                      {"tuning_launches", used},
                      {"error", ""}});
      if (!a.json) std::printf("%s  %s%s\n", text.c_str(), k.why().c_str(), used == 0 ? " (known)" : "");
    } catch (const error& x) {
      ++failed;
      std::fprintf(stderr, "%s: %s\n", text.c_str(), x.what());
      done.push_back({{"problem", text},
                      {"placement", ""},
                      {"tier", ""},
                      {"ns_per_problem", 0},
                      {"speedup_over_default", 0},
                      {"tuning_launches", rt.counters().tuning_launches - launches},
                      {"error", x.message()}});
    }
    std::fflush(stdout);
  }
  if (a.json) {
    const counters c = rt.counters();
    print({{"device", rt.device().id},
           {"problems", done},
           {"failed", failed},
           {"compiles", c.compiles},
           {"tuning_launches", c.tuning_launches}});
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace

action add_tune(CLI::App& app) {
  CLI::App* sub = app.add_subcommand("tune", "tune a list of problems; resumes where it stopped");
  const auto a = std::make_shared<arguments>();
  sub->add_option("MANIFEST", a->manifest,
                  "JSON: {\"problems\": [{\"operation\": \"posv\", \"sizes\": {\"N\": 12}, \"type\": \"f32\", "
                  "\"batch\": 8192}]}")
      ->required();
  sub->add_option("--device", a->device, "host, cuda:0 …");
  a->tuning.add_to(*sub);
  sub->add_flag("--json", a->json, "print JSON");
  return [a] { return run(*a); };
}

}  // namespace glass::jit::cli
