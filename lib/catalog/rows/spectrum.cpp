// Eigenvalues, singular values and orthogonal factorisations. flops and bytes are those of the contract; a rule says in
// one sentence why a body does not take a placement.
#include "catalog/rows/rows.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit::rows {

table spectrum_rows() { return {}; }

}  // namespace glass::jit::rows
