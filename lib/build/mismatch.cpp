// Operand list against parameter list: number, order, kind of view, const, element type, extents.
#include "build/mismatch.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "build/assemble.hpp"

namespace glass::jit {

namespace {

struct handover {
  const bound_operand* operand;
  const parameter* taken;
};

std::string kind_of(const bound_operand& o) {
  return o.shape.empty() ? "number" : o.shape.size() == 1 ? "vector" : "matrix";
}
// "" when any type fits (auto, a template parameter of its own).
std::string kind_of(const parameter& p) {
  if (!p.view.empty()) return p.view;
  const bool plain = p.type == "float" || p.type == "double" || p.type == "int" || p.type == "T" || p.type == "const T";
  return plain ? "number" : "";
}
bool is_const(const parameter& p) { return !p.arguments.empty() && p.arguments[0].starts_with("const "); }
std::string element(const parameter& p) { return is_const(p) ? p.arguments[0].substr(6) : p.arguments[0]; }
std::string listed(const std::vector<std::string>& names) { return names.empty() ? "none" : join(names, ", "); }

// One name for two values: the compiler cannot deduce it.
class deduction {
 public:
  std::string operator()(const std::string& symbol, const std::string& value, const std::string& operand) {
    const auto [at, fresh] = seen_.try_emplace(symbol, value, operand);
    if (fresh || at->second.first == value) return {};
    return symbol + " would have to be " + at->second.first + " (" + at->second.second + ") and " + value + " (" +
           operand + ")";
  }

 private:
  std::map<std::string, std::pair<std::string, std::string>> seen_;
};

bool literal(const std::string& s) { return !s.empty() && s.find_first_not_of("0123456789") == std::string::npos; }
bool type_word(const std::string& s) { return s == "float" || s == "double" || s == "int"; }

// What is wrong between one operand and its parameter, "" if nothing shows.
std::string difference(const handover& here, deduction& deduce, const std::string& function) {
  const bound_operand& o = *here.operand;
  const parameter& p = *here.taken;
  const std::string name = o.what->name, kind = kind_of(p), type = type_text(o.type);
  if (kind.empty()) return {};
  if (kind != kind_of(o))
    return name + " is a " + kind_of(o) + " (" + handed_over(o) + "), but " + function + " takes a " + kind +
           " in its place (" + p.text + ")";
  if (kind == "number") {
    if (type_word(p.type)) return {};  // converts
    return deduce(p.type.starts_with("const ") ? p.type.substr(6) : p.type, type, name);
  }
  if (p.arguments.size() < 1 + o.shape.size()) return {};
  const bool read_only = o.what->access == access::in;
  if (read_only && !is_const(p))
    return name + " is an `in` operand, so its view is const: write glass::" + kind + "<const " + element(p) + ", …> " +
           p.name + ", or declare it inout(\"" + name + "\", …) if it is written";
  if (!read_only && is_const(p))
    return name + " is " + jit::name(o.what->access) + " and its view is writable: write glass::" + kind + "<" +
           element(p) + ", …> " + p.name;
  if (type_word(element(p)) && element(p) != type)
    return name + " has " + type + " elements, but " + function + " takes " + element(p);
  if (std::string wrong = deduce(element(p), type, name); !type_word(element(p)) && !wrong.empty()) return wrong;
  for (std::size_t i = 0; i < o.shape.size(); ++i) {
    const std::string& asked = p.arguments[1 + i];
    const std::string value = o.shape[i].fixed() ? std::to_string(o.shape[i].value) : "glass::dynamic";
    if (literal(asked) && asked != value)
      return name + " is handed over as " + handed_over(o) + ", but " + function + " takes " + p.text;
    if (!literal(asked))
      if (std::string wrong = deduce(asked, value, name); !wrong.empty()) return wrong;
  }
  const bool plain = o.what->order == order::col && o.natural_ld;
  if (!plain && p.arguments.size() == 1 + o.shape.size())
    return name + " is handed over as " + handed_over(o) +
           ": name that view in the text, or take any view (template <class " + name + "_view>)";
  return {};
}

std::string cause(const bound_problem& p, const std::vector<handover>& pairs, const std::vector<std::string>& operands,
                  const std::vector<std::string>& parameters, const signature& s) {
  const std::string& function = p.description.name;
  if (parameters.size() != operands.size())
    return "the operand list hands over " + std::to_string(operands.size()) + " operands (" + listed(operands) +
           "), but " + function + " takes " + std::to_string(parameters.size()) + " after the scope (" +
           listed(parameters) + ")";
  const bool leading =
      !p.description.options.empty() || !p.description.tunables.empty() || !p.description.bodies.empty();
  if (leading && !s.template_parameters.empty() &&
      (s.template_parameters[0].starts_with("class ") || s.template_parameters[0].starts_with("typename ")))
    return "options, tunables and body are the leading template arguments of " + function + ", before " +
           s.template_parameters[0];
  if (operands != parameters &&
      std::is_permutation(operands.begin(), operands.end(), parameters.begin(), parameters.end()))
    return "the operands come in the order " + listed(operands) + ", but " + function + " takes them in the order " +
           listed(parameters) + ": some are swapped";
  for (std::size_t i = 0; i + 1 < pairs.size(); ++i)
    for (std::size_t j = i + 1; j < pairs.size(); ++j) {
      const std::string at_i = kind_of(*pairs[i].taken), at_j = kind_of(*pairs[j].taken);
      if (!at_i.empty() && !at_j.empty() && at_i != at_j && kind_of(*pairs[i].operand) == at_j &&
          kind_of(*pairs[j].operand) == at_i)
        return operands[i] + " and " + operands[j] + " look swapped: " + function + " takes a " + at_i +
               " and then a " + at_j;
    }
  deduction deduce;
  for (const handover& one : pairs)
    if (std::string wrong = difference(one, deduce, function); !wrong.empty()) return wrong;
  return {};
}

}  // namespace

mismatch compare(const bound_problem& p, const placement& where, const signature& s) {
  std::vector<const bound_operand*> given;
  for (const bound_operand& o : p.operands)
    if (o.in_body()) given.push_back(&o);

  std::vector<std::string> operands, parameters;
  for (const bound_operand* o : given) operands.push_back(o->what->name);
  for (std::size_t i = 1; i < s.parameters.size(); ++i)
    parameters.push_back(s.parameters[i].name.empty() ? s.parameters[i].text : s.parameters[i].name);
  std::vector<handover> pairs;
  for (std::size_t i = 0; i < std::min(given.size(), parameters.size()); ++i)
    pairs.push_back({given[i], &s.parameters[i + 1]});

  std::vector<std::pair<std::string, std::string>> rows{{"the operand list hands over", p.description.name + " takes"}};
  rows.push_back({"scope  " + where.scope, s.parameters.empty() ? "-" : s.parameters[0].text});
  for (std::size_t i = 0; i < std::max(given.size(), parameters.size()); ++i)
    rows.push_back({i < given.size() ? operands[i] + "  " + handed_over(*given[i]) : "-",
                    i < parameters.size() ? s.parameters[i + 1].text : "-"});
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.first.size());
  std::string table;
  for (const auto& row : rows)
    table += "\n    " + row.first + std::string(width - row.first.size() + 2, ' ') + "| " + row.second;
  return {cause(p, pairs, operands, parameters, s), table};
}

}  // namespace glass::jit
