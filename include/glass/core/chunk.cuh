// A chunk: n neighbouring numbers in one vector register of the host's CPU, for the thread scope there (one problem
// after another on a core). On CUDA there are none: vector_bytes is 0, and what uses chunks is never instantiated. The
// compilers' vector extension, no intrinsics: any CPU.
#pragma once
#include <glass/core/view.cuh>
namespace glass::detail {
#if GLASS_CUDA
inline constexpr int vector_bytes = 0;
#elif defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif
// Loops over chunks in registers: the compiler must unroll them, or the chunks live in memory.
#if GLASS_CUDA
#define GLASS_UNROLL_CHUNKS
#elif defined(__clang__)
#define GLASS_UNROLL_CHUNKS _Pragma("unroll")
#else
#define GLASS_UNROLL_CHUNKS _Pragma("GCC unroll 16")
#endif
template <class T>
inline constexpr int native_chunk = vector_bytes / int(sizeof(T));
// A column of this view is one run of memory.
template <class View>
inline constexpr bool has_runs = View::order == Order::col&& View::static_inc == 1;
template <class T, auto N, auto Inc>
inline constexpr bool has_runs<vector<T, N, Inc>> = vector<T, N, Inc>::static_inc == 1;

template <class T, int n>
struct chunk;
#if !GLASS_CUDA
template <int Bytes>
struct index_of;
template <>
struct index_of<4> {
  using type = int;
};
template <>
struct index_of<8> {
  using type = long long;
};
template <class T, int n>
struct chunk {
  typedef T raw __attribute__((vector_size(n * sizeof(T))));
  typedef typename index_of<sizeof(T)>::type indices __attribute__((vector_size(n * sizeof(T))));
  raw v;
  GLASS_SCALAR static chunk load(const T* p) {
    chunk c;
    __builtin_memcpy(&c.v, p, sizeof(raw));
    return c;
  }
  GLASS_SCALAR static chunk all(T x) { return {x - raw{}}; }
  GLASS_SCALAR void store(T* p) const { __builtin_memcpy(p, &v, sizeof(raw)); }
  // Lanes before `first` from `other`, the rest from this.
  GLASS_SCALAR chunk from(int first, chunk other) const {
    indices i;
    for (int lane = 0; lane < n; ++lane) i[lane] = lane;
    return {i >= first ? v : other.v};
  }
  GLASS_SCALAR friend chunk operator*(chunk a, chunk b) { return {a.v * b.v}; }
  // c - a b and c + a b, fused where the CPU can.
  GLASS_SCALAR friend chunk less(chunk c, chunk a, chunk b) { return {c.v - a.v * b.v}; }
  GLASS_SCALAR friend chunk more(chunk c, chunk a, chunk b) { return {c.v + a.v * b.v}; }
};
#endif
}  // namespace glass::detail
