#include "dispatch/catalog_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>
#include <set>

#include "base/expression.hpp"
#include "base/text.hpp"
#include "catalog/check.hpp"
#include "catalog/profile.hpp"
#include "dispatch/expression_text.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit {
namespace {

using strings = std::vector<std::string>;

bool contains(const strings& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// What an expression of this operation becomes.
std::string text_of(const operation_description& d, const std::string& expression) {
  return expression_text(expression, [&](const std::string& n) {
    static const strings words = {"body", "home", "scope", "backend"};
    const auto tunables = static_tunables(d);
    return contains(words, n) || contains(option_names(d), n) ||
           std::any_of(tunables.begin(), tunables.end(), [&](const tunable& t) { return t.name == n; });
  });
}
// The names an expression uses, as local constants of a function.
std::string locals(const operation_description& d, const strings& expressions, bool of_a_placement) {
  std::set<std::string> used;
  for (const auto& e : expressions)
    for (const auto& n : names_in(e)) used.insert(n);
  for (const auto& e : expressions)
    for (const auto& [n, word] : words_in(e)) used.insert(n);
  std::string out;
  std::map<std::string, std::string> lists;  // by type: one line each
  const auto add = [&](const std::string& name, const std::string& type, const std::string& value) {
    if (!used.count(name)) return;
    std::string& list = lists[type];
    list += (list.empty() ? "    const " + type + " " : ", ") + name + " = " + value;
  };
  const auto lines = [&] {
    for (const auto& [type, list] : lists) out += list + ";\n";
    return out;
  };
  const strings sizes = static_sizes(d), options = option_names(d);
  for (std::size_t i = 0; i < sizes.size(); ++i) add(sizes[i], "long long", "r.size[" + std::to_string(i) + "]");
  for (std::size_t i = 0; i < options.size(); ++i) add(options[i], "word", "r.option[" + std::to_string(i) + "]");
  add("bytes", "long long", "r.bytes"), add("batch", "long long", "r.batch"), add("run_time_sizes", "long long", "0");
  if (!of_a_placement) return lines();
  add("width", "long long", "c.width"), add("pack", "long long", "c.pack"), add("home", "word", "c.home");
  add("scope", "word", "c.scope"), add("body", "word", "c.body"), add("backend", "word", "word::cuda");
  std::size_t k = 0;
  for (const tunable& t : static_tunables(d)) add(t.name, "word", "c.tunable[" + std::to_string(k++) + "]");
  for (const tunable& t : d.tunables)
    if (is_number(t.values.front().text)) add(t.name, "long long", t.values.front().text);
  return lines();
}

bool of_other_bodies(const std::string& expression) {
  const auto words = words_in(expression);
  return std::any_of(words.begin(), words.end(),
                     [](const auto& w) { return w.first == "body" && !static_body(w.second); });
}

std::string word_list(const strings& words) {
  std::string out;
  for (const auto& w : words) out += (out.empty() ? "word::" : ", word::") + last_name(w);
  return out.empty() ? "word::none" : out;
}
// A function from a number to one of a list's words.
std::string list_function(const std::string& type, const std::string& name, const std::string& list) {
  return "  GLASS_CONSTANT static constexpr " + type + " " + name + "(int i) {\n    constexpr " + type + " all[] = {" +
         list + "};\n    return all[i];\n  }\n";
}

std::string placement_literal(const operation_description& d, const std::string& text) {
  const placement p = placement::parse(text);
  std::string out = "{word::" + (p.is_block() ? std::string("block") : p.scope) + ", " + std::to_string(p.width()) +
                    ", " + std::to_string(p.pack) + ", word::" + p.home + ", word::" +
                    (p.body.empty() ? (d.bodies.empty() ? "none" : last_name(d.bodies.front())) : last_name(p.body));
  strings tunables;
  for (const tunable& t : static_tunables(d)) {
    const auto it = p.tunables.find(t.name);
    tunables.push_back(it == p.tunables.end() ? t.values.front().text : it->second);
  }
  return out + (tunables.empty() ? "" : ", {" + word_list(tunables) + "}") + "}";
}

std::string operand_text(const operation_description& d, const operand& o) {
  if (o.access == access::info || o.access == access::workspace) return {};
  strings extents;
  for (const auto& e : o.shape) extents.push_back(text_of(d, e.text()));
  std::string call = std::string("v(kind::") +
                     (o.access == access::in        ? "in"
                      : o.access == access::out     ? "out"
                      : o.access == access::inout   ? "inout"
                      : o.access == access::scratch ? "scratch"
                                                    : "scalar") +
                     ", " +
                     (o.type == "i32" || o.type == "f32" ? "4"
                      : o.type == "f64"                  ? "8"
                                                         : "r.bytes");
  if (!extents.empty()) {
    const std::string rows = extents[0], columns = extents.size() == 2 ? extents[1] : "1";
    const bool by_rows = o.order == order::row;
    const std::string ld = o.ld.empty() ? (by_rows ? columns : rows) : text_of(d, o.ld);
    const auto factor = [](const std::string& e) { return e.find(' ') == std::string::npos ? e : "(" + e + ")"; };
    call += ", " + std::to_string(extents.size()) + ", " + rows + ", " + columns + ", " +
            (extents.size() == 1 ? rows : factor(ld) + " * " + factor(by_rows ? rows : columns));
    if (o.order == order::interleaved || o.broadcast)
      call += std::string(", ") + (o.order == order::interleaved ? "true" : "false") + (o.broadcast ? ", true" : "");
  }
  return "    " + (o.when.empty() ? "" : "if (" + text_of(d, o.when) + ") ") + call + ");\n";
}

std::string function_text(const std::string& head, const std::string& locals, const std::string& body) {
  return "  " + head + " {\n" + locals + body + "  }\n";
}

// Rules, defaults and exchange of an operation: several operations share them.
std::string rules_text(const operation_description& d) {
  std::string out;
  if (!d.exchange.empty())
    out += function_text("GLASS_CONSTANT static constexpr long long exchange(const request& r, const placement& c)",
                         locals(d, {d.exchange}, true), "    return " + text_of(d, d.exchange) + ";\n");
  // The number of the first rule that is broken, from 1 in the order of the row, or 0.
  strings used;
  std::string lines;
  for (std::size_t k = 0; k < d.rules.size(); ++k) {
    const rule& u = d.rules[k];
    if (of_other_bodies(u.when) && u.when.find("!=") == std::string::npos) continue;
    used.push_back(u.require);
    if (!u.when.empty()) used.push_back(u.when);
    lines += "    if (" + (u.when.empty() ? "" : "(" + text_of(d, u.when) + ") && ") + "!(" + text_of(d, u.require) +
             ")) return " + std::to_string(k + 1) + ";\n";
  }
  if (!lines.empty())
    out += function_text(
        "GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch)",
        locals(d, used, true), lines + "    return 0;\n");
  // Untuned defaults: f takes the first that it likes.
  used.clear(), lines.clear();
  for (const usual& u : d.defaults) {
    if (!static_body(placement::parse(u.placement).body)) continue;
    if (!u.when.empty()) used.push_back(u.when);
    lines += "    if (" + (u.when.empty() ? "" : "(" + text_of(d, u.when) + ") && ") + "f(placement" +
             placement_literal(d, u.placement) + ")) return true;\n";
  }
  if (!lines.empty())
    out +=
        "  template <class F>\n" +
        function_text("GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f)",
                      locals(d, used, false), lines + "    return false;\n");
  return out;
}

std::string operation_struct(const operation_description& d, std::map<std::string, std::string>& written) {
  const strings sizes = static_sizes(d), bodies = static_bodies(d);
  strings preferred = bodies;
  std::stable_partition(preferred.begin(), preferred.end(), [](const std::string& b) { return b == "fragment"; });
  const auto tunables = static_tunables(d);
  std::string out, base = "no_rules";
  if (const std::string rules = rules_text(d); !rules.empty()) {
    std::string& owner = written[rules];
    if (owner.empty())
      owner = d.name, out += "template <>\nstruct rules<op::" + d.name + "> : no_rules {\n" + rules + "};\n";
    base = "rules<op::" + owner + ">";
  }
  out += "template <>\nstruct operation<op::" + d.name + "> : " + base + " {\n";
  // Enumerators, not members: under -default-device those would be variables of the image.
  std::string numbers;
  const auto number = [&](const char* name, std::size_t n) {
    if (n > 0) numbers += std::string(numbers.empty() ? "" : ", ") + name + " = " + std::to_string(n);
  };
  number("sizes", sizes.size()), number("options", d.options.size()), number("tunables", tunables.size());
  number("bodies", bodies.size());
  if (!numbers.empty()) out += "  enum : int { " + numbers + " };\n";
  std::string list;
  for (const auto& s : sizes) list += (list.empty() ? "size::" : ", size::") + s;
  if (!sizes.empty()) out += list_function("size", "size_at", list);
  if (!bodies.empty()) out += list_function("word", "body_at", word_list(preferred));
  strings firsts;
  for (const tunable& t : tunables) firsts.push_back(t.values.front().text);
  if (!tunables.empty()) out += list_function("word", "tunable_at", word_list(firsts));
  if (!d.in_step.empty()) {
    strings tests;
    for (const auto& b : d.in_step) tests.push_back("body == word::" + last_name(b));
    out += function_text("GLASS_CONSTANT static constexpr bool in_step(word body)", "",
                         "    return " + join(tests, " || ") + ";\n");
  }

  // Sizes that are not given (-1).
  std::string complete;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (const size_parameter* p = size_row(d, sizes[i])) {
      const auto other = std::find(sizes.begin(), sizes.end(), p->fallback_size);
      const std::string value = p->fallback >= 0       ? std::to_string(p->fallback)
                                : other != sizes.end() ? "r.size[" + std::to_string(other - sizes.begin()) + "]"
                                                       : "",
                        at = "r.size[" + std::to_string(i) + "]";
      if (!value.empty()) complete += "    if (" + at + " < 0) " + at + " = " + value + ";\n";
    }
  if (!complete.empty())
    out += function_text("GLASS_CONSTANT static constexpr void complete(request& r)", "", complete);

  // Options as the functions take them.
  std::string lines;
  std::map<std::string, int> seen;
  for (std::size_t k = 0; k < d.options.size(); ++k) {
    const option& o = d.options[k];
    const auto value = [](const std::string& v) { return v.substr(v.find("::") + 2); };  // Trans::no
    const std::string type = value(o.values.front()).substr(0, value(o.values.front()).find("::"));
    const std::string given = "chosen<" + value(o.values.front()) + ", " + std::to_string(seen[type]++) + ", O...>()";
    lines += "    r.option[" + std::to_string(k) + "] = ";
    for (std::size_t v = 1; v < o.values.size(); ++v)
      lines += given + " == " + value(o.values[v]) + " ? word::" + last_name(o.values[v]) + " : ";
    lines += "word::" + last_name(o.values.front()) + ";\n";
  }
  if (!lines.empty())
    out +=
        "  template <auto... O>\n" + function_text("GLASS_CONSTANT static constexpr void take(request& r)", "", lines);

  // Operands, in order.
  strings used;
  lines.clear();
  for (const auto& o : d.operands) {
    lines += operand_text(d, o);
    for (const auto& e : o.shape) used.push_back(e.text());
    for (const std::string* e : {&o.when, &o.ld})
      if (!e->empty()) used.push_back(*e);
  }
  out += "  template <class V>\n" +
         function_text("GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v)",
                       locals(d, used, false), lines);
  const auto count = [&](const char* name, const std::string& e) {
    if (!e.empty())
      out += function_text(std::string("GLASS_CONSTANT static constexpr long long ") + name + "(" +
                               (names_in(e).empty() ? "const request&" : "const request& r") + ")",
                           locals(d, {e}, false), "    return " + text_of(d, e) + ";\n");
  };
  count("flops", d.flops), count("moved", d.bytes);
  return out + "};\n";
}

// What most operations have of it.
constexpr char base_text[] = R"(template <op>
struct operation;
template <op>
struct rules;
struct no_rules {
  enum : int { sizes = 0, options = 0, tunables = 0, bodies = 0 };
  GLASS_CONSTANT static constexpr size size_at(int) { return size::none; }
  GLASS_CONSTANT static constexpr word body_at(int) { return word::none; }
  GLASS_CONSTANT static constexpr word tunable_at(int) { return word::none; }
  GLASS_CONSTANT static constexpr bool in_step(word) { return false; }  // the tiles of a warp, where it is all that a kernel does
  GLASS_CONSTANT static constexpr void complete(request&) {}
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request&) {}
  GLASS_CONSTANT static constexpr long long flops(const request&) { return -1; }
  GLASS_CONSTANT static constexpr long long moved(const request&) { return -1; }
  GLASS_CONSTANT static constexpr long long exchange(const request&, const placement&) { return 0; }
  GLASS_CONSTANT static constexpr int broken(const request&, const placement&, int) { return 0; }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request&, int, F&) {
    return false;
  }
};
)";

