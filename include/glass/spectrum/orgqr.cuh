// orgqr(scope, A, tau)             A <- the first N columns of Q = H_0 H_1 ... H_(K-1), as geqrf leaves the reflections
//                                  below the diagonal of A. [GVL 5.1.6]
// ormqr<Side, Trans>(scope, A, tau, C)   C <- op(Q) C (Side::left, M rows) or C op(Q) (right, N columns), op(Q) = Q or
//                                  Q^T, C: M x N.
// data     tau: K numbers, read only. orgqr: A is M x N, K <= N <= M, overwritten; only what is below the diagonal of
//          its first K columns is read. ormqr: A has M rows (right: N) and K columns or more, read only below the
//          diagonal; C is overwritten, it overlaps neither. Any leading dimension and order.
// lanes    every lane of the scope calls; each lane reflects columns (right: rows) of its own; ends synchronised unless
//          Sync::no.
// cost     orgqr: 4 M N K - 2 (M + N) K^2 flops, reads and writes M N. ormqr: 4 M N K - 2 N K^2 (right: M K^2) flops,
//          reads M K + M N, writes M N.
#pragma once
#include <glass/spectrum/householder.cuh>
namespace glass {
namespace detail {
// From the last reflection to the first, a lane on columns of its own; column k becomes the k-th column of Q when all
// lanes have read the reflection in it.
template <class S, class A, class V>
GLASS_DEVICE void form_q(S scope, A a, V tau) {
  using T = value_of<A>;
  const int m = a.rows(), n = a.cols(), count = tau.rows();
  each(scope, n - count, [&](int j) {
    for (int i = 0; i < m; ++i) a(i, count + j) = i == count + j ? T(1) : T(0);
  });
  for (int k = count - 1; k >= 0; --k) {
    if (k + 1 < n) scope.sync();
    const T t = tau(k);
    each(scope, n - k - 1, [&](int j) { reflect(a.column(k), k, t, T(1), a.column(k + 1 + j)); });
    scope.sync();
    each(scope, m, [&](int i) { a(i, k) = i < k ? T(0) : i == k ? T(1) - t : -t * a(i, k); });
  }
}
}  // namespace detail
template <auto... Options, class S, class A, class V, detail::when<is_view<A> && is_view<V>> = 0>
GLASS_DEVICE void orgqr(S scope, A a, V tau) {
  constexpr bool known = takes<types<Sync>, Options...>, writable = A::writable;
  constexpr bool fits = V::static_cols == 1 &&
                        (V::static_rows < 0 || A::static_cols < 0 || V::static_rows <= A::static_cols) &&
                        (A::static_rows < 0 || A::static_cols < 0 || A::static_cols <= A::static_rows);
  static_assert(known, "glass: orgqr takes the option Sync.");
  static_assert(fits, "glass: orgqr: the sizes do not fit: A is M x N, tau has K numbers, K <= N <= M.");
  static_assert(writable, "glass: orgqr writes A, but A is const.");
  if constexpr (known && fits && writable) {
    detail::form_q(scope, a, tau);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class A, class V, class C, detail::when<is_view<A> && is_view<V> && is_view<C>> = 0>
GLASS_DEVICE void ormqr(S scope, A a, V tau, C c) {
  constexpr bool known = takes<types<Side, Trans, Sync>, Options...>;
  constexpr Side side = chosen<Side::left, 0, Options...>();
  constexpr Trans trans = chosen<Trans::no, 0, Options...>();
  constexpr int order = side == Side::left ? C::static_rows : C::static_cols;
  constexpr bool fits = agree(A::static_rows, order) && V::static_cols == 1 &&
                        (V::static_rows < 0 || A::static_cols < 0 || V::static_rows <= A::static_cols) &&
                        (V::static_rows < 0 || order < 0 || V::static_rows <= order);
  static_assert(known, "glass: ormqr takes the options Side, Trans and Sync, in any order.");
  static_assert(fits,
                "glass: ormqr: the sizes do not fit: A has as many rows as op(Q), tau one number a column or "
                "fewer, and no more than A has rows.");
  static_assert(C::writable, "glass: ormqr writes C, but C is const.");
  if constexpr (known && fits && C::writable) {
    if constexpr (side == Side::left)
      detail::reflect_columns<trans>(scope, a, tau, tau.rows(), c);
    else  // C op(Q) = (op(Q)^T C^T)^T
      detail::reflect_columns<trans == Trans::no ? Trans::yes : Trans::no>(scope, a, tau, tau.rows(), c.transposed());
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_3(orgqr, M, N, K, (just<T> * A, const just<T>* tau), (as_matrix(A, M, N), as_vector(tau, K)))
GLASS_FACES_3(ormqr, M, N, K, (const just<T>* A, const just<T>* tau, just<T>* C),
              (as_matrix(A, either<chosen<Side::left, 0, O...>() == Side::left>(M, N), K), as_vector(tau, K),
               as_matrix(C, M, N)))
}  // namespace glass
