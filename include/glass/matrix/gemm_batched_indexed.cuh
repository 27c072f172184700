// gemm_batched_indexed<Trans, Trans, Atomic>(scope, ai, bi, ci, A, B, C)
//          C[ci(p)] <- op(A[ai(p)]) op(B[bi(p)]), p = 0 .. P - 1; op(X) = X or X^T. X[q]: the q-th matrix of X.
// data     A, B, C: D x D matrices side by side, X[q] in columns q D .. q D + D - 1 of X (any leading dimension and
//          order); A, B read only. ai, bi, ci: P integers, read only, not checked.
// atomic   no (default): the ci are distinct, and those C are overwritten, not read. yes: every product is added to its
//          C, several may go to the same one, in any order of additions; two problems of a batch still share no C.
// lanes    every lane of the scope calls; lanes own register tiles of products; ends synchronised unless Sync::no.
// cost     2 P D^3 flops; reads 2 P D^2, writes P D^2.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/faces.cuh>
namespace glass {
namespace detail {
template <class A>
GLASS_DEVICE auto nth_square(A a, int q) {
  if constexpr (A::static_rows >= 0)
    return a.template block<A::static_rows, A::static_rows>(0, q * A::static_rows);
  else
    return a.block(0, q * a.rows(), a.rows(), a.rows());
}
}  // namespace detail

template <auto... Options, class S, class I, class J, class K, class A, class B, class C,
          detail::when<is_view<I> && is_view<J> && is_view<K> && is_view<A> && is_view<B> && is_view<C>> = 0>
GLASS_DEVICE void gemm_batched_indexed(S scope, I ai, J bi, K ci, A a, B b, C c) {
  constexpr bool known = takes<types<Trans, Trans, Atomic, Sync>, Options...>;
  constexpr bool fits = agree(A::static_rows, C::static_rows) && agree(B::static_rows, C::static_rows) &&
                        agree(I::static_rows, J::static_rows) && agree(I::static_rows, K::static_rows);
  static_assert(known, "glass: gemm_batched_indexed takes the options Trans (of A), Trans (of B), Atomic and Sync.");
  static_assert(fits,
                "glass: gemm_batched_indexed: the sizes do not fit: A, B and C have D rows, ai, bi and ci P numbers.");
  static_assert(C::writable, "glass: gemm_batched_indexed writes C, but C is const.");
  if constexpr (known && fits && C::writable) {
    constexpr Trans trans_a = chosen<Trans::no, 0, Options...>(), trans_b = chosen<Trans::no, 1, Options...>();
    constexpr detail::tile_shape tile = detail::product_tile(C::static_rows, C::static_rows, 1);
    const int d = c.rows(), down = (d + tile.rows - 1) / tile.rows, across = (d + tile.cols - 1) / tile.cols;
    each(scope, down * across, ci.rows(), [&](int t, int p) {
      const int row = t % down, col = t / down;
      value_of<C> sum[tile.rows][tile.cols] = {};
      detail::product(sum, detail::op<trans_a>(detail::nth_square(a, ai(p))),
                      detail::op<trans_b>(detail::nth_square(b, bi(p))), row, down, col, across);
      const auto to = detail::nth_square(c, ci(p));
      GLASS_UNROLL
      for (int v = 0; v < tile.cols; ++v) {
        GLASS_UNROLL
        for (int u = 0; u < tile.rows; ++u) {
          const int i = row + u * down, j = col + v * across;
          if (i < d && j < d) {
            if constexpr (chosen<Atomic::no, 0, Options...>() == Atomic::yes)
              add_atomically(to(i, j), sum[u][v]);
            else
              to(i, j) = sum[u][v];
          }
        }
      }
    });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_1(gemm_batched_indexed, D,
              (int P, const int* ai, const int* bi, const int* ci, const just<T>* A, const just<T>* B, just<T>* C),
              (vector<const int, dynamic>(ai, P), vector<const int, dynamic>(bi, P), vector<const int, dynamic>(ci, P),
               as_matrix(A, D, D), as_matrix(B, D, D), as_matrix(C, D, D)))
}  // namespace glass
