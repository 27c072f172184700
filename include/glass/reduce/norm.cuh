// nrm2(scope, x) -> T              sqrt(sum of x(i)^2), without overflow or underflow unless the result has it.
// vector_norm(scope, x) -> T       another name of nrm2.
// nrm2, vector_norm (scope, x, out)    the same, stored to out(0) by one lane.
// data     x: N, read only; constant or run-time size, any increment.
// lanes    every lane of the scope calls; every lane receives the norm; ends synchronised unless Sync::no.
// bodies   the plain sum of squares where it lies well inside the range of T; else all terms once more, divided by the
//          largest magnitude.
// result   NaN if one element is NaN, else Inf if one is infinite. N = 0: 0, nothing is read.
// cost     2 N flops; reads N.
#pragma once
#include <glass/core/faces.cuh>
#include <glass/reduce/extreme.cuh>
namespace glass {
namespace detail {
template <class S, class X>
GLASS_DEVICE value_of<X> norm_of(S scope, X x) {
  using T = value_of<X>;
  // Above this, squares that were rounded to 0 or to denormal numbers do not count, whatever N.
  constexpr T safe = T(sizeof(T) == 4 ? 0x1p-70 : 0x1p-910);
  const T squares = total<Sum::fast, T>(scope, x.rows(), [&](T sum, int i) { return fused(x(i), x(i), sum); });
  if (squares != squares || (squares >= safe && is_finite(squares))) return square_root(squares);
  const T largest = largest_magnitude_of(scope, x);  // every lane is here, or none
  if (largest == T(0) || !is_finite(largest)) return largest;
  const T scaled = total<Sum::fast, T>(scope, x.rows(), [&](T sum, int i) {
    const T part = x(i) / largest;
    return fused(part, part, sum);
  });
  return largest * square_root(scaled);
}
}  // namespace detail

template <auto... Options, class S, class X, class... To, detail::when<detail::are_views<X, To...>> = 0>
GLASS_DEVICE auto nrm2(S scope, X x, To... out) {
  constexpr bool known = takes<types<Sync>, Options...>, holds = detail::hold_parts<1, To...>;
  static_assert(known, "glass: nrm2 takes the option Sync.");
  static_assert(holds, "glass: nrm2(scope, x, out): out is a writable vector of one number.");
  if constexpr (known && holds) return detail::deliver<Options...>(scope, detail::norm_of(scope, x), out...);
}
template <auto... Options, class S, class... Views, detail::when<detail::are_views<Views...>> = 0>
GLASS_DEVICE auto vector_norm(S scope, Views... x) {
  return nrm2<Options...>(scope, x...);
}
GLASS_FACES_1(nrm2, N, (const just<T>* x), (as_vector(x, N)))
GLASS_FACES_1(vector_norm, N, (const just<T>* x), (as_vector(x, N)))
}  // namespace glass
