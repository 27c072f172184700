// prefix_sum_inclusive(scope, x, y)    y(i) = x(0) + ... + x(i).
// prefix_sum_exclusive(scope, x, y)    y(i) = x(0) + ... + x(i - 1); y(0) = 0.
// data     x, y: N; constant or run-time size, any increment. x may be const; y may be exactly x.
// lanes    every lane of the scope calls; a lane owns a run of N / lanes neighbouring elements; ends synchronised
//          unless Sync::no.
// sum      each lane adds its run, the lanes exchange what stands before each [Blelloch 1990], then the runs are summed
//          once more: same bits for the same input, sizes and scope. NaN and Inf propagate to what follows them.
// cost     N flops (2 N where lanes share); reads N, writes N.
#pragma once
#include <glass/core/each.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/view.cuh>
namespace glass {
namespace detail {
template <bool Inclusive, class S, class X, class Y>
GLASS_DEVICE void prefix_sum(S scope, X x, Y y) {
  using T = value_of<X>;
  const int n = x.rows(), run = (n + scope.size() - 1) / scope.size(), first = scope.rank() * run;
  const int last = first + run < n ? first + run : n;
  T own = 0;
  if constexpr (S::width != 1)
    for (int i = first; i < last; ++i) own += x(i);
  T sum = scope.sum_before(own);
  for (int i = first; i < last; ++i) {
    const T before = sum;
    sum += x(i);
    y(i) = Inclusive ? sum : before;
  }
}
template <class X, class Y>
inline constexpr bool can_be_summed_to = agree(X::static_rows, Y::static_rows) && Y::writable;
}  // namespace detail

template <auto... Options, class S, class X, class Y, detail::when<is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void prefix_sum_inclusive(S scope, X x, Y y) {
  constexpr bool known = takes<types<Sync>, Options...>, fits = detail::can_be_summed_to<X, Y>;
  static_assert(known, "glass: prefix_sum_inclusive takes the option Sync.");
  static_assert(fits, "glass: prefix_sum_inclusive(scope, x, y): y is a writable vector of x's size.");
  if constexpr (known && fits) {
    detail::prefix_sum<true>(scope, x, y);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class X, class Y, detail::when<is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void prefix_sum_exclusive(S scope, X x, Y y) {
  constexpr bool known = takes<types<Sync>, Options...>, fits = detail::can_be_summed_to<X, Y>;
  static_assert(known, "glass: prefix_sum_exclusive takes the option Sync.");
  static_assert(fits, "glass: prefix_sum_exclusive(scope, x, y): y is a writable vector of x's size.");
  if constexpr (known && fits) {
    detail::prefix_sum<false>(scope, x, y);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_1(prefix_sum_inclusive, N, (const just<T>* x, just<T>* y), (as_vector(x, N), as_vector(y, N)))
GLASS_FACES_1(prefix_sum_exclusive, N, (const just<T>* x, just<T>* y), (as_vector(x, N), as_vector(y, N)))
}  // namespace glass
