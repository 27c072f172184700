// Triangular and symmetric matrices of which one triangle is stored: the product and the solve of one lane's register
// tile, and the views that let the full products (gemv.cuh, gemm.cuh, syrk.cuh) read a triangle. Operations are in
// headers of their own.
#pragma once
#include <glass/core/blas.cuh>
namespace glass::detail {
// The triangle of op(A) that is not zero.
GLASS_SCALAR constexpr bool lower_of(Fill fill, Trans trans) { return (fill == Fill::lower) == (trans == Trans::no); }
// A symmetric matrix by its lower or upper triangle: the other one is never read.
template <bool Lower, class A>
struct mirrored {
  using value_type = value_of<A>;
  static constexpr int static_rows = A::static_rows, static_cols = A::static_cols, static_inc = A::static_inc;
  A a;
  GLASS_SCALAR constexpr int rows() const { return a.rows(); }
  GLASS_SCALAR constexpr int cols() const { return a.cols(); }
  GLASS_SCALAR constexpr mirrored transposed() const { return *this; }
  GLASS_SCALAR constexpr value_type operator()(int i, int j) const {
    return a.data[(i >= j) == Lower ? a.offset(i, j) : a.offset(j, i)];
  }
};
template <bool Lower, class A>
GLASS_SCALAR constexpr mirrored<Lower, A> mirror(A a) {
  return {a};
}
// A vector as a matrix of one column; a matrix as it is.
template <class T, auto N, auto Inc>
GLASS_SCALAR constexpr auto as_columns(vector<T, N, Inc> x) {
  return matrix<T, N, 1, N, Order::col, Inc>(x.data, x.rows(), 1, x.rows(), x.inc());
}
template <class A>
GLASS_SCALAR constexpr A as_columns(A a) {
  return a;
}

// sum[u][v] = sum over k of t(row + u, k) b(k, col + v col_step) for a lower or upper triangular t: zeros are not
// multiplied. Rows and columns beyond the matrices hold whatever: the caller does not store them.
template <bool Lower, Diag D, int TM, int TN, class T, class A, class B>
GLASS_DEVICE void triangle_product(T (&sum)[TM][TN], A t, B b, int row, int col, int col_step) {
  const int n = t.rows(), past = row + TM < n ? row + TM : n;  // rows row .. past - 1
  const int first = Lower ? 0 : past, count = Lower ? row : n - past;
  product(sum, t.block(row, first, past - row, count), b.block(first, 0, count, b.cols()), 0, 1, col, col_step);
  GLASS_UNROLL
  for (int w = 0; w < TM; ++w) {
    if (row + w < past) {
      GLASS_UNROLL
      for (int v = 0; v < TN; ++v) {
        const int j = col + v * col_step < b.cols() ? col + v * col_step : b.cols() - 1;
        const T right = b(row + w, j);
        GLASS_UNROLL
        for (int u = Lower ? w : 0; u <= (Lower ? TM - 1 : w); ++u) {
          if (D == Diag::unit && u == w)
            sum[u][v] += right;
          else if (row + u < past)
            sum[u][v] = fused(t(row + u, row + w), right, sum[u][v]);
        }
      }
    }
  }
}

// C <- alpha T B. Ends without a sync.
template <bool Lower, Diag D, class S, class T, class A, class B, class C>
GLASS_DEVICE void multiply_triangle(S scope, T alpha, A t, B b, C c) {
  constexpr tile_shape tile = product_tile(C::static_rows, C::static_cols, S::width);
  const int n = c.rows(), tile_rows = (n + tile.rows - 1) / tile.rows;
  const int tile_cols = (c.cols() + tile.cols - 1) / tile.cols;
  each(scope, tile_rows, tile_cols, [&](int i, int j) {
    T sum[tile.rows][tile.cols] = {};
    if (alpha != T(0)) triangle_product<Lower, D>(sum, t, b, i * tile.rows, j, tile_cols);
    GLASS_UNROLL
    for (int v = 0; v < tile.cols; ++v) {
      GLASS_UNROLL
      for (int u = 0; u < tile.rows; ++u) {
        if (i * tile.rows + u < n && j + v * tile_cols < c.cols())
          c(i * tile.rows + u, j + v * tile_cols) = alpha * sum[u][v];
      }
    }
  });
}
// B <- alpha T B, rows from the far end of the triangle on: what is written is not read again. A lane owns whole
// columns where there are many; else lanes own tiles of rows, and wait once for all of them that stand side by side.
// Ends without a sync.
template <bool Lower, Diag D, class S, class T, class A, class B>
GLASS_DEVICE void multiply_triangle_in_place(S scope, T alpha, A t, B b) {
  constexpr tile_shape tile = product_tile(B::static_rows, B::static_cols, S::width);
  constexpr int TM = tile.rows, TN = S::width == 1 ? tile.cols : 1;
  const int n = b.rows(), tiles = (n + TM - 1) / TM;
  const share mine =
      2 * b.cols() >= scope.size() ? share{0, 1, scope.rank(), scope.size()} : deal(scope, tiles, b.cols());
  const int steps = (tiles + mine.row_step - 1) / mine.row_step;
  for (int j0 = 0; j0 < b.cols(); j0 += TN * mine.col_step) {
    const int j = j0 + mine.col;
    for (int step = 0; step < steps; ++step) {
      const int i = ((Lower ? steps - 1 - step : step) * mine.row_step + mine.row) * TM;
      T sum[TM][TN] = {};
      if (alpha != T(0) && i < n && j < b.cols()) triangle_product<Lower, D>(sum, t, b, i, j, mine.col_step);
      if (mine.row_step > 1) scope.sync();
      GLASS_UNROLL
      for (int v = 0; v < TN; ++v) {
        GLASS_UNROLL
        for (int u = 0; u < TM; ++u) {
          if (i + u < n && j + v * mine.col_step < b.cols()) b(i + u, j + v * mine.col_step) = alpha * sum[u][v];
        }
      }
    }
  }
}

// Solves T X = alpha B in place for a triangular T: a lane owns whole columns of B, so that no lane waits for another.
// Ends without a sync.
template <bool Lower, Diag D, class S, class T, class A, class B>
GLASS_DEVICE void solve_in_columns(S scope, T alpha, A t, B b) {
  constexpr int most = S::width == 1 ? 4 : 1, TN = B::static_cols >= 0 && B::static_cols < most ? 1 : most;
  constexpr int TM = A::static_rows >= 0 && A::static_rows < 4 ? 1 : 4;
  const int n = t.rows(), tiles = (n + TM - 1) / TM, size = scope.size();
  for (int j = scope.rank(); j < b.cols(); j += TN * size) {
    for (int step = 0; step < tiles; ++step) {
      const int row = (Lower ? step : tiles - 1 - step) * TM, past = row + TM < n ? row + TM : n;
      const int first = Lower ? 0 : past, count = Lower ? row : n - past;
      T known[TM][TN] = {};  // what the solved rows add, then the solution
      product(known, t.block(row, first, past - row, count), b.block(first, 0, count, b.cols()), 0, 1, j, size);
      GLASS_UNROLL
      for (int w = 0; w < TM; ++w) {
        const int u = Lower ? w : TM - 1 - w, i = row + u;
        if (i < n) {
          const T inverse = D == Diag::unit ? T(1) : reciprocal(t(i, i));
          GLASS_UNROLL
          for (int v = 0; v < TN; ++v) {
            if (j + v * size < b.cols()) {
              T rest = fused(alpha, b(i, j + v * size), -known[u][v]);
              GLASS_UNROLL
              for (int k = Lower ? 0 : TM - 1; Lower ? k < u : k > u; k += Lower ? 1 : -1) {
                if (row + k < n) rest = fused(-t(i, row + k), known[k][v], rest);
              }
              known[u][v] = rest * inverse;
              b(i, j + v * size) = known[u][v];
            }
          }
        }
      }
    }
  }
}
}  // namespace glass::detail
