// glass cache sql: the decisions of a cache or pack as a text for cache/shipped.
#include <cstdio>
#include <fstream>

#include "cli/command.hpp"
#include "cli/stored.hpp"
#include "store/shipped.hpp"
#include "tune/tune.hpp"

namespace glass::jit::cli {
namespace {

// Good ones of the built-in operations as they are now; a user's kernel is nothing to ship to others.
bool may_ship(const decision_row& d) {
  if (!d.state.empty() || d.candidate_set != std::to_string(candidate_set_revision) || d.ns <= 0) return false;
  for (const operation_description& o : operations())
    if (d.identity == o.name + "/" + std::to_string(o.revision)) return true;
  return false;
}

}  // namespace

action add_cache_sql(CLI::App& cache) {
  struct arguments {
    std::string file, from, target;
    bool json = false;
  };
  const auto a = std::make_shared<arguments>();
  CLI::App* sub = cache.add_subcommand("sql", "write decisions as reviewable text (cache/shipped)");
  sub->add_option("FILE", a->file, "the text: cache/shipped/sm_90.sql")->required();
  sub->add_option("--cache", a->from, "a pack or a cache; default: the cache of this machine");
  sub->add_option("--target", a->target, "only those measured on this target: sm_90")->required();
  sub->add_flag("--json", a->json, "print JSON");
  return [a] {
    const stored s = open_stored(a->from);
    std::vector<damaged_row> damaged;
    std::vector<decision_row> rows;
    std::size_t left_out = 0;
    for (decision_row& d : s.rows->decisions(damaged)) {
      if (d.target == a->target && may_ship(d))
        rows.push_back(std::move(d));
      else
        ++left_out;
    }
    if (rows.empty())
      throw error(errc::store, stage::store, s.file + " holds no decision for " + a->target + " that could be shipped.",
                  "'glass cache ls' lists what there is; decisions of users' kernels and of older revisions stay out.");
    const std::string text = shipped_text(rows);
    std::ofstream out(a->file, std::ios::binary);
    if (!(out << text << std::flush)) throw error(errc::io, stage::store, a->file + " cannot be written.");
    if (a->json)
      print({{"file", a->file}, {"decisions", rows.size()}, {"left_out", left_out}, {"damaged", damaged.size()}});
    else
      std::printf("%zu decisions in %s, %zu left out\n", rows.size(), a->file.c_str(), left_out + damaged.size());
    return 0;
  };
}

}  // namespace glass::jit::cli
