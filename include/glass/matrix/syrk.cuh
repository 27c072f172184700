// syrk<Trans, Fill>(scope, alpha, A, beta, C)   C <- alpha A A^T + beta C, A: N x K (Trans::no), or
//                                               C <- alpha A^T A + beta C, A: K x N (Trans::yes). [GVL 1.2.7]
// syrk<Trans, Fill>(scope, alpha, A, C)         the same with beta = 0.
// data     A: read only; C: N x N symmetric, overwritten; any leading dimension and order. C does not overlap A.
// fill     full (default): the lower triangle of C is read, both triangles are written, exactly symmetric.
//          lower, upper: that triangle is read and written, the other one is untouched.
// lanes    every lane of the scope calls, with the same alpha and beta; ends synchronised unless Sync::no.
// scalars  beta == 0: C is not read. alpha == 0: A is not read. K = 0: C <- beta C.
// cost     N (N + 1) K flops; reads N K (+ N (N + 1) / 2), writes N^2 (or N (N + 1) / 2).
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/faces.cuh>
namespace glass {
namespace detail {
// Lanes own square tiles of the lower triangle, column by column of tiles; Fill says where the results go.
template <Fill F, class S, class T, class A, class C>
GLASS_DEVICE void syrk_tiles(S scope, T alpha, A a, T beta, C c) {
  constexpr tile_shape want = product_tile(C::static_rows, C::static_rows, S::width);
  constexpr int edge = want.cols;
  const int n = c.rows(), tiles = (n + edge - 1) / edge, size = scope.size();
  for (int row = scope.rank(), col = 0;; row += size) {
    while (row >= tiles && col < tiles) {  // on to the next column of tiles, which begins at the diagonal
      ++col;
      row += col - tiles;
    }
    if (col >= tiles) break;
    T sum[edge][edge] = {};
    if (alpha != T(0)) product(sum, a, a.transposed(), row * edge, 1, col * edge, 1);
    GLASS_UNROLL
    for (int v = 0; v < edge; ++v) {
      GLASS_UNROLL
      for (int u = 0; u < edge; ++u) {
        const int i = row * edge + u, j = col * edge + v;
        if (i >= j && i < n) {
          T& main = F == Fill::upper ? c(j, i) : c(i, j);
          blend(main, alpha * sum[u][v], beta);
          if (F == Fill::full && i > j) c(j, i) = main;
        }
      }
    }
  }
}
}  // namespace detail

template <auto... Options, class S, class A, class C, detail::when<is_view<A> && is_view<C>> = 0>
GLASS_DEVICE void syrk(S scope, just<value_of<C>> alpha, A a, just<value_of<C>> beta, C c) {
  constexpr bool known = takes<types<Trans, Fill, Sync>, Options...>;
  static_assert(known, "glass: syrk takes the options Trans, Fill and Sync, in any order.");
  static_assert(C::writable, "glass: syrk writes C, but C is const.");
  if constexpr (known && C::writable) {
    constexpr Trans trans = chosen<Trans::no, 0, Options...>();
    constexpr bool fits =
        agree(detail::op_of<trans, A>::static_rows, C::static_rows) && agree(C::static_rows, C::static_cols);
    static_assert(fits, "glass: syrk: the sizes do not fit: op(A) is N x K, C is N x N.");
    if constexpr (fits) {
      detail::syrk_tiles<chosen<Fill::full, 0, Options...>()>(scope, alpha, detail::op<trans>(a), beta, c);
      if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
    }
  }
}
template <auto... Options, class S, class A, class C, detail::when<is_view<A> && is_view<C>> = 0>
GLASS_DEVICE void syrk(S scope, just<value_of<C>> alpha, A a, C c) {
  syrk<Options...>(scope, alpha, a, value_of<C>(0), c);
}
GLASS_FACES_2(syrk, N, K, (just<T> alpha, const just<T>* A, just<T> beta, just<T>* C),
              (alpha,
               as_matrix(A, either<chosen<Trans::no, 0, O...>() == Trans::yes>(K, N),
                         either<chosen<Trans::no, 0, O...>() == Trans::yes>(N, K)),
               beta, as_matrix(C, N, N)))
GLASS_FACES_2(syrk, N, K, (just<T> alpha, const just<T>* A, just<T>* C),
              (alpha,
               as_matrix(A, either<chosen<Trans::no, 0, O...>() == Trans::yes>(K, N),
                         either<chosen<Trans::no, 0, O...>() == Trans::yes>(N, K)),
               as_matrix(C, N, N)))
}  // namespace glass
