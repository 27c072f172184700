// Factorisations and solves. flops and bytes are those of the contract; a rule says in one sentence why a body does not
// take a placement.
#include "catalog/rows/rows.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit::rows {

namespace {
// Row swaps as getrf gives them: piv[k] in k ... elements - 1.
void row_swaps(double* piv, std::size_t elements, long long problem) {
  for (std::size_t k = 0; k < elements; ++k)
    piv[k] = static_cast<double>(k + (7 * k + 5 + static_cast<std::size_t>(problem)) % (elements - k));
}
const rule fragment_shared_on_host = {"body==fragment && backend==host", "width>1",
                                      "One lane on the host works in memory: a copy would be one more pass."};
const rule fragment_of_something = {"body==fragment", "N>0", "A fragment of nothing."};
const std::string right_hand_sides = "(N+width-1)/width*NRHS*bytes/4";
}  // namespace

table factor_rows() {
  return {
      {.name = "potrf",
       .header = "glass/factor/potrf.cuh",
       .operands = {inout("A", {"N", "N"}, kind::spd), info()},
       .sizes = {{.name = "N"}},
       .bodies = {"fragment", "loop"},
       .rules = {fragment_static, fragment_no_block, fragment_fits(triangle + "<=192"), columns_fit, thread_to_16},
       .flops = "N*N*N/3+N*N/2",
       .bytes = "bytes*N*(N+1)",
       .contract =
           "A = L L' in place for A symmetric positive definite: the lower triangle is read and becomes L, the strict "
           "upper triangle is kept. info: 0, or k in 1..N when the leading minor of order k is not positive."},
      {.name = "posv",
       .header = "glass/factor/posv.cuh",
       .operands = {inout("A", {"N", "N"}, kind::spd), inout("b", {"N", "NRHS"}), info()},
       .sizes = {{.name = "N"}, {.name = "NRHS", .fallback = 1}},
       .bodies = {"fragment", "loop"},
       .rules = {fragment_static, fragment_no_block, columns_fit,
                 fragment_fits(triangle + "<=192 && " + triangle + "+(N+width-1)/width*NRHS*bytes/4<=208"),
                 thread_to_16},
       .flops = "N*N*N/3+2*N*N*NRHS",
       .bytes = "bytes*(N*(N+1)+2*N*NRHS)",
       .contract = "Solves A x = b for A symmetric positive definite. A's lower triangle becomes L of A = L L', its "
                   "strict upper triangle is kept; b: N x NRHS becomes x. info: 0, or k in 1..N when the leading minor "
                   "of order k is not positive; then b is unchanged."},
      {.name = "potrs",
       .header = "glass/factor/potrs.cuh",
       .operands = {in("L", {"N", "N"}, kind::lower), inout("b", {"N", "NRHS"})},
       .sizes = {{.name = "N"}, {.name = "NRHS", .fallback = 1}},
       .bodies = {"fragment", "loop"},
       .rules = {fragment_static,
                 fragment_no_block,
                 fragment_shared_on_host,
                 fragment_of_something,
                 {"body==fragment", triangle + "+" + right_hand_sides + "<=208",
                  "The triangle does not fit the registers of the lanes."},
                 thread_to_16},
       .flops = "2*N*N*NRHS",
       .bytes = "bytes*(N*(N+1)/2+2*N*NRHS)",
       .contract =
           "Solves L L' x = b for L lower triangular as potrf gives it; only its lower triangle is read. b: N x "
           "NRHS becomes x. A zero on the diagonal gives Inf or NaN."},
      {.name = "laswp",
       .header = "glass/factor/laswp.cuh",
       .operands = {inout("A", {"M", "N"}), in("piv", {"M"}).typed(i32).filled(row_swaps), scalar("k0", 0).typed(i32),
                    scalar("k1", 1000000).typed(i32)},
       .sizes = {{.name = "N"}, like("M", "N")},
       .options = {{"DIRECTION", {"glass::Direction::forward", "glass::Direction::backward"}}},
       .flops = "1",
       .bytes = "bytes*2*M*N",
       .contract = "Swaps rows k and piv[k] of A: M x N for k = k0 ... k1 - 1 in order (DIRECTION=backward: in reverse "
                   "order, which undoes it). piv: 0-based row numbers in 0 ... M - 1; k1 > M counts as M."},
  };
}

}  // namespace glass::jit::rows
