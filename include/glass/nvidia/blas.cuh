// glass::nvidia::block::gemm and gemv over cuBLASDx: names, argument order, layouts and rules for alpha and beta of
// glass::block::gemm and gemv (matrix/gemm.cuh, matrix/gemv.cuh).
//   gemm<T, M, N, K, options…>(alpha, A, B, beta, C [, memory])    gemm<…>(alpha, A, B, C [, memory])
//   gemv<T, M, N, options…>(alpha, A, x, beta, y [, memory])       gemv<…>(alpha, A, x, y [, memory])
// sizes    constants, T float or double. M = 0, N = 0, K = 0 are done without the library.
// options  Trans (gemm: A's, then B's), Order (of gemm's C, of gemv's A), Threads{…} of the calling block, Staged, Sync.
//          Sync::no is taken and changes nothing.
// memory   Staged::yes: gemm_shared_bytes<T, M, N, K>() (gemv_shared_bytes<T, M, N>()) bytes of shared memory at a
//          multiple of 16, which the call uses for copies of its operands and then leaves; without it, and up to 48 KB,
//          the kernel has them as static shared memory. Its type is void* or char*. Staged::no: the operands lie in shared memory, nothing is copied.
// lanes    every thread of a one-dimensional block of Threads{…} (128 unless given); ends synchronised.
#pragma once
#include <glass/core/faces.cuh>
#include <glass/nvidia/lanes.cuh>
#ifndef GLASS_CUBLASDX_TROUBLE
#include <cublasdx.hpp>
#endif
namespace glass::nvidia::detail {
// c <- alpha op(a) op(b) + beta c in shared memory; ByRows: a is m x k (k x n, m x n) by rows.
#ifdef GLASS_CUBLASDX_TROUBLE
template <int Lanes, int M, int N, int K, bool ARows, bool BRows, bool CRows, class T>
GLASS_DEVICE void multiply_in_block(T, const T*, const T*, T, T*) {
  static_assert(never<T>, "glass: the headers of cuBLASDx " GLASS_CUBLASDX_TROUBLE ".");
}
#else
template <bool ByRows>
inline constexpr auto arranged = ByRows ? cublasdx::row_major : cublasdx::col_major;
template <int Lanes, int M, int N, int K, bool ARows, bool BRows, bool CRows, class T>
GLASS_DEVICE void multiply_in_block(T alpha, const T* a, const T* b, T beta, T* c) {
  using product = decltype(cublasdx::Size<M, N, K>() + cublasdx::Precision<T>() +
                           cublasdx::Type<cublasdx::type::real>() + cublasdx::Function<cublasdx::function::MM>() +
                           cublasdx::Arrangement<arranged<ARows>, arranged<BRows>, arranged<CRows>>() +
                           cublasdx::SM<architecture>() + cublasdx::Block() + cublasdx::BlockDim<Lanes>());
  product().execute(alpha, const_cast<T*>(a), const_cast<T*>(b), beta, c);
}
#endif
// Memory that is no number's, so that gemm(1, A, B, 0, C) is the form with a beta of 0.
template <class... Memory>
inline constexpr bool is_bytes = (true && ... &&
                                  (glass::detail::same<Memory, void> || glass::detail::same<Memory, char> ||
                                   glass::detail::same<Memory, unsigned char>));
template <bool UsesBeta, int M, int N, int K, auto... O, class T, class... Memory>
GLASS_DEVICE void multiply(T alpha, const T* a, const T* b, T beta, T* c, Memory*... memory) {
  constexpr bool known = takes<types<Trans, Trans, Order, Threads, Staged, Sync>, O...>;
  constexpr bool real = glass::detail::same<T, float> || glass::detail::same<T, double>;
  constexpr bool sizes = M >= 0 && N >= 0 && K >= 0, once = sizeof...(Memory) <= 1;
  constexpr Order order = chosen<Order::col, 0, O...>();
  static_assert(
      known,
      "glass: nvidia::block::gemm and gemv take the options Trans (gemm two), Order, Threads, Staged and Sync, "
      "in any order.");
  static_assert(real, "glass: the faces of cuBLASDx multiply float and double.");
  static_assert(sizes && once && order != Order::interleaved,
                "glass: nvidia::block::gemm takes sizes of at least 0, Order::col or row, and one pointer to memory.");
  if constexpr (known && real && sizes && once && order != Order::interleaved) {
    constexpr bool ta = chosen<Trans::no, 0, O...>() == Trans::yes, tb = chosen<Trans::no, 1, O...>() == Trans::yes;
    constexpr int bytes = is_staged<O...> ? room_for<T>(M * K) + room_for<T>(K * N) + room_for<T>(M * N) : 0;
    const auto block = calling_block<O...>();
    if (!UsesBeta) beta = T(0);
    if (K == 0 || alpha == T(0)) {  // neither A nor B is read
      for (int i = block.rank(); i < M * N; i += block.size()) c[i] = beta == T(0) ? T(0) : beta * c[i];
    } else if constexpr (M > 0 && N > 0 && K > 0) {
      if constexpr (is_staged<O...>) {
        cutter cut{memory_of_call<bytes>(memory...)};
        T* const as = cut.take<T>(M * K);
        T* const bs = cut.take<T>(K * N);
        T* const cs = cut.take<T>(M * N);
        copy_numbers(block, M * K, a, as);
        copy_numbers(block, K * N, b, bs);
        for (int i = block.rank(); i < M * N; i += block.size()) cs[i] = beta == T(0) ? T(0) : c[i];
        block.sync();
        multiply_in_block<threads_of<O...>, M, N, K, ta, tb, order == Order::row>(alpha, as, bs, beta, cs);
        block.sync();
        copy_numbers(block, M * N, cs, c);
      } else {
        if (beta == T(0))
          for (int i = block.rank(); i < M * N; i += block.size()) c[i] = T(0);
        block.sync();
        multiply_in_block<threads_of<O...>, M, N, K, ta, tb, order == Order::row>(alpha, a, b, beta, c);
      }
    }
    block.sync();
  }
}
}  // namespace glass::nvidia::detail

