// The rules that the BLAS operations share: op(A), alpha and beta, and the register tile of a product. What an
// operation computes is in its own header.
#pragma once
#include <glass/core/each.cuh>
#include <glass/core/math.cuh>
#include <glass/core/view.cuh>
namespace glass::detail {
// op(A): A itself, or its transpose as a view of the same numbers.
template <Trans Op, class A>
GLASS_DEVICE auto op(A a) {
  if constexpr (Op == Trans::yes)
    return a.transposed();
  else
    return a;
}
template <Trans Op, class A>
using op_of = decltype(op<Op>(A(nullptr, 0, 0, 0, 0)));

// y <- value + beta y; beta == 0: y is not read.
template <class T>
GLASS_DEVICE void blend(T& y, just<T> value, just<T> beta) {
  y = beta == T(0) ? value : fused(beta, y, value);
}
GLASS_SCALAR constexpr int power_of_two_from(int n) {  // the smallest power of two >= n
  int p = 1;
  while (p < n) p *= 2;
  return p;
}
// The first index >= bound of those that a lane owns: start, start + step, ...
GLASS_SCALAR constexpr int owned_from(int start, int step, int bound) {
  return bound <= start ? start : start + (bound - start + step - 1) / step * step;
}

// Rows and columns of the register tile of a rows x cols product shared by `width` lanes: enough tiles for all lanes.
// Sizes may be -1: unknown.
struct tile_shape {
  int rows, cols;
};
GLASS_SCALAR constexpr tile_shape product_tile(int rows, int cols, int width) {
  const int each = rows < 0 || cols < 0 || width == 0 ? (width == 1 ? 16 : 4) : (rows * cols + width - 1) / width;
  const tile_shape s = each >= 16  ? tile_shape{4, 4}
                       : each >= 8 ? tile_shape{4, 2}
                       : each >= 4 ? tile_shape{2, 2}
                       : each >= 2 ? tile_shape{2, 1}
                                   : tile_shape{1, 1};
  return {rows >= 0 && rows < s.rows ? (rows > 1 ? 2 : 1) : s.rows,
          cols >= 0 && cols < s.cols ? (cols > 1 ? 2 : 1) : s.cols};
}
// sum[u][v] = sum over k of a(row + u row_step, k) b(k, col + v col_step). Rows and columns beyond the matrices repeat
// the last one: the caller does not store them.
template <int TM, int TN, class T, class A, class B>
GLASS_DEVICE void product(T (&sum)[TM][TN], A a, B b, int row, int row_step, int col, int col_step) {
  int i[TM], j[TN];
  GLASS_UNROLL
  for (int u = 0; u < TM; ++u) i[u] = row + u * row_step < a.rows() ? row + u * row_step : a.rows() - 1;
  GLASS_UNROLL
  for (int v = 0; v < TN; ++v) j[v] = col + v * col_step < b.cols() ? col + v * col_step : b.cols() - 1;
  for (int k = 0; k < a.cols(); ++k) {
    T left[TM], right[TN];
    GLASS_UNROLL
    for (int u = 0; u < TM; ++u) left[u] = a(i[u], k);
    GLASS_UNROLL
    for (int v = 0; v < TN; ++v) right[v] = b(k, j[v]);
    GLASS_UNROLL
    for (int u = 0; u < TM; ++u) {
      GLASS_UNROLL
      for (int v = 0; v < TN; ++v) sum[u][v] = fused(left[u], right[v], sum[u][v]);
    }
  }
}
}  // namespace glass::detail
