// argmax(scope, x) -> {index, value}           Largest x(i) and where it is.
// argmin(scope, x) -> {index, value}           Smallest x(i).
// iamax(scope, x) -> {index, value}            Largest |x(i)|.
// argmax, argmin, iamax (scope, x, index, value)                 the same, stored by one lane.
// argmax_pair(scope, key, index) -> {index, key}                 Largest key among one pair of each lane.
// argmin_pair(scope, key, index) -> {index, key}                 Smallest key.
// argmax_pair, argmin_pair (scope, keys, indices, index, key)    the same of two vectors, stored by one lane.
// data     x, keys: N; indices, index: int; constant or run-time size, any increment. The form of one pair a lane
//          touches no memory and orders none.
// lanes    every lane of the scope calls; every lane receives the result; ends synchronised unless Sync::no.
// result   equal in every scope. NaN is skipped; of equal values (-0 = +0) the lowest index. All NaN: {0, NaN}. N = 0:
//          {0, -Inf}, {0, Inf}, iamax {0, 0}. Pairs: index -1 (0xffffffff) or a NaN key is no candidate, and without
//          any the index is -1 and the key -Inf, or Inf for argmin_pair; indices compare as unsigned.
// cost     N comparisons; reads N.
#pragma once
#include <glass/core/faces.cuh>
#include <glass/reduce/fold.cuh>
namespace glass {
template <class T>
struct index_value {
  int index;
  T value;
};
template <class T>
struct index_key {
  int index;
  T key;
};
namespace detail {
// The better of two candidates; on a tie the lower index. {-1, worst value} is no candidate and loses against all.
template <bool Largest>
struct better {
  template <class T>
  GLASS_DEVICE index_value<T> operator()(index_value<T> a, index_value<T> b) const {
    const bool beyond = Largest ? b.value > a.value : b.value < a.value;
    return beyond || (b.value == a.value && unsigned(b.index) < unsigned(a.index)) ? b : a;
  }
};
// The best of {index(i), key(i)}, i in [0, n), NaN skipped; index -1 if there is none.
template <bool Largest, class T, class S, class Candidate>
GLASS_DEVICE index_value<T> best_of(S scope, int n, T worst, Candidate candidate) {
  const better<Largest> op;
  return fold(
      scope, n, index_value<T>{-1, worst},
      [&](index_value<T> best, int i) {
        const index_value<T> c = candidate(i);
        return c.index == -1 ? best : op(best, c);
      },
      op);
}
template <bool Largest, class S, class X, class F>
GLASS_DEVICE index_value<value_of<X>> argument_of(S scope, X x, value_of<X> worst, F f) {
  using T = value_of<X>;
  const auto best = best_of<Largest>(scope, x.rows(), worst, [&](int i) { return index_value<T>{i, f(x(i))}; });
  if (best.index >= 0) return best;
  return {0, x.rows() > 0 ? not_a_number<T>() : worst};
}
template <class S, class X>
GLASS_DEVICE auto argument_of_largest(S scope, X x) {
  return argument_of<true>(scope, x, -infinity<value_of<X>>(), [](value_of<X> v) { return v; });
}
template <class S, class X>
GLASS_DEVICE auto argument_of_smallest(S scope, X x) {
  return argument_of<false>(scope, x, infinity<value_of<X>>(), [](value_of<X> v) { return v; });
}
template <class S, class X>
GLASS_DEVICE auto argument_of_largest_magnitude(S scope, X x) {
  return argument_of<true>(scope, x, value_of<X>(0), [](value_of<X> v) { return absolute(v); });
}
template <bool Largest, class S, class T>
GLASS_DEVICE index_key<T> best_pair(S scope, T key, int index) {
  const T worst = Largest ? -infinity<T>() : infinity<T>();
  const bool empty = index == -1 || key != key;
  const auto best = scope.reduce(empty ? index_value<T>{-1, worst} : index_value<T>{index, key}, better<Largest>{});
  return {best.index, best.value};
}
template <bool Largest, class S, class Keys, class Indices>
GLASS_DEVICE index_value<value_of<Keys>> best_pair_of(S scope, Keys keys, Indices indices) {
  using T = value_of<Keys>;
  const T worst = Largest ? -infinity<T>() : infinity<T>();
  return best_of<Largest>(scope, keys.rows(), worst, [&](int i) { return index_value<T>{indices(i), keys(i)}; });
}
// Index and value, or key, of the result: none of both, or vectors of one.
template <class... To>
inline constexpr bool hold_both = sizeof...(To) == 0;
template <class Index, class Value>
inline constexpr bool hold_both<Index, Value> = hold_parts<2, Index, Value>&& same<value_of<Index>, int>;
template <class Keys, class Indices>
inline constexpr bool are_pairs = agree(Keys::static_rows, Indices::static_rows) && same<value_of<Indices>, int>;
}  // namespace detail

template <auto... Options, class S, class X, class... To, detail::when<detail::are_views<X, To...>> = 0>
GLASS_DEVICE auto argmax(S scope, X x, To... index_and_value) {
  constexpr bool known = takes<types<Sync>, Options...>, holds = detail::hold_both<To...>;
  static_assert(known, "glass: argmax takes the option Sync.");
  static_assert(holds, "glass: argmax(scope, x, index, value): index is a writable vector of one int, value of one T.");
  if constexpr (known && holds)
    return detail::deliver<Options...>(scope, detail::argument_of_largest(scope, x), index_and_value...);
}
template <auto... Options, class S, class X, class... To, detail::when<detail::are_views<X, To...>> = 0>
GLASS_DEVICE auto argmin(S scope, X x, To... index_and_value) {
  constexpr bool known = takes<types<Sync>, Options...>, holds = detail::hold_both<To...>;
  static_assert(known, "glass: argmin takes the option Sync.");
  static_assert(holds, "glass: argmin(scope, x, index, value): index is a writable vector of one int, value of one T.");
  if constexpr (known && holds)
    return detail::deliver<Options...>(scope, detail::argument_of_smallest(scope, x), index_and_value...);
}
template <auto... Options, class S, class X, class... To, detail::when<detail::are_views<X, To...>> = 0>
GLASS_DEVICE auto iamax(S scope, X x, To... index_and_value) {
  constexpr bool known = takes<types<Sync>, Options...>, holds = detail::hold_both<To...>;
  static_assert(known, "glass: iamax takes the option Sync.");
  static_assert(holds, "glass: iamax(scope, x, index, value): index is a writable vector of one int, value of one T.");
  if constexpr (known && holds)
    return detail::deliver<Options...>(scope, detail::argument_of_largest_magnitude(scope, x), index_and_value...);
}
template <auto... Options, class S, class T, detail::when<!is_view<T>> = 0>
GLASS_DEVICE index_key<T> argmax_pair(S scope, T key, int index) {
  static_assert(sizeof...(Options) == 0, "glass: argmax_pair(scope, key, index), one pair a lane, takes no options.");
  return detail::best_pair<true>(scope, key, index);
}
template <auto... Options, class S, class Keys, class Indices, class Index, class Key,
          detail::when<is_view<Keys> && is_view<Key>> = 0>
GLASS_DEVICE void argmax_pair(S scope, Keys keys, Indices indices, Index index, Key key) {
  constexpr bool known = takes<types<Sync>, Options...>;
  constexpr bool holds = detail::are_pairs<Keys, Indices> && detail::hold_both<Index, Key>;
  static_assert(known, "glass: argmax_pair takes the option Sync.");
  static_assert(holds,
                "glass: argmax_pair(scope, keys, indices, index, key): as many int indices as keys; index is a "
                "writable vector of one int, key of one T.");
  if constexpr (known && holds)
    detail::deliver<Options...>(scope, detail::best_pair_of<true>(scope, keys, indices), index, key);
}
template <auto... Options, class S, class T, detail::when<!is_view<T>> = 0>
GLASS_DEVICE index_key<T> argmin_pair(S scope, T key, int index) {
  static_assert(sizeof...(Options) == 0, "glass: argmin_pair(scope, key, index), one pair a lane, takes no options.");
  return detail::best_pair<false>(scope, key, index);
}
template <auto... Options, class S, class Keys, class Indices, class Index, class Key,
          detail::when<is_view<Keys> && is_view<Key>> = 0>
GLASS_DEVICE void argmin_pair(S scope, Keys keys, Indices indices, Index index, Key key) {
  constexpr bool known = takes<types<Sync>, Options...>;
  constexpr bool holds = detail::are_pairs<Keys, Indices> && detail::hold_both<Index, Key>;
  static_assert(known, "glass: argmin_pair takes the option Sync.");
  static_assert(holds,
                "glass: argmin_pair(scope, keys, indices, index, key): as many int indices as keys; index is a "
                "writable vector of one int, key of one T.");
  if constexpr (known && holds)
    detail::deliver<Options...>(scope, detail::best_pair_of<false>(scope, keys, indices), index, key);
}
GLASS_FACES_1(argmax, N, (const just<T>* x), (as_vector(x, N)))
GLASS_FACES_1(argmin, N, (const just<T>* x), (as_vector(x, N)))
GLASS_FACES_1(iamax, N, (const just<T>* x), (as_vector(x, N)))
GLASS_FACES_0(argmax_pair, (just<T> key, int index), (key, index))
GLASS_FACES_0(argmin_pair, (just<T> key, int index), (key, index))
}  // namespace glass
