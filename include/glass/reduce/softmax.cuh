// softmax(scope, alpha, x, y) -> {max, sum}    y(i) = exp(alpha x(i) - max) / sum; max the largest alpha x(i), sum the
//                                              sum of exp(alpha x(i) - max). alpha < 0 turns costs into weights.
// logsumexp(scope, alpha, x) -> T              log of the sum of exp(alpha x(i)), as max + log(sum).
// path_weights(scope, lambda, cost, w) -> {baseline, normaliser, ess}
//                                              w(i) = exp(-(cost(i) - baseline) / lambda), baseline the least cost,
//                                              normaliser the sum of w, ess its square over the sum of w^2.
// softmax(scope, alpha, x, y, max, sum), logsumexp(scope, alpha, x, out),
// path_weights(scope, lambda, cost, w, baseline, normaliser, ess)
//                                              the same, the numbers stored by one lane.
// data     x, cost: N, read only; y, w: N, written; constant or run-time size, any increment. y may be exactly x, and w
//          exactly cost.
// lanes    every lane of the scope calls, with the same scalars; every lane receives the numbers; ends synchronised
//          unless Sync::no.
// scalars  alpha multiplies the difference from the largest element, so that exponents neither overflow nor cancel;
//          0 times NaN or Inf is NaN. lambda > 0, with a finite reciprocal.
// result   in terms of alpha x: -Inf weighs 0. softmax: any NaN, any Inf, or all -Inf: all NaN; N = 0: {-Inf, 0}.
//          logsumexp: NaN if one is NaN, else Inf if one is Inf; all -Inf, or N = 0: -Inf. path_weights: costs NaN and
//          Inf weigh 0; without any other all weights and numbers are 0.
// cost     4 N flops and N exponentials; reads N, softmax and path_weights write N.
#pragma once
#include <glass/core/faces.cuh>
#include <glass/reduce/extreme.cuh>
namespace glass {
template <class T>
struct softmax_sums {
  T max, sum;
};
template <class T>
struct path_sums {
  T baseline, normaliser, ess;
};
namespace detail {
// The x(i) with the largest alpha x(i), NaN ignored.
template <class S, class X>
GLASS_DEVICE value_of<X> leader(S scope, value_of<X> alpha, X x) {
  using T = value_of<X>;
  const T sign = alpha >= T(0) ? T(1) : T(-1);
  const T most = fold(
      scope, x.rows(), not_a_number<T>(), [&](T m, int i) { return greatest(m, sign * x(i)); }, larger{});
  return sign * most + T(0);  // +0: the same bits in every lane
}
template <class S, class X, class Y>
GLASS_DEVICE softmax_sums<value_of<X>> weigh(S scope, value_of<X> alpha, X x, Y y) {
  using T = value_of<X>;
  if (x.rows() == 0) return {-infinity<T>(), T(0)};
  const T lead = leader(scope, alpha, x);
  const T sum = total<Sum::fast, T>(scope, x.rows(), [&](T s, int i) {
    const T e = exponential(alpha * (x(i) - lead));
    y(i) = e;
    return s + e;
  });
  const T scale = reciprocal(sum);
  each(scope, x.rows(), [&](int i) { y(i) *= scale; });  // the elements that this lane wrote
  return {alpha * lead, sum};
}
template <class S, class X>
GLASS_DEVICE value_of<X> log_of_sum(S scope, value_of<X> alpha, X x) {
  using T = value_of<X>;
  if (x.rows() == 0) return -infinity<T>();
  const T lead = leader(scope, alpha, x), most = alpha * lead;
  if (!is_finite(most)) {  // every lane is here, or none
    bool nan = false;
    each(scope, x.rows(), [&](int i) { nan |= alpha * x(i) != alpha * x(i); });
    return scope.any(nan) ? not_a_number<T>() : most;
  }
  const T sum =
      total<Sum::fast, T>(scope, x.rows(), [&](T s, int i) { return s + exponential(alpha * (x(i) - lead)); });
  return most + logarithm(sum);
}
template <class T>
struct two_sums {
  T weights, squares;
};
struct add_both {
  template <class T>
  GLASS_DEVICE two_sums<T> operator()(two_sums<T> a, two_sums<T> b) const {
    return {a.weights + b.weights, a.squares + b.squares};
  }
};
template <class S, class X, class W>
GLASS_DEVICE path_sums<value_of<X>> weigh_paths(S scope, value_of<X> lambda, X cost, W w) {
  using T = value_of<X>;
  const T none = infinity<T>(), rate = -reciprocal(lambda);
  const T least_cost = fold(
      scope, cost.rows(), none, [&](T m, int i) { return least(m, cost(i)); }, smaller{});
  const two_sums<T> sums = fold(
      scope, cost.rows(), two_sums<T>{0, 0},
      [&](two_sums<T> s, int i) {
        const T c = cost(i), weight = c < none ? exponential((c - least_cost) * rate) : T(0);
        w(i) = weight;
        return two_sums<T>{s.weights + weight, fused(weight, weight, s.squares)};
      },
      add_both{});
  if (least_cost == none) return {T(0), T(0), T(0)};
  return {least_cost + T(0), sums.weights, sums.weights * sums.weights / sums.squares};
}
template <class X, class Y>
inline constexpr bool same_length = agree(X::static_rows, Y::static_rows);
}  // namespace detail

template <auto... Options, class S, class X, class Y, class... To, detail::when<detail::are_views<X, Y, To...>> = 0>
GLASS_DEVICE auto softmax(S scope, just<value_of<X>> alpha, X x, Y y, To... max_and_sum) {
  constexpr bool known = takes<types<Sync>, Options...>, fits = detail::same_length<X, Y> && Y::writable;
  constexpr bool holds = detail::hold_parts<2, To...>;
  static_assert(known, "glass: softmax takes the option Sync.");
  static_assert(fits, "glass: softmax(scope, alpha, x, y): y is a writable vector of x's size.");
  static_assert(holds, "glass: softmax(scope, alpha, x, y, max, sum): max and sum are writable vectors of one number.");
  if constexpr (known && fits && holds)
    return detail::deliver<Options...>(scope, detail::weigh(scope, alpha, x, y), max_and_sum...);
}
template <auto... Options, class S, class X, class... To, detail::when<detail::are_views<X, To...>> = 0>
GLASS_DEVICE auto logsumexp(S scope, just<value_of<X>> alpha, X x, To... out) {
  constexpr bool known = takes<types<Sync>, Options...>, holds = detail::hold_parts<1, To...>;
  static_assert(known, "glass: logsumexp takes the option Sync.");
  static_assert(holds, "glass: logsumexp(scope, alpha, x, out): out is a writable vector of one number.");
  if constexpr (known && holds) return detail::deliver<Options...>(scope, detail::log_of_sum(scope, alpha, x), out...);
}
template <auto... Options, class S, class X, class W, class... To, detail::when<detail::are_views<X, W, To...>> = 0>
GLASS_DEVICE auto path_weights(S scope, just<value_of<X>> lambda, X cost, W w, To... numbers) {
  constexpr bool known = takes<types<Sync>, Options...>, fits = detail::same_length<X, W> && W::writable;
  constexpr bool holds = detail::hold_parts<3, To...>;
  static_assert(known, "glass: path_weights takes the option Sync.");
  static_assert(fits, "glass: path_weights(scope, lambda, cost, w): w is a writable vector of cost's size.");
  static_assert(holds, "glass: path_weights: baseline, normaliser and ess are writable vectors of one number.");
  if constexpr (known && fits && holds)
    return detail::deliver<Options...>(scope, detail::weigh_paths(scope, lambda, cost, w), numbers...);
}
GLASS_FACES_1(softmax, N, (just<T> alpha, const just<T>* x, just<T>* y), (alpha, as_vector(x, N), as_vector(y, N)))
GLASS_FACES_1(logsumexp, N, (just<T> alpha, const just<T>* x), (alpha, as_vector(x, N)))
GLASS_FACES_1(path_weights, N, (just<T> lambda, const just<T>* cost, just<T>* w),
              (lambda, as_vector(cost, N), as_vector(w, N)))
}  // namespace glass
