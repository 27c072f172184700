// Vector and element-wise operations. flops and bytes are those of the contract; a rule says in one sentence why a body
// does not take a placement.
#include "catalog/rows/rows.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit::rows {
namespace {

// -1, 0 and 1 by turns: what comparisons and truth values need to see, whatever the problem.
operand signs(operand o, int phase) {
  return std::move(o).filled([phase](double* x, std::size_t n, long long problem) {
    for (std::size_t i = 0; i < n; ++i)
      x[i] = static_cast<double>((static_cast<long long>(i) * (phase + 1) + problem + phase) % 3 - 1);
  });
}
operation_description move(std::string name, std::vector<operand> operands, std::string bytes, std::string contract) {
  operation_description d;
  d.name = std::move(name), d.header = "glass/vector/move.cuh", d.operands = std::move(operands);
  d.flops = "0", d.bytes = std::move(bytes), d.bound = 1, d.contract = std::move(contract);
  return d;
}
operation_description elementwise(std::string name, std::vector<operand> operands, std::string bytes,
                                  std::string contract) {
  operation_description d;
  d.name = std::move(name), d.header = "glass/vector/elementwise.cuh", d.operands = std::move(operands);
  d.flops = "N", d.bytes = std::move(bytes), d.bound = 1, d.contract = std::move(contract);
  return d;
}
operation_description of_two(std::string name, std::string contract) {
  return elementwise(std::move(name), {in("a", {"N"}), in("b", {"N"}), out("c", {"N"})}, "bytes*3*N",
                     std::move(contract));
}
operation_description test_of_two(std::string name, std::string contract) {
  return elementwise(std::move(name), {signs(in("a", {"N"}), 0), signs(in("b", {"N"}), 1), out("c", {"N"})},
                     "bytes*3*N", std::move(contract));
}
operation_description with_scalar(std::string name, std::string contract) {
  return elementwise(std::move(name), {in("a", {"N"}), scalar("s", 0.25), out("c", {"N"})}, "bytes*2*N",
                     std::move(contract));
}
operation_description shape(std::string name, std::vector<operand> operands, std::string flops, std::string bytes,
                            std::string contract) {
  operation_description d;
  d.name = std::move(name), d.header = "glass/vector/shape.cuh", d.operands = std::move(operands);
  d.sizes = {{.name = "N"}}, d.flops = std::move(flops), d.bytes = std::move(bytes), d.bound = 1;
  d.rules = {thread_square}, d.contract = std::move(contract);
  return d;
}

void add_moves(table& all) {
  all.push_back(move("copy", {in("x", {"N"}), out("y", {"N"})}, "bytes*2*N", "y = x, element by element."));
  all.push_back(move("copy_scaled", {scalar("alpha", 0.5), in("x", {"N"}), out("y", {"N"})}, "bytes*2*N",
                     "y = alpha x: copy(scope, alpha, x, y), and scal of the same form. Always multiplies: 0 times NaN "
                     "is NaN."));
  all.back().function = "copy", all.back().flops = "N";
  all.push_back(move("scal", {scalar("alpha", 0.5), inout("x", {"N"})}, "bytes*2*N",
                     "x = alpha x, in place. Always multiplies: 0 times NaN is NaN."));
  all.back().flops = "N";
  all.push_back(move("set_const", {scalar("alpha", 0.5), out("x", {"N"})}, "bytes*N", "x = alpha in every element."));
  all.push_back(
      move("swap", {inout("x", {"N"}), inout("y", {"N"})}, "bytes*4*N", "Exchanges the elements of x and y."));
}

void add_elementwise(table& all) {
  all.push_back(
      elementwise("clip", {inout("x", {"N"}), in("l", {"N"}), in("u", {"N"})}, "bytes*4*N",
                  "x limited to [l, u], in place: t = x < l ? l : x, then x = t > u ? u : t. NaN in x stays, a "
                  "NaN bound does not limit, l > u gives u."));
  all.back().flops = "2*N";
  all.push_back(of_two("elementwise_add", "c = a + b, element by element."));
  all.push_back(of_two("elementwise_sub", "c = a - b, element by element."));
  all.push_back(of_two("elementwise_mult", "c = a b, element by element."));
  all.push_back(of_two("elementwise_max", "c = the larger of a and b; where one is NaN, the other."));
  all.push_back(of_two("elementwise_min", "c = the smaller of a and b; where one is NaN, the other."));
  all.push_back(test_of_two("elementwise_less_than", "c = 1 where a < b, else 0. A comparison with NaN is 0."));
  all.push_back(test_of_two("elementwise_more_than", "c = 1 where a > b, else 0. A comparison with NaN is 0."));
  all.push_back(test_of_two("elementwise_less_than_or_eq", "c = 1 where a <= b, else 0. A comparison with NaN is 0."));
  all.push_back(test_of_two("elementwise_and", "c = 1 where neither a nor b is 0, else 0. NaN counts as true."));
  all.push_back(
      elementwise("elementwise_abs", {in("a", {"N"}), out("c", {"N"})}, "bytes*2*N", "c = |a|, element by element."));
  all.push_back(elementwise("elementwise_not", {signs(in("a", {"N"}), 0), out("c", {"N"})}, "bytes*2*N",
                            "c = 1 where a is 0, else 0. NaN counts as true."));
  all.push_back(with_scalar("elementwise_mult_scalar", "c = a s. Always multiplies: 0 times NaN is NaN."));
  all.push_back(with_scalar("elementwise_max_scalar", "c = the larger of a and s; where one is NaN, the other."));
  all.push_back(with_scalar("elementwise_min_scalar", "c = the smaller of a and s; where one is NaN, the other."));
  all.push_back(with_scalar("elementwise_less_than_scalar", "c = 1 where a < s, else 0. A comparison with NaN is 0."));
}

void add_shapes(table& all) {
  all.push_back(
      shape("set_identity", {out("A", {"N", "N"})}, "0", "bytes*N*N", "A = I: ones on the diagonal, zeros elsewhere."));
  all.push_back(shape("symmetrize", {inout("A", {"N", "N"})}, "N*N", "bytes*2*N*N",
                      "A = (A + A') / 2, exactly symmetric. That is FILL=full; lower or upper mirrors that triangle "
                      "into the other one."));
  all.back().options = {full_or_triangle};
  all.push_back(shape("transpose", {in("A", {"M", "N"}), out("B", {"N", "M"})}, "0", "bytes*2*M*N",
                      "B = A', B is N x M. B does not overlap A."));
  all.back().sizes = {{.name = "N"}, like("M", "N")}, all.back().rules = {thread_matrix};
  all.push_back(
      shape("transpose_square", {inout("A", {"N", "N"})}, "0", "bytes*2*N*N", "A = A' in place: transpose(scope, A)."));
  all.back().function = "transpose";
  for (const bool adds : {false, true}) {
    const auto y = make_operand("Y", adds ? access::inout : access::out, {"M", "N"});
    all.push_back(shape(adds ? "axpy_strided" : "copy_strided",
                        {scalar("alpha", 0.5), in("X", {"M", "N"}).leading("LDX"), operand(y).leading("LDY")},
                        adds ? "2*M*N" : "M*N", adds ? "bytes*3*M*N" : "bytes*2*M*N",
                        adds
                            ? "Y = alpha X + Y on M x N blocks with leading dimensions LDX and LDY; the rows between M "
                              "and LDY are not touched. With alpha = 0, X is not read."
                            : "Y = alpha X on M x N blocks with leading dimensions LDX and LDY; the rows between M and "
                              "LDY keep their values. Always multiplies: 0 times NaN is NaN."));
    all.back().sizes = {{.name = "N"}, like("M", "N"), like("LDX", "M"), like("LDY", "M")};
    all.back().rules = {thread_matrix}, all.back().bound = adds ? 4 : 1;
  }
}

// The packed operand staged in shared memory and a thread a problem: both sides of the transposition are coalesced. A
// warp of problems a block: on an H200, 8192 vectors of 32 take 0.22 ns each in f32 and 0.30 in f64, and 0.26 and 0.39
// in blocks of 128 (a copy 0.15 and 0.19). An odd distance between the problems in shared memory, so that no two threads
// meet in a bank, gains 0 to 13 % of that and loses as much where the data are not in the cache: not done. 32 bytes are
// read fastest where they are. Larger problems take the rule of thumb, and the tuner the rest.
void add_conversions(table& all) {
  for (const bool back : {false, true}) {
    operation_description d;
    d.name = back ? "deinterleave" : "interleave", d.header = "glass/vector/interleave.cuh";
    d.operands = back ? std::vector<operand>{in("B", {"M", "N"}).interleaved(), out("A", {"M", "N"})}
                      : std::vector<operand>{in("A", {"M", "N"}), out("B", {"M", "N"}).interleaved()};
    size_parameter m;
    m.name = "M", m.fallback = 1;
    d.sizes = {{.name = "N"}, m};
    if (!back) d.defaults = {{"M*N<=32/bytes", "scope=thread pack=128"}};
    d.defaults.push_back({"M*N<=1024/bytes", "scope=thread pack=32 home=shared"});
    d.flops = "0", d.bytes = "bytes*2*M*N", d.bound = 1;
    d.contract = back ? "A = B: from interleaved storage, element e of problem p at e * count + p, to problem after "
                        "problem. N alone: vectors of N; with M: matrices of M x N."
                      : "B = A: from problem after problem to interleaved storage, element e of problem p at e * count "
                        "+ p. N alone: vectors of N; with M: matrices of M x N.";
    all.push_back(std::move(d));
  }
}

}  // namespace

