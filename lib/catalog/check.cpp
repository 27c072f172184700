// The checks of a description that hold for every problem. One sentence each, naming the place.
#include "catalog/check.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/expression.hpp"
#include "base/text.hpp"

namespace glass::jit {
namespace {

using strings = std::vector<std::string>;
constexpr auto invalid = errc::invalid_argument;
constexpr std::size_t most_operands = 24;  // slots of the kernel's parameter

bool contains(const strings& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

void add_names(strings& to, const std::string& expression, const strings& not_these) {
  for (auto& n : names_in(expression))
    if (!contains(to, n) && !contains(not_these, n)) to.push_back(std::move(n));
}

// Every name in `expression` is known, and every word that an option or tunable is compared with is one of its values.
void check_expression(const operation_description& d, const std::string& expression, const strings& known,
                      const std::string& where) {
  try {
    for (const auto& n : names_in(expression))
      if (!contains(known, n))
        refuse(errc::unknown_name, where + ": '" + n + "' is not known." + did_you_mean(n, known));
    for (const auto& [n, word] : words_in(expression)) {
      strings values;
      for (const auto& o : d.options)
        if (o.name == n) values = last_names(o.values);
      for (const auto& t : d.tunables)
        if (t.name == n)
          for (const auto& v : t.values) values.push_back(last_name(v.text));
      if (n == "body") values = body_names(d);
      if (!values.empty() && !contains(values, word))
        refuse(errc::unknown_name, where + ": " + n + " is never '" + word + "'." + did_you_mean(word, values),
               "Its values are " + join(values, ", ") + ".");
    }
    // Syntax: any values will do, so long as nothing is divided by zero.
    const expression_scope any = [&](std::string_view n, expression_value& v) {
      const bool word = std::any_of(d.options.begin(), d.options.end(), [&](const option& o) { return o.name == n; }) ||
                        n == "body" || n == "home" || n == "scope" || n == "backend";
      v = {1, word ? "?" : ""};
      for (const auto& o : d.options)
        if (o.name == n) v.word = last_name(o.values.front());
      for (const auto& t : d.tunables)
        if (t.name == n && t.values.front().text.find_first_not_of("0123456789") != std::string::npos)
          v.word = last_name(t.values.front().text);
      return true;
    };
    evaluate(expression, any);
  } catch (const error& e) {
    if (e.message().rfind(where, 0) == 0) throw;
    if (e.message().find("division by zero") != std::string::npos) return;  // judged with the real values
    throw error(e.code(), e.stage(), where + ": " + e.message(), e.hint());
  }
}

void check_values(const std::string& where, const strings& values) {
  if (values.empty()) refuse(invalid, where + " has no values.");
  std::set<std::string> seen;
  for (const auto& v : values) {
    if (v.empty()) refuse(invalid, where + " has an empty value.");
    if (!seen.insert(last_name(v)).second) refuse(invalid, where + " lists the value '" + last_name(v) + "' twice.");
  }
}

void check_operand(const operation_description& d, const operand& o, const strings& extents,
                   const strings& conditions) {
  const std::string where = d.name + ": operand '" + o.name + "'", how = name(o.access);
  const bool by_value = o.access == access::scalar || o.access == access::info || o.access == access::workspace;
  if (by_value && !o.shape.empty()) refuse(invalid, where + " is " + how + " and has no shape.");
  if (by_value && (!o.ld.empty() || !o.stride.empty() || o.broadcast || o.order != order::col))
    refuse(invalid, where + " is " + how + " and has no layout (ld, stride, broadcast, order).");
  if (!by_value && o.access != access::in && o.shape.empty())
    refuse(invalid, where + " is " + how + " and needs a shape.", "One number per problem is a vector of one: {1}.");
  if (o.shape.size() > 2)
    refuse(invalid, where + " has " + std::to_string(o.shape.size()) + " extents; a vector has one, a matrix two.");
  if (o.access == access::scalar && !std::isfinite(o.example))
    refuse(invalid, where + " needs an example value, which tuning and checks use.",
           "For example scalar(\"" + o.name + "\", 1e-3).");
  if (!o.ld.empty() && o.shape.size() != 2) refuse(invalid, where + " has a leading dimension but is not a matrix.");
  if (o.order == order::row && o.shape.size() != 2) refuse(invalid, where + " is row-major but is not a matrix.");
  if (o.order == order::interleaved && (!o.ld.empty() || !o.stride.empty() || o.broadcast))
    refuse(invalid, where + " is interleaved, which leaves no room for ld, stride or broadcast.");
  if (o.order == order::interleaved && o.shape.empty())
    refuse(invalid, where + " is one number per problem and is interleaved as it is.");
  if (o.broadcast && !o.stride.empty()) refuse(invalid, where + " is broadcast and has no stride.");
  if (o.broadcast && (o.access == access::out || o.access == access::inout))
    refuse(invalid, where + " is " + how + " and broadcast: all problems would write the same place.");
  if (o.broadcast && o.shape.empty())
    refuse(invalid, where + " is one number for the whole batch.", "That is a scalar operand.");
  if (o.access == access::scratch && (!o.stride.empty() || o.broadcast || o.order == order::interleaved))
    refuse(invalid,
           where + " is scratch and lies where the placement puts it: no stride, broadcast or interleaved order.");
  if (!o.type.empty() && o.type != "f32" && o.type != "f64" && o.type != "i32")
    refuse(errc::unknown_name, where + " has the type '" + o.type + "'." + did_you_mean(o.type, {"f32", "f64", "i32"}),
           "Types are f32, f64 and i32.");
  if (o.access == access::info && !o.type.empty() && o.type != "i32")
    refuse(invalid, where + " is info and always i32.");
  for (const auto& e : o.shape) {
    check_expression(d, e.text(), extents, where + " extent");
    for (const auto& [n, word] : words_in(e.text()))  // a misspelt option would pass for a size
      if (const strings options = option_names(d); !contains(options, n) && !contains(extents, word))
        refuse(errc::unknown_name,
               where + " extent: '" + n + "' is compared with a word but is no option." + did_you_mean(n, options));
  }
  if (!o.ld.empty()) check_expression(d, o.ld, extents, where + " ld");
  if (!o.stride.empty()) check_expression(d, o.stride, extents, where + " stride");
  check_expression(d, o.step, extents, where + " step");
  if (!o.when.empty()) check_expression(d, o.when, conditions, where + " when");
  if (!o.unspecified.empty()) check_expression(d, o.unspecified, conditions, where + " unspecified");
  if (!o.order_of.empty()) {
    strings written;
    for (const operand& v : d.operands)
      if ((v.access == access::out || v.access == access::inout) && v.shape.size() == 1) written.push_back(v.name);
    if (!contains(written, o.order_of))
      refuse(errc::unknown_name, where + " comes in any order of '" + o.order_of +
                                     "', which is no vector that the operation writes." +
                                     did_you_mean(o.order_of, written));
  }
}

}  // namespace

void refuse(errc code, const std::string& message, const std::string& hint) {
  throw error(code, stage::source, message, hint);
}

bool is_identifier(const std::string& s) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !s.empty() && letter(s[0]) &&
         std::all_of(s.begin(), s.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

const strings& reserved_names() {
  static const strings names = {"width", "pack", "bytes", "home", "body", "scope", "backend", "arch", "run_time_sizes"};
  return names;
}

strings option_names(const operation_description& d) {
  strings names;
  for (const auto& o : d.options) names.push_back(o.name);
  return names;
}

strings last_names(const strings& values) {
  strings names;
  for (const auto& v : values) names.push_back(last_name(v));
  return names;
}

strings size_names(const operation_description& d) {
  const strings options = option_names(d);
  strings names;
  for (const auto& s : d.sizes) names.push_back(s.name);
  for (const auto& o : d.operands) {
    for (const auto& e : o.shape) add_names(names, e.text(), options);
    add_names(names, o.ld, options);
    add_names(names, o.stride, options);
  }
  return names;
}

const size_parameter* size_row(const operation_description& d, const std::string& size) {
  for (const auto& s : d.sizes)
    if (s.name == size) return &s;
  return nullptr;
}

size_value resolve_size(const operation_description& d, const std::map<std::string, size_value>& given,
                        const std::string& size) {
  std::string n = size;
  for (std::size_t step = 0; step <= d.sizes.size(); ++step) {  // a ring of sizes that follow each other has no value
    if (const auto it = given.find(n); it != given.end()) return it->second;
    const size_parameter* p = size_row(d, n);
    if (p && p->fallback >= 0) return p->fallback;
    if (!p || p->fallback_size.empty()) break;
    n = p->fallback_size;
  }
  refuse(invalid, d.name + ": the size " + size + " is not given.", "Its sizes are " + join(size_names(d), ", ") + ".");
}

void check_description(const operation_description& d, bool built_in) {
  if (!is_identifier(d.name))
    refuse(invalid, "'" + d.name + "' is not the name of a function.",
           "The name of the description is that of the function template in the text.");
  if (!built_in && d.text.find_first_not_of(" \t\r\n") == std::string::npos)
    refuse(invalid, d.name + ": the text is empty.");
  if (built_in && d.header.empty()) refuse(invalid, d.name + ": no header is named.");

  // Names of parameters, of one list since expressions use them side by side.
  std::set<std::string> taken(reserved_names().begin(), reserved_names().end());
  const auto declare = [&](const std::string& what, const std::string& n) {
    if (!is_identifier(n)) refuse(invalid, d.name + ": '" + n + "' is not a name for " + what + ".");
    if (!taken.insert(n).second)
      refuse(invalid, d.name + ": " + what + " '" + n + "' " +
                          (contains(reserved_names(), n) ? "has a name that rules use." : "has a name that is taken."));
  };
  for (const auto& o : d.options) declare("an option", o.name), check_values(d.name + ": option " + o.name, o.values);
  for (const auto& t : d.tunables) {
    declare("a tunable", t.name);
    strings values;
    for (const auto& v : t.values) values.push_back(v.text);
    check_values(d.name + ": tunable " + t.name, values);
  }
  for (const auto& s : d.sizes) {
    declare("a size", s.name);
    if (s.least < 0 || s.most < s.least) refuse(invalid, d.name + ": size " + s.name + " has an empty range.");
    if (s.fallback != -1 && (s.fallback < s.least || s.fallback > s.most))
      refuse(invalid, d.name + ": the default of size " + s.name + " is outside its range.");
  }
  check_values(d.name + ": the list of bodies", d.bodies.empty() ? strings{"none"} : d.bodies);
  for (const auto& b : d.bodies)
    if (!is_identifier(b)) refuse(invalid, d.name + ": '" + b + "' is not the name of a body.");
  for (const auto& b : d.in_step)
    if (!contains(d.bodies, b))
      refuse(errc::unknown_name,
             d.name + ": '" + b + "', which is to go in step, is no body." + did_you_mean(b, d.bodies));

  if (d.operands.empty()) refuse(invalid, d.name + ": it has no operands.");
  if (d.operands.size() > most_operands)
    refuse(invalid, d.name + ": it has " + std::to_string(d.operands.size()) + " operands; a launch passes at most " +
                        std::to_string(most_operands) + ".");
  std::set<std::string> operands;
  int infos = 0;
  for (const auto& o : d.operands) {
    if (!is_identifier(o.name)) refuse(invalid, d.name + ": '" + o.name + "' is not a name for an operand.");
    if (!operands.insert(o.name).second) refuse(invalid, d.name + ": two operands are called '" + o.name + "'.");
    if (o.access == access::info && ++infos > 1)
      refuse(invalid, d.name + ": it has several info operands; the body returns one int.");
    if (o.access == access::workspace && (&o != &d.operands.back() || !o.when.empty()))
      refuse(invalid, d.name + ": the workspace '" + o.name + "' is not the last operand, or depends on an option.");
  }

  if (d.stages.size() == 1) refuse(invalid, d.name + ": one stage is no chain; variant=split has two or more.");
  for (const auto& s : d.stages)
    if (!is_identifier(s)) refuse(invalid, d.name + ": '" + s + "' is not the name of a stage's function.");
  if (d.stages.empty() == (d.operands.back().access == access::workspace))
    refuse(invalid,
           d.name + (d.stages.empty() ? ": it has a workspace but no stages that would use it."
                                      : ": it has stages but no workspace between them."),
           "variant=split needs both: stages, and workspace() as the last operand.");

  const strings options = option_names(d);
  strings sizes, extents, conditions, all;
  try {
    sizes = size_names(d);
  } catch (const error& e) { throw error(e.code(), e.stage(), d.name + ": " + e.message(), e.hint()); }
  for (const auto& s : sizes)
    if (contains(reserved_names(), s) ||
        std::any_of(d.tunables.begin(), d.tunables.end(), [&](const tunable& t) { return t.name == s; }))
      refuse(invalid, d.name + ": a shape uses '" + s +
                          "', which belongs to the placement; shapes follow from sizes and options alone.");
  for (const auto& s : d.sizes)
    if (!s.fallback_size.empty() && !contains(sizes, s.fallback_size))
      refuse(errc::unknown_name, d.name + ": size " + s.name + " falls back to '" + s.fallback_size +
                                     "', which is no size." + did_you_mean(s.fallback_size, sizes));
  extents = sizes, conditions = options;
  extents.insert(extents.end(), options.begin(), options.end());
  all = extents;
  all.insert(all.end(), reserved_names().begin(), reserved_names().end());
  all.push_back("batch");
  for (const auto& t : d.tunables) all.push_back(t.name);
  for (const auto& o : d.operands) check_operand(d, o, extents, conditions);

  strings cost = extents;
  cost.push_back("bytes");
  if (!d.flops.empty()) check_expression(d, d.flops, cost, d.name + ": flops");
  if (!d.bytes.empty()) check_expression(d, d.bytes, cost, d.name + ": bytes");
  for (const auto& r : d.rules) {
    if (r.require.empty()) refuse(invalid, d.name + ": a rule requires nothing.");
    if (r.reason.empty()) refuse(invalid, d.name + ": the rule '" + r.require + "' has no reason.");
    if (!r.when.empty()) check_expression(d, r.when, all, d.name + ": rule '" + r.reason + "'");
    check_expression(d, r.require, all, d.name + ": rule '" + r.reason + "'");
  }
  if (!d.exchange.empty()) check_expression(d, d.exchange, all, d.name + ": exchange");
  cost.insert(cost.end(), {"arch", "batch", "run_time_sizes"});
  for (const auto& u : d.defaults) {
    if (!u.when.empty()) check_expression(d, u.when, cost, d.name + ": default '" + u.placement + "'");
    placement::parse(u.placement);
  }
  if (!(d.bound >= 0) || !std::isfinite(d.bound))
    refuse(invalid, d.name + ": the error bound must be a number of eps, or 0.");
}

}  // namespace glass::jit
