// inv<Pivot>(scope, A, X) -> info      X = A^-1, by Gauss-Jordan elimination in place of X. [GVL 3.4.1, Higham 14.4]
// inv_each<Pivot>(scope, A1, ..., AK)  each of 1 to 8 matrices of any sizes <- its inverse, with the barriers of the
//   -> infos: int at[K]                largest one only; the same bits as one by one. inv(scope, A, X) has two
//                                      matrices already: hence a name of its own.
// data     A: N x N, any leading dimension and order, read only; X: N x N, overwritten. X may be A itself (the same
//          pointer and layout), else they do not overlap.
// pivot    Pivot::partial (the default): the largest |a(i, k)|, i >= k, compared exactly; of equal ones the lowest row;
//          NaN never if there is a number. Pivot::none: row k.
// lanes    every lane of the scope calls; every lane receives info; ends synchronised unless Sync::no.
// info     0, or k in 1..N: the first pivot that is zero or NaN; then X is unspecified. N = 0: 0. Run-time sizes with
//          pivoting go up to 256: beyond, info is -1 and X holds A.
// bodies   loop      every scope and size: lanes own elements, in memory; two to three syncs a column
//          fragment  constant N <= 32, tile and warp: lane r holds rows r, r + W, ... whole, which never move (lu.cuh)
//                                                                                  -> kernel notes, getrf and gesv
//          rolled    the same numbers, in a loop over groups of four steps: a constant N, a multiple of 4, tile and warp;
//                    less code, and moves between registers
// cost     2 N^3 flops; reads and writes N^2.
#pragma once
#include <glass/factor/getrf.cuh>
#include <glass/factor/infos.cuh>
namespace glass {
// a <- what the elimination leaves: the row at place k of `pivots` is row k of A^-1, its column j is column
// pivots.row(j). store_inverse puts both in order. Rules as in factor_lu. Rows are divided by their pivots at the end:
// what is done to a row does not ask how long it is.
namespace detail {
// Step k of the elimination, whose column k is `column` of the fragment.
template <class S, class T, int N>
GLASS_DEVICE void eliminate_with(S scope, row_fragment<T, N, N, S::width>& a, const lu_pivots<T, N, S::width>& pivots,
                                 const pivot_choice<T>& chosen, int k, int column) {
  T multiplier[lu_pivots<T, N, S::width>::items];
  GLASS_UNROLL
  for (int q = 0; q < a.items; ++q) {
    const bool is_pivot = pivots.place[q] == k;
    multiplier[q] = is_pivot ? T(0) : -(a.v[q][column] * chosen.inverse);
    a.v[q][column] = is_pivot ? T(1) : multiplier[q];
  }
  GLASS_UNROLL
  for (int j = 0; j < N; ++j) {
    if (j != column) {
      const T u = from_row(scope, a, chosen.row, j);
      GLASS_UNROLL
      for (int q = 0; q < a.items; ++q) a.v[q][j] = fused(multiplier[q], u, a.v[q][j]);
    }
  }
}
template <class S, class T, int N>
GLASS_DEVICE void divide_by_pivots(S, row_fragment<T, N, N, S::width>& a, const lu_pivots<T, N, S::width>& pivots) {
  GLASS_UNROLL
  for (int j = 0; j < N; ++j) {
    GLASS_UNROLL
    for (int q = 0; q < a.items; ++q) a.v[q][j] *= pivots.inverse[q];
  }
}
}  // namespace detail
template <Pivot How = Pivot::partial, class S, class T, int N>
GLASS_DEVICE int invert(S scope, row_fragment<T, N, N, S::width>& a, lu_pivots<T, N, S::width>& pivots) {
  int info = 0;
  detail::begin_pivots(scope, pivots);
  GLASS_UNROLL
  for (int k = 0; k < N; ++k) {
    const auto chosen = detail::choose_pivot<How>(scope, a, pivots, k);
    info = (!chosen.good & (info == 0)) ? k + 1 : info;
    detail::eliminate_with(scope, a, pivots, chosen, k, k);
  }
  detail::divide_by_pivots(scope, a, pivots);
  return info;
}
namespace detail {
// The same numbers with a part of the code: a loop over groups of steps, after which the columns move on, so that those of
// the next group lie where those of the last one lay.
template <Pivot How, class S, class T, int N>
GLASS_DEVICE int invert_in_groups(S scope, row_fragment<T, N, N, S::width>& a, lu_pivots<T, N, S::width>& pivots) {
  constexpr int steps = lu_pivots<T, N, S::width>::items > 1 ? 2 : 4;
  static_assert(N % steps == 0);
  int info = 0;
  begin_pivots(scope, pivots);
  GLASS_UNROLL_BY(1)
  for (int first = 0; first < N; first += steps) {
    unsigned rows = 0;
    GLASS_UNROLL
    for (int u = 0; u < steps; ++u) {
      const auto chosen = find_pivot<How, false>(scope, a, pivots, first + u, u);
      info = (!chosen.good & (info == 0)) ? first + u + 1 : info;
      rows |= chosen.row << (8 * u);
      eliminate_with(scope, a, pivots, chosen, first + u, u);
    }
    GLASS_UNROLL
    for (int w = 0; w < N / 4 + 1; ++w) pivots.rows[w] |= w == first / 4 ? rows << (first % 4 * 8) : 0;
    GLASS_UNROLL
    for (int q = 0; q < a.items; ++q) {
      T last[steps];
      GLASS_UNROLL
      for (int u = 0; u < steps; ++u) last[u] = a.v[q][u];
      GLASS_UNROLL
      for (int j = 0; j + steps < N; ++j) a.v[q][j] = a.v[q][j + steps];
      GLASS_UNROLL
      for (int u = 0; u < steps; ++u) a.v[q][N - steps + u] = last[u];
    }
  }
  divide_by_pivots(scope, a, pivots);
  return info;
}
}  // namespace detail
// Rows of `to` are written by other lanes than those that loaded them: if it is A itself, sync before.
template <class S, class T, int N, class View>
GLASS_DEVICE void store_inverse(S scope, const row_fragment<T, N, N, S::width>& a,
                                const lu_pivots<T, N, S::width>& pivots, View to) {
  GLASS_UNROLL
  for (int j = 0; j < N; ++j) {
    GLASS_UNROLL
    for (int q = 0; q < a.items; ++q)
      if (scope.rank() + q * S::width < N) to(pivots.place[q], pivots.row(j)) = a.v[q][j];
  }
}
namespace detail {
// The swaps of one elimination, in every lane's own memory: column k of the inverse goes where row k came from.
template <Pivot How, int N>
struct swap_list {
  static constexpr int most = How == Pivot::none ? 0 : N >= 0 ? N : 256;
  GLASS_SCALAR static constexpr auto smallest() {
    if constexpr (most <= 256)
      return static_cast<unsigned char>(0);
    else
      return static_cast<unsigned short>(0);
  }
  using index = decltype(smallest());
  index row[most > 0 ? most : 1];
};
// Columns k and row(k) change places, k = n - 1 ... 0: an inverse of P A becomes that of A.
template <class S, class A, class Row>
GLASS_DEVICE void swap_columns_back(S scope, A x, Row row) {
  each(scope, x.rows(), [&](int i) {
    for (int k = x.cols() - 1; k >= 0; --k)
      if (const int other = row(k); other != k) swap_in_column(x.transposed(), k, other, i);
  });
}
// Gauss-Jordan elimination of one matrix in place, in steps that run_together puts syncs between. At step k row and
// column k are read by all lanes, so they get their own values after the next sync (settle).
template <Pivot How, class S, class A>
struct inverse_in_place {
  using T = value_of<A>;
  S scope;
  A x;
  share mine;
  int info = 0, n, p = 0;
  T inverse = 0;
  swap_list<How, A::static_rows> swaps;
  GLASS_DEVICE inverse_in_place(S s, A a) : scope(s), x(a), mine(deal(s, a.rows(), a.rows())), n(a.rows()) {
    if (How == Pivot::partial && A::static_rows < 0 && n > 256) info = -1;
  }
  GLASS_DEVICE bool works(int k) const { return k < n && info == 0; }
  GLASS_DEVICE void settle(int k) {
    each(scope, n, [&](int i) {
      x(i, k) = i == k ? inverse : -(x(i, k) * inverse);
      if (i != k) x(k, i) *= inverse;
    });
  }
  GLASS_DEVICE void search(int k) {  // and what is left of step k - 1
    if (k > 0 && works(k - 1)) settle(k - 1);
    if (!works(k)) return;
    p = k;
    if constexpr (How == Pivot::partial) {
      p = largest_in_loop<T>(searchers(scope), k, n, [&](int i) { return x(i, k); });
      swaps.row[k] = static_cast<typename decltype(swaps)::index>(p);
    }
    if (!(absolute(x(p, k)) > T(0)))
      info = k + 1;
    else
      inverse = reciprocal(x(p, k));
  }
  GLASS_DEVICE bool moves(int k) const { return How == Pivot::partial && works(k) && p != k; }
  GLASS_DEVICE void swap(int k) {
    if (moves(k)) each(scope, n, [&](int j) { swap_in_column(x, k, p, j); });
  }
  GLASS_DEVICE void update(int k) {
    if (!works(k)) return;
    for (int j = mine.col; j < n; j += mine.col_step) {
      if (j == k) continue;
      const T u = x(k, j);
      for (int i = mine.row; i < k; i += mine.row_step) x(i, j) = fused(-(x(i, k) * inverse), u, x(i, j));
      for (int i = owned_from(mine.row, mine.row_step, k + 1); i < n; i += mine.row_step)
        x(i, j) = fused(-(x(i, k) * inverse), u, x(i, j));
    }
  }
  GLASS_DEVICE void reorder() {
    if constexpr (How == Pivot::partial) {
      if (info == 0) swap_columns_back(scope, x, [&](int k) { return int(swaps.row[k]); });
    }
  }
};
// The steps of each work, and how many the longest one has: what its last one leaves, search(steps), is the caller's.
// Ends with a sync.
template <class S, class... Work>
GLASS_DEVICE int eliminate_together(S scope, Work&... work) {
  int steps = 0;
  ((steps = work.n > steps ? work.n : steps), ...);
  for (int k = 0; k < steps; ++k) {
    (work.search(k), ...);
    scope.sync();
    if ((false || ... || work.moves(k))) {
      (work.swap(k), ...);
      scope.sync();
    }
    (work.update(k), ...);
    scope.sync();
  }
  return steps;
}
// Ends without a sync.
template <class S, class... Work>
GLASS_DEVICE void run_together(S scope, Work&... work) {
  const int steps = eliminate_together(scope, work...);
  (work.search(steps), ...);
  scope.sync();
  (work.reorder(), ...);
}
template <Pivot How, bool Groups, class S, class A, class X>
GLASS_DEVICE int inv_in_fragments(S scope, A a, X x) {
  auto f = load(scope, a);
  lu_pivots<value_of<X>, A::static_rows, S::width> pivots;
  int info = 0;
  if constexpr (Groups)
    info = invert_in_groups<How>(scope, f, pivots);
  else
    info = invert<How>(scope, f, pivots);
  scope.sync();
  store_inverse(scope, f, pivots, x);
  return info;
}
template <class S, class A>
inline constexpr bool inv_fits_fragments = lu_fits_fragments<S, A>(0) && A::static_rows <= 32;
template <class S, class A>
inline constexpr bool inv_fits_groups = lu_fits_fragments<S, A>(0) && A::static_rows % 4 == 0;
}  // namespace detail

template <auto... Options, class S, class A, class X, detail::when<is_view<A> && is_view<X>> = 0>
GLASS_DEVICE int inv(S scope, A a, X x) {
  constexpr bool known = takes<types<Pivot, Body, Sync>, Options...>;
  constexpr bool fits = agree(A::static_rows, A::static_cols) && agree(A::static_rows, X::static_rows) &&
                        agree(X::static_rows, X::static_cols);
  constexpr Pivot pivot = chosen<Pivot::partial, 0, Options...>();
  static_assert(known, "glass: inv takes the options Pivot, Body and Sync, in any order.");
  static_assert(fits, "glass: inv: the sizes do not fit: A and X are N x N.");
  static_assert(X::writable, "glass: inv writes X, but X is const.");
  static_assert(pivot != Pivot::bunch_kaufman, "glass: inv takes Pivot::partial or Pivot::none.");
  int info = 0;
  if constexpr (known && fits && X::writable && pivot != Pivot::bunch_kaufman) {
    constexpr Body body = chosen<Body::automatic, 0, Options...>();
    constexpr bool groups = detail::inv_fits_groups<S, A> && body == Body::rolled;
    constexpr bool fragments = detail::inv_fits_fragments<S, A> && body != Body::loop && body != Body::rolled;
    static_assert(groups || body != Body::rolled,
                  "glass: inv<Body::rolled> needs a constant N, a multiple of 4, whose rows fit the registers of the "
                  "scope, and a tile or warp scope.");
    static_assert(
        fragments || body != Body::fragment,
        "glass: inv<Body::fragment> needs a constant N <= 32 whose rows fit the registers of the scope, and a "
        "tile or warp scope.");
    if constexpr (fragments || groups) {
      info = detail::inv_in_fragments<pivot, groups>(scope, a, x);
    } else {
      if (static_cast<const value_of<X>*>(x.data) != a.data) {
        each(scope, x.rows(), x.cols(), [&](int i, int j) { x(i, j) = a(i, j); });
        scope.sync();
      }
      detail::inverse_in_place<pivot, S, X> work(scope, x);
      detail::run_together(scope, work);
      info = work.info;
    }
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}
namespace detail {
template <Pivot How, class S, class... Work>
GLASS_DEVICE infos<int(sizeof...(Work))> invert_together(S scope, Work... work) {
  run_together(scope, work...);
  return {{work.info...}};
}
}  // namespace detail
template <auto... Options, class S, class... A, detail::when<(true && ... && is_view<A>)> = 0>
GLASS_DEVICE infos<int(sizeof...(A))> inv_each(S scope, A... a) {
  constexpr bool known = takes<types<Pivot, Sync>, Options...>, few = sizeof...(A) >= 1 && sizeof...(A) <= 8;
  constexpr bool square = (true && ... && agree(A::static_rows, A::static_cols));
  constexpr bool writes = (true && ... && A::writable);
  constexpr Pivot pivot = chosen<Pivot::partial, 0, Options...>();
  static_assert(known, "glass: inv_each takes the options Pivot and Sync, in any order.");
  static_assert(few, "glass: inv_each takes 1 to 8 matrices.");
  static_assert(square, "glass: inv_each: a matrix is not square.");
  static_assert(writes, "glass: inv_each writes its matrices, but one of them is const.");
  static_assert(pivot != Pivot::bunch_kaufman, "glass: inv_each takes Pivot::partial or Pivot::none.");
  infos<int(sizeof...(A))> info = {};
  if constexpr (known && few && square && writes && pivot != Pivot::bunch_kaufman) {
    if constexpr (can_shuffle<S>)  // no barriers to share
      info = {{inv<pivot, Sync::no>(scope, a, a)...}};
    else
      info = detail::invert_together<pivot>(scope, detail::inverse_in_place<pivot, S, A>(scope, a)...);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}
GLASS_EVERYWHERE(GLASS_FACE_EACH, inv_each)
GLASS_FACES_1(inv, N, (const just<T>* A, just<T>* X), (as_matrix(A, N, N), as_matrix(X, N, N)))
}  // namespace glass
