// gemm<TransA, TransB>(scope, alpha, A, B, beta, C)   C <- alpha op(A) op(B) + beta C, op(X) = X or X^T. [GVL 1.1.4]
// gemm<TransA, TransB>(scope, alpha, A, B, C)         the same with beta = 0.
// data     op(A): M x K, op(B): K x N, read only; C: M x N, overwritten; any leading dimension and order.
//          C overlaps neither A nor B.
// lanes    every lane of the scope calls, with the same alpha and beta; ends synchronised unless Sync::no.
// scalars  beta == 0: C is not read. alpha == 0: A and B are not read. K = 0: C <- beta C.
// bodies   one, every scope and size: a lane owns register tiles of C, 1 x 1 to 4 x 4, such that all lanes have work;
//          neighbouring lanes own neighbouring rows     -> kernel notes, gemm `lanes`. One lane on the host: tiles of
//          whole vector registers (panels.cuh)
// cost     2 M N K flops; reads M K + K N (+ M N), writes M N.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/faces.cuh>
#include <glass/matrix/panels.cuh>
namespace glass {
namespace detail {
template <class S, class T, class A, class B, class C>
GLASS_DEVICE void gemm_tiles(S scope, T alpha, A a, B b, T beta, C c) {
  constexpr tile_shape tile = product_tile(C::static_rows, C::static_cols, S::width);
  const int tile_rows = (c.rows() + tile.rows - 1) / tile.rows, tile_cols = (c.cols() + tile.cols - 1) / tile.cols;
  each(scope, tile_rows, tile_cols, [&](int row, int col) {
    T sum[tile.rows][tile.cols] = {};
    if (alpha != T(0)) product(sum, a, b, row, tile_rows, col, tile_cols);
    GLASS_UNROLL
    for (int v = 0; v < tile.cols; ++v) {
      GLASS_UNROLL
      for (int u = 0; u < tile.rows; ++u) {
        const int i = row + u * tile_rows, j = col + v * tile_cols;
        if (i < c.rows() && j < c.cols()) blend(c(i, j), alpha * sum[u][v], beta);
      }
    }
  });
}
}  // namespace detail

template <auto... Options, class S, class A, class B, class C, detail::when<is_view<A> && is_view<B> && is_view<C>> = 0>
GLASS_DEVICE void gemm(S scope, just<value_of<C>> alpha, A a, B b, just<value_of<C>> beta, C c) {
  constexpr bool known = takes<types<Trans, Trans, Sync>, Options...>;
  static_assert(known, "glass: gemm takes the options Trans (of A), Trans (of B) and Sync.");
  static_assert(C::writable, "glass: gemm writes C, but C is const.");
  if constexpr (known && C::writable) {
    constexpr Trans trans_a = chosen<Trans::no, 0, Options...>(), trans_b = chosen<Trans::no, 1, Options...>();
    using OpA = detail::op_of<trans_a, A>;
    using OpB = detail::op_of<trans_b, B>;
    constexpr bool fits = agree(OpA::static_rows, C::static_rows) && agree(OpB::static_cols, C::static_cols) &&
                          agree(OpA::static_cols, OpB::static_rows);
    static_assert(fits, "glass: gemm: the sizes do not fit: op(A) is M x K, op(B) is K x N, C is M x N.");
    if constexpr (fits) {
      const OpA left = detail::op<trans_a>(a);
      const OpB right = detail::op<trans_b>(b);
      if constexpr (detail::multiplies_in_panels<S, OpA, C>)
        detail::gemm_in_panels<value_of<C>>(alpha, left, right, beta, c);
      else
        detail::gemm_tiles<S, value_of<C>>(scope, alpha, left, right, beta, c);
      if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
    }
  }
}
template <auto... Options, class S, class A, class B, class C, detail::when<is_view<A> && is_view<B> && is_view<C>> = 0>
GLASS_DEVICE void gemm(S scope, just<value_of<C>> alpha, A a, B b, C c) {
  gemm<Options...>(scope, alpha, a, b, value_of<C>(0), c);
}
GLASS_FACES_3(gemm, M, N, K, (just<T> alpha, const just<T>* A, const just<T>* B, just<T> beta, just<T>* C),
              (alpha,
               as_matrix(A, either<chosen<Trans::no, 0, O...>() == Trans::yes>(K, M),
                         either<chosen<Trans::no, 0, O...>() == Trans::yes>(M, K)),
               as_matrix(B, either<chosen<Trans::no, 1, O...>() == Trans::yes>(N, K),
                         either<chosen<Trans::no, 1, O...>() == Trans::yes>(K, N)),
               beta, as_matrix(C, M, N)))
GLASS_FACES_3(gemm, M, N, K, (just<T> alpha, const just<T>* A, const just<T>* B, just<T>* C),
              (alpha,
               as_matrix(A, either<chosen<Trans::no, 0, O...>() == Trans::yes>(K, M),
                         either<chosen<Trans::no, 0, O...>() == Trans::yes>(M, K)),
               as_matrix(B, either<chosen<Trans::no, 1, O...>() == Trans::yes>(N, K),
                         either<chosen<Trans::no, 1, O...>() == Trans::yes>(K, N)),
               as_matrix(C, M, N)))
}  // namespace glass
