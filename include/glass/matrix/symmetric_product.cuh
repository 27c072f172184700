// The lower triangle of a product that is symmetric, for syrk, syr2k and whoever multiplies towards a symmetric result:
//   C(i, j) <- finish(i, j, (A B)(i, j)) for i >= j
// Fill: lower or upper, that triangle is written (upper: C(j, i)); full: both, the one a copy of the other. multiply
// false: 0 in place of the product, and A and B are not read. Neither ends with a sync.
//   symmetric_product<Fill, Body, Mma, Tile>  by one of the two below; automatic: by the better (product_choice.cuh)
//   symmetric_product_in_tiles<Fill>          every scope and size: lanes own square tiles of the triangle
//   symmetric_product_directly<...>           warps, constant sizes: square blocks of it on tensor cores (gemm_direct.cuh)
#pragma once
#include <glass/matrix/product_choice.cuh>
namespace glass::detail {
// Two matrices side by side, whose product with its own transpose has the factors crossed: A B^T + B A^T.
template <class A, class B>
struct crossed {
  using value_type = value_of<A>;
  static constexpr int static_cols = A::static_cols, static_inc = A::static_inc == 1 ? B::static_inc : -1;
  A first;
  B second;
  GLASS_DEVICE auto transposed() const {
    return crossed<decltype(second.transposed()), decltype(first.transposed())>{second.transposed(),
                                                                                first.transposed()};
  }
};
template <int TM, int TN, class T, class A, class B, class C, class D>
GLASS_DEVICE void product(T (&sum)[TM][TN], crossed<A, B> a, crossed<C, D> b, int row, int row_step, int col,
                          int col_step) {
  product(sum, a.first, b.first, row, row_step, col, col_step);
  product(sum, a.second, b.second, row, row_step, col, col_step);
}
template <int KC, int Unroll, bool EdgeM, bool EdgeN, Mma Units, class T, int WM, int WN, int R, int Q, class A,
          class B, class C, class D>
GLASS_DEVICE void add_block(warp_sums<Units, T, WM, WN, R, Q>& part, T alpha, crossed<A, B> a, crossed<C, D> b, int row,
                            int col, int g, int t) {
  add_block<KC, Unroll, EdgeM, EdgeN>(part, alpha, a.first, b.first, row, col, g, t);
  add_block<KC, Unroll, EdgeM, EdgeN>(part, alpha, a.second, b.second, row, col, g, t);
}
template <int n, class A, class B>
GLASS_DEVICE unsigned misaligned_bits(crossed<A, B> a) {
  return misaligned_bits<n>(a.first) | misaligned_bits<n>(a.second);
}

template <Fill F, class C>
GLASS_DEVICE void put_symmetric(C c, int i, int j, value_of<C> value) {
  if (F != Fill::upper) c(i, j) = value;
  if (F == Fill::upper || (F == Fill::full && i > j)) c(j, i) = value;
}
// The tiles of Edge x Edge whose row of tiles is not above the diagonal, column by column, dealt over the lanes.
template <Fill F, int Edge, class S, class A, class B, class C, class Finish>
GLASS_DEVICE void symmetric_tiles(S scope, bool multiply, A a, B b, C c, Finish finish) {
  const int n = c.rows(), tiles = (n + Edge - 1) / Edge, size = scope.size();
  for (int row = scope.rank(), col = 0;; row += size) {
    while (row >= tiles && col < tiles) {  // on to the next column of tiles, which begins at the diagonal
      ++col;
      row += col - tiles;
    }
    if (col >= tiles) break;
    value_of<C> sum[Edge][Edge] = {};
    if (multiply) product(sum, a, b, row * Edge, 1, col * Edge, 1);
    GLASS_UNROLL
    for (int v = 0; v < Edge; ++v) {
      GLASS_UNROLL
      for (int u = 0; u < Edge; ++u) {
        const int i = row * Edge + u, j = col * Edge + v;
        if (i >= j && i < n) put_symmetric<F>(c, i, j, finish(i, j, sum[u][v]));
      }
    }
  }
}
template <Fill F, class S, class A, class B, class C, class Finish>
GLASS_DEVICE void symmetric_product_in_tiles(S scope, bool multiply, A a, B b, C c, Finish finish) {
  symmetric_tiles<F, product_tile(C::static_rows, C::static_rows, S::width).cols>(scope, multiply, a, b, c, finish);
}

// What a warp holds of the block at (row, col) goes to C. Below the diagonal by runs, on it one by one.
template <Fill F, bool Edge, class Sums, class C, class Finish>
GLASS_DEVICE void store_symmetric(Sums& part, value_of<C> last, C c, Finish finish, int row, int col, int g, int t) {
  using T = value_of<C>;
  constexpr int R = Sums::run_rows;
  const window<C, Edge, false> below(c, row + R * g, col + 2 * t);
  const window<C, false, Edge> above(c, col + 2 * t, row + R * g);
  GLASS_UNROLL
  for (int i = 0; i < Sums::strips; ++i) {
    GLASS_UNROLL
    for (int j = 0; j < Sums::NT; ++j) {
      T value[2][R] = {};
      GLASS_UNROLL
      for (int e = 0; e < 2 * R; ++e) {
        const int s = e / R, u = e % R, at_row = row + 8 * R * i + R * g + u, at_col = col + 8 * j + 2 * t + s;
        if (at_row < at_col || (Edge && at_row >= C::static_rows)) continue;
        value[s][u] = finish(at_row, at_col, T(part.at(i, u, j, s)) * last);
        if (row == col) put_symmetric<F>(c, at_row, at_col, value[s][u]);
      }
      if (row > col) {
        GLASS_UNROLL
        for (int s = 0; s < 2 && F != Fill::upper; ++s) below.store(value[s], 8 * R * i, 8 * j + s);
        GLASS_UNROLL
        for (int u = 0; u < R && F != Fill::lower; ++u) {
          const T pair[2] = {value[0][u], value[1][u]};
          above.store(pair, 8 * j, 8 * R * i + u);
        }
      }
    }
  }
}
template <Fill F, Mma Units, int Edge, int KC, int R, int Q, int Unroll, class S, class A, class B, class C,
          class Finish>
GLASS_DEVICE void symmetric_blocks(S scope, bool multiply, A a, B b, C c, Finish finish) {
  using T = value_of<C>;
  constexpr int blocks = (C::static_rows + Edge - 1) / Edge, all = blocks * (blocks + 1) / 2, warps = S::width / 32;
  constexpr bool edge = C::static_rows % Edge != 0;
  const int rank = scope.rank(), lane = rank % 32, g = lane / 4, t = lane % 4;
  GLASS_UNROLL_BY(1)
  for (int turn = 0; turn < (all + warps - 1) / warps; ++turn) {
    int row = rank / 32 + turn * warps, col = 0;
    if (all % warps != 0 && row >= all) break;
    while (row >= blocks) {
      ++col;
      row += col - blocks;
    }
    row *= Edge, col *= Edge;
    warp_sums<Units, T, Edge, Edge, R, Q> part;
    const factors<Units, T> by(T(1), T(0));
    if (multiply) add_block<KC, Unroll, edge, edge>(part, by.alpha, a, b, row, col, g, t);
    if (part.doubtful(by)) {
      GLASS_UNROLL_BY(1)
      for (int e = lane; e < Edge * Edge; e += 32) {
        const int i = row + e % Edge, j = col + e / Edge;
        if (i < j || i >= C::static_rows) continue;
        T sum[1][1] = {};
        if (multiply) product(sum, a, b, i, 1, j, 1);
        put_symmetric<F>(c, i, j, finish(i, j, sum[0][0]));
      }
    } else {
      store_symmetric<F, edge>(part, T(by.last), c, finish, row, col, g, t);
    }
  }
}
template <Fill F, Mma Units, Tile Block, class S, class A, class B, class C, class Finish>
GLASS_DEVICE void symmetric_product_directly(S scope, bool multiply, A a, B b, C c, Finish finish) {
  constexpr warp_block w = block_of(Block);
  constexpr bool possible = w.rows == w.cols && S::width >= 32 && S::width % 32 == 0 && C::static_rows > 0 &&
                            A::static_cols > 0 && A::static_inc == 1 && B::static_inc == 1 && C::static_inc == 1;
  static_assert(possible,
                "glass: Body::direct of a symmetric product needs whole warps, a square Tile, sizes that are constants "
                "and at least 1, and no interleaved operand.");
  if constexpr (possible) {
    constexpr direct_shape d = shape_of_direct<value_of<C>, Units>(w, C::static_rows, A::static_cols);
    if (glass::scope::warp{}.any(!aligned_for<numbers_in_vector<value_of<C>>>(a, b, c)))
      symmetric_tiles<F, 1>(scope, multiply, a, b, c, finish);
    else
      symmetric_blocks<F, Units, w.rows, d.chunk, d.run_rows, d.run_k, d.unroll>(scope, multiply, a, b, c, finish);
  }
}
template <Fill F, auto... Options, class S, class A, class B, class C, class Finish>
GLASS_DEVICE void symmetric_product(S scope, bool multiply, A a, B b, C c, Finish finish) {
  constexpr Body body = chosen<Body::automatic, 0, Options...>();
  constexpr int n = C::static_rows;
  if constexpr (body == Body::direct || (body == Body::automatic && prefers_tensor_cores<S, A, B, C>()))
    symmetric_product_directly<F, chosen<preferred_units<value_of<C>>(n, n), 0, Options...>(),
                               chosen<preferred_square(n, S::width / 32), 0, Options...>()>(scope, multiply, a, b, c,
                                                                                            finish);
  else
    symmetric_product_in_tiles<F>(scope, multiply, a, b, c, finish);
}
}  // namespace glass::detail
