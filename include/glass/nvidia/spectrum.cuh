// glass::nvidia::block::geqrf, ormqr, gels and syev over cuSOLVERDx: names, argument order, layouts, info of
// glass::block's (spectrum/*.cuh). unmqr is another name of ormqr, heev of syev.
//   geqrf<T, M, N>(A, tau)                  ormqr<T, M, N, K, Side, Trans>(A, tau, C)
//   gels<T, M, N, NRHS>(A, B, scratch) -> info    scratch: min(M, N) numbers, anywhere; not touched where A is copied
//   syev<T, N>(A, W, V, scratch) -> info    from release 0.3 of cuSOLVERDx on; scratch is not touched
// each with a pointer to shared memory as one more argument at the end, or without. Sizes, options, memory and lanes as
// in nvidia/factor.cuh; Staged::no is not for syev, whose A stays as it is.
#pragma once
#include <glass/nvidia/factor.cuh>
namespace glass::nvidia::detail {
struct is_number_at_all {
  template <class T>
  GLASS_DEVICE bool operator()(T d) const {
    return d == d && d != T(0);
  }
};
template <int M, int N, auto... P, class T, class... Memory>
GLASS_DEVICE void factor_qr(T* a, T* tau, Memory*... memory) {
  if constexpr (M > 0 && N > 0 && solver_takes<types<Threads, Staged, Sync>, T, least_of(M, N), P...>()) {
    const auto block = calling_block<P...>();
    if constexpr (is_staged<P...>) {
      cutter cut{memory_of_call<room_for<T>(M * N) + room_for<T>(least_of(M, N))>(memory...)};
      T* const as = cut.take<T>(M * N);
      T* const ts = cut.take<T>(least_of(M, N));
      copy_numbers(block, M * N, a, as);
      block.sync();
      solver::qr<threads_of<P...>, M, N>(as, ts);
      block.sync();
      copy_numbers(block, M * N, as, a);
      copy_numbers(block, least_of(M, N), ts, tau);
    } else {
      block.sync();
      solver::qr<threads_of<P...>, M, N>(a, tau);
    }
    block.sync();
  }
}
template <int M, int N, int K, auto... P, class T, class... Memory>
GLASS_DEVICE void multiply_by_q(const T* a, const T* tau, T* c, Memory*... memory) {
  constexpr Side where = chosen<Side::left, 0, P...>();
  constexpr Trans how = chosen<Trans::no, 0, P...>();
  constexpr int rows = where == Side::left ? M : N, least = least_of(least_of(M, N), rows - K < 0 ? -1 : K);
  if constexpr (M > 0 && N > 0 && K > 0 && solver_takes<types<Side, Trans, Threads, Staged, Sync>, T, least, P...>()) {
    const auto block = calling_block<P...>();
    if constexpr (is_staged<P...>) {
      cutter cut{memory_of_call<room_for<T>(rows * K) + room_for<T>(K) + room_for<T>(M * N)>(memory...)};
      T* const as = cut.take<T>(rows * K);
      T* const ts = cut.take<T>(K);
      T* const cs = cut.take<T>(M * N);
      copy_numbers(block, rows * K, a, as);
      copy_numbers(block, K, tau, ts);
      copy_numbers(block, M * N, c, cs);
      block.sync();
      solver::apply_q<threads_of<P...>, M, N, K, where, how>(as, ts, cs);
      block.sync();
      copy_numbers(block, M * N, cs, c);
    } else {
      block.sync();
      solver::apply_q<threads_of<P...>, M, N, K, where, how>(a, tau, c);
    }
    block.sync();
  }
}
template <int M, int N, int R, auto... P, class T, class... Memory>
GLASS_DEVICE int solve_least_squares(T* a, T* b, T* scratch, Memory*... memory) {
  constexpr int fewer = least_of(M, N), longer = M + N - fewer;
  if constexpr (fewer > 0 && R > 0 && solver_takes<types<Threads, Staged, Sync>, T, least_of(fewer, R), P...>()) {
    const auto block = calling_block<P...>();
    T* as = a;
    T* ts = scratch;
    T* bs = b;
    if constexpr (is_staged<P...>) {
      cutter cut{memory_of_call<room_for<T>(M * N) + room_for<T>(fewer) + room_for<T>(longer * R)>(memory...)};
      as = cut.take<T>(M * N), ts = cut.take<T>(fewer), bs = cut.take<T>(longer * R);
      copy_numbers(block, M * N, a, as);
      copy_numbers(block, longer * R, b, bs);
    }
    block.sync();
    solver::least_squares<threads_of<P...>, M, N, R>(as, ts, bs);
    block.sync();
    const int info = info_of(block, fewer, as, M, 0, is_number_at_all{});
    if constexpr (is_staged<P...>) copy_numbers(block, longer * R, bs, b);
    block.sync();
    return info;
  } else {
    return 0;
  }
}
// Bytes of a call of syev with so many threads.
template <class T, int N, int Lanes>
GLASS_SCALAR constexpr int eigen_bytes() {
  return room_for<T>(N * N) + room_for<T>(N) + room_for<T>(solver::eigen_work<Lanes, N, T>());
}
template <int N, auto... P, class T, class... Memory>
GLASS_DEVICE int decompose(const T* a, T* w, T* v, Memory*... memory) {
  if constexpr (N > 0 && solver_takes<types<Threads, Sync>, T, N, P...>()) {
    constexpr int lanes = threads_of<P...>;
    const auto block = calling_block<P...>();
    cutter cut{memory_of_call<eigen_bytes<T, N, lanes>()>(memory...)};
    T* const as = cut.take<T>(N * N);
    T* const ws = cut.take<T>(N);
    T* const work = cut.take<T>(solver::eigen_work<lanes, N, T>());
    int* const status = status_of_call();
    if (block.rank() == 0) *status = 0;
    bool bad = false;
    for (int i = block.rank(); i < N * N; i += block.size()) {
      const int r = i % N, c = i / N;
      as[i] = a[r >= c ? i : c + r * N];  // the lower triangle, in both
      bad = bad || !glass::is_finite(as[i]);
    }
    bad = block.any(bad);  // which also waits for the copies
    if (!bad) solver::eigen<lanes, N>(as, ws, work, status);
    block.sync();
    const T nan = glass::not_a_number<T>();
    for (int i = block.rank(); i < N * N; i += block.size()) v[i] = bad ? nan : as[i];
    for (int i = block.rank(); i < N; i += block.size()) w[i] = bad ? nan : ws[i];
    const int info = bad || *status != 0 ? 1 : 0;
    block.sync();
    return info;
  } else {
    return 0;
  }
}
}  // namespace glass::nvidia::detail
namespace glass::nvidia::block {
template <class T, int M, int N>
GLASS_SCALAR constexpr int geqrf_shared_bytes() {
  return detail::room_for<T>(M * N) + detail::room_for<T>(detail::least_of(M, N));
}
template <class T, int M, int N, int K, Side S = Side::left>
GLASS_SCALAR constexpr int ormqr_shared_bytes() {
  return detail::room_for<T>((S == Side::left ? M : N) * K) + detail::room_for<T>(K) + detail::room_for<T>(M * N);
}
template <class T, int M, int N, int NRHS>
GLASS_SCALAR constexpr int gels_shared_bytes() {
  return geqrf_shared_bytes<T, M, N>() + detail::room_for<T>((M > N ? M : N) * NRHS);
}
// Of the running architecture, for its work space is the library's.
template <class T, int N, Threads Of = Threads::few>
GLASS_SCALAR constexpr int syev_shared_bytes() {
  return detail::eigen_bytes<T, N, int(Of)>();
}
template <class T, int M, int N, auto... P, class... Memory>
GLASS_DEVICE void geqrf(just<T>* A, just<T>* tau, Memory*... memory) {
  detail::factor_qr<M, N, P...>(A, tau, memory...);
}
template <class T, int M, int N, int K, auto... P, class... Memory>
GLASS_DEVICE void ormqr(const just<T>* A, const just<T>* tau, just<T>* C, Memory*... memory) {
  detail::multiply_by_q<M, N, K, P...>(A, tau, C, memory...);
}
template <class T, int M, int N, int K, auto... P, class... Memory>
GLASS_DEVICE void unmqr(const just<T>* A, const just<T>* tau, just<T>* C, Memory*... memory) {
  detail::multiply_by_q<M, N, K, P...>(A, tau, C, memory...);
}
template <class T, int M, int N, int NRHS, auto... P, class... Memory>
GLASS_DEVICE int gels(just<T>* A, just<T>* B, just<T>* scratch, Memory*... memory) {
  return detail::solve_least_squares<M, N, NRHS, P...>(A, B, scratch, memory...);
}
template <class T, int N, auto... P, class... Memory>
GLASS_DEVICE int syev(const just<T>* A, just<T>* W, just<T>* V, just<T>*, Memory*... memory) {
  return detail::decompose<N, P...>(A, W, V, memory...);
}
template <class T, int N, auto... P, class... Memory>
GLASS_DEVICE int heev(const just<T>* A, just<T>* W, just<T>* V, just<T>*, Memory*... memory) {
  return detail::decompose<N, P...>(A, W, V, memory...);
}
}  // namespace glass::nvidia::block
