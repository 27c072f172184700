// Shapes, sizes and layouts. An array's values are in C order: element [p, i, j] is at (p * rows + i) * cols + j.
#include "cli/arrays.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "base/expression.hpp"
#include "base/text.hpp"
#include "glass/jit/error.hpp"

namespace glass::jit::cli {
namespace {

[[noreturn]] void refuse(const std::string& message, const std::string& hint = {}) {
  throw error(errc::invalid_argument, stage::source, message, hint);
}

std::string said(const given_array& g) { return "--in " + g.operand + "=" + g.file; }

// "(batch, N, NRHS)"
std::string expected_shape(const operand& o, const std::vector<std::string>& extents) {
  std::vector<std::string> parts;
  if (!o.broadcast) parts.push_back("batch");
  parts.insert(parts.end(), extents.begin(), extents.end());
  return "(" + join(parts, ", ") + (parts.size() == 1 ? ",)" : ")");
}

// The extents of one problem that an array has, a flat matrix with its one column.
std::vector<std::size_t> extents_of(const operand& o, const given_array& g) {
  std::vector<std::size_t> shape = g.data.shape;
  const std::size_t expected = o.shape.size() + !o.broadcast;
  if (shape.size() != expected && !is_flat(o, g.data)) {
    std::vector<std::string> extents;
    for (const auto& e : o.shape) extents.push_back(e.text());
    refuse(said(g) + " has shape " + g.data.shape_text() + "; '" + o.name + "' takes " + expected_shape(o, extents) +
           (o.broadcast ? ", one for the whole batch." : "."));
  }
  if (shape.size() < expected) shape.push_back(1);
  if (!o.broadcast) shape.erase(shape.begin());
  return shape;
}

// The value of the one size in `expression` that is not known, such that it equals `dim`: 0, and no name, when that
// says nothing.
struct solved {
  std::string size;
  int value = 0;
};
solved solve(const std::string& expression, std::size_t dim, const operation_description& d, const problem& p) {
  const auto value = [&](const std::string& unknown, long long v, long long others) {
    return evaluate(expression, [&](std::string_view view, expression_value& out) {
      const std::string n(view);
      for (const auto& o : d.options)
        if (o.name == n) {
          const auto it = p.options.find(n);
          out.word = last_name(it == p.options.end() ? o.values.front() : it->second);
          return true;
        }
      const auto it = p.sizes.find(n);
      out.number = n == unknown ? v : it != p.sizes.end() ? it->second.value : others;
      return true;
    });
  };
  if (dim > static_cast<std::size_t>(size_parameter().most)) return {};
  const auto target = static_cast<long long>(dim);
  for (const auto& n : names_in(expression)) {
    const bool option =
        std::any_of(d.options.begin(), d.options.end(), [&](const jit::option& o) { return o.name == n; });
    if (option || p.sizes.count(n)) continue;
    for (long long v = 0; v <= 2 * target + 64; ++v)  // the other unknown sizes must not matter
      if (value(n, v, 3) == target && value(n, v, 5) == target && value(n, v + 1, 3) != target)
        return {n, static_cast<int>(v)};
  }
  return {};
}

bool converts(double v, scalar_type to, double& result) {
  if (to == scalar_type::f64) return result = v, true;
  if (to == scalar_type::f32) return result = static_cast<float>(v), result == v || std::isnan(v);
  if (!(v >= std::numeric_limits<std::int32_t>::min() && v <= std::numeric_limits<std::int32_t>::max()))
    return result = 0, false;
  return result = std::nearbyint(v), result == v;
}

void put(unsigned char* to, scalar_type t, double v) {
  const auto copy = [to](auto x) { std::memcpy(to, &x, sizeof x); };
  if (t == scalar_type::f32)
    copy(static_cast<float>(v));
  else if (t == scalar_type::f64)
    copy(v);
  else
    copy(static_cast<std::int32_t>(v));
}
double get(const unsigned char* from, scalar_type t) {
  const auto copy = [from](auto x) { return std::memcpy(&x, from, sizeof x), static_cast<double>(x); };
  return t == scalar_type::f32 ? copy(float{}) : t == scalar_type::f64 ? copy(double{}) : copy(std::int32_t{});
}

// Calls visit(index in the array, element in memory) for every element of the batch.
template <class F>
void each_element(const bound_operand& o, long long count, F visit) {
  const long long rows = o.shape.empty() ? 1 : o.shape[0].value, cols = o.shape.size() < 2 ? 1 : o.shape[1].value,
                  ld = o.shape.size() < 2 ? rows : o.ld.value;
  std::size_t index = 0;
  for (long long p = 0; p < (o.what->broadcast ? 1 : count); ++p)
    for (long long i = 0; i < rows; ++i)
      for (long long j = 0; j < cols; ++j) {
        const long long at = o.what->order == order::interleaved
                                 ? (i + j * rows) * count + p
                                 : p * o.stride.value + (o.what->order == order::row ? i * ld + j : i + j * ld);
        visit(index++, static_cast<std::size_t>(at));
      }
}

}  // namespace

bool is_flat(const operand& o, const array& a) {
  return o.shape.size() == 2 && a.shape.size() + 1 == o.shape.size() + !o.broadcast;
}

void infer(const operation_description& d, const std::vector<given_array>& arrays, problem& p, bool batch_given) {
  std::string batch_from = batch_given ? "--batch" : "";
  long long batch = p.batch;
  bool learnt = true;
  while (learnt) {
    learnt = false;
    for (const auto& g : arrays)
      for (const auto& o : d.operands) {
        if (o.name != g.operand) continue;
        const auto extents = extents_of(o, g);
        for (std::size_t k = 0; k < o.shape.size(); ++k)
          if (const solved s = solve(o.shape[k].text(), extents[k], d, p); !s.size.empty())
            p.sizes[s.size] = s.value, learnt = true;
      }
  }
  for (const auto& g : arrays)
    for (const auto& o : d.operands) {
      if (o.name != g.operand || o.broadcast) continue;
      const auto here = static_cast<long long>(g.data.shape.front());
      if (!batch_from.empty() && here != batch)
        refuse(said(g) + " has " + std::to_string(here) + " problems, " + batch_from + " has " + std::to_string(batch) +
               ".");
      if (batch_from.empty()) batch_from = "--in " + g.operand, batch = here;
    }
  if (batch_from.empty())
    refuse("the number of problems is not known: no array has one for each problem.", "Give --batch.");
  p.batch = batch;
}

std::vector<unsigned char> empty_memory(const bound_operand& o, long long count) {
  const long long elements = o.what->broadcast                     ? o.elements()
                             : o.what->order == order::interleaved ? o.elements() * count
                                                                   : o.stride.value * count;
  return std::vector<unsigned char>(static_cast<std::size_t>(elements) * bytes_of(o.type), 0xff);
}

std::vector<unsigned char> to_memory(const bound_problem& b, const bound_operand& o, const given_array& g,
                                     long long count, bool convert) {
  const auto extents = extents_of(*o.what, g);
  std::vector<std::string> expected;
  bool equal = true;
  for (std::size_t k = 0; k < extents.size(); ++k) {
    expected.push_back(std::to_string(o.shape[k].value));
    equal = equal && extents[k] == static_cast<std::size_t>(o.shape[k].value);
  }
  if (!equal)
    refuse(said(g) + " has shape " + g.data.shape_text() + "; with " + b.sizes_text() + " '" + o.what->name +
           "' takes " + expected_shape(*o.what, expected) + ".");
  std::vector<unsigned char> memory = empty_memory(o, count);
  each_element(o, count, [&](std::size_t index, std::size_t at) {
    const double v = g.data.values[index];
    double x = 0;
    if (!converts(v, o.type, x) && (!convert || (o.type == scalar_type::i32 && x == 0 && v != 0 && !(std::abs(v) < 1))))
      refuse(said(g) + " holds " + name(g.data.type) + " values that " + name(o.type) +
                 " cannot hold exactly, the first at flat index " + std::to_string(index) + ".",
             convert ? "" : std::string("Give --type ") + name(g.data.type) + ", or --convert to round.");
    put(memory.data() + at * bytes_of(o.type), o.type, x);
  });
  return memory;
}

array from_memory(const bound_operand& o, const std::vector<unsigned char>& memory, long long count, bool flat) {
  array a;
  a.type = o.type;
  a.shape.push_back(static_cast<std::size_t>(count));
  for (const auto& e : o.shape) a.shape.push_back(static_cast<std::size_t>(e.value));
  if (flat) a.shape.pop_back();
  std::size_t total = 1;
  for (const std::size_t n : a.shape) total *= n;
  a.values.resize(total);
  each_element(o, count, [&](std::size_t index, std::size_t at) {
    a.values[index] = get(memory.data() + at * bytes_of(o.type), o.type);
  });
  return a;
}

}  // namespace glass::jit::cli
