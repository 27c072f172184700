// getri(scope, LU, piv, X)         X <- A^-1 for the P A = L U and piv of getrf, as U^-1 L^-1 P. [GVL 3.4.3, Higham 14.3]
// data     LU: N x N, any leading dimension and order, piv: N integers; both read only. X: N x N, overwritten. X may be
//          LU itself (the same pointer and layout), else they do not overlap.
// lanes    every lane of the scope calls; ends synchronised unless Sync::no.
// zeros    a zero on U's diagonal gives Inf or NaN, there is no info. NaN and Inf propagate. N = 0: nothing is touched.
// cost     4 N^3 / 3 flops; reads N^2 + N, writes N^2. Three syncs a column.
#pragma once
#include <glass/factor/trtri.cuh>
namespace glass {
namespace detail {
// X <- U L, U its upper triangle, L its lower one with ones on the diagonal. Row and column m are final as soon as they
// are written, for what lies behind them reads neither; but entry (m, m) is read by its row, and lane 0 keeps it until
// the next step. Ends with a sync.
template <class S, class X>
GLASS_DEVICE void multiply_triangles(S scope, X x) {
  using T = value_of<X>;
  const int n = x.rows();
  T corner = 0;
  for (int m = 0; m < n; ++m) {
    if (m > 0 && scope.rank() == 0) x(m - 1, m - 1) = corner;
    each(scope, 2 * m + 1, [&](int e) {
      const int i = e == 0 || e > m ? (e == 0 ? m : e - m - 1) : m, j = e == 0 || e > m ? m : e - 1;
      T sum = i > j ? x(i, m) * x(m, j) : x(i, m);
      for (int k = m + 1; k < n; ++k) sum = fused(x(i, k), x(k, j), sum);
      (e == 0 ? corner : x(i, j)) = sum;
    });
    scope.sync();
  }
}
}  // namespace detail

template <auto... Options, class S, class A, class P, class X, detail::when<is_view<A> && is_view<P> && is_view<X>> = 0>
GLASS_DEVICE void getri(S scope, A lu, P piv, X x) {
  constexpr bool known = takes<types<Sync>, Options...>, whole = detail::same<value_of<P>, int>;
  constexpr bool fits = agree(A::static_rows, A::static_cols) && agree(A::static_rows, P::static_rows) &&
                        agree(A::static_rows, X::static_rows) && agree(X::static_rows, X::static_cols);
  static_assert(known, "glass: getri takes the option Sync.");
  static_assert(fits, "glass: getri: the sizes do not fit: LU and X are N x N, piv has N integers.");
  static_assert(whole, "glass: getri: piv is a vector of int.");
  static_assert(X::writable, "glass: getri writes X, but X is const.");
  if constexpr (known && fits && whole && X::writable) {
    if (static_cast<const value_of<X>*>(x.data) != lu.data) {
      each(scope, x.rows(), x.cols(), [&](int i, int j) { x(i, j) = lu(i, j); });
      scope.sync();
    }
    detail::triangle_in_place<Diag::unit, S, X> lower(scope, x);
    detail::triangle_in_place<Diag::nonunit, S, detail::op_of<Trans::yes, X>> upper(scope, x.transposed());
    const int steps = detail::eliminate_together(scope, lower, upper);
    lower.search(steps), upper.search(steps);  // lane 0 writes what it alone reads first: no sync
    detail::multiply_triangles(scope, x);
    detail::swap_columns_back(scope, x, piv);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_1(getri, N, (const just<T>* LU, const int* piv, just<T>* X),
              (as_matrix(LU, N, N), as_vector(piv, N), as_matrix(X, N, N)))
}  // namespace glass
