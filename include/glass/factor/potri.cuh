// potri(scope, L, X)               X <- (L L^T)^-1, exactly symmetric: the inverse after potrf, as Y^T Y with
//                                  Y = L^-1. [Higham 14.3]
// data     L: N x N, any leading dimension and order; only the lower triangle is read. X: N x N, overwritten. X may be
//          L itself (the same pointer and layout), else they do not overlap.
// lanes    every lane of the scope calls; ends synchronised unless Sync::no.
// zeros    a zero on the diagonal gives Inf or NaN, there is no info. NaN and Inf propagate. N = 0: nothing is touched.
// cost     2 N^3 / 3 flops; reads N (N + 1) / 2, writes N^2. Two syncs a column.
#pragma once
#include <glass/factor/trtri.cuh>
namespace glass {
template <auto... Options, class S, class A, class X, detail::when<is_view<A> && is_view<X>> = 0>
GLASS_DEVICE void potri(S scope, A l, X x) {
  constexpr bool known = takes<types<Sync>, Options...>;
  constexpr bool fits = agree(A::static_rows, A::static_cols) && agree(A::static_rows, X::static_rows) &&
                        agree(X::static_rows, X::static_cols);
  static_assert(known, "glass: potri takes the option Sync.");
  static_assert(fits, "glass: potri: the sizes do not fit: L and X are N x N.");
  static_assert(X::writable, "glass: potri writes X, but X is const.");
  if constexpr (known && fits && X::writable) {
    using T = value_of<X>;
    const int n = x.rows();
    if (static_cast<const T*>(x.data) != l.data) {
      each(scope, n, n, [&](int i, int j) {
        if (i >= j) x(i, j) = l(i, j);
      });
      scope.sync();
    }
    detail::invert_lower<Diag::nonunit>(scope, x);
    scope.sync();
    each(scope, n, n, [&](int i, int j) {  // Y lies below, what is not on the diagonal goes above
      if (i >= j) return;
      T sum = 0;
      for (int k = j; k < n; ++k) sum = fused(x(k, i), x(k, j), sum);
      x(i, j) = sum;
    });
    scope.sync();
    each(scope, n, [&](int j) {
      T sum = 0;
      for (int k = j; k < n; ++k) {
        sum = fused(x(k, j), x(k, j), sum);
        if (k > j) x(k, j) = x(j, k);
      }
      x(j, j) = sum;
    });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_1(potri, N, (const just<T>* L, just<T>* X), (as_matrix(L, N, N), as_matrix(X, N, N)))
}  // namespace glass