namespace glass::nvidia::block {
// Bytes of shared memory that a staged call takes, whatever its options.
template <class T, int M, int N, int K>
GLASS_SCALAR constexpr int gemm_shared_bytes() {
  return detail::room_for<T>(M * K) + detail::room_for<T>(K * N) + detail::room_for<T>(M * N);
}
template <class T, int M, int N>
GLASS_SCALAR constexpr int gemv_shared_bytes() {
  return detail::room_for<T>(M * N) + detail::room_for<T>(M) + detail::room_for<T>(N);
}
template <class T, int M, int N, int K, auto... O, class... Memory>
GLASS_DEVICE void gemm(just<T> alpha, const just<T>* A, const just<T>* B, just<T> beta, just<T>* C, Memory*... memory) {
  detail::multiply<true, M, N, K, O...>(alpha, A, B, beta, C, memory...);
}
template <class T, int M, int N, int K, auto... O, class... Memory,
          glass::detail::when<detail::is_bytes<Memory...>> = 0>
GLASS_DEVICE void gemm(just<T> alpha, const just<T>* A, const just<T>* B, just<T>* C, Memory*... memory) {
  detail::multiply<false, M, N, K, O...>(alpha, A, B, T(0), C, memory...);
}
}  // namespace glass::nvidia::block
namespace glass::nvidia::detail {
// op(A) x as a product of one column: of two Trans that `multiply` knows the first is A's.
template <bool UsesBeta, int M, int N, auto... O, class T, class... Memory>
GLASS_DEVICE void multiply_vector(T alpha, const T* a, const T* x, T beta, T* y, Memory*... memory) {
  constexpr bool known = takes<types<Trans, Order, Threads, Staged, Sync>, O...>;
  static_assert(known,
                "glass: nvidia::block::gemv takes the options Trans, Order, Threads, Staged and Sync, in any order.");
  if constexpr (known) {
    constexpr bool across = chosen<Trans::no, 0, O...>() == Trans::yes;
    constexpr bool rows = (chosen<Order::col, 0, O...>() == Order::row) != across;  // of op(A)
    constexpr Threads threads = chosen<Threads::few, 0, O...>();
    multiply<UsesBeta, across ? N : M, 1, across ? M : N, rows ? Trans::yes : Trans::no, threads,
             chosen<Staged::yes, 0, O...>()>(alpha, a, x, beta, y, memory...);
  }
}
}  // namespace glass::nvidia::detail
namespace glass::nvidia::block {
template <class T, int M, int N, auto... O, class... Memory>
GLASS_DEVICE void gemv(just<T> alpha, const just<T>* A, const just<T>* x, just<T> beta, just<T>* y, Memory*... memory) {
  detail::multiply_vector<true, M, N, O...>(alpha, A, x, beta, y, memory...);
}
template <class T, int M, int N, auto... O, class... Memory, glass::detail::when<detail::is_bytes<Memory...>> = 0>
GLASS_DEVICE void gemv(just<T> alpha, const just<T>* A, const just<T>* x, just<T>* y, Memory*... memory) {
  detail::multiply_vector<false, M, N, O...>(alpha, A, x, T(0), y, memory...);
}
}  // namespace glass::nvidia::block
