// gemm's register tiles by vectors of 16 bytes: a lane owns V neighbouring rows of TN columns of C, V numbers to a
// vector. It reads A by columns and B by rows of k, both V numbers at a time. -> kernel notes, gemm `lanes`
// For column-major operands of static sizes, rows of C and k in multiples of V.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/window.cuh>
namespace glass::detail {
template <class A, class B, class C>
inline constexpr bool multiplies_by_vectors =
    A::order == Order::col&& B::order == Order::col&& C::order == Order::col&& C::static_cols > 0 &&
    A::static_rows > 0 && A::static_cols > 0 && has_vectors<A>(numbers_in_vector<value_of<C>>) &&
    has_vectors<B>(numbers_in_vector<value_of<C>>) && has_vectors<C>(numbers_in_vector<value_of<C>>);
// Columns of a lane's tile: as many as leave a tile for every lane, at most 4.
GLASS_SCALAR constexpr int vector_columns(int rows, int cols, int width) {
  int n = 1;
  while (n < 4 && cols % (2 * n) == 0 && rows * cols / (2 * n) >= width) n *= 2;
  return n;
}
template <int TN, class S, class T, class A, class B, class C>
GLASS_DEVICE void gemm_by_vectors(S scope, T alpha, A a, B b, T beta, C c) {
  constexpr int V = numbers_in_vector<T>, K = A::static_cols, across = C::static_cols / TN;
  each(scope, C::static_rows / V, across, [&](int row, int col) {
    T sum[TN][V] = {};
    if (alpha != T(0)) {
      const window<A, false, false> from_a(a, V * row, 0);
      const window<B, false, false> from_b(b, 0, col);
      [[maybe_unused]] constexpr int together = K <= 16 ? K / V : 1;
      GLASS_UNROLL_BY(together)
      for (int k = 0; k < K; k += V) {
        T right[TN][V], left[V][V];
        GLASS_UNROLL
        for (int n = 0; n < TN; ++n) {
          T part[1][V];
          from_b.load(part, k, n * across);
          GLASS_UNROLL
          for (int v = 0; v < V; ++v) right[n][v] = part[0][v];
        }
        from_a.load(left, 0, k);
        GLASS_UNROLL
        for (int v = 0; v < V; ++v) {
          GLASS_UNROLL
          for (int n = 0; n < TN; ++n) {
            GLASS_UNROLL
            for (int u = 0; u < V; ++u) sum[n][u] = fused(left[v][u], right[n][v], sum[n][u]);
          }
        }
      }
    }
    const window<C, false, false> to(c, V * row, col);
    GLASS_UNROLL
    for (int n = 0; n < TN; ++n) {
      T value[1][V] = {};
      if (beta != T(0)) to.load(value, 0, n * across);
      GLASS_UNROLL
      for (int u = 0; u < V; ++u)
        value[0][u] = beta == T(0) ? alpha * sum[n][u] : fused(beta, value[0][u], alpha * sum[n][u]);
      to.store(value[0], 0, n * across);
    }
  });
}
}  // namespace glass::detail
