// The two-sided Jacobi method for symmetric matrices in memory, shared by the lanes of any scope: rounds of independent
// rotations (a round-robin tournament of the indices), as many at once as there are pairs. Operations are in headers of
// their own.
#pragma once
#include <glass/spectrum/parts.cuh>
namespace glass::detail {
template <class W, class T = value_of<W>>
GLASS_DEVICE turn<T> turn_at(W turns, int k) {
  return {turns(2 * k), turns(2 * k + 1)};
}
// Columns p and q of v, for all pairs of the round, turn.
template <class S, class V, class W>
GLASS_DEVICE void turn_columns(S scope, V v, W turns, int round) {
  const int n = v.cols();
  const share mine = deal(scope, v.rows(), n / 2);
  for (int k = mine.col; k < n / 2; k += mine.col_step) {
    const index_pair c = pair_in_round(n, round, k);
    const auto by = turn_at(turns, k);
    for (int i = mine.row; i < v.rows(); i += mine.row_step) by.apply(v(i, c.low), v(i, c.high));
  }
}
// a <- J^T a J for the rotations of a round, in the lower triangle: a lane takes the elements in which two pairs meet.
template <class S, class A, class W>
GLASS_DEVICE void turn_both_sides(S scope, A a, W turns, int round) {
  using T = value_of<A>;
  const int n = a.rows(), pairs = n / 2;
  const auto at = [&](int i, int j) -> T& { return i > j ? a(i, j) : a(j, i); };
  const share mine = deal(scope, pairs, pairs);
  for (int l = mine.col; l < pairs; l += mine.col_step) {
    const index_pair c = pair_in_round(n, round, l);
    const turn<T> by_column = turn_at(turns, l);
    for (int k = owned_from(mine.row, mine.row_step, l); k < pairs; k += mine.row_step) {
      if (k == l) {
        T& off = a(c.high, c.low);
        a(c.low, c.low) = fused(-by_column.t, off, a(c.low, c.low));
        a(c.high, c.high) = fused(by_column.t, off, a(c.high, c.high));
        off = by_column.t == T(0) ? off : T(0);
      } else {
        const index_pair r = pair_in_round(n, round, k);
        const turn<T> by_row = turn_at(turns, k);
        T &ll = at(r.low, c.low), &lh = at(r.low, c.high), &hl = at(r.high, c.low), &hh = at(r.high, c.high);
        T x = ll, y = lh, z = hl, w = hh;
        by_row.apply(x, z), by_row.apply(y, w);
        by_column.apply(x, y), by_column.apply(z, w);
        ll = x, lh = y, hl = z, hh = w;
      }
    }
  }
  if (n % 2 == 1) {
    each(scope, pairs, [&](int l) {
      const index_pair c = pair_in_round(n, round, l);
      turn_at(turns, l).apply(at(round, c.low), at(round, c.high));
    });
  }
}
// Sweeps until the matrix is diagonal: 21 of double, 15 of float were the most for N <= 64, where eigenvalues are equal.
inline constexpr int most_sweeps = 30;
// a: symmetric by its lower triangle, becomes (almost) diagonal; v: the orthogonal matrix of all rotations; turns: n
// numbers of scratch. An element below eps / 4 times the larger of its diagonal elements is left as it is: turning by
// whatever angle rounding makes of it would only cost orthogonality. Stops: ends after a sweep that had no other
// elements; false if `sweeps` were not enough for that. a must be synchronised; ends synchronised.
template <bool Stops, class S, class A, class V, class W>
GLASS_DEVICE bool diagonalize(S scope, A a, V v, W turns, int sweeps) {
  using T = value_of<A>;
  const int n = a.rows();
  each(scope, n, n, [&](int i, int j) { v(i, j) = i == j ? T(1) : T(0); });
  bool moved = n > 1;
  for (int sweep = 0; moved && sweep < sweeps; ++sweep) {
    bool large = false;
    for (int round = 0; round < rounds_of(n); ++round) {
      each(scope, n / 2, [&](int k) {
        const index_pair c = pair_in_round(n, round, k);
        const T low = a(c.low, c.low), high = a(c.high, c.high), off = a(c.high, c.low);
        const bool rotates = !(absolute(off) <= rounding<T> / 4 * greatest(absolute(low), absolute(high)));
        const turn<T> by = rotates ? turn_of(low, high, off) : turn<T>{1, 0};
        turns(2 * k) = by.c, turns(2 * k + 1) = by.t;
        large |= rotates;
      });
      scope.sync();
      turn_both_sides(scope, a, turns, round);
      turn_columns(scope, v, turns, round);
      scope.sync();
    }
    if constexpr (Stops) moved = scope.any(large);
  }
  return !moved;
}
// to: the lower triangle of `from`.
template <class S, class A, class B>
GLASS_DEVICE void copy_lower(S scope, A from, B to) {
  each(scope, from.rows(), from.cols(), [&](int i, int j) {
    if (i >= j) to(i, j) = from(i, j);
  });
}
// Whether the lower triangle has only finite numbers: the same in every lane.
template <class S, class A>
GLASS_DEVICE bool all_finite(S scope, A a) {
  bool bad = false;
  each(scope, a.rows(), a.cols(), [&](int i, int j) { bad |= i >= j && !is_finite(a(i, j)); });
  return !scope.any(bad);
}
// a <- V diag(max(w, least)) V^T, both triangles, exactly symmetric; NaN stays NaN. Ends without a sync.
template <class S, class A, class V, class W, class T>
GLASS_DEVICE void rebuild(S scope, V v, W w, T least, A a) {
  const int n = a.rows();
  each(scope, n, n, [&](int i, int j) {
    if (i < j) return;
    T sum = 0;
    for (int k = 0; k < n; ++k) {
      const T value = w(k) < least ? least : w(k);
      sum = fused(v(i, k) * value, v(j, k), sum);
    }
    a(i, j) = sum;
    if (i > j) a(j, i) = sum;
  });
}
template <class A, class W, class V>
GLASS_SCALAR constexpr bool eigen_fits() {
  return agree(A::static_rows, A::static_cols) && agree(V::static_rows, V::static_cols) &&
         agree(A::static_rows, V::static_rows) && agree(A::static_rows, W::static_rows) && W::static_cols == 1;
}
}  // namespace glass::detail
