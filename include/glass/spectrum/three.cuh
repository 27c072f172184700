// The mathematics of 3 x 3 matrices in the registers of one lane: columns are arrays. Operations are in headers of
// their own.
#pragma once
#include <glass/spectrum/parts.cuh>
namespace glass::detail {
template <class T>
GLASS_DEVICE T dot3(const T (&x)[3], const T (&y)[3]) {
  return fused(x[0], y[0], fused(x[1], y[1], x[2] * y[2]));
}
template <class T>
GLASS_DEVICE void cross3(const T (&x)[3], const T (&y)[3], T (&z)[3]) {
  z[0] = fused(x[1], y[2], -x[2] * y[1]);
  z[1] = fused(x[2], y[0], -x[0] * y[2]);
  z[2] = fused(x[0], y[1], -x[1] * y[0]);
}
template <class T>
GLASS_DEVICE void times3(const T (&x)[3], T by, T (&y)[3]) {
  GLASS_UNROLL
  for (int i = 0; i < 3; ++i) y[i] = x[i] * by;
}
template <class T>
GLASS_DEVICE void turn3(turn<T> by, T (&x)[3], T (&y)[3]) {
  GLASS_UNROLL
  for (int i = 0; i < 3; ++i) by.apply(x[i], y[i]);
}
// Exchanges (x, its columns p and v) with (y, q and w) if `swaps`.
template <class T>
GLASS_DEVICE void exchange3(bool swaps, T& x, T& y, T (&p)[3], T (&q)[3], T (&v)[3], T (&w)[3]) {
  const T low = swaps ? y : x;
  y = swaps ? x : y, x = low;
  GLASS_UNROLL
  for (int i = 0; i < 3; ++i) {
    const T first = swaps ? q[i] : p[i], second = swaps ? w[i] : v[i];
    q[i] = swaps ? p[i] : q[i], p[i] = first;
    w[i] = swaps ? v[i] : w[i], v[i] = second;
  }
}
template <class A, class T>
GLASS_DEVICE void load3(A a, T (&columns)[3][3]) {
  GLASS_UNROLL
  for (int j = 0; j < 3; ++j) {
    GLASS_UNROLL
    for (int i = 0; i < 3; ++i) columns[j][i] = a(i, j);
  }
}
template <class A, class T>
GLASS_DEVICE void store3(const T (&columns)[3][3], T plus, A a) {
  GLASS_UNROLL
  for (int j = 0; j < 3; ++j) {
    GLASS_UNROLL
    for (int i = 0; i < 3; ++i) a(i, j) = columns[j][i] + plus;
  }
}
// 0 if all numbers are finite, else NaN.
template <class T>
GLASS_DEVICE T taint3(const T (&columns)[3][3]) {
  T sum = 0;
  GLASS_UNROLL
  for (int j = 0; j < 3; ++j) {
    GLASS_UNROLL
    for (int i = 0; i < 3; ++i) sum += columns[j][i] - columns[j][i];
  }
  return sum;
}
template <class T>
GLASS_DEVICE T largest3(const T (&columns)[3][3]) {
  T most = 0;
  GLASS_UNROLL
  for (int j = 0; j < 3; ++j) {
    GLASS_UNROLL
    for (int i = 0; i < 3; ++i) most = greatest(most, absolute(columns[j][i]));
  }
  return most;
}
template <class A>
inline constexpr bool is_three = agree(A::static_rows, 3) && agree(A::static_cols, 3);

// One step of the one-sided Jacobi method: columns p and q of B and V turn until those of B are orthogonal. True: they
// were not.
template <class T>
GLASS_DEVICE bool make_orthogonal3(T (&p)[3], T (&q)[3], T (&v)[3], T (&w)[3]) {
  const T pp = dot3(p, p), qq = dot3(q, q), pq = dot3(p, q);
  if (absolute(pq) <= rounding<T> * square_root(pp) * square_root(qq)) return false;
  const turn<T> by = turn_of(pp, qq, pq);
  turn3(by, p, q), turn3(by, v, w);
  return true;
}
// B, with a largest element of about 1, becomes B V with orthogonal columns, sorted by their lengths s, longest first;
// V is orthogonal. No A^T A is ever formed: small singular values keep their digits. [GVL 8.6.3]
template <class T>
GLASS_DEVICE void one_sided_jacobi3(T (&b)[3][3], T (&v)[3][3], T (&s)[3]) {
  GLASS_UNROLL
  for (int j = 0; j < 3; ++j) {
    GLASS_UNROLL
    for (int i = 0; i < 3; ++i) v[j][i] = i == j ? T(1) : T(0);
  }
  bool turned = true;
  GLASS_UNROLL_BY(1)
  for (int sweep = 0; turned && sweep < 16; ++sweep) {
    turned = make_orthogonal3(b[0], b[1], v[0], v[1]);
    turned |= make_orthogonal3(b[0], b[2], v[0], v[2]);
    turned |= make_orthogonal3(b[1], b[2], v[1], v[2]);
  }
  GLASS_UNROLL
  for (int j = 0; j < 3; ++j) s[j] = square_root(dot3(b[j], b[j]));
  exchange3(s[1] > s[0], s[0], s[1], b[0], b[1], v[0], v[1]);
  exchange3(s[2] > s[0], s[0], s[2], b[0], b[2], v[0], v[2]);
  exchange3(s[2] > s[1], s[1], s[2], b[1], b[2], v[1], v[2]);
}
// A right-handed frame: u0 along b0, u1 along the part of b1 that is perpendicular to it, u2 = u0 x u1. A column that
// is (almost) zero gives way to a direction of our choice.
template <class T>
GLASS_DEVICE void frame3(const T (&b)[3][3], const T (&s)[3], T (&u)[3][3]) {
  constexpr T lowest = T(sizeof(T) == 4 ? 1e-12 : 1e-138);  // squares of what is longer are exact enough
  times3(b[0], s[0] > T(0) ? reciprocal(s[0]) : T(0), u[0]);
  if (!(s[0] > T(0))) u[0][0] = 1;
  if (s[1] > lowest) {
    times3(b[1], reciprocal(s[1]), u[1]);
  } else {  // across the axis that u0 is least along
    const T x = absolute(u[0][0]), y = absolute(u[0][1]), z = absolute(u[0][2]);
    u[1][0] = x <= y && x <= z ? T(1) : T(0);
    u[1][1] = u[1][0] == T(0) && y <= z ? T(1) : T(0);
    u[1][2] = u[1][0] == T(0) && u[1][1] == T(0) ? T(1) : T(0);
  }
  const T along = dot3(u[0], u[1]);
  GLASS_UNROLL
  for (int i = 0; i < 3; ++i) u[1][i] = fused(-along, u[0][i], u[1][i]);
  times3(u[1], reciprocal(square_root(dot3(u[1], u[1]))), u[1]);
  cross3(u[0], u[1], u[2]);
}
}  // namespace glass::detail
