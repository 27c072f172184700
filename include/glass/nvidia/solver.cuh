// The calls of cuSOLVERDx that the faces of factor.cuh and spectrum.cuh make: matrices of constant size by columns, with
// no gaps, in the shared memory of one block of `Lanes` threads. Where cuSOLVERDx is not at hand each is one sentence.
#pragma once
#include <glass/nvidia/lanes.cuh>
#ifndef GLASS_CUSOLVERDX_TROUBLE
#include <cusolverdx.hpp>
#endif
namespace glass::nvidia::detail::solver {
#ifdef GLASS_CUSOLVERDX_TROUBLE
template <class T>
GLASS_DEVICE void absent() {
  static_assert(never<T>, "glass: the headers of cuSOLVERDx " GLASS_CUSOLVERDX_TROUBLE ".");
}
template <int Lanes, int N, class T>
GLASS_DEVICE void cholesky(T*, int*) {
  absent<T>();
}
template <int Lanes, int N, int R, class T>
GLASS_DEVICE void cholesky_solve(const T*, T*) {
  absent<T>();
}
template <int Lanes, int N, Pivot P, class T>
GLASS_DEVICE void lu(T*, int*, int*) {
  absent<T>();
}
template <int Lanes, int N, int R, Pivot P, Trans How, class T>
GLASS_DEVICE void lu_solve(const T*, const int*, T*) {
  absent<T>();
}
template <int Lanes, int M, int N, Side S, Fill F, Trans How, Diag D, class T>
GLASS_DEVICE void triangle_solve(const T*, T*) {
  absent<T>();
}
template <int Lanes, int M, int N, class T>
GLASS_DEVICE void qr(T*, T*) {
  absent<T>();
}
template <int Lanes, int M, int N, int K, Side S, Trans How, class T>
GLASS_DEVICE void apply_q(const T*, const T*, T*) {
  absent<T>();
}
template <int Lanes, int M, int N, int R, class T>
GLASS_DEVICE void least_squares(T*, T*, T*) {
  absent<T>();
}
template <int Lanes, int N, class T>
GLASS_SCALAR constexpr int eigen_work() {
  return 0;
}
template <int Lanes, int N, class T>
GLASS_DEVICE void eigen(T*, T*, T*, int*) {
  absent<T>();
}
#else
namespace dx = cusolverdx;
template <int Lanes, class T, int M, int N, int K>
using basis = decltype(dx::Size<M, N, K>() + dx::Precision<T>() + dx::Type<dx::type::real>() +
                       dx::Arrangement<dx::col_major, dx::col_major>() + dx::SM<architecture>() + dx::Block() +
                       dx::BlockDim<Lanes>());
template <Fill F>
using triangle = dx::FillMode<F == Fill::upper ? dx::upper : dx::lower>;
template <Trans How>
using transposition = dx::TransposeMode<How == Trans::yes ? dx::trans : dx::non_trans>;
template <Side S>
using side = dx::Side<S == Side::right ? dx::side::right : dx::side::left>;

template <int Lanes, int N, class T>
GLASS_DEVICE void cholesky(T* a, int* status) {
  using call = decltype(basis<Lanes, T, N, N, 1>() + dx::Function<dx::function::potrf>() + triangle<Fill::lower>());
  call().execute(a, unsigned(N), status);
}
template <int Lanes, int N, int R, class T>
GLASS_DEVICE void cholesky_solve(const T* l, T* b) {
  using call = decltype(basis<Lanes, T, N, N, R>() + dx::Function<dx::function::potrs>() + triangle<Fill::lower>());
  call().execute(l, unsigned(N), b, unsigned(N));
}
// The library counts pivots from 1.
template <int Lanes, int N, Pivot P, class T>
GLASS_DEVICE void lu(T* a, int* pivots, int* status) {
  if constexpr (P == Pivot::partial) {
    using call = decltype(basis<Lanes, T, N, N, 1>() + dx::Function<dx::function::getrf_partial_pivot>());
    call().execute(a, unsigned(N), pivots, status);
  } else {
    using call = decltype(basis<Lanes, T, N, N, 1>() + dx::Function<dx::function::getrf_no_pivot>());
    call().execute(a, unsigned(N), status);
  }
}
template <int Lanes, int N, int R, Pivot P, Trans How, class T>
GLASS_DEVICE void lu_solve(const T* a, const int* pivots, T* b) {
  if constexpr (P == Pivot::partial) {
    using call =
        decltype(basis<Lanes, T, N, N, R>() + dx::Function<dx::function::getrs_partial_pivot>() + transposition<How>());
    call().execute(a, unsigned(N), pivots, b, unsigned(N));
  } else {
    using call =
        decltype(basis<Lanes, T, N, N, R>() + dx::Function<dx::function::getrs_no_pivot>() + transposition<How>());
    call().execute(a, unsigned(N), b, unsigned(N));
  }
}
// b: m x n; the order of a is m on the left, n on the right. Before release 0.3 the sizes of trsm are the order of a
// and the number of right-hand sides.
template <int Lanes, int M, int N, Side S, Fill F, Trans How, Diag D, class T>
GLASS_DEVICE void triangle_solve(const T* a, T* b) {
  constexpr int order = S == Side::left ? M : N;
#if CUSOLVERDX_VERSION >= 300
  using sizes = basis<Lanes, T, M, N, 1>;
#else
  using sizes = basis<Lanes, T, order, order, S == Side::left ? N : M>;
#endif
  using call = decltype(sizes() + dx::Function<dx::function::trsm>() + side<S>() + triangle<F>() +
                                        transposition<How>() + dx::Diag <
                                    D ==
                                Diag::unit
                            ? dx::diag::unit
                            : dx::diag::non_unit > ());
  call().execute(a, unsigned(order), b, unsigned(M));
}
template <int Lanes, int M, int N, class T>
GLASS_DEVICE void qr(T* a, T* tau) {
  using call = decltype(basis<Lanes, T, M, N, 1>() + dx::Function<dx::function::geqrf>());
  call().execute(a, unsigned(M), tau);
}
template <int Lanes, int M, int N, int K, Side S, Trans How, class T>
GLASS_DEVICE void apply_q(const T* a, const T* tau, T* c) {
  using call =
      decltype(basis<Lanes, T, M, N, K>() + dx::Function<dx::function::unmqr>() + side<S>() + transposition<How>());
  call().execute(a, unsigned(S == Side::left ? M : N), tau, c, unsigned(M));
}
// b: max(m, n) rows.
template <int Lanes, int M, int N, int R, class T>
GLASS_DEVICE void least_squares(T* a, T* tau, T* b) {
  using call = decltype(basis<Lanes, T, M, N, R>() + dx::Function<dx::function::gels>());
  call().execute(a, unsigned(M), tau, b, unsigned(M > N ? M : N));
}
#if CUSOLVERDX_VERSION >= 300
template <int Lanes, int N, class T>
using heev = decltype(basis<Lanes, T, N, N, 1>() + dx::Function<dx::function::heev>() + triangle<Fill::lower>() +
                      dx::Job<dx::job::overwrite_vectors>());
template <int Lanes, int N, class T>
GLASS_SCALAR constexpr int eigen_work() {
  return int(heev<Lanes, N, T>::workspace_size);
}
template <int Lanes, int N, class T>
GLASS_DEVICE void eigen(T* a, T* w, T* work, int* status) {
  heev<Lanes, N, T>().execute(a, unsigned(N), w, work, status);
}
#else
template <int Lanes, int N, class T>
GLASS_SCALAR constexpr int eigen_work() {
  return 0;
}
template <int Lanes, int N, class T>
GLASS_DEVICE void eigen(T*, T*, T*, int*) {
  static_assert(never<T>, "glass: nvidia::block::syev needs cuSOLVERDx 0.3 (heev) or later.");
}
#endif
#endif
}  // namespace glass::nvidia::detail::solver
