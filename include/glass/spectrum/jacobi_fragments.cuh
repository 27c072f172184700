// The two-sided Jacobi method for symmetric matrices of constant order N <= 32 with everything in registers, by the lanes
// of a tile or warp, at least as many as rows. Operations are in headers of their own.
//   layout    lane j holds column j of A and row j of V, in slots: which index a slot has is a round's affair, but pairs
//             of slots are known when compiled.
//   a round   both lanes of a pair form the same rotation from the same three numbers. Rows of A and columns of V turn
//             within a lane, by the rotations of other lanes; columns of A with the partner's. 2 N shuffles and no sync;
//             the loop in memory has two syncs and twice the traffic.
//   crossed   N a power of two: slot s is A(j ^ s, j) and V(j, j ^ s), and in round r the pairs are (j, j ^ r): what a
//             lane needs of its own lies in slots 0 and r. The rounds of a sweep are unrolled.
//   drawn     any other N <= 16: slot s is A(s, j) and V(j, s), pairs are those of a tournament (parts.cuh), and a lane
//             picks its own number from all slots. Padded to a power of two, N = 6 would take 7 rounds of 4 pairs
//             instead of 5 of 3.
//   stepped   16 < N <= 32, padded to 32: as crossed, but the rounds are one piece of code. r runs through 1 ... 31 as
//             the powers of a primitive M of GF(2)^5 applied to 1; slot s of round k is A(j ^ M^k s, j), so that pairs
//             are always (s, s ^ 1), and from round to round slots change places by M.
// Both triangles of A are held and drift apart by rounding; the angle is of the lower index's lane alone.
#pragma once
#include <glass/core/fragment.cuh>
#include <glass/spectrum/jacobi.cuh>
namespace glass::detail {
inline constexpr int most_jacobi_order = 32;
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
  return fits_jacobi_fragment<S, A>() && (asked == Body::fragment || asked == Body::automatic);
}
template <class T, int Order>
struct jacobi_fragment {
  static constexpr int N = Order, P = Order > 16 ? 32 : Order;  // slots
  static constexpr bool stepped = Order > 16, crossed = power_of_two_from(P) == P;
  T a[P], v[P], d;  // d: A(j, j); its slot of a is not looked at
  // Of a lane's slot s at the beginning and end of a sweep.
  GLASS_SCALAR static constexpr int index(int lane, int s) { return crossed ? lane ^ s : s; }
};
GLASS_SCALAR constexpr int highest_bit(int r) {
  int bit = 1;
  while (2 * bit <= r) bit *= 2;
  return bit;
}
// The rounds: the lane with which a lane turns (itself if with none), the slots of pair k, the lane whose index the lower
// of these has, and the slot of the partner's index (crossed and stepped).
struct crossed_round {
  static constexpr bool crossed = true;
  int r;
  GLASS_SCALAR constexpr int partner(int lane) const { return lane ^ r; }
  GLASS_SCALAR constexpr index_pair slots(int k) const {
    const int bit = highest_bit(r), s = (k & (bit - 1)) | (k & ~(bit - 1)) * 2;  // without `bit`
    return {s, s ^ r};
  }
  GLASS_SCALAR constexpr int source(int lane, int k) const { return lane ^ slots(k).low; }
  GLASS_SCALAR constexpr int own() const { return r; }
};
template <int N>
struct drawn_round {
  static constexpr bool crossed = false;
  int round;
  unsigned long long partners = 0xfedcba9876543210;  // four bits a lane; a constant when unrolled
  GLASS_SCALAR explicit constexpr drawn_round(int k) : round(k) {
    GLASS_UNROLL
    for (int pair = 0; pair < N / 2; ++pair) {
      const index_pair p = slots(pair);
      const unsigned long long both = static_cast<unsigned long long>(p.low ^ p.high);
      partners ^= both << 4 * p.low | both << 4 * p.high;
    }
  }
  GLASS_SCALAR constexpr int partner(int lane) const { return lane < 16 ? int(partners >> 4 * lane & 15) : lane; }
  GLASS_SCALAR constexpr index_pair slots(int k) const { return pair_in_round(N, round, k); }
  GLASS_SCALAR constexpr int source(int, int k) const { return slots(k).low; }
};
GLASS_SCALAR constexpr int step_in_field(int x) { return (x << 1 & 31) ^ (x & 16 ? 5 : 0); }  // by x of x^5 + x^2 + 1
struct stepped_round {
  static constexpr bool crossed = true;
  int power[5];  // M^k of 1, 2, 4, 8, 16
  GLASS_SCALAR constexpr stepped_round() : power{1, 2, 4, 8, 16} {}
  GLASS_SCALAR constexpr void next() {
    GLASS_UNROLL
    for (int b = 0; b < 4; ++b) power[b] = power[b + 1];
    power[4] = step_in_field(power[4]);
  }
  GLASS_SCALAR constexpr int partner(int lane) const { return lane ^ power[0]; }
  GLASS_SCALAR constexpr index_pair slots(int k) const { return {2 * k, 2 * k + 1}; }
  GLASS_SCALAR constexpr int source(int lane, int k) const {
    GLASS_UNROLL
    for (int b = 0; b < 4; ++b) lane ^= (k >> b & 1) != 0 ? power[b + 1] : 0;
    return lane;
  }
  GLASS_SCALAR constexpr int own() const { return 1; }
};
// Of the lower triangle of a, with V = I. finite: whether all its numbers are; a problem that is not is held as zeros.
template <class S, class A>
GLASS_DEVICE auto load_jacobi(S scope, A a, bool& finite) {
  using T = value_of<A>;
  jacobi_fragment<T, A::static_rows> f;
  const int lane = scope.rank();
  const bool here = lane < f.N;
  bool bad = false;
  f.d = here ? a(lane, lane) : T(0);
  GLASS_UNROLL
  for (int s = 0; s < f.P; ++s) {
    const int i = f.index(lane, s);
    f.a[s] = here && (f.P == f.N || i < f.N) ? T(i > lane ? a(i, lane) : a(lane, i)) : T(0);
    f.v[s] = T(i == lane ? 1 : 0);
    bad |= !is_finite(f.a[s]);
  }
  finite = !scope.any(bad);
  f.d = finite ? f.d : T(0);
  GLASS_UNROLL
  for (int s = 0; s < f.P; ++s) f.a[s] = finite ? f.a[s] : T(0);
  return f;
}
// A turn of two indices, what of off-diagonal it takes to the diagonal (low - t moved, high + t moved), and what it leaves.
template <class T>
struct rotation {
  T c, t, left, moved;
};
// As turn_of, without its divisions and branches: lanes stay together. |high - low| <= 2^26 |off|.
GLASS_DEVICE rotation<float> rotation_of(float low, float high, float off) {
  const auto root = [](float x) { return root_of(x, reciprocal_root_of_pivot(x)); };
  const float scale = scale_to_two(off), zeta = (0.5f * high - 0.5f * low) * scale * reciprocal_of_normal(off * scale);
  const float way = reciprocal_of_normal(magnitude(zeta) + root(fused(zeta, zeta, 1.0f))), t = zeta < 0 ? -way : way;
  const float square = t * t, sum = fused(t, t, 1.0f);
  return {fused(-square, reciprocal_of_normal(sum + root(sum)), 1.0f), t, 0, off};
}
// The root t of t^2 + 2 zeta t - 1 from the hardware's 20 bits and one Newton step: about 40 bits, and the 2^-40th that it
// leaves off the diagonal is told. Half the f64 instructions of turn_of. |high - low| <= 2^55 |off|.
GLASS_DEVICE rotation<double> rotation_of(double low, double high, double off) {
  const double half = fused(0.5, high, -0.5 * low), scale = scale_to_two(off), o = off * scale, h = half * scale;
  const double zeta = h * rough_reciprocal(o), s = fused(zeta, zeta, 1.0);
  const double first = rough_reciprocal(fused(s, rough_reciprocal_root(s), magnitude(zeta)));
  const double t0 = zeta < 0 ? -first : first, f0 = fused(o, fused(t0, 0.5 * t0, -0.5), h * t0);
  const double t = fused(-f0, rough_reciprocal(fused(o, t0, h)), t0);
  // 1 / sqrt(1 + t^2), rounded to nearest but for a thousandth: the square of 20 bits is exact. Columns that turn a
  // thousand times must not grow or shrink in every one.
  const double y = rough_reciprocal_root(fused(t, t, 1.0)), yy = y * y, e = fused(-yy * t, t, 1.0 - yy);
  const double c = fused(fused(e, 0.375, 0.5) * e, y, y);
  const double left = -c * c * fused(off, fused(t, t, -1.0), 2 * half * t);
  return {c, t, left, off + left};
}
// One round. True: a rotation of this lane was not the identity.
template <class S, class T, int N, class Round>
GLASS_DEVICE bool turn_in_round(S scope, jacobi_fragment<T, N>& f, Round round) {
  constexpr bool crossed = Round::crossed;
  const int lane = scope.rank(), other = round.partner(lane);
  const bool is_low = lane < other;
  T mine = f.a[0];
  if constexpr (crossed) {
    mine = f.a[round.own()];
  } else {
    GLASS_UNROLL
    for (int s = 1; s < N; ++s) mine = s == other ? f.a[s] : mine;
  }
  const T theirs = scope.shuffle(f.d, other), off = scope.shuffle(mine, is_low ? lane : other);
  const T low = is_low ? f.d : theirs, high = is_low ? theirs : f.d;
  const T small = rounding<T> / 4, size = magnitude(off);  // as in memory
  const bool rotates = (lane != other) & (size > small * magnitude(low)) & (size > small * magnitude(high));
  rotation<T> by = rotation_of(low, high, rotates ? off : T(1));  // no branch: lanes stay together
  by.c = rotates ? by.c : T(1), by.t = rotates ? by.t : T(0);
  by.left = rotates ? by.left : off, by.moved = rotates ? by.moved : T(0);
  const T c = by.c, t = is_low ? -by.t : by.t;  // of this lane: x <- c (x + t y), y the partner's
  f.d = fused(t, by.moved, f.d);
  GLASS_UNROLL
  for (int k = 0; k < f.P / 2; ++k) {
    const index_pair p = round.slots(k);
    const bool own = crossed && p.low == 0;  // the pair's own rotation; of A, d and `left` say it all
    const int from = round.source(lane, k);
    const T of_row = own ? c : scope.shuffle(c, from), by_row = own ? t : scope.shuffle(t, from);
    const T u = f.v[p.low], v = f.v[p.high];
    f.v[p.low] = of_row * fused(by_row, v, u), f.v[p.high] = of_row * fused(-by_row, u, v);
    if (own) {
      f.a[p.high] = by.left;
      continue;
    }
    const T x = fused(by_row, f.a[p.high], f.a[p.low]), y = fused(-by_row, f.a[p.low], f.a[p.high]), scale = of_row * c;
    const T across_x = scope.shuffle(crossed ? y : x, other), across_y = scope.shuffle(crossed ? x : y, other);
    f.a[p.low] = scale * fused(t, across_x, x), f.a[p.high] = scale * fused(t, across_y, y);
    if constexpr (!crossed) {
      f.a[p.low] = p.low == other ? by.left : f.a[p.low];
      f.a[p.high] = p.high == other ? by.left : f.a[p.high];
    }
  }
  if constexpr (!crossed && N % 2 == 1) {  // the index that has no opponent
    T& alone = f.a[round.round];
    alone = c * fused(t, scope.shuffle(alone, other), alone);
  }
  return rotates;
}
template <class S, class T, int N>
GLASS_DEVICE bool turn_in_sweep(S scope, jacobi_fragment<T, N>& f) {
  using fragment = jacobi_fragment<T, N>;
  bool large = false;
  if constexpr (fragment::stepped) {
    stepped_round round;
    GLASS_UNROLL_BY(1)
    for (int k = 1; k < f.P; ++k) {
      large |= turn_in_round(scope, f, round);
      round.next();
      const fragment last = f;
      GLASS_UNROLL
      for (int s = 1; s < f.P; ++s) f.a[s] = last.a[step_in_field(s)], f.v[s] = last.v[step_in_field(s)];
    }
  } else if constexpr (fragment::crossed) {
    GLASS_UNROLL
    for (int r = 1; r < N; ++r) large |= turn_in_round(scope, f, crossed_round{r});
  } else {
    GLASS_UNROLL
    for (int k = 0; k < rounds_of(N); ++k) large |= turn_in_round(scope, f, drawn_round<N>(k));
  }
  return large;
}
// As diagonalize in memory: false if `sweeps` were not enough.
template <bool Stops, class S, class T, int N>
GLASS_DEVICE bool diagonalize(S scope, jacobi_fragment<T, N>& f, int sweeps) {
  bool moved = N > 1, goes_on = N > 1;
  GLASS_UNROLL_BY(1)
  for (int sweep = 0; goes_on && sweep < sweeps; ++sweep) {
    const bool large = turn_in_sweep(scope, f);
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
      const T value = scope.broadcast(f.d, k);
      place += value < f.d || (value == f.d && k < lane);
    }
  }
  GLASS_UNROLL
  for (int bit = 1; f.crossed && bit < f.P; bit *= 2) {  // slot s becomes column s
    GLASS_UNROLL
    for (int s = 0; s < f.P; ++s) {
      if ((s & bit) != 0) continue;
      const T x = f.v[s], y = f.v[s | bit];
      f.v[s] = (lane & bit) != 0 ? y : x, f.v[s | bit] = (lane & bit) != 0 ? x : y;
    }
  }
  GLASS_UNROLL
  for (int j = 0; j < N; ++j) {
    const int to = Sorted ? scope.broadcast(place, j) : j;
    if (lane < N) v(lane, to) = fails ? not_a_number<T>() : f.v[j];
  }
  if (lane < N) w(place) = fails ? not_a_number<T>() : f.d;
}
// a <- V diag(max(w, least)) V^T, both triangles, exactly symmetric; all NaN if `fails`. N <= 16: unrolled.
template <class S, class T, int N, class A>
GLASS_DEVICE void rebuild(S scope, const jacobi_fragment<T, N>& f, bool fails, T least, A a) {
  using fragment = jacobi_fragment<T, N>;
  const int lane = scope.rank();
  const T value = fails ? not_a_number<T>() : f.d < least ? least : f.d;
  T scaled[N];
  GLASS_UNROLL
  for (int s = 0; s < N; ++s) scaled[s] = f.v[s] * scope.shuffle(value, f.index(lane, s));
  scope.sync();  // two lanes have read an element
  GLASS_UNROLL
  for (int r = 0; r < N; ++r) {
    const int i = f.index(lane, r);
    T sum = 0;
    GLASS_UNROLL
    for (int s = 0; s < N; ++s) sum = fused(scaled[s], scope.shuffle(f.v[fragment::crossed ? s ^ r : s], i), sum);
    if (lane <= i && lane < N) a(i, lane) = a(lane, i) = sum;
  }
}
}  // namespace glass::detail
