// A bound problem as text, its storage, and expressions of its names: extents, rules, shared memory.
#include <algorithm>

#include "base/expression.hpp"
#include "base/text.hpp"
#include "catalog/check.hpp"

namespace glass::jit {
namespace {

expression_value as_value(const std::string& text) {
  const bool negative = text.size() > 1 && text[0] == '-';
  const bool integer =
      !text.empty() && text.size() < 19 && text.find_first_not_of("0123456789", negative) == std::string::npos;
  return integer ? expression_value{std::stoll(text), {}}
                 : expression_value{0, text.empty() ? "none" : last_name(text)};
}

bool fixed_shape(const bound_operand& o) {
  return std::all_of(o.shape.begin(), o.shape.end(), [](const bound_extent& e) { return e.fixed(); }) &&
         (o.shape.size() < 2 || o.ld.fixed());
}

bool is_bounded(const bound_problem& p, const std::string& size) {
  return resolve_size(p.description, p.request.sizes, size).bound;
}

int run_time_sizes(const bound_problem& p) {
  return static_cast<int>(
      std::count_if(p.sizes.begin(), p.sizes.end(), [&](const auto& s) { return is_bounded(p, s.first); }));
}

}  // namespace

long long bound_operand::elements() const {
  if (shape.empty()) return 1;
  if (shape.size() == 1) return shape[0].value;
  return 1LL * ld.value * shape[what->order == order::row ? 0 : 1].value;
}

std::string bound_problem::text() const {
  std::string s = description.name;
  for (const std::string& part : {sizes_text(), options_text()})
    if (!part.empty()) s += " " + part;
  return s + " " + name(request.type) + " batch=" + std::to_string(request.batch);
}

std::string bound_problem::sizes_text() const {
  std::string s;
  for (const auto& [n, v] : sizes)
    s += (s.empty() ? "" : " ") + n + (is_bounded(*this, n) ? "<=" : "=") + std::to_string(v);
  return s;
}

std::string bound_problem::options_text() const {
  std::string s;
  for (const auto& [n, v] : options) s += (s.empty() ? "" : " ") + n + "=" + v;
  return s;
}

bool bound_problem::has_info() const {
  return std::any_of(operands.begin(), operands.end(),
                     [](const bound_operand& o) { return o.what->access == access::info; });
}

long long evaluate(const std::string& expression, const bound_problem& p,
                   const std::map<std::string, std::string>& more) {
  const expression_scope scope = [&](std::string_view view, expression_value& out) {
    const std::string n(view);
    if (const auto m = more.find(n); m != more.end())
      out = as_value(m->second);
    else if (const auto s = p.sizes.find(n); s != p.sizes.end())
      out = {s->second, {}};
    else if (const auto o = p.options.find(n); o != p.options.end())
      out = as_value(o->second);
    else if (n == "bytes")
      out = {static_cast<long long>(bytes_of(p.request.type)), {}};
    else if (n == "run_time_sizes")
      out = {run_time_sizes(p), {}};
    else
      return false;
    return true;
  };
  std::vector<std::string> known = {"bytes", "run_time_sizes"};
  for (const auto& [n, v] : p.sizes) known.push_back(n);
  for (const auto& [n, v] : p.options) known.push_back(n);
  for (const auto& [n, v] : more) known.push_back(n);
  return evaluate(expression, scope, known);
}

namespace {
std::map<std::string, std::string> names_of(const bound_problem& p, const placement& q) {
  const operation_description& d = p.description;
  std::map<std::string, std::string> names = {
      {"width", std::to_string(q.width())},
      {"pack", std::to_string(q.pack)},
      {"home", q.home},
      {"scope", q.is_block() ? "block" : q.scope},
      {"batch", std::to_string(p.batch_class)},
      {"body", q.body.empty() && !d.bodies.empty() ? d.bodies.front() : q.body}};
  for (const auto& t : d.tunables) {
    const auto it = q.tunables.find(t.name);
    names[t.name] = it == q.tunables.end() ? t.values.front().text : it->second;
  }
  return names;
}
}  // namespace

std::string broken_rule(const bound_problem& p, const placement& q, const std::string& backend, int arch) {
  const operation_description& d = p.description;
  std::map<std::string, std::string> names = names_of(p, q);
  names["backend"] = backend, names["arch"] = std::to_string(arch);
  const auto of_others = [&](const rule& r) {  // rules that name bodies are about ours
    return from_library(q) && r.when.find("body") != std::string::npos &&
           r.when.find(library_body) == std::string::npos;
  };
  for (const auto& r : d.rules)
    if (!of_others(r) && (r.when.empty() || evaluate(r.when, p, names) != 0) && evaluate(r.require, p, names) == 0)
      return r.reason;
  return {};
}

std::vector<int> bound_problem::slot_values(const std::map<std::string, int>& given) const {
  const auto wrong = [this](const std::string& what, const std::string& hint = {}) {
    refuse(errc::invalid_argument, description.name + ": " + what, hint);
  };
  const std::vector<std::string> known = size_names(description);
  std::map<std::string, size_value> merged = request.sizes;
  for (const auto& [n, v] : given) {
    if (std::find(known.begin(), known.end(), n) == known.end())
      refuse(errc::unknown_name, description.name + " has no size '" + n + "'." + did_you_mean(n, known),
             "Its sizes are " + join(known, ", ") + ".");
    const size_value asked = resolve_size(description, request.sizes, n);
    const std::string said = n + "=" + std::to_string(v);
    if (v < 0) wrong(said + " is negative.");
    if (!asked.bound && v != asked.value)
      wrong(said + ", but it was compiled for " + n + "=" + std::to_string(asked.value) + ".");
    if (v > asked.value) wrong(said + " is above the bound " + std::to_string(asked.value) + " it was compiled for.");
    if (const size_parameter* p = size_row(description, n); p && v < p->least)
      wrong(said + " is too small; the least is " + std::to_string(p->least) + ".");
    merged[n] = v;
  }
  std::map<std::string, std::string> more;
  for (const auto& n : known) {
    const size_value v = resolve_size(description, merged, n);
    if (v.bound) wrong("the run-time size " + n + " has no value yet.", "Give it with kernel::with.");
    more[n] = std::to_string(v.value);
  }
  std::vector<int> result;
  for (const auto& s : slots) result.push_back(static_cast<int>(evaluate(s, *this, more)));

  // An expression of several sizes may leave its bounds although each size is within its own.
  const auto now = [&](const bound_extent& e) {
    return e.fixed() ? e.value : result[static_cast<std::size_t>(e.slot)];
  };
  for (const auto& o : operands) {
    const std::string who = "operand '" + o.what->name + "' would have ";
    long long elements = 1;
    for (const auto& e : o.shape) {
      if (now(e) < 0 || now(e) > e.value)
        wrong(who + "an extent of " + std::to_string(now(e)) + ", outside 0 to " + std::to_string(e.value) + ".");
      elements *= now(e);
    }
    if (o.shape.size() == 2) {
      const bool row = o.what->order == order::row;
      if (now(o.ld) < now(o.shape[row ? 1 : 0]) || now(o.ld) > o.ld.value)
        wrong(who + "a leading dimension of " + std::to_string(now(o.ld)) + ".");
      elements = 1LL * now(o.ld) * now(o.shape[row ? 0 : 1]);
    }
    if (!o.natural_stride && (now(o.stride) < elements || now(o.stride) > o.stride.value))
      wrong(who + "a stride of " + std::to_string(now(o.stride)) + ".");
  }
  return result;
}

bool lies_in_group(const bound_operand& o, const placement& q) {
  const access how = o.what->access;
  if (how == access::scratch && q.variant == "split") return false;
  if (how == access::scratch) return !(q.scope == "thread" && fixed_shape(o));
  return q.home == "shared" && (how == access::in || how == access::out || how == access::inout) && !o.shape.empty() &&
         o.what->order != order::interleaved;
}

std::vector<workspace_part> workspace_parts(const bound_problem& p) {
  std::vector<workspace_part> parts;
  if (p.description.stages.empty()) return parts;
  for (std::size_t k = 0; k < p.operands.size(); ++k)
    if (const bound_operand& o = p.operands[k]; o.what->access == access::scratch)
      parts.push_back({k, static_cast<std::size_t>(o.elements()) * bytes_of(o.type)});
  return parts;
}

std::size_t exchange_bytes(const bound_problem& p, const placement& q) {
  if (p.description.exchange.empty() || !q.is_block()) return 0;
  const long long bytes = evaluate(p.description.exchange, p, names_of(p, q));
  return bytes <= 0 ? 0 : (static_cast<std::size_t>(bytes) + 15) / 16 * 16;
}

std::size_t group_bytes(const bound_problem& p, const placement& q) {
  std::size_t total = exchange_bytes(p, q);
  for (const auto& o : p.operands) {
    if (!lies_in_group(o, q)) continue;
    const std::size_t copies = o.what->broadcast ? 1 : static_cast<std::size_t>(q.pack);
    total += (copies * static_cast<std::size_t>(o.elements()) * bytes_of(o.type) + 15) / 16 * 16;
  }
  return total;
}

}  // namespace glass::jit
