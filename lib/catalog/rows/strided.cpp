// Products of matrices with leading dimensions of their own, made from the rows of gemv and gemm, and many products at
// offsets in larger arrays.
#include <algorithm>

#include "catalog/rows/rows.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit::rows {
namespace {

bool names_the_ring(const std::string& text) {
  return text.find("==ring") != std::string::npos || text.find("==stream") != std::string::npos;
}

// The row of gemv or gemm where A (and B) have leading dimensions, 0 for as many as rows. The ring of gemm wants whole
// vectors in every column, which these do not promise.
operation_description strided(const table& all, const std::string& name) {
  operation_description d = *std::find_if(all.begin(), all.end(), [&](const auto& row) { return row.name == name; });
  d.name += "_strided", d.header = "glass/matrix/strided.cuh";
  std::string said = "leading dimension";
  for (operand& o : d.operands) {
    if (o.access != access::in || o.shape.size() != 2) continue;
    size_parameter ld;
    ld.name = "LD" + o.name, ld.fallback = 0;
    d.sizes.push_back(ld);
    o.ld = ld.name + "==0 ? (" + o.shape[0].text() + ") : " + ld.name;
    said += (o.name == "A" ? " " : ", ") + ld.name;
  }
  for (const char* body : {"ring", "stream"})
    d.bodies.erase(std::remove(d.bodies.begin(), d.bodies.end(), body), d.bodies.end());
  d.exchange.clear(), d.calls.clear(), d.linked.clear();
  d.rules.erase(std::remove_if(d.rules.begin(), d.rules.end(), [](const rule& r) { return names_the_ring(r.when); }),
                d.rules.end());
  d.defaults.erase(std::remove_if(d.defaults.begin(), d.defaults.end(),
                                  [](const usual& u) {
                                    return u.placement.find("body=ring") != std::string::npos ||
                                           u.placement.find("body=stream") != std::string::npos;
                                  }),
                   d.defaults.end());
  d.contract = name + " on parts of larger matrices: " + said + ", 0 for as many as rows. " + d.contract;
  return d;
}

// Numbers 0 ... n - 1 by turns, in an order that changes from problem to problem.
void in_turn(double* x, std::size_t n, long long problem) {
  for (std::size_t s = 0; s < n; ++s) x[s] = static_cast<double>((n - 1 - s + static_cast<std::size_t>(problem)) % n);
}
void any(double* x, std::size_t n, long long problem) {
  for (std::size_t s = 0; s < n; ++s) x[s] = static_cast<double>((5 * s + static_cast<std::size_t>(problem)) % n);
}
operand offsets(std::string name, void (*fill)(double*, std::size_t, long long), extent step) {
  return in(std::move(name), {"S"}).typed(i32).filled(fill).in_steps_of(std::move(step));
}

operation_description segmented(bool adds) {
  const std::string left = "TRANS==yes ? N : M", right = "TRANS==yes ? M : N";  // lengths of y and x
  operation_description d;
  d.name = adds ? "gemv_segmented_add" : "gemv_segmented", d.function = "gemv_segmented";
  d.header = "glass/matrix/gemv_segmented.cuh";
  d.operands = {offsets("aoff", any, "(LDA==0 ? M : LDA)*N"),
                offsets("xoff", any, right),
                offsets("yoff", in_turn, left),
                scalar("alpha", 0.5),
                in("A", {"M", "N*S"}).leading("LDA==0 ? M : LDA"),
                in("x", {right, "S"}),
                scalar("beta", 0.25),
                inout("y", {left, "S"})};
  if (adds) d.operands.insert(d.operands.end(), {offsets("soff", any, left), in("s", {left, "S"}), in("scale", {"S"})});
  size_parameter segments, ld;
  segments.name = "S", segments.fallback = 4, ld.name = "LDA", ld.fallback = 0;
  d.sizes = {{.name = "N"}, like("M", "N"), segments, ld};
  d.options = {transpose, {"ATOMIC", {"glass::Atomic::no", "glass::Atomic::yes"}}};
  d.rules = {thread_matrix};
  d.flops = adds ? "2*M*N*S+2*S*(TRANS==yes ? N : M)" : "2*M*N*S";
  d.bytes = "S*(bytes*(M*N+(TRANS==yes ? M+2*N : N+2*M))+12)";
  if (adds) d.bytes = "S*(bytes*(M*N+(TRANS==yes ? M+3*N : N+3*M)+1)+16)";
  d.contract =
      "S products y = alpha op(A) x + beta y" + std::string(adds ? " + scale s" : "") + ", each on segments of A, x" +
      (adds ? ", y and s" : " and y") +
      " at offsets of its own, op(A) = A or its transpose (TRANS=yes). Segment k of an operand begins as many elements "
      "(i32) into it as aoff[k], xoff[k]" +
      (adds ? ", yoff[k] and soff[k] say; scale: S" : " and yoff[k] say") +
      ". A segment of A is M x N with leading dimension LDA (0: M). Offsets are not checked. With beta = 0, y is not "
      "read; with alpha = 0, A and x are not. The segments of y are disjoint, or (ATOMIC=yes) every product is added "
      "to "
      "y, whatever beta, and they may overlap; problems do not share y.";
  return d;
}

}  // namespace

table strided_rows() {
  const table all = matrix_rows();
  return {strided(all, "gemv"), strided(all, "gemm"), segmented(false), segmented(true)};
}

}  // namespace glass::jit::rows
