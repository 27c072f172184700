// pinv(scope, A, X, rtol, scratch) -> info   X = A^+, the pseudoinverse: V diag(1 / S) U^T of A = U diag(S) V^T, and 0 in
//                                  place of 1 / S(i) where S(i) <= rtol S(0). [GVL 5.5.2]
// data     A: M x N, M < N or not, any leading dimension and order, unchanged. X: N x M, does not overlap A.
//          rtol: max(M, N) eps, say; 0 and less: only what is below 2^-100 S(0) counts as zero.
// scratch  M N + K K + K numbers, K = min(M, N) (pinv_scratch_bytes), contents before and after unspecified.
// lanes    every lane of the scope calls, with the same rtol; every lane receives info; ends synchronised unless
//          Sync::no.
// info     0, or 1: A has NaN or Inf, or 60 sweeps were not enough; then X is NaN. M = 0 or N = 0: 0.
// method   the one-sided Jacobi method of svd, on A or its transpose: || X - A^+ || within 8 max(M, N) eps S(0) / s of
//          || A^+ ||, s the least singular value that counts.
// cost     6 M N K + 3 K^3 flops a sweep and 2 M N K; reads and writes M N.
#pragma once
#include <glass/spectrum/one_sided.cuh>
namespace glass {
namespace detail {
GLASS_SCALAR constexpr int pinv_scratch(int m, int n) {
  return m < 0 || n < 0 ? -1 : m * n + smaller_of(m, n) * (smaller_of(m, n) + 1);
}
}  // namespace detail
template <class T, int M, int N, class S>
GLASS_SCALAR constexpr int pinv_scratch_bytes(S) {
  return detail::pinv_scratch(M, N) * int(sizeof(T));
}
template <auto... Options, class S, class A, class X, class W, detail::when<is_view<A> && is_view<X> && is_view<W>> = 0>
GLASS_DEVICE int pinv(S scope, A a, X x, just<value_of<X>> rtol, W scratch) {
  using T = value_of<X>;
  constexpr int M = A::static_rows, N = A::static_cols;
  constexpr int L = detail::larger_of(M, N), K = detail::smaller_of(M, N);
  constexpr bool known = takes<types<Sync>, Options...>, fits = agree(M, X::static_cols) && agree(N, X::static_rows);
  constexpr bool holds = detail::holds_scratch<W, T, detail::pinv_scratch(M, N)>();
  static_assert(known, "glass: pinv takes the option Sync.");
  static_assert(fits, "glass: pinv: the sizes do not fit: A is M x N, X is N x M.");
  static_assert(X::writable, "glass: pinv writes X, but X is const.");
  static_assert(holds, "glass: pinv: the scratch is a writable vector of M N + K K + K numbers, K = min(M, N).");
  int info = 0;
  if constexpr (known && fits && X::writable && holds) {
    const int m = a.rows(), n = a.cols();
    const bool wide = m < n;
    const int k = wide ? m : n, l = wide ? n : m;
    const auto b = detail::cut<L, K>(scratch.data, l, k);
    const auto v = detail::cut<K, K>(scratch.data + l * k, k, k);
    const auto s = detail::cut<K>(scratch.data + l * k + k * k, k);
    if (const T scale = detail::orthogonal_columns(scope, a, wide, b, v); scale > T(0)) {
      detail::normalize_columns(scope, b, [&](int c, T length, bool directed) { s(c) = directed ? length : T(0); });
      scope.sync();
      each(scope, k, [&](int c) {
        const T by = s(c) > T(0) && s(c) > rtol * s(0) ? scale * reciprocal(s(c)) : T(0);
        for (int i = 0; i < k; ++i) v(i, c) *= by;
      });
      scope.sync();
      each(scope, n, m, [&](int i, int j) {
        T sum = 0;
        for (int c = 0; c < k; ++c) sum = fused(v(wide ? j : i, c), b(wide ? i : j, c), sum);
        x(i, j) = sum;
      });
    } else {
      info = 1;
      detail::fill_with_nan(scope, x);
    }
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}
GLASS_FACES_2(pinv, M, N, (const just<T>* A, just<T>* X, just<T> rtol, just<T>* scratch),
              (as_matrix(A, M, N), as_matrix(X, N, M), rtol, detail::as_scratch(scratch)))
}  // namespace glass
