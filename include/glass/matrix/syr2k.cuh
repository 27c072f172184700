// syr2k<Trans, Fill>(scope, alpha, A, B, beta, C)   C <- alpha (A B^T + B A^T) + beta C, A, B: N x K (Trans::no), or
//                                                   C <- alpha (A^T B + B^T A) + beta C, A, B: K x N (Trans::yes).
// syr2k<Trans, Fill>(scope, alpha, A, B, C)         the same with beta = 0.
// data     A, B: read only; C: N x N symmetric, overwritten; any leading dimension and order. C overlaps neither.
// fill     full (default): the lower triangle of C is read, both triangles are written, exactly symmetric.
//          lower, upper: that triangle is read and written, the other one is untouched.
// lanes    every lane of the scope calls, with the same alpha and beta; ends synchronised unless Sync::no.
// scalars  beta == 0: C is not read. alpha == 0: A and B are not read. K = 0: C <- beta C.
// bodies   those of syrk.cuh
// cost     2 N (N + 1) K flops; reads 2 N K (+ N (N + 1) / 2), writes N^2 (or N (N + 1) / 2).
#pragma once
#include <glass/core/faces.cuh>
#include <glass/matrix/syrk.cuh>
namespace glass {
template <auto... Options, class S, class A, class B, class C, detail::when<is_view<A> && is_view<B> && is_view<C>> = 0>
GLASS_DEVICE void syr2k(S scope, just<value_of<C>> alpha, A a, B b, just<value_of<C>> beta, C c) {
  constexpr bool known = takes<types<Trans, Fill, Mma, Tile, Body, Sync>, Options...>;
  static_assert(known, "glass: syr2k takes the options Trans, Fill, Mma, Tile, Body and Sync, in any order.");
  static_assert(C::writable, "glass: syr2k writes C, but C is const.");
  if constexpr (known && C::writable) {
    constexpr Trans trans = chosen<Trans::no, 0, Options...>();
    using OpA = detail::op_of<trans, A>;
    using OpB = detail::op_of<trans, B>;
    constexpr bool fits = agree(OpA::static_rows, C::static_rows) && agree(C::static_rows, C::static_cols) &&
                          agree(OpA::static_rows, OpB::static_rows) && agree(OpA::static_cols, OpB::static_cols);
    static_assert(fits, "glass: syr2k: the sizes do not fit: op(A) and op(B) are N x K, C is N x N.");
    if constexpr (fits) {
      const detail::crossed<OpA, OpB> both{detail::op<trans>(a), detail::op<trans>(b)};
      detail::symmetric_update<Options...>(scope, alpha, both, beta, c);
      if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
    }
  }
}
template <auto... Options, class S, class A, class B, class C, detail::when<is_view<A> && is_view<B> && is_view<C>> = 0>
GLASS_DEVICE void syr2k(S scope, just<value_of<C>> alpha, A a, B b, C c) {
  syr2k<Options...>(scope, alpha, a, b, value_of<C>(0), c);
}
GLASS_FACES_2(syr2k, N, K, (just<T> alpha, const just<T>* A, const just<T>* B, just<T> beta, just<T>* C),
              (alpha,
               as_matrix(A, either<chosen<Trans::no, 0, O...>() == Trans::yes>(K, N),
                         either<chosen<Trans::no, 0, O...>() == Trans::yes>(N, K)),
               as_matrix(B, either<chosen<Trans::no, 0, O...>() == Trans::yes>(K, N),
                         either<chosen<Trans::no, 0, O...>() == Trans::yes>(N, K)),
               beta, as_matrix(C, N, N)))
GLASS_FACES_2(syr2k, N, K, (just<T> alpha, const just<T>* A, const just<T>* B, just<T>* C),
              (alpha,
               as_matrix(A, either<chosen<Trans::no, 0, O...>() == Trans::yes>(K, N),
                         either<chosen<Trans::no, 0, O...>() == Trans::yes>(N, K)),
               as_matrix(B, either<chosen<Trans::no, 0, O...>() == Trans::yes>(K, N),
                         either<chosen<Trans::no, 0, O...>() == Trans::yes>(N, K)),
               as_matrix(C, N, N)))
}  // namespace glass
