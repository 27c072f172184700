// Contiguous copies by all lanes of a scope, in 16-byte pieces where both pointers allow it. Neither direction
// synchronises.
#pragma once
#include <glass/core/scope.cuh>
namespace glass {
namespace detail {
#if GLASS_CUDA
struct __align__(16) piece {
  unsigned word[4];
};
#else
struct __attribute__((aligned(16), may_alias)) piece {
  unsigned word[4];
};
#endif
template <class T>
GLASS_DEVICE bool aligned16(const T* p) {
  return reinterpret_cast<unsigned long long>(p) % 16 == 0;
}
// Copies of 16 bytes from global to shared memory that go on beside the arithmetic, in groups: a lane's group ends with
// close_copies, and wait_for_copies<n> waits until at most its last n groups are on their way. For the other lanes a
// sync follows. Architecture 8.0; elsewhere, and on the host, each is done at once.
#if GLASS_CUDA && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800)
template <class T>
GLASS_DEVICE void copy_ahead(T* to, const T* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
               "l"(__cvta_generic_to_global(from))
               : "memory");
}
GLASS_DEVICE void close_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int n>
GLASS_DEVICE void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory");
}
#else
template <class T>
GLASS_DEVICE void copy_ahead(T* to, const T* from) {
  *reinterpret_cast<piece*>(to) = *reinterpret_cast<const piece*>(from);
}
GLASS_DEVICE void close_copies() {}
template <int n>
GLASS_DEVICE void wait_for_copies() {}
#endif
#if GLASS_CUDA
GLASS_DEVICE bool in_global_memory(const void* p) { return __isGlobal(p); }
#else
GLASS_DEVICE bool in_global_memory(const void*) { return true; }
#endif
}  // namespace detail
// to[0 .. n) = from[0 .. n); the ranges do not overlap.
template <class S, class T>
GLASS_DEVICE void copy_run(S scope, T* to, const T* from, int n) {
  constexpr int each = 16 / int(sizeof(T));
  int done = 0;
  if (detail::aligned16(to) && detail::aligned16(from)) {
    auto* target = reinterpret_cast<detail::piece*>(to);
    const auto* source = reinterpret_cast<const detail::piece*>(from);
    for (int i = scope.rank(); i < n / each; i += scope.size()) target[i] = source[i];
    done = n / each * each;
  }
  for (int i = done + scope.rank(); i < n; i += scope.size()) to[i] = from[i];
}
}  // namespace glass
