// dot(scope, x, y) -> T            Sum of x(i) y(i). [GVL 1.1.2]
// dot(scope, x, y, out)            the same, stored to out(0) by one lane: out is a vector of 1.
// data     x, y: N, read only; constant or run-time size, any increment.
// lanes    every lane of the scope calls; every lane receives the sum; ends synchronised unless Sync::no.
// sum      lane r adds x(i) y(i), i = r, r + W, ... (a thread: several sums side by side), then the lanes are added as
// a
//          tree: same bits for the same input, sizes and scope. NaN and Inf propagate. N = 0: 0, nothing is read.
// cost     2 N flops; reads 2 N.
#pragma once
#include <glass/core/each.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/math.cuh>
#include <glass/core/view.cuh>
namespace glass {
namespace detail {
// Sum of f(i) over i = first, first + step, ... < n, in several chains where one lane does all the work.
template <class T, class S, class F>
GLASS_DEVICE T partial_sum(S scope, int n, F f) {
  constexpr int chains = S::width == 1 ? 32 / int(sizeof(T)) : 1;
  T part[chains] = {};
  const int step = scope.size();
  int i = scope.rank();
  for (; i + (chains - 1) * step < n; i += chains * step) {
    GLASS_UNROLL
    for (int c = 0; c < chains; ++c) part[c] += f(i + c * step);
  }
  for (; chains > 1 && i < n; i += step) part[0] += f(i);
  GLASS_UNROLL
  for (int half = chains / 2; half > 0; half /= 2) {
    GLASS_UNROLL
    for (int c = 0; c < half; ++c) part[c] += part[c + half];
  }
  return part[0];
}
template <class S, class X, class Y>
GLASS_DEVICE value_of<X> inner_product(S scope, X x, Y y) {
  return scope.sum(partial_sum<value_of<X>>(scope, x.rows(), [&](int i) { return x(i) * y(i); }));
}
}  // namespace detail

template <auto... Options, class S, class X, class Y, detail::when<is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE value_of<X> dot(S scope, X x, Y y) {
  constexpr bool known = takes<types<Sync>, Options...>, fits = agree(X::static_rows, Y::static_rows);
  static_assert(known, "glass: dot takes the option Sync.");
  static_assert(fits, "glass: dot(scope, x, y): x and y have different sizes.");
  if constexpr (known && fits) {
    const value_of<X> total = detail::inner_product(scope, x, y);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
    return total;
  } else {
    return 0;
  }
}

template <auto... Options, class S, class X, class Y, class Out,
          detail::when<is_view<X> && is_view<Y> && is_view<Out>> = 0>
GLASS_DEVICE void dot(S scope, X x, Y y, Out out) {
  constexpr bool known = takes<types<Sync>, Options...>, fits = agree(X::static_rows, Y::static_rows);
  constexpr bool holds = agree(Out::static_rows, 1) && Out::writable;
  static_assert(known, "glass: dot takes the option Sync.");
  static_assert(fits, "glass: dot(scope, x, y, out): x and y have different sizes.");
  static_assert(holds, "glass: dot(scope, x, y, out): out is a writable vector of one number.");
  if constexpr (known && fits && holds) {
    const value_of<X> total = detail::inner_product(scope, x, y);
    if (scope.rank() == 0) out(0) = total;
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_1(dot, N, (const just<T>* x, const just<T>* y), (as_vector(x, N), as_vector(y, N)))
GLASS_FACES_1(dot, N, (const just<T>* x, const just<T>* y, just<T>* out),
              (as_vector(x, N), as_vector(y, N), vector<T, 1>(out)))
}  // namespace glass