// Words as the options of operations: Body, Mma, Tile.
std::string option_functions() {
  std::map<std::string, std::set<std::string>> values;  // by type
  for (const auto& d : operations()) {
    for (const auto& b : static_bodies(d)) values["Body"].insert(b);
    for (const auto& t : static_tunables(d))
      for (const auto& v : t.values) values[last_name(v.text.substr(0, v.text.rfind("::")))].insert(last_name(v.text));
  }
  std::string out;
  for (const auto& [type, names] : values) {
    std::string lower = type;
    lower[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(lower[0])));
    const std::string rest = type == "Body" ? "Body::automatic" : type + "::" + *names.begin();
    out += "GLASS_CONSTANT constexpr " + type + " " + lower + "_of(word w) {\n  return ";
    for (const auto& n : names) out += "w == word::" + n + " ? " + type + "::" + n + " : ";
    out += rest + ";\n}\n";
  }
  return out;
}
// Rows that are further forms of another one's function (gemm_to of gemm): what was measured for one serves the other.
std::string other_forms() {
  std::string out = "template <op O>\ninline constexpr op other_form = O;\n";
  std::set<std::string> seen;
  for (const auto& d : operations()) {
    const std::string& of = d.function;
    if (of.empty() || of == d.name || !seen.insert(of).second) continue;
    for (const auto& other : operations())
      if (other.name == of && static_sizes(other) == static_sizes(d) && option_names(other) == option_names(d))
        out += "template <>\ninline constexpr op other_form<op::" + of + "> = op::" + d.name + ";\n";
  }
  return out;
}

