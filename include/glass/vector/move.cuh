// copy(scope, x, y)                y <- x.
// copy(scope, alpha, x, y)         y <- alpha x.
// scal(scope, alpha, x)            x <- alpha x.
// scal(scope, alpha, x, y)         y <- alpha x: the scaled copy under its other name.
// set_const(scope, alpha, x)       x <- alpha, every element.
// swap(scope, x, y)                x <-> y.
// data     x, y: N; constant or run-time size, any increment. What is only read may be const; y may be exactly x.
// lanes    every lane of the scope calls, with the same alpha; lane r owns elements r, r + W, ...; ends synchronised
//          unless Sync::no.
// alpha    always multiplied: 0 times NaN is NaN. N = 0: nothing is touched.
// cost     copy, set_const and swap: none, the scaled ones N flops; reads and writes N a vector.
#pragma once
#include <glass/core/each.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/view.cuh>
namespace glass {
template <auto... Options, class S, class X, class Y, detail::when<is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void copy(S scope, X x, Y y) {
  constexpr bool known = takes<types<Sync>, Options...>, fits = agree(X::static_rows, Y::static_rows);
  static_assert(known, "glass: copy takes the option Sync.");
  static_assert(fits, "glass: copy(scope, x, y): x and y have different sizes.");
  static_assert(Y::writable, "glass: copy writes y, but y is const.");
  if constexpr (known && fits && Y::writable) {
    each(scope, y.rows(), [&](int i) { y(i) = x(i); });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class X, class Y, detail::when<is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void copy(S scope, just<value_of<Y>> alpha, X x, Y y) {
  constexpr bool known = takes<types<Sync>, Options...>, fits = agree(X::static_rows, Y::static_rows);
  static_assert(known, "glass: copy and scal take the option Sync.");
  static_assert(fits, "glass: copy and scal (scope, alpha, x, y): x and y have different sizes.");
  static_assert(Y::writable, "glass: copy and scal write their last vector, but it is const.");
  if constexpr (known && fits && Y::writable) {
    each(scope, y.rows(), [&](int i) { y(i) = alpha * x(i); });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class X, class Y, detail::when<is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void scal(S scope, just<value_of<Y>> alpha, X x, Y y) {
  copy<Options...>(scope, alpha, x, y);
}
template <auto... Options, class S, class X, detail::when<is_view<X>> = 0>
GLASS_DEVICE void scal(S scope, just<value_of<X>> alpha, X x) {
  copy<Options...>(scope, alpha, x, x);
}
template <auto... Options, class S, class X, detail::when<is_view<X>> = 0>
GLASS_DEVICE void set_const(S scope, just<value_of<X>> alpha, X x) {
  constexpr bool known = takes<types<Sync>, Options...>;
  static_assert(known, "glass: set_const takes the option Sync.");
  static_assert(X::writable, "glass: set_const writes x, but x is const.");
  if constexpr (known && X::writable) {
    each(scope, x.rows(), [&](int i) { x(i) = alpha; });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class X, class Y, detail::when<is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void swap(S scope, X x, Y y) {
  constexpr bool known = takes<types<Sync>, Options...>, fits = agree(X::static_rows, Y::static_rows);
  constexpr bool writable = X::writable && Y::writable;
  static_assert(known, "glass: swap takes the option Sync.");
  static_assert(fits, "glass: swap(scope, x, y): x and y have different sizes.");
  static_assert(writable, "glass: swap writes x and y, but one of them is const.");
  if constexpr (known && fits && writable) {
    each(scope, y.rows(), [&](int i) {
      const value_of<X> old = x(i);
      x(i) = y(i);
      y(i) = old;
    });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_1(copy, N, (const just<T>* x, just<T>* y), (as_vector(x, N), as_vector(y, N)))
GLASS_FACES_1(copy, N, (just<T> alpha, const just<T>* x, just<T>* y), (alpha, as_vector(x, N), as_vector(y, N)))
GLASS_FACES_1(scal, N, (just<T> alpha, just<T>* x), (alpha, as_vector(x, N)))
GLASS_FACES_1(scal, N, (just<T> alpha, const just<T>* x, just<T>* y), (alpha, as_vector(x, N), as_vector(y, N)))
GLASS_FACES_1(set_const, N, (just<T> alpha, just<T>* x), (alpha, as_vector(x, N)))
GLASS_FACES_1(swap, N, (just<T> * x, just<T>* y), (as_vector(x, N), as_vector(y, N)))
}  // namespace glass
