// Products of row fragments (core/fragment.cuh), for kernels whose intermediate results never leave the registers:
// load, multiply, factor/fragments.cuh, store. Constant sizes; thread, tile and warp scopes.
//
// multiply<TransA, TransB>(scope, alpha, A, B, C)   C <- C + alpha op(A) op(B), op(X) = X or X^T.
// data     C: fragment M x N; A: fragment, op(A) M x K; op(B): K x N, one of
//            a fragment of the scope     each element goes to all lanes by one shuffle
//            a fragment of width 1       every lane holds all of B: no shuffle
//            a view                      every lane reads every element, all lanes the same one at a time
// cost     2 M N K / W flops a lane; K N shuffles where B is a fragment of the scope, M K more with Trans::yes of A. A
//          transposed operand that lies in memory costs nothing: load(scope, a.transposed()).
//
// broadcast(scope, A) -> fragment of width 1        all of A in every lane, by M N shuffles.
// transposed(scope, A) -> fragment                  N x M, by M N shuffles.
// lanes    every lane of the scope calls, with the same alpha. Rows past the last stay zero where they were. No sync: a
//          fragment is nobody else's.
#pragma once
#include <glass/core/fragment.cuh>
#include <glass/core/math.cuh>
namespace glass {
template <class S, class T, int M, int N, int W>
GLASS_DEVICE row_fragment<T, M, N, 1> broadcast(S scope, const row_fragment<T, M, N, W>& a) {
  static_assert(W == S::width && can_shuffle<S>, "glass: broadcast: this fragment belongs to another scope.");
  row_fragment<T, M, N, 1> all;
  GLASS_UNROLL
  for (int i = 0; i < M; ++i) {
    GLASS_UNROLL
    for (int j = 0; j < N; ++j) all.v[i][j] = scope.broadcast(a.v[i / W][j], i % W);
  }
  return all;
}
template <class S, class T, int M, int N, int W>
GLASS_DEVICE row_fragment<T, N, M, W> transposed(S scope, const row_fragment<T, M, N, W>& a) {
  static_assert(W == S::width && can_shuffle<S>, "glass: transposed: this fragment belongs to another scope.");
  row_fragment<T, N, M, W> t = {};
  GLASS_UNROLL
  for (int i = 0; i < M; ++i) {
    GLASS_UNROLL
    for (int j = 0; j < N; ++j) {
      const T x = scope.broadcast(a.v[i / W][j], i % W);
      t.v[j / W][i] = scope.rank() == j % W ? x : t.v[j / W][i];
    }
  }
  return t;
}
namespace detail {
// Element (k, j) of op(B) in every lane, wherever B is; rows and cols are those of B.
template <class B>
struct everywhere {
  static constexpr int rows = B::static_rows, cols = B::static_cols;
  template <class S>
  GLASS_DEVICE static auto at(S, const B& b, int k, int j) {
    return b(k, j);
  }
};
template <class T, int M, int N, int W>
struct everywhere<row_fragment<T, M, N, W>> {
  static constexpr int rows = M, cols = N;
  template <class S>
  GLASS_DEVICE static T at(S scope, const row_fragment<T, M, N, W>& b, int k, int j) {
    static_assert(W == 1 || W == S::width, "glass: multiply: B is a fragment of another scope.");
    if constexpr (W == 1)
      return b.v[k][j];
    else
      return scope.broadcast(b.v[k / W][j], k % W);
  }
};
}  // namespace detail

template <auto... Options, class S, class T, int MA, int NA, int M, int N, int W, class B>
GLASS_DEVICE void multiply(S scope, just<T> alpha, const row_fragment<T, MA, NA, W>& a, const B& b,
                           row_fragment<T, M, N, W>& c) {
  constexpr bool known = takes<types<Trans, Trans>, Options...>, here = W == S::width && can_shuffle<S>;
  static_assert(known, "glass: multiply of fragments takes the options Trans (of A) and Trans (of B).");
  static_assert(here, "glass: multiply: these fragments belong to another scope.");
  if constexpr (known && here) {
    using right = detail::everywhere<B>;
    constexpr bool turn_a = chosen<Trans::no, 0, Options...>() == Trans::yes;
    constexpr bool turn_b = chosen<Trans::no, 1, Options...>() == Trans::yes;
    constexpr int K = turn_a ? MA : NA;
    constexpr bool fits = (turn_a ? NA : MA) == M && (turn_b ? right::cols : right::rows) == K &&
                          (turn_b ? right::rows : right::cols) == N;
    static_assert(fits, "glass: multiply: the sizes do not fit: op(A) is M x K, op(B) is K x N, C is M x N.");
    if constexpr (!fits) {
    } else if constexpr (turn_a) {
      multiply<Trans::no, turn_b ? Trans::yes : Trans::no>(scope, alpha, transposed(scope, a), b, c);
    } else {
      GLASS_UNROLL
      for (int k = 0; k < K; ++k) {
        GLASS_UNROLL
        for (int j = 0; j < N; ++j) {
          const T x = alpha * (turn_b ? right::at(scope, b, j, k) : right::at(scope, b, k, j));
          GLASS_UNROLL
          for (int q = 0; q < c.items; ++q) c.v[q][j] = fused(a.v[q][k], x, c.v[q][j]);
        }
      }
    }
  }
}
}  // namespace glass
