// axpy(scope, alpha, x, y)         y <- alpha x + y.
// axpy(scope, alpha, x, y, z)      z <- alpha x + y.
// axpby(scope, alpha, x, beta, y, z)   z <- alpha x + beta y.
// data     x, y, z: N; constant or run-time size, any increment. In the first form y is overwritten, in the others z
//          is, and x and y are read only. The vector that is written may be exactly one of those that are read.
// lanes    every lane of the scope calls, with the same alpha and beta; lane r owns elements r, r + W, ...; ends
//          synchronised unless Sync::no.
// scalars  alpha == 0: x is not read; beta == 0: y is not read (both: z is 0). N = 0: nothing is touched.
// cost     2 N flops (axpby: 3 N); reads 2 N, writes N.
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
template <auto... Options, class S, class X, class Y, class Z, detail::when<is_view<X> && is_view<Y> && is_view<Z>> = 0>
GLASS_DEVICE void axpby(S scope, just<value_of<Z>> alpha, X x, just<value_of<Z>> beta, Y y, Z z) {
  constexpr bool known = takes<types<Sync>, Options...>;
  constexpr bool fits = agree(X::static_rows, Z::static_rows) && agree(Y::static_rows, Z::static_rows);
  static_assert(known, "glass: axpy and axpby take the option Sync.");
  static_assert(fits, "glass: axpy and axpby: x, y and z have different sizes.");
  static_assert(Z::writable, "glass: axpy and axpby write z, but z is const.");
  if constexpr (known && fits && Z::writable) {
    const int n = z.rows();
    if (alpha != 0 && beta != 0)
      each(scope, n, [&](int i) { z(i) = fused(alpha, x(i), beta * y(i)); });
    else if (alpha != 0)
      each(scope, n, [&](int i) { z(i) = alpha * x(i); });
    else if (beta != 0)
      each(scope, n, [&](int i) { z(i) = beta * y(i); });
    else
      each(scope, n, [&](int i) { z(i) = 0; });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class X, class Y, class Z, detail::when<is_view<X> && is_view<Y> && is_view<Z>> = 0>
GLASS_DEVICE void axpy(S scope, just<value_of<Z>> alpha, X x, Y y, Z z) {
  axpby<Options...>(scope, alpha, x, 1, y, z);
}
GLASS_FACES_1(axpy, N, (just<T> alpha, const just<T>* x, just<T>* y), (alpha, as_vector(x, N), as_vector(y, N)))
GLASS_FACES_1(axpy, N, (just<T> alpha, const just<T>* x, const just<T>* y, just<T>* z),
              (alpha, as_vector(x, N), as_vector(y, N), as_vector(z, N)))
GLASS_FACES_1(axpby, N, (just<T> alpha, const just<T>* x, just<T> beta, const just<T>* y, just<T>* z),
              (alpha, as_vector(x, N), beta, as_vector(y, N), as_vector(z, N)))
}  // namespace glass
