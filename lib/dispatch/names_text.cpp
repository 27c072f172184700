// Names of the static headers: what of the catalog they know, in which order, and dispatch/names.cuh.
#include <algorithm>
#include <cctype>
#include <regex>
#include <set>

#include "base/headers.hpp"
#include "base/text.hpp"
#include "catalog/check.hpp"
#include "dispatch/catalog_text.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit {
namespace {

using strings = std::vector<std::string>;

bool contains(const strings& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

bool is_number(const std::string& s) { return !s.empty() && s.find_first_not_of("0123456789") == std::string::npos; }

std::string generated_head(const char* what) {
  return std::string("// ") + what +
         "\n// Written by `glass table --catalog` from lib/catalog/rows and cache/profiles; do not edit.\n"
         "// clang-format off\n#pragma once\n";
}

bool static_body(const std::string& body) {
  const std::string name = last_name(body);
  return name != library_body && name.rfind("cu", 0) != 0;
}

strings static_bodies(const operation_description& d) {
  strings all;
  for (const auto& b : d.bodies)
    if (static_body(b)) all.push_back(last_name(b));
  return all;
}

std::vector<tunable> static_tunables(const operation_description& d) {
  std::vector<tunable> all;
  for (const tunable& t : d.tunables)
    if (!is_number(t.values.front().text)) all.push_back(t);
  return all;
}

strings static_sizes(const operation_description& d) {
  const strings known = size_names(d);
  const std::string& function = d.function.empty() ? d.name : d.function;
  strings best;
  for (const embedded_header& h : embedded_headers()) {
    if (h.name != d.header) continue;
    const std::string text(h.text);
    const std::regex face("GLASS_FACES_([1-5])\\(\\s*" + function + ",\\s*((?:\\w+,\\s*)+)");
    for (std::sregex_iterator it(text.begin(), text.end(), face), end; it != end; ++it) {
      strings names = split((*it)[2].str(), ',');
      for (auto& n : names)
        n.erase(std::remove_if(n.begin(), n.end(), [](char c) { return std::isspace(static_cast<unsigned char>(c)); }),
                n.end());
      names.erase(std::remove(names.begin(), names.end(), ""), names.end());
      if (std::all_of(names.begin(), names.end(), [&](const std::string& n) { return contains(known, n); }) &&
          names.size() > best.size())
        best = names;
    }
  }
  for (const auto& n : known)
    if (!contains(best, n)) best.push_back(n);
  return best;
}

const strings& static_words() {
  static const strings all = [] {
    std::set<std::string> words = {library_body, "block",  "cuda",  "global", "host",  "shared",
                                   "thread",     "tile16", "tile2", "tile4",  "tile8", "warp"};
    for (const auto& d : operations()) {
      for (const auto& o : d.options)
        for (const auto& v : o.values) words.insert(last_name(v));
      for (const auto& b : static_bodies(d)) words.insert(b);
      for (const auto& t : static_tunables(d))
        for (const auto& v : t.values) words.insert(last_name(v.text));
    }
    words.erase("none");
    strings list = {"none"};
    list.insert(list.end(), words.begin(), words.end());
    return list;
  }();
  return all;
}

std::string names_text() {
  std::set<std::string> sizes;
  strings ops;
  for (const auto& d : operations()) {
    ops.push_back(d.name);
    for (const auto& s : static_sizes(d)) sizes.insert(s);
  }
  const auto quoted = [](const strings& list) { return "\"" + join(list, "\", \"") + "\""; };
  const strings all_sizes(sizes.begin(), sizes.end());
  const auto finder = [&](const char* name, const strings& list) {
    return std::string("GLASS_CONSTANT constexpr int ") + name +
           "(const char* name) {\n  constexpr const char* all[] = {" + quoted(list) + "};\n  for (int i = 0; i < " +
           std::to_string(list.size()) + "; ++i)\n    if (same_text(all[i], name)) return i + 1;\n  return 0;\n}\n";
  };
  return generated_head("Names of the catalog: operations, their sizes, and the words of options and placements.") +
         "#include <glass/core/config.cuh>\nnamespace glass {\nenum class op : short { " + join(ops, ", ") +
         " };\n}  // namespace glass\nnamespace glass::dispatch {\nenum : int { op_count = " +
         std::to_string(ops.size()) + " };\nenum class size : short { none, " + join(all_sizes, ", ") +
         " };\nenum class word : short { " + join(static_words(), ", ") +
         " };\nGLASS_CONSTANT constexpr bool same_text(const char* a, const char* b) {\n"
         "  while (*a != 0 && *a == *b) ++a, ++b;\n  return *a == *b;\n}\n"
         "// A name's number, from 1; 0: there is none of this name.\n" +
         finder("op_named", ops) + finder("size_named", all_sizes) + "}  // namespace glass::dispatch\n";
}

}  // namespace glass::jit
