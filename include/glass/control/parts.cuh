// What the operations of this folder share: sizes of scratch, products known to be symmetric, and how a shift changes a
// diagonal. No operation of its own.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/scratch.cuh>
#include <glass/factor/potrf.cuh>
#include <glass/factor/potrs.cuh>
#include <glass/matrix/gemm.cuh>
#include <glass/matrix/gemv.cuh>
namespace glass {
namespace detail {
GLASS_SCALAR constexpr int product_of(int a, int b) { return a < 0 || b < 0 ? -1 : a * b; }
template <class... N>
GLASS_SCALAR constexpr int sum_of(N... n) {
  return (false || ... || (n < 0)) ? -1 : (0 + ... + n);
}

// C(i, j) <- finish(i, j, (A B)(i, j)) for i >= j, where A B is symmetric; with Mirror the other triangle is its copy.
// Lanes own square tiles of the lower triangle, column by column of tiles. multiply false: 0 in place of the product,
// and A and B are not read. Ends without a sync.
template <bool Mirror, class S, class A, class B, class C, class F>
GLASS_DEVICE void symmetric_product(S scope, bool multiply, A a, B b, C c, F finish) {
  using T = value_of<C>;
  constexpr int edge = product_tile(C::static_rows, C::static_rows, S::width).cols;
  const int n = c.rows(), tiles = (n + edge - 1) / edge, size = scope.size();
  for (int row = scope.rank(), col = 0;; row += size) {
    while (row >= tiles && col < tiles) {  // on to the next column of tiles, which begins at the diagonal
      ++col;
      row += col - tiles;
    }
    if (col >= tiles) break;
    T sum[edge][edge] = {};
    if (multiply) product(sum, a, b, row * edge, 1, col * edge, 1);
    GLASS_UNROLL
    for (int v = 0; v < edge; ++v) {
      GLASS_UNROLL
      for (int u = 0; u < edge; ++u) {
        const int i = row * edge + u, j = col * edge + v;
        if (i >= j && i < n) {
          const T value = finish(i, j, sum[u][v]);
          c(i, j) = value;
          if (Mirror && i > j) c(j, i) = value;
        }
      }
    }
  }
}

// A diagonal entry after the shift.
template <Shift How, class T>
GLASS_DEVICE T shifted(T entry, T rho) {
  return How == Shift::none ? entry : How == Shift::identity ? entry + rho : fused(rho, entry, entry);
}
}  // namespace detail
}  // namespace glass
