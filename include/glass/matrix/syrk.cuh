// syrk<Trans, Fill>(scope, alpha, A, beta, C)   C <- alpha A A^T + beta C, A: N x K (Trans::no), or
//                                               C <- alpha A^T A + beta C, A: K x N (Trans::yes). [GVL 1.2.7]
// syrk<Trans, Fill>(scope, alpha, A, C)         the same with beta = 0.
// data     A: read only; C: N x N symmetric, overwritten; any leading dimension and order. C does not overlap A.
// fill     full (default): the lower triangle of C is read, both triangles are written, exactly symmetric.
//          lower, upper: that triangle is read and written, the other one is untouched.
// lanes    every lane of the scope calls, with the same alpha and beta; ends synchronised unless Sync::no.
// scalars  beta == 0: C is not read. alpha == 0: A is not read. K = 0: C <- beta C.
// bodies   loop    every scope and size: lanes own tiles of the triangle
//          direct  warps, constant sizes: blocks of it on tensor cores, by the arithmetic Mma and the square Tile
//          automatic chooses by lanes, sizes and type (product_choice.cuh)
// cost     N (N + 1) K flops; reads N K (+ N (N + 1) / 2), writes N^2 (or N (N + 1) / 2).
#pragma once
#include <glass/core/faces.cuh>
#include <glass/matrix/symmetric_product.cuh>
namespace glass {
namespace detail {
// C <- alpha A B + beta C, where B is A's transpose or what makes A B symmetric.
template <auto... Options, class S, class T, class A, class C>
GLASS_DEVICE void symmetric_update(S scope, T alpha, A a, T beta, C c) {
  constexpr Fill fill = chosen<Fill::full, 0, Options...>();
  const auto finish = [&](int i, int j, T sum) {
    return beta == T(0) ? alpha * sum : fused(beta, fill == Fill::upper ? c(j, i) : c(i, j), alpha * sum);
  };
  symmetric_product<fill, Options...>(scope, alpha != T(0), a, a.transposed(), c, finish);
}
}  // namespace detail

template <auto... Options, class S, class A, class C, detail::when<is_view<A> && is_view<C>> = 0>
GLASS_DEVICE void syrk(S scope, just<value_of<C>> alpha, A a, just<value_of<C>> beta, C c) {
  constexpr bool known = takes<types<Trans, Fill, Mma, Tile, Body, Sync>, Options...>;
  static_assert(known, "glass: syrk takes the options Trans, Fill, Mma, Tile, Body and Sync, in any order.");
  static_assert(C::writable, "glass: syrk writes C, but C is const.");
  if constexpr (known && C::writable) {
    constexpr Trans trans = chosen<Trans::no, 0, Options...>();
    constexpr bool fits =
        agree(detail::op_of<trans, A>::static_rows, C::static_rows) && agree(C::static_rows, C::static_cols);
    static_assert(fits, "glass: syrk: the sizes do not fit: op(A) is N x K, C is N x N.");
    if constexpr (fits) {
      detail::symmetric_update<Options...>(scope, alpha, detail::op<trans>(a), beta, c);
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
