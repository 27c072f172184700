// LU in registers: fragments that hold a matrix row by row, factored and solved without leaving the lanes. getrf, gesv
// and inv are made of these; a fused kernel calls them on fragments of its own, in a tile or warp scope:
//   auto a = load(scope, A);   auto b = load(scope, B);
//   lu_pivots<T, N, S::width> pivots;
//   const int info = factor_lu(scope, a, pivots);    // P A = L U, any number of right-hand sides later
//   solve_lu(scope, a, pivots, b);                   // b <- A^-1 b, row i again where row i was
// or, in one sweep: factor_lu(scope, a, pivots, b); backward_lu(scope, a, pivots, b).
// Rows never move while factoring: row i of A stays in lane i % W, item i / W, and `pivots` knows its place in P A.
// Rules as in getrf: the pivot is the largest |a|, compared exactly, of equal ones the first in the order of the swaps,
// NaN never if there is another; info is the first step without a pivot. N <= 255. [GVL 3.4.2]
//                                                                                  -> kernel notes, getrf and gesv
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/fragment.cuh>
namespace glass {
template <class T, int N, int W>
struct lu_pivots {
  static constexpr int items = N > 0 ? (N + W - 1) / W : 1;
  int place[items];          // of row lane + q W in P A
  T inverse[items];          // 1 / U(place, place); 1 where there was no pivot
  int swap[items];           // piv(lane + q W), as LAPACK has it: the row that this step swapped
  unsigned rows[N / 4 + 1];  // the row of A at place k, a byte each, the same in every lane
  GLASS_DEVICE int row(int k) const { return int(rows[k / 4] >> (k % 4 * 8) & 255u); }
};
namespace detail {
// The item of a lane's column that belongs to `row` of A, from the lane that holds it.
template <class S, class T, int items>
GLASS_DEVICE T from_row(S scope, const T (&item)[items], unsigned row) {
  T mine = item[0];
  GLASS_UNROLL
  for (int q = 1; q < items; ++q) mine = row / S::width == unsigned(q) ? item[q] : mine;
  return scope.shuffle(mine, int(row % S::width));
}
template <class S, class T, int M, int N>
GLASS_DEVICE T from_row(S scope, const row_fragment<T, M, N, S::width>& f, unsigned row, int column) {
  T item[row_fragment<T, M, N, S::width>::items > 0 ? row_fragment<T, M, N, S::width>::items : 1];
  GLASS_UNROLL
  for (int q = 0; q < f.items; ++q) item[q] = f.v[q][column];
  return from_row(scope, item, row);
}
// What a pivot is chosen by: NaN is below every number.
template <class T>
GLASS_DEVICE T pivot_size(T x) {
  const T size = absolute(x);
  return size == size ? size : T(-1);
}
// The same as an integer, for the sake of exchanges without branches: one size is larger if and only if its order is.
// -1 for NaN.
GLASS_DEVICE int pivot_order(float x) {
  const int size = bits_of(x) & 0x7fffffff;
  return size <= 0x7f800000 ? size : -1;
}
GLASS_DEVICE long long pivot_order(double x) {
  const long long size = bits_of(x) & 0x7fffffffffffffffll;
  return size <= 0x7ff0000000000000ll ? size : -1;
}
// The code that comes with the largest order of all lanes, of equal ones the lowest. Codes are not negative.
template <class S, class Order>
GLASS_DEVICE int best_of_lanes(S scope, Order order, int code) {
  if constexpr (S::width == 32) {  // some architectures have an instruction for the largest
    const int high = int(order >> (8 * sizeof(Order) - 32));
    const int most = scope.largest(high);
    bool best = high == most;
    if constexpr (sizeof(Order) == 8) {
      const int low = best ? int(unsigned(order) ^ 0x80000000u) : int(0x80000000u);
      best = best & (low == scope.largest(low));
    }
    return ~scope.largest(best ? ~code : int(0x80000000u));
  } else {
    GLASS_UNROLL
    for (int step = S::width / 2; step > 0; step /= 2) {
      const Order other = scope.shuffle(order, scope.rank() ^ step);
      const int its = scope.shuffle(code, scope.rank() ^ step);
      const bool take = (other > order) | ((other == order) & (its < code));
      order = take ? other : order;
      code = take ? its : code;
    }
    return code;
  }
}
// Step k of an elimination: finds the pivot row, notes it in `pivots` and gives its place to it.
template <class T>
struct pivot_choice {
  unsigned row;
  bool good;  // neither zero nor NaN
  T inverse;  // of the pivot; 1 if that is no good
};
// Column k of the matrix is `column` of the fragment. Noted: in `pivots`; else the caller notes the row.
template <Pivot How, bool Noted, class S, class T, int N>
GLASS_DEVICE pivot_choice<T> find_pivot(S scope, const row_fragment<T, N, N, S::width>& a,
                                        lu_pivots<T, N, S::width>& pivots, int k, int column) {
  constexpr int W = S::width;
  const int lane = scope.rank();
  int swapped = k;
  unsigned row = k;
  if constexpr (How == Pivot::partial) {
    auto order = pivot_order(T(0));
    int code = 0;  // the place where the row lies now, then the row
    GLASS_UNROLL
    for (int q = 0; q < a.items; ++q) {
      const bool left = (pivots.place[q] >= k) & (lane + q * W < N);
      const auto its = left ? pivot_order(a.v[q][column]) : decltype(order)(-2);
      const int name = pivots.place[q] * 256 + lane + q * W;
      const bool take = (q == 0) | (its > order) | ((its == order) & (name < code));
      order = take ? its : order;
      code = take ? name : code;
    }
    code = best_of_lanes(scope, order, code);
    swapped = int(unsigned(code) / 256);
    row = unsigned(code) % 256;
  }
  if constexpr (Noted) {
    pivots.rows[k / 4] |= row << (k % 4 * 8);
    pivots.swap[k / W] = lane == k % W ? swapped : pivots.swap[k / W];
  }
  const T pivot = from_row(scope, a, row, column);
  const bool good = (pivot < T(0)) | (pivot > T(0));
  const T inverse = reciprocal_of_pivot(good ? pivot : T(1));
  GLASS_UNROLL
  for (int q = 0; q < a.items; ++q) {
    const bool mine = unsigned(lane + q * W) == row;
    pivots.inverse[q] = mine ? inverse : pivots.inverse[q];
    pivots.place[q] = mine ? k : pivots.place[q] == k ? swapped : pivots.place[q];
  }
  return {row, good, inverse};
}
template <Pivot How, class S, class T, int N>
GLASS_DEVICE pivot_choice<T> choose_pivot(S scope, const row_fragment<T, N, N, S::width>& a,
                                          lu_pivots<T, N, S::width>& pivots, int k) {
  return find_pivot<How, true>(scope, a, pivots, k, k);
}
template <class S, class T, int N>
GLASS_DEVICE void begin_pivots(S scope, lu_pivots<T, N, S::width>& pivots) {
  static_assert(can_shuffle<S>, "glass: a fragment lives in a thread, tile or warp scope; a block has no shuffle.");
  static_assert(N <= 255, "glass: LU in registers is for N <= 255.");
  GLASS_UNROLL
  for (int q = 0; q < pivots.items; ++q) {
    pivots.place[q] = scope.rank() + q * S::width;
    pivots.inverse[q] = T(1);
    pivots.swap[q] = scope.rank() + q * S::width;
  }
  GLASS_UNROLL
  for (int w = 0; w < N / 4 + 1; ++w) pivots.rows[w] = 0;
}
}  // namespace detail

// P A = L U in a, and b <- L^-1 P b, its rows where they were. Pivot::none: P = I.
template <Pivot How = Pivot::partial, class S, class T, int N, int R>
GLASS_DEVICE int factor_lu(S scope, row_fragment<T, N, N, S::width>& a, lu_pivots<T, N, S::width>& pivots,
                           row_fragment<T, N, R, S::width>& b) {
  static_assert(How != Pivot::bunch_kaufman, "glass: factor_lu takes Pivot::partial or Pivot::none.");
  int info = 0;
  detail::begin_pivots(scope, pivots);
  GLASS_UNROLL
  for (int k = 0; k < N; ++k) {
    const auto chosen = detail::choose_pivot<How>(scope, a, pivots, k);
    info = (!chosen.good & (info == 0)) ? k + 1 : info;
    T multiplier[lu_pivots<T, N, S::width>::items];
    bool below[lu_pivots<T, N, S::width>::items];
    GLASS_UNROLL
    for (int q = 0; q < a.items; ++q) {
      below[q] = pivots.place[q] > k;
      multiplier[q] = a.v[q][k] * chosen.inverse;
      a.v[q][k] = below[q] ? multiplier[q] : a.v[q][k];
    }
    GLASS_UNROLL
    for (int j = k + 1; j < N; ++j) {
      const T u = detail::from_row(scope, a, chosen.row, j);
      GLASS_UNROLL
      for (int q = 0; q < a.items; ++q) fuse_where(below[q], -multiplier[q], u, a.v[q][j]);
    }
    GLASS_UNROLL
    for (int r = 0; r < R; ++r) {
      const T y = detail::from_row(scope, b, chosen.row, r);
      GLASS_UNROLL
      for (int q = 0; q < a.items; ++q) fuse_where(below[q], -multiplier[q], y, b.v[q][r]);
    }
  }
  return info;
}
template <Pivot How = Pivot::partial, class S, class T, int N>
GLASS_DEVICE int factor_lu(S scope, row_fragment<T, N, N, S::width>& a, lu_pivots<T, N, S::width>& pivots) {
  row_fragment<T, N, 0, S::width> none = {};
  return factor_lu<How>(scope, a, pivots, none);
}
// b <- L^-1 P b, its rows where they were.
template <class S, class T, int N, int R>
GLASS_DEVICE void forward_lu(S scope, const row_fragment<T, N, N, S::width>& a, const lu_pivots<T, N, S::width>& pivots,
                             row_fragment<T, N, R, S::width>& b) {
  GLASS_UNROLL
  for (int k = 0; k + 1 < N; ++k) {
    GLASS_UNROLL
    for (int r = 0; r < R; ++r) {
      const T y = detail::from_row(scope, b, pivots.row(k), r);
      GLASS_UNROLL
      for (int q = 0; q < a.items; ++q) fuse_where(pivots.place[q] > k, -a.v[q][k], y, b.v[q][r]);
    }
  }
}
// b <- U^-1 b for what forward_lu or factor_lu left; row i of the solution ends in lane i % W, item i / W.
template <class S, class T, int N, int R>
GLASS_DEVICE void backward_lu(S scope, const row_fragment<T, N, N, S::width>& a,
                              const lu_pivots<T, N, S::width>& pivots, row_fragment<T, N, R, S::width>& b) {
  constexpr int W = S::width;
  row_fragment<T, N, R, W> x = {};
  GLASS_UNROLL
  for (int k = N - 1; k >= 0; --k) {
    GLASS_UNROLL
    for (int r = 0; r < R; ++r) {
      T item[lu_pivots<T, N, S::width>::items];
      GLASS_UNROLL
      for (int q = 0; q < a.items; ++q) item[q] = b.v[q][r] * pivots.inverse[q];
      const T known = detail::from_row(scope, item, pivots.row(k));
      x.v[k / W][r] = scope.rank() == k % W ? known : x.v[k / W][r];
      GLASS_UNROLL
      for (int q = 0; q < a.items; ++q) fuse_where(pivots.place[q] < k, -a.v[q][k], known, b.v[q][r]);
    }
  }
  b = x;
}
// b <- A^-1 b, for the a and pivots of factor_lu.
template <class S, class T, int N, int R>
GLASS_DEVICE void solve_lu(S scope, const row_fragment<T, N, N, S::width>& a, const lu_pivots<T, N, S::width>& pivots,
                           row_fragment<T, N, R, S::width>& b) {
  forward_lu(scope, a, pivots, b);
  backward_lu(scope, a, pivots, b);
}
// The factored matrix into a view, rows in the order of P A. The lanes that hold rows are not those that loaded what
// lies there: sync before.
template <class S, class T, int N, class View>
GLASS_DEVICE void store_lu(S scope, const row_fragment<T, N, N, S::width>& a, const lu_pivots<T, N, S::width>& pivots,
                           View to) {
  GLASS_UNROLL
  for (int q = 0; q < a.items; ++q) {
    if (scope.rank() + q * S::width < N) {
      GLASS_UNROLL
      for (int j = 0; j < N; ++j) to(pivots.place[q], j) = a.v[q][j];
    }
  }
}
// The swaps as LAPACK has them: piv(k) is the row that was swapped with row k, in this order.
template <class S, class T, int N, class View>
GLASS_DEVICE void store_swaps(S scope, const lu_pivots<T, N, S::width>& pivots, View piv) {
  GLASS_UNROLL
  for (int q = 0; q < pivots.items; ++q)
    if (scope.rank() + q * S::width < N) piv(scope.rank() + q * S::width) = pivots.swap[q];
}
namespace detail {
// Whole rows of a square matrix (words registers each) and some right-hand sides.
template <class S, class A>
GLASS_SCALAR constexpr bool lu_fits_fragments(int right_hand_sides) {
  if constexpr (can_shuffle<S> && S::width > 1 && A::is_static && A::static_rows > 0)
    return A::static_rows <= 64 && right_hand_sides >= 0 &&
           (A::static_rows + S::width - 1) / S::width * (A::static_rows + right_hand_sides) * int(sizeof(value_of<A>)) /
                   4 <=
               160;
  else
    return false;
}
}  // namespace detail
}  // namespace glass
