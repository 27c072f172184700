// svd3(scope, A, U, S, V)          A = U diag(S) V^T, 3 x 3. [GVL 8.6.3]
// data     A: 3 x 3, read only. U, V: 3 x 3, orthogonal whatever the rank of A (V, not its transpose); S: 3 singular
//          values, descending, >= 0. Any leading dimension and order; the outputs overlap neither A nor each other.
// lanes    every lane of the scope calls; one lane computes, in registers; ends synchronised unless Sync::no.
// method   one-sided Jacobi on the columns of A, scaled by a power of two: every singular value within 8 eps of the
//          largest, and A times a power of two gives S times that power.
// values   NaN or Inf in A: U, S and V are NaN.
// cost     600 flops and more; reads 9, writes 21.
#pragma once
#include <glass/spectrum/three.cuh>
namespace glass {
namespace detail {
template <class A, class U, class Sigma, class V>
GLASS_DEVICE void svd3_in_registers(A a, U u, Sigma sigma, V v) {
  using T = value_of<U>;
  T b[3][3], right[3][3], left[3][3], s[3];
  load3(a, b);
  const T taint = taint3(b), scale = scale_to_one(largest3(b));
  GLASS_UNROLL
  for (int j = 0; j < 3; ++j) times3(b[j], scale, b[j]);
  one_sided_jacobi3(b, right, s);
  frame3(b, s, left);
  const bool mirrored = dot3(b[2], left[2]) < T(0);
  times3(left[2], mirrored ? T(-1) : T(1), left[2]);
  store3(left, taint, u), store3(right, taint, v);
  GLASS_UNROLL
  for (int i = 0; i < 3; ++i) sigma(i) = s[i] * reciprocal(scale) + taint;
}
}  // namespace detail

template <auto... Options, class S, class A, class U, class Sigma, class V,
          detail::when<is_view<A> && is_view<U> && is_view<Sigma> && is_view<V>> = 0>
GLASS_DEVICE void svd3(S scope, A a, U u, Sigma sigma, V v) {
  constexpr bool known = takes<types<Sync>, Options...>, writable = U::writable && Sigma::writable && V::writable;
  constexpr bool fits = detail::is_three<A> && detail::is_three<U> && detail::is_three<V> &&
                        agree(Sigma::static_rows, 3) && Sigma::static_cols == 1;
  static_assert(known, "glass: svd3 takes the option Sync.");
  static_assert(fits, "glass: svd3: the sizes do not fit: A, U and V are 3 x 3, S has 3 numbers.");
  static_assert(writable, "glass: svd3 writes U, S and V, but one of them is const.");
  if constexpr (known && fits && writable) {
    if (scope.rank() == 0) detail::svd3_in_registers(a, u, sigma, v);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_0(svd3, (const just<T>* A, just<T>* U, just<T>* S, just<T>* V),
              (matrix<const T, 3, 3>(A), matrix<T, 3, 3>(U), vector<T, 3>(S), matrix<T, 3, 3>(V)))
}  // namespace glass
