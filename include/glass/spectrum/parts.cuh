// What the operations of this folder share: exact scaling, the rotation that makes two columns orthogonal or an
// off-diagonal element zero. No operation of its own.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/scratch.cuh>
namespace glass::detail {
template <class T>
inline constexpr T rounding = T(sizeof(T) == 4 ? 0x1p-23 : 0x1p-52);  // eps
template <int E, class T>
GLASS_SCALAR constexpr T two_to() {
  T p = 1;
  for (int k = 0; k < E; ++k) p *= 2;
  return p;
}
template <int E, class T>
GLASS_SCALAR constexpr void toward_one(T& x, T& p) {
  constexpr T big = two_to<E, T>(), small = T(1) / big;
  if (x >= big) x *= small, p *= small;
  if (x < small) x *= big, p *= big;
  if constexpr (E > 1) toward_one<E / 2>(x, p);
}
// A power of two p with p x in [1/2, 2), 0 < x < Inf and not denormal; then p and 1 / p are exact, and no square of p y
// with y <= x overflows.
template <class T>
GLASS_SCALAR constexpr T scale_to_one(T x) {
  T p = 1;
  toward_one<sizeof(T) == 4 ? 64 : 512>(x, p);
  return p;
}

// The rotation (x, y) <- (c x - c t y, c t x + c y), |t| <= 1. [GVL 8.5.2]
template <class T>
struct turn {
  T c, t;
  GLASS_SCALAR void apply(T& x, T& y) const {
    const T u = c * fused(-t, y, x), v = c * fused(t, x, y);
    x = u, y = v;
  }
};
// The one that takes [[xx, xy], [xy, yy]] to diag(xx - t xy, yy + t xy). Of numbers of any size: no squares of them.
template <class T>
GLASS_DEVICE turn<T> turn_of(T xx, T yy, T xy) {
  if (xy == T(0)) return {1, 0};
  const T zeta = (T(0.5) * yy - T(0.5) * xx) / xy;
  const T t = (zeta < T(0) ? T(-1) : T(1)) / (absolute(zeta) + square_root(fused(zeta, zeta, T(1))));
  return {reciprocal(square_root(fused(t, t, T(1)))), t};
}
}  // namespace glass::detail