std::string devices() {
  std::map<int, device_description> best;  // by architecture; of several the one with the fastest memory
  const auto memory = [](const device_description& d) {
    return 2.0 * d.memory_bus_bits / 8 * d.memory_clock_khz * 1e-6;
  };
  for (const device_profile& p : shipped_profiles()) {
    const int arch = p.device.arch();
    if (const auto it = best.find(arch); it == best.end() || memory(p.device) > memory(it->second))
      best[arch] = p.device;
  }
  std::string out =
      "// One device of each architecture that cache/profiles knows.\n"
      "GLASS_CONSTANT constexpr device profile(int i) {\n  constexpr device all[] = {\n";
  for (const auto& [arch, d] : best) {
    // As products, so that the numbers are the same to the last bit.
    char line[300];
    const std::string memory_text = memory(d) > 0 ? "0.85 * (2.0 * " + std::to_string(d.memory_bus_bits) + " / 8 * " +
                                                        std::to_string(d.memory_clock_khz) + " * 1e-6)"
                                                  : "25.0 * " + std::to_string(d.sm_count);
    std::snprintf(line, sizeof line, "      {%d, %d, %d, %d, %d, %d, %zu, %zu, %zu, %d * 1e-6, %s},  // %s\n", arch,
                  d.sm_count, d.max_threads_per_block, d.max_threads_per_sm, d.max_blocks_per_sm, d.registers_per_sm,
                  d.shared_per_block, d.shared_per_block_optin, d.shared_per_sm,
                  d.clock_khz > 0 ? d.clock_khz : 1500000, memory_text.c_str(), d.name.c_str());
    out += line;
  }
  return out + "  };\n  return all[i];\n}\nenum : int { profiles = " + std::to_string(best.size()) + " };\n";
}

}  // namespace

std::string operations_text() {
  std::string out =
      generated_head(
          "What the dispatch knows of each operation: sizes, options, operands, cost, which placements are legal, and\n"
          "// those that are usual where nothing was measured.") +
      "#include <glass/core/options.cuh>\n#include <glass/dispatch/model.cuh>\n#include "
      "<glass/dispatch/placement.cuh>\nnamespace glass::dispatch {\nenum class kind { in, out, inout, scratch, "
      "scalar };\n" +
      devices() + option_functions() + other_forms() + base_text;
  std::map<std::string, std::string> written;  // rules, and whose they are
  for (const auto& d : operations()) out += operation_struct(d, written);
  return out + "}  // namespace glass::dispatch\n";
}

}  // namespace glass::jit
