// Scratch operands: how they are checked, how the pointer faces pass them, and how a body cuts matrices and vectors out
// of them. In these functions a size of -1 is known at run time only.
#pragma once
#include <glass/core/view.cuh>
namespace glass::detail {
// The scratch of a pointer face, whose size nobody knows.
template <class T>
GLASS_SCALAR constexpr vector<T, dynamic> as_scratch(T* p) {
  return {p, 0};
}
// A scratch operand: a vector with increment 1 and at least `Needed` numbers.
template <class V, class T, int Needed>
GLASS_SCALAR constexpr bool holds_scratch() {
  return V::writable && V::static_cols == 1 && V::static_inc == 1 && same<value_of<V>, T> &&
         (V::static_rows < 0 || V::static_rows >= Needed);
}
template <int N>
GLASS_SCALAR constexpr auto extent_or_dynamic() {
  if constexpr (N < 0)
    return dynamic;
  else
    return N;
}
// M x N numbers at p, or N.
template <int M, int N, class T>
GLASS_SCALAR constexpr auto cut(T* p, int m, int n) {
  return matrix<T, extent_or_dynamic<M>(), extent_or_dynamic<N>()>(p, m, n);
}
template <int N, class T>
GLASS_SCALAR constexpr auto cut(T* p, int n) {
  return vector<T, extent_or_dynamic<N>()>(p, n);
}
}  // namespace glass::detail
