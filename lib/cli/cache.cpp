// glass cache: what is stored, why, how big; making it smaller.
#include <cstdio>

#include "cli/command.hpp"
#include "store/store.hpp"

namespace glass::jit::cli {
namespace {

struct arguments {
  bool json = false;
  std::string id, max;
};

// The overlay; a cache that cannot be used is the answer to each of these questions, so it is an error here.
std::unique_ptr<store> open_store() {
  std::string trouble;
  auto rows =
      store::open(store::default_folder(), std::make_shared<warner>([&](const std::string& line) { trouble = line; }));
  if (!rows->persistent())
    throw error(errc::store, stage::store, "there is no cache: " + (trouble.empty() ? rows->stats().location : trouble),
                "Set GLASS_CACHE to a folder that can be written.");
  return rows;
}

int list(const arguments& a) {
  const auto entries = open_store()->list();
  json all = json::array();
  std::vector<std::vector<std::string>> rows = {
      {"id", "what", "problem", "placement", "device", "ns", "samples", "bytes", "last used"}};
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
                   {"last_used", e.last_used}});
    rows.push_back(
        {e.id, e.what, e.problem, e.placement, e.device, e.ns_per_problem > 0 ? number_text(e.ns_per_problem) : "",
         e.samples > 0 ? std::to_string(e.samples) : "", e.bytes > 0 ? size_text(e.bytes) : "", e.last_used});
  }
  if (a.json)
    print({{"entries", all}});
  else
    print_table(rows);
  return 0;
}

int show(const arguments& a) {
  const std::string text = open_store()->show(a.id);
  if (text.empty())
    throw error(errc::unknown_name, stage::store, "the cache holds no entry '" + a.id + "'.",
                "'glass cache ls' lists what there is.");
  if (a.json)
    print({{"id", a.id}, {"text", text}});
  else
    std::printf("%s%s", text.c_str(), text.back() == '\n' ? "" : "\n");
  return 0;
}

int stats(const arguments& a) {
  const cache_stats s = open_store()->stats();
  if (a.json) {
    print({{"location", s.location},
           {"trouble", s.trouble},
           {"bytes", s.bytes},
           {"image_bytes", s.image_bytes},
           {"images", s.images},
           {"decisions", s.decisions},
           {"samples", s.samples},
           {"failed_candidates", s.failed_candidates},
           {"schema", s.schema}});
  } else {
    print_table({{"location", s.location},
                 {"size", size_text(s.bytes)},
                 {"images", std::to_string(s.images) + ", " + size_text(s.image_bytes)},
                 {"decisions", std::to_string(s.decisions) + " from " + std::to_string(s.samples) + " samples"},
                 {"failed", std::to_string(s.failed_candidates) + " candidates"},
                 {"schema", std::to_string(s.schema)}});
  }
  return 0;
}

int collect(const arguments& a) {
  const auto rows = open_store();
  const auto freed = rows->gc(bytes_from(a.max));
  const std::int64_t left = rows->stats().image_bytes;
  if (a.json)
    print({{"freed_bytes", freed}, {"image_bytes", left}});
  else
    std::printf("%s freed, %s of images left\n", size_text(freed).c_str(), size_text(left).c_str());
  return 0;
}

int clear(const arguments& a) {
  const auto rows = open_store();
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
  using command = int (*)(const arguments&);
  std::vector<std::pair<CLI::App*, command>> commands;
  const auto add = [&](const char* name, const char* what, command c) {
    CLI::App* s = sub->add_subcommand(name, what);
    s->add_flag("--json", a->json, "print JSON");
    commands.emplace_back(s, c);
    return s;
  };
  add("ls", "decisions and images, most recently used first", list);
  add("show", "one entry with everything kept about it", show)
      ->add_option("ID", a->id, "the start of its id (glass cache ls)")
      ->required();
  add("stats", "location, size, counts", stats);
  add("gc", "drop the least recently used images", collect)
      ->add_option("--max", a->max, "bytes of images to keep: 500M")
      ->default_val("500M");
  add("clear", "remove everything", clear);
  return [a, commands] {
    for (const auto& [s, c] : commands)
      if (s->parsed()) return c(*a);
    return 2;
  };
}

}  // namespace glass::jit::cli
