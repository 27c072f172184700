// The body `direct` of trsm and trmm: triangular solves and products on tensor cores (mma.cuh), straight from memory.
// Right-hand sides are rows of Y = B^T, of which a warp holds strips of 16 in registers, as tiles of 8 columns:
//   lane (g, t)   rows 2g + h of a strip, columns 8 J + 2t + s of tile J, at tile[J][2 h + s], h and s in 0, 1
// With k numbered 2t + s the same registers are what a product leaves and what it takes, so Y_J -= Y_K T_JK^T runs
// without a number moving between lanes. Of a diagonal tile lanes exchange pairs of columns by shuffle: substitution,
// not an inverse, which would lose the row's bound. Warps share nothing, B is read once and then written: no sync.
// Sums are f64, f32 is rounded once a tile. Needs constant sizes, whole warps, elements of a row or column next to each
// other; beyond the matrices tiles hold zeros, and T those of an identity.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/mma.cuh>
#include <glass/core/window.cuh>
namespace glass::detail {
// T: order x order, of which the lower or the upper triangle is read.
template <bool Lower, Diag D, class View>
struct triangle_tiles {
  using T = value_of<View>;
  static constexpr int order = View::static_rows, blocks = (order + 7) / 8;
  static constexpr bool edge = order % 8 != 0;
  View view;
  int g, t;
  // T_JK as an operand: row 8 J + g, columns 8 K + 2t + s.
  GLASS_DEVICE void operand(double (&b)[2], int J, int K) const {
    T part[2][1];
    window<View, edge, edge>(view, g, 2 * t).load(part, 8 * J, 8 * K);
    b[0] = part[0][0], b[1] = part[1][0];
  }
  // Rows 2t + s, columns 2u + e of diagonal tile J, at [e][s]; zeros in lanes that do not ask.
  GLASS_DEVICE void beside(T (&part)[2][2], int J, int u, bool asks) const {
    GLASS_UNROLL
    for (int e = 0; e < 4; ++e) part[e / 2][e % 2] = 0;
    if (asks) window<View, edge, edge>(view, 2 * t, 0).load(part, 8 * J, 8 * J + 2 * u);
  }
  // In columns 8 J + 2t and 8 J + 2t + 1 of these rows: what stands on the diagonal (an identity's where T ends), and
  // the number below or above it.
  GLASS_DEVICE void corner(T (&on)[2], T& off, int J) const {
    const window<View, edge, edge> from(view, 2 * t, 2 * t);
    GLASS_UNROLL
    for (int s = 0; s < 2; ++s)
      on[s] = D == Diag::unit || !from.holds(8 * J + s, 8 * J + s) ? T(1) : *from.at(8 * J + s, 8 * J + s);
    constexpr int row = Lower ? 1 : 0;
    off = from.holds(8 * J + 1, 8 * J + 1) ? *from.at(8 * J + row, 8 * J + 1 - row) : T(0);
  }
};

// `Strips` strips of 16 right-hand sides, of which lane (g, t) holds its part of every tile.
template <class T, int Order, int Strips>
struct triangle_strips {
  static constexpr int blocks = (Order + 7) / 8;
  double tile[Strips][blocks][4];
  glass::scope::warp warp;
  int g = warp.rank() / 4, t = warp.rank() % 4;

