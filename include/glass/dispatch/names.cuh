// Names of the catalog: operations, their sizes, and the words of options and placements.
// Written by `glass table --catalog` from lib/catalog/rows and cache/profiles; do not edit.
// clang-format off
#pragma once
#include <glass/core/config.cuh>
namespace glass {
enum class op : short { axpy, axpy_to, axpby, rot, rotg, add_identity, add_identity_partial, copy, copy_scaled, scal, set_const, swap, clip, elementwise_add, elementwise_sub, elementwise_mult, elementwise_max, elementwise_min, elementwise_less_than, elementwise_more_than, elementwise_less_than_or_eq, elementwise_and, elementwise_abs, elementwise_not, elementwise_mult_scalar, elementwise_max_scalar, elementwise_min_scalar, elementwise_less_than_scalar, set_identity, symmetrize, transpose, transpose_square, copy_strided, axpy_strided, interleave, deinterleave, reduce, asum, nrm1_diff, nrm2, vector_norm, reduce_min, reduce_max, infnorm, argmax, argmin, iamax, argmax_pair, argmin_pair, softmax, logsumexp, path_weights, prefix_sum_inclusive, prefix_sum_exclusive, dot, dot_strided, gemv, gemm, gemm_to, syrk, trsv, trmv, trmm, trmv_to, trmm_to, trsm, ger, symv, syr, syr2, symm, syr2k, dimm, gemm_batched_indexed, gemv_strided, gemm_strided, gemv_segmented, gemv_segmented_add, potrf, posv, potrs, chol_update, chol_downdate, laswp, ldlt, ldlt_solve, inv, getrf, getrf_no_pivot, getrs, getrs_no_pivot, gesv, gesv_no_pivot, trtri, potri, getri, eig3, svd3, closest_rotation, eigh, psd_project, syev, eig_clamp, svd, pinv, geqrf, geqp3, orgqr, ormqr, gels, congruence_sym, congruence_accum, bilinear, tensor_vec_contract, vec_tensor_vec, gn_step, lm_step, riccati_gain, riccati_step, lqr_backward, lqr_forward, kalman_update };
}  // namespace glass
namespace glass::dispatch {
enum : int { op_count = 122 };
enum class size : short { none, A, B, K, LDA, LDB, LDX, LDY, M, N, NRHS, NU, NY, P, Q, S, STAGES, SX, SY };
enum class word : short { none, A, B, K, backward, block, bunch_kaufman, col, cuda, diagonal, direct, discard, f64, fast, fixed, forward, fragment, full, global, host, identity, keep, left, loop, lower, m16n16, m16n32, m16n48, m16n8, m32n24, m32n32, m32n48, m32n64, m48n24, m64n32, m64n64, m96n24, m96n48, no, nonunit, nvidia, ql, regs, right, ring, rolled, row, rows, shared, stream, tf32x3, thread, tile16, tile2, tile4, tile8, unit, upper, warp, whole, yes };
GLASS_CONSTANT constexpr bool same_text(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}
// A name's number, from 1; 0: there is none of this name.
GLASS_CONSTANT constexpr int op_named(const char* name) {
  constexpr const char* all[] = {"axpy", "axpy_to", "axpby", "rot", "rotg", "add_identity", "add_identity_partial", "copy", "copy_scaled", "scal", "set_const", "swap", "clip", "elementwise_add", "elementwise_sub", "elementwise_mult", "elementwise_max", "elementwise_min", "elementwise_less_than", "elementwise_more_than", "elementwise_less_than_or_eq", "elementwise_and", "elementwise_abs", "elementwise_not", "elementwise_mult_scalar", "elementwise_max_scalar", "elementwise_min_scalar", "elementwise_less_than_scalar", "set_identity", "symmetrize", "transpose", "transpose_square", "copy_strided", "axpy_strided", "interleave", "deinterleave", "reduce", "asum", "nrm1_diff", "nrm2", "vector_norm", "reduce_min", "reduce_max", "infnorm", "argmax", "argmin", "iamax", "argmax_pair", "argmin_pair", "softmax", "logsumexp", "path_weights", "prefix_sum_inclusive", "prefix_sum_exclusive", "dot", "dot_strided", "gemv", "gemm", "gemm_to", "syrk", "trsv", "trmv", "trmm", "trmv_to", "trmm_to", "trsm", "ger", "symv", "syr", "syr2", "symm", "syr2k", "dimm", "gemm_batched_indexed", "gemv_strided", "gemm_strided", "gemv_segmented", "gemv_segmented_add", "potrf", "posv", "potrs", "chol_update", "chol_downdate", "laswp", "ldlt", "ldlt_solve", "inv", "getrf", "getrf_no_pivot", "getrs", "getrs_no_pivot", "gesv", "gesv_no_pivot", "trtri", "potri", "getri", "eig3", "svd3", "closest_rotation", "eigh", "psd_project", "syev", "eig_clamp", "svd", "pinv", "geqrf", "geqp3", "orgqr", "ormqr", "gels", "congruence_sym", "congruence_accum", "bilinear", "tensor_vec_contract", "vec_tensor_vec", "gn_step", "lm_step", "riccati_gain", "riccati_step", "lqr_backward", "lqr_forward", "kalman_update"};
  for (int i = 0; i < 122; ++i)
    if (same_text(all[i], name)) return i + 1;
  return 0;
}
GLASS_CONSTANT constexpr int size_named(const char* name) {
  constexpr const char* all[] = {"A", "B", "K", "LDA", "LDB", "LDX", "LDY", "M", "N", "NRHS", "NU", "NY", "P", "Q", "S", "STAGES", "SX", "SY"};
  for (int i = 0; i < 18; ++i)
    if (same_text(all[i], name)) return i + 1;
  return 0;
}
}  // namespace glass::dispatch
