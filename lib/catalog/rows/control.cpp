// Fused operations of estimation and control. flops and bytes are those of the contract; a rule says in one sentence
// why a body does not take a placement.
#include "catalog/rows/rows.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit::rows {

namespace {

const option shift = {"SHIFT", {"glass::Shift::none", "glass::Shift::identity", "glass::Shift::diagonal"}};
const option damping = {"SHIFT", {"glass::Shift::diagonal", "glass::Shift::identity"}};
const option axis = {"AXIS", {"glass::TensorAxis::K", "glass::TensorAxis::A", "glass::TensorAxis::B"}};
const option slabs = {"ORDER", {"glass::Order::col", "glass::Order::row"}};
// A quarter of the usual: trajectories of many steps stay small.
void gentle(double* x, std::size_t elements, long long problem) {
  for (std::size_t i = 0; i < elements; ++i) {
    const std::size_t mixed = (i * 131 + static_cast<std::size_t>(problem) * 1009 + 7) * 2654435761u % 65536;
    x[i] = (static_cast<double>(mixed) / 32768 - 1) / 4;
  }
}
// So small that Q (kind::spd) outweighs it: the cost of a stage stays convex.
void slight(double* x, std::size_t elements, long long problem) {
  gentle(x, elements, problem);
  for (std::size_t i = 0; i < elements; ++i) x[i] /= 256;
}
operand given(std::string name, std::vector<extent> shape, void (*fill)(double*, std::size_t, long long)) {
  return in(std::move(name), std::move(shape)).filled(fill);
}
const rule stages_where_they_lie = {"", "home==global",
                                    "A stage is read once: all stages in shared memory are only copied."};
rule thread_terms(const std::string& terms) {
  return small_thread(terms + "<=4096", "One thread per problem is for products of at most 4096 terms.");
}

}  // namespace

