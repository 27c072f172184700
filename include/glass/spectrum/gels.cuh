// gels(scope, A, B, scratch) -> info   Least squares by Householder reflections, A of full rank. [GVL 5.3.2, 5.6.2]
//                                  M >= N: X minimises || A X - B ||_2, every column; M < N: A X = B, || X ||_2
//                                  minimal.
// data     A: M x N, any leading dimension and order, destroyed. B: max(M, N) x NRHS (or a vector): its first M rows
//          are read, its first N rows become X; M > N: the squares of the rows below sum to that of the residual.
// scratch  min(M, N) numbers (gels_scratch_bytes), contents before and after unspecified.
// lanes    every lane of the scope calls; every lane receives info; ends synchronised unless Sync::no.
// info     0, or k in 1..min(M, N): R_kk is zero or NaN; then B is unspecified. N = 0 or M = 0: 0.
// cost     2 M N^2 + 4 M N NRHS flops; reads M N + M NRHS, writes N NRHS.
#pragma once
#include <glass/factor/trsv.cuh>
#include <glass/spectrum/geqrf.cuh>
namespace glass {
template <class T, int M, int N, class S>
GLASS_SCALAR constexpr int gels_scratch_bytes(S) {
  return detail::smaller_of(M, N) * int(sizeof(T));
}
namespace detail {
// A matrix or a vector as a matrix of run-time sizes.
template <class T, auto N, auto Inc>
GLASS_DEVICE auto leading_rows(vector<T, N, Inc> x, int rows) {
  return matrix<T, dynamic, dynamic, dynamic, Order::col, Inc>(x.data, rows, 1, rows, x.inc());
}
template <class A>
GLASS_DEVICE auto leading_rows(A a, int rows) {
  return a.block(0, 0, rows, a.cols());
}
template <class S, class A, class B, class V>
GLASS_DEVICE int least_squares(S scope, A a, B b, V tau) {
  const int m = a.rows(), n = a.cols();
  if (m >= n) {
    const int info = triangularize(scope, a, tau, leading_rows(b, m));
    scope.sync();
    if (info == 0) solve_in_loops<false, Diag::nonunit>(scope, a.block(0, 0, n, n), leading_rows(b, n));
    return info;
  }
  const auto turned = a.transposed();
  // No sync between: of R only the last entry is still on its way, and the solve reads it after a sync of its own.
  const int info = triangularize(scope, turned, tau, no_columns_beside(turned));
  if (info == 0) {
    solve_in_loops<true, Diag::nonunit>(scope, turned.block(0, 0, m, m).transposed(), leading_rows(b, m));
    scope.sync();
    const auto x = leading_rows(b, n);
    each(scope, x.cols(), [&](int j) {
      for (int i = m; i < n; ++i) x(i, j) = 0;
    });
    reflect_columns<Trans::no>(scope, turned, tau, m, x);
  }
  return info;
}
}  // namespace detail
template <auto... Options, class S, class A, class B, class X, detail::when<is_view<A> && is_view<B> && is_view<X>> = 0>
GLASS_DEVICE int gels(S scope, A a, B b, X scratch) {
  using T = value_of<A>;
  constexpr int M = A::static_rows, N = A::static_cols;
  constexpr bool known = takes<types<Sync>, Options...>;
  constexpr bool fits = agree(M < 0 || N < 0 ? -1 : M < N ? N : M, B::static_rows);
  constexpr bool holds = detail::holds_scratch<X, T, detail::smaller_of(M, N)>();
  static_assert(known, "glass: gels takes the option Sync.");
  static_assert(fits, "glass: gels: the sizes do not fit: A is M x N, B has max(M, N) rows.");
  static_assert(A::writable && B::writable, "glass: gels writes A and B, but one of them is const.");
  static_assert(holds, "glass: gels: the scratch is a writable vector of min(M, N) numbers of A's type.");
  int info = 0;
  if constexpr (known && fits && A::writable && B::writable && holds) {
    const int count = a.rows() < a.cols() ? a.rows() : a.cols();
    info = detail::least_squares(scope, a, b, detail::cut<detail::smaller_of(M, N)>(scratch.data, count));
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}
namespace detail {
template <class T, int M, int N, int R>
GLASS_SCALAR constexpr auto longer_matrix(T* p, size_constant<M>, size_constant<N>, size_constant<R>) {
  return matrix<T, (M > N ? M : N), R>(p);
}
template <class T>
GLASS_SCALAR constexpr auto longer_matrix(T* p, size_now m, size_now n, size_now r) {
  return matrix<T, dynamic, dynamic>(p, m.n > n.n ? m.n : n.n, r.n);
}
}  // namespace detail
GLASS_FACES_3(gels, M, N, NRHS, (just<T> * A, just<T>* B, just<T>* scratch),
              (as_matrix(A, M, N), detail::longer_matrix(B, M, N, NRHS), detail::as_scratch(scratch)))
}  // namespace glass
