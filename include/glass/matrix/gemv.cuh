// gemv<Trans>(scope, alpha, A, x, beta, y)   y <- alpha op(A) x + beta y, op(A) = A or A^T. [GVL 1.1.3]
// gemv<Trans>(scope, alpha, A, x, y)         the same with beta = 0.
// data     A: M x N before op, any leading dimension and order; x: N (M if transposed); both read only.
//          y: M (N), overwritten; it overlaps neither.
// lanes    every lane of the scope calls, with the same alpha and beta; ends synchronised unless Sync::no.
// scalars  beta == 0: y is not read. alpha == 0: A and x are not read. Empty A: y <- beta y.
// bodies   loop      every scope and size: lanes own rows of op(A)
//          fragment  constant sizes, tile and warp: neighbouring lanes read neighbouring elements of A, whatever its
//                    order, and sums that several lanes share are gathered by shuffles     -> kernel notes, gemv
// cost     2 M N flops; reads M N + M + N, writes M.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/fragment.cuh>
#include <glass/vector/dot.cuh>
namespace glass {
namespace detail {
template <class S, class T, class A, class X, class Y>
GLASS_DEVICE void gemv_loop(S scope, T alpha, A a, X x, T beta, Y y) {
  each(scope, a.rows(), [&](int i) {
    T sum = 0;
    if (alpha != T(0)) {
      if constexpr (S::width == 1) {
        sum = partial_sum<T>(scope, a.cols(), [&](int j) { return a(i, j) * x(j); });
      } else {
        for (int j = 0; j < a.cols(); ++j) sum = fused(a(i, j), x(j), sum);
      }
    }
    blend(y(i), alpha * sum, beta);
  });
}

// Neighbouring lanes along a column of A: rows M or W at a time, and several columns side by side when a column is
// short.
template <class S, class T, class A, class X, class Y>
GLASS_DEVICE void gemv_columns(S scope, T alpha, A a, X x, T beta, Y y) {
  constexpr int M = A::static_rows, N = A::static_cols, W = S::width, along = M < W ? M : W, across = W / along;
  constexpr int items = (M + W - 1) / W;
  const int first = scope.rank() % along, column = scope.rank() / along;
  T sum[items] = {};
  if (alpha != T(0) && column < across) {
    GLASS_UNROLL
    for (int j = 0; j < N; j += across) {
      if (j + column < N) {
        const T xj = x(j + column);
        GLASS_UNROLL
        for (int q = 0; q < items; ++q) {
          if (first + q * W < M) sum[q] = fused(a(first + q * W, j + column), xj, sum[q]);
        }
      }
    }
  }
  GLASS_UNROLL
  for (int step = power_of_two_from(across) / 2; step > 0; step /= 2) {
    const T other = scope.shuffle(sum[0], (scope.rank() + step * along) % W);  // across > 1 only where items == 1
    if (column + step < across) sum[0] += other;
  }
  GLASS_UNROLL
  for (int q = 0; q < items; ++q) {
    if (column == 0 && first + q * W < M) blend(y(first + q * W), alpha * sum[q], beta);
  }
}

// Neighbouring lanes along a row of A. Each lane has a part of every sum; halving exchanges leave each lane with whole
// sums of its own.
template <class S, class T, class A, class X, class Y>
GLASS_DEVICE void gemv_rows(S scope, T alpha, A a, X x, T beta, Y y) {
  constexpr int M = A::static_rows, N = A::static_cols, W = S::width;
  T sum[M] = {};
  if (alpha != T(0)) {
    GLASS_UNROLL
    for (int j0 = 0; j0 < N; j0 += W) {
      const int j = j0 + scope.rank();
      if (j < N) {
        const T xj = x(j);
        GLASS_UNROLL
        for (int i = 0; i < M; ++i) sum[i] = fused(a(i, j), xj, sum[i]);
      }
    }
  }
  int first = 0, count = M, live = M;  // this lane holds sums first .. first + live - 1 in sum[0 .. count - 1]
  bool writer = true;
  GLASS_UNROLL
  for (int step = W / 2; step > 0; step /= 2) {
    const bool upper = (scope.rank() & step) != 0;
    if (count > 1) {
      const int half = (count + 1) / 2;
      GLASS_UNROLL
      for (int u = 0; u < half; ++u) {
        const T low = sum[u], high = u + half < count ? sum[u + half] : T(0);
        sum[u] = (upper ? high : low) + scope.shuffle(upper ? low : high, scope.rank() ^ step);
      }
      first += upper ? half : 0;
      live = upper ? live - half : (live < half ? live : half);
      count = half;
    } else {
      sum[0] += scope.shuffle(sum[0], scope.rank() ^ step);
      writer = writer && !upper;
    }
  }
  GLASS_UNROLL
  for (int u = 0; u < count; ++u) {
    if (writer && u < live) blend(y(first + u), alpha * sum[u], beta);
  }
}
template <Body B, class S, class A>
inline constexpr bool gemv_in_fragments =
    (B == Body::fragment || B == Body::automatic) &&
    can_shuffle<S>&& S::width > 1 && A::is_static&& A::static_rows > 0 && A::static_cols > 0 &&
    (B == Body::fragment || A::static_rows * A::static_cols <= 64 * S::width);
}  // namespace detail

template <auto... Options, class S, class A, class X, class Y, detail::when<is_view<A> && is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void gemv(S scope, just<value_of<Y>> alpha, A a, X x, just<value_of<Y>> beta, Y y) {
  constexpr bool known = takes<types<Trans, Body, Sync>, Options...>;
  static_assert(known, "glass: gemv takes the options Trans, Body and Sync, in any order.");
  static_assert(Y::writable, "glass: gemv writes y, but y is const.");
  if constexpr (known && Y::writable) {
    constexpr Trans trans = chosen<Trans::no, 0, Options...>();
    constexpr Body body = chosen<Body::automatic, 0, Options...>();
    using Op = detail::op_of<trans, A>;
    constexpr bool fits = agree(Op::static_cols, X::static_rows) && agree(Op::static_rows, Y::static_rows);
    constexpr bool fragments = detail::gemv_in_fragments<body, S, Op>, legal = fragments || body != Body::fragment;
    static_assert(fits, "glass: gemv: the sizes do not fit: op(A) is M x N, x has N numbers, y has M.");
    static_assert(legal, "glass: gemv<Body::fragment> needs constant sizes and a tile or warp scope.");
    if constexpr (fits && legal) {
      const auto op = detail::op<trans>(a);
      if constexpr (!fragments)
        detail::gemv_loop(scope, alpha, op, x, beta, y);
      else if constexpr (Op::order == Order::col)
        detail::gemv_columns(scope, alpha, op, x, beta, y);
      else
        detail::gemv_rows(scope, alpha, op, x, beta, y);
      if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
    }
  }
}
template <auto... Options, class S, class A, class X, class Y, detail::when<is_view<A> && is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void gemv(S scope, just<value_of<Y>> alpha, A a, X x, Y y) {
  gemv<Options...>(scope, alpha, a, x, value_of<Y>(0), y);
}
GLASS_FACES_2(gemv, M, N, (just<T> alpha, const just<T>* A, const just<T>* x, just<T> beta, just<T>* y),
              (alpha, as_matrix(A, M, N), as_vector(x, either<chosen<Trans::no, 0, O...>() == Trans::yes>(M, N)), beta,
               as_vector(y, either<chosen<Trans::no, 0, O...>() == Trans::yes>(N, M))))
GLASS_FACES_2(gemv, M, N, (just<T> alpha, const just<T>* A, const just<T>* x, just<T>* y),
              (alpha, as_matrix(A, M, N), as_vector(x, either<chosen<Trans::no, 0, O...>() == Trans::yes>(M, N)),
               as_vector(y, either<chosen<Trans::no, 0, O...>() == Trans::yes>(N, M))))
}  // namespace glass
