// reduce(scope, x) -> T                    Sum of x(i).
// reduce(scope, partial) -> T              Sum of one number of each lane; lanes without one pass 0.
// reduce(scope, op, identity, x) -> T      op over identity and all x(i): any functor, associative, op(a, b) and op(b,
//                                          a) the same bits.
// asum(scope, x) -> T                      Sum of |x(i)|.
// nrm1_diff(scope, x, y) -> T              Sum of |x(i) - y(i)|.
// reduce, asum (scope, x, out), nrm1_diff(scope, x, y, out)    the same, stored to out(0) by one lane.
// data     x, y: N, read only; constant or run-time size, any increment. The form of one number a lane touches no
//          memory and orders none.
// lanes    every lane of the scope calls; every lane receives the result; ends synchronised unless Sync::no.
// sum      as dot's, Sum::fast or Sum::fixed (vector/dot.cuh). NaN and Inf propagate. N = 0: 0, or the identity.
// cost     N flops, nrm1_diff 2 N; reads N or 2 N.
#pragma once
#include <glass/core/faces.cuh>
#include <glass/reduce/fold.cuh>
namespace glass {
namespace detail {
template <auto... Options>
inline constexpr Sum how_to_add = chosen<Sum::fast, 0, Options...>();
template <auto... Options, class S, class X>
GLASS_DEVICE value_of<X> sum_of(S scope, X x) {
  using T = value_of<X>;
  return total<how_to_add<Options...>, T>(scope, x.rows(), [&](T sum, int i) { return sum + x(i); });
}
template <auto... Options, class S, class X>
GLASS_DEVICE value_of<X> sum_of_magnitudes(S scope, X x) {
  using T = value_of<X>;
  return total<how_to_add<Options...>, T>(scope, x.rows(), [&](T sum, int i) { return sum + absolute(x(i)); });
}
template <auto... Options, class S, class X, class Y>
GLASS_DEVICE value_of<X> sum_of_distances(S scope, X x, Y y) {
  using T = value_of<X>;
  return total<how_to_add<Options...>, T>(scope, x.rows(), [&](T sum, int i) { return sum + absolute(x(i) - y(i)); });
}
}  // namespace detail

template <auto... Options, class S, class X, class... To, detail::when<detail::are_views<X, To...>> = 0>
GLASS_DEVICE auto reduce(S scope, X x, To... out) {
  constexpr bool known = takes<types<Sum, Sync>, Options...>, holds = detail::hold_parts<1, To...>;
  static_assert(known, "glass: reduce takes the options Sum and Sync, in any order.");
  static_assert(holds, "glass: reduce(scope, x, out): out is a writable vector of one number.");
  if constexpr (known && holds) return detail::deliver<Options...>(scope, detail::sum_of<Options...>(scope, x), out...);
}
template <auto... Options, class S, class T, detail::when<!is_view<T>> = 0>
GLASS_DEVICE T reduce(S scope, T partial) {
  static_assert(sizeof...(Options) == 0, "glass: reduce(scope, partial), one number a lane, takes no options.");
  return scope.sum(partial);
}
template <auto... Options, class S, class Op, class X, detail::when<is_view<X> && !is_view<Op>> = 0>
GLASS_DEVICE value_of<X> reduce(S scope, Op op, just<value_of<X>> identity, X x) {
  constexpr bool known = takes<types<Sync>, Options...>;
  static_assert(known, "glass: reduce(scope, op, identity, x) takes the option Sync.");
  using T = value_of<X>;
  if constexpr (known)
    return detail::deliver<Options...>(scope,
                                       detail::fold(
                                           scope, x.rows(), identity, [&](T a, int i) { return op(a, x(i)); }, op));
  else
    return identity;
}
template <auto... Options, class S, class X, class... To, detail::when<detail::are_views<X, To...>> = 0>
GLASS_DEVICE auto asum(S scope, X x, To... out) {
  constexpr bool known = takes<types<Sum, Sync>, Options...>, holds = detail::hold_parts<1, To...>;
  static_assert(known, "glass: asum takes the options Sum and Sync, in any order.");
  static_assert(holds, "glass: asum(scope, x, out): out is a writable vector of one number.");
  if constexpr (known && holds)
    return detail::deliver<Options...>(scope, detail::sum_of_magnitudes<Options...>(scope, x), out...);
}
template <auto... Options, class S, class X, class Y, class... To, detail::when<detail::are_views<X, Y, To...>> = 0>
GLASS_DEVICE auto nrm1_diff(S scope, X x, Y y, To... out) {
  constexpr bool known = takes<types<Sum, Sync>, Options...>, holds = detail::hold_parts<1, To...>;
  constexpr bool fits = agree(X::static_rows, Y::static_rows);
  static_assert(known, "glass: nrm1_diff takes the options Sum and Sync, in any order.");
  static_assert(fits, "glass: nrm1_diff(scope, x, y): x and y have different sizes.");
  static_assert(holds, "glass: nrm1_diff(scope, x, y, out): out is a writable vector of one number.");
  if constexpr (known && fits && holds)
    return detail::deliver<Options...>(scope, detail::sum_of_distances<Options...>(scope, x, y), out...);
}
GLASS_FACES_0(reduce, (just<T> partial), (partial))
GLASS_FACES_1(reduce, N, (const just<T>* x), (as_vector(x, N)))
GLASS_FACES_1(asum, N, (const just<T>* x), (as_vector(x, N)))
GLASS_FACES_1(nrm1_diff, N, (const just<T>* x, const just<T>* y), (as_vector(x, N), as_vector(y, N)))
}  // namespace glass
