// The Cholesky factor and solve with lane r holding rows r, r + W, ... of A in registers, as factor_in_fragments
// (potrf.cuh) does, but the pivot column goes through the scope's exchange memory: a 16-byte load broadcasts four
// floats or two doubles where a shuffle broadcasts one or a half.              -> kernel notes, `rows`
//   step k    lanes store column k as it stands; one sync; each scales its own multipliers by 1 / pivot, so nothing
//             waits for a scaled column
//   solve     all columns are kept: L^T X = Y is a sweep in which lane i subtracts L(k, i) x_k, one shuffle a step
// A subnormal pivot has no reciprocal and counts as bad.
#pragma once
#include <glass/core/fragment.cuh>
#include <glass/factor/pivot.cuh>
namespace glass::detail {
// The shape for views A and B; B of no columns: factor only.
template <class S, class A, class B>
struct rows_shape {
  using T = value_of<A>;
  static constexpr int N = A::static_rows, R = B::static_cols, W = S::width;
  static constexpr int items = (N + W - 1) / W, each = 16 / int(sizeof(T));
  static constexpr int ld = (items * W + each - 1) / each * each + each;  // of the kept columns
  static constexpr int kept = R > 0 ? N : 2, words = kept * ld + each;
  static constexpr int padded = (N + each - 1) / each * each;  // columns in registers
};
// r -= m l, number by number. No loop: unrolling one more level of them is a third of the compile time.
GLASS_DEVICE void subtract(float* r, float m, const line<float>& l) {
  r[0] = fused(-m, l.v[0], r[0]), r[1] = fused(-m, l.v[1], r[1]);
  r[2] = fused(-m, l.v[2], r[2]), r[3] = fused(-m, l.v[3], r[3]);
}
GLASS_DEVICE void subtract(double* r, double m, const line<double>& l) {
  r[0] = fused(-m, l.v[0], r[0]), r[1] = fused(-m, l.v[1], r[1]);
}

// A = L L^T, then L L^T X = B. a: shifted on the way in by rho.
template <Shift H, Factor F, class S, class A, class B>
GLASS_DEVICE int cholesky_in_rows(S scope, A a, B b, value_of<A> rho) {
  using T = value_of<A>;
  using shape = rows_shape<S, A, B>;
  constexpr int N = shape::N, R = shape::R, W = shape::W, items = shape::items, ld = shape::ld;
  constexpr int slots = R > 0 ? R : 1;
  T* const columns = scope.template exchange<T, shape::words>();
  const lane_rows<S, A> rows(scope, a);
  const int lane = scope.rank();
  T r[items][shape::padded], x[slots][items], sum[slots][items], inverse[items];
  GLASS_UNROLL
  for (int j = 0; j < shape::padded; ++j) {
    GLASS_UNROLL
    for (int q = 0; q < items; ++q) {
      r[q][j] = 0;
      if ((q + 1) * W > j && j < N) {
        r[q][j] = rows.holds(q) && rows.below(q, j) ? rows.at(q, j) : T(0);
        if (H != Shift::none && j / W == q) r[q][j] = lane == j % W ? shifted<H>(r[q][j], rho) : r[q][j];
      }
    }
  }
  GLASS_UNROLL
  for (int q = 0; q < items; ++q) {
    const int i = lane + q * W;
    inverse[q] = 0;
    GLASS_UNROLL
    for (int u = 0; u < slots; ++u) {
      x[u][q] = sum[u][q] = 0;
      if constexpr (R > 0) x[u][q] = i < N ? b(i, u) : T(0);
    }
  }

  int info = N + 1;
  GLASS_UNROLL
  for (int k = 0; k < N; ++k) {
    T* const column = columns + (R > 0 ? k : k % 2) * ld;
    GLASS_UNROLL
    for (int q = 0; q < items; ++q) {
      if ((q + 1) * W > k) column[lane + q * W] = r[q][k];
    }
    scope.sync();
    const T pivot = column[k];
    if (!is_positive_normal(pivot)) info = info < k + 1 ? info : k + 1;
    const T d = reciprocal_root_of_pivot(pivot), dd = d * d;
    T multiplier[items] = {};
    if constexpr (R > 0) inverse[k / W] = lane == k % W ? d : inverse[k / W];
    GLASS_UNROLL
    for (int q = 0; q < items; ++q) {
      if ((q + 1) * W > k) {
        const int i = lane + q * W;
        multiplier[q] = r[q][k] * dd;
        T l = r[q][k] * d;
        if (k / W == q) l = i == k ? refined_root(l, pivot, d) : l;
        if (F == Factor::keep && rows.holds(q) && rows.below(q, k)) rows.at(q, k) = l;
      }
    }
    GLASS_UNROLL
    for (int u = 0; u < R; ++u) {
      const T known = scope.shuffle(x[u][k / W], k % W);
      GLASS_UNROLL
      for (int q = 0; q < items; ++q) {
        if ((q + 1) * W > k) {
          const int i = lane + q * W;
          const T rest = fused(-multiplier[q], known, x[u][q]);
          x[u][q] = i == k ? known * d : i > k ? rest : x[u][q];
        }
      }
    }
    GLASS_UNROLL
    for (int first = (k + 1) / shape::each * shape::each; first < N; first += shape::each) {
      const line<T> l = *reinterpret_cast<const line<T>*>(column + first);
      GLASS_UNROLL
      for (int q = 0; q < items; ++q) {
        if ((q + 1) * W > first) subtract(r[q] + first, multiplier[q], l);  // up to column k nobody reads r any more
      }
    }
  }
  // Rows of the kept columns above their diagonal, or never stored, are added to sums that nobody uses any more. The
  // chain of a step is multiply-add, shuffle, multiply-add: x and the square of 1 / L(k, k) are scaled before.
  T square[items];
  GLASS_UNROLL
  for (int q = 0; q < items; ++q) {
    square[q] = -inverse[q] * inverse[q];
    GLASS_UNROLL
    for (int u = 0; u < R; ++u) x[u][q] *= inverse[q];
  }
  GLASS_UNROLL
  for (int k = R > 0 ? N - 1 : -1; k >= 0; --k) {
    GLASS_UNROLL
    for (int u = 0; u < R; ++u) {
      const T known = scope.shuffle(fused(square[k / W], sum[u][k / W], x[u][k / W]), k % W);
      x[u][k / W] = lane == k % W ? known : x[u][k / W];
      GLASS_UNROLL
      for (int q = 0; q < items; ++q) {
        const int i = lane + q * W;
        if (q * W < k && ((q + 1) * W <= N || i < N)) sum[u][q] = fused(columns[i * ld + k], known, sum[u][q]);
      }
    }
  }
  info = info > N ? 0 : info;
  if constexpr (R > 0) {
    GLASS_UNROLL
    for (int q = 0; q < items; ++q) {
      GLASS_UNROLL
      for (int u = 0; u < R; ++u) {
        if (info == 0 && rows.holds(q)) b(lane + q * W, u) = x[u][q];
      }
    }
  }
  scope.sync();
  return info;
}
// Registers of a lane in 32-bit words and the block's exchange memory, against what there is.
template <class S, class A, class B>
GLASS_SCALAR constexpr bool fits_rows() {
  if constexpr (can_exchange<S> && can_shuffle<S> && A::static_rows > 0 && B::is_static) {
    using shape = rows_shape<S, A, B>;
    return triangle_words<value_of<A>, shape::N, shape::W>() + shape::items * shape::R * int(sizeof(value_of<A>)) / 4 <=
               192 &&
           scopes_of<S> * shape::words * int(sizeof(value_of<A>)) <= 48 << 10;
  } else {
    return false;
  }
}
}  // namespace glass::detail
