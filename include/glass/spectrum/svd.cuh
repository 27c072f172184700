// svd(scope, A, U, S, V) -> info   A = U diag(S) V^T, thin, M >= N. [GVL 8.6.3; Drmac and Veselic 2008]
// data     A: M x N, any leading dimension and order, unchanged. U: M x N, V: N x N (V, not its transpose), their
//          columns orthonormal whatever the rank of A; S: N singular values, descending, >= 0. The outputs overlap
//          neither A nor each other. M < N: svd(scope, A.transposed(), V, S, U) of N x M.
// lanes    every lane of the scope calls; every lane receives info; ends synchronised unless Sync::no.
// info     0, or 1: A has NaN or Inf, or 60 sweeps were not enough; then U, S and V are NaN. N = 0: 0.
// method   one-sided Jacobi on the columns of A times a power of two, which are kept in the order of their lengths: N / 2
//          pairs at a time, each turned by a team of lanes; one sync a round, N - 1 or N rounds a sweep. 3 to 10 sweeps;
//          33 where the rows or the singular values of 32 x 32 numbers span 24 decades.
// values   singular values within 8 N eps of the largest; those of A = B D, D diagonal, within 8 N eps times the
//          condition number of B, of each itself, down to 2^-100 of the largest. A times a power of two gives S times
//          that power, and no square over- or underflows.
// cost     6 M N^2 + 3 N^3 flops a sweep; reads M N, writes M N + N^2 + N.
#pragma once
#include <glass/reduce/argument.cuh>
#include <glass/spectrum/one_sided.cuh>
namespace glass {
namespace detail {
// Columns `first`, ... of u become orthonormal to those before them: each begins as the axis that is farthest from
// them, and loses what it has along them, twice. Lanes own rows. u must be synchronised; ends without a sync.
template <class S, class U>
GLASS_DEVICE void complete_columns(S scope, U u, int first) {
  using T = value_of<U>;
  for (int j = first; j < u.cols(); ++j) {
    const auto x = u.column(j);
    each(scope, u.rows(), [&](int i) {
      T rest = 1;
      for (int c = 0; c < j; ++c) rest = fused(-u(i, c), u(i, c), rest);
      x(i) = rest;
    });
    const int axis = argument_of_largest(scope, x).index;
    each(scope, u.rows(), [&](int i) { x(i) = i == axis ? T(1) : T(0); });
    for (int pass = 0; pass < 2; ++pass)
      for (int c = 0; c <= j; ++c) {
        T along = 0;
        each(scope, u.rows(), [&](int i) { along = fused(u(i, c), x(i), along); });
        along = scope.sum(along);
        const T by = reciprocal(square_root(along));
        each(scope, u.rows(), [&](int i) { x(i) = c < j ? fused(-along, u(i, c), x(i)) : x(i) * by; });
      }
  }
}
}  // namespace detail
template <auto... Options, class S, class A, class U, class Sigma, class V,
          detail::when<is_view<A> && is_view<U> && is_view<Sigma> && is_view<V>> = 0>
GLASS_DEVICE int svd(S scope, A a, U u, Sigma sigma, V v) {
  using T = value_of<U>;
  constexpr int M = A::static_rows, N = A::static_cols;
  constexpr bool known = takes<types<Sync>, Options...>, writable = U::writable && Sigma::writable && V::writable;
  constexpr bool fits = agree(M, U::static_rows) && agree(N, U::static_cols) && agree(N, V::static_rows) &&
                        agree(N, V::static_cols) && agree(N, Sigma::static_rows) && Sigma::static_cols == 1;
  constexpr bool tall = M < 0 || N < 0 || M >= N;
  static_assert(known, "glass: svd takes the option Sync.");
  static_assert(fits, "glass: svd: the sizes do not fit: A and U are M x N, V is N x N, S has N numbers.");
  static_assert(tall, "glass: svd is for M >= N: write svd(scope, A.transposed(), V, S, U) for the others.");
  static_assert(writable, "glass: svd writes U, S and V, but one of them is const.");
  int info = 0;
  if constexpr (known && fits && tall && writable) {
    if (const T scale = detail::orthogonal_columns(scope, a, false, u, v); scale > T(0)) {
      int without = 0;  // columns that have no direction: the last ones
      detail::normalize_columns(scope, u, [&](int j, T length, bool directed) {
        sigma(j) = length * reciprocal(scale);
        without += !directed;
      });
      without = scope.sum(without);
      if (without > 0) {
        scope.sync();
        detail::complete_columns(scope, u, u.cols() - without);
      }
    } else {
      info = 1;
      detail::fill_with_nan(scope, u), detail::fill_with_nan(scope, sigma), detail::fill_with_nan(scope, v);
    }
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}
GLASS_FACES_2(svd, M, N, (const just<T>* A, just<T>* U, just<T>* S, just<T>* V),
              (as_matrix(A, M, N), as_matrix(U, M, N), as_vector(S, N), as_matrix(V, N, N)))
}  // namespace glass
