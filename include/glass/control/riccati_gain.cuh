// riccati_gain(scope, P, A, B, R, K, scratch) -> info         K <- (R + B^T P B)^-1 B^T P A: the gain of a
//                                                             linear-quadratic regulator with the cost-to-go P;
//                                                             u = -K x.
// riccati_gain<Shift>(scope, P, A, B, R, K, scratch, rho)     identity: rho I added to R + B^T P B; diagonal: rho times
//                                                             its diagonal. [Bertsekas, Dynamic Programming, 4.1]
// riccati_step<Shift>(scope, P, A, B, Q, R, K, Pnew, scratch[, rho]) -> info
//                                                             the gain, then Pnew <- Q + A^T P A - K^T B^T P A, the
//                                                             cost-to-go one stage earlier.
// data     P: NX x NX symmetric (both triangles), A: NX x NX, B: NX x NU, R: NU x NU and Q: NX x NX symmetric (their
//          lower triangles), read only; K: NU x NX and Pnew: NX x NX, exactly symmetric, overwritten; any leading
//          dimensions and orders. K overlaps nothing else; Pnew may be P itself.
// scratch  NU^2 + NX NU numbers (riccati_step NX^2 more); contents before and after unspecified
// lanes    every lane of the scope calls, with the same rho; every lane receives info; ends synchronised unless
//          Sync::no.
// info     0, or k in 1..NU: pivot k of the Cholesky factor is not in (0, Inf), NaN included; then K and Pnew are
//          unchanged.
// cost     4 NX^2 NU + 3 NX NU^2 + NU^3/3 flops (riccati_step 2 NX^3 + 2 NX^2 NU more); reads 2 NX^2 + NX NU + NU^2
//          (+ NX^2), writes NX NU (+ NX^2).
#pragma once
#include <glass/control/parts.cuh>
#include <glass/matrix/trsm.cuh>
namespace glass {
template <class T, int NX, int NU, class S>
GLASS_SCALAR constexpr int riccati_gain_scratch_bytes(S) {
  return (NU * NU + NX * NU) * int(sizeof(T));
}
template <class T, int NX, int NU, class S>
GLASS_SCALAR constexpr int riccati_step_scratch_bytes(S) {
  return (NU * NU + NX * NU + NX * NX) * int(sizeof(T));
}
namespace detail {
template <class MP, class MA, class MB, class MR, class MK>
GLASS_SCALAR constexpr bool gain_fits() {
  constexpr int nx = MB::static_rows, nu = MB::static_cols;
  return agree(MP::static_rows, nx) && agree(MP::static_cols, nx) && agree(MA::static_rows, nx) &&
         agree(MA::static_cols, nx) && agree(MR::static_rows, nu) && agree(MR::static_cols, nu) &&
         agree(MK::static_rows, nu) && agree(MK::static_cols, nx);
}
// H <- R + B^T P B, shifted (lower triangle); PB <- P B. Ends synchronised.
template <Shift How, class S, class MP, class MB, class MR, class MH, class PB>
GLASS_DEVICE void form_input_cost(S scope, MP p, MB b, MR r, value_of<MH> rho, MH h, PB pb) {
  using T = value_of<MH>;
  gemm<Sync::no>(scope, 1, p, b, pb);
  scope.sync();
  symmetric_product<Fill::lower>(scope, true, b.transposed(), pb, h, [&](int i, int j, T sum) {
    const T entry = r(i, j) + sum;
    return i == j ? shifted<How>(entry, rho) : entry;
  });
  scope.sync();
}
}  // namespace detail

// The two halves of riccati_gain, which are also the launches of variant=split: scratch <- R + B^T P B and P B, and the
// rest.
template <auto... Options, class S, class MP, class MA, class MB, class MR, class MK, class W>
GLASS_DEVICE void riccati_gain_form(S scope, MP p, MA, MB b, MR r, MK, W scratch, just<value_of<MK>> rho = 0) {
  constexpr int nx = MB::static_rows, nu = MB::static_cols;
  detail::form_input_cost<chosen<Shift::none, 0, Options...>()>(
      scope, p, b, r, rho, detail::cut<nu, nu>(scratch.data, b.cols(), b.cols()),
      detail::cut<nx, nu>(scratch.data + b.cols() * b.cols(), b.rows(), b.cols()));
}
template <auto... Options, class S, class MP, class MA, class MB, class MR, class MK, class W>
GLASS_DEVICE int riccati_gain_solve(S scope, MP, MA a, MB b, MR, MK k, W scratch, just<value_of<MK>> = 0) {
  constexpr int nx = MB::static_rows, nu = MB::static_cols;
  const auto h = detail::cut<nu, nu>(scratch.data, b.cols(), b.cols());
  const int info = potrf(scope, h);
  if (info == 0) {
    gemm<Trans::yes>(scope, 1, detail::cut<nx, nu>(scratch.data + b.cols() * b.cols(), b.rows(), b.cols()), a, k);
    potrs<Sync::no>(scope, h, k);
  }
  return info;
}

template <auto... Options, class S, class MP, class MA, class MB, class MR, class MK, class W,
          detail::when<is_view<MP> && is_view<MA> && is_view<MB> && is_view<MR> && is_view<MK> && is_view<W>> = 0>
GLASS_DEVICE int riccati_gain(S scope, MP p, MA a, MB b, MR r, MK k, W scratch, just<value_of<MK>> rho) {
  using T = value_of<MK>;
  constexpr bool known = takes<types<Shift, Sync>, Options...>;
  constexpr int nx = MB::static_rows, nu = MB::static_cols;
  constexpr bool fits = detail::gain_fits<MP, MA, MB, MR, MK>();
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
    riccati_gain_form<Options...>(scope, p, a, b, r, k, scratch, rho);
    info = riccati_gain_solve(scope, p, a, b, r, k, scratch);
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

template <auto... Options, class S, class MP, class MA, class MB, class MQ, class MR, class MK, class MN, class W,
          detail::when<is_view<MP> && is_view<MA> && is_view<MB> && is_view<MQ> && is_view<MR> && is_view<MK> &&
                       is_view<MN> && is_view<W>> = 0>
GLASS_DEVICE int riccati_step(S scope, MP p, MA a, MB b, MQ q, MR r, MK k, MN p_new, W scratch,
                              just<value_of<MK>> rho) {
  using T = value_of<MK>;
  constexpr bool known = takes<types<Shift, Sync>, Options...>;
  constexpr int nx = MB::static_rows, nu = MB::static_cols;
  constexpr bool fits = detail::gain_fits<MP, MA, MB, MR, MK>() && agree(MQ::static_rows, nx) &&
                        agree(MQ::static_cols, nx) && agree(MN::static_rows, nx) && agree(MN::static_cols, nx);
  constexpr bool holds = detail::holds_scratch<W, T, (nx < 0 || nu < 0 ? -1 : nu * nu + nx * nu + nx * nx)>();
  static_assert(known, "glass: riccati_step takes the options Shift and Sync, in any order.");
  static_assert(
      fits,
      "glass: riccati_step: the sizes do not fit: P, A, Q and Pnew are NX x NX, B is NX x NU, R is NU x NU, K "
      "is NU x NX.");
  static_assert(MK::writable && MN::writable, "glass: riccati_step writes K and Pnew, but one of them is const.");
  static_assert(holds, "glass: riccati_step: the scratch is a writable vector of NU NU + NX NU + NX NX numbers.");
  int info = 0;
  if constexpr (known && fits && MK::writable && MN::writable && holds) {
    constexpr Shift shift = chosen<Shift::none, 0, Options...>();
    const int n = b.rows(), m = b.cols();
    const auto h = detail::cut<nu, nu>(scratch.data, m, m);
    const auto pb = detail::cut<nx, nu>(scratch.data + m * m, n, m);
    const auto pa = detail::cut<nx, nx>(scratch.data + m * m + n * m, n, n);
    gemm<Sync::no>(scope, 1, p, a, pa);
    detail::form_input_cost<shift>(scope, p, b, r, T(rho), h, pb);
    info = potrf(scope, h);
    if (info == 0) {
      gemm<Trans::yes>(scope, 1, pb, a, k);
      trsm(scope, 1, h, k);  // V = L^-1 B^T P A: K^T B^T P A = V^T V
      detail::symmetric_product<Fill::full>(scope, true, a.transposed(), pa, p_new, [&](int i, int j, T sum) {
        sum += q(i, j);
        for (int e = 0; e < m; ++e) sum = fused(-k(e, i), k(e, j), sum);
        return sum;
      });
      scope.sync();
      trsm<Trans::yes, Sync::no>(scope, 1, h, k);
    }
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}
template <auto... Options, class S, class MP, class MA, class MB, class MQ, class MR, class MK, class MN, class W,
          detail::when<is_view<MP> && is_view<MA> && is_view<MB> && is_view<MQ> && is_view<MR> && is_view<MK> &&
                       is_view<MN> && is_view<W>> = 0>
GLASS_DEVICE int riccati_step(S scope, MP p, MA a, MB b, MQ q, MR r, MK k, MN p_new, W scratch) {
  static_assert(chosen<Shift::none, 0, Options...>() == Shift::none,
                "glass: riccati_step with a Shift takes rho after the scratch.");
  return riccati_step<Options...>(scope, p, a, b, q, r, k, p_new, scratch, value_of<MK>(0));
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
GLASS_FACES_2(riccati_step, NX, NU,
              (const just<T>* P, const just<T>* A, const just<T>* B, const just<T>* Q, const just<T>* R, just<T>* K,
               just<T>* Pnew, just<T>* scratch),
              (as_matrix(P, NX, NX), as_matrix(A, NX, NX), as_matrix(B, NX, NU), as_matrix(Q, NX, NX),
               as_matrix(R, NU, NU), as_matrix(K, NU, NX), as_matrix(Pnew, NX, NX), detail::as_scratch(scratch)))
GLASS_FACES_2(riccati_step, NX, NU,
              (const just<T>* P, const just<T>* A, const just<T>* B, const just<T>* Q, const just<T>* R, just<T>* K,
               just<T>* Pnew, just<T>* scratch, just<T> rho),
              (as_matrix(P, NX, NX), as_matrix(A, NX, NX), as_matrix(B, NX, NU), as_matrix(Q, NX, NX),
               as_matrix(R, NU, NU), as_matrix(K, NU, NX), as_matrix(Pnew, NX, NX), detail::as_scratch(scratch), rho))
}  // namespace glass
