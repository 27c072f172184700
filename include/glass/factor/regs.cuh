// The Cholesky factor and solve on tensor cores, right-looking, with the whole triangle in registers: the tiles and
// lanes of left.cuh, no loop left. Shorter chains than there, at the price of code that grows with N^3: for one problem
// alone, or few.
//   panel J   warps own pairs of block rows (q = l warps + w). The owner of the diagonal tile factors it beside its
//             inverse and solves for y_J; a sync; all solve their tiles of column J and leave them in exchange memory as
//             operands; a sync; all subtract their products from the columns to the right
//   solve     warps add up their parts of sum_I L_IJ^T x_I; a sync; the owner of panel J solves for x_J
// N is padded to pairs of block rows by an identity. Arithmetic, pivots and NaN as in left.cuh.
//                                                                                              -> kernel notes, `regs`
#pragma once
#include <glass/factor/left.cuh>
namespace glass::detail {
// An operand as it lies in exchange memory: one access of 16 bytes.
template <class T>
struct alignas(16) stored_part {
  static constexpr int numbers = 16 / int(sizeof(T));
  T v[numbers];
  GLASS_DEVICE static stored_part of(const tile_part<double>& p) { return {p.v[0], p.v[1]}; }
  GLASS_DEVICE static stored_part of(const tile_part<float>& p) { return {p.hi[0], p.hi[1], p.lo[0], p.lo[1]}; }
};
GLASS_DEVICE tile_part<double> negative(const stored_part<double>& s) { return tile_part<double>(-s.v[0], -s.v[1]); }
GLASS_DEVICE tile_part<float> negative(const stored_part<float>& s) {
  tile_part<float> p(0, 0);
  p.hi[0] = -s.v[0], p.hi[1] = -s.v[1], p.lo[0] = -s.v[2], p.lo[1] = -s.v[3];
  return p;
}
// tile_lanes::factor as a function that is called: it would be half of the code.
template <class T>
struct factored {
  pair<T> c, w;
  int bad;
};
template <class T>
GLASS_CALLED factored<T> factor_tile(pair<T> c) {
  factored<T> f;
  f.bad = tile_lanes().factor(c, f.w);
  f.c = c;
  return f;
}

template <class S, class A, class B>
struct regs_shape {
  using T = value_of<A>;
  static constexpr int N = A::static_rows, R = B::static_cols, warps = S::width / 32;
  static constexpr int pairs = (N + 15) / 16, blocks = 2 * pairs, mine = (pairs + warps - 1) / warps;
  static constexpr int tile = 32 * stored_part<T>::numbers;  // numbers of an operand
  static constexpr int words = (blocks + 1) * tile + 16 + 16 * warps;
  static constexpr int registers = warps * mine * (mine + 1) * int(sizeof(T));  // of 32 bits, for a warp's tiles
};

template <Shift H, Factor F, class S, class A, class B>
GLASS_DEVICE int cholesky_in_registers(S scope, A a, B b, value_of<A> rho) {
  using T = value_of<A>;
  using shape = regs_shape<S, A, B>;
  using part = stored_part<T>;
  constexpr int N = shape::N, warps = shape::warps, pairs = shape::pairs, blocks = shape::blocks, mine = shape::mine;
  constexpr bool solve = shape::R > 0, whole = whole_sectors<A>(), padded = N % 16 != 0, keep = F == Factor::keep;
  const tile_lanes at{};
  const int lane = at.lane, g = at.g, t = at.t, w = warps == 1 ? 0 : scope.rank() / 32;
  T* const memory = scope.template exchange<T, shape::words>();
  part* const operands = reinterpret_cast<part*>(memory) + lane;  // of block row I: operands[32 I]; I = blocks: inverse
  T* const y_of_panel = memory + (blocks + 1) * shape::tile;
  T* const sums = y_of_panel + 16;  // 8 numbers of each warp, two sets by turns
  T c[mine][blocks][4], x[mine][2];
  // This lane's first element; the others lie at constant distances from it.
  const auto first = a.data + a.offset(16 * w + g, 2 * t);
  const auto element = [&](int l, int J, int e) -> auto& {
    return first[a.offset(16 * l * warps + 8 * (e / 2), 8 * J + e % 2)];
  };
  GLASS_UNROLL
  for (int l = 0; l < mine; ++l) {
    const int q = l * warps + w;
    GLASS_UNROLL
    for (int J = 0; J < blocks; ++J) {
      if (J <= 2 * (l * warps + warps - 1) + 1) {
        GLASS_UNROLL
        for (int e = 0; e < 4; ++e) {
          const int i = 16 * q + 8 * (e / 2) + g, j = 8 * J + 2 * t + e % 2;
          c[l][J][e] = i >= j && i < N ? element(l, J, e) : T(padded && i == j);
          if (H != Shift::none) c[l][J][e] = i == j && i < N ? shifted<H>(c[l][J][e], rho) : c[l][J][e];
        }
      }
    }
    GLASS_UNROLL
    for (int h = 0; h < 2; ++h) {
      const int i = 16 * q + 8 * h + g;
      x[l][h] = 0;
      if constexpr (solve) x[l][h] = t == 0 && i < N ? b(i, 0) : T(0);
    }
  }

  int info = N + 1;
  GLASS_UNROLL
  for (int J = 0; J < blocks; ++J) {
    const int h = J % 2, owner = J / 2 % warps, own = J / 2 / warps;
    if (w == owner) {
      const int i = 8 * J + g, j = 8 * J + 2 * t;
      pair<T> d = {c[own][J][2 * h], c[own][J][2 * h + 1]}, above = {};
      if constexpr (keep && whole) {
        if (j > i && j < N) above.x = element(own, J, 2 * h);
        if (j + 1 > i && j + 1 < N) above.y = element(own, J, 2 * h + 1);
      }
      d.x = j > i ? T(0) : d.x, d.y = j + 1 > i ? T(0) : d.y;
      const factored<T> f = factor_tile(d);
      if (f.bad < 8 && info > N) info = 8 * J + f.bad + 1;
      operands[32 * blocks] = part::of(tile_part<T>(f.w.x, f.w.y));
      if (keep && (whole || i >= j) && (!padded || (i < N && j < N))) element(own, J, 2 * h) = j > i ? above.x : f.c.x;
      if (keep && (whole || i >= j + 1) && (!padded || (i < N && j + 1 < N)))
        element(own, J, 2 * h + 1) = j + 1 > i ? above.y : f.c.y;
      c[own][J][2 * h] = f.w.x, c[own][J][2 * h + 1] = f.w.y;  // for the backward solve
      if constexpr (solve) {
        T y = at.sum_t(x[own][h]);
        y = at.sum_t(fused(f.w.x, at.from(y, 8 * t), f.w.y * at.from(y, 8 * t + 4)));
        if (t == 0) y_of_panel[8 * h + g] = y;
        x[own][h] = y;
      }
    }
    if (J + 1 < blocks) {
      scope.sync();
      const tile_part<T> minus_inverse = negative(operands[32 * blocks]);
      pair<T> y = {};
      if constexpr (solve) y = *reinterpret_cast<const pair<T>*>(y_of_panel + 8 * h + 2 * t);
      tile_part<T> minus[mine][2] = {};
      GLASS_UNROLL
      for (int l = 0; l < mine; ++l) {
        if (2 * (l * warps + warps - 1) + 1 > J) {
          const int q = l * warps + w;
          if (2 * q + 1 > J && q < pairs) {
            T d[4] = {}, small[4] = {};
            add_tiles(d, small, tile_part<T>(c[l][J][0], c[l][J][1]), tile_part<T>(c[l][J][2], c[l][J][3]),
                      minus_inverse);
            GLASS_UNROLL
            for (int k = 0; k < 2; ++k) {
              if (2 * q + k > J) {
                const T v0 = d[2 * k] + small[2 * k], v1 = d[2 * k + 1] + small[2 * k + 1];
                c[l][J][2 * k] = -v0, c[l][J][2 * k + 1] = -v1;
                minus[l][k] = tile_part<T>(v0, v1);
                operands[32 * (2 * q + k)] = part::of(minus[l][k]);
                if (keep && (!padded || 16 * q + 8 * k + g < N))
                  element(l, J, 2 * k) = -v0, element(l, J, 2 * k + 1) = -v1;
                if constexpr (solve) x[l][k] += fused(v0, y.x, v1 * y.y);
              }
            }
          }
        }
      }
      scope.sync();
      GLASS_UNROLL
      for (int K = J + 1; K < blocks; ++K) {
        const tile_part<T> right = negative(operands[32 * K]);
        GLASS_UNROLL
        for (int l = 0; l < mine; ++l) {
          if (K <= 2 * (l * warps + warps - 1) + 1) {
            const int q = l * warps + w;
            if (K <= 2 * q + 1 && q < pairs) add_tiles(c[l][K], c[l][K], minus[l][0], minus[l][1], right);
          }
        }
      }
    }
  }
  info = least_of_warps<warps>(scope, info);
  info = info > N ? 0 : info;
  if constexpr (solve) {
    GLASS_UNROLL
    for (int J = blocks - 1; J >= 0; --J) {
      const int h = J % 2, owner = J / 2 % warps, own = J / 2 / warps;
      pair<T> s = {};
      GLASS_UNROLL
      for (int l = 0; l < mine; ++l) {
        if (2 * (l * warps + warps - 1) + 1 > J) {
          GLASS_UNROLL
          for (int k = 0; k < 2; ++k) {
            const int q = l * warps + w;
            if (q < pairs && 2 * q + k > J)
              s.x = fused(c[l][J][2 * k], x[l][k], s.x), s.y = fused(c[l][J][2 * k + 1], x[l][k], s.y);
          }
        }
      }
      s.x = at.sum_g(s.x), s.y = at.sum_g(s.y);
      if (g == 0) *reinterpret_cast<pair<T>*>(sums + 8 * (h * warps + w) + 2 * t) = s;
      scope.sync();
      if (w == owner) {
        T v = x[own][h];
        GLASS_UNROLL
        for (int u = 0; u < warps; ++u) v -= sums[8 * (h * warps + u) + g];
        const T x0 = at.sum_g(c[own][J][2 * h] * v), x1 = at.sum_g(c[own][J][2 * h + 1] * v);
        const T even = at.from(x0, g / 2), odd = at.from(x1, g / 2);
        x[own][h] = g % 2 ? odd : even;
        if (info == 0 && t == 0 && 8 * J + g < N) b(8 * J + g, 0) = x[own][h];
      }
    }
  }
  scope.sync();
  return info;
}
template <class S, class A, class B>
GLASS_SCALAR constexpr bool fits_regs() {
  if constexpr (can_exchange<S> && S::width >= 32 && S::width <= 256 && A::static_rows >= 8 && A::static_rows <= 128 &&
                B::is_static) {
    using shape = regs_shape<S, A, B>;
    return S::width % 32 == 0 && B::static_cols <= 1 && shape::warps <= shape::pairs && shape::registers <= 160 &&
           scopes_of<S> * shape::words * int(sizeof(value_of<A>)) <= (48 << 10) - 64;
  } else {
    return false;
  }
}
}  // namespace glass::detail
