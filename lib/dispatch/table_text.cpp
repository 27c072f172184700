#include "dispatch/table_text.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>

#include "base/text.hpp"
#include "dispatch/catalog_text.hpp"
#include "glass/jit/error.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit {
namespace {

using strings = std::vector<std::string>;

// "N=12 NRHS=1" -> values.
std::map<std::string, std::string> values_in(const std::string& text) {
  std::map<std::string, std::string> values;
  for (const auto& w : split(text, ' '))
    if (const std::size_t at = w.find('='); at != std::string::npos) values[w.substr(0, at)] = w.substr(at + 1);
  return values;
}

const operation_description* operation_of(const decision_row& d) {
  for (const auto& o : operations())
    if (d.identity == o.name + "/" + std::to_string(o.revision)) return &o;
  return nullptr;
}

// "", or why a static program cannot use it.
std::string why_not(const decision_row& d) {
  const operation_description* o = operation_of(d);
  if (!o) return "of users' kernels, or of operations that have changed since";
  if (!d.state.empty() || d.ns <= 0) return "no longer good";
  if (d.sizes.find("<=") != std::string::npos) return "for sizes that are known at run time only";
  const placement p = placement::parse(d.placement);
  if (p.variant != "fused") return "for a chain of launches (variant=split)";
  if (!static_body(p.body)) return "for a body of NVIDIA's libraries, which a static program reaches as glass::nvidia";
  return {};
}

// One line of the table.
struct line {
  std::size_t operation;
  strings options;
  int bytes;
  std::vector<int> sizes;
  const decision_row* row;
  auto problem() const { return std::tie(operation, options, bytes, sizes, row->batch_class); }
};
line line_of(const decision_row& d) {
  const operation_description& o = *operation_of(d);
  line l{static_cast<std::size_t>(&o - operations().data()), {}, d.type == "f64" ? 8 : 4, {}, &d};
  const auto sizes = values_in(d.sizes), options = values_in(d.options);
  for (const auto& s : static_sizes(o)) l.sizes.push_back(std::atoi(sizes.at(s).c_str()));
  for (const auto& p : o.options) l.options.push_back(options.at(p.name));
  return l;
}

std::string words(const strings& list) {
  std::string out;
  for (const auto& w : list) out += (out.empty() ? "word::" : ", word::") + static_name(static_word(last_name(w)));
  return out;
}
std::string text_of(const line& l) {
  const operation_description& o = operations()[l.operation];
  const placement p = placement::parse(l.row->placement);
  strings sizes, tunables;
  for (const int n : l.sizes) sizes.push_back(std::to_string(n));
  for (const auto& t : static_tunables(o)) {
    const auto it = p.tunables.find(t.name);
    tunables.push_back(it == p.tunables.end() ? t.values.front().text : it->second);
  }
  char ns[48];
  std::snprintf(ns, sizeof ns, "%.4g, %.4g", l.row->ns, l.row->default_ns);
  return "      {{" + join(sizes, ", ") + "}, {" + words(l.options) + "}, " + std::to_string(l.bytes) + ", " +
         std::to_string(l.row->batch_class) + ", {" + words({p.is_block() ? "block" : p.scope}) + ", " +
         std::to_string(p.width()) + ", " + std::to_string(p.pack) + ", " +
         words({p.home, !p.body.empty()    ? p.body
                        : o.bodies.empty() ? "none"
                                           : o.bodies.front()}) +
         (tunables.empty() ? "" : ", {" + words(tunables) + "}") + "}, " + ns + "},\n";
}

}  // namespace

std::string static_name(op o) { return operations().at(static_cast<std::size_t>(o)).name; }
std::string static_name(dispatch::word w) { return static_words().at(static_cast<std::size_t>(w)); }

dispatch::word static_word(const std::string& name) {
  const strings& all = static_words();
  const auto it = std::find(all.begin(), all.end(), name);
  if (it == all.end())
    throw error(errc::unknown_name, stage::source,
                "the static headers have no word '" + name + "'." + did_you_mean(name, all));
  return static_cast<dispatch::word>(it - all.begin());
}

placement static_placement(const operation_description& d, const dispatch::placement& c) {
  placement p;
  p.scope = c.block() ? "block" + std::to_string(c.width) : static_name(c.scope);
  p.pack = c.pack, p.home = static_name(c.home);
  if (c.body != dispatch::word::none) p.body = static_name(c.body);
  std::size_t k = 0;
  for (const auto& t : static_tunables(d)) p.tunables[t.name] = static_name(c.tunable[k++]);
  return p;
}