  // From right-hand sides first, first + 1, ...: columns of b.
  template <class View>
  GLASS_DEVICE void load(T alpha, View b, int first) {
    const auto from = reach(b, first);
    GLASS_UNROLL
    for (int i = 0; i < Strips; ++i) {
      GLASS_UNROLL
      for (int J = 0; J < blocks; ++J) {
        T part[2][2];
        down<View> ? from.load(part, 8 * J, 16 * i) : from.load(part, 16 * i, 8 * J);
        GLASS_UNROLL
        for (int e = 0; e < 4; ++e)
          tile[i][J][e] = double(alpha) * (down<View> ? part[e / 2][e % 2] : part[e % 2][e / 2]);
      }
    }
  }
  template <class View>
  GLASS_DEVICE void store(T alpha, View b, int first) const {
    const auto to = reach(b, first);
    GLASS_UNROLL
    for (int i = 0; i < Strips; ++i) {
      GLASS_UNROLL
      for (int J = 0; J < blocks; ++J) {
        GLASS_UNROLL
        for (int u = 0; u < 2; ++u) {
          const auto& c = tile[i][J];
          const T column[2] = {alpha * T(c[down<View> ? 2 * u : u]), alpha * T(c[down<View> ? 2 * u + 1 : u + 2])};
          down<View> ? to.store(column, 8 * J, 16 * i + u) : to.store(column, 16 * i, 8 * J + u);
        }
      }
    }
  }
  // Row r of the right-hand sides from row order.of(r) of b, or to it: number by number.
  template <class View, class Rows>
  GLASS_DEVICE void load_rows(View b, int first, const Rows& order) {
    each_number(b, first, order, [&](double& x, T* at) { x = at ? *at : T(0); });
  }
  template <class View, class Rows>
  GLASS_DEVICE void store_rows(View b, int first, const Rows& order) {
    each_number(b, first, order, [&](double& x, T* at) {
      if (at) *at = T(x);
    });
  }
  GLASS_DEVICE void clear() {
    GLASS_UNROLL
    for (int e = 0; e < Strips * blocks * 4; ++e) tile[e / (blocks * 4)][e / 4 % blocks][e % 4] = -0.0;
  }
  // T Y^T = B; the tiles are then those of -Y.
  template <bool Lower, Diag D, class View>
  GLASS_DEVICE void solve(View triangle) {
    const triangle_tiles<Lower, D, View> from{triangle, g, t};
    GLASS_UNROLL
    for (int step = 0; step < blocks; ++step) {
      const int K = Lower ? step : blocks - 1 - step;
      solve_tile(from, K);
      GLASS_UNROLL
      for (int later = step + 1; later < blocks; ++later) add(from, Lower ? later : blocks - 1 - later, K);
    }
  }
  // Y <- Y T^T
  template <bool Lower, Diag D, class View>
  GLASS_DEVICE void multiply(View triangle) {
    const triangle_tiles<Lower, D, View> from{triangle, g, t};
    GLASS_UNROLL
    for (int step = blocks - 1; step >= 0; --step) {
      const int J = Lower ? step : blocks - 1 - step;
      multiply_tile(from, J);
      GLASS_UNROLL
      for (int before = 0; before < step; ++before) add(from, J, Lower ? before : blocks - 1 - before);
    }
  }

