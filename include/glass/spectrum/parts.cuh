// What the operations of this folder share: exact scaling, the rotation that makes two columns orthogonal or an
// off-diagonal element zero. No operation of its own.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/scratch.cuh>
namespace glass::detail {
template <class T>
inline constexpr T rounding = T(sizeof(T) == 4 ? 0x1p-23 : 0x1p-52);  // eps
GLASS_SCALAR constexpr int smaller_of(int m, int n) { return m < 0 || n < 0 ? -1 : m < n ? m : n; }
GLASS_SCALAR constexpr int larger_of(int m, int n) { return m < 0 || n < 0 ? -1 : m < n ? n : m; }
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
// A power of two that takes the largest magnitude x > 0 of a matrix to about 2^50: squares of columns do not overflow,
// and those of columns 2^-100 as long do not lose digits. 1 / it is exact too.
template <class T>
GLASS_SCALAR constexpr T scale_of_columns(T x) {
  const T p = scale_to_one(x);
  return p <= two_to<77, T>() ? p * two_to<50, T>() : p;
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
// The one that takes [[xx, xy], [xy, yy]] to diag(xx - t xy, yy + t xy). Of numbers of any size: no squares of them, and
// beyond 2^30 the 1 beside the square of zeta is lost anyway.
template <class T>
GLASS_DEVICE turn<T> turn_of(T xx, T yy, T xy) {
  if (xy == T(0)) return {1, 0};
  const T zeta = (T(0.5) * yy - T(0.5) * xx) / xy, size = absolute(zeta);
  const T root = size > T(0x1p30) ? size : square_root(fused(zeta, zeta, T(1)));
  const T t = (zeta < T(0) ? T(-1) : T(1)) / (size + root);
  // 1 / sqrt(1 + t^2) as 1 - t^2 / (1 + t^2 + sqrt(1 + t^2)): the root of a number just above 1 is rounded down as often as
  // not, never up, and columns turned a thousand times would grow.
  const T square = t * t, sum = fused(t, t, T(1));
  return {T(1) - square / (sum + square_root(sum)), t};
}

// Pair k (0 ... n/2 - 1) of a round (0 ... rounds_of(n) - 1): in all rounds of a tournament each two of n indices meet
// once. Of an odd number of indices, `round` itself has no opponent.
struct index_pair {
  int low, high;
};
GLASS_SCALAR constexpr int rounds_of(int n) { return n - 1 + n % 2; }
GLASS_SCALAR constexpr index_pair pair_in_round(int n, int round, int k) {
  const int last = rounds_of(n), step = k + n % 2;
  if (step == 0) return {round, last};
  const int up = round + step, down = round - step;
  const int p = up >= last ? up - last : up, q = down < 0 ? down + last : down;
  return p < q ? index_pair{p, q} : index_pair{q, p};
}
template <class S, class A>
GLASS_DEVICE void fill_with_nan(S scope, A a) {
  each(scope, a.rows(), a.cols(), [&](int i, int j) { a(i, j) = not_a_number<value_of<A>>(); });
}
// The min(M, N) numbers of a pointer face.
template <class T, int M, int N>
GLASS_SCALAR constexpr auto shorter_vector(T* p, size_constant<M>, size_constant<N>) {
  return vector<T, smaller_of(M, N)>(p);
}
template <class T>
GLASS_SCALAR constexpr auto shorter_vector(T* p, size_now m, size_now n) {
  return vector<T, dynamic>(p, m.n < n.n ? m.n : n.n);
}
}  // namespace glass::detail
