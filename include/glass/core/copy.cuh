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
