// gemv_strided<M, N, LDA>, gemm_strided<M, N, K, LDA, LDB>: the pointer faces of gemv and gemm for operands with
// leading dimensions of their own. The contracts are those of gemv.cuh and gemm.cuh.
// data     A (and B) as stored, before op: leading dimension LDA (LDB), at least its rows. y, and C: packed. A view
//          carries its leading dimension, so that the value faces are gemv and gemm themselves.
#pragma once
#include <glass/matrix/gemm.cuh>
#include <glass/matrix/gemv.cuh>
namespace glass {
template <auto... Options, class S, class... Operands, detail::when<is_scope<S>> = 0>
GLASS_DEVICE void gemv_strided(S scope, Operands... operands) {
  gemv<Options...>(scope, operands...);
}
template <auto... Options, class S, class... Operands, detail::when<is_scope<S>> = 0>
GLASS_DEVICE void gemm_strided(S scope, Operands... operands) {
  gemm<Options...>(scope, operands...);
}
GLASS_FACES_3(gemv_strided, M, N, LDA, (just<T> alpha, const just<T>* A, const just<T>* x, just<T> beta, just<T>* y),
              (alpha, as_matrix(A, M, N, LDA), as_vector(x, either<chosen<Trans::no, 0, O...>() == Trans::yes>(M, N)),
               beta, as_vector(y, either<chosen<Trans::no, 0, O...>() == Trans::yes>(N, M))))
GLASS_FACES_3(gemv_strided, M, N, LDA, (just<T> alpha, const just<T>* A, const just<T>* x, just<T>* y),
              (alpha, as_matrix(A, M, N, LDA), as_vector(x, either<chosen<Trans::no, 0, O...>() == Trans::yes>(M, N)),
               as_vector(y, either<chosen<Trans::no, 0, O...>() == Trans::yes>(N, M))))
GLASS_FACES_5(gemm_strided, M, N, K, LDA, LDB,
              (just<T> alpha, const just<T>* A, const just<T>* B, just<T> beta, just<T>* C),
              (alpha,
               as_matrix(A, either<chosen<Trans::no, 0, O...>() == Trans::yes>(K, M),
                         either<chosen<Trans::no, 0, O...>() == Trans::yes>(M, K), LDA),
               as_matrix(B, either<chosen<Trans::no, 1, O...>() == Trans::yes>(N, K),
                         either<chosen<Trans::no, 1, O...>() == Trans::yes>(K, N), LDB),
               beta, as_matrix(C, M, N)))
GLASS_FACES_5(gemm_strided, M, N, K, LDA, LDB, (just<T> alpha, const just<T>* A, const just<T>* B, just<T>* C),
              (alpha,
               as_matrix(A, either<chosen<Trans::no, 0, O...>() == Trans::yes>(K, M),
                         either<chosen<Trans::no, 0, O...>() == Trans::yes>(M, K), LDA),
               as_matrix(B, either<chosen<Trans::no, 1, O...>() == Trans::yes>(N, K),
                         either<chosen<Trans::no, 1, O...>() == Trans::yes>(K, N), LDB),
               as_matrix(C, M, N)))
}  // namespace glass
