// Eigenvalues, singular values and orthogonal factorisations. flops and bytes are those of the contract; a rule says in
// one sentence why a body does not take a placement.
#include "catalog/rows/rows.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit::rows {

namespace {
const rule eigen_thread = small_thread("N<=32", "One thread per problem is for N <= 32.");
}  // namespace

table spectrum_rows() {
  return {
      {.name = "eig3",
       .header = "glass/spectrum/eig3.cuh",
       .operands = {in("A", {3, 3}, kind::spd), out("W", {3}), out("V", {3, 3})},
       .flops = "250",
       .bytes = "bytes*18",
       .contract =
           "A = V diag(W) V' for A symmetric, 3 x 3, of which the lower triangle is read: W ascending, column i "
           "of V the unit eigenvector of W(i), of either sign. NaN or Inf in A: W and V are NaN."},
      {.name = "svd3",
       .header = "glass/spectrum/svd3.cuh",
       .operands = {in("A", {3, 3}), out("U", {3, 3}), out("S", {3}), out("V", {3, 3})},
       .flops = "600",
       .bytes = "bytes*30",
       .contract = "A = U diag(S) V' for A: 3 x 3, S descending and not negative, U and V (not V') orthogonal whatever "
                   "the rank of A. NaN or Inf in A: U, S and V are NaN."},
      {.name = "closest_rotation",
       .header = "glass/spectrum/closest_rotation.cuh",
       .operands = {in("A", {3, 3}), out("R", {3, 3})},
       .flops = "700",
       .bytes = "bytes*18",
       .contract =
           "R = U diag(1, 1, det U det V) V' for A = U diag(S) V', 3 x 3: the rotation closest to A, and the best "
           "fit R of |b_i - R a_i| for A = sum b_i a_i'. det R = 1 always, also for singular A; where several "
           "are closest, always the same one. NaN or Inf in A: R is NaN."},
      {.name = "eigh",
       .header = "glass/spectrum/eigh.cuh",
       .operands = {in("A", {"N", "N"}, kind::spd), out("W", {"N"}), out("V", {"N", "N"}), scratch("scratch", {"N*N"})},
       .sizes = {{.name = "N"}},
       .rules = {eigen_thread},
       .flops = "9*N*N*N",
       .bytes = "bytes*(N*(N+1)/2+N*N+N)",
       .contract = "A = V diag(W) V' for A symmetric, of which the lower triangle is read, by a fixed number of Jacobi "
                   "sweeps: 6 (f32) or 12 (f64), and one more for each 6 that N exceeds 6. Column i of V is the unit "
                   "eigenvector of W(i), in "
                   "the order in which they come out. A is unchanged."},
      {.name = "psd_project",
       .header = "glass/spectrum/psd_project.cuh",
       .operands = {inout("A", {"N", "N"}, kind::spd), scalar("eps", 0.25), scratch("scratch", {"N*N+N"})},
       .sizes = {{.name = "N"}},
       .rules = {eigen_thread},
       .flops = "11*N*N*N",
       .bytes = "bytes*(N*(N+1)/2+N*N)",
       .contract =
           "A becomes V diag(max(W, eps)) V' for A = V diag(W) V' symmetric, of which the lower triangle is read; "
           "the result is exactly symmetric. Jacobi sweeps as eigh. NaN or Inf in A: all of A is NaN."},
      {.name = "syev",
       .header = "glass/spectrum/syev.cuh",
       .operands = {in("A", {"N", "N"}, kind::spd), out("W", {"N"}), out("V", {"N", "N"}), scratch("scratch", {"N*N"}),
                    info()},
       .sizes = {{.name = "N"}},
       .rules = {eigen_thread},
       .flops = "9*N*N*N",
       .bytes = "bytes*(N*(N+1)/2+N*N+N)",
       .contract =
           "A = V diag(W) V' for A symmetric, of which the lower triangle is read: W ascending, column i of V the "
           "unit eigenvector of W(i), of either sign. A is unchanged. info: 0, or 1 if 30 sweeps were not enough "
           "or A has NaN or Inf; then W and V are NaN in the second case."},
      {.name = "eig_clamp",
       .header = "glass/spectrum/psd_project.cuh",
       .operands = {inout("A", {"N", "N"}, kind::spd), scalar("eps", 0.25), scratch("scratch", {"N*N+N"}), info()},
       .sizes = {{.name = "N"}},
       .rules = {eigen_thread},
       .flops = "11*N*N*N",
       .bytes = "bytes*(N*(N+1)/2+N*N)",
       .contract =
           "As psd_project, with as many Jacobi sweeps as it takes. info: 0, or 1 if 30 sweeps were not enough or "
           "A has NaN or Inf; then all of A is NaN in the second case."},
  };
}

}  // namespace glass::jit::rows
