// The correctness gate: does a candidate agree with the default placement, within a tolerance that was measured?
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

#include "tune/tune.hpp"

namespace glass::jit {
namespace {

bool finite(const double* v, std::size_t n) {
  return std::all_of(v, v + n, [](double x) { return std::isfinite(x); });
}

// Largest difference and largest size, over one problem's elements.
struct distance {
  double difference = 0, size = 0;
  distance(const double* a, const double* reference, std::size_t n) {
    for (std::size_t e = 0; e < n; ++e) {
      const double d = std::abs(a[e] - reference[e]);
      difference = std::isnan(d) ? std::numeric_limits<double>::infinity() : std::max(difference, d);
      size = std::max(size, std::abs(reference[e]));
    }
  }
  double relative() const { return size > 0 ? difference / size : difference; }
};

// Columns that are of either sign, with the sign that they have in the reference.
std::vector<double> with_signs_of(const std::vector<double>& reference, std::vector<double> is, std::size_t rows) {
  for (std::size_t at = 0; rows > 0 && at + rows <= is.size(); at += rows) {
    double product = 0;
    for (std::size_t e = at; e < at + rows; ++e) product += is[e] * reference[e];
    if (product < 0)
      for (std::size_t e = at; e < at + rows; ++e) is[e] = -is[e];
  }
  return is;
}

// What was written to an operand; if its elements or columns come in the order of a vector, in ascending order of that.
std::vector<double> ascending(const std::vector<const bound_operand*>& operands, const workload::outcome& of,
                              std::size_t k) {
  const std::vector<double>& is = of.written[k];
  const std::string& vector = operands[k]->what->order_of;
  if (vector.empty()) return is;
  const auto key =
      std::find_if(operands.begin(), operands.end(), [&](const bound_operand* o) { return o->what->name == vector; });
  if (key == operands.end()) return is;
  const std::vector<double>& by = of.written[static_cast<std::size_t>(key - operands.begin())];
  const auto columns = static_cast<std::size_t>((*key)->shape[0].value);
  const std::size_t rows = by.empty() ? 0 : is.size() / by.size();
  std::vector<double> sorted;
  for (std::size_t at = 0; columns > 0 && at + columns <= by.size(); at += columns) {
    std::vector<std::size_t> order(columns);
    std::iota(order.begin(), order.end(), at);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return by[a] < by[b] || (std::isnan(by[b]) && !std::isnan(by[a])); });
    for (const std::size_t c : order)
      sorted.insert(sorted.end(), is.begin() + static_cast<std::ptrdiff_t>(c * rows),
                    is.begin() + static_cast<std::ptrdiff_t>((c + 1) * rows));
  }
  return sorted;
}

std::vector<const bound_operand*> written_operands(const bound_problem& p) {
  std::vector<const bound_operand*> list;
  for (const auto& o : p.operands)
    if (const access how = o.what->access; how == access::out || how == access::inout || how == access::info)
      list.push_back(&o);
  return list;
}

std::size_t logical_elements(const bound_operand& o) {
  std::size_t n = 1;
  for (const auto& e : o.shape) n *= static_cast<std::size_t>(e.value);
  return n;
}

std::string sentence(const bound_operand& o, std::size_t problem, double got, double allowed) {
  char text[200];
  std::snprintf(text, sizeof text,
                "operand '%s' of problem %zu differs from the default placement by %.2g relative, %.2g is allowed.",
                o.what->name.c_str(), problem, got, allowed);
  return text;
}

}  // namespace

bool any_comparable(const bound_problem& p, const workload::outcome& reference) {
  const auto operands = written_operands(p);
  bool real = false;  // an operand of real numbers with elements
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const std::size_t n = logical_elements(*operands[k]);
    if (n == 0 || operands[k]->type == scalar_type::i32 || operands[k]->unspecified) continue;
    real = true;
    for (std::size_t at = 0; at + n <= reference.written[k].size(); at += n)
      if (finite(&reference.written[k][at], n)) return true;
  }
  return !real;
}

std::string disagreement(const bound_problem& p, const workload::outcome& reference, const workload::outcome& perturbed,
                         const workload::outcome& got) {
  if (!got.overrun.empty()) return got.overrun;
  const auto operands = written_operands(p);
  double outputs = 0;
  for (const auto* o : operands)
    outputs += o->what->access == access::info ? 0 : static_cast<double>(logical_elements(*o));
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const bound_operand& o = *operands[k];
    std::vector<double> sorted;
    if (!o.what->order_of.empty()) sorted = ascending(operands, reference, k);
    const std::vector<double>& ref = o.what->order_of.empty() ? reference.written[k] : sorted;
    const auto rows = o.what->either_sign ? static_cast<std::size_t>(o.shape[0].value) : 0;
    const std::vector<double> moved = with_signs_of(ref, ascending(operands, perturbed, k), rows),
                              is = with_signs_of(ref, ascending(operands, got, k), rows);
    const std::size_t n = logical_elements(o);
    if (reference.kept[k] && !got.kept[k])
      return "operand '" + o.what->name + "': wrote the triangle that the default placement leaves alone.";
    if (n == 0 || o.unspecified) continue;
    if (o.type == scalar_type::i32) {
      for (std::size_t e = 0; e < ref.size(); ++e)
        if (is[e] != ref[e])
          return "operand '" + o.what->name + "' of problem " + std::to_string(e / n) + " is " +
                 std::to_string(static_cast<long long>(is[e])) + ", with the default placement " +
                 std::to_string(static_cast<long long>(ref[e])) + ".";
      continue;
    }
    // The least tolerance: rounding of a sum of `flops per output` terms. Beyond it: a built-in's bound (both sides may
    // be off by it), or what the default itself makes of inputs moved by one unit in the last place.
    const double eps =
        o.type == scalar_type::f32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
    double allowed = 8 * eps * std::sqrt(std::max(1.0, p.flops / std::max(1.0, outputs)));
    if (p.description.bound > 0) {
      allowed = std::max(allowed, 2 * p.description.bound * eps);
    } else {
      for (std::size_t at = 0; at + n <= ref.size(); at += n)
        if (finite(&ref[at], n) && finite(&moved[at], n))
          allowed = std::max(allowed, 8 * distance(&moved[at], &ref[at], n).relative());
    }
    for (std::size_t at = 0; at + n <= ref.size(); at += n) {
      if (!finite(&ref[at], n)) continue;  // the data's fault
      if (const double d = distance(&is[at], &ref[at], n).relative(); !(d <= allowed))
        return sentence(o, at / n, d, allowed);
    }
  }
  return {};
}

}  // namespace glass::jit
