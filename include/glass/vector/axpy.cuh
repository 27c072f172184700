// axpy(scope, alpha, x, y)         y <- alpha x + y.
// data     x: N, read only; y: N, overwritten; constant or run-time size, any increment. y may be x itself.
// lanes    every lane of the scope calls, with the same alpha; lane r owns elements r, r + W, ...; ends synchronised
//          unless Sync::no.
// alpha    0: x is not read, y stays as it is. N = 0: nothing is touched.
// cost     2 N flops; reads 2 N, writes N.
#pragma once
#include <glass/core/each.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/math.cuh>
#include <glass/core/view.cuh>
namespace glass {
template <auto... Options, class S, class X, class Y, detail::when<is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void axpy(S scope, just<value_of<Y>> alpha, X x, Y y) {
  constexpr bool known = takes<types<Sync>, Options...>, fits = agree(X::static_rows, Y::static_rows);
  static_assert(known, "glass: axpy takes the option Sync.");
  static_assert(fits, "glass: axpy(scope, alpha, x, y): x and y have different sizes.");
  static_assert(Y::writable, "glass: axpy writes y, but y is const.");
  if constexpr (known && fits && Y::writable) {
    if (alpha != 0) each(scope, y.rows(), [&](int i) { y(i) = fused(alpha, x(i), y(i)); });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_1(axpy, N, (just<T> alpha, const just<T>* x, just<T>* y), (alpha, as_vector(x, N), as_vector(y, N)))
}  // namespace glass
