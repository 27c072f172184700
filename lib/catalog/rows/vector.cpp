// Vector operations. flops and bytes are those of the contract; a rule says in one sentence why a body does not take a
// placement.
#include "catalog/rows/rows.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit::rows {

table vector_rows() {
  return {
      {.name = "axpy",
       .header = "glass/vector/axpy.cuh",
       .operands = {scalar("alpha", 0.5), in("x", {"N"}), inout("y", {"N"})},
       .flops = "2*N",
       .bytes = "bytes*3*N",
       .bound = 4,
       .contract = "y = alpha x + y, in place. With alpha = 0, x is not read."},
      {.name = "add_identity",
       .header = "glass/matrix/add_identity.cuh",
       .operands = {scalar("alpha", 0.5), inout("A", {"N", "N"})},
       .sizes = {{.name = "N"}},
       .flops = "N",
       .bytes = "bytes*2*N",
       .bound = 2,
       .contract = "A = A + alpha I: only the diagonal is read and written."},
  };
}

}  // namespace glass::jit::rows
