// ger(scope, alpha, x, y, A)   A <- A + alpha x y^T. [GVL 1.1.5]
// data     x: M, y: N, read only; A: M x N, any leading dimension and order, updated; it overlaps neither.
// lanes    every lane of the scope calls, with the same alpha; lanes own elements of A; ends synchronised unless
//          Sync::no.
// scalars  alpha == 0: nothing is read or written.
// cost     2 M N flops; reads M N + M + N, writes M N.
#pragma once
#include <glass/core/each.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/math.cuh>
#include <glass/core/view.cuh>
namespace glass {
template <auto... Options, class S, class X, class Y, class A, detail::when<is_view<X> && is_view<Y> && is_view<A>> = 0>
GLASS_DEVICE void ger(S scope, just<value_of<A>> alpha, X x, Y y, A a) {
  constexpr bool known = takes<types<Sync>, Options...>;
  constexpr bool fits = agree(A::static_rows, X::static_rows) && agree(A::static_cols, Y::static_rows);
  static_assert(known, "glass: ger takes the option Sync.");
  static_assert(fits, "glass: ger: the sizes do not fit: x has M numbers, y has N, A is M x N.");
  static_assert(A::writable, "glass: ger writes A, but A is const.");
  if constexpr (known && fits && A::writable) {
    if (alpha != value_of<A>(0))
      each(scope, a.rows(), a.cols(), [&](int i, int j) { a(i, j) = fused(x(i), alpha * y(j), a(i, j)); });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_2(ger, M, N, (just<T> alpha, const just<T>* x, const just<T>* y, just<T>* A),
              (alpha, as_vector(x, M), as_vector(y, N), as_matrix(A, M, N)))
}  // namespace glass
