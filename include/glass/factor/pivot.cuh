// What the bodies of the Cholesky factor share: the pivot's root, the shift of the diagonal, the registers of a
// triangle.
#pragma once
#include <glass/core/math.cuh>
#include <glass/core/options.cuh>
#include <glass/core/view.cuh>
namespace glass::detail {
// sqrt(p) from root = p d and d = reciprocal_root_of_pivot(p), which in f64 is as good as it gets.
GLASS_DEVICE float refined_root(float, float p, float d) { return root_of(p, d); }
GLASS_DEVICE double refined_root(double root, double, double) { return root; }
// A diagonal element of A + rho I or A + rho diag(A).
template <Shift H, class T>
GLASS_SCALAR T shifted(T a, just<T> rho) {
  return H == Shift::identity ? a + rho : H == Shift::diagonal ? fused(rho, a, a) : a;
}
struct no_columns {  // in the place of B: factor only
  static constexpr int static_cols = 0;
  static constexpr bool is_static = true;
};
// Columns begin at a 32-byte sector of memory, if the matrix does: memory is written fastest in whole ones.
template <class A>
GLASS_SCALAR constexpr bool whole_sectors() {
  if constexpr (A::static_rows > 1)
    return A::order == Order::col && A::static_inc == 1 && A::static_ld > 0 &&
           A::static_ld * int(sizeof(value_of<A>)) % 32 == 0;
  else
    return false;
}
// Registers for the triangle, in 32-bit words.
template <class T, int N, int W>
GLASS_SCALAR constexpr int triangle_words() {
  int words = 0;
  for (int first = 0; first < N; first += W) words += (first + W < N ? first + W : N) * int(sizeof(T)) / 4;
  return words;
}
}  // namespace glass::detail
