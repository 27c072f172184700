// trtri<Fill, Diag>(scope, A)       A <- A^-1 for A triangular, in place, by Gauss-Jordan elimination that leaves out
//                                   what is zero. [GVL 3.4.1, Higham 14.2]
// data     A: N x N, any leading dimension and order; only the triangle that Fill names (lower, upper) is read and
//          written, with Diag::unit without its diagonal.
// lanes    every lane of the scope calls; ends synchronised unless Sync::no.
// zeros    a zero on the diagonal gives Inf or NaN, there is no info. NaN and Inf propagate. N = 0: nothing is touched.
// cost     N^3 / 3 flops; reads and writes N (N + 1) / 2. Two syncs a column.
#pragma once
#include <glass/factor/inv.cuh>
namespace glass {
namespace detail {
// One lower triangle, in the steps of inverse_in_place: an upper one is its transpose's.
template <Diag D, class S, class A>
struct triangle_in_place {
  using T = value_of<A>;
  S scope;
  A x;
  share mine;
  int n;
  T inverse = 1;
  GLASS_DEVICE triangle_in_place(S s, A a) : scope(s), x(a), mine(deal(s, a.rows(), a.rows())), n(a.rows()) {}
  GLASS_DEVICE T scaled(T v) const { return D == Diag::unit ? v : v * inverse; }
  GLASS_DEVICE void settle(int k) {
    each(scope, n, [&](int i) {
      if (i < k) x(k, i) = scaled(x(k, i));
      if (i > k) x(i, k) = -scaled(x(i, k));
      if (D == Diag::nonunit && i == k) x(k, k) = inverse;
    });
  }
  GLASS_DEVICE void search(int k) {
    if (k > 0 && k <= n) settle(k - 1);
    if (D == Diag::nonunit && k < n) inverse = reciprocal(x(k, k));
  }
  GLASS_DEVICE static constexpr bool moves(int) { return false; }
  GLASS_DEVICE static void swap(int) {}
  GLASS_DEVICE void update(int k) {
    for (int j = mine.col; j < k; j += mine.col_step) {
      const T u = x(k, j);
      for (int i = owned_from(mine.row, mine.row_step, k + 1); i < n; i += mine.row_step)
        x(i, j) = fused(-scaled(x(i, k)), u, x(i, j));
    }
  }
};
// Ends without a sync.
template <Diag D, class S, class A>
GLASS_DEVICE void invert_lower(S scope, A a) {
  triangle_in_place<D, S, A> work(scope, a);
  work.search(eliminate_together(scope, work));
}
}  // namespace detail

template <auto... Options, class S, class A, detail::when<is_view<A>> = 0>
GLASS_DEVICE void trtri(S scope, A a) {
  constexpr bool known = takes<types<Fill, Diag, Sync>, Options...>;
  constexpr bool square = agree(A::static_rows, A::static_cols);
  constexpr Fill fill = chosen<Fill::lower, 0, Options...>();
  constexpr Diag diag = chosen<Diag::nonunit, 0, Options...>();
  static_assert(known, "glass: trtri takes the options Fill, Diag and Sync, in any order.");
  static_assert(square, "glass: trtri: A is not square.");
  static_assert(A::writable, "glass: trtri writes A, but A is const.");
  static_assert(fill != Fill::full, "glass: trtri takes Fill::lower or Fill::upper.");
  if constexpr (known && square && A::writable && fill != Fill::full) {
    if constexpr (fill == Fill::lower)
      detail::invert_lower<diag>(scope, a);
    else
      detail::invert_lower<diag>(scope, a.transposed());
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_1(trtri, N, (just<T> * A), (as_matrix(A, N, N)))
}  // namespace glass
