// The two-sided Jacobi method for symmetric matrices of constant order N <= 16 with everything in registers, by the lanes
// of a tile or warp, at least as many as rows. Operations are in headers of their own.
//   layout    lane j holds column j of A and row j of V, each padded with zeros to P numbers, a power of two: slot s is
//             A(j ^ s, j) and V(j, j ^ s). In round r = 1 ... P - 1 of a sweep the index pairs are (j, j ^ r): each two
//             meet once, and slots of a pair are s and s ^ r in every lane, so that all of them are known when compiled.
//   a round   both lanes of a pair form the same rotation from the same three numbers. Rows of A and columns of V turn
//             within a lane, by the rotations of the lanes j ^ s; columns of A with the partner's. 2 P shuffles and no
//             sync; the loop in memory has two syncs and twice the traffic.
// Both triangles of A are held and drift apart by rounding; the angle is of the lower index's lane alone.
#pragma once
#include <glass/core/fragment.cuh>
#include <glass/spectrum/jacobi.cuh>
namespace glass::detail {
GLASS_SCALAR constexpr int highest_bit(int r) {
  int bit = 1;
  while (2 * bit <= r) bit *= 2;
  return bit;
}
inline constexpr int most_jacobi_order = 16;  // the rounds are unrolled
template <class S, class A>
GLASS_SCALAR constexpr bool fits_jacobi_fragment() {
  if constexpr (can_shuffle<S> && A::static_rows > 0)
    return S::width > 1 && A::static_rows <= most_jacobi_order && A::static_rows <= S::width;
  else
    return false;
}
// Whether a body asked for is the one in registers.
template <class S, class A>
GLASS_SCALAR constexpr bool in_jacobi_fragment(Body asked) {
  return fits_jacobi_fragment<S, A>() && asked != Body::loop;
}
template <class T, int Order>
struct jacobi_fragment {
  static constexpr int N = Order, P = power_of_two_from(Order);
  T a[P], v[P];
};
// Of the lower triangle of a, with V = I. finite: whether all its numbers are; a problem that is not is held as zeros.
template <class S, class A>
GLASS_DEVICE auto load_jacobi(S scope, A a, bool& finite) {
  using T = value_of<A>;
  jacobi_fragment<T, A::static_rows> f;
  const int lane = scope.rank();
  bool bad = false;
  GLASS_UNROLL
  for (int s = 0; s < f.P; ++s) {
    const int i = lane ^ s;
    f.a[s] = i < f.N && lane < f.N ? T(i > lane ? a(i, lane) : a(lane, i)) : T(0);
    f.v[s] = T(s == 0 ? 1 : 0);
    bad |= !is_finite(f.a[s]);
  }
  finite = !scope.any(bad);
  GLASS_UNROLL
  for (int s = 0; s < f.P; ++s) f.a[s] = finite ? f.a[s] : T(0);
  return f;
}
// One round. True: some rotation of this lane was not the identity.
template <class S, class T, int N>
GLASS_DEVICE bool turn_in_round(S scope, jacobi_fragment<T, N>& f, int r) {
  const int lane = scope.rank(), other = lane ^ r;
  const bool is_low = lane < other;
  const T theirs = scope.shuffle(f.a[0], other), off = scope.shuffle(f.a[r], is_low ? lane : other);
  const T low = is_low ? f.a[0] : theirs, high = is_low ? theirs : f.a[0];
  const bool rotates = !(absolute(off) <= rounding<T> / 4 * greatest(absolute(low), absolute(high)));
  const turn<T> by = turn_of(low, high, rotates ? off : T(0));
  const T c = by.c, t = is_low ? -by.t : by.t;  // of this lane: x <- c (x + t y), y the partner's
  GLASS_UNROLL
  for (int s = 1; s < f.P; ++s) {
    if ((s & highest_bit(r)) != 0) continue;  // with s ^ r; 0 and r after
    const T of_row = scope.shuffle(c, lane ^ s), by_row = scope.shuffle(t, lane ^ s);
    const T x = fused(by_row, f.a[s ^ r], f.a[s]), y = fused(-by_row, f.a[s], f.a[s ^ r]);
    const T across_x = scope.shuffle(y, other), across_y = scope.shuffle(x, other), scale = of_row * c;
    f.a[s] = scale * fused(t, across_x, x), f.a[s ^ r] = scale * fused(t, across_y, y);
    const T u = of_row * fused(by_row, f.v[s ^ r], f.v[s]), v = of_row * fused(-by_row, f.v[s], f.v[s ^ r]);
    f.v[s] = u, f.v[s ^ r] = v;
  }
  f.a[0] = fused(t, off, f.a[0]);
  f.a[r] = t == T(0) ? f.a[r] : T(0);
  const T u = c * fused(t, f.v[r], f.v[0]), v = c * fused(-t, f.v[0], f.v[r]);
  f.v[0] = u, f.v[r] = v;
  return rotates;
}
// As diagonalize in memory: false if `sweeps` were not enough.
template <bool Stops, class S, class T, int N>
GLASS_DEVICE bool diagonalize(S scope, jacobi_fragment<T, N>& f, int sweeps) {
  bool moved = N > 1, goes_on = N > 1;
  GLASS_UNROLL_BY(1)
  for (int sweep = 0; goes_on && sweep < sweeps; ++sweep) {
    bool large = false;
    GLASS_UNROLL
    for (int r = 1; r < f.P; ++r) large |= turn_in_round(scope, f, r);
    if constexpr (Stops) moved = scope.any(large), goes_on = scope.any_in_step(large);
  }
  return !moved;
}
// w: the eigenvalues, in ascending order if Sorted, and v: their vectors; all NaN if `fails`.
template <bool Sorted, class S, class T, int N, class W, class V>
GLASS_DEVICE void store_jacobi(S scope, jacobi_fragment<T, N>& f, bool fails, W w, V v) {
  const int lane = scope.rank();
  int place = lane;
  if constexpr (Sorted) {
    place = 0;
    GLASS_UNROLL
    for (int k = 0; k < N; ++k) {
      const T value = scope.broadcast(f.a[0], k);
      place += value < f.a[0] || (value == f.a[0] && k < lane);
    }
  }
  GLASS_UNROLL
  for (int bit = 1; bit < f.P; bit *= 2) {  // slot s becomes column s
    GLASS_UNROLL
    for (int s = 0; s < f.P; ++s) {
      if ((s & bit) != 0) continue;
      const T x = f.v[s], y = f.v[s + bit];
      f.v[s] = (lane & bit) != 0 ? y : x, f.v[s + bit] = (lane & bit) != 0 ? x : y;
    }
  }
  GLASS_UNROLL
  for (int j = 0; j < N; ++j) {
    const int to = Sorted ? scope.broadcast(place, j) : j;
    if (lane < N) v(lane, to) = fails ? not_a_number<T>() : f.v[j];
  }
  if (lane < N) w(place) = fails ? not_a_number<T>() : f.a[0];
}
// a <- V diag(max(w, least)) V^T, both triangles, exactly symmetric; all NaN if `fails`.
template <class S, class T, int N, class A>
GLASS_DEVICE void rebuild(S scope, const jacobi_fragment<T, N>& f, bool fails, T least, A a) {
  const int lane = scope.rank();
  const T value = fails ? not_a_number<T>() : f.a[0] < least ? least : f.a[0];
  T scaled[f.P];
  scope.sync();  // two lanes have read an element
  GLASS_UNROLL
  for (int s = 0; s < f.P; ++s) scaled[s] = f.v[s] * scope.shuffle(value, lane ^ s);
  GLASS_UNROLL
  for (int r = 0; r < f.P; ++r) {
    const int i = lane ^ r;
    T sum = 0;
    GLASS_UNROLL
    for (int s = 0; s < f.P; ++s) sum = fused(scaled[s], scope.shuffle(f.v[s ^ r], i), sum);
    if (i < N && lane <= i) a(i, lane) = a(lane, i) = sum;
  }
}
}  // namespace glass::detail
