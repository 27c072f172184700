// Householder reflections of row fragments (core/fragment.cuh): Q R and least squares, for kernels whose intermediate
// results never leave the registers. Constant sizes; thread, tile and warp scopes; every lane of the scope calls; no
// sync. The reflections, their signs and their range are those of geqrf (spectrum/householder.cuh). [GVL 5.2.2, 5.3.2]
//
// qr(scope, A) -> factor            A = Q R, A: fragment M x N. factor.info: 0, or k in 1..min(M, N): R_kk is the first
//                                   that is zero or NaN. The same in every lane.
// apply_q<Trans>(scope, factor, B)  B <- Q B, with Trans::yes Q^T B; B: fragment M x P.
// solve(scope, factor, B)           least squares, M >= N: rows 0 .. N - 1 of B become X, which minimises
//                                   || A X - B || column by column; the squares of the rows below sum to that of the
//                                   residual. With info > 0 X is unspecified.
// cost     qr (2 M N^2 - 2 N^3 / 3) / W flops a lane and N^2 / 2 log2 W shuffles; apply_q 4 M N P / W and N P log2 W;
//          solve 2 N^2 P / W and N P more.
#pragma once
#include <glass/core/fragment.cuh>
#include <glass/spectrum/householder.cuh>
namespace glass {
template <class T, int M, int N, int W>
struct qr_fragment {
  static constexpr int steps = M < N ? M : N;
  row_fragment<T, M, N, W> a;    // R on and above the diagonal; below it, in column k, v_k after its first element, 1
  T tau[steps > 0 ? steps : 1];  // in every lane
  int info;
};
namespace detail {
// The reflection that column k of a needs below row k.
template <class S, class T, int M, int N, int W>
GLASS_DEVICE reflection<T> reflection_in_fragments(S scope, const row_fragment<T, M, N, W>& a, int k) {
  const int lane = scope.rank();
  const T alpha = scope.broadcast(a.v[k / W][k], k % W);
  T tail = 0;
  GLASS_UNROLL
  for (int q = 0; q < a.items; ++q) {
    const T x = lane + q * W > k ? a.v[q][k] : T(0);
    if (a.reaches(q, k + 1)) tail = fused(x, x, tail);
  }
  tail = scope.sum(tail);
  T length = square_root(fused(alpha, alpha, tail));
  if (!squares_tell(alpha, tail)) {  // rare, and the same in every lane
    T most = 0, sum = 0;
    GLASS_UNROLL
    for (int q = 0; q < a.items; ++q) most = greatest(most, lane + q * W > k ? absolute(a.v[q][k]) : T(0));
    most = scope.reduce(most, [](T x, T y) { return greatest(x, y); });
    if (most == T(0) && tail == T(0)) return {alpha, 0, 0};
    const T by = scale_to_one(greatest(most, absolute(alpha)));
    GLASS_UNROLL
    for (int q = 0; q < a.items; ++q) {
      const T x = lane + q * W >= k ? a.v[q][k] * by : T(0);
      sum = fused(x, x, sum);
    }
    length = square_root(scope.sum(sum)) * reciprocal(by);
  }
  return reflection_onto(alpha, length);
}
// A lane's items of v: 1 in row k, scale a below.
template <class S, class T, int M, int N, int W>
GLASS_DEVICE row_fragment<T, M, 1, W> direction_of(S scope, const row_fragment<T, M, N, W>& a, int k, T scale) {
  row_fragment<T, M, 1, W> v = {};
  GLASS_UNROLL
  for (int q = 0; q < a.items; ++q) {
    const int i = scope.rank() + q * W;
    if (a.reaches(q, k)) v.v[q][0] = i == k ? T(1) : i > k ? a.v[q][k] * scale : T(0);
  }
  return v;
}
// b <- (I - tau v v^T) b, from column `first` on.
template <class S, class T, int M, int P, int W>
GLASS_DEVICE void reflect_fragment(S scope, const row_fragment<T, M, 1, W>& v, int k, T tau,
                                   row_fragment<T, M, P, W>& b, int first) {
  GLASS_UNROLL
  for (int j = first; j < P; ++j) {
    T sum = 0;
    GLASS_UNROLL
    for (int q = 0; q < b.items; ++q)
      if (b.reaches(q, k)) sum = fused(v.v[q][0], b.v[q][j], sum);
    sum = scope.sum(sum);
    const T along = tau != T(0) ? tau * sum : T(0);
    GLASS_UNROLL
    for (int q = 0; q < b.items; ++q)
      if (b.reaches(q, k)) b.v[q][j] = fused(-along, v.v[q][0], b.v[q][j]);
  }
}
}  // namespace detail

template <class S, class T, int M, int N, int W>
GLASS_DEVICE qr_fragment<T, M, N, W> qr(S scope, const row_fragment<T, M, N, W>& a) {
  static_assert(W == S::width && can_shuffle<S>, "glass: qr: this fragment belongs to another scope.");
  qr_fragment<T, M, N, W> f = {a, {}, 0};
  GLASS_UNROLL
  for (int k = 0; k < f.steps; ++k) {
    const auto h = detail::reflection_in_fragments(scope, f.a, k);
    const auto v = detail::direction_of(scope, f.a, k, h.scale);
    detail::reflect_fragment(scope, v, k, h.tau, f.a, k + 1);
    f.tau[k] = h.tau;
    f.info = !(absolute(h.beta) > T(0)) && f.info == 0 ? k + 1 : f.info;
    GLASS_UNROLL
    for (int q = 0; q < f.a.items; ++q) {
      const int i = scope.rank() + q * W;
      if (f.a.reaches(q, k)) f.a.v[q][k] = i == k ? h.beta : i > k ? v.v[q][0] : f.a.v[q][k];
    }
  }
  return f;
}
template <auto... Options, class S, class T, int M, int N, int P, int W>
GLASS_DEVICE void apply_q(S scope, const qr_fragment<T, M, N, W>& f, row_fragment<T, M, P, W>& b) {
  static_assert(takes<types<Trans>, Options...>, "glass: apply_q takes the option Trans.");
  static_assert(W == S::width && can_shuffle<S>, "glass: apply_q: these fragments belong to another scope.");
  GLASS_UNROLL
  for (int step = 0; step < f.steps; ++step) {
    const int k = chosen<Trans::no, 0, Options...>() == Trans::yes ? step : f.steps - 1 - step;
    detail::reflect_fragment(scope, detail::direction_of(scope, f.a, k, T(1)), k, f.tau[k], b, 0);
  }
}
template <class S, class T, int M, int N, int P, int W>
GLASS_DEVICE void solve(S scope, const qr_fragment<T, M, N, W>& f, row_fragment<T, M, P, W>& b) {
  static_assert(M >= N, "glass: solve with Q R is for M >= N: more equations than unknowns, or as many.");
  apply_q<Trans::yes>(scope, f, b);
  GLASS_UNROLL
  for (int k = N - 1; k >= 0; --k) {
    const T inverse = reciprocal(f.a.v[k / W][k]);
    GLASS_UNROLL
    for (int r = 0; r < P; ++r) {
      const T x = scope.broadcast(b.v[k / W][r] * inverse, k % W);
      GLASS_UNROLL
      for (int q = 0; q < b.items; ++q) {
        const int i = scope.rank() + q * W;
        if (q * W <= k) {
          const T rest = fused(-f.a.v[q][k], x, b.v[q][r]);
          b.v[q][r] = i < k ? rest : i == k ? x : b.v[q][r];
        }
      }
    }
  }
}
}  // namespace glass
