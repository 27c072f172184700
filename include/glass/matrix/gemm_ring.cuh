// gemm's bodies `ring` and `stream`: the fragments of gemm_direct.cuh, fed from shared memory. The lanes of a block copy
// chunks of KC k ahead, without waiting, into a ring of stages; each warp adds up one block of C. So large problems read
// A and B once. A stream goes on over the problems of its block, and takes longer chunks: of a kernel with a reserve.
//   A  column k of a stage, vector r of its rows       at vector r ^ 2 (k / V % 4) of the column, V numbers a vector
//   B  column n, vector c of the stage's k             at vector c ^ 4 (n % 2) of the column, where it has 8 or more
// so that the lanes of a fragment read from all banks. Needs column-major operands not transposed, sizes in whole
// blocks and chunks, a warp for each block of C. -> kernel notes, gemm `ring`.
#pragma once
#include <glass/core/copy.cuh>
#include <glass/matrix/gemm_direct.cuh>
namespace glass::detail {
// f(v) for Count vectors, dealt over Width lanes. (A function: NVRTC 11.8 takes generic lambdas for the host's.)
template <int Count, int Width, class F>
GLASS_DEVICE void in_turn(int rank, F f) {
  GLASS_UNROLL_BY(2)
  for (int i = 0; i < (Count + Width - 1) / Width; ++i)
    if (const int v = rank + i * Width; Count % Width == 0 || v < Count) f(v);
}
template <class T, int M, int N>
struct ring_stage {
  static constexpr int V = 16 / int(sizeof(T)), pitch_a = (M / V + 7) / 8 * 8;  // vectors of a column of A, padded
  GLASS_SCALAR static constexpr int pitch_b(int chunk) { return chunk / V > 4 ? (chunk / V + 7) / 8 * 8 : chunk / V; }
  GLASS_SCALAR static constexpr int elements(int chunk) { return (chunk * pitch_a + N * pitch_b(chunk)) * V; }
};
struct ring_shape {
  int chunk, stages;
};
// The longest chunks of which K has two and two stages fit in 48 KB (f32: three, where K has as many); a block takes a
// third stage where it fits.
template <class T, int M, int N, int K, int Width>
GLASS_SCALAR constexpr ring_shape shape_of_ring() {
  constexpr int V = 16 / int(sizeof(T)), most = (48 << 10) / int(sizeof(T));
  for (int chunk = 8 * V; chunk >= 4 * V; chunk /= 2)
    if (const int fit = most / ring_stage<T, M, N>::elements(chunk);
        K % chunk == 0 && K >= 2 * chunk && fit >= (V == 4 && K > 2 * chunk && chunk > 4 * V ? 3 : 2))
      return {chunk, Width == 32 || K == 2 * chunk || fit == 2 ? 2 : 3};
  return {0, 0};
}
// Of a stream: two stages of 32 k. The catalog knows these numbers.
template <int K>
GLASS_SCALAR constexpr ring_shape shape_of_stream() {
  return {32, K % 32 == 0 && K >= 64 ? 2 : 0};
}
template <Body Which, class S, class A, class B, class C>
GLASS_SCALAR constexpr ring_shape shape_of() {
  using T = value_of<C>;
  constexpr int M = C::static_rows, N = C::static_cols, K = A::static_cols;
  if constexpr (Which == Body::stream) {
    constexpr ring_shape r = shape_of_stream<K>();
    constexpr int most = reserve_of < S >> scope::most_exchange ? reserve_of<S> : scope::most_exchange;
    return r.stages * ring_stage<T, M, N>::elements(r.chunk) * int(sizeof(T)) <= most ? r : ring_shape{0, 0};
  } else {
    return shape_of_ring<T, M, N, K, S::width>();
  }
}
template <Body Which, class S, class A, class B, class C>
GLASS_SCALAR constexpr bool multiplies_in_ring(warp_block w) {
  constexpr int V = 16 / int(sizeof(value_of<C>));
  if constexpr (multiplies_directly<S, A, B, C> && can_exchange<S>)
    return A::order == Order::col && B::order == Order::col && C::order == Order::col && has_vectors<A>(V) &&
           has_vectors<B>(V) && has_vectors<C>(V) && w.rows % (8 * V) == 0 && C::static_rows % w.rows == 0 &&
           C::static_cols % w.cols == 0 && S::width / 32 * w.rows * w.cols == C::static_rows * C::static_cols &&
           shape_of<Which, S, A, B, C>().stages > 0;
  else
    return false;
}

// Where `count` problems lie, the i-th a(i), b(i), c(i); here one.
template <class A, class B, class C>
struct one_problem {
  A first_a;
  B first_b;
  C first_c;
  static constexpr int count = 1;
  GLASS_DEVICE A a(int) const { return first_a; }
  GLASS_DEVICE B b(int) const { return first_b; }
  GLASS_DEVICE C c(int) const { return first_c; }
  GLASS_DEVICE bool aligned() const { return aligned_for<16 / int(sizeof(value_of<C>))>(first_a, first_b, first_c); }
};
template <class A, class B, class C>
struct problems_in_turn {
  several<A> all_a;
  several<B> all_b;
  several<C> all_c;
  int count;
  GLASS_DEVICE A a(int i) const { return all_a[i]; }
  GLASS_DEVICE B b(int i) const { return all_b[i]; }
  GLASS_DEVICE C c(int i) const { return all_c[i]; }
  GLASS_DEVICE bool aligned() const {
    constexpr int V = 16 / int(sizeof(value_of<C>));
    return aligned_for<V>(all_a.first, all_b.first, all_c.first) &&
           (all_a.apart % V | all_b.apart % V | all_c.apart % V) == 0;
  }
};
// The ring does not stop between problems: while the last chunks of one are multiplied, the first of the next are on
// their way.
template <Mma Units, int WM, int WN, int KC, int Stages, class S, class T, class Problems>
GLASS_DEVICE void gemm_ring(S scope, T alpha, T beta, const Problems& all) {
  using A = decltype(all.a(0));
  using C = decltype(all.c(0));
  constexpr int M = C::static_rows, N = C::static_cols, K = A::static_cols, V = 16 / int(sizeof(T));
  constexpr int across = M / V, pitch_a = ring_stage<T, M, N>::pitch_a;
  constexpr int down = KC / V, pitch_b = ring_stage<T, M, N>::pitch_b(KC), swap_b = down > 4 ? 4 : 0;
  constexpr int size_a = KC * pitch_a * V, stage = ring_stage<T, M, N>::elements(KC), chunks = K / KC;
  using sums = warp_sums<Units, T, WM, WN, V, V>;
  T* const ring = scope.template exchange<T, Stages * stage>();
  const int rank = scope.rank(), warp = rank / 32, g = rank % 32 / 4, t = rank % 4;
  const auto place_a = [](int v) { return (v / across * pitch_a + (v % across ^ (2 * (v / across / V % 4)))) * V; };
  const auto place_b = [](int v) { return size_a + (v / down * pitch_b + (v % down ^ (swap_b * (v / down % 2)))) * V; };
  const auto fetch = [&](int turn) {  // chunk turn % chunks of problem turn / chunks
    if (turn < chunks * all.count) {
      T* const to = ring + turn % Stages * stage;
      const int problem = turn / chunks, k = turn % chunks * KC;
      const auto a = all.a(problem);
      const auto b = all.b(problem);
      in_turn<KC * across, S::width>(rank,
                                     [&](int v) { copy_ahead(to + place_a(v), &a(v % across * V, k + v / across)); });
      in_turn<N * down, S::width>(rank, [&](int v) { copy_ahead(to + place_b(v), &b(k + v % down * V, v / down)); });
    }
    close_copies();
  };
  const factors<Units, T> by(alpha, beta);
  const int depth = alpha == T(0) ? 0 : chunks;
  if (depth > 0) {
    GLASS_UNROLL
    for (int s = 0; s < Stages - 1; ++s) fetch(s);
  }
  const int m = warp % (M / WM) * WM, n = warp / (M / WM) * WN;
  GLASS_UNROLL_BY(1)
  for (int problem = 0, turn = 0; problem < all.count; ++problem) {
    const window<C, false, false> to(all.c(problem), m + V * g, n + 2 * t);
    sums part;
    part.start(to, by.beta);
    GLASS_UNROLL_BY(1)
    for (int chunk = 0; chunk < depth; ++chunk, ++turn) {
      wait_for_copies<Stages - 2>();
      scope.sync();
      fetch(turn + Stages - 1);  // into the stage that was read before this sync
      const T *const from_a = ring + turn % Stages * stage, *const from_b = from_a + size_a;
      [[maybe_unused]] constexpr int together = WM * WN > 2048 ? 1 : 2;
      GLASS_UNROLL_BY(together)
      for (int s = 0; s < KC / (4 * V); ++s) {
        T left[sums::strips][V][V], right[sums::NT][1][V];
        GLASS_UNROLL
        for (int i = 0; i < sums::strips; ++i) {
          GLASS_UNROLL
          for (int q = 0; q < V; ++q) {
            const int k = 4 * V * s + V * t + q, r = (m / V + 8 * i + g) ^ (2 * t);
            const auto run = *reinterpret_cast<const run_of<T, V>*>(from_a + (k * pitch_a + r) * V);
            GLASS_UNROLL
            for (int u = 0; u < V; ++u) left[i][q][u] = run.v[u];
          }
        }
        GLASS_UNROLL
        for (int j = 0; j < sums::NT; ++j) {
          const int col = n + 8 * j + g, k = (4 * s + t) ^ (swap_b * (col % 2));
          const auto run = *reinterpret_cast<const run_of<T, V>*>(from_b + (col * pitch_b + k) * V);
          GLASS_UNROLL
          for (int q = 0; q < V; ++q) right[j][0][q] = run.v[q];
        }
        part.add(by.alpha, left, right);
      }
    }
    if (part.doubtful(by))
      warp_block_by_elements<WM, WN>(alpha, all.a(problem), all.b(problem), beta, all.c(problem), m, n);
    else
      part.store(to, by);
  }
}
// Ends synchronised: the ring is read until then.
template <Body Which, Mma Units, Tile Block, class S, class T, class Problems>
GLASS_DEVICE void gemm_through_ring(S scope, T alpha, T beta, const Problems& all) {
  using A = decltype(all.a(0));
  using B = decltype(all.b(0));
  using C = decltype(all.c(0));
  constexpr warp_block w = block_of(Block);
  constexpr bool possible = multiplies_in_ring<Which, S, A, B, C>(w);
  static_assert(possible || Which == Body::stream,
                "glass: gemm: Body::ring needs a warp for each block of C, constant sizes in whole blocks and "
                "chunks of k, and column-major operands that are not transposed.");
  static_assert(possible || Which != Body::stream,
                "glass: gemm: Body::stream needs what Body::ring needs, and its stages in 48 KB or in the block's "
                "reserve: scope::block<N, Reserve>.");
  if constexpr (possible) {
    constexpr ring_shape r = shape_of<Which, S, A, B, C>();
    const bool reaches = all.aligned() && in_global_memory(all.a(0).data) && in_global_memory(all.b(0).data);
    if (glass::scope::warp{}.any(!reaches)) {
      GLASS_UNROLL_BY(1)
      for (int i = 0; i < all.count; ++i) gemm_by_elements(scope, alpha, all.a(i), all.b(i), beta, all.c(i));
    } else {
      gemm_ring<Units, w.rows, w.cols, r.chunk, r.stages>(scope, alpha, beta, all);
    }
    scope.sync();
  }
}
}  // namespace glass::detail
