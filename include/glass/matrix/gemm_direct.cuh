// gemm's body `direct`: fragments of tensor cores (mma.cuh) loaded straight from where A, B and C lie, rows and k
// renumbered so that every load and store is a vector: no shared memory, no shuffles, no meeting of lanes.
//   lane (g, t) of a warp holds of a block of C with 8 R rows a strip and 8 columns a tile
//     A  rows R g .. R g + R - 1 of a strip, k = Q t .. Q t + Q - 1 of a step of 4 Q
//     B  the same k, column g of a tile          C  the rows of A, columns 2t and 2t + 1 of a tile
// Each warp of the scope takes blocks of C in turn. What is loaded for a chunk of k is asked for before the first
// product: many requests at once are what hides the latency. C is loaded first, as beta C, the products of alpha B are
// added to it: reads of C wait for nothing.
// Needs static sizes, whole warps, elements of a row or column next to each other. -> kernel notes, gemm `direct`.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/mma.cuh>
#include <glass/core/window.cuh>
namespace glass::detail {
struct warp_block {
  int rows, cols;
};
GLASS_SCALAR constexpr warp_block block_of(Tile tile) {
  switch (tile) {
    case Tile::m16n8:
      return {16, 8};
    case Tile::m16n16:
      return {16, 16};
    case Tile::m16n32:
      return {16, 32};
    case Tile::m16n48:
      return {16, 48};
    case Tile::m32n24:
      return {32, 24};
    case Tile::m32n32:
      return {32, 32};
    case Tile::m32n48:
      return {32, 48};
    case Tile::m32n64:
      return {32, 64};
    case Tile::m48n24:
      return {48, 24};
    case Tile::m64n32:
      return {64, 32};
    case Tile::m64n64:
      return {64, 64};
    case Tile::m96n24:
      return {96, 24};
    case Tile::m96n48:
      return {96, 48};
  }
  return {0, 0};
}
// Short numbers are multiplied by 2^36, A and B, so that the low parts of the smallest number have all their bits; what
// that makes too large shows in the sums.
constexpr int scale_of_short = 36;
// x 2^Scale = hi + lo, hi of 11 bits, lo of 12.
template <int Scale>
GLASS_DEVICE void tf32_split_scaled(float x, float& hi, float& lo) {
  constexpr float s = float(1ll << Scale);
  const float far = (8193 * s) * x;
  hi = fused(-8192 * s, x, far);
  lo = fused(s, x, -hi);
}
// One step of 8 k for a block of MT x NT tiles.
template <Mma Units, int MT, int NT, class Sum, class T>
GLASS_DEVICE void add_products(Sum (&c)[MT][NT][4], const T (&a)[MT][4], const Sum (&b)[NT][2]) {
  if constexpr (Units == Mma::f64) {
    GLASS_UNROLL
    for (int i = 0; i < MT; ++i) {
      const double x[4] = {double(a[i][0]), double(a[i][1]), double(a[i][2]), double(a[i][3])};
      GLASS_UNROLL
      for (int j = 0; j < NT; ++j) add_product(c[i][j], x, b[j]);
    }
  } else {
    float b_hi[NT][2], b_lo[NT][2];
    GLASS_UNROLL
    for (int j = 0; j < NT; ++j) {
      GLASS_UNROLL
      for (int e = 0; e < 2; ++e) tf32_split(b[j][e], b_hi[j][e], b_lo[j][e]);
    }
    GLASS_UNROLL
    for (int i = 0; i < MT; ++i) {
      float hi[4], lo[4];
      GLASS_UNROLL
      for (int e = 0; e < 4; ++e) tf32_split_scaled<scale_of_short>(a[i][e], hi[e], lo[e]);
      GLASS_UNROLL
      for (int j = 0; j < NT; ++j) {
        add_product_tf32(c[i][j], lo, b_hi[j]);
        add_product_tf32(c[i][j], hi, b_lo[j]);
        add_product_tf32(c[i][j], hi, b_hi[j]);
      }
    }
  }
}
template <Mma Units>
struct type_of_sum {
  using type = float;
};
template <>
struct type_of_sum<Mma::f64> {
  using type = double;
};
// What the factors of a product become: alpha that of B, beta that of C, and last of what was summed.
template <Mma Units, class T>
struct factors {
  T alpha, beta;
  static constexpr int last = 1;
  static constexpr bool known = true;
  GLASS_DEVICE factors(T a, T b) : alpha(a), beta(b) {}
};
// Of alpha only the leading digits go with B, the power of two with the scales of the short numbers. Unknown: what would
// be left of beta C, or of alpha B, is not sure.
template <>
struct factors<Mma::tf32x3, float> {
  float alpha, beta, last;
  bool known;
  GLASS_DEVICE factors(float a, float b) {
    const int exponent = int(bits_of(a) >> 23 & 255) - 127;
    known = exponent >= -40 && exponent <= 40;
    const int power = known ? exponent : 0, up = 2 * scale_of_short - power;
    alpha = a * power_of_two(scale_of_short - power);
    beta = b * power_of_two(up);
    last = power_of_two(-up);
  }
  GLASS_DEVICE static float power_of_two(int n) { return float_of(unsigned(n + 127) << 23); }
};
// What one warp adds up of a block of WM x WN, R rows and Q k in a vector.
template <Mma Units, class T, int WM, int WN, int R, int Q>
struct warp_sums {
  using Sum = typename type_of_sum<Units>::type;
  static constexpr int MT = WM / 16, NT = WN / 8, strips = WM / (8 * R), run_rows = R;
  Sum sum[MT][NT][4] = {};
  // The sum at rows 8 R i + u and columns 8 j + s of the lane's.
  GLASS_DEVICE Sum& at(int i, int u, int j, int s) { return sum[(i * R + u) / 2][j][u % 2 * 2 + s]; }
  template <class Window>
  GLASS_DEVICE void start(const Window& c, T beta) {
    if (beta == T(0)) return;
    GLASS_UNROLL
    for (int i = 0; i < strips; ++i) {
      GLASS_UNROLL
      for (int j = 0; j < NT; ++j) {
        T old[2][R];
        c.load(old, 8 * R * i, 8 * j);
        GLASS_UNROLL
        for (int e = 0; e < 2 * R; ++e) at(i, e % R, j, e / R) = Sum(beta) * old[e / R][e % R];
      }
    }
  }
  // A step of 4 Q k.
  GLASS_DEVICE void add(T alpha, const T (&left)[strips][Q][R], const T (&right)[NT][1][Q]) {
    GLASS_UNROLL
    for (int q = 0; q < Q; q += 2) {
      T x[MT][4];
      Sum y[NT][2];
      GLASS_UNROLL
      for (int i = 0; i < 4 * MT; ++i) {
        const int row = i / 4 * 2 + i % 2;  // of the lane's rows
        x[i / 4][i % 4] = left[row / R][q + i % 4 / 2][row % R];
      }
      GLASS_UNROLL
      for (int j = 0; j < 2 * NT; ++j) y[j / 2][j % 2] = Sum(alpha) * right[j / 2][0][q + j % 2];
      add_products<Units>(sum, x, y);
    }
  }
  // Whether the sums of some lane of the warp are not those of the formula within its bound. Every lane asks.
  GLASS_DEVICE bool doubtful([[maybe_unused]] const factors<Units, T>& by) const {
    if constexpr (Units == Mma::f64) {
      return false;
    } else {
      float zero = 0;  // or NaN
      GLASS_UNROLL
      for (int i = 0; i < MT * NT * 4; ++i) zero = fused(sum[i / (4 * NT)][i / 4 % NT][i % 4], 0.f, zero);
      return glass::scope::warp{}.any(zero != 0 || !by.known);
    }
  }
  template <class Window>
  GLASS_DEVICE void store(const Window& c, const factors<Units, T>& by) {
    GLASS_UNROLL
    for (int i = 0; i < strips; ++i) {
      GLASS_UNROLL
      for (int j = 0; j < NT; ++j) {
        GLASS_UNROLL
        for (int s = 0; s < 2; ++s) {
          T value[R];
          GLASS_UNROLL
          for (int u = 0; u < R; ++u) value[u] = T(at(i, u, j, s)) * by.last;
          c.store(value, 8 * R * i, 8 * j + s);
        }
      }
    }
  }
};

// Element by element, in as little code as can be: where vectors do not reach operands that had them promised, and
// numbers that short ones do not. Rows row ... row + m - 1, columns col ... col + n - 1 of C.
template <class S, class T, class A, class B, class C>
GLASS_DEVICE void block_by_elements(S scope, T alpha, A a, B b, T beta, C c, int row, int col, int m, int n) {
  const int depth = alpha == T(0) ? 0 : a.cols();
  each(scope, m, n, [&](int i, int j) {
    T sum = 0;
    GLASS_UNROLL_BY(1)
    for (int k = 0; k < depth; ++k) sum = fused(a(row + i, k), b(k, col + j), sum);
    blend(c(row + i, col + j), alpha * sum, beta);
  });
}
template <class S, class T, class A, class B, class C>
GLASS_DEVICE void gemm_by_elements(S scope, T alpha, A a, B b, T beta, C c) {
  block_by_elements(scope, alpha, a, b, beta, c, 0, 0, c.rows(), c.cols());
}
// The block of a warp at (row, col), by its lanes.
template <int WM, int WN, class T, class A, class B, class C>
GLASS_DEVICE void warp_block_by_elements(T alpha, A a, B b, T beta, C c, int row, int col) {
  const int m = c.rows() - row < WM ? c.rows() - row : WM, n = c.cols() - col < WN ? c.cols() - col : WN;
  glass::scope::warp{}.sync();  // other lanes may have read these elements of C
  block_by_elements(glass::scope::warp{}, alpha, a, b, beta, c, row, col, m, n);
}

// k that are asked for at once, rows and k in a vector, and how often the loop over chunks is unrolled: what was best
// on an H200.
struct direct_shape {
  int chunk, run_rows, run_k, unroll;
};
template <class T, Mma Units>
GLASS_SCALAR constexpr direct_shape shape_of_direct(warp_block w, int m, int k) {
  constexpr bool single = sizeof(T) == 4;
  const int area = w.rows * w.cols;
  const int run_rows = single && m % 4 == 0 && w.rows % 32 == 0 ? 4 : 2;
  const int run_k = single && k % 16 == 0 && (Units == Mma::tf32x3 || run_rows == 4 || area <= 256) ? 4 : 2;
  const int chunk = k <= 24 ? (k + 7) / 8 * 8 : k % 16 == 0 && (single || area < 2048) ? 16 : 8;
  return {chunk, run_rows, run_k, area > 2048 ? 1 : area == 2048 ? 2 : 4};
}
// Adds alpha A B to what a warp holds of the block at (row, col), chunk by chunk. Lane (g, t) of the warp.
template <int KC, int Unroll, bool EdgeM, bool EdgeN, Mma Units, class T, int WM, int WN, int R, int Q, class A,
          class B>
GLASS_DEVICE void add_block(warp_sums<Units, T, WM, WN, R, Q>& part, T alpha, A a, B b, int row, int col, int g,
                            int t) {
  using sums = warp_sums<Units, T, WM, WN, R, Q>;
  constexpr int K = A::static_cols, steps = KC / (4 * Q);
  constexpr bool edge_k = K % KC != 0;
  GLASS_UNROLL_BY(Unroll)
  for (int k = 0; k < K; k += KC) {
    const window<A, EdgeM, edge_k> from_a(a, row + R * g, k + Q * t);
    const window<B, edge_k, EdgeN> from_b(b, k + Q * t, col + g);
    T left[steps][sums::strips][Q][R], right[steps][sums::NT][1][Q];
    GLASS_UNROLL
    for (int s = 0; s < steps; ++s) {
      GLASS_UNROLL
      for (int i = 0; i < sums::strips; ++i) from_a.load(left[s][i], 8 * R * i, 4 * Q * s);
      GLASS_UNROLL
      for (int j = 0; j < sums::NT; ++j) from_b.load(right[s][j], 4 * Q * s, 8 * j);
    }
    GLASS_UNROLL
    for (int s = 0; s < steps; ++s) part.add(alpha, left[s], right[s]);
  }
}
template <Mma Units, int WM, int WN, int KC, int R, int Q, int Unroll, class S, class T, class A, class B, class C>
GLASS_DEVICE void gemm_direct(S scope, T alpha, A a, B b, T beta, C c) {
  constexpr int M = C::static_rows, N = C::static_cols, warps = S::width / 32;
  constexpr int MB = (M + WM - 1) / WM, NB = (N + WN - 1) / WN;
  constexpr bool edge_m = M % WM != 0, edge_n = N % WN != 0;
  const int rank = scope.rank(), lane = rank % 32, g = lane / 4, t = lane % 4;
  const factors<Units, T> by(alpha, beta);
  // As many turns for every warp, where it comes out even: then the compiler sees that a warp stays together.
  GLASS_UNROLL_BY(1)
  for (int turn = 0; turn < (MB * NB + warps - 1) / warps; ++turn) {
    const int block = rank / 32 + turn * warps;
    if (MB * NB % warps != 0 && block >= MB * NB) break;
    const int row = block % MB * WM, col = block / MB * WN;
    const window<C, edge_m, edge_n> to(c, row + R * g, col + 2 * t);
    warp_sums<Units, T, WM, WN, R, Q> part;
    part.start(to, by.beta);
    if (alpha != T(0)) add_block<KC, Unroll, edge_m, edge_n>(part, by.alpha, a, b, row, col, g, t);
    if (part.doubtful(by))
      warp_block_by_elements<WM, WN>(alpha, a, b, beta, c, row, col);
    else
      part.store(to, by);
  }
}
// What gemm_direct takes.
template <class S, class A, class B, class C>
inline constexpr bool multiplies_directly =
    S::width >= 32 && S::width % 32 == 0 && C::static_rows > 0 && C::static_cols > 0 && A::static_cols > 0 &&
    A::static_inc == 1 && B::static_inc == 1 && C::static_inc == 1;
}  // namespace glass::detail
