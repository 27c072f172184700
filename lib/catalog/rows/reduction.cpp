// Reductions. flops and bytes are those of the contract; a rule says in one sentence why a body does not take a
// placement.
#include "catalog/rows/rows.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit::rows {

table reduction_rows() {
  return {
      {.name = "dot",
       .header = "glass/vector/dot.cuh",
       .operands = {in("x", {"N"}), in("y", {"N"}), out("r", {1})},
       .flops = "2*N",
       .bytes = "bytes*(2*N+1)",
       .contract = "r = sum of x[i] y[i]. x and y are read, r holds one number per problem; an empty sum is 0, NaN and "
                   "Inf propagate."},
  };
}

}  // namespace glass::jit::rows
