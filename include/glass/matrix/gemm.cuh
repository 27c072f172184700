// gemm<TransA, TransB>(scope, alpha, A, B, beta, C)   C <- alpha op(A) op(B) + beta C, op(X) = X or X^T. [GVL 1.1.4]
// gemm<TransA, TransB>(scope, alpha, A, B, C)         the same with beta = 0.
// data     op(A): M x K, op(B): K x N, read only; C: M x N, overwritten; any leading dimension and order.
//          C overlaps neither A nor B. Pointer faces: column-major, C as Order says.
// lanes    every lane of the scope calls, with the same alpha and beta; ends synchronised unless Sync::no.
// scalars  beta == 0: C is not read. alpha == 0: A and B are not read. K = 0: C <- beta C.
// bodies   loop    every scope and size: a lane owns register tiles of C, such that all lanes have work. Operands of
//                  constant sizes whose columns are whole 16-byte vectors are read by these (gemm_vectors.cuh); one
//                  lane on the host takes tiles of whole vector registers (panels.cuh)
//          direct  warps, constant sizes: tensor cores, straight from memory (gemm_direct.cuh)
//          ring    warps, constant sizes in whole blocks, not transposed: tensor cores, from shared memory that is
//                  filled ahead (gemm_ring.cuh)
//          stream  a ring with longer chunks, which may want a block<N, Reserve>; over several<View>, problem after
//                  problem without a stop
//          automatic chooses between loop and direct by lanes, sizes and type (product_choice.cuh)
//          Mma and Tile choose the arithmetic and the blocks of direct, ring and stream. Where a promised alignment of 16 bytes is
//          missing they and the vectors go element by element.
// cost     2 M N K flops; reads M K + K N (+ M N), writes M N.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/faces.cuh>
#include <glass/matrix/gemm_ring.cuh>
#include <glass/matrix/gemm_vectors.cuh>
#include <glass/matrix/panels.cuh>
#include <glass/matrix/product_choice.cuh>
namespace glass {
namespace detail {
template <class S, class T, class A, class B, class C>
GLASS_DEVICE void gemm_tiles(S scope, T alpha, A a, B b, T beta, C c) {
  constexpr tile_shape tile = product_tile(C::static_rows, C::static_cols, S::width);
  const int tile_rows = (c.rows() + tile.rows - 1) / tile.rows, tile_cols = (c.cols() + tile.cols - 1) / tile.cols;
  each(scope, tile_rows, tile_cols, [&](int row, int col) {
    T sum[tile.rows][tile.cols] = {};
    if (alpha != T(0)) product(sum, a, b, row, tile_rows, col, tile_cols);
    GLASS_UNROLL
    for (int v = 0; v < tile.cols; ++v) {
      GLASS_UNROLL
      for (int u = 0; u < tile.rows; ++u) {
        const int i = row + u * tile_rows, j = col + v * tile_cols;
        if (i < c.rows() && j < c.cols()) blend(c(i, j), alpha * sum[u][v], beta);
      }
    }
  });
}
template <class S, class T, class A, class B, class C>
GLASS_DEVICE void gemm_loop(S scope, T alpha, A a, B b, T beta, C c) {
  constexpr int V = numbers_in_vector<T>;
  if constexpr (multiplies_in_panels<S, A, C>)
    gemm_in_panels<T>(alpha, a, b, beta, c);
  else if constexpr (!multiplies_by_vectors<A, B, C>)
    gemm_tiles(scope, alpha, a, b, beta, c);
  else if (__builtin_expect(aligned_for<V>(a, b, c), true))
    gemm_by_vectors<vector_columns(C::static_rows / V, C::static_cols, S::width)>(scope, alpha, a, b, beta, c);
  else
    gemm_by_elements(scope, alpha, a, b, beta, c);
}
template <Mma Units, Tile Block, class S, class T, class A, class B, class C>
GLASS_DEVICE void gemm_on_tensor_cores(S scope, T alpha, A a, B b, T beta, C c) {
  constexpr bool possible = multiplies_directly<S, A, B, C>, rows = C::order == Order::row;
  static_assert(possible,
                "glass: gemm: Body::direct needs whole warps, sizes that are constants and at least 1, and no "
                "interleaved operand.");
  if constexpr (possible) {
    constexpr warp_block w = block_of(Block);
    constexpr direct_shape d = shape_of_direct<T, Units>(w, rows ? C::static_cols : C::static_rows, A::static_cols);
    // A vote, so that the compiler sees that a warp stays together: else it puts a meeting before the first product,
    // and leaves loads behind it.
    if (glass::scope::warp{}.any(!aligned_for<numbers_in_vector<T>>(a, b, c)))
      gemm_by_elements(scope, alpha, a, b, beta, c);
    else if constexpr (rows)
      gemm_direct<Units, w.rows, w.cols, d.chunk, d.run_rows, d.run_k, d.unroll>(scope, alpha, b.transposed(),
                                                                                 a.transposed(), beta, c.transposed());
    else
      gemm_direct<Units, w.rows, w.cols, d.chunk, d.run_rows, d.run_k, d.unroll>(scope, alpha, a, b, beta, c);
  }
}
// C <- alpha A B + beta C by what Options say of Body, Mma and Tile, whatever else they say. Ends without a sync, ring and
// stream with one.
template <auto... Options, class S, class T, class A, class B, class C>
GLASS_DEVICE void multiply_by_body(S scope, T alpha, A a, B b, T beta, C c) {
  constexpr Body body = chosen<Body::automatic, 0, Options...>();
  constexpr bool rows = C::order == Order::row;
  constexpr int m = rows ? C::static_cols : C::static_rows, n = rows ? C::static_rows : C::static_cols;
  constexpr Mma units = chosen<preferred_units<T>(m, n), 0, Options...>();
  constexpr Tile tile = chosen<preferred_tile(m, n, S::width / 32), 0, Options...>();
  if constexpr (body == Body::direct || (body == Body::automatic && prefers_tensor_cores<S, A, B, C>()))
    gemm_on_tensor_cores<units, tile>(scope, alpha, a, b, beta, c);
  else if constexpr (body == Body::ring || body == Body::stream)
    gemm_through_ring<body, units, tile>(scope, alpha, beta, one_problem<A, B, C>{a, b, c});
  else
    gemm_loop(scope, alpha, a, b, beta, c);
}
}  // namespace detail

template <auto... Options, class S, class A, class B, class C, detail::when<is_view<A> && is_view<B> && is_view<C>> = 0>
GLASS_DEVICE void gemm(S scope, just<value_of<C>> alpha, A a, B b, just<value_of<C>> beta, C c) {
  constexpr bool known = takes<types<Trans, Trans, Order, Mma, Tile, Body, Sync>, Options...>;
  static_assert(known, "glass: gemm takes the options Trans (of A), Trans (of B), Order, Mma, Tile, Body and Sync.");
  constexpr bool lies = chosen<C::order, 0, Options...>() == C::order;
  static_assert(C::writable, "glass: gemm writes C, but C is const.");
  static_assert(lies, "glass: gemm: the option Order is for the pointer faces: this view of C has another order.");
  if constexpr (known && C::writable && lies) {
    constexpr Trans trans_a = chosen<Trans::no, 0, Options...>(), trans_b = chosen<Trans::no, 1, Options...>();
    using OpA = detail::op_of<trans_a, A>;
    using OpB = detail::op_of<trans_b, B>;
    constexpr bool fits = agree(OpA::static_rows, C::static_rows) && agree(OpB::static_cols, C::static_cols) &&
                          agree(OpA::static_cols, OpB::static_rows);
    static_assert(fits, "glass: gemm: the sizes do not fit: op(A) is M x K, op(B) is K x N, C is M x N.");
    if constexpr (fits) {
      detail::multiply_by_body<Options...>(scope, alpha, detail::op<trans_a>(a), detail::op<trans_b>(b), beta, c);
      constexpr Body body = chosen<Body::automatic, 0, Options...>();
      if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes && body != Body::ring && body != Body::stream)
        scope.sync();
    }
  }
}
template <auto... Options, class S, class A, class B, class C, detail::when<is_view<A> && is_view<B> && is_view<C>> = 0>
GLASS_DEVICE void gemm(S scope, just<value_of<C>> alpha, A a, B b, C c) {
  gemm<Options...>(scope, alpha, a, b, value_of<C>(0), c);
}
// Of several problems, one after the other: what a kernel of the catalog calls where a block takes more than one.
template <auto... Options, class S, class A, class B, class C>
GLASS_DEVICE void gemm(S scope, just<value_of<C>> alpha, several<A> a, several<B> b, just<value_of<C>> beta,
                       several<C> c) {
  constexpr bool streams = chosen<Body::automatic, 0, Options...>() == Body::stream &&
                           chosen<Trans::no, 0, Options...>() == Trans::no &&
                           chosen<Trans::no, 1, Options...>() == Trans::no;
  static_assert(streams, "glass: gemm of several problems is for Body::stream, nothing transposed.");
  if constexpr (streams) {
    constexpr Mma units = chosen<Mma::f64, 0, Options...>();
    constexpr Tile tile = chosen<Tile::m16n8, 0, Options...>();
    detail::gemm_through_ring<Body::stream, units, tile>(scope, alpha, beta,
                                                         detail::problems_in_turn<A, B, C>{a, b, c, c.count});
  }
}
template <auto... Options, class S, class A, class B, class C>
GLASS_DEVICE void gemm(S scope, just<value_of<C>> alpha, several<A> a, several<B> b, several<C> c) {
  gemm<Options...>(scope, alpha, a, b, value_of<C>(0), c);
}
GLASS_FACES_3(gemm, M, N, K, (just<T> alpha, const just<T>* A, const just<T>* B, just<T> beta, just<T>* C),
              (alpha,
               as_matrix(A, either<chosen<Trans::no, 0, O...>() == Trans::yes>(K, M),
                         either<chosen<Trans::no, 0, O...>() == Trans::yes>(M, K)),
               as_matrix(B, either<chosen<Trans::no, 1, O...>() == Trans::yes>(N, K),
                         either<chosen<Trans::no, 1, O...>() == Trans::yes>(K, N)),
               beta, as_matrix_in<chosen<Order::col, 0, O...>()>(C, M, N)))
GLASS_FACES_3(gemm, M, N, K, (just<T> alpha, const just<T>* A, const just<T>* B, just<T>* C),
              (alpha,
               as_matrix(A, either<chosen<Trans::no, 0, O...>() == Trans::yes>(K, M),
                         either<chosen<Trans::no, 0, O...>() == Trans::yes>(M, K)),
               as_matrix(B, either<chosen<Trans::no, 1, O...>() == Trans::yes>(N, K),
                         either<chosen<Trans::no, 1, O...>() == Trans::yes>(K, N)),
               as_matrix_in<chosen<Order::col, 0, O...>()>(C, M, N)))
}  // namespace glass
