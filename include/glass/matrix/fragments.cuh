// Products of row fragments (core/fragment.cuh), for kernels whose intermediate results never leave the registers:
// load, multiply, factor/fragments.cuh, store. Constant sizes; thread, tile and warp scopes.
//
// multiply<TransA, TransB>(scope, alpha, A, B, C)   C <- C + alpha op(A) op(B), op(X) = X or X^T.
// data     C: fragment M x N; A: fragment, op(A) M x K; op(B): K x N, one of
//            a fragment of the scope     each element goes to all lanes by one shuffle; in tiles and warps of a kernel,
//                                        which have exchange memory, two or four by one access of 16 bytes
//            a fragment of width 1       every lane holds all of B: no shuffle
//            a view                      every lane reads every element, all lanes the same one at a time
// cost     2 M N K / W flops a lane; K N shuffles, or K N / 4 (f64: K N / 2) accesses, where B is a fragment of the scope;
//          M K shuffles more with Trans::yes of A. A transposed operand that lies in memory costs nothing: load(scope,
//          a.transposed()).
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
// What multiply reads of B: element (k, j) of op(B) in every lane, asked for row by row, wherever B is; rows and cols are
// those of B. Here: a view.
template <class B>
struct everywhere {
  static constexpr int rows = B::static_rows, cols = B::static_cols;
  template <bool Turned, class S, class T>
  struct elements {
    B b;
    GLASS_DEVICE elements(S, const B& from) : b(from) {}
    GLASS_DEVICE T at(int k, int j) const { return Turned ? b(j, k) : b(k, j); }
    GLASS_DEVICE void leave() const {}
  };
};
// op(B) in a part of exchange memory, row by row without gaps: one access of 16 bytes fetches two or four elements.
template <bool Turned, class S, class T, int M, int N>
struct exchanged_elements {
  static constexpr int each = 16 / int(sizeof(T)), cols = Turned ? M : N;
  S scope;
  T* memory;
  line<T> now;
  GLASS_DEVICE exchanged_elements(S s, const row_fragment<T, M, N, S::width>& b)
      : scope(s), memory(part_of<T, M * N>(s)) {
    GLASS_UNROLL
    for (int q = 0; q < b.items; ++q) {
      const int i = s.rank() + q * S::width;
      GLASS_UNROLL
      for (int j = 0; j < N; ++j)
        if ((q + 1) * S::width <= M || i < M) memory[Turned ? j * M + i : i * N + j] = b.v[q][j];
    }
    scope.sync();
  }
  GLASS_DEVICE T at(int k, int j) {
    const int e = k * cols + j;
    if (e % each == 0) now = *reinterpret_cast<const line<T>*>(memory + e);
    return now.v[e % each];
  }
  GLASS_DEVICE void leave() const { scope.sync(); }
};
template <class T, int M, int N, int W>
struct everywhere<row_fragment<T, M, N, W>> {
  static constexpr int rows = M, cols = N;
  template <bool Turned, class S>
  struct shuffled {
    S scope;
    const row_fragment<T, M, N, W>& b;
    GLASS_DEVICE shuffled(S s, const row_fragment<T, M, N, W>& from) : scope(s), b(from) {
      static_assert(W == 1 || W == S::width, "glass: multiply: B is a fragment of another scope.");
    }
    GLASS_DEVICE T at(int k, int j) const {
      const int row = Turned ? j : k, col = Turned ? k : j;
      if constexpr (W == 1)
        return b.v[row][col];
      else
        return scope.broadcast(b.v[row / W][col], row % W);
    }
    GLASS_DEVICE void leave() const {}
  };
  template <bool Exchange, bool Turned, class S>
  struct how {
    using type = shuffled<Turned, S>;
  };
  template <bool Turned, class S>
  struct how<true, Turned, S> {
    using type = exchanged_elements<Turned, S, T, M, N>;
  };
  template <bool Turned, class S, class>
  using elements = typename how<(W > 1 && W == S::width && M * N * int(sizeof(T)) >= 32 && has_part<S, T, M * N>()),
                                Turned, S>::type;
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
      typename right::template elements<turn_b, S, T> elements(scope, b);
      GLASS_UNROLL
      for (int k = 0; k < K; ++k) {
        GLASS_UNROLL
        for (int j = 0; j < N; ++j) {
          const T x = alpha * elements.at(k, j);
          GLASS_UNROLL
          for (int q = 0; q < c.items; ++q) c.v[q][j] = fused(a.v[q][k], x, c.v[q][j]);
        }
      }
      elements.leave();
    }
  }
}
}  // namespace glass
