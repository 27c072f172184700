// glass table: decisions as a header for static programs.
#include <cstdio>
#include <fstream>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/stored.hpp"
#include "dispatch/catalog_text.hpp"
#include "dispatch/table_text.hpp"
#include "store/shipped.hpp"

namespace glass::jit::cli {
namespace {

int arch_of(const std::string& text) {
  const std::string digits = text.rfind("sm_", 0) == 0 ? text.substr(3) : "";
  if (digits.empty() || digits.size() > 3 || digits.find_first_not_of("0123456789") != std::string::npos)
    throw error(errc::invalid_argument, stage::source, "--arch '" + text + "' is no architecture.",
                "For example sm_90.");
  return std::stoi(digits);
}

std::vector<decision_row> rows_of(const std::vector<std::string>& packs, bool own) {
  std::vector<decision_row> all;
  std::vector<damaged_row> damaged;
  const auto add = [&](const std::string& named) {
    for (auto& d : open_stored(named).rows->decisions(damaged)) all.push_back(std::move(d));
  };
  if (own) add("");
  for (const auto& p : packs) add(p);
  if (!own && packs.empty())
    for (const auto& f : shipped_files())
      for (auto& d : all_shipped(f)) all.push_back(std::move(d));
  return all;
}

void write(const std::string& folder, const char* file, const std::string& text) {
  const std::string path = folder + "/" + file;
  std::ofstream out(path, std::ios::binary);
  if (!(out << text << std::flush)) throw error(errc::io, stage::source, path + " cannot be written.");
}

}  // namespace

action add_table(CLI::App& app) {
  struct arguments {
    std::string arch, catalog;
    std::vector<std::string> packs;
    bool own = false;
  };
  const auto a = std::make_shared<arguments>();
  CLI::App* sub = app.add_subcommand("table", "decisions as a header for static programs: glass/dispatch/sm_90.cuh");
  auto* arch = sub->add_option("--arch", a->arch, "the architecture: sm_90");
  sub->add_option("PACK", a->packs, "packs or caches; default: the decisions that come with glass")->needs(arch);
  sub->add_flag("--own", a->own, "also the cache of this machine")->needs(arch);
  sub->add_option(
         "--catalog", a->catalog,
         "instead, write names.cuh and operations.cuh, what static headers know of the catalog, into this folder")
      ->excludes(arch);
  return [a] {
    if (!a->catalog.empty()) {
      write(a->catalog, "names.cuh", names_text());
      write(a->catalog, "operations.cuh", operations_text());
      return 0;
    }
    if (a->arch.empty())
      throw error(errc::invalid_argument, stage::source, "glass table needs --arch.", "For example --arch sm_90.");
    const static_table t = table_text(arch_of(a->arch), rows_of(a->packs, a->own));
    std::fwrite(t.text.data(), 1, t.text.size(), stdout);
    std::fprintf(stderr, "%zu decisions\n", t.decisions);
    for (const auto& s : t.left_out) std::fprintf(stderr, "left out: %s\n", s.c_str());
    return 0;
  };
}

}  // namespace glass::jit::cli
