// trsv<Fill, Trans, Diag>(scope, A, x)   x <- op(A)^-1 x, A triangular, op(A) = A or A^T. [GVL 3.1]
// data     A: N x N, any leading dimension and order; only the triangle that Fill names (lower, upper) is read, with
//          Diag::unit without its diagonal. x: N, the right-hand side, overwritten by the solution.
// lanes    every lane of the scope calls; ends synchronised unless Sync::no.
// zeros    a zero on the diagonal gives Inf or NaN, there is no info. NaN and Inf propagate. N = 0: nothing is touched.
// bodies   loop      every scope and size: lanes own entries of x, one sync a column
//          fragment  constant N <= 128, tile and warp with at most 8 rows a lane: lane r holds entries r, r + W, ... of
//                    x and fetches those rows of A in chunks of columns, one chunk ahead; reciprocals first, so that a
//                    step is multiply, shuffle, fma
//                                                                                         -> kernel notes, trsv
// cost     N^2 flops; reads N (N + 1) / 2 + N, writes N.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/fragment.cuh>
#include <glass/matrix/triangle.cuh>
namespace glass {
namespace detail {
// Solves T X = B in place for a triangular T; B has any number of columns. Lanes own entries of B. Every lane divides
// the entry whose turn it is for itself; the owner stores it when no lane needs the undivided one any more. Ends
// without a sync.
template <bool Lower, Diag D, class S, class T, class B>
GLASS_DEVICE void solve_in_loops(S scope, T t, B b) {
  const int n = t.rows();
  const share mine = deal(scope, n, b.cols());
  for (int step = 0; step + 1 < n; ++step) {
    const int k = Lower ? step : n - 1 - step;
    if (step > 0) scope.sync();
    const int first = Lower ? owned_from(mine.row, mine.row_step, k + 1) : mine.row, end = Lower ? n : k;
    for (int r = mine.col; r < b.cols(); r += mine.col_step) {
      const value_of<B> x = D == Diag::unit ? b(k, r) : b(k, r) / t(k, k);
      for (int i = first; i < end; i += mine.row_step) b(i, r) = fused(-t(i, k), x, b(i, r));
    }
  }
  if constexpr (D == Diag::nonunit) {
    scope.sync();
    for (int r = mine.col; r < b.cols(); r += mine.col_step)
      for (int i = mine.row; i < n; i += mine.row_step) b(i, r) /= t(i, i);
  }
}

// There are right-hand sides for half of the lanes: then a lane that owns whole ones is faster than lanes that meet at
// every column of T.
template <class S, class B>
GLASS_SCALAR constexpr bool owns_columns(S scope, B b) {
  return B::static_cols != 1 && 2 * b.cols() >= scope.size();
}
template <class S, class B>  // known when compiling
inline constexpr bool many_columns = S::width > 1 && B::static_cols > 1 && 2 * B::static_cols >= S::width;
// Solves T X = alpha B in memory. With whole columns a lane reads T and its own columns alone. Ends without a sync.
template <bool Lower, Diag D, class S, class T, class B>
GLASS_DEVICE void solve_in_memory(S scope, T t, B b, just<value_of<B>> alpha = 1) {
  if constexpr (B::static_cols != 1) {
    if (owns_columns(scope, b)) return solve_in_columns<Lower, D>(scope, alpha, t, b);
  }
  if (alpha != value_of<B>(1)) {
    each(scope, b.rows(), b.cols(), [&](int i, int j) { b(i, j) *= alpha; });
    scope.sync();
  }
  solve_in_loops<Lower, D>(scope, t, b);
}

// Columns of T that are fetched at a time: all where that is up to 64 registers, else as many as fit 128 twice.
template <class T, int N, int W>
GLASS_SCALAR constexpr int columns_at_a_time() {
  const int registers = (N + W - 1) / W * int(sizeof(T)) / 4;  // of a column
  const int most = power_of_two_from(64 / registers + 1) / 2;
  return N * registers <= 64 ? N : most < 32 ? most : 32;
}
// Solves T X = alpha B in place in registers, for any constant number of columns.
template <bool Lower, Diag D, int chunk, class S, class A, class B>
GLASS_DEVICE void solve_in_chunks(S scope, A t, B b, just<value_of<B>> alpha) {
  using T = value_of<B>;
  constexpr int N = A::static_rows, R = B::static_cols, W = S::width, items = (N + W - 1) / W;
  constexpr int chunks = (N + chunk - 1) / chunk;
  const lane_rows<S, A> rows(scope, t);
  T entry[R][items], inverse[items], column[2][chunk][items];
  const auto fetch = [&](T(&into)[chunk][items],
                         int c) {  // the columns of steps c chunk ...: what lies strictly inside the triangle
    GLASS_UNROLL
    for (int u = 0; u < chunk; ++u) {
      GLASS_UNROLL
      for (int q = 0; q < items; ++q) {
        const int step = c * chunk + u, k = Lower ? step : N - 1 - step, i = scope.rank() + q * W;
        if (Lower ? (q + 1) * W - 1 > k : q * W < k) {
          const bool inside = step < N && rows.holds(q) && (Lower ? q * W > k || i > k : i < k);
          into[u][q] = inside ? rows.at(q, k) : T(0);
        }
      }
    }
  };
  fetch(column[0], 0);
  GLASS_UNROLL
  for (int q = 0; q < items; ++q) {
    const int i = scope.rank() + q * W;
    GLASS_UNROLL
    for (int r = 0; r < R; ++r) entry[r][q] = i < N ? alpha * b(i, r) : T(0);
    inverse[q] = D == Diag::nonunit && i < N ? reciprocal(t(i, i)) : T(1);
  }
  GLASS_UNROLL
  for (int c = 0; c < chunks; ++c) {
    if (c + 1 < chunks) fetch(column[(c + 1) % 2], c + 1);
    GLASS_UNROLL
    for (int u = 0; u < chunk; ++u) {
      const int step = c * chunk + u, k = Lower ? step : N - 1 - step;
      if (step < N) {
        GLASS_UNROLL
        for (int r = 0; r < R; ++r) {
          const T known = scope.shuffle(entry[r][k / W] * inverse[k / W], k % W);
          GLASS_UNROLL
          for (int q = 0; q < items; ++q) {
            if (Lower ? (q + 1) * W - 1 > k : q * W < k) entry[r][q] = fused(-column[c % 2][u][q], known, entry[r][q]);
          }
        }
      }
    }
  }
  GLASS_UNROLL
  for (int q = 0; q < items; ++q) {
    const int i = scope.rank() + q * W;
    GLASS_UNROLL
    for (int r = 0; r < R; ++r) {
      if (i < N) b(i, r) = entry[r][q] * inverse[q];
    }
  }
}
template <class S, class A>
inline constexpr bool solves_in_fragments = can_shuffle<S>&& S::width > 1 && A::is_static&& A::static_rows > 0 &&
                                            A::static_rows <= 128 && A::static_rows <= 8 * S::width;
template <bool Lower, Diag D, class S, class A, class B>
GLASS_DEVICE void solve_in_fragments(S scope, A t, B b, just<value_of<B>> alpha = 1) {
  solve_in_chunks<Lower, D, columns_at_a_time<value_of<B>, A::static_rows, S::width>()>(scope, t, b, alpha);
}
}  // namespace detail

template <auto... Options, class S, class A, class X, detail::when<is_view<A> && is_view<X>> = 0>
GLASS_DEVICE void trsv(S scope, A a, X x) {
  constexpr bool known = takes<types<Fill, Trans, Diag, Body, Sync>, Options...>;
  constexpr bool fits = agree(A::static_rows, X::static_rows) && agree(A::static_rows, A::static_cols);
  static_assert(known, "glass: trsv takes the options Fill, Trans, Diag, Body and Sync, in any order.");
  static_assert(fits, "glass: trsv: the sizes do not fit: A is N x N, x has N numbers.");
  static_assert(X::writable, "glass: trsv writes x, but x is const.");
  if constexpr (known && fits && X::writable) {
    constexpr Fill fill = chosen<Fill::lower, 0, Options...>();
    constexpr Trans trans = chosen<Trans::no, 0, Options...>();
    constexpr Diag diag = chosen<Diag::nonunit, 0, Options...>();
    constexpr Body body = chosen<Body::automatic, 0, Options...>();
    constexpr bool lower = (fill == Fill::lower) == (trans == Trans::no);
    constexpr bool fragments = detail::solves_in_fragments<S, A> && body != Body::loop;
    static_assert(fill != Fill::full, "glass: trsv takes Fill::lower or Fill::upper.");
    static_assert(fragments || body != Body::fragment,
                  "glass: trsv<Body::fragment> needs a constant N <= 128 and a tile or warp of at least N / 8 lanes.");
    if constexpr (fragments)
      detail::solve_in_fragments<lower, diag>(scope, detail::op<trans>(a), x);
    else
      detail::solve_in_loops<lower, diag>(scope, detail::op<trans>(a), x);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_1(trsv, N, (const just<T>* A, just<T>* x), (as_matrix(A, N, N), as_vector(x, N)))
}  // namespace glass