table control_rows() {
  return {
      {.name = "congruence_sym",
       .header = "glass/control/congruence.cuh",
       .operands = {scalar("alpha", 0.5), in("X", {"N", "K"}), in("M", {"N", "N"}, kind::spd), scalar("beta", 0.25),
                    inout("Q", {"K", "K"}, kind::spd), scratch("scratch", {"N*K"}), workspace()},
       .sizes = {{.name = "N"}, like("K", "N")},
       .tunables = symmetric_tunables(),
       .stages = {"congruence_sym_product", "congruence_sym_finish"},
       .bodies = {"loop", "direct"},
       .rules = symmetric_rules("N*N*K+N*K*K<=4096", "K", "N"),
       .defaults = symmetric_defaults("K", "N"),
       .flops = "2*N*N*K+N*K*K",
       .bytes = "bytes*(N*N+N*K+2*K*K)",
       .contract =
           "Q = alpha X' M X + beta Q for symmetric M: N x N, X: N x K; Q: K x K, its lower triangle read, both "
           "triangles written, exactly symmetric. With beta = 0, Q is not read; with alpha = 0, X and M are "
           "not."},
      {.name = "congruence_accum",
       .header = "glass/control/congruence.cuh",
       .operands = {scalar("alpha", 0.5), in("G", {"P", "N"}), in("M", {"N", "N"}, kind::spd), scalar("beta", 0.25),
                    inout("C", {"P", "P"}, kind::spd), scratch("scratch", {"N*P"})},
       .sizes = {{.name = "N"}, like("P", "N")},
       .tunables = symmetric_tunables(),
       .bodies = {"loop", "direct"},
       .rules = symmetric_rules("N*N*P+N*P*P<=4096", "P", "N"),
       .defaults = symmetric_defaults("P", "N"),
       .flops = "2*N*N*P+N*P*P",
       .bytes = "bytes*(N*N+N*P+2*P*P)",
       .contract =
           "C = alpha G M G' + beta C for symmetric M: N x N, G: P x N; C: P x P, its lower triangle read, both "
           "triangles written, exactly symmetric. With beta = 0, C is not read; with alpha = 0, G and M are "
           "not."},
      {.name = "bilinear",
       .header = "glass/control/congruence.cuh",
       .operands = {scalar("alpha", 0.5), in("X", {"N", "P"}), in("M", {"N", "N"}), in("Y", {"N", "Q"}),
                    scalar("beta", 0.25), inout("R", {"P", "Q"}), scratch("scratch", {"N*Q"})},
       .sizes = {{.name = "N"}, like("P", "N"), like("Q", "N")},
       .rules = {thread_terms("N*N*Q+N*P*Q")},
       .flops = "2*N*N*Q+2*N*P*Q",
       .bytes = "bytes*(N*N+N*P+N*Q+2*P*Q)",
       .contract =
           "R = alpha X' M Y + beta R with M: N x N, X: N x P, Y: N x Q, R: P x Q. With beta = 0, R is not read; "
           "with alpha = 0, X, M and Y are not."},
      {.name = "tensor_vec_contract",
       .header = "glass/control/tensor.cuh",
       .operands = {scalar("alpha", 0.5), in("T", {"A*B", "N"}), in("v", {"AXIS==K ? N : (AXIS==A ? A : B)"}),
                    scalar("beta", 0.25), inout("M", {"AXIS==K ? A : N", "AXIS==B ? A : B"})},
       .sizes = {{.name = "N"}, like("A", "N"), like("B", "N")},
       .options = {axis, slabs},
       .rules = {thread_terms("N*A*B")},
       .flops = "2*N*A*B",
       .bytes = "bytes*(N*A*B+(AXIS==K ? 2*A*B+N : (AXIS==A ? 2*N*B+A : 2*N*A+B)))",
       .contract =
           "Contracts N slabs T_k of A x B numbers with a vector: AXIS=K: M(a, b) = alpha sum_k v(k) T_k(a, b) + "
           "beta M(a, b); A: M(k, b) sums over a; B: M(k, a) sums over b. Slab k is column k of T, column-major "
           "or, with ORDER=row, row-major. With beta = 0, M is not read; with alpha = 0, T and v are not."},
      {.name = "vec_tensor_vec",
       .header = "glass/control/tensor.cuh",
       .operands = {scalar("alpha", 0.5), in("T", {"A*B", "N"}), in("u", {"A"}), in("w", {"B"}), scalar("beta", 0.25),
                    inout("s", {"N"})},
       .sizes = {{.name = "N"}, like("A", "N"), like("B", "N")},
       .options = {slabs},
       .rules = {thread_terms("N*A*B")},
       .flops = "3*N*A*B",
       .bytes = "bytes*(N*A*B+A+B+2*N)",
       .contract =
           "s(k) = alpha u' T_k w + beta s(k) for N slabs T_k of A x B numbers: column k of T, column-major or, "
           "with ORDER=row, row-major. With beta = 0, s is not read; with alpha = 0, T, u and w are not."},
      {.name = "gn_step",
       .header = "glass/control/gn_step.cuh",
       .operands = {in("J", {"M", "N"}), in("r", {"M"}), scalar("lambda", 0.5), out("dq", {"N"}),
                    scratch("scratch", {"N*N"}), info(), workspace()},
       .sizes = {{.name = "N"}, like("M", "N")},
       .options = {damping},
       .stages = {"gn_step_form", "gn_step_solve"},
       .rules = {thread_to_16},
       .flops = "M*N*N+2*M*N+N*N*N/3+2*N*N",
       .bytes = "bytes*(M*N+M+N)",
       .contract =
           "A damped Gauss-Newton step: (J'J + lambda D) dq = J'r with D = diag(J'J), or I (SHIFT=identity). With r "
           "= target - current the update is q + dq. info: 0, or k in 1..N when the leading minor of order k is "
           "not positive; then dq is unchanged."},
      {.name = "lm_step",
       .header = "glass/control/gn_step.cuh",
       .operands = {in("J", {"M", "N"}), in("r", {"M"}), scalar("lambda", 0.5), out("dq", {"N"}), out("predicted", {1}),
                    scratch("scratch", {"N*N+2*N"}), info(), workspace()},
       .sizes = {{.name = "N"}, like("M", "N")},
       .stages = {"lm_step_form", "lm_step_solve"},
       .rules = {thread_to_16},
       .flops = "M*N*N+2*M*N+N*N*N/3+2*N*N+4*N",
       .bytes = "bytes*(M*N+M+N+1)",
       .contract =
           "A Levenberg-Marquardt step: (J'J + lambda D) dq = J'r with D = diag(J'J), and 1 where that is 0; "
           "predicted = dq'(lambda D dq + J'r) / 2, the decrease of |r - J dq|^2 / 2. info: 0, or k in 1..N when "
           "the leading minor of order k is not positive; then dq and predicted are unchanged."},
      {.name = "riccati_gain",
       .header = "glass/control/riccati_gain.cuh",
       .operands = {in("P", {"N", "N"}, kind::spd), in("A", {"N", "N"}), in("B", {"N", "NU"}),
                    in("R", {"NU", "NU"}, kind::spd), out("K", {"NU", "N"}), scratch("scratch", {"NU*NU+N*NU"}),
                    scalar("rho", 0.25).only_if("SHIFT!=none"), info(), workspace()},
       .sizes = {{.name = "N"}, like("NU", "N")},
       .options = {shift},
       .stages = {"riccati_gain_form", "riccati_gain_solve"},
       .rules = {thread_terms("N*N*NU+N*NU*NU")},
       .flops = "4*N*N*NU+3*N*NU*NU+NU*NU*NU/3",
       .bytes = "bytes*(2*N*N+2*N*NU+NU*NU)",
       .contract =
           "The gain of a linear-quadratic regulator: K = (R + B'PB)^-1 B'PA, u = -K x; N states, NU controls, P "
           "and R symmetric. SHIFT adds rho I (identity) or rho times its diagonal (diagonal) to R + B'PB. info: "
           "0, or k in 1..NU when the leading minor of order k is not positive; then K is unchanged."},
      {.name = "riccati_step",
       .header = "glass/control/riccati_gain.cuh",
       .operands = {in("P", {"N", "N"}, kind::spd), in("A", {"N", "N"}), in("B", {"N", "NU"}),
                    in("Q", {"N", "N"}, kind::spd), in("R", {"NU", "NU"}, kind::spd), out("K", {"NU", "N"}),
                    out("Pnew", {"N", "N"}), scratch("scratch", {"NU*NU+N*NU+N*N"}),
                    scalar("rho", 0.25).only_if("SHIFT!=none"), info()},
       .sizes = {{.name = "N"}, like("NU", "N")},
       .options = {shift},
       .rules = {thread_terms("N*N*N+N*N*NU+N*NU*NU")},
       .flops = "2*N*N*N+6*N*N*NU+3*N*NU*NU+NU*NU*NU/3",
       .bytes = "bytes*(4*N*N+2*N*NU+NU*NU)",
       .contract =
           "One stage of a Riccati recursion: K as riccati_gain, then Pnew = Q + A'PA - K'B'PA, exactly symmetric; "
           "N states, NU controls, P, Q and R symmetric. info: 0, or k in 1..NU when the leading minor of order k "
           "of R + B'PB (shifted) is not positive; then K and Pnew are unchanged."},
      {.name = "lqr_backward",
       .header = "glass/control/lqr.cuh",
       .operands = {given("A", {"N", "N*STAGES"}, gentle), in("B", {"N", "NU*STAGES"}), in("c", {"N", "STAGES"}),
                    in("Q", {"N", "N*STAGES"}, kind::spd), given("M", {"NU", "N*STAGES"}, slight),
                    in("R", {"NU", "NU*STAGES"}, kind::spd), in("q", {"N", "STAGES"}), in("r", {"NU", "STAGES"}),
                    in("QN", {"N", "N"}, kind::spd), in("qN", {"N"}), out("K", {"NU", "N*STAGES"}),
                    out("k", {"NU", "STAGES"}), out("P", {"N", "N*(STAGES+1)"}), out("p", {"N", "STAGES+1"}),
                    scratch("scratch", {"NU*NU+N*NU+(N+NU)*(N+1)"}), scalar("rho", 0.25).only_if("SHIFT!=none"),
                    info()},
       .sizes = {{.name = "N"}, like("NU", "N"), {.name = "STAGES", .fallback = 4}},
       .options = {shift},
       .rules = {thread_terms("N*N*N+N*N*NU+N*NU*NU"), stages_where_they_lie},
       .flops = "STAGES*(2*N*N*N+6*N*N*NU+3*N*NU*NU+NU*NU*NU/3)",
       .bytes = "bytes*(STAGES*(3*N*N+3*N*NU+NU*NU+3*N+2*NU)+2*N*N+2*N)",
       .contract =
           "The gains of an affine linear-quadratic regulator, u = -K x - k, for STAGES stages x+ = A x + B u + c with "
           "costs x'Qx/2 + u'Mx + u'Ru/2 + q'x + r'u and x'QN x/2 + qN'x in the end, matrices of the stages side by "
           "side, N states, NU controls: from P = QN, p = qN down, H = R + B'PB (SHIFT: plus rho I or rho times its "
           "diagonal), G = M + B'PA, g = r + B'(Pc + p), K = H^-1 G, k = H^-1 g, P = Q + A'PA - K'G, p = q + A'(Pc + "
           "p) "
           "- G'k, the P and p of all stages are kept, QN and qN the last. info: 0, or the stage in 1..STAGES, from "
           "the "
           "last one down, whose H is not positive definite; the results of the stages behind it are final, the others "
           "unchanged."},
      {.name = "lqr_forward",
       .header = "glass/control/lqr.cuh",
       .operands = {given("A", {"N", "N*STAGES"}, gentle), in("B", {"N", "NU*STAGES"}), in("c", {"N", "STAGES"}),
                    given("K", {"NU", "N*STAGES"}, gentle), in("k", {"NU", "STAGES"}), in("x0", {"N"}),
                    out("x", {"N", "STAGES+1"}), out("u", {"NU", "STAGES"}), scalar("alpha", 0.5)},
       .sizes = {{.name = "N"}, like("NU", "N"), {.name = "STAGES", .fallback = 4}},
       .rules = {thread_terms("N*N+N*NU"), stages_where_they_lie},
       .flops = "STAGES*(2*N*N+4*N*NU)",
       .bytes = "bytes*(STAGES*(N*N+2*N*NU+2*N+2*NU)+2*N)",
       .contract =
           "The trajectory of a regulator: x(0) = x0, then for STAGES stages u = -K x - alpha k, x+ = A x + B u + c, "
           "matrices of the stages side by side, N states, NU controls. With alpha = 0, k is not read."},
      {.name = "kalman_update",
       .header = "glass/control/kalman_update.cuh",
       .operands = {inout("x", {"N"}), inout("P", {"N", "N"}, kind::spd), in("H", {"NY", "N"}),
                    in("R", {"NY", "NY"}, kind::spd), in("y", {"NY"}),
                    scratch("scratch", {"NY*NY+NY*N+NY+(JOSEPH==yes ? NY*N+2*N*N : 0)"}), info(), workspace()},
       .sizes = {{.name = "N"}, like("NY", "N")},
       .options = {{"JOSEPH", {"glass::Joseph::no", "glass::Joseph::yes"}}},
       .stages = {"kalman_update_form", "kalman_update_solve"},
       .rules = {thread_terms("N*N*NY+N*NY*NY+(JOSEPH==yes ? 2*N*N*N : 0)")},
       .flops = "3*N*N*NY+2*N*NY*NY+NY*NY*NY/3+(JOSEPH==yes ? 4*N*N*N+N*N*NY : 0)",
       .bytes = "bytes*(2*N*N+2*N+N*NY+NY*NY+NY)",
       .contract =
           "The measurement update of an extended Kalman filter: S = H P H' + R, K = P H' S^-1, x = x + K y, P = P "
           "- K H P, or with JOSEPH=yes (I - K H) P (I - K H)' + K R K'; N states, NY measurements, y = z - h(x), "
           "P exactly symmetric. info: 0, or k in 1..NY when the leading minor of order k of S is not positive; "
           "then x and P are unchanged."},
  };
}

}  // namespace glass::jit::rows
