// Operands of an operation: what a body is handed, in order. Shapes are expressions of the sizes, so one description
// serves all problems.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace glass::jit {

enum class scalar_type { f32, f64, i32 };
inline constexpr scalar_type f32 = scalar_type::f32, f64 = scalar_type::f64, i32 = scalar_type::i32;
constexpr std::size_t bytes_of(scalar_type t) { return t == scalar_type::f64 ? 8 : 4; }
const char* name(scalar_type) noexcept;  // "f32"

enum class access { in, out, inout, scratch, scalar, info, workspace };
const char* name(access) noexcept;

// What the numbers mean; tuning, checks and benchmarks fill operands accordingly.
enum class kind {
  general,         // uniform in [-1, 1]
  spd,             // symmetric positive definite, condition number about 100; N x (N k): k such matrices side by side
  lower,           // triangular, well conditioned; NaN in the other triangle
  upper,           // likewise
  positive,        // uniform in [0.5, 1.5]
  index,           // integers 0 … 1000
  unit_quaternion  // xyzw, norm 1
};
const char* name(kind) noexcept;

enum class order { col, row, interleaved };  // interleaved: element e of problem p at e * count + p
const char* name(order) noexcept;

// An extent: an integer, a size, an expression of sizes with + - * ( ), or OPTION==value ? a : b.
class extent {
 public:
  extent(int n) : text_(std::to_string(n)) {}
  extent(const char* expression) : text_(expression) {}
  extent(std::string expression) : text_(std::move(expression)) {}
  const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

struct operand {
  std::string name = {};
  jit::access access = jit::access::in;
  std::vector<extent> shape =
      {};  // {}: one number per problem, handed to the body by value (in, scalar); 1: vector; 2: matrix
  jit::kind kind = jit::kind::general;
  double example = 0;  // scalar: the value that tuning and checks use
  jit::order order = jit::order::col;
  std::string ld = {};           // leading dimension (an extent); empty: as many as rows (col) or columns (row)
  std::string stride = {};       // elements from one problem to the next (an extent); empty: back to back
  bool broadcast = false;        // one for the whole batch
  std::string when = {};         // OPTION==value: without it the operand is left out, of the launch too
  std::string unspecified = {};  // OPTION==value: what is left in it says nothing and is not compared
  bool either_sign = false;      // of a matrix that is written: -1 times a column is as good
  std::string order_of = {};  // of what is written: elements or columns come in the order of this vector's, any order
  std::string type = {};      // "", the problem's type; or "f32", "f64", "i32"
  // Fills one problem's operand instead of `kind`: (data as double, elements, problem index). Host only; not in a spec
  // file.
  std::function<void(double*, std::size_t, long long)> fill = {};
  // What `fill` gives is multiplied by this (an extent): offsets of pieces whose size is known with the problem only.
  std::string step = "1";

  // Changes in the style of `in("P", {"N", "N"}).of(kind::spd).row_major()`.
  operand of(jit::kind k) && {
    kind = k;
    return std::move(*this);
  }
  operand row_major() && {
    order = order::row;
    return std::move(*this);
  }
  operand interleaved() && {
    order = order::interleaved;
    return std::move(*this);
  }
  operand leading(extent e) && {
    ld = e.text();
    return std::move(*this);
  }
  operand every(extent e) && {
    stride = e.text();
    return std::move(*this);
  }
  operand shared_by_batch() && {
    broadcast = true;
    return std::move(*this);
  }
  operand only_if(std::string condition) && {
    when = std::move(condition);
    return std::move(*this);
  }
  operand unspecified_if(std::string condition) && {
    unspecified = std::move(condition);
    return std::move(*this);
  }
  operand of_either_sign() && {
    either_sign = true;
    return std::move(*this);
  }
  operand in_any_order_of(std::string vector) && {
    order_of = std::move(vector);
    return std::move(*this);
  }
  operand typed(scalar_type t) && {
    type = jit::name(t);
    return std::move(*this);
  }
  operand filled(std::function<void(double*, std::size_t, long long)> f) && {
    fill = std::move(f);
    return std::move(*this);
  }
  operand in_steps_of(extent e) && {
    step = e.text();
    return std::move(*this);
  }
};

inline operand make_operand(std::string name, access how, std::vector<extent> shape, kind data = kind::general) {
  operand o;
  o.name = std::move(name), o.access = how, o.shape = std::move(shape), o.kind = data;
  return o;
}
inline operand in(std::string name, std::vector<extent> shape, kind data = kind::general) {
  return make_operand(std::move(name), access::in, std::move(shape), data);
}
inline operand out(std::string name, std::vector<extent> shape) {
  return make_operand(std::move(name), access::out, std::move(shape));
}
inline operand inout(std::string name, std::vector<extent> shape, kind data = kind::general) {
  return make_operand(std::move(name), access::inout, std::move(shape), data);
}
inline operand scratch(std::string name, std::vector<extent> shape) {
  return make_operand(std::move(name), access::scratch, std::move(shape));
}
inline operand scalar(std::string name, double example) {
  operand o = make_operand(std::move(name), access::scalar, {});
  o.example = example;
  return o;
}
inline operand info(std::string name = "info") { return make_operand(std::move(name), access::info, {}); }
// Device memory of the caller's, kernel::workspace_bytes(count) of it, where the stages of variant=split leave their
// scratch for each other; no argument of the body. Last in the list.
inline operand workspace(std::string name = "workspace") {
  return make_operand(std::move(name), access::workspace, {});
}

}  // namespace glass::jit
