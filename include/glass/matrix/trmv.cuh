// trmv<Fill, Trans, Diag>(scope, A, x)      x <- op(A) x in place, A triangular, op(A) = A or A^T. [GVL 1.2.6]
// trmv<Fill, Trans, Diag>(scope, A, x, y)   y <- op(A) x.
// data     A: N x N, any leading dimension and order; only the triangle that Fill names (lower, upper) is read, with
//          Diag::unit without its diagonal. x, y: N; in the second form x is read only and y, overwritten, overlaps
//          neither.
// lanes    every lane of the scope calls; lanes own entries of the result; ends synchronised unless Sync::no.
// zeros    the zeros of A are not multiplied: a NaN in x reaches only what the triangle joins it to.
// cost     N^2 flops; reads N (N + 1) / 2 + N, writes N. In place without scratch, in any scope.
#pragma once
#include <glass/core/faces.cuh>
#include <glass/matrix/triangle.cuh>
namespace glass {
template <auto... Options, class S, class A, class X, class Y, detail::when<is_view<A> && is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void trmv(S scope, A a, X x, Y y) {
  constexpr bool known = takes<types<Fill, Trans, Diag, Sync>, Options...>;
  constexpr bool fits = agree(A::static_rows, X::static_rows) && agree(A::static_rows, A::static_cols) &&
                        agree(X::static_rows, Y::static_rows);
  constexpr Fill fill = chosen<Fill::lower, 0, Options...>();
  static_assert(known, "glass: trmv takes the options Fill, Trans, Diag and Sync, in any order.");
  static_assert(fits, "glass: trmv: the sizes do not fit: A is N x N, x and y have N numbers.");
  static_assert(fill != Fill::full, "glass: trmv takes Fill::lower or Fill::upper.");
  static_assert(Y::writable, "glass: trmv writes y, but y is const.");
  if constexpr (known && fits && fill != Fill::full && Y::writable) {
    constexpr Trans trans = chosen<Trans::no, 0, Options...>();
    detail::multiply_triangle<detail::lower_of(fill, trans), chosen<Diag::nonunit, 0, Options...>(), S, value_of<Y>>(
        scope, 1, detail::op<trans>(a), detail::as_columns(x), detail::as_columns(y));
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class A, class X, detail::when<is_view<A> && is_view<X>> = 0>
GLASS_DEVICE void trmv(S scope, A a, X x) {
  constexpr bool known = takes<types<Fill, Trans, Diag, Sync>, Options...>;
  constexpr bool fits = agree(A::static_rows, X::static_rows) && agree(A::static_rows, A::static_cols);
  constexpr Fill fill = chosen<Fill::lower, 0, Options...>();
  static_assert(known, "glass: trmv takes the options Fill, Trans, Diag and Sync, in any order.");
  static_assert(fits, "glass: trmv: the sizes do not fit: A is N x N, x has N numbers.");
  static_assert(fill != Fill::full, "glass: trmv takes Fill::lower or Fill::upper.");
  static_assert(X::writable, "glass: trmv(scope, A, x) writes x, but x is const.");
  if constexpr (known && fits && fill != Fill::full && X::writable) {
    constexpr Trans trans = chosen<Trans::no, 0, Options...>();
    detail::multiply_triangle_in_place<detail::lower_of(fill, trans), chosen<Diag::nonunit, 0, Options...>(), S,
                                       value_of<X>>(scope, 1, detail::op<trans>(a), detail::as_columns(x));
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_1(trmv, N, (const just<T>* A, just<T>* x), (as_matrix(A, N, N), as_vector(x, N)))
GLASS_FACES_1(trmv, N, (const just<T>* A, const just<T>* x, just<T>* y),
              (as_matrix(A, N, N), as_vector(x, N), as_vector(y, N)))
}  // namespace glass
