// Eigenvalues, singular values and orthogonal factorisations. flops and bytes are those of the contract; a rule says in
// one sentence why a body does not take a placement.
#include "catalog/rows/rows.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit::rows {

namespace {
const rule eigen_thread = small_thread("N<=32", "One thread per problem is for N <= 32.");
const std::string eigen_words = "N*(N+5)";  // scratch
const std::vector<std::string> eigen_bodies = {"loop", "fragment", "ql"};
// Jacobi in registers is done sooner, QL takes less of the GPU: which counts where many problems wait.
const std::string few = "batch<=1024";
const std::vector<usual> eigen_defaults = {
    {"run_time_sizes==0 && N>0 && N<=4", "scope=tile4 pack=32 home=global body=fragment"},
    {"run_time_sizes==0 && N>4 && N<=8", "scope=tile8 pack=16 home=global body=fragment"},
    {"run_time_sizes==0 && N>8 && N<=16 && (" + few + " || N==16)", "scope=tile16 pack=8 home=global body=fragment"},
    {"run_time_sizes==0 && N>8 && N<16", "scope=tile4 pack=16 home=global body=ql"},
    {"run_time_sizes==0 && N>16 && N<=32 && (" + few + " || N==32 && bytes==4)",
     "scope=warp pack=4 home=global body=fragment"},
    {"run_time_sizes==0 && N>16 && N<=24", "scope=tile8 pack=4 home=global body=ql"},
    {"run_time_sizes==0 && N>24 && N<=32", "scope=tile16 pack=4 home=global body=ql"},
    {"run_time_sizes==0 && N>32 && batch<=256", "scope=block64 home=global body=ql"},
    {"run_time_sizes==0 && N>32 && N<=48 && bytes==4", "scope=tile16 pack=2 home=global body=ql"},
    {"run_time_sizes==0 && N>32 && N<=48", "scope=warp pack=1 home=global body=ql"},
    {"run_time_sizes==0 && N>48", "scope=block128 home=global body=ql"}};
// Of its bodies, then `more`.
std::vector<rule> eigen_rules(const std::vector<rule>& more = {}) {
  std::vector<rule> all = {
      eigen_thread,
      {"body==fragment", "run_time_sizes==0 && N>0 && N<=32",
       "Columns live in registers for a constant N from 1 to 32."},
      {"body==fragment", "scope!=block && width>1 && N<=width", "A lane of the tile or warp holds one row."}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}
// Vectors over the matrix, which is V; it works in the row's scratch.
library_call eigen_call() {
  library_call c = solver_call("heev", {"N"});
  c.workspace = "N*N";
  return c;
}
const std::string shorter = "M<N ? M : N", longer = "M<N ? N : M";
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
       .operands = {in("A", {"N", "N"}, kind::spd), out("W", {"N"}).in_any_order_of("W"),
                    out("V", {"N", "N"}).in_any_order_of("W").of_either_sign(), scratch("scratch", {eigen_words})},
       .sizes = {{.name = "N"}},
       .bodies = eigen_bodies,
       .in_step = {"fragment"},
       .rules = eigen_rules(),
       .defaults = eigen_defaults,
       .flops = "9*N*N*N",
       .bytes = "bytes*(N*(N+1)/2+N*N+N)",
       .revision = 3,
       .contract =
           "A = V diag(W) V' for A symmetric, of which the lower triangle is read, in as many sweeps as it takes: "
           "column i of V is the unit eigenvector of W(i), in the order in which they come out. NaN or Inf in A, or 30 "
           "sweeps not enough: W and V are NaN. A is unchanged."},
      {.name = "psd_project",
       .header = "glass/spectrum/psd_project.cuh",
       .operands = {inout("A", {"N", "N"}, kind::spd), scalar("eps", 0.25), scratch("scratch", {eigen_words})},
       .sizes = {{.name = "N"}},
       .bodies = eigen_bodies,
       .in_step = {"fragment"},
       .rules = eigen_rules(),
       .defaults = eigen_defaults,
       .flops = "11*N*N*N",
       .bytes = "bytes*(N*(N+1)/2+N*N)",
       .revision = 3,
       .contract =
           "A becomes V diag(max(W, eps)) V' for A = V diag(W) V' symmetric, of which the lower triangle is read; "
           "the result is exactly symmetric. NaN or Inf in A, or 30 sweeps not enough: all of A is NaN."},
      {.name = "syev",
       .header = "glass/spectrum/syev.cuh",
       .operands = {in("A", {"N", "N"}, kind::spd), out("W", {"N"}), out("V", {"N", "N"}).of_either_sign(),
                    scratch("scratch", {eigen_words}), info()},
       .sizes = {{.name = "N"}},
       .bodies = eigen_bodies,
       .in_step = {"fragment"},
       .calls = {eigen_call()},
       .linked = solver_header,
       .rules = eigen_rules({{"body==nvidia", "N>1", "NVIDIA's function is for N > 1."}}),
       .defaults = eigen_defaults,
       .flops = "9*N*N*N",
       .bytes = "bytes*(N*(N+1)/2+N*N+N)",
       .revision = 3,
       .contract =
           "A = V diag(W) V' for A symmetric, of which the lower triangle is read: W ascending, column i of V the "
           "unit eigenvector of W(i), of either sign. A is unchanged. info: 0, or 1 if 30 sweeps were not enough "
           "or A has NaN or Inf; then W and V are NaN in the second case."},
      {.name = "eig_clamp",
       .header = "glass/spectrum/psd_project.cuh",
       .operands = {inout("A", {"N", "N"}, kind::spd), scalar("eps", 0.25), scratch("scratch", {eigen_words}), info()},
       .sizes = {{.name = "N"}},
       .bodies = eigen_bodies,
       .in_step = {"fragment"},
       .rules = eigen_rules(),
       .defaults = eigen_defaults,
       .flops = "11*N*N*N",
       .bytes = "bytes*(N*(N+1)/2+N*N)",
       .revision = 3,
       .contract = "As psd_project, and says whether it came about. info: 0, or 1 if A has NaN or Inf or 30 sweeps "
                   "were not enough; then all of A is NaN."},
      {.name = "svd",
       .header = "glass/spectrum/svd.cuh",
       .operands = {in("A", {"M", "N"}), out("U", {"M", "N"}), out("S", {"N"}), out("V", {"N", "N"}), info()},
       .sizes = {{.name = "N"}, like("M", "N")},
       .rules = {{"run_time_sizes==0", "N<=M", "svd is for M >= N; of the transpose, U and V change places."},
                 thread_matrix},
       .flops = "14*M*N*N+8*N*N*N",
       .bytes = "bytes*(2*M*N+N*N+N)",
       .contract = "A = U diag(S) V' for A: M x N, M >= N, by one-sided Jacobi: S descending and not negative, U: M x "
                   "N and V: N "
                   "x N (not V') with orthonormal columns whatever the rank of A. info: 0, or 1 if A has NaN or Inf or "
                   "60 sweeps "
                   "were not enough; then U, S and V are NaN."},
      {.name = "pinv",
       .header = "glass/spectrum/pinv.cuh",
       .operands = {in("A", {"M", "N"}), out("X", {"N", "M"}), scalar("rtol", 1e-5),
                    scratch("scratch", {"M*N+(" + shorter + ")*((" + shorter + ")+1)"}), info()},
       .sizes = {{.name = "N"}, like("M", "N")},
       .rules = {thread_matrix},
       .flops = "16*M*N*(" + shorter + ")+8*(" + shorter + ")*(" + shorter + ")*(" + shorter + ")",
       .bytes = "bytes*2*M*N",
       .contract =
           "X = the pseudoinverse of A: M x N, tall or wide, by the method of svd: singular values not above rtol "
           "times the "
           "largest count as zero. info: 0, or 1 if A has NaN or Inf or 60 sweeps were not enough; then X is NaN."},
      {.name = "geqrf",
       .header = "glass/spectrum/geqrf.cuh",
       .operands = {inout("A", {"M", "N"}), out("tau", {shorter})},
       .sizes = {{.name = "N"}, like("M", "N")},
       .calls = {solver_call("geqrf", {"M", "N"})},
       .linked = solver_header,
       .rules = {thread_matrix},
       .flops = "M<N ? 2*N*M*M-2*M*M*M/3 : 2*M*N*N-2*N*N*N/3",
       .bytes = "bytes*(2*M*N+(" + shorter + "))",
       .contract =
           "A = Q R for A: M x N by Householder reflections H_k = I - tau_k v v', Q = H_0 H_1 ...: R on and above the "
           "diagonal, v_k (whose element k is 1) below it; tau: min(M, N). R_kk = -sign(a_kk) times the length of what "
           "is left of column k; tau_k = 0 where all below the diagonal is zero already."},
      {.name = "geqp3",
       .header = "glass/spectrum/geqp3.cuh",
       .operands = {inout("A", {"M", "N"}), out("jpiv", {"N"}).typed(i32), out("tau", {shorter})},
       .sizes = {{.name = "N"}, like("M", "N")},
       .rules = {thread_matrix},
       .flops = "M<N ? 3*N*M*M-M*M*M : 3*M*N*N-N*N*N",
       .bytes = "bytes*(2*M*N+(" + shorter + "))+4*N",
       .contract = "A P = Q R for A: M x N as geqrf, with column pivoting: column k of A P is column jpiv[k] of A, the "
                   "one that is "
                   "longest below row k, of equal ones the first, so that |R_kk| does not increase."},
      {.name = "orgqr",
       .header = "glass/spectrum/orgqr.cuh",
       .operands = {inout("A", {"M", "N"}), in("tau", {"K"}, kind::positive)},
       .sizes = {{.name = "N"}, like("M", "N"), like("K", "N")},
       .rules = {{"run_time_sizes==0", "K<=N && N<=M",
                  "orgqr forms N columns from K reflections of length M: K <= N <= M."},
                 thread_matrix},
       .flops = "4*M*N*K-2*(M+N)*K*K+4*K*K*K/3",
       .bytes = "bytes*(2*M*N+K)",
       .contract =
           "A becomes the first N columns of Q = H_0 H_1 ... H_(K-1), K <= N <= M, of the reflections that geqrf "
           "left below the diagonal of its first K columns and in tau."},
      {.name = "ormqr",
       .header = "glass/spectrum/orgqr.cuh",
       .operands = {in("A", {"SIDE==left ? M : N", "K"}), in("tau", {"K"}, kind::positive), inout("C", {"M", "N"})},
       .sizes = {{.name = "N"}, like("M", "N"), like("K", "N")},
       .options = {{"SIDE", {"glass::Side::left", "glass::Side::right"}}, transpose},
       .calls = {solver_call("unmqr", {"M", "N", "K"}).triangle("", "SIDE==right", "").transposed_if("TRANS==yes")},
       .linked = solver_header,
       .rules = {{"run_time_sizes==0", "SIDE==left ? K<=M : K<=N",
                  "Q is a product of at most as many reflections as its order: K <= M, or K <= N with SIDE=right."},
                 thread_product},
       .flops = "4*M*N*K-(SIDE==left ? 2*N*K*K : 2*M*K*K)",
       .bytes = "bytes*((SIDE==left ? M : N)*K+K+2*M*N)",
       .contract =
           "C becomes op(Q) C, or C op(Q) with SIDE=right, op(Q) = Q or its transpose (TRANS=yes), for Q = H_0 H_1 "
           "... H_(K-1) of the reflections that geqrf left below the diagonal of A and in tau. C: M x N."},
      {.name = "gels",
       .header = "glass/spectrum/gels.cuh",
       .operands = {inout("A", {"M", "N"}), inout("B", {longer, "NRHS"}), scratch("scratch", {shorter}), info()},
       .sizes = {{.name = "N"}, like("M", "N"), {.name = "NRHS", .fallback = 1}},
       .calls = {solver_call("gels", {"M", "N", "NRHS"})},
       .linked = solver_header,
       .rules = {thread_matrix},
       .flops = "(M<N ? 2*N*M*M : 2*M*N*N)+4*M*N*NRHS",
       .bytes = "bytes*(2*M*N+2*(" + longer + ")*NRHS)",
       .contract =
           "Least squares for A: M x N of full rank. M >= N: X minimises |A X - B|, every column; M < N: A X = B "
           "with the least |X|. B has max(M, N) rows: the first M are read, the first N become X. A is "
           "destroyed. info: 0, or k in 1..min(M, N) when R_kk of A = Q R is zero or NaN; then B is "
           "unspecified."},
  };
}

}  // namespace glass::jit::rows
