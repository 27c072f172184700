// bind(): a description and a problem, checked against each other, with every extent worked out.
#include <algorithm>
#include <climits>

#include "base/expression.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "catalog/check.hpp"

namespace glass::jit {
namespace {

using strings = std::vector<std::string>;
constexpr auto invalid = errc::invalid_argument;
constexpr std::size_t most_slots = 8;  // run-time sizes of the kernel's parameter
constexpr long long most_bytes = INT_MAX, most_batch = 1LL << 40;

bool contains(const strings& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string without_spaces(std::string s) {
  s.erase(std::remove_if(s.begin(), s.end(), [](char c) { return c == ' ' || c == '\t'; }), s.end());
  return s;
}

void check_range(const operation_description& d, const std::string& size, const size_value& v) {
  const size_parameter* p = size_row(d, size);
  const int least = p ? p->least : size_parameter().least, most = p ? p->most : size_parameter().most;
  const std::string what = d.name + ": " + size + (v.bound ? "<=" : "=") + std::to_string(v.value);
  if (v.value < 0) refuse(invalid, what + " is negative.");
  if (v.value < least) refuse(invalid, what + " is too small; the least is " + std::to_string(least) + ".");
  if (v.value > most) refuse(invalid, what + " is too large; the most is " + std::to_string(most) + ".");
  if (v.bound && v.value == 0) refuse(invalid, what + ": a size bounded by 0 is always 0; give 0 itself.");
}

class binder {
 public:
  binder(const operation_description& d, const problem& p, bool built_in) {
    check_description(d, built_in);
    b_.description = d, b_.request = p, b_.built_in = built_in;
  }

  bound_problem run() {
    check_request();
    bind_options();
    bind_sizes();
    for (const auto& o : b_.description.operands)
      if (o.when.empty() || value(o.when, "operand '" + o.name + "' when", {}) != 0) bind_operand(o);
    if (b_.operands.empty()) refuse(invalid, d().name + ": no operand is left with these options.");
    b_.identity = identity();
    b_.flops = d().flops.empty() ? estimated_flops() : static_cast<double>(evaluate(d().flops, b_));
    b_.bytes = d().bytes.empty() ? moved_bytes() : static_cast<double>(evaluate(d().bytes, b_));
    while (b_.batch_class < b_.request.batch && b_.batch_class < 16384) b_.batch_class *= 4;
    return std::move(b_);
  }

 private:
  const operation_description& d() const { return b_.description; }

  void check_request() const {
    const problem& p = b_.request;
    if (p.batch < 1) refuse(invalid, d().name + ": batch=" + std::to_string(p.batch) + " is not at least 1.");
    if (p.batch > most_batch) refuse(invalid, d().name + ": batch=" + std::to_string(p.batch) + " is too large.");
    if (b_.built_in && p.type == scalar_type::i32) refuse(invalid, d().name + ": the type is f32 or f64, not i32.");
  }

  void bind_options() {
    const strings known = option_names(d());
    for (const auto& [n, v] : b_.request.options)
      if (!contains(known, n))
        refuse(errc::unknown_name, d().name + " has no option '" + n + "'." + did_you_mean(n, known),
               known.empty() ? "It has none." : "Its options are " + join(known, ", ") + ".");
    for (const auto& o : d().options) {
      const strings values = last_names(o.values);
      const auto it = b_.request.options.find(o.name);
      const std::string v = it == b_.request.options.end() ? values.front() : last_name(it->second);
      if (!contains(values, v))
        refuse(errc::unknown_name,
               d().name + ": the option " + o.name + " has no value '" + v + "'." + did_you_mean(v, values),
               "Its values are " + join(values, ", ") + ".");
      b_.options[o.name] = v;
    }
  }

  void bind_sizes() {
    const strings known = size_names(d());
    for (const auto& [n, v] : b_.request.sizes)
      if (!contains(known, n))
        refuse(errc::unknown_name, d().name + " has no size '" + n + "'." + did_you_mean(n, known),
               "Its sizes are " + join(known, ", ") + ".");
    for (const auto& n : known) {
      const size_value v = resolve_size(d(), b_.request.sizes, n);
      check_range(d(), n, v);
      b_.sizes[n] = v.value;
      if (v.bound) bounded_.push_back(n);
    }
  }

  // An expression at the bounds, with some sizes replaced.
  long long value(const std::string& expression, const std::string& where,
                  const std::map<std::string, int>& instead) const {
    std::map<std::string, std::string> more;
    for (const auto& [n, v] : instead) more[n] = std::to_string(v);
    try {
      return evaluate(expression, b_, more);
    } catch (const error& e) {
      throw error(e.code(), e.stage(), d().name + ": " + where + ": " + e.message(), e.hint());
    }
  }

  // An extent; of run-time sizes it is a slot, bounded by its value at the bounds, which must be its largest.
  bound_extent extent_of(const std::string& expression, const std::string& where) {
    const long long v = value(expression, where, {});
    const std::string said = d().name + ": " + where + " " + expression + " is " + std::to_string(v);
    if (v < 0) refuse(invalid, said + ", which is negative.");
    if (v > INT_MAX) refuse(invalid, said + ", which is too large.");
    bound_extent e{static_cast<int>(v), -1};
    const strings names = names_in(expression);
    if (std::none_of(bounded_.begin(), bounded_.end(), [&](const std::string& n) { return contains(names, n); }))
      return e;
    for (const auto& n : bounded_)
      if (const size_parameter* p = size_row(d(), n); value(expression, where, {{n, p ? p->least : 0}}) > v)
        refuse(invalid, d().name + ": " + where + " " + expression + " grows when " + n +
                            " shrinks, so that its bound is not known.");
    const std::string canonical = without_spaces(expression);
    const auto it = std::find(b_.slots.begin(), b_.slots.end(), canonical);
    e.slot = static_cast<int>(it - b_.slots.begin());
    if (it == b_.slots.end()) b_.slots.push_back(canonical);
    if (b_.slots.size() > most_slots)
      refuse(invalid,
             d().name + ": the operands have more than " + std::to_string(most_slots) +
                 " different run-time extents: " + join(b_.slots, ", ") + ".",
             "Give some of the sizes as fixed numbers.");
    return e;
  }

  void bind_operand(const operand& o) {
    const std::string where = "operand '" + o.name + "'";
    bound_operand r;
    r.what = std::make_shared<const operand>(o);
    r.type = o.access == access::info || o.access == access::workspace || o.type == "i32" ? scalar_type::i32
             : o.type == "f32"                                                            ? scalar_type::f32
             : o.type == "f64"                                                            ? scalar_type::f64
                                                                                          : b_.request.type;
    for (const auto& e : o.shape) r.shape.push_back(extent_of(e.text(), where + " extent"));
    r.unspecified = !o.unspecified.empty() && value(o.unspecified, where + " unspecified", {}) != 0;
    check_kind(o, r, where);
    r.step = static_cast<int>(value(o.step, where + " step", {}));
    if (r.shape.size() == 2) {
      r.ld = r.shape[o.order == order::row ? 1 : 0];
      if (!o.ld.empty()) {
        const bound_extent natural = r.ld;
        r.ld = extent_of(o.ld, where + " ld");
        if (r.ld.value < natural.value)
          refuse(invalid, d().name + ": " + where + " has ld=" + std::to_string(r.ld.value) + ", less than its " +
                              std::to_string(natural.value) + (o.order == order::row ? " columns." : " rows."));
        r.natural_ld = r.ld.value == natural.value && r.ld.slot == natural.slot;
      }
    }
    long long elements = 1;
    for (const int factor : factors(r)) elements *= factor;  // at most two, each below 2^31
    if (elements > most_bytes / static_cast<long long>(bytes_of(r.type)))
      refuse(invalid, d().name + ": " + where + " is too large: " + std::to_string(elements) + " elements a problem.");
    r.stride.value = o.broadcast ? 0 : static_cast<int>(elements);
    if (!o.stride.empty()) {
      r.stride = extent_of(o.stride, where + " stride");
      if (r.stride.value < elements)
        refuse(invalid,
               d().name + ": " + where + " has stride=" + std::to_string(r.stride.value) + ", so that problems of " +
                   std::to_string(elements) + " elements overlap.",
               r.stride.value == 0 ? "One operand for the whole batch is declared as broadcast." : "");
      r.natural_stride = r.stride.fixed() && r.stride.value == elements &&
                         std::all_of(r.shape.begin(), r.shape.end(), [](const bound_extent& e) { return e.fixed(); });
    }
    b_.operands.push_back(std::move(r));
  }

  static std::vector<int> factors(const bound_operand& r) {
    if (r.shape.empty()) return {};
    if (r.shape.size() == 1) return {r.shape[0].value};
    return {r.ld.value, r.shape[r.what->order == order::row ? 0 : 1].value};
  }

  void check_kind(const operand& o, const bound_operand& r, const std::string& where) const {
    const bool square =
        r.shape.size() == 2 && r.shape[0].value == r.shape[1].value && r.shape[0].slot == r.shape[1].slot;
    const bool side_by_side =
        o.kind == kind::spd && r.shape.size() == 2 && r.shape[0].value > 0 && r.shape[1].value % r.shape[0].value == 0;
    if ((o.kind == kind::spd || o.kind == kind::lower || o.kind == kind::upper) && !square && !side_by_side)
      refuse(invalid, d().name + ": " + where + " is " + name(o.kind) + " but not a square matrix.");
    if (o.kind == kind::unit_quaternion && (r.shape.empty() || r.shape[0].value != 4))
      refuse(invalid, d().name + ": " + where + " is a unit quaternion but its first extent is not 4.");
  }

  std::string identity() const {
    if (b_.built_in) return d().name + "/" + std::to_string(d().revision);
    material m;
    m.add("text", d().text);
    for (const auto& o : d().operands) {
      m.add("operand", o.name)
          .add("access", name(o.access))
          .add("kind", name(o.kind))
          .add("example", std::to_string(o.example));
      m.add("order", name(o.order)).add("ld", without_spaces(o.ld)).add("stride", without_spaces(o.stride));
      m.add("broadcast", o.broadcast ? "yes" : "no").add("when", without_spaces(o.when)).add("type", o.type);
      for (const auto& e : o.shape) m.add("extent", without_spaces(e.text()));
    }
    for (const auto& o : d().options) m.add("option", o.name).add("values", join(o.values, " "));
    for (const auto& t : d().tunables) {
      m.add("tunable", t.name);
      for (const auto& v : t.values) m.add("value", v.text);
    }
    for (const auto& s : d().stages) m.add("stage", s);
    for (const auto& body : d().bodies) m.add("body", body);
    for (const auto& body : d().in_step) m.add("in_step", body);
    for (const auto& c : d().calls) m.add("call", c.library + " " + c.function).add("sizes", join(c.sizes, " "));
    if (!d().exchange.empty()) m.add("exchange", without_spaces(d().exchange));
    return d().name + "/" + m.key();
  }

  // Where a description says nothing of its cost: each matrix element takes part in as many multiply-adds as the matrix
  // is thin.
  double estimated_flops() const {
    double flops = 0;
    for (const auto& o : b_.operands) {
      const double least = o.shape.size() == 2 ? std::min(o.shape[0].value, o.shape[1].value) : 1;
      if (!o.shape.empty()) flops += 2 * static_cast<double>(o.elements()) * least;
    }
    return flops;
  }
  double moved_bytes() const {
    double bytes = 0;
    for (const auto& o : b_.operands) {
      const access how = o.what->access;
      const double times =
          how == access::inout                                                                               ? 2
          : how == access::scratch || how == access::scalar || how == access::workspace || o.what->broadcast ? 0
                                                                                                             : 1;
      bytes += times * static_cast<double>(o.elements()) * static_cast<double>(bytes_of(o.type));
    }
    return bytes;
  }

  bound_problem b_;
  strings bounded_;
};

}  // namespace

bound_problem bind(const operation_description& d, const problem& p, bool built_in) {
  return binder(d, p, built_in).run();
}

}  // namespace glass::jit
