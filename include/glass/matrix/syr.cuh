// syr<Fill>(scope, alpha, x, A)       A <- A + alpha x x^T, A symmetric.
// syr2<Fill>(scope, alpha, x, y, A)   A <- A + alpha (x y^T + y x^T), A symmetric. [GVL 1.2.8]
// data     x, y: N, read only; A: N x N, any leading dimension and order, updated; it overlaps neither.
// fill     lower (default), upper: that triangle is read and written, the other one is untouched.
//          full: the lower triangle is read, both triangles are written, exactly symmetric.
// lanes    every lane of the scope calls, with the same alpha; ends synchronised unless Sync::no.
// scalars  alpha == 0: nothing is read or written.
// bodies   one, every scope and size: the tiles of syrk.cuh
// cost     N^2 (syr2: 2 N^2) flops; reads and writes N (N + 1) / 2, reads N (2 N).
#pragma once
#include <glass/core/faces.cuh>
#include <glass/matrix/syr2k.cuh>
#include <glass/matrix/triangle.cuh>
namespace glass {
template <auto... Options, class S, class X, class A, detail::when<is_view<X> && is_view<A>> = 0>
GLASS_DEVICE void syr(S scope, just<value_of<A>> alpha, X x, A a) {
  constexpr bool known = takes<types<Fill, Sync>, Options...>;
  constexpr bool fits = agree(A::static_rows, A::static_cols) && agree(A::static_rows, X::static_rows);
  static_assert(known, "glass: syr takes the options Fill and Sync, in any order.");
  static_assert(fits, "glass: syr: the sizes do not fit: x has N numbers, A is N x N.");
  static_assert(A::writable, "glass: syr writes A, but A is const.");
  if constexpr (known && fits && A::writable) {
    using T = value_of<A>;
    if (alpha != T(0))
      detail::symmetric_update<chosen<Fill::lower, 0, Options...>()>(scope, alpha, detail::as_columns(x), T(1), a);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class X, class Y, class A, detail::when<is_view<X> && is_view<Y> && is_view<A>> = 0>
GLASS_DEVICE void syr2(S scope, just<value_of<A>> alpha, X x, Y y, A a) {
  constexpr bool known = takes<types<Fill, Sync>, Options...>;
  constexpr bool fits = agree(A::static_rows, A::static_cols) && agree(A::static_rows, X::static_rows) &&
                        agree(A::static_rows, Y::static_rows);
  static_assert(known, "glass: syr2 takes the options Fill and Sync, in any order.");
  static_assert(fits, "glass: syr2: the sizes do not fit: x and y have N numbers, A is N x N.");
  static_assert(A::writable, "glass: syr2 writes A, but A is const.");
  if constexpr (known && fits && A::writable) {
    using T = value_of<A>;
    constexpr Fill fill = chosen<Fill::lower, 0, Options...>();
    if (alpha != T(0)) syr2k<fill, Sync::no>(scope, alpha, detail::as_columns(x), detail::as_columns(y), T(1), a);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_1(syr, N, (just<T> alpha, const just<T>* x, just<T>* A), (alpha, as_vector(x, N), as_matrix(A, N, N)))
GLASS_FACES_1(syr2, N, (just<T> alpha, const just<T>* x, const just<T>* y, just<T>* A),
              (alpha, as_vector(x, N), as_vector(y, N), as_matrix(A, N, N)))
}  // namespace glass
