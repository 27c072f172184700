// Cholesky factors and triangular solves of row fragments (core/fragment.cuh), beside the products of
// matrix/fragments.cuh. Constant sizes; thread, tile and warp scopes; every lane of the scope calls; no sync.
//
// cholesky(scope, A) -> factor      A = L L^T; the lower triangle of the N x N fragment is used. [GVL 4.2.5]
//                                   factor.info: 0, or k in 1..N: pivot k is not in (0, Inf), NaN included; the factor
//                                   is then unspecified, and still safe to solve with. The same in every lane.
// load_cholesky(scope, L) -> factor a factor that lies in memory, as potrf leaves it: its lower triangle is read.
// solve<Side, Trans>(scope, factor, B)
//                                   left (default): B <- op(L)^-1 B, B: fragment N x R. [GVL 3.1]
//                                   right: B <- B op(L)^-1, B: fragment R x N: every row by itself. With Trans::yes
//                                   this is the transpose of the left solve without it: rows of B need no
//                                   transposition.
// cost     cholesky N^3 / (3 W) flops a lane and N^2 / 2 shuffles; solve N^2 R / W flops a lane and, left, N R shuffles
//          (transposed: N R log2 W), right, N^2 / 2.
#pragma once
#include <glass/factor/potrs.cuh>
namespace glass {
template <class T, int N, int W>
struct cholesky_fragment {
  row_fragment<T, N, N, W> l;        // lower triangle; what is above it is unspecified
  row_fragment<T, N, 1, W> inverse;  // 1 / L(k, k) where row k is
  int info;
};
template <class S, class T, int N, int W>
GLASS_DEVICE cholesky_fragment<T, N, W> cholesky(S scope, const row_fragment<T, N, N, W>& a) {
  static_assert(W == S::width && can_shuffle<S>, "glass: cholesky: this fragment belongs to another scope.");
  cholesky_fragment<T, N, W> f = {a, {}, 0};
  row_fragment<T, N, 0, W> none = {};
  f.info = detail::factor_in_fragments(scope, f.l, none, f.inverse);
  return f;
}
template <class S, class View>
GLASS_DEVICE auto load_cholesky(S scope, View l) {
  constexpr int N = View::static_rows, W = S::width;
  static_assert(N == View::static_cols, "glass: load_cholesky: L is not square.");
  cholesky_fragment<value_of<View>, N, W> f = {load_lower(scope, l), {}, 0};
  f.inverse = detail::reciprocal_diagonal(scope, f.l);
  return f;
}
namespace detail {
// X L^T = B (Turned) or X L = B, row by row.
template <bool Turned, class S, class T, int N, int R, int W>
GLASS_DEVICE void solve_rows_in_fragments(S scope, const cholesky_fragment<T, N, W>& f, row_fragment<T, R, N, W>& b) {
  GLASS_UNROLL
  for (int step = 0; step < N; ++step) {
    const int k = Turned ? step : N - 1 - step;
    const T d = scope.broadcast(f.inverse.v[k / W][0], k % W);
    GLASS_UNROLL
    for (int q = 0; q < b.items; ++q) b.v[q][k] *= d;
    GLASS_UNROLL
    for (int later = step + 1; later < N; ++later) {
      const int j = Turned ? later : N - 1 - later, row = Turned ? j : k, col = Turned ? k : j;
      const T l = scope.broadcast(f.l.v[row / W][col], row % W);
      GLASS_UNROLL
      for (int q = 0; q < b.items; ++q) b.v[q][j] = fused(-b.v[q][k], l, b.v[q][j]);
    }
  }
}
}  // namespace detail

template <auto... Options, class S, class T, int N, int M, int R, int W>
GLASS_DEVICE void solve(S scope, const cholesky_fragment<T, N, W>& f, row_fragment<T, M, R, W>& b) {
  constexpr bool known = takes<types<Side, Trans>, Options...>, here = W == S::width && can_shuffle<S>;
  constexpr bool left = chosen<Side::left, 0, Options...>() == Side::left;
  constexpr bool turned = chosen<Trans::no, 0, Options...>() == Trans::yes, fits = (left ? M : R) == N;
  static_assert(known, "glass: solve of fragments takes the options Side and Trans, in any order.");
  static_assert(here, "glass: solve: these fragments belong to another scope.");
  static_assert(fits, "glass: solve: the sizes do not fit: L is N x N, B has N rows (left) or N columns (right).");
  if constexpr (known && here && fits) {
    if constexpr (!left)
      detail::solve_rows_in_fragments<turned>(scope, f, b);
    else if constexpr (turned)
      detail::backward_in_fragments(scope, f.l, f.inverse, b);
    else
      detail::forward_in_fragments(scope, f.l, f.inverse, b);
  }
}
}  // namespace glass
