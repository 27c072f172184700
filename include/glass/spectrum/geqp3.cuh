// geqp3(scope, A, jpiv, tau)       A P = Q R with column pivoting: |R_kk| does not increase. [GVL 5.4.2]
// data     A: M x N, any leading dimension and order, overwritten by R and the reflections of Q as by geqrf. jpiv: N
//          integers, written: column k of A P is column jpiv(k) of A, counted from 0. tau: min(M, N) numbers, written.
// pivot    the column that is longest below row k, of equal ones the first; a column with NaN never if there is
//          another. Lengths are those of the columns as they are, computed anew in every step: they cannot go stale.
//          What is 2^-100 of the largest element or less counts as zero where columns are compared.
// lanes    every lane of the scope calls; ends synchronised unless Sync::no. Each lane reflects columns of its own and
//          measures them; two syncs a column.
// range    as geqrf: A times a power of two gives R times that power and the same P. NaN and Inf propagate.
// cost     3 M N^2 - N^3 flops (M >= N); reads and writes M N.
#pragma once
#include <glass/reduce/argument.cuh>
#include <glass/reduce/extreme.cuh>
#include <glass/spectrum/householder.cuh>
namespace glass {
namespace detail {
template <class S, class A, class P, class V>
GLASS_DEVICE void triangularize_pivoted(S scope, A a, P jpiv, V tau) {
  using T = value_of<A>;
  using candidate = index_value<T>;
  const int m = a.rows(), n = a.cols(), steps = m < n ? m : n;
  const better<true> op;
  T most = 0;
  each(scope, m, n, [&](int i, int j) { most = greatest(most, absolute(a(i, j))); });
  most = scope.reduce(most, larger{});
  const T scale = most > T(0) ? scale_of_columns(most) : T(1);
  candidate longest = {-1, T(-1)};  // of this lane's columns
  const auto measure = [&](int first, int j) {
    T sum = 0;
    for (int i = first; i < m; ++i) sum = fused(a(i, j) * scale, a(i, j) * scale, sum);
    if (sum == sum) longest = op(longest, candidate{j, sum});
  };
  each(scope, n, [&](int j) {
    jpiv(j) = j;
    measure(0, j);
  });
  reflection<T> before = {};
  const auto finish = [&](int k) {
    const auto x = a.column(k);
    each(scope, m - k, [&](int i) { x(k + i) = i == 0 ? before.beta : x(k + i) * before.scale; });
    if (scope.rank() == 0) tau(k) = before.tau;
  };
  for (int k = 0; k < steps; ++k) {
    const candidate found = scope.reduce(longest, op);
    const int p = found.index < 0 ? k : found.index;
    scope.sync();
    if (k > 0) finish(k - 1);
    if (p != k) {
      each(scope, m, [&](int i) {
        const T moved = a(i, k);
        a(i, k) = a(i, p), a(i, p) = moved;
      });
      if (scope.rank() == 0) {
        const int moved = jpiv(k);
        jpiv(k) = jpiv(p), jpiv(p) = moved;
      }
    }
    scope.sync();
    const auto x = a.column(k);
    before = reflection_of(scope, x, k);
    longest = {-1, T(-1)};
    each(scope, n - k - 1, [&](int j) {
      if (before.tau != T(0)) reflect(x, k, before.tau, before.scale, a.column(k + 1 + j));
      measure(k + 1, k + 1 + j);
    });
  }
  scope.sync();
  if (steps > 0) finish(steps - 1);
}
}  // namespace detail
template <auto... Options, class S, class A, class P, class V, detail::when<is_view<A> && is_view<P> && is_view<V>> = 0>
GLASS_DEVICE void geqp3(S scope, A a, P jpiv, V tau) {
  constexpr int shorter = detail::smaller_of(A::static_rows, A::static_cols);
  constexpr bool known = takes<types<Sync>, Options...>, writable = A::writable && P::writable && V::writable;
  constexpr bool fits = agree(shorter, V::static_rows) && V::static_cols == 1 &&
                        agree(A::static_cols, P::static_rows) && P::static_cols == 1;
  constexpr bool counts = detail::same<value_of<P>, int>;
  static_assert(known, "glass: geqp3 takes the option Sync.");
  static_assert(fits, "glass: geqp3: the sizes do not fit: A is M x N, jpiv has N integers, tau min(M, N) numbers.");
  static_assert(counts, "glass: geqp3: jpiv is a vector of int.");
  static_assert(writable, "glass: geqp3 writes A, jpiv and tau, but one of them is const.");
  if constexpr (known && fits && counts && writable) {
    detail::triangularize_pivoted(scope, a, jpiv, tau);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_2(geqp3, M, N, (just<T> * A, int* jpiv, just<T>* tau),
              (as_matrix(A, M, N), as_vector(jpiv, N), detail::shorter_vector(tau, M, N)))
}  // namespace glass
