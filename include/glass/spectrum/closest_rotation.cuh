// closest_rotation(scope, A, R)    R = U diag(1, 1, det U det V) V^T for A = U diag(S) V^T: the rotation closest to A,
//                                  and the best fit R = argmin sum |b_i - R a_i|^2 for A = sum b_i a_i^T. [Kabsch 1976]
// data     A: 3 x 3, read only; R: 3 x 3, overwritten; any leading dimension and order; they do not overlap.
// lanes    every lane of the scope calls; one lane computes, in registers; ends synchronised unless Sync::no.
// result   R^T R = I and det R = +1 always, also for singular A and for A = 0. Where the closest rotation is not unique
//          (S(1) + sign(det A) S(2) = 0), one of them, the same every time. Error at most
//          32 eps S(0) / (S(1) + sign(det A) S(2)).
// values   NaN or Inf in A: R is NaN.
// cost     700 flops and more; reads 9, writes 9.
#pragma once
#include <glass/spectrum/three.cuh>
namespace glass {
namespace detail {
template <class A, class R>
GLASS_DEVICE void closest_rotation_in_registers(A a, R r) {
  using T = value_of<R>;
  T b[3][3], v[3][3], u[3][3], s[3];
  load3(a, b);
  const T taint = taint3(b), scale = scale_to_one(largest3(b));
  GLASS_UNROLL
  for (int j = 0; j < 3; ++j) times3(b[j], scale, b[j]);
  one_sided_jacobi3(b, v, s);
  frame3(b, s, u);
  cross3(v[0], v[1], v[2]);  // both frames right-handed: det R = 1
  GLASS_UNROLL
  for (int j = 0; j < 3; ++j) {
    GLASS_UNROLL
    for (int i = 0; i < 3; ++i) r(i, j) = fused(u[0][i], v[0][j], fused(u[1][i], v[1][j], u[2][i] * v[2][j])) + taint;
  }
}
}  // namespace detail

template <auto... Options, class S, class A, class R, detail::when<is_view<A> && is_view<R>> = 0>
GLASS_DEVICE void closest_rotation(S scope, A a, R r) {
  constexpr bool known = takes<types<Sync>, Options...>, fits = detail::is_three<A> && detail::is_three<R>;
  static_assert(known, "glass: closest_rotation takes the option Sync.");
  static_assert(fits, "glass: closest_rotation: the sizes do not fit: A and R are 3 x 3.");
  static_assert(R::writable, "glass: closest_rotation writes R, but R is const.");
  if constexpr (known && fits && R::writable) {
    if (scope.rank() == 0) detail::closest_rotation_in_registers(a, r);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_0(closest_rotation, (const just<T>* A, just<T>* R), (matrix<const T, 3, 3>(A), matrix<T, 3, 3>(R)))
}  // namespace glass
