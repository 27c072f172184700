// symv<Fill>(scope, alpha, A, x, beta, y)   y <- alpha A x + beta y, A symmetric. [GVL 1.2.8]
// symv<Fill>(scope, alpha, A, x, y)         the same with beta = 0.
// data     A: N x N, any leading dimension and order, only the triangle that Fill names (lower, upper) is read; x: N,
//          read only; y: N, overwritten; it overlaps neither.
// lanes    every lane of the scope calls, with the same alpha and beta; lanes own entries of y; ends synchronised
//          unless Sync::no.
// scalars  beta == 0: y is not read. alpha == 0: A and x are not read.
// cost     2 N^2 flops; reads N (N + 1) / 2 + 2 N, writes N.
#pragma once
#include <glass/core/faces.cuh>
#include <glass/matrix/gemv.cuh>
#include <glass/matrix/triangle.cuh>
namespace glass {
template <auto... Options, class S, class A, class X, class Y, detail::when<is_view<A> && is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void symv(S scope, just<value_of<Y>> alpha, A a, X x, just<value_of<Y>> beta, Y y) {
  constexpr bool known = takes<types<Fill, Sync>, Options...>;
  constexpr bool fits = agree(A::static_rows, A::static_cols) && agree(A::static_rows, X::static_rows) &&
                        agree(A::static_rows, Y::static_rows);
  constexpr Fill fill = chosen<Fill::lower, 0, Options...>();
  static_assert(known, "glass: symv takes the options Fill and Sync, in any order.");
  static_assert(fits, "glass: symv: the sizes do not fit: A is N x N, x and y have N numbers.");
  static_assert(fill != Fill::full, "glass: symv takes Fill::lower or Fill::upper.");
  static_assert(Y::writable, "glass: symv writes y, but y is const.");
  if constexpr (known && fits && fill != Fill::full && Y::writable) {
    detail::gemv_loop(scope, alpha, detail::mirror<fill == Fill::lower>(a), x, beta, y);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class A, class X, class Y, detail::when<is_view<A> && is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void symv(S scope, just<value_of<Y>> alpha, A a, X x, Y y) {
  symv<Options...>(scope, alpha, a, x, value_of<Y>(0), y);
}
GLASS_FACES_1(symv, N, (just<T> alpha, const just<T>* A, const just<T>* x, just<T> beta, just<T>* y),
              (alpha, as_matrix(A, N, N), as_vector(x, N), beta, as_vector(y, N)))
GLASS_FACES_1(symv, N, (just<T> alpha, const just<T>* A, const just<T>* x, just<T>* y),
              (alpha, as_matrix(A, N, N), as_vector(x, N), as_vector(y, N)))
}  // namespace glass
