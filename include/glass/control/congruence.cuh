// congruence_sym(scope, alpha, X, M, beta, Q, scratch)     Q <- alpha X^T M X + beta Q
// congruence_accum(scope, alpha, G, M, beta, C, scratch)   C <- alpha G M G^T + beta C
// bilinear(scope, alpha, X, M, Y, beta, R, scratch)        R <- alpha X^T M Y + beta R
// data     X: N x K, M: N x N symmetric (both triangles), Q: K x K symmetric; of Q the lower triangle is read, both are
//          written, exactly symmetric. G: P x N, C: P x P in the same way. bilinear: X: N x P, Y: N x Q, R: P x Q, and
//          M is any N x N matrix. Any leading dimensions and orders; what is written overlaps nothing else.
// scratch  N K numbers (congruence_accum: N P, bilinear: N Q); contents before and after unspecified
// lanes    every lane of the scope calls, with the same alpha and beta; ends synchronised unless Sync::no.
// scalars  beta == 0: Q is not read. alpha == 0: X, M and Y are not read. N = 0: Q <- beta Q.
// bodies   loop    every scope and size
//          direct  warps, constant sizes: both products on tensor cores, as syrk's (Tile: m16n16 or m32n32; bilinear: any
//                  of gemm's). Mma and Tile as in gemm.cuh; automatic chooses as there
// cost     2 N^2 K + N K^2 flops; reads N^2 + N K (+ K^2), writes K^2; bilinear 2 N^2 Q + 2 N P Q.
#pragma once
#include <glass/control/parts.cuh>
namespace glass {
template <class T, int N, int K, class S>
GLASS_SCALAR constexpr int congruence_sym_scratch_bytes(S) {
  return N * K * int(sizeof(T));
}
template <class T, int P, int N, class S>
GLASS_SCALAR constexpr int congruence_accum_scratch_bytes(S) {
  return N * P * int(sizeof(T));
}
template <class T, int N, int P, int Q, class S>
GLASS_SCALAR constexpr int bilinear_scratch_bytes(S) {
  return N * Q * int(sizeof(T));
}

// The two halves of congruence_sym, which are also the launches of variant=split: scratch <- M X, and the rest.
template <auto... Options, class S, class X, class M, class Q, class W>
GLASS_DEVICE void congruence_sym_product(S scope, just<value_of<Q>> alpha, X x, M m, just<value_of<Q>>, Q, W scratch) {
  const auto mx = detail::cut<X::static_rows, X::static_cols>(scratch.data, x.rows(), x.cols());
  using T = value_of<Q>;
  if (alpha != T(0)) detail::multiply_by_body<Options...>(scope, T(1), m, x, T(0), mx);
}
template <auto... Options, class S, class X, class M, class Q, class W>
GLASS_DEVICE void congruence_sym_finish(S scope, just<value_of<Q>> alpha, X x, M, just<value_of<Q>> beta, Q q,
                                        W scratch) {
  using T = value_of<Q>;
  const auto mx = detail::cut<X::static_rows, X::static_cols>(scratch.data, x.rows(), x.cols());
  const auto finish = [&](int i, int j, T sum) {
    return beta == T(0) ? alpha * sum : fused(beta, q(i, j), alpha * sum);
  };
  detail::symmetric_product<Fill::full, Options...>(scope, alpha != T(0), x.transposed(), mx, q, finish);
}
template <auto... Options, class S, class X, class M, class Q, class W,
          detail::when<is_view<X> && is_view<M> && is_view<Q> && is_view<W>> = 0>
GLASS_DEVICE void congruence_sym(S scope, just<value_of<Q>> alpha, X x, M m, just<value_of<Q>> beta, Q q, W scratch) {
  using T = value_of<Q>;
  constexpr bool known = takes<types<Mma, Tile, Body, Sync>, Options...>;
  constexpr int n = X::static_rows, k = X::static_cols;
  constexpr bool fits =
      agree(M::static_rows, n) && agree(M::static_cols, n) && agree(Q::static_rows, k) && agree(Q::static_cols, k);
  constexpr bool holds = detail::holds_scratch<W, T, detail::product_of(n, k)>();
  static_assert(known, "glass: congruence_sym takes the options Mma, Tile, Body and Sync.");
  static_assert(fits, "glass: congruence_sym: the sizes do not fit: X is N x K, M is N x N, Q is K x K.");
  static_assert(Q::writable, "glass: congruence_sym writes Q, but Q is const.");
  static_assert(holds, "glass: congruence_sym: the scratch is a writable vector of N K numbers of Q's type.");
  if constexpr (known && fits && Q::writable && holds) {
    congruence_sym_product<Options...>(scope, alpha, x, m, beta, q, scratch);
    if (alpha != T(0)) scope.sync();
    congruence_sym_finish<Options...>(scope, alpha, x, m, beta, q, scratch);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class G, class M, class C, class W,
          detail::when<is_view<G> && is_view<M> && is_view<C> && is_view<W>> = 0>
GLASS_DEVICE void congruence_accum(S scope, just<value_of<C>> alpha, G g, M m, just<value_of<C>> beta, C c, W scratch) {
  congruence_sym<Options...>(scope, alpha, g.transposed(), m, beta, c, scratch);
}
template <auto... Options, class S, class X, class M, class Y, class R, class W,
          detail::when<is_view<X> && is_view<M> && is_view<Y> && is_view<R> && is_view<W>> = 0>
GLASS_DEVICE void bilinear(S scope, just<value_of<R>> alpha, X x, M m, Y y, just<value_of<R>> beta, R r, W scratch) {
  using T = value_of<R>;
  constexpr bool known = takes<types<Mma, Tile, Body, Sync>, Options...>;
  constexpr int n = X::static_rows;
  constexpr bool fits = agree(M::static_rows, n) && agree(M::static_cols, n) && agree(Y::static_rows, n) &&
                        agree(R::static_rows, X::static_cols) && agree(R::static_cols, Y::static_cols);
  constexpr bool holds = detail::holds_scratch<W, T, detail::product_of(n, Y::static_cols)>();
  static_assert(known, "glass: bilinear takes the options Mma, Tile, Body and Sync.");
  static_assert(fits, "glass: bilinear: the sizes do not fit: X is N x P, M is N x N, Y is N x Q, R is P x Q.");
  static_assert(R::writable, "glass: bilinear writes R, but R is const.");
  static_assert(holds, "glass: bilinear: the scratch is a writable vector of N Q numbers of R's type.");
  if constexpr (known && fits && R::writable && holds) {
    const auto my = detail::cut<n, Y::static_cols>(scratch.data, y.rows(), y.cols());
    if (alpha != T(0)) {
      detail::multiply_by_body<Options...>(scope, T(1), m, y, T(0), my);
      scope.sync();
    }
    detail::multiply_by_body<Options...>(scope, alpha, x.transposed(), my, beta, r);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_2(congruence_sym, N, K,
              (just<T> alpha, const just<T>* X, const just<T>* M, just<T> beta, just<T>* Q, just<T>* scratch),
              (alpha, as_matrix(X, N, K), as_matrix(M, N, N), beta, as_matrix(Q, K, K), detail::as_scratch(scratch)))
GLASS_FACES_2(congruence_accum, P, N,
              (just<T> alpha, const just<T>* G, const just<T>* M, just<T> beta, just<T>* C, just<T>* scratch),
              (alpha, as_matrix(G, P, N), as_matrix(M, N, N), beta, as_matrix(C, P, P), detail::as_scratch(scratch)))
GLASS_FACES_3(bilinear, N, P, Q,
              (just<T> alpha, const just<T>* X, const just<T>* M, const just<T>* Y, just<T> beta, just<T>* R,
               just<T>* scratch),
              (alpha, as_matrix(X, N, P), as_matrix(M, N, N), as_matrix(Y, N, Q), beta, as_matrix(R, P, Q),
               detail::as_scratch(scratch)))
}  // namespace glass