static_table table_text(int arch, std::vector<decision_row> rows) {
  static_table t;
  const std::string target = "sm_" + std::to_string(arch);
  std::map<std::string, std::size_t> out;  // why -> how many
  const auto drop = [&](const std::string& why) { ++out[why]; };
  std::map<std::pair<std::string, std::string>, std::size_t> devices;
  std::vector<const decision_row*> good;
  for (auto& d : rows) {
    // Of NVIDIA's body the best one of ours, which is at least as fast as the untuned placement.
    if (from_library(placement::parse(d.placement)) && !d.runner_up.empty())
      d.placement = d.runner_up, d.ns = d.default_ns;
    if (d.target != target)
      drop("measured on another architecture");
    else if (const std::string why = why_not(d); !why.empty())
      drop(why);
    else
      good.push_back(&d), ++devices[{d.fingerprint, d.power_class}];
  }
  if (good.empty())
    throw error(errc::store, stage::store, "there is no decision for " + target + " that a static program could use.",
                "'glass tune' makes some on such a GPU; 'glass cache ls' lists what there is.");
  const auto device = std::max_element(devices.begin(), devices.end(), [](const auto& a, const auto& b) {
                        return a.second < b.second;
                      })->first;
  std::vector<line> lines;
  for (const decision_row* d : good) {
    if (d->fingerprint != device.first || d->power_class != device.second) {
      drop("measured on another device, or with another power limit, than most");
      continue;
    }
    const line l = line_of(*d);
    const auto it = std::find_if(lines.begin(), lines.end(), [&](const line& x) { return x.problem() == l.problem(); });
    if (it == lines.end()) {
      lines.push_back(l);
      continue;
    }
    const auto rank = [](const decision_row& r) { return std::pair(-rank_of_measure(r), r.created); };
    if (rank(*d) > rank(*it->row)) *it = l;
    drop("for a problem that was measured in another way too");
  }
  std::sort(lines.begin(), lines.end(), [](const line& a, const line& b) { return a.problem() < b.problem(); });

  std::set<std::string> drivers, compilers, measures;
  std::string first = lines.front().row->created, last = first;
  for (const line& l : lines) {
    drivers.insert(l.row->driver), compilers.insert(l.row->compiler), measures.insert(l.row->measure);
    first = std::min(first, l.row->created), last = std::max(last, l.row->created);
  }
  const auto listed = [](const std::set<std::string>& s) { return join(strings(s.begin(), s.end()), ", "); };
  const std::string number = std::to_string(arch);
  t.text = "// What was fastest on " + target + ": " + std::to_string(lines.size()) +
           " decisions. Written by `glass table --arch " + target +
           "`; do not edit.\n"
           "// device    " +
           device.first + ", " + device.second + "\n// driver    " + listed(drivers) + "\n// compiler  " +
           listed(compilers) + "\n// measured  " + first.substr(0, 10) +
           (first.substr(0, 10) == last.substr(0, 10) ? "" : " to " + last.substr(0, 10)) + ", " + listed(measures) +
           "\n// A line: sizes, options, bytes of the type, batch class, {scope, width, problems a block, home, body, "
           "{tunables}},\n"
           "// ns a problem, ns of the untuned placement.\n// clang-format off\n#pragma once\n"
           "#include <glass/dispatch/choose.cuh>\nnamespace glass::dispatch {\ntemplate <>\ninline constexpr bool "
           "has_table<" +
           number + "> = true;\n";
  for (std::size_t i = 0; i < lines.size();) {
    const operation_description& o = operations()[lines[i].operation];
    t.text += "template <>\nstruct table<" + number + ", op::" + o.name + "> {  // " + join(static_sizes(o), ", ") +
              (o.options.empty() ? "" : "; ");
    strings names;
    for (const auto& p : o.options) names.push_back(p.name);
    t.text += join(names, ", ") +
              "\n  template <class F>\n  GLASS_CONSTANT static constexpr void each(F& f) {\n    constexpr "
              "decision lines[] = {\n";
    std::size_t n = 0;
    for (const std::size_t op = lines[i].operation; i < lines.size() && lines[i].operation == op; ++i, ++n)
      t.text += text_of(lines[i]);
    t.text += "    };\n    f(lines, " + std::to_string(n) + ");\n  }\n};\n";
  }
  t.text += "}  // namespace glass::dispatch\n";
  t.decisions = lines.size();
  for (const auto& [why, n] : out) t.left_out.push_back(std::to_string(n) + " " + why);
  return t;
}

}  // namespace glass::jit
