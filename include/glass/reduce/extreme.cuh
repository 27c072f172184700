// reduce_min(scope, x) -> T                Smallest x(i); NaN is ignored.
// reduce_max(scope, x) -> T                Largest x(i); NaN is ignored.
// reduce_min, reduce_max (scope, partial)  the same of one number of each lane; lanes without one pass Inf or -Inf, or
//                                          NaN.
// infnorm(scope, x) -> T                   Largest |x(i)|; NaN if one is NaN.
// all three (scope, x, out)                the same, stored to out(0) by one lane.
// data     x: N, read only; constant or run-time size, any increment. The form of one number a lane touches no memory
//          and orders none.
// lanes    every lane of the scope calls; every lane receives the result; ends synchronised unless Sync::no.
// result   equal in every scope; a zero is +0. All NaN: NaN. N = 0: Inf, -Inf, 0, and nothing is read.
// cost     N comparisons; reads N.
#pragma once
#include <glass/core/faces.cuh>
#include <glass/reduce/fold.cuh>
namespace glass {
namespace detail {
struct smaller {
  template <class T>
  GLASS_DEVICE T operator()(T a, T b) const {
    return least(a, b);
  }
};
struct larger {
  template <class T>
  GLASS_DEVICE T operator()(T a, T b) const {
    return greatest(a, b);
  }
};
struct larger_or_nan {
  template <class T>
  GLASS_DEVICE T operator()(T a, T b) const {
    return a != a || a > b ? a : b;
  }
};
template <class S, class X>
GLASS_DEVICE value_of<X> smallest_of(S scope, X x) {
  using T = value_of<X>;
  const T found = fold(
      scope, x.rows(), not_a_number<T>(), [&](T m, int i) { return least(m, x(i)); }, smaller{});
  return x.rows() > 0 ? found + T(0) : infinity<T>();
}
template <class S, class X>
GLASS_DEVICE value_of<X> largest_of(S scope, X x) {
  using T = value_of<X>;
  const T found = fold(
      scope, x.rows(), not_a_number<T>(), [&](T m, int i) { return greatest(m, x(i)); }, larger{});
  return x.rows() > 0 ? found + T(0) : -infinity<T>();
}
template <class S, class X>
GLASS_DEVICE value_of<X> largest_magnitude_of(S scope, X x) {
  using T = value_of<X>;
  return fold(
      scope, x.rows(), T(0), [&](T m, int i) { return larger_or_nan{}(m, absolute(x(i))); }, larger_or_nan{});
}
}  // namespace detail

template <auto... Options, class S, class X, class... To, detail::when<detail::are_views<X, To...>> = 0>
GLASS_DEVICE auto reduce_min(S scope, X x, To... out) {
  constexpr bool known = takes<types<Sync>, Options...>, holds = detail::hold_parts<1, To...>;
  static_assert(known, "glass: reduce_min takes the option Sync.");
  static_assert(holds, "glass: reduce_min(scope, x, out): out is a writable vector of one number.");
  if constexpr (known && holds) return detail::deliver<Options...>(scope, detail::smallest_of(scope, x), out...);
}
template <auto... Options, class S, class T, detail::when<!is_view<T>> = 0>
GLASS_DEVICE T reduce_min(S scope, T partial) {
  static_assert(sizeof...(Options) == 0, "glass: reduce_min(scope, partial), one number a lane, takes no options.");
  return scope.reduce(partial, detail::smaller{}) + T(0);
}
template <auto... Options, class S, class X, class... To, detail::when<detail::are_views<X, To...>> = 0>
GLASS_DEVICE auto reduce_max(S scope, X x, To... out) {
  constexpr bool known = takes<types<Sync>, Options...>, holds = detail::hold_parts<1, To...>;
  static_assert(known, "glass: reduce_max takes the option Sync.");
  static_assert(holds, "glass: reduce_max(scope, x, out): out is a writable vector of one number.");
  if constexpr (known && holds) return detail::deliver<Options...>(scope, detail::largest_of(scope, x), out...);
}
template <auto... Options, class S, class T, detail::when<!is_view<T>> = 0>
GLASS_DEVICE T reduce_max(S scope, T partial) {
  static_assert(sizeof...(Options) == 0, "glass: reduce_max(scope, partial), one number a lane, takes no options.");
  return scope.reduce(partial, detail::larger{}) + T(0);
}
template <auto... Options, class S, class X, class... To, detail::when<detail::are_views<X, To...>> = 0>
GLASS_DEVICE auto infnorm(S scope, X x, To... out) {
  constexpr bool known = takes<types<Sync>, Options...>, holds = detail::hold_parts<1, To...>;
  static_assert(known, "glass: infnorm takes the option Sync.");
  static_assert(holds, "glass: infnorm(scope, x, out): out is a writable vector of one number.");
  if constexpr (known && holds)
    return detail::deliver<Options...>(scope, detail::largest_magnitude_of(scope, x), out...);
}
GLASS_FACES_0(reduce_min, (just<T> partial), (partial))
GLASS_FACES_0(reduce_max, (just<T> partial), (partial))
GLASS_FACES_1(reduce_min, N, (const just<T>* x), (as_vector(x, N)))
GLASS_FACES_1(reduce_max, N, (const just<T>* x), (as_vector(x, N)))
GLASS_FACES_1(infnorm, N, (const just<T>* x), (as_vector(x, N)))
}  // namespace glass
