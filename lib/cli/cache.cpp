// glass cache: what is stored, why, how big; making it smaller.
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <limits>

#include "cli/cache.hpp"
#include "store/store.hpp"

namespace glass::jit::cli {
namespace {

struct arguments {
  bool json = false;
  std::string id, max, days, cache;
  bool zero = false;
};

// The cache with the packs that are mounted, or what --cache names: a folder, or a pack alone. One that cannot be used is
// the answer to each of these questions, so it is an error here.
std::unique_ptr<store> open_store(const std::string& path) {
  const bool file = std::filesystem::is_regular_file(path);
  store_options o = store::from_environment();
  if (!path.empty()) {
    o.packs.clear(), o.folder = file ? "memory" : path;
    if (file) o.packs.emplace_back(path);
  }
  std::string trouble;
  auto rows = store::open(o, std::make_shared<warner>([&](const std::string& line) {
                            trouble = line;
                            if (trouble.find("pack") != std::string::npos) std::fprintf(stderr, "%s\n", line.c_str());
                          }));
  if (file && !rows->stats().packs.at(0).trouble.empty())
    throw error(errc::store, stage::store, "the pack " + path + " is not used: " + rows->stats().packs[0].trouble);
  if (!file && !rows->persistent() && rows->stats().packs.empty())
    throw error(errc::store, stage::store, "there is no cache: " + (trouble.empty() ? rows->stats().location : trouble),
                "Set GLASS_CACHE to a folder that can be written.");
  return rows;
}

int list(const arguments& a) {
  const auto entries = open_store(a.cache)->list();
  json all = json::array();
  std::vector<std::vector<std::string>> rows = {
      {"id", "what", "problem", "placement", "device", "ns", "samples", "bytes", "last used", "layer"}};
  for (const auto& e : entries) {
    all.push_back({{"id", e.id},
                   {"what", e.what},
                   {"problem", e.problem},
                   {"placement", e.placement},
                   {"device", e.device},
                   {"ns_per_problem", e.ns_per_problem},
                   {"default_ns", e.default_ns},
                   {"samples", e.samples},
                   {"bytes", e.bytes},
                   {"created", e.created},
                   {"last_used", e.last_used},
                   {"layer", e.layer}});
    rows.push_back(
        {e.id, e.what, e.problem, e.placement, e.device, e.ns_per_problem > 0 ? number_text(e.ns_per_problem) : "",
         e.samples > 0 ? std::to_string(e.samples) : "", e.bytes > 0 ? size_text(e.bytes) : "", e.last_used, e.layer});
  }
  if (a.json)
    print({{"entries", all}});
  else
    print_table(rows);
  return 0;
}

int show(const arguments& a) {
  const std::string text = open_store(a.cache)->show(a.id);
  if (text.empty())
    throw error(errc::unknown_name, stage::store, "the cache holds no entry '" + a.id + "'.",
                "'glass cache ls' lists what there is.");
  if (a.json)
    print({{"id", a.id}, {"text", text}});
  else
    std::printf("%s%s", text.c_str(), text.back() == '\n' ? "" : "\n");
  return 0;
}

json counts_json(const cache_counts& c) {
  return {{"decision_hits", c.decision_hits},
          {"decision_misses", c.decision_misses},
          {"image_hits", c.image_hits},
          {"image_misses", c.image_misses},
          {"compiles", c.compiles},
          {"compile_milliseconds", c.compile_milliseconds},
          {"tuned", c.tuned},
          {"failed_candidates", c.failed_candidates},
          {"healed", c.healed},
          {"evicted", c.evicted}};
}
std::string rate(std::int64_t hits, std::int64_t misses) {
  const std::string n = std::to_string(hits) + " of " + std::to_string(hits + misses);
  return hits + misses == 0 ? n : n + ", " + number_text(100. * double(hits) / double(hits + misses)) + " %";
}

int stats(const arguments& a) {
  const auto rows = open_store(a.cache);
  if (a.zero) rows->zero_counts();
  const cache_stats s = rows->stats();
  json packs = json::array();
  for (const pack_info& p : s.packs) packs.push_back(to_json(p));
  if (a.json) {
    print({{"location", s.location},
           {"trouble", s.trouble},
           {"bytes", s.bytes},
           {"image_bytes", s.image_bytes},
           {"images", s.images},
           {"decisions", s.decisions},
           {"samples", s.samples},
           {"failed_candidates", s.failed_candidates},
           {"schema", s.schema},
           {"most_bytes", s.most_bytes},
           {"since", s.since},
           {"total", counts_json(s.total)},
           {"month", counts_json(s.month)},
           {"today", counts_json(s.today)},
           {"packs", packs}});
  } else {
    print_table({{"location", s.location},
                 {"size", size_text(s.bytes) + " of at most " + size_text(s.most_bytes)},
                 {"images", std::to_string(s.images) + ", " + size_text(s.image_bytes)},
                 {"decisions", std::to_string(s.decisions) + " from " + std::to_string(s.samples) + " samples"},
                 {"failed", std::to_string(s.failed_candidates) + " candidates"},
                 {"schema", std::to_string(s.schema)}});
    std::printf("\n");
    std::vector<std::vector<std::string>> table = {
        {"", s.since.empty() ? "so far" : "since " + s.since, "last 30 days", "today"}};
    const auto row = [&](const char* name, auto text) {
      table.push_back({name, text(s.total), text(s.month), text(s.today)});
    };
    const auto number = [&](const char* name, std::int64_t cache_counts::*of) {
      row(name, [&](const cache_counts& c) { return std::to_string(c.*of); });
    };
    row("decisions found", [](const cache_counts& c) { return rate(c.decision_hits, c.decision_misses); });
    row("images found", [](const cache_counts& c) { return rate(c.image_hits, c.image_misses); });
    row("compiles", [](const cache_counts& c) {
      return std::to_string(c.compiles) + ", " + number_text(double(c.compile_milliseconds) / 1e3) + " s";
    });
    number("problems tuned", &cache_counts::tuned), number("candidates that failed", &cache_counts::failed_candidates);
    number("rows healed", &cache_counts::healed), number("images evicted", &cache_counts::evicted);
    print_table(table);
    for (const pack_info& p : s.packs)
      std::printf("pack %s  %s\n", p.name.c_str(),
                  !p.trouble.empty() ? ("not used: " + p.trouble).c_str()
                                     : (std::to_string(p.decisions) + " decisions, " + std::to_string(p.images) +
                                        " images, " + (p.signer.empty() ? "not signed" : "signed by " + p.signer))
                                           .c_str());
  }
  return 0;
}

// What only a cache can be asked for: a pack is never changed.
void refuse_pack(const arguments& a, const std::string& what) {
  if (std::filesystem::is_regular_file(a.cache))
    throw error(errc::store, stage::store, what + ": " + a.cache + " is a pack, which is never changed.",
                "Make a smaller one: glass cache export NEW --cache " + a.cache + " --target … --manifest ….");
}

int collect(const arguments& a) {
  refuse_pack(a, "gc");
  const auto rows = open_store(a.cache);
  constexpr long long all = std::numeric_limits<long long>::max();
  const double days = a.days.empty() ? 0 : number_of(a.days, "--older-than");
  const std::string max = a.max.empty() && a.days.empty() ? "500M" : a.max;
  const auto freed = rows->gc(max.empty() ? all : bytes_from(max),
                              a.days.empty() ? 0 : std::int64_t(double(std::time(nullptr)) - 86400 * days));
  const std::int64_t left = rows->stats().image_bytes;
  if (a.json)
    print({{"freed_bytes", freed}, {"image_bytes", left}});
  else
    std::printf("%s freed, %s of images left\n", size_text(freed).c_str(), size_text(left).c_str());
  return 0;
}

int clear(const arguments& a) {
  refuse_pack(a, "clear");
  const auto rows = open_store(a.cache);
  const cache_stats before = rows->stats();
  rows->clear();
  if (a.json)
    print({{"images", before.images}, {"decisions", before.decisions}});
  else
    std::printf("%lld images and %lld decisions removed\n", static_cast<long long>(before.images),
                static_cast<long long>(before.decisions));
  return 0;
}

}  // namespace

action add_cache(CLI::App& app) {
  CLI::App* sub = app.add_subcommand("cache", "what is stored, why, how big");
  sub->require_subcommand(1);
  const auto a = std::make_shared<arguments>();
  std::vector<std::pair<CLI::App*, action>> commands;
  const auto add = [&](const char* name, const char* what, int (*run)(const arguments&)) {
    CLI::App* s = sub->add_subcommand(name, what);
    s->add_flag("--json", a->json, "print JSON");
    s->add_option("--cache", a->cache, "folder of a cache, or a pack (default: GLASS_CACHE, and the packs mounted)");
    commands.emplace_back(s, [a, run] { return run(*a); });
    return s;
  };
  add("ls", "decisions and images, most recently used first", list);
  add("show", "one entry with everything kept about it", show)
      ->add_option("ID", a->id, "the start of its id (glass cache ls)")
      ->required();
  add("stats", "location, size, counts; hits, misses and compiles over time", stats)
      ->add_flag("--zero", a->zero, "begin to count anew");
  CLI::App* gc = add("gc", "drop images that were not used for long; make the file smaller", collect);
  gc->add_option("--max", a->max, "bytes to keep at most: 500M (without --older-than the default)");
  gc->add_option("--older-than", a->days, "images not used for so many days go: 30");
  add("clear", "remove everything", clear);
  add_pack_commands(*sub, commands);
  const action sql = add_cache_sql(*sub);
  return [commands, sub, sql] {
    if (sub->got_subcommand("sql")) return sql();
    for (const auto& [s, run] : commands)
      if (s->parsed()) return run();
    return 2;
  };
}

}  // namespace glass::jit::cli
