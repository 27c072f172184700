// The Cholesky factor and solve on tensor cores: 8 x 8 tiles, left-looking. Lane (g, t) = (lane / 4, lane % 4) of a
// warp holds rows 8 I + g, columns 8 J + 2t and 8 J + 2t + 1 of tile (I, J): what a product leaves, and, with k
// numbered 2t + s, what it takes on both sides, so C_IJ -= L_I L_J^T and L_I = C_I inv(L_JJ)^T run without a number
// moving between lanes.
//   panel J   warps own pairs of block rows (q = l warps + w). All add up their tiles of column J; the owner of the
//             diagonal tile factors it beside its inverse and solves for y_J; a sync; all solve their tiles; a sync
//   solve     rows gather -L_I y_J per lane, summed when their turn comes; then backward, panel by panel
// Finished tiles lie in exchange memory, in diagonal tiles the inverse; what does not fit there, of the first block
// columns, is read from A. N is padded to pairs of block rows by an identity. f64 as it is; f32 in two parts of 11
// bits, three products. A subnormal pivot counts as bad; a NaN or Inf in a row of A may spoil what precedes it in the
// row of its tile.                                                                              -> kernel notes, `left`
#pragma once
#include <glass/core/mma.cuh>
#include <glass/core/view.cuh>
#include <glass/factor/pivot.cuh>
namespace glass::detail {
template <class T>
struct alignas(2 * sizeof(T)) pair {
  T x, y;
};
template <class T>
struct tile_part {  // a tile as an operand of a product
  T v[2];
  tile_part() = default;
  GLASS_DEVICE explicit tile_part(T x, T y) : v{x, y} {}
};
template <>
struct tile_part<float> {
  float hi[2], lo[2];
  tile_part() = default;
  GLASS_DEVICE explicit tile_part(float x, float y) {
    tf32_split(x, hi[0], lo[0]);
    tf32_split(y, hi[1], lo[1]);
  }
};
// c (two tiles, one above the other) += (a0; a1) b^T; the small terms of f32 go to `cross`, a chain of their own.
GLASS_DEVICE void add_tiles(double (&c)[4], double (&)[4], const tile_part<double>& a0, const tile_part<double>& a1,
                            const tile_part<double>& b) {
  const double a[4] = {a0.v[0], a1.v[0], a0.v[1], a1.v[1]};
  add_product(c, a, b.v);
}
GLASS_DEVICE void add_tiles(float (&c)[4], float (&cross)[4], const tile_part<float>& a0, const tile_part<float>& a1,
                            const tile_part<float>& b) {
  const float hi[4] = {a0.hi[0], a1.hi[0], a0.hi[1], a1.hi[1]}, lo[4] = {a0.lo[0], a1.lo[0], a0.lo[1], a1.lo[1]};
  add_product_tf32(cross, lo, b.hi);
  add_product_tf32(c, hi, b.hi);
  add_product_tf32(cross, hi, b.lo);
}

// The lanes of one warp: (g, t), and sums over t and over g.
struct tile_lanes {
  scope::warp warp;
  int lane = warp.rank(), g = lane / 4, t = lane % 4;
  template <class T>
  GLASS_DEVICE T from(T x, int source) const {
    return warp.shuffle(x, source);
  }
  template <class T>
  GLASS_DEVICE T sum_t(T x) const {
    x += from(x, lane ^ 1);
    return x + from(x, lane ^ 2);
  }
  template <class T>
  GLASS_DEVICE T sum_g(T x) const {
    x += from(x, lane ^ 4);
    x += from(x, lane ^ 8);
    return x + from(x, lane ^ 16);
  }
  // A diagonal tile c becomes its factor, w the inverse of that. 8, or the first bad pivot. Rows before it stay good.
  // Two columns a step: what their pivots need of one another goes round the shuffles once.
  template <class T>
  GLASS_DEVICE int factor(pair<T>& c, pair<T>& w) const {
    int bad = 8;
    T my_pivot = 1, my_d = 1;
    w = {T(g == 2 * t), T(g == 2 * t + 1)};
    GLASS_UNROLL
    for (int k = 0; k < 8; k += 2) {
      const int s = k / 2;  // the t of columns k and k + 1
      const T first = from(c.x, 4 * k + s), beside = from(c.x, 4 * k + 4 + s), second = from(c.y, 4 * k + 4 + s);
      const T left0 = from(c.x, 4 * g + s), left1 = from(c.y, 4 * g + s);
      const T even0 = from(c.x, 8 * t + s), even1 = from(c.y, 8 * t + s);
      const T odd0 = from(c.x, 8 * t + 4 + s), odd1 = from(c.y, 8 * t + 4 + s);
      const pair<T> w0 = {from(w.x, 4 * k + t), from(w.y, 4 * k + t)};
      const pair<T> w1 = {from(w.x, 4 * k + 4 + t), from(w.y, 4 * k + 4 + t)};
      const T d0 = reciprocal_root_of_pivot(first), below = beside * d0, pivot = fused(-below, below, second);
      const T d1 = reciprocal_root_of_pivot(pivot);
      if (!is_positive_normal(pivot)) bad = bad < k + 1 ? bad : k + 1;
      if (!is_positive_normal(first)) bad = bad < k ? bad : k;
      // Columns k and k + 1 of the factor: rows g, 2 t and 2 t + 1.
      const T l0 = left0 * d0, l1 = fused(-l0, below, left1) * d1;
      const T e0 = even0 * d0, e1 = fused(-e0, below, even1) * d1;
      const T o0 = odd0 * d0, o1 = fused(-o0, below, odd1) * d1;
      const pair<T> u = {w0.x * d0, w0.y * d0};  // rows k and k + 1 of the inverse
      const pair<T> v = {fused(-below, u.x, w1.x) * d1, fused(-below, u.y, w1.y) * d1};
      if (t > s) c.x = fused(-l1, e1, fused(-l0, e0, c.x)), c.y = fused(-l1, o1, fused(-l0, o0, c.y));
      if (g > k + 1) w.x = fused(-l1, v.x, fused(-l0, u.x, w.x)), w.y = fused(-l1, v.y, fused(-l0, u.y, w.y));
      if (g == k) w = u, my_pivot = first, my_d = d0;
      if (g == k + 1) w = v, my_pivot = pivot, my_d = d1;
      if (t == s) c.x = l0, c.y = l1;
    }
    c.x = g == 2 * t ? refined_root(c.x, my_pivot, my_d) : c.x;
    c.y = g == 2 * t + 1 ? refined_root(c.y, my_pivot, my_d) : c.y;
    return bad;
  }
};

// The least number of all warps, each of whose lanes agree on theirs. Whoever calls it ends with a sync.
template <int Warps, class S>
GLASS_DEVICE int least_of_warps(S scope, int least) {
  if constexpr (Warps > 1) {
    int* const all = scope.template exchange<int, Warps>();
    if (scope.rank() % 32 == 0) all[scope.rank() / 32] = least;
    scope.sync();
    GLASS_UNROLL
    for (int v = 0; v < Warps; ++v) least = all[v] < least ? all[v] : least;
  }
  return least;
}

template <class S, class A, class B>
struct tiles_shape {
  using T = value_of<A>;
  static constexpr int N = A::static_rows, R = B::static_cols, warps = S::width / 32;
  static constexpr int pairs = (N + 15) / 16, blocks = 2 * pairs, mine = (pairs + warps - 1) / warps;
  // Block columns before `far` have only their diagonal tiles in exchange memory.
  GLASS_SCALAR static constexpr int words_with(int far) {
    return 64 * (far + (blocks - far) * (blocks - far + 1) / 2) + 16;
  }
  GLASS_SCALAR static constexpr int first_that_fits() {
    int far = 0;
    constexpr int own = (48 << 10) - 64, most = reserve_of < S >> own ? reserve_of<S> : own;
    while (words_with(far) * int(sizeof(T)) > most) ++far;
    return far;
  }
  static constexpr int far = first_that_fits(), words = words_with(far);
  GLASS_SCALAR static constexpr int tile(int i, int j) {
    return i < far ? i : far + (i - far) * (i - far + 1) / 2 + j - far;
  }
};

template <Shift H, Factor F, class S, class A, class B>
GLASS_DEVICE int cholesky_in_tiles(S scope, A a, B b, value_of<A> rho) {
  using T = value_of<A>;
  using shape = tiles_shape<S, A, B>;
  constexpr int N = shape::N, warps = shape::warps, pairs = shape::pairs, blocks = shape::blocks, mine = shape::mine;
  constexpr bool solve = shape::R > 0, whole = whole_sectors<A>(), padded = N % 16 != 0, keep = F == Factor::keep;
  const tile_lanes at{};
  const int lane = at.lane, g = at.g, t = at.t, w = warps == 1 ? 0 : scope.rank() / 32;
  T* const memory = scope.template exchange<T, shape::words>();
  auto* const tiles = reinterpret_cast<pair<T>*>(memory) + lane;  // tile (I, J): at tiles[32 shape::tile(I, J)]
  T* const vectors = memory + shape::words - 16;                  // two parts of y or x, by turns
  T current[mine][4], next[mine][4], right[mine][2];              // a panel, the one after it, and b, y
  // This lane's first element of a panel; the others lie at constant distances from it.
  const auto first = a.data + a.offset(16 * w + g, 2 * t);
  const auto element = [&](decltype(a.data) in_panel, int l, int e) -> auto& {
    return in_panel[a.offset(16 * l * warps + 8 * (e / 2), e % 2)];
  };
  const auto fetch = [&](T(&c)[mine][4], int panel) {
    const auto in_panel = first + a.offset(0, 8 * panel);
    GLASS_UNROLL
    for (int l = 0; l < mine; ++l) {
      GLASS_UNROLL
      for (int e = 0; e < 4; ++e) {
        const int i = 16 * (l * warps + w) + 8 * (e / 2) + g, j = 8 * panel + 2 * t + e % 2;
        c[l][e] = i >= j && i < N && panel < blocks ? element(in_panel, l, e) : T(padded && i == j);
        if (H != Shift::none) c[l][e] = i == j && i < N ? shifted<H>(c[l][e], rho) : c[l][e];
      }
    }
  };
  const auto store = [&](int i, int j, T x) {
    if (!padded || (i < N && j < N)) a(i, j) = x;
  };
  const auto finished = [&](int i, int k, bool far) -> pair<T> {  // tile (i, k) of L, i > k; far: k < shape::far
    if (far) {
      const int row = 8 * i + g, col = 8 * k + 2 * t;
      return {padded && row >= N ? T(0) : a(row, col), padded && row >= N ? T(0) : a(row, col + 1)};
    }
    return tiles[32 * shape::tile(i, k)];
  };
  fetch(current, 0);
  GLASS_UNROLL
  for (int l = 0; l < mine; ++l) {
    GLASS_UNROLL
    for (int h = 0; h < 2; ++h) {
      const int i = 16 * (l * warps + w) + 8 * h + g;
      right[l][h] = 0;
      if constexpr (solve) right[l][h] = t == 0 && i < N ? b(i, 0) : T(0);
    }
  }

  int info = N + 1;
  GLASS_UNROLL_BY(1)
  for (int panel = 0; panel < blocks; ++panel) {
    fetch(next, panel + 1);
    T cross[mine][4] = {};
    const auto subtract = [&](int k, bool far) {
      const pair<T> top = finished(panel, k, far);
      const tile_part<T> minus(-top.x, -top.y);
      GLASS_UNROLL
      for (int l = 0; l < mine; ++l) {
        const int q = l * warps + w;
        if (2 * q + 1 >= panel && q < pairs) {
          const pair<T> upper = finished(2 * q, k, far), lower = finished(2 * q + 1, k, far);
          add_tiles(current[l], cross[l], tile_part<T>(upper.x, upper.y), tile_part<T>(lower.x, lower.y), minus);
        }
      }
    };
    // Two loops: of one over the smaller of panel and far, unrolled far times, nvcc 13 drops the exits between.
    if (panel >= shape::far) {
      GLASS_UNROLL
      for (int k = 0; k < shape::far; ++k) subtract(k, true);
    } else {
      GLASS_UNROLL_BY(1)
      for (int k = 0; k < panel; ++k) subtract(k, true);
    }
    GLASS_UNROLL_BY((sizeof(T) == 4 && mine <= 2 ? 2 : 4))
    for (int k = shape::far; k < panel; ++k) subtract(k, false);
    GLASS_UNROLL
    for (int l = 0; l < mine; ++l) {
      GLASS_UNROLL
      for (int e = 0; e < 4; ++e) current[l][e] += cross[l][e];
    }
    if (panel / 2 % warps == w) {
      // Named before the loops: a quotient inside them would put the arrays they pick from into local memory.
      const int owner = panel / 2 / warps, i = 8 * panel + g, j = 8 * panel + 2 * t;
      const bool odd = panel % 2;
      pair<T> c = {}, inverse, above = {};
      T y = 0;
      GLASS_UNROLL
      for (int l = 0; l < mine; ++l) {
        if (l == owner) {
          c = odd ? pair<T>{current[l][2], current[l][3]} : pair<T>{current[l][0], current[l][1]};
          y = odd ? right[l][1] : right[l][0];
        }
      }
      if constexpr (keep && whole) {
        if (j > i && j < N) above.x = a(i, j);
        if (j + 1 > i && j + 1 < N) above.y = a(i, j + 1);
      }
      c.x = j > i ? T(0) : c.x, c.y = j + 1 > i ? T(0) : c.y;
      const int bad = at.factor(c, inverse);
      if (bad < 8 && info > N) info = 8 * panel + bad + 1;
      tiles[32 * shape::tile(panel, panel)] = inverse;
      if (keep && (whole || i >= j)) store(i, j, j > i ? above.x : c.x);
      if (keep && (whole || i >= j + 1)) store(i, j + 1, j + 1 > i ? above.y : c.y);
      if constexpr (solve) {
        y = at.sum_t(y);
        y = at.sum_t(fused(inverse.x, at.from(y, 8 * t), inverse.y * at.from(y, 8 * t + 4)));
        if (t == 0) vectors[8 * odd + g] = y;
        GLASS_UNROLL
        for (int l = 0; l < mine; ++l) {
          if (l == owner) (odd ? right[l][1] : right[l][0]) = y;
        }
      }
    }
    scope.sync();
    const pair<T> inverse = tiles[32 * shape::tile(panel, panel)];
    const tile_part<T> factor(inverse.x, inverse.y);
    const auto in_panel = first + a.offset(0, 8 * panel);
    pair<T> y = {};
    if constexpr (solve) y = *reinterpret_cast<const pair<T>*>(vectors + 8 * (panel % 2) + 2 * t);
    GLASS_UNROLL
    for (int l = 0; l < mine; ++l) {
      const int q = l * warps + w;
      if (2 * q + 1 > panel && q < pairs) {
        T c[4] = {}, small[4] = {};
        add_tiles(c, small, tile_part<T>(current[l][0], current[l][1]), tile_part<T>(current[l][2], current[l][3]),
                  factor);
        GLASS_UNROLL
        for (int h = 0; h < 2; ++h) {
          if (2 * q + h > panel) {
            const T x0 = c[2 * h] + small[2 * h], x1 = c[2 * h + 1] + small[2 * h + 1];
            if (panel >= shape::far) tiles[32 * shape::tile(2 * q + h, panel)] = {x0, x1};
            if ((keep || panel < shape::far) && (!padded || 16 * q + 8 * h + g < N))
              element(in_panel, l, 2 * h) = x0, element(in_panel, l, 2 * h + 1) = x1;
            if constexpr (solve) right[l][h] -= fused(x0, y.x, x1 * y.y);
          }
        }
      }
      GLASS_UNROLL
      for (int e = 0; e < 4; ++e) current[l][e] = next[l][e];
    }
    scope.sync();
  }
  info = least_of_warps<warps>(scope, info);
  info = info > N ? 0 : info;
  if constexpr (solve) {
    T sum[mine][2][2] = {};
    GLASS_UNROLL_BY(1)
    for (int panel = info == 0 ? blocks - 1 : -1; panel >= 0; --panel) {
      const bool odd = panel % 2;
      if (panel / 2 % warps == w) {
        const int owner = panel / 2 / warps;
        pair<T> s = {};
        T y = 0;
        GLASS_UNROLL
        for (int l = 0; l < mine; ++l) {
          if (l == owner) {
            s = odd ? pair<T>{sum[l][1][0], sum[l][1][1]} : pair<T>{sum[l][0][0], sum[l][0][1]};
            y = odd ? right[l][1] : right[l][0];
          }
        }
        const pair<T> inverse = tiles[32 * shape::tile(panel, panel)];
        const T s0 = at.from(at.sum_g(s.x), g / 2), s1 = at.from(at.sum_g(s.y), g / 2);
        y -= g % 2 ? s1 : s0;
        const T x0 = at.sum_g(inverse.x * y), x1 = at.sum_g(inverse.y * y);
        if (g == 0) {
          const int i = 8 * panel + 2 * t;
          *reinterpret_cast<pair<T>*>(vectors + 8 * odd + 2 * t) = {x0, x1};
          if (i < N) b(i, 0) = x0;
          if (i + 1 < N) b(i + 1, 0) = x1;
        }
      }
      scope.sync();
      if (panel == 0) break;  // nobody reads exchange memory after the last sync
      const T x = vectors[8 * odd + g];
      GLASS_UNROLL
      for (int l = 0; l < mine; ++l) {
        GLASS_UNROLL
        for (int h = 0; h < 2; ++h) {
          const int i = 2 * (l * warps + w) + h;
          if (i < panel) {
            const pair<T> v = finished(panel, i, i < shape::far);
            sum[l][h][0] = fused(v.x, x, sum[l][h][0]), sum[l][h][1] = fused(v.y, x, sum[l][h][1]);
          }
        }
      }
    }
  }
  return info;
}
template <class S, class A, class B>
GLASS_SCALAR constexpr bool fits_left() {
  if constexpr (can_exchange<S> && S::width >= 32 && S::width <= 256 && A::static_rows >= 8 && A::static_rows <= 128 &&
                B::is_static) {
    using shape = tiles_shape<S, A, B>;
    constexpr int bytes = int(sizeof(value_of<A>));
    return S::width % 32 == 0 && B::static_cols <= 1 && shape::mine * bytes <= 32 &&
           (scopes_of<S> == 1 || scopes_of<S> * shape::words * bytes <= (48 << 10) - 64);
  } else {
    return false;
  }
}
// All tiles in exchange memory, of a block with a reserve if need be.
template <class S, class A, class B>
GLASS_SCALAR constexpr bool fits_whole() {
  if constexpr (fits_left<S, A, B>())
    return tiles_shape<S, A, B>::far == 0;
  else
    return false;
}
}  // namespace glass::detail
