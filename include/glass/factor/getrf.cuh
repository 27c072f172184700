// getrf(scope, A, piv) -> info     P A = L U, L unit lower triangular, by partial pivoting. [GVL 3.4.1]
// getrf_no_pivot(scope, A) -> info the same with P = I: for matrices that need no pivoting, diagonally dominant ones
// say. data     A: N x N, any leading dimension and order, overwritten by L (its unit diagonal not stored) and U.
//          piv: N integers, written: row k was swapped with row piv(k) >= k, for k = 0 ... N - 1 in this order
//          (LAPACK's ipiv, counted from 0).
// pivot    the largest |a(i, k)|, i >= k, compared exactly; of equal ones the lowest row; NaN never if there is a
// number. lanes    every lane of the scope calls; every lane receives info; ends synchronised unless Sync::no. info 0,
//                  or k in 1..N: the first pivot that is zero or NaN. The elimination goes on, without dividing by it.
//          N = 0: 0.
// bodies   loop      every scope and size: lanes own elements, in memory; two syncs a column (no pivoting: one)
//          fragment  constant N, tile and warp: lane r holds rows r, r + W, ... whole, which never move; the pivot is
//                    found by log2 W exchanges (lu.cuh)                             -> kernel notes, getrf and gesv
// cost     2 N^3 / 3 flops; reads and writes N^2.
#pragma once
#include <glass/core/faces.cuh>
#include <glass/factor/laswp.cuh>
#include <glass/factor/lu.cuh>
namespace glass {
namespace detail {
// The lanes that search a column: all of a thread, tile or warp; each warp of a block for itself, or, where its last
// warp may be short, each lane.
template <class S>
GLASS_DEVICE auto searchers(S scope) {
  if constexpr (can_shuffle<S>)
    return scope;
  else if constexpr (S::width > 0 && S::width % 32 == 0)
    return scope::warp{};
  else
    return scope::thread{};
}
// The first index in [first, end) of the largest |at(i)|; NaN only if there is nothing else. The same in every lane.
template <class T, class S, class At>
GLASS_DEVICE int largest_in_loop(S scope, int first, int end, At at) {
  auto size = pivot_order(T(0));
  size = -2;
  int index = end;
  for (int i = first + scope.rank(); i < end; i += scope.size()) {
    const auto its = pivot_order(at(i));
    index = its > size ? i : index;
    size = its > size ? its : size;
  }
  return best_of_lanes(scope, size, index);
}
// One lane: nothing to hide from others, rows move at once.
template <Pivot How, class A, class Keep>
GLASS_DEVICE int eliminate_alone(A a, Keep keep) {
  using T = value_of<A>;
  const int n = a.rows();
  int info = 0;
  for (int k = 0; k < n; ++k) {
    if constexpr (How == Pivot::partial) {
      const int p = largest_in_loop<T>(scope::thread{}, k, n, [&](int i) { return a(i, k); });
      keep(k, p);
      if (p != k)
        for (int j = 0; j < n; ++j) swap_in_column(a, k, p, j);
    }
    const T pivot = a(k, k);
    const bool good = absolute(pivot) > T(0);
    info = !good && info == 0 ? k + 1 : info;
    const T inverse = good ? reciprocal(pivot) : T(1);
    for (int i = k + 1; i < n; ++i) a(i, k) *= inverse;
    for (int j = k + 1; j < n; ++j) {
      const T u = a(k, j);
      for (int i = k + 1; i < n; ++i) a(i, j) = fused(-a(i, k), u, a(i, j));
    }
  }
  return info;
}
// Right-looking, in place. At step k all lanes read column k as it stood before its swap, so nobody writes it: what lay
// in row k is `top`, the pivot a value that each lane has. Its swap and scaling follow after the next sync, when the
// rows of step k + 1 move in all other columns. keep(k, p), in every lane: rows k and p were swapped. Ends without a
// sync.
template <Pivot How, class S, class A, class Keep>
GLASS_DEVICE int eliminate_in_loops(S scope, A a, Keep keep) {
  using T = value_of<A>;
  constexpr bool pivots = How == Pivot::partial;
  const int n = a.rows();
  const share mine = deal(scope, n, n);
  int info = 0, p = 0;
  T top = 0, pivot = 0, inverse = 0;
  for (int k = 0; k < n; ++k) {
    if (k > 0) scope.sync();
    const int before = p;
    p = k;
    if constexpr (pivots) {
      p = largest_in_loop<T>(searchers(scope), k, n, [&](int i) { return a(i, k); });
      keep(k, p);
    }
    const T next_top = a(k, k), next_pivot = a(p, k);
    if (k > 0) {
      each(scope, n - k + 1, [&](int r) {
        const int i = k - 1 + r;
        a(i, k - 1) = i == k - 1 ? pivot : (i == before ? top : a(i, k - 1)) * inverse;
      });
    }
    top = next_top;
    pivot = next_pivot;
    if constexpr (pivots) {
      if (p != k)
        each(scope, n, [&](int j) {
          if (j != k && j != k - 1) swap_in_column(a, k, p, j);
        });
      scope.sync();
      if (p != k && k > 0 && scope.rank() == 0) swap_in_column(a, k, p, k - 1);
    }
    const bool good = absolute(pivot) > T(0);
    info = !good && info == 0 ? k + 1 : info;
    inverse = good ? reciprocal(pivot) : T(1);
    for (int j = owned_from(mine.col, mine.col_step, k + 1); j < n; j += mine.col_step) {
      const T u = a(k, j);
      for (int i = owned_from(mine.row, mine.row_step, k + 1); i < n; i += mine.row_step)
        a(i, j) = fused(-((i == p ? top : a(i, k)) * inverse), u, a(i, j));
    }
  }
  return info;
}
template <Pivot How, class S, class A, class Keep>
GLASS_DEVICE int eliminate(S scope, A a, Keep keep) {
  if constexpr (S::width == 1)
    return eliminate_alone<How>(a, keep);
  else
    return eliminate_in_loops<How>(scope, a, keep);
}
// keep: swaps into piv, by one lane.
template <class S, class P>
GLASS_DEVICE auto keep_in(S scope, P piv) {
  return [scope, piv](int k, int p) {
    if (scope.rank() == 0) piv(k) = p;
  };
}
GLASS_DEVICE auto keep_nothing() {
  return [](int, int) {};
}
}  // namespace detail

template <auto... Options, class S, class A, class P, detail::when<is_view<A> && is_view<P>> = 0>
GLASS_DEVICE int getrf(S scope, A a, P piv) {
  constexpr bool known = takes<types<Body, Sync>, Options...>, whole = detail::same<value_of<P>, int>;
  constexpr bool fits = agree(A::static_rows, A::static_cols) && agree(A::static_rows, P::static_rows);
  static_assert(known, "glass: getrf takes the options Body and Sync, in any order.");
  static_assert(fits, "glass: getrf: the sizes do not fit: A is N x N, piv has N integers.");
  static_assert(whole, "glass: getrf: piv is a vector of int.");
  static_assert(A::writable && P::writable, "glass: getrf writes A and piv, but one of them is const.");
  int info = 0;
  if constexpr (known && fits && whole && A::writable && P::writable) {
    constexpr Body body = chosen<Body::automatic, 0, Options...>();
    constexpr bool fragments = detail::lu_fits_fragments<S, A>(0) && body != Body::loop;
    static_assert(
        fragments || body != Body::fragment,
        "glass: getrf<Body::fragment> needs a constant N <= 64 whose rows fit the registers of the scope, and "
        "a tile or warp scope.");
    if constexpr (fragments) {
      auto f = load(scope, a);
      lu_pivots<value_of<A>, A::static_rows, S::width> pivots;
      info = factor_lu(scope, f, pivots);
      scope.sync();
      store_lu(scope, f, pivots, a);
      store_swaps(scope, pivots, piv);
    } else {
      info = detail::eliminate<Pivot::partial>(scope, a, detail::keep_in(scope, piv));
    }
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}
template <auto... Options, class S, class A, detail::when<is_view<A>> = 0>
GLASS_DEVICE int getrf_no_pivot(S scope, A a) {
  constexpr bool known = takes<types<Body, Sync>, Options...>, fits = agree(A::static_rows, A::static_cols);
  static_assert(known, "glass: getrf_no_pivot takes the options Body and Sync, in any order.");
  static_assert(fits, "glass: getrf_no_pivot: A is not square.");
  static_assert(A::writable, "glass: getrf_no_pivot writes A, but A is const.");
  int info = 0;
  if constexpr (known && fits && A::writable) {
    constexpr Body body = chosen<Body::automatic, 0, Options...>();
    constexpr bool fragments = detail::lu_fits_fragments<S, A>(0) && body != Body::loop;
    static_assert(fragments || body != Body::fragment,
                  "glass: getrf_no_pivot<Body::fragment> needs a constant N <= 64 whose rows fit the registers of the "
                  "scope, and a tile or warp scope.");
    if constexpr (fragments) {
      auto f = load(scope, a);
      lu_pivots<value_of<A>, A::static_rows, S::width> pivots;
      info = factor_lu<Pivot::none>(scope, f, pivots);
      store(scope, f, a);
    } else {
      info = detail::eliminate<Pivot::none>(scope, a, detail::keep_nothing());
    }
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}
GLASS_FACES_1(getrf, N, (just<T> * A, int* piv), (as_matrix(A, N, N), as_vector(piv, N)))
GLASS_FACES_1(getrf_no_pivot, N, (just<T> * A), (as_matrix(A, N, N)))
}  // namespace glass
