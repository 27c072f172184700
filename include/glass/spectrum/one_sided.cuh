// The one-sided Jacobi method in memory, shared by the lanes of any scope: B, which begins as A, becomes A V with
// orthogonal columns, longest first. No A^T A is ever formed: small singular values keep their digits. Operations are
// in headers of their own. [GVL 8.6.3; Drmac and Veselic 2008]
#pragma once
#include <glass/reduce/extreme.cuh>
#include <glass/spectrum/parts.cuh>
namespace glass::detail {
// Columns whose square is smaller count as zero: they have a length, but no direction. (That of a column which depends
// on others is noise, and noise of noise. It ends here.)
template <class T>
inline constexpr T no_direction = T(0x1p-100);

// Lanes in teams, one for each of `count` pairs of columns as long as there are enough; a team's lanes share the rows.
struct team {
  int index, teams, row, rows;  // which team of how many, the first row of this lane and the step to its next one
};
template <class S>
GLASS_DEVICE team team_of(S scope, int count) {
  int along = 1;
  if constexpr (can_shuffle<S>)
    while (2 * along * count <= scope.size() && 2 * along <= scope.size()) along *= 2;
  return {scope.rank() / along, scope.size() / along, scope.rank() % along, along};
}
// The sum over a team, the same bits in all its lanes.
template <class S, class T>
GLASS_DEVICE T sum_of_team(S scope, team t, T x) {
  if constexpr (can_shuffle<S> && S::width > 1)
    for (int step = t.rows / 2; step > 0; step /= 2) x += scope.shuffle(x, scope.rank() ^ step);
  return x;
}
// The turn for columns with the squares pp and qq and the product pq, and whether they then change places.
template <class T>
struct column_turn {
  turn<T> by;
  bool turns, exchanges;
};
template <class T>
GLASS_DEVICE column_turn<T> column_turn_of(T pp, T qq, T pq, T tolerance) {
  const T p = square_root(greatest(pp, no_direction<T>)), q = square_root(greatest(qq, no_direction<T>));
  const bool turns = absolute(pq) > tolerance * p * q;
  const turn<T> by = turns ? turn_of(pp, qq, pq) : turn<T>{1, 0};
  return {by, turns, fused(by.t, pq, qq) > fused(-by.t, pq, pp)};
}
// B <- B J and V <- V J for turns J of two columns, in sweeps until none turned and none changed places; false if
// 60 were not enough: none needed more than 33 for N <= 32. b and v must be synchronised; ends synchronised.
template <class S, class B, class V>
GLASS_DEVICE bool make_orthogonal(S scope, B b, V v) {
  using T = value_of<B>;
  const int m = b.rows(), n = b.cols(), pairs = n / 2;
  const team mine = team_of(scope, pairs);
  const T tolerance = rounding<T> * greatest(T(1), T(0.5) * square_root(T(m)));
  bool moved = n > 1;
  for (int sweep = 0; moved && sweep < 60; ++sweep) {
    bool here = false;
    for (int round = 0; round < rounds_of(n); ++round) {
      for (int first = 0; first < pairs; first += mine.teams) {  // once, if teams have several lanes: all shuffle
        const int k = first + mine.index;
        const index_pair c = k < pairs ? pair_in_round(n, round, k) : index_pair{0, 0};
        T pp = 0, qq = 0, pq = 0;
        for (int i = k < pairs ? mine.row : m; i < m; i += mine.rows) {
          const T x = b(i, c.low), y = b(i, c.high);
          pp = fused(x, x, pp), qq = fused(y, y, qq), pq = fused(x, y, pq);
        }
        pp = sum_of_team(scope, mine, pp), qq = sum_of_team(scope, mine, qq), pq = sum_of_team(scope, mine, pq);
        const column_turn<T> to = column_turn_of(pp, qq, pq, tolerance);
        if (k >= pairs || !(to.turns || to.exchanges)) continue;
        here = true;
        const auto move = [&](T& x, T& y) {
          T u = x, w = y;
          to.by.apply(u, w);
          x = to.exchanges ? w : u, y = to.exchanges ? u : w;
        };
        for (int i = mine.row; i < m; i += mine.rows) move(b(i, c.low), b(i, c.high));
        for (int i = mine.row; i < n; i += mine.rows) move(v(i, c.low), v(i, c.high));
      }
      scope.sync();
    }
    moved = scope.any(here);
  }
  return !moved;
}
// B <- p A V, or p A^T V if `turned`, with orthogonal columns, longest first, and V orthogonal. Returns p, a power of
// two, or 0: A has NaN or Inf, or the sweeps were not enough. Ends synchronised.
template <class S, class A, class B, class V>
GLASS_DEVICE value_of<B> orthogonal_columns(S scope, A a, bool turned, B b, V v) {
  using T = value_of<B>;
  T most = 0;
  each(scope, a.rows(), a.cols(), [&](int i, int j) { most = larger_or_nan{}(most, absolute(a(i, j))); });
  most = scope.reduce(most, larger_or_nan{});
  if (!is_finite(most)) return 0;
  const T p = most > T(0) ? scale_of_columns(most) : T(1);
  each(scope, a.rows(), a.cols(), [&](int i, int j) { (turned ? b(j, i) : b(i, j)) = a(i, j) * p; });
  each(scope, v.rows(), v.cols(), [&](int i, int j) { v(i, j) = i == j ? T(1) : T(0); });
  scope.sync();
  return make_orthogonal(scope, b, v) ? p : T(0);
}
// The columns of b divided by their lengths, and found(c, length, directed) in one lane for each: the lengths come from
// the sums by which the columns were put in order. Columns without direction stay as they are. Ends without a sync.
template <class S, class B, class F>
GLASS_DEVICE void normalize_columns(S scope, B b, F found) {
  using T = value_of<B>;
  const int m = b.rows(), n = b.cols();
  const team mine = team_of(scope, n / 2);
  for (int first = 0; first < n; first += mine.teams) {
    const int c = first + mine.index;
    T square = 0;
    for (int i = c < n ? mine.row : m; i < m; i += mine.rows) square = fused(b(i, c), b(i, c), square);
    square = sum_of_team(scope, mine, square);
    if (c >= n) continue;
    const bool directed = square >= no_direction<T>;
    const T length = square_root(square), by = directed ? reciprocal(length) : T(1);
    if (mine.row == 0) found(c, length, directed);
    for (int i = mine.row; i < m; i += mine.rows) b(i, c) *= by;
  }
}
}  // namespace glass::detail