 private:
  template <class View>
  static constexpr bool down = View::order == Order::col;
  // b with its elements in columns, from this lane's on.
  template <class View>
  GLASS_DEVICE auto reach(View b, int first) const {
    constexpr bool edge = Order % 8 != 0, ragged = View::static_cols % (16 * Strips) != 0;
    if constexpr (down<View>)
      return window<View, edge, ragged>(b, 2 * t, first + 2 * g);
    else
      return window<decltype(b.transposed()), ragged, edge>(b.transposed(), first + 2 * g, 2 * t);
  }
  // f(number, where it lies in b, or null)
  template <class View, class Rows, class F>
  GLASS_DEVICE void each_number(View b, int first, const Rows& order, F f) {
    constexpr bool ragged = View::static_cols % (16 * Strips) != 0;
    GLASS_UNROLL
    for (int J = 0; J < blocks; ++J) {
      GLASS_UNROLL
      for (int s = 0; s < 2; ++s) {
        const int row = order.of(J, 2 * t + s);
        GLASS_UNROLL
        for (int i = 0; i < Strips; ++i) {
          GLASS_UNROLL
          for (int h = 0; h < 2; ++h) {
            const int column = first + 16 * i + 2 * g + h;
            const bool there = (Order % 8 == 0 || 8 * J + 2 * t + s < Order) && (!ragged || column < View::static_cols);
            f(tile[i][J][2 * h + s], there ? &b(row, column) : nullptr);
          }
        }
      }
    }
  }
  // Y_J += Y_K T_JK^T
  template <class From>
  GLASS_DEVICE void add(const From& from, int J, int K) {
    double b[2];
    from.operand(b, J, K);
    GLASS_UNROLL
    for (int i = 0; i < Strips; ++i) {
      const double a[4] = {tile[i][K][0], tile[i][K][2], tile[i][K][1], tile[i][K][3]};
      add_product(tile[i][J], a, b);
    }
  }
  // By pairs of columns: what a lane's pair adds to those of the lanes after it.
  template <bool Lower, Diag D, class View>
  GLASS_DEVICE void solve_tile(const triangle_tiles<Lower, D, View>& from, int K) {
    constexpr int first = Lower ? 0 : 1;
    T on[2], off, beside[3][2][2];
    from.corner(on, off, K);
    GLASS_UNROLL
    for (int r = 0; r < 3; ++r) from.beside(beside[r], K, Lower ? r : 3 - r, Lower ? t > r : t < 3 - r);
    const T inverse[2] = {reciprocal_of<D>(on[0]), reciprocal_of<D>(on[1])};
    GLASS_UNROLL
    for (int i = 0; i < Strips; ++i) {
      T b[2][2], y[2][2];
      GLASS_UNROLL
      for (int e = 0; e < 4; ++e) b[e / 2][e % 2] = T(tile[i][K][e]);
      GLASS_UNROLL
      for (int r = 0; r < 4; ++r) {
        const int u = Lower ? r : 3 - r;
        const bool later = Lower ? t > u : t < u;
        GLASS_UNROLL
        for (int h = 0; h < 2; ++h) {
          y[h][first] = b[h][first] * inverse[first];
          y[h][1 - first] = fused(-off, y[h][first], b[h][1 - first]) * inverse[1 - first];
          if (r < 3) {
            GLASS_UNROLL
            for (int e = 0; e < 2; ++e) {
              const T known = warp.shuffle(y[h][e], 4 * g + u), minus = later ? -known : T(0);
              b[h][0] = fused(beside[r % 3][e][0], minus, b[h][0]);
              b[h][1] = fused(beside[r % 3][e][1], minus, b[h][1]);
            }
          }
        }
      }
      GLASS_UNROLL
      for (int e = 0; e < 4; ++e) tile[i][K][e] = -double(y[e / 2][e % 2]);
    }
  }
  template <bool Lower, Diag D, class View>
  GLASS_DEVICE void multiply_tile(const triangle_tiles<Lower, D, View>& from, int J) {
    constexpr int first = Lower ? 0 : 1;
    T on[2], off, beside[3][2][2];
    from.corner(on, off, J);
    GLASS_UNROLL
    for (int r = 0; r < 3; ++r) from.beside(beside[r], J, Lower ? r : 3 - r, Lower ? t > r : t < 3 - r);
    GLASS_UNROLL
    for (int i = 0; i < Strips; ++i) {
      T y[2][2], sum[2][2];
      GLASS_UNROLL
      for (int h = 0; h < 2; ++h) {
        y[h][0] = T(tile[i][J][2 * h]), y[h][1] = T(tile[i][J][2 * h + 1]);
        sum[h][0] = y[h][0] * on[0], sum[h][1] = y[h][1] * on[1];
        sum[h][1 - first] = fused(off, y[h][first], sum[h][1 - first]);
        GLASS_UNROLL
        for (int r = 0; r < 3; ++r) {
          const int u = Lower ? r : 3 - r;
          const bool before = Lower ? u < t : u > t;
          GLASS_UNROLL
          for (int e = 0; e < 2; ++e) {
            const T other = warp.shuffle(y[h][e], 4 * g + u), known = before ? other : T(0);
            sum[h][0] = fused(beside[r][e][0], known, sum[h][0]);
            sum[h][1] = fused(beside[r][e][1], known, sum[h][1]);
          }
        }
      }
      GLASS_UNROLL
      for (int e = 0; e < 4; ++e) tile[i][J][e] = sum[e / 2][e % 2];
    }
  }
  template <Diag D>
  GLASS_DEVICE static T reciprocal_of(T x) {
    if constexpr (D == Diag::unit)
      return x;
    else
      return reciprocal_of_pivot(x);
  }
};

// How a scope's warps take the right-hand sides: so many strips at once, while registers hold them.
template <class S, class A, class B>
struct strip_shape {
  static constexpr int warps = S::width / 32, all = (B::static_cols + 15) / 16;
  static constexpr int together = all > warps&& A::static_rows <= 48 ? 2 : 1;
  static constexpr int rows = 16 * together, turns = (all + warps * together - 1) / (warps * together);
};
// work(strips, first), for the strips of right-hand sides first, first + 1, ... of each warp.
template <class S, class A, class B, class F>
GLASS_DEVICE void in_strips(S scope, A, B, F work) {
  using shape = strip_shape<S, A, B>;
  GLASS_UNROLL_BY(1)
  for (int turn = 0; turn < shape::turns; ++turn) {
    const int first = (scope.rank() / 32 + turn * shape::warps) * shape::rows;
    if (shape::turns * shape::warps * shape::rows > B::static_cols + shape::rows - 1 && first >= B::static_cols) break;
    triangle_strips<value_of<B>, A::static_rows, shape::together> y;
    work(y, first);
  }
}
template <class S, class A, class B>
using strips_for = triangle_strips<value_of<B>, A::static_rows, strip_shape<S, A, B>::together>;

template <class S, class A, class B>
GLASS_SCALAR constexpr bool takes_strips() {
  if constexpr (A::is_static && B::is_static && S::width >= 32 && S::width % 32 == 0)
    return A::static_inc == 1 && B::static_inc == 1 && A::static_rows > 0 && A::static_rows <= 128 &&
           B::static_cols > 0;
  else
    return false;
}
// Body::direct, and Body::automatic where that is the fastest: from order 16 and 16 right-hand sides on, where the
// tensor cores multiply f64 at full rate (trsm on an H200: 1.2 to 13 times as fast as the next).
template <Body How, class S, class A, class B>
GLASS_SCALAR constexpr bool goes_in_strips() {
  if constexpr (How == Body::direct)
    return takes_strips<S, A, B>();
  else if constexpr (How == Body::automatic && has_tensor_cores && has_fast_f64 && takes_strips<S, A, B>())
    return A::static_rows >= 16 && B::static_cols >= 16;
  else
    return false;
}
// Whether vectors of two numbers reach; the same in all lanes of a warp.
template <class... View>
GLASS_DEVICE bool pairs_reach(View... a) {
  if constexpr ((false || ... || has_vectors<View>(2)))
    return !glass::scope::warp{}.any(!aligned_for<2>(a...));
  else
    return true;
}
// Where vectors do not reach, in as little code as can be: a lane takes whole right-hand sides. Rows in the order in
// which an in-place result is not read again, but in a solve, where it is.
template <bool Lower, Diag D, bool Solve, class S, class T, class A, class B, class C>
GLASS_DEVICE void triangle_by_elements(S scope, T alpha, A t, B b, C c) {
  const int n = t.rows();
  GLASS_UNROLL_BY(1)
  for (int j = scope.rank(); j < c.cols(); j += scope.size()) {
    GLASS_UNROLL_BY(1)
    for (int step = 0; step < n; ++step) {
      const int i = Lower == Solve ? step : n - 1 - step;
      T sum = Solve ? alpha * b(i, j) : D == Diag::unit ? b(i, j) : t(i, i) * b(i, j);
      GLASS_UNROLL_BY(1)
      for (int k = Lower ? 0 : i + 1; k < (Lower ? i : n); ++k) sum = fused(Solve ? -t(i, k) : t(i, k), b(k, j), sum);
      c(i, j) = !Solve ? alpha * sum : D == Diag::unit ? sum : sum / t(i, i);
    }
  }
}
// T X = alpha B, in place, and C <- alpha T B, C may be B: without a sync.
template <bool Lower, Diag D, class S, class T, class A, class B>
GLASS_DEVICE void solve_directly(S scope, T alpha, A t, B b) {
  if (alpha != T(0) && !pairs_reach(t, b)) return triangle_by_elements<Lower, D, true>(scope, alpha, t, b, b);
  in_strips(scope, t, b, [&](strips_for<S, A, B>& y, int first) {
    if (alpha == T(0)) {
      y.clear();
    } else {
      y.load(alpha, b, first);
      y.template solve<Lower, D>(t);
    }
    y.store(-1, b, first);
  });
}
template <bool Lower, Diag D, class S, class T, class A, class B, class C>
GLASS_DEVICE void multiply_directly(S scope, T alpha, A t, B b, C c) {
  if (alpha != T(0) && !pairs_reach(t, b, c)) return triangle_by_elements<Lower, D, false>(scope, alpha, t, b, c);
  in_strips(scope, t, c, [&](strips_for<S, A, C>& y, int first) {
    if (alpha == T(0)) {
      y.clear();
    } else {
      y.load(1, b, first);
      y.template multiply<Lower, D>(t);
    }
    y.store(alpha, c, first);
  });
}
}  // namespace glass::detail
