// ldlt(scope, A) -> {info, inertia}                            A = L D L^T for symmetric A, L unit lower, D diagonal.
// ldlt<Pivot::bunch_kaufman>(scope, A, piv) -> {info, inertia} P A P^T = L D L^T, D with blocks 1 x 1 and 2 x 2.
//                                                              [GVL 4.4.4, Bunch and Kaufman 1977]
// ldlt(scope, A[, piv], inertia) -> info                       the same; inertia: a vector of 3 integers.
// data     A: N x N, any leading dimension and order; the lower triangle is read and overwritten by L (its unit
//          diagonal not stored) and D, whose off-diagonal of a 2 x 2 block at k, k + 1 lies at A(k + 1, k), where L is
//          0. The strict upper triangle is not touched. piv: N integers, written.
// pivot    LAPACK's rule (sytf2), alpha = (1 + sqrt(17)) / 8; of equal candidates the lowest row, NaN never chosen.
//          Swaps move whole rows and columns, the finished columns of L too. piv(k) = p >= 0: a 1 x 1 block, rows k and
//          p were swapped; piv(k) = piv(k + 1) = -p - 1: a 2 x 2 block, rows k + 1 and p were. P is the product of the
//          swaps in order.
// lanes    every lane of the scope calls; every lane receives the result; ends synchronised unless Sync::no.
// info     0, or k in 1..N: the first pivot that is zero or NaN. The elimination goes on without that column, which is
//          left as it stands. N = 0: 0.
// inertia  how many eigenvalues are positive, negative and zero, by the signs of D: a 2 x 2 block of the pivoted form
//          is one of each sign. A NaN counts nowhere.
// bodies   one loop for every scope and size: lanes own elements of the lower triangle, in memory
// cost     N^3 / 3 flops; reads and writes N (N + 1) / 2.
#pragma once
#include <glass/core/faces.cuh>
#include <glass/factor/getrf.cuh>
namespace glass {
struct ldlt_result {
  int info;
  struct signs {
    int positive, negative, zero;
  } inertia;
};
namespace detail {
template <class T>
GLASS_DEVICE void count_sign(ldlt_result::signs& n, T d) {
  n.positive += d > T(0);
  n.negative += d < T(0);
  n.zero += d == T(0);
}
// Columns of L are written one step late, as in factor_in_loops (potrf.cuh): until then all lanes read them. Ends
// without a sync.
template <class S, class A>
GLASS_DEVICE ldlt_result ldlt_in_loops(S scope, A a) {
  using T = value_of<A>;
  const int n = a.rows();
  const share mine = deal(scope, n, n);
  ldlt_result result = {};
  T inverse = 0;  // of the last pivot; 1: leave its column
  for (int k = 0; k < n; ++k) {
    if (k > 0) {
      scope.sync();
      each(scope, n - k, [&](int i) { a(k + i, k - 1) *= inverse; });
    }
    const T d = a(k, k);
    const bool good = absolute(d) > T(0);
    if (!good && result.info == 0) result.info = k + 1;
    count_sign(result.inertia, d);
    inverse = good ? reciprocal(d) : T(1);
    if (good) {
      for (int j = owned_from(mine.col, mine.col_step, k + 1); j < n; j += mine.col_step) {
        const T multiplier = a(j, k) * inverse;
        for (int i = owned_from(mine.row, mine.row_step, j); i < n; i += mine.row_step)
          a(i, j) = fused(-a(i, k), multiplier, a(i, j));
      }
    }
  }
  return result;
}
// The inverse of a 2 x 2 block [d11 d21; d21 d22] as LAPACK forms it: without overflow, d21 being its largest entry.
template <class T>
struct inverse_block {
  T d11, d22, scale;
  GLASS_DEVICE inverse_block(T a11, T a21, T a22) {
    d11 = a22 / a21;
    d22 = a11 / a21;
    scale = T(1) / (d11 * d22 - T(1)) / a21;
  }
  // (x, y) <- the block's inverse times (x, y).
  GLASS_DEVICE void apply(T& x, T& y) const {
    const T first = scale * fused(d11, x, -y), second = scale * fused(d22, y, -x);
    x = first;
    y = second;
  }
};
template <class A>
GLASS_DEVICE auto lower_entry(A a, int i, int j) {
  return i > j ? a(i, j) : a(j, i);
}
// Which block comes next and which row it swaps in: LAPACK's choice.
struct block_choice {
  int row, size;    // size 0: neither pivot nor column, leave it
  bool looked_far;  // at more than column k
};
template <class S, class A>
GLASS_DEVICE block_choice choose_block(S scope, A a, int k) {
  using T = value_of<A>;
  const T alpha = T(0.6403882032022076);  // (1 + sqrt(17)) / 8
  const int n = a.rows();
  const T own = absolute(a(k, k));
  T column = 0;
  int largest = k;
  if (k + 1 < n) {
    largest = largest_in_loop<T>(searchers(scope), k + 1, n, [&](int i) { return a(i, k); });
    column = pivot_size(a(largest, k));
  }
  if (own != own || !(greatest(own, column) > T(0))) return {k, 0, false};
  if (own >= alpha * column) return {k, 1, false};
  // |a(largest, k)| is the largest below the diagonal: what else does its row hold?
  const auto of_row = [&](int j) { return j == largest ? T(0) : lower_entry(a, largest, j); };
  const int other = largest_in_loop<T>(searchers(scope), k, n, of_row);
  const T row = pivot_size(of_row(other));
  if (own >= alpha * column * (column / row)) return {k, 1, true};
  if (absolute(a(largest, largest)) >= alpha * row) return {largest, 1, true};
  return {largest, 2, true};
}
// Rows and columns p and q > p of a symmetric matrix of which columns before k are finished and hold L; in a 2 x 2
// block q = k + 1 ... Each lane swaps pairs of its own.
template <class S, class A>
GLASS_DEVICE void swap_symmetric(S scope, A a, int p, int q) {
  const auto exchange = [&](int i, int j, int u, int v) {
    const value_of<A> x = a(i, j);
    a(i, j) = a(u, v);
    a(u, v) = x;
  };
  each(scope, a.rows(), [&](int i) {
    if (i < p)
      exchange(p, i, q, i);  // finished columns, and in a 2 x 2 block column k
    else if (i == p)
      exchange(p, p, q, q);
    else if (i < q)
      exchange(i, p, q, i);
    else if (i > q)
      exchange(i, p, i, q);
  });
}
template <class S, class A, class P>
GLASS_DEVICE ldlt_result bunch_kaufman_in_loops(S scope, A a, P piv) {
  using T = value_of<A>;
  const int n = a.rows();
  const share mine = deal(scope, n, n);
  ldlt_result result = {};
  int size = 0;
  for (int k = 0; k<n; k += size> 0 ? size : 1) {
    const block_choice next = choose_block(scope, a, k);
    size = next.size;
    if (size == 0) {
      if (result.info == 0) result.info = k + 1;
      count_sign(result.inertia, a(k, k));
      if (scope.rank() == 0) piv(k) = k;
      continue;
    }
    const int to = k + size - 1;
    if (scope.rank() == 0) {
      piv(k) = size == 1 ? next.row : -next.row - 1;
      if (size == 2) piv(k + 1) = -next.row - 1;
    }
    if (next.looked_far) scope.sync();
    if (next.row != to) {
      swap_symmetric(scope, a, to, next.row);
      scope.sync();
    }
    if (size == 1) {
      const T d = a(k, k), inverse = reciprocal(d);
      count_sign(result.inertia, d);
      for (int j = owned_from(mine.col, mine.col_step, k + 1); j < n; j += mine.col_step) {
        const T multiplier = a(j, k) * inverse;
        for (int i = owned_from(mine.row, mine.row_step, j); i < n; i += mine.row_step)
          a(i, j) = fused(-a(i, k), multiplier, a(i, j));
      }
      if (k + 1 < n) {
        scope.sync();
        each(scope, n - k - 1, [&](int r) { a(k + 1 + r, k) *= inverse; });
      }
    } else {
      ++result.inertia.positive;
      ++result.inertia.negative;
      const inverse_block<T> inverse(a(k, k), a(k + 1, k), a(k + 1, k + 1));
      for (int j = owned_from(mine.col, mine.col_step, k + 2); j < n; j += mine.col_step) {
        T first = a(j, k), second = a(j, k + 1);
        inverse.apply(first, second);
        for (int i = owned_from(mine.row, mine.row_step, j); i < n; i += mine.row_step)
          a(i, j) = fused(-a(i, k + 1), second, fused(-a(i, k), first, a(i, j)));
      }
      if (k + 2 < n) {
        scope.sync();
        each(scope, n - k - 2, [&](int r) { inverse.apply(a(k + 2 + r, k), a(k + 2 + r, k + 1)); });
      }
    }
  }
  return result;
}
// Ends without a sync.
template <auto... Options, class S, class A, class P>
GLASS_DEVICE ldlt_result ldlt_of(S scope, A a, P piv) {
  constexpr bool known = takes<types<Pivot, Sync>, Options...>, fits = agree(A::static_rows, A::static_cols);
  constexpr Pivot pivot = chosen<Pivot::none, 0, Options...>();
  constexpr bool whole = same<value_of<P>, int> && P::writable;
  static_assert(known, "glass: ldlt takes the options Pivot and Sync, in any order.");
  static_assert(pivot != Pivot::partial, "glass: ldlt takes Pivot::none or Pivot::bunch_kaufman.");
  static_assert(fits, "glass: ldlt: A is not square.");
  static_assert(A::writable, "glass: ldlt writes A, but A is const.");
  static_assert(whole, "glass: ldlt: piv and inertia are vectors of int, which it writes.");
  ldlt_result result = {};
  if constexpr (known && fits && whole && A::writable && pivot != Pivot::partial) {
    if constexpr (pivot == Pivot::none)
      result = ldlt_in_loops(scope, a);
    else
      result = bunch_kaufman_in_loops(scope, a, piv);
  }
  return result;
}
template <class S, class V>
GLASS_DEVICE void put_inertia(S scope, ldlt_result r, V to) {
  if (scope.rank() == 0) {
    to(0) = r.inertia.positive;
    to(1) = r.inertia.negative;
    to(2) = r.inertia.zero;
  }
}
}  // namespace detail

template <auto... Options, class S, class A, detail::when<is_view<A>> = 0>
GLASS_DEVICE ldlt_result ldlt(S scope, A a) {
  static_assert(chosen<Pivot::none, 0, Options...>() == Pivot::none, "glass: ldlt<Pivot::bunch_kaufman> writes piv.");
  const ldlt_result result = detail::ldlt_of<Options...>(scope, a, vector<int, 1>(nullptr));
  if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  return result;
}
// Pivot::bunch_kaufman: v is piv. Pivot::none: v is inertia.
template <auto... Options, class S, class A, class V, detail::when<is_view<A> && is_view<V>> = 0>
GLASS_DEVICE auto ldlt(S scope, A a, V v) {
  const ldlt_result result = detail::ldlt_of<Options...>(scope, a, v);
  constexpr bool pivoted = chosen<Pivot::none, 0, Options...>() != Pivot::none;
  if constexpr (!pivoted) detail::put_inertia(scope, result, v);
  if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  if constexpr (pivoted)
    return result;
  else
    return result.info;
}
template <auto... Options, class S, class A, class P, class V, detail::when<is_view<A> && is_view<P> && is_view<V>> = 0>
GLASS_DEVICE int ldlt(S scope, A a, P piv, V inertia) {
  static_assert(chosen<Pivot::none, 0, Options...>() != Pivot::none,
                "glass: ldlt writes piv for Pivot::bunch_kaufman.");
  const ldlt_result result = detail::ldlt_of<Options...>(scope, a, piv);
  detail::put_inertia(scope, result, inertia);
  if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  return result.info;
}
GLASS_FACES_1(ldlt, N, (just<T> * A), (as_matrix(A, N, N)))
GLASS_FACES_1(ldlt, N, (just<T> * A, int* piv), (as_matrix(A, N, N), as_vector(piv, N)))
}  // namespace glass
