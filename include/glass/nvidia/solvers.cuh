// The pointer faces glass::nvidia::block::potrf … trsv, and how much shared memory each takes. Contract:
// nvidia/factor.cuh.
#pragma once
#include <glass/nvidia/factor.cuh>
namespace glass::nvidia::block {
template <class T, int N>
GLASS_SCALAR constexpr int potrf_shared_bytes() {
  return detail::room_for<T>(N * N);
}
template <class T, int N, int NRHS = 1>
GLASS_SCALAR constexpr int posv_shared_bytes() {
  return detail::room_for<T>(N * N) + detail::room_for<T>(N * NRHS);
}
template <class T, int N, int NRHS = 1>
GLASS_SCALAR constexpr int potrs_shared_bytes() {
  return posv_shared_bytes<T, N, NRHS>();
}
// Also of the forms without pivots. Staged::no: getrs and gesv still take detail::room_for<int>(N) for pivots.
template <class T, int N>
GLASS_SCALAR constexpr int getrf_shared_bytes() {
  return detail::room_for<T>(N * N) + detail::room_for<int>(N);
}
template <class T, int N, int NRHS = 1>
GLASS_SCALAR constexpr int gesv_shared_bytes() {
  return getrf_shared_bytes<T, N>() + detail::room_for<T>(N * NRHS);
}
template <class T, int N, int NRHS = 1>
GLASS_SCALAR constexpr int getrs_shared_bytes() {
  return gesv_shared_bytes<T, N, NRHS>();
}
// Enough for both sides.
template <class T, int M, int N, Side S = Side::left>
GLASS_SCALAR constexpr int trsm_shared_bytes() {
  return detail::room_for<T>(S == Side::left ? M * M : N * N) + detail::room_for<T>(M * N);
}
template <class T, int N>
GLASS_SCALAR constexpr int trsv_shared_bytes() {
  return trsm_shared_bytes<T, N, 1>();
}

template <class T, int N, auto... P, class... Memory>
GLASS_DEVICE int potrf(just<T>* A, Memory*... memory) {
  return detail::factor_cholesky<N, P...>(A, memory...);
}
template <class T, int N, auto... P, class... Memory>
GLASS_DEVICE void potrs(const just<T>* L, just<T>* B, Memory*... memory) {
  detail::solve_cholesky<N, P...>(L, B, memory...);
}
template <class T, int N, auto... P, class... Memory>
GLASS_DEVICE int posv(just<T>* A, just<T>* B, Memory*... memory) {
  return detail::factor_and_solve_cholesky<N, P...>(A, B, T(0), memory...);
}
template <class T, int N, auto... P, class... Memory>
GLASS_DEVICE int posv(just<T>* A, just<T>* B, just<T> rho, Memory*... memory) {
  return detail::factor_and_solve_cholesky<N, P...>(A, B, rho, memory...);
}
template <class T, int N, auto... P, class... Memory>
GLASS_DEVICE int getrf(just<T>* A, int* piv, Memory*... memory) {
  return detail::factor_lu_of<N, Pivot::partial, P...>(A, piv, memory...);
}
template <class T, int N, auto... P, class... Memory>
GLASS_DEVICE int getrf_no_pivot(just<T>* A, Memory*... memory) {
  return detail::factor_lu_of<N, Pivot::none, P...>(A, static_cast<int*>(nullptr), memory...);
}
template <class T, int N, auto... P, class... Memory>
GLASS_DEVICE void getrs(const just<T>* LU, const int* piv, just<T>* B, Memory*... memory) {
  detail::solve_lu_of<N, Pivot::partial, P...>(LU, piv, B, memory...);
}
template <class T, int N, auto... P, class... Memory>
GLASS_DEVICE void getrs_no_pivot(const just<T>* LU, just<T>* B, Memory*... memory) {
  detail::solve_lu_of<N, Pivot::none, P...>(LU, static_cast<const int*>(nullptr), B, memory...);
}
template <class T, int N, auto... P, class... Memory>
GLASS_DEVICE int gesv(just<T>* A, int* piv, just<T>* B, Memory*... memory) {
  return detail::factor_and_solve_lu<N, Pivot::partial, P...>(A, piv, B, memory...);
}
template <class T, int N, auto... P, class... Memory>
GLASS_DEVICE int gesv_no_pivot(just<T>* A, just<T>* B, Memory*... memory) {
  return detail::factor_and_solve_lu<N, Pivot::none, P...>(A, static_cast<int*>(nullptr), B, memory...);
}
template <class T, int M, int N, auto... P, class... Memory>
GLASS_DEVICE void trsm(just<T> alpha, const just<T>* A, just<T>* B, Memory*... memory) {
  detail::solve_triangle<M, N, P...>(alpha, A, B, memory...);
}
template <class T, int N, auto... P, class... Memory>
GLASS_DEVICE void trsv(const just<T>* A, just<T>* x, Memory*... memory) {
  detail::solve_triangle<N, 1, P...>(T(1), A, x, memory...);
}
}  // namespace glass::nvidia::block
