// What the block faces share: the block that calls, and copies of its matrices in shared memory.
#pragma once
#include <glass/core/math.cuh>
#include <glass/core/scope.cuh>
#include <glass/core/view.cuh>
#include <glass/nvidia/found.cuh>
#ifndef __CUDACC_RTC__
#include <cstdio>  // printf, which NVRTC knows by itself
#endif
namespace glass::nvidia::detail {
// The calling block, a line of Threads{…} threads; at run time a block of another shape ends the kernel with a sentence.
template <auto... Options>
GLASS_DEVICE auto calling_block() {
  constexpr bool right = threads_of<Options...> >= 1 && threads_of<Options...> <= 1024;
  static_assert(right, "glass: a block has 1 to 1024 threads: Threads{128}.");
  if constexpr (right) {
    if (!scope::detail::block_is_line_of(threads_of<Options...>)) {
      if (scope::detail::linear_thread() == 0)
        printf(
            "glass: a face of glass::nvidia::block is compiled for a line of %d threads (Threads{%d}); the block that "
            "calls it has %d, or is no line.\n",
            threads_of<Options...>, threads_of<Options...>, scope::block<>{}.size());
      scope::detail::stop();
    }
    return scope::block<threads_of<Options...>>{};
  } else {
    return scope::block<>{};
  }
}
// Bytes of `count` numbers, as they are cut from a call's memory: each array at a multiple of 16 bytes.
template <class T>
GLASS_SCALAR constexpr int room_for(int count) {
  return (count * int(sizeof(T)) + 15) / 16 * 16;
}
// The memory of a call: what the caller gives, else static shared memory of the kernel, one piece for all calls of one
// size.
template <int Bytes, class Memory>
GLASS_DEVICE char* memory_of_call(Memory* given) {
  return reinterpret_cast<char*>(given);
}
template <int Bytes>
GLASS_DEVICE char* memory_of_call() {
  constexpr bool fits = Bytes <= scope::most_exchange;
  static_assert(
      fits,
      "glass: this call copies more than 48 KB into shared memory: give it OP_shared_bytes<T, sizes…>() bytes of "
      "the launch's dynamic shared memory as its last argument.");
  if constexpr (fits)
    return scope::detail::exchange_memory<char, (Bytes > 0 ? Bytes : 16), 1>(0);
  else
    return nullptr;
}
// Cuts arrays off it.
struct cutter {
  char* at;
  template <class T>
  GLASS_DEVICE T* take(int count) {
    T* p = reinterpret_cast<T*>(at);
    at += room_for<T>(count);
    return p;
  }
};
// to(i) <- from(i), i in [0, n), by all lanes. Ends without a sync.
template <class S, class T>
GLASS_DEVICE void copy_numbers(S scope, int n, const T* from, T* to) {
  for (int i = scope.rank(); i < n; i += scope.size()) to[i] = from[i];
}
// The same of the lower triangle of n x n.
template <class S, class T>
GLASS_DEVICE void copy_lower(S scope, int n, const T* from, T* to) {
  for (int i = scope.rank(); i < n * n; i += scope.size())
    if (i % n >= i / n) to[i] = from[i];
}
struct lesser {
  GLASS_DEVICE int operator()(int a, int b) const { return b < a ? b : a; }
};
// 0, or the least k in 1 .. n whose diagonal element of a(leading dimension ld) is not `right`, or the status that the
// library gave, if that is less. In every lane.
template <class S, class T, class Right>
GLASS_DEVICE int info_of(S scope, int n, const T* a, int ld, int status, Right right) {
  int first = status > 0 ? status : n + 1;
  for (int k = scope.rank(); k < n; k += scope.size())
    if (!right(a[k + k * ld])) first = k + 1 < first ? k + 1 : first;
  first = scope.reduce(first, lesser{});
  return first > n ? 0 : first;
}
}  // namespace glass::nvidia::detail
