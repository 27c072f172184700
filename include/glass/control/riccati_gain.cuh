// riccati_gain(scope, P, A, B, R, K, scratch) -> info         K <- (R + B^T P B)^-1 B^T P A: the gain of a
// linear-quadratic
//                                                             regulator with the cost-to-go P; u = -K x.
// riccati_gain<Shift>(scope, P, A, B, R, K, scratch, rho)     identity: rho I added to R + B^T P B; diagonal: rho times
//                                                             its diagonal. [Bertsekas, Dynamic Programming, 4.1]
// data     P: NX x NX symmetric (both triangles), A: NX x NX, B: NX x NU, R: NU x NU symmetric (its lower triangle),
//          read only; K: NU x NX, overwritten; any leading dimensions and orders. K overlaps nothing else.
// scratch  NU^2 + NX NU numbers; contents before and after unspecified
// lanes    every lane of the scope calls, with the same rho; every lane receives info; ends synchronised unless
// Sync::no. info     0, or k in 1..NU: pivot k of the Cholesky factor is not in (0, Inf), NaN included; then K is
// unchanged. cost     4 NX^2 NU + 3 NX NU^2 + NU^3/3 flops; reads 2 NX^2 + NX NU + NU^2, writes NX NU.
#pragma once
#include <glass/control/parts.cuh>
namespace glass {
template <class T, int NX, int NU, class S>
GLASS_SCALAR constexpr int riccati_gain_scratch_bytes(S) {
  return (NU * NU + NX * NU) * int(sizeof(T));
}
template <auto... Options, class S, class MP, class MA, class MB, class MR, class MK, class W,
          detail::when<is_view<MP> && is_view<MA> && is_view<MB> && is_view<MR> && is_view<MK> && is_view<W>> = 0>
GLASS_DEVICE int riccati_gain(S scope, MP p, MA a, MB b, MR r, MK k, W scratch, just<value_of<MK>> rho) {
  using T = value_of<MK>;
  constexpr bool known = takes<types<Shift, Sync>, Options...>;
  constexpr int nx = MB::static_rows, nu = MB::static_cols;
  constexpr bool fits = agree(MP::static_rows, nx) && agree(MP::static_cols, nx) && agree(MA::static_rows, nx) &&
                        agree(MA::static_cols, nx) && agree(MR::static_rows, nu) && agree(MR::static_cols, nu) &&
                        agree(MK::static_rows, nu) && agree(MK::static_cols, nx);
  constexpr bool holds =
      detail::holds_scratch<W, T, detail::sum_of(detail::product_of(nu, nu), detail::product_of(nx, nu))>();
  static_assert(known, "glass: riccati_gain takes the options Shift and Sync, in any order.");
  static_assert(fits,
                "glass: riccati_gain: the sizes do not fit: P and A are NX x NX, B is NX x NU, R is NU x NU, K is NU x "
                "NX.");
  static_assert(MK::writable, "glass: riccati_gain writes K, but K is const.");
  static_assert(holds, "glass: riccati_gain: the scratch is a writable vector of NU NU + NX NU numbers of K's type.");
  int info = 0;
  if constexpr (known && fits && MK::writable && holds) {
    constexpr Shift shift = chosen<Shift::none, 0, Options...>();
    const auto h = detail::cut<nu, nu>(scratch.data, b.cols(), b.cols());
    const auto pb = detail::cut<nx, nu>(scratch.data + b.cols() * b.cols(), b.rows(), b.cols());
    gemm<Sync::no>(scope, 1, p, b, pb);
    scope.sync();
    detail::symmetric_product<false>(scope, true, b.transposed(), pb, h, [&](int i, int j, T sum) {
      const T entry = r(i, j) + sum;
      return i == j ? detail::shifted<shift>(entry, T(rho)) : entry;
    });
    scope.sync();
    info = potrf(scope, h);
    if (info == 0) {
      gemm<Trans::yes>(scope, 1, pb, a, k);
      potrs<Sync::no>(scope, h, k);
    }
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}
template <auto... Options, class S, class MP, class MA, class MB, class MR, class MK, class W,
          detail::when<is_view<MP> && is_view<MA> && is_view<MB> && is_view<MR> && is_view<MK> && is_view<W>> = 0>
GLASS_DEVICE int riccati_gain(S scope, MP p, MA a, MB b, MR r, MK k, W scratch) {
  static_assert(chosen<Shift::none, 0, Options...>() == Shift::none,
                "glass: riccati_gain with a Shift takes rho after the scratch.");
  return riccati_gain<Options...>(scope, p, a, b, r, k, scratch, value_of<MK>(0));
}
GLASS_FACES_2(riccati_gain, NX, NU,
              (const just<T>* P, const just<T>* A, const just<T>* B, const just<T>* R, just<T>* K, just<T>* scratch),
              (as_matrix(P, NX, NX), as_matrix(A, NX, NX), as_matrix(B, NX, NU), as_matrix(R, NU, NU),
               as_matrix(K, NU, NX), detail::as_scratch(scratch)))
GLASS_FACES_2(riccati_gain, NX, NU,
              (const just<T>* P, const just<T>* A, const just<T>* B, const just<T>* R, just<T>* K, just<T>* scratch,
               just<T> rho),
              (as_matrix(P, NX, NX), as_matrix(A, NX, NX), as_matrix(B, NX, NU), as_matrix(R, NU, NU),
               as_matrix(K, NU, NX), detail::as_scratch(scratch), rho))
}  // namespace glass
