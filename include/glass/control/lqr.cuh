// lqr_backward(scope, A, B, c, Q, M, R, q, r, QN, qN, K, k, P, p, scratch) -> info
//     The gains of an affine linear-quadratic regulator of N stages x+ = A x + B u + c with the costs 1/2 x^T Q x +
//     u^T M x + 1/2 u^T R u + q^T x + r^T u and 1/2 x^T QN x + qN^T x in the end: u = -K x - k. From the last stage to
//     the first, with P <- QN and p <- qN before: Huu = R + B^T P B, Hux = M + B^T P A, hu = r + B^T (P c + p),
//     K = Huu^-1 Hux, k = Huu^-1 hu, P <- Q + A^T P A - K^T Hux, p <- q + A^T (P c + p) - Hux^T k.
//     [Bertsekas, Dynamic Programming, 4.1; Jacobson, Mayne 2.2]
// lqr_backward<Shift>(scope, ..., scratch, rho) -> info
//     identity (default of this form): rho I added to Huu; diagonal: rho times its diagonal.
// lqr_forward(scope, A, B, c, K, k, x0, x, u[, alpha])
//     The trajectory: x(0) = x0, u = -K x - alpha k, x+ = A x + B u + c; alpha = 1 unless given.
// data     stages side by side, the first one first: A: NX x (NX N), B: NX x (NU N), c: NX x N, Q: NX x (NX N) and R:
//          NU x (NU N) symmetric (their lower triangles), M: NU x (NX N), q: NX x N, r: NU x N, QN: NX x NX symmetric
//          (its lower triangle), qN: NX, x0: NX, read only. Overwritten: K: NU x (NX N), k: NU x N, u: NU x N, and, with
//          one stage more, P: NX x (NX (N + 1)) exactly symmetric, p: NX x (N + 1) and x: NX x (N + 1): the cost-to-go
//          1/2 x^T P x + p^T x of every stage, the last one QN and qN, so that P x + p is the multiplier of x. Any
//          leading dimensions, orders and increments; what is written overlaps nothing else.
// scratch  lqr_backward: NU^2 + NX NU + (NX + NU) (NX + 1) numbers; contents before and after unspecified
// lanes    every lane of the scope calls, with the same rho and alpha; every lane receives info; ends synchronised
//          unless Sync::no.
// info     0, or k in 1..N: the first stage that fails, from the last one down; stage k is the k-th as the data lie. A
//          pivot of the Cholesky factor of its Huu is not in (0, Inf), NaN included. K, k, P and p of the stages behind
//          it are final, the others unchanged.
// alpha    alpha == 0: k is not read.
// cost     a stage: 2 NX^3 + 6 NX^2 NU + 3 NX NU^2 + NU^3/3 flops, reads and writes 3 NX^2 + 3 NX NU + NU^2; forward:
//          2 NX^2 + 4 NX NU flops, reads NX^2 + 2 NX NU.
#pragma once
#include <glass/control/riccati_gain.cuh>
namespace glass {
template <class T, int NX, int NU, int N, class S>
GLASS_SCALAR constexpr int lqr_backward_scratch_bytes(S) {
  return (NU * NU + NX * NU + (NX + NU) * (NX + 1)) * int(sizeof(T));
}
namespace detail {
// Stage t of matrices that lie side by side.
template <int M, int N, class V>
GLASS_SCALAR constexpr auto stage(V v, int t, int m, int n) {
  if constexpr (M >= 0 && N >= 0)
    return v.template block<M, N>(0, t * n);
  else
    return v.block(0, t * n, m, n);
}
template <int M, int N, int Stages, class V>
GLASS_SCALAR constexpr bool are_stages() {
  return agree(V::static_rows, M) && agree(V::static_cols, product_of(N, Stages));
}
template <class V, class... More>
inline constexpr bool all_writable = V::writable && (true && ... && More::writable);

// Side by side: P [A c] + [0 p] and, in one matrix G, [Hux hu], L^-1 [Hux hu] and [K k], Huu = L L^T. The elements of G
// are filled and taken away by the same lanes.
template <Shift How, class S, class A, class B, class C, class Q, class M, class R, class VQ, class VR, class QN,
          class VN, class K, class VK, class P, class VP>
GLASS_DEVICE int lqr_recursion(S scope, A as, B bs, C c, Q qs, M ms, R rs, VQ q, VR r, QN q_end, VN p_end, K ks, VK k,
                               P ps, VP p, value_of<P>* scratch, value_of<P> rho) {
  using T = value_of<P>;
  constexpr int nx = B::static_rows, nu = R::static_rows, wide = nx < 0 ? -1 : nx + 1;
  const int n = bs.rows(), m = rs.rows(), stages = c.cols();
  const auto h = cut<nu, nu>(scratch, m, m);
  const auto pb = cut<nx, nu>(scratch + m * m, n, m);
  const auto pac = cut<nx, wide>(scratch + m * m + n * m, n, n + 1);
  const auto pa = stage<nx, nx>(pac, 0, n, n);
  const auto g = cut<nu, wide>(scratch + m * m + n * m + n * (n + 1), m, n + 1);
  const auto p_of_end = stage<nx, nx>(ps, stages, n, n);
  each(scope, n, n, [&](int i, int j) { p_of_end(i, j) = i < j ? q_end(j, i) : q_end(i, j); });
  each(scope, n, [&](int i) { p(i, stages) = p_end(i); });
  scope.sync();
  for (int t = stages - 1; t >= 0; --t) {
    const auto a = stage<nx, nx>(as, t, n, n);
    const auto next = stage<nx, nx>(ps, t + 1, n, n);
    const auto b = stage<nx, nu>(bs, t, n, m);
    gemm<Sync::no>(scope, 1, next, a, pa);
    each(scope, n, [&](int i) {
      T sum = p(i, t + 1);
      for (int e = 0; e < n; ++e) sum = fused(next(i, e), c(e, t), sum);
      pac(i, n) = sum;
    });
    each(scope, m, n + 1, [&](int i, int j) { g(i, j) = j < n ? ms(i, t * n + j) : r(i, t); });
    form_input_cost<How>(scope, next, b, stage<nu, nu>(rs, t, m, m), rho, h, pb);
    gemm<Trans::yes, Sync::no>(scope, 1, b, pac, 1, g);
    if (potrf(scope, h) != 0) return t + 1;
    trsm(scope, 1, h, g);  // V = L^-1 [Hux hu]: what K takes from the cost-to-go is V^T V
    symmetric_product<Fill::full>(scope, true, a.transposed(), pa, stage<nx, nx>(ps, t, n, n),
                                  [&](int i, int j, T sum) {
                                    sum += qs(i, t * n + j);
                                    for (int e = 0; e < m; ++e) sum = fused(-g(e, i), g(e, j), sum);
                                    return sum;
                                  });
    each(scope, n, [&](int i) {
      T sum = q(i, t);
      for (int e = 0; e < n; ++e) sum = fused(a(e, i), pac(e, n), sum);
      for (int e = 0; e < m; ++e) sum = fused(-g(e, i), g(e, n), sum);
      p(i, t) = sum;
    });
    scope.sync();
    trsm<Trans::yes>(scope, 1, h, g);
    each(scope, m, n + 1, [&](int i, int j) { (j < n ? ks(i, t * n + j) : k(i, t)) = g(i, j); });
  }
  return 0;
}
}  // namespace detail

template <auto... Options, class S, class A, class B, class C, class Q, class M, class R, class VQ, class VR, class QN,
          class VN, class K, class VK, class P, class VP, class W, detail::when<is_view<A> && is_view<W>> = 0>
GLASS_DEVICE int lqr_backward(S scope, A a, B b, C c, Q q, M m, R r, VQ q_linear, VR r_linear, QN q_end,
                              VN q_end_linear, K k, VK k_constant, P p, VP p_linear, W scratch, just<value_of<P>> rho) {
  using T = value_of<P>;
  constexpr bool known = takes<types<Shift, Sync>, Options...>;
  constexpr int nx = B::static_rows, nu = R::static_rows, n = C::static_cols, more = n < 0 ? -1 : n + 1;
  using detail::are_stages;
  constexpr bool fits = are_stages<nx, nx, n, A>() && are_stages<nx, nu, n, B>() && are_stages<nx, 1, n, C>() &&
                        are_stages<nx, nx, n, Q>() && are_stages<nu, nx, n, M>() && are_stages<nu, nu, n, R>() &&
                        are_stages<nx, 1, n, VQ>() && are_stages<nu, 1, n, VR>() && are_stages<nx, nx, 1, QN>() &&
                        are_stages<nx, 1, 1, VN>() && are_stages<nu, nx, n, K>() && are_stages<nu, 1, n, VK>() &&
                        are_stages<nx, nx, more, P>() && are_stages<nx, 1, more, VP>();
  constexpr bool writable = detail::all_writable<K, VK, P, VP>;
  constexpr bool holds = detail::holds_scratch < W, T,
                 nx < 0 || nu < 0 ? -1 : nu * nu + nx * nu + (nx + nu) * (nx + 1) > ();
  static_assert(known, "glass: lqr_backward takes the options Shift and Sync, in any order.");
  static_assert(
      fits,
      "glass: lqr_backward: the sizes do not fit: N stages side by side, A and Q NX x (NX N), B NX x (NU N), c "
      "and q NX x N, M and K NU x (NX N), R NU x (NU N), r and k NU x N; QN NX x NX, qN NX; P NX x (NX (N + "
      "1)), p NX x (N + 1).");
  static_assert(writable, "glass: lqr_backward writes K, k, P and p, but one of them is const.");
  static_assert(
      holds,
      "glass: lqr_backward: the scratch is a writable vector of NU NU + NX NU + (NX + NU) (NX + 1) numbers of "
      "P's type.");
  int info = 0;
  if constexpr (known && fits && writable && holds) {
    info = detail::lqr_recursion<chosen<Shift::identity, 0, Options...>()>(scope, a, b, c, q, m, r, q_linear, r_linear,
                                                                           q_end, q_end_linear, k, k_constant, p,
                                                                           p_linear, scratch.data, T(rho));
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}
template <auto... Options, class S, class A, class B, class C, class Q, class M, class R, class VQ, class VR, class QN,
          class VN, class K, class VK, class P, class VP, class W, detail::when<is_view<A> && is_view<W>> = 0>
GLASS_DEVICE int lqr_backward(S scope, A a, B b, C c, Q q, M m, R r, VQ q_linear, VR r_linear, QN q_end,
                              VN q_end_linear, K k, VK k_constant, P p, VP p_linear, W scratch) {
  static_assert(chosen<Shift::none, 0, Options...>() == Shift::none,
                "glass: lqr_backward with a Shift takes rho after the scratch.");
  return lqr_backward<Shift::none, chosen<Sync::yes, 0, Options...>()>(scope, a, b, c, q, m, r, q_linear, r_linear,
                                                                       q_end, q_end_linear, k, k_constant, p, p_linear,
                                                                       scratch, value_of<P>(0));
}

// x+ without B u first, by the lanes that do not form u; then B u on top.
template <auto... Options, class S, class A, class B, class C, class K, class VK, class X0, class X, class U,
          detail::when<is_view<A> && is_view<U>> = 0>
GLASS_DEVICE void lqr_forward(S scope, A a, B b, C c, K k, VK k_constant, X0 x0, X x, U u, just<value_of<X>> alpha) {
  using T = value_of<X>;
  constexpr bool known = takes<types<Sync>, Options...>;
  constexpr int nx = B::static_rows, nu = U::static_rows, stages = C::static_cols, more = stages < 0 ? -1 : stages + 1;
  using detail::are_stages;
  constexpr bool fits = are_stages<nx, nx, stages, A>() && are_stages<nx, nu, stages, B>() &&
                        are_stages<nx, 1, stages, C>() && are_stages<nu, nx, stages, K>() &&
                        are_stages<nu, 1, stages, VK>() && are_stages<nx, 1, 1, X0>() && are_stages<nx, 1, more, X>() &&
                        are_stages<nu, 1, stages, U>();
  constexpr bool writable = detail::all_writable<X, U>;
  static_assert(known, "glass: lqr_forward takes the option Sync.");
  static_assert(fits,
                "glass: lqr_forward: the sizes do not fit: N stages side by side, A NX x (NX N), B NX x (NU N), c NX x "
                "N, K NU x (NX N), k and u NU x N; x0 NX, x NX x (N + 1).");
  static_assert(writable, "glass: lqr_forward writes x and u, but one of them is const.");
  if constexpr (known && fits && writable) {
    const int n = b.rows(), m = u.rows();
    each(scope, n, [&](int i) { x(i, 0) = x0(i); });
    for (int t = 0; t < c.cols(); ++t) {
      scope.sync();
      each(scope, m + n, [&](int e) {
        const int i = e - m;
        T sum = e >= m ? c(i, t) : alpha == T(0) ? T(0) : -alpha * k_constant(e, t);
        for (int j = 0; j < n; ++j) sum = fused(e < m ? -k(e, t * n + j) : a(i, t * n + j), x(j, t), sum);
        (e < m ? u(e, t) : x(i, t + 1)) = sum;
      });
      scope.sync();
      each(scope, n, [&](int i) {
        T sum = x(i, t + 1);
        for (int j = 0; j < m; ++j) sum = fused(b(i, t * m + j), u(j, t), sum);
        x(i, t + 1) = sum;
      });
    }
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class A, class B, class C, class K, class VK, class X0, class X, class U,
          detail::when<is_view<A> && is_view<U>> = 0>
GLASS_DEVICE void lqr_forward(S scope, A a, B b, C c, K k, VK k_constant, X0 x0, X x, U u) {
  lqr_forward<Options...>(scope, a, b, c, k, k_constant, x0, x, u, value_of<X>(1));
}

GLASS_FACES_3(lqr_backward, NX, NU, N,
              (const just<T>* A, const just<T>* B, const just<T>* c, const just<T>* Q, const just<T>* M,
               const just<T>* R, const just<T>* q, const just<T>* r, const just<T>* QN, const just<T>* qN, just<T>* K,
               just<T>* k, just<T>* P, just<T>* p, just<T>* scratch),
              (as_matrix(A, NX, detail::both(NX, N)), as_matrix(B, NX, detail::both(NU, N)), as_matrix(c, NX, N),
               as_matrix(Q, NX, detail::both(NX, N)), as_matrix(M, NU, detail::both(NX, N)),
               as_matrix(R, NU, detail::both(NU, N)), as_matrix(q, NX, N), as_matrix(r, NU, N), as_matrix(QN, NX, NX),
               as_vector(qN, NX), as_matrix(K, NU, detail::both(NX, N)), as_matrix(k, NU, N),
               as_matrix(P, NX, detail::both(NX, detail::one_more(N))), as_matrix(p, NX, detail::one_more(N)),
               detail::as_scratch(scratch)))
GLASS_FACES_3(lqr_backward, NX, NU, N,
              (const just<T>* A, const just<T>* B, const just<T>* c, const just<T>* Q, const just<T>* M,
               const just<T>* R, const just<T>* q, const just<T>* r, const just<T>* QN, const just<T>* qN, just<T>* K,
               just<T>* k, just<T>* P, just<T>* p, just<T>* scratch, just<T> rho),
              (as_matrix(A, NX, detail::both(NX, N)), as_matrix(B, NX, detail::both(NU, N)), as_matrix(c, NX, N),
               as_matrix(Q, NX, detail::both(NX, N)), as_matrix(M, NU, detail::both(NX, N)),
               as_matrix(R, NU, detail::both(NU, N)), as_matrix(q, NX, N), as_matrix(r, NU, N), as_matrix(QN, NX, NX),
               as_vector(qN, NX), as_matrix(K, NU, detail::both(NX, N)), as_matrix(k, NU, N),
               as_matrix(P, NX, detail::both(NX, detail::one_more(N))), as_matrix(p, NX, detail::one_more(N)),
               detail::as_scratch(scratch), rho))
GLASS_FACES_3(lqr_forward, NX, NU, N,
              (const just<T>* A, const just<T>* B, const just<T>* c, const just<T>* K, const just<T>* k,
               const just<T>* x0, just<T>* x, just<T>* u),
              (as_matrix(A, NX, detail::both(NX, N)), as_matrix(B, NX, detail::both(NU, N)), as_matrix(c, NX, N),
               as_matrix(K, NU, detail::both(NX, N)), as_matrix(k, NU, N), as_vector(x0, NX),
               as_matrix(x, NX, detail::one_more(N)), as_matrix(u, NU, N)))
GLASS_FACES_3(lqr_forward, NX, NU, N,
              (const just<T>* A, const just<T>* B, const just<T>* c, const just<T>* K, const just<T>* k,
               const just<T>* x0, just<T>* x, just<T>* u, just<T> alpha),
              (as_matrix(A, NX, detail::both(NX, N)), as_matrix(B, NX, detail::both(NU, N)), as_matrix(c, NX, N),
               as_matrix(K, NU, detail::both(NX, N)), as_matrix(k, NU, N), as_vector(x0, NX),
               as_matrix(x, NX, detail::one_more(N)), as_matrix(u, NU, N), alpha))
}  // namespace glass
