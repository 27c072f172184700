// Factorisations and solves. flops and bytes are those of the contract; a rule says in one sentence why a body does not
// take a placement.
#include "catalog/rows/rows.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit::rows {

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
  };
}

}  // namespace glass::jit::rows