table vector_rows() {
  table all = {
      {.name = "axpy",
       .header = "glass/vector/axpy.cuh",
       .operands = {scalar("alpha", 0.5), in("x", {"N"}), inout("y", {"N"})},
       .flops = "2*N",
       .bytes = "bytes*3*N",
       .bound = 4,
       .contract = "y = alpha x + y, in place. With alpha = 0, x is not read."},
      {.name = "axpy_to",
       .header = "glass/vector/axpy.cuh",
       .function = "axpy",
       .operands = {scalar("alpha", 0.5), in("x", {"N"}), in("y", {"N"}), out("z", {"N"})},
       .flops = "2*N",
       .bytes = "bytes*3*N",
       .bound = 4,
       .contract = "z = alpha x + y: axpy(scope, alpha, x, y, z). With alpha = 0, x is not read."},
      {.name = "axpby",
       .header = "glass/vector/axpy.cuh",
       .operands = {scalar("alpha", 0.5), in("x", {"N"}), scalar("beta", 0.25), in("y", {"N"}), out("z", {"N"})},
       .flops = "3*N",
       .bytes = "bytes*3*N",
       .bound = 4,
       .contract = "z = alpha x + beta y. With alpha = 0, x is not read; with beta = 0, y is not."},
      {.name = "rot",
       .header = "glass/vector/rotate.cuh",
       .operands = {inout("x", {"N"}), inout("y", {"N"}), scalar("c", 0.6), scalar("s", 0.8)},
       .flops = "6*N",
       .bytes = "bytes*4*N",
       .bound = 4,
       .contract = "(x, y) = (c x + s y, c y - s x), both from the old values."},
      {.name = "rotg",
       .header = "glass/vector/rotate.cuh",
       .operands = {in("a", {"N"}), in("b", {"N"}), out("c", {"N"}), out("s", {"N"}), out("r", {"N"})},
       .flops = "8*N",
       .bytes = "bytes*5*N",
       .bound = 4,
       .contract = "The plane rotations that take (a, b) to (r, 0): r = sigma sqrt(a^2 + b^2), c = a / r, s = b / r, "
                   "sigma the sign of the larger magnitude (b's on a tie). (0, 0) gives c = 1, s = 0, r = 0. Scaled: "
                   "no overflow or underflow where r has none."},
      {.name = "add_identity",
       .header = "glass/matrix/add_identity.cuh",
       .operands = {scalar("alpha", 0.5), inout("A", {"N", "N"})},
       .sizes = {{.name = "N"}},
       .flops = "N",
       .bytes = "bytes*2*N",
       .bound = 2,
       .contract = "A = A + alpha I: only the diagonal is read and written."},
      {.name = "add_identity_partial",
       .header = "glass/matrix/add_identity.cuh",
       .operands = {scalar("d", 3).typed(i32), scalar("alpha", 0.5), inout("A", {"N", "N"})},
       .sizes = {{.name = "N"}},
       .flops = "N",
       .bytes = "bytes*2*N",
       .bound = 2,
       .contract = "The first d diagonal entries += alpha (all of them where d > N): only these are read and written. "
                   "d is an int."},
  };
  add_moves(all);
  add_elementwise(all);
  add_shapes(all);
  add_conversions(all);
  return all;
}

}  // namespace glass::jit::rows
