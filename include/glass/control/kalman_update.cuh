// kalman_update<Joseph>(scope, x, P, H, R, y, scratch) -> info    The measurement update of an (extended) filter:
//                                          S = H P H^T + R, K = P H^T S^-1, x <- x + K y, P <- P - K H P.
//                                          [Simon, Optimal State Estimation, 5.19]
// data     x: NX, the state, and P: NX x NX symmetric, its covariance (both triangles), overwritten, P exactly
//          symmetric. H: NY x NX, the Jacobian of the measurement; R: NY x NY symmetric positive definite, the
//          measurement's covariance (its lower triangle); y: NY, the innovation z - h(x); read only. Any leading
//          dimensions and orders. x and P overlap nothing else.
// joseph   no (default): with S = L L^T and V = L^-1 H P, x + V^T L^-1 y and P - V^T V: no gain, no inverse.
//          yes: P <- (I - K H) P (I - K H)^T + K R K^T, which stays positive semidefinite for any rounding of K.
// scratch  NY^2 + NY NX + NY numbers, with Joseph::yes NY NX + 2 NX^2 more; contents before and after unspecified
// lanes    every lane of the scope calls; every lane receives info; ends synchronised unless Sync::no.
// info     0, or k in 1..NY: pivot k of the Cholesky factor of S is not in (0, Inf), NaN included; then x and P are
//          unchanged.
// cost     2 NX^2 NY + 2 NX NY^2 + NY^3/3 + NX^2 NY flops (Joseph::yes 4 NX^3 + NX^2 NY more); reads NX^2 + NX NY +
//          NY^2 + NX + NY, writes NX^2 + NX.
#pragma once
#include <glass/control/parts.cuh>
#include <glass/factor/trsv.cuh>
#include <glass/matrix/syrk.cuh>
#include <glass/matrix/trsm.cuh>
namespace glass {
template <class T, int NX, int NY, Joseph J = Joseph::no, class S>
GLASS_SCALAR constexpr int kalman_update_scratch_bytes(S) {
  return (NY * NY + NY * NX + NY + (J == Joseph::yes ? NY * NX + 2 * NX * NX : 0)) * int(sizeof(T));
}
namespace detail {
// (I - K H) P (I - K H)^T + K R K^T with K^T: NY x NX given, P in place; more: scratch. Ends without a sync.
template <class S, class MP, class MH, class MR, class MK>
GLASS_DEVICE void joseph_form(S scope, MP p, MH h, MR r, MK kt, value_of<MP>* more) {
  using T = value_of<MP>;
  constexpr int nx = MH::static_cols, ny = MH::static_rows;
  const auto ikh = cut<nx, nx>(more, h.cols(), h.cols());
  const auto pt = cut<nx, nx>(more + h.cols() * h.cols(), h.cols(), h.cols());
  const auto rk = cut<ny, nx>(more + 2 * h.cols() * h.cols(), h.rows(), h.cols());
  each(scope, h.cols(), h.cols(), [&](int i, int j) {
    T sum = i == j ? T(1) : T(0);
    for (int k = 0; k < h.rows(); ++k) sum = fused(-kt(k, i), h(k, j), sum);
    ikh(i, j) = sum;
  });
  each(scope, h.rows(), h.cols(), [&](int i, int j) {
    T sum = 0;  // R K^T, from the lower triangle of R
    for (int k = 0; k < h.rows(); ++k) sum = fused(k <= i ? r(i, k) : r(k, i), kt(k, j), sum);
    rk(i, j) = sum;
  });
  scope.sync();
  gemm<Trans::no, Trans::yes>(scope, 1, p, ikh, pt);
  symmetric_product<Fill::full>(scope, true, ikh, pt, p, [&](int i, int j, T sum) {
    for (int k = 0; k < h.rows(); ++k) sum = fused(kt(k, i), rk(k, j), sum);
    return sum;
  });
}
}  // namespace detail

// The two halves of kalman_update, which are also the launches of variant=split: scratch <- S, H P and y, and the rest.
// Both end without a sync.
template <auto... Options, class S, class MX, class MP, class MH, class MR, class MY, class W>
GLASS_DEVICE void kalman_update_form(S scope, MX, MP p, MH h, MR r, MY y, W scratch) {
  constexpr int nx = MH::static_cols, ny = MH::static_rows;
  const int m = h.rows(), n = h.cols();
  const auto v = detail::cut<ny, nx>(scratch.data + m * m, m, n);
  const auto e = detail::cut<ny>(scratch.data + m * m + m * n, m);
  gemm<Sync::no>(scope, 1, h, p, v);
  each(scope, m, [&](int i) { e(i) = y(i); });
  scope.sync();
  detail::symmetric_product<Fill::lower>(scope, true, v, h.transposed(), detail::cut<ny, ny>(scratch.data, m, m),
                                         [&](int i, int j, value_of<MP> sum) { return r(i, j) + sum; });
}
template <auto... Options, class S, class MX, class MP, class MH, class MR, class MY, class W>
GLASS_DEVICE int kalman_update_solve(S scope, MX x, MP p, MH h, MR r, MY, W scratch) {
  constexpr int nx = MH::static_cols, ny = MH::static_rows;
  const int m = h.rows(), n = h.cols();
  const auto s = detail::cut<ny, ny>(scratch.data, m, m);
  const auto v = detail::cut<ny, nx>(scratch.data + m * m, m, n);
  const auto e = detail::cut<ny>(scratch.data + m * m + m * n, m);
  const int info = potrf(scope, s);
  if (info == 0) {
    if constexpr (chosen<Joseph::no, 0, Options...>() == Joseph::yes) {
      potrs(scope, s, v);  // K^T = S^-1 H P
      gemv<Trans::yes, Sync::no>(scope, 1, v, e, 1, x);
      detail::joseph_form(scope, p, h, r, v, scratch.data + m * m + m * n + m);
    } else {
      trsm<Sync::no>(scope, 1, s, v);  // V = L^-1 H P
      trsv<Sync::no>(scope, s, e);
      scope.sync();
      gemv<Trans::yes, Sync::no>(scope, 1, v, e, 1, x);
      syrk<Trans::yes, Sync::no>(scope, -1, v, 1, p);
    }
  }
  return info;
}

template <auto... Options, class S, class MX, class MP, class MH, class MR, class MY, class W,
          detail::when<is_view<MX> && is_view<MP> && is_view<MH> && is_view<MR> && is_view<MY> && is_view<W>> = 0>
GLASS_DEVICE int kalman_update(S scope, MX x, MP p, MH h, MR r, MY y, W scratch) {
  using T = value_of<MP>;
  constexpr bool known = takes<types<Joseph, Sync>, Options...>;
  constexpr bool joseph = chosen<Joseph::no, 0, Options...>() == Joseph::yes;
  constexpr int nx = MH::static_cols, ny = MH::static_rows;
  constexpr bool fits = agree(MX::static_rows, nx) && agree(MP::static_rows, nx) && agree(MP::static_cols, nx) &&
                        agree(MR::static_rows, ny) && agree(MR::static_cols, ny) && agree(MY::static_rows, ny);
  constexpr int needed = nx < 0 || ny < 0 ? -1 : kalman_update_scratch_bytes < char, nx, ny,
                joseph ? Joseph::yes : Joseph::no > (scope::thread{});
  constexpr bool holds = detail::holds_scratch<W, T, needed>();
  static_assert(known, "glass: kalman_update takes the options Joseph and Sync, in any order.");
  static_assert(
      fits,
      "glass: kalman_update: the sizes do not fit: x has NX numbers, P is NX x NX, H is NY x NX, R is NY x NY, "
      "y has NY.");
  static_assert(MX::writable && MP::writable, "glass: kalman_update writes x and P, but one of them is const.");
  static_assert(
      holds,
      "glass: kalman_update: the scratch is a writable vector of NY NY + NY NX + NY numbers of P's type, with "
      "Joseph::yes NY NX + 2 NX NX more.");
  int info = 0;
  if constexpr (known && fits && MX::writable && MP::writable && holds) {
    kalman_update_form(scope, x, p, h, r, y, scratch);
    scope.sync();
    info = kalman_update_solve<Options...>(scope, x, p, h, r, y, scratch);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}
GLASS_FACES_2(kalman_update, NX, NY,
              (just<T> * x, just<T>* P, const just<T>* H, const just<T>* R, const just<T>* y, just<T>* scratch),
              (as_vector(x, NX), as_matrix(P, NX, NX), as_matrix(H, NY, NX), as_matrix(R, NY, NY), as_vector(y, NY),
               detail::as_scratch(scratch)))
}  // namespace glass
