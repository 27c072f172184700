// symm<Side, Fill>(scope, alpha, A, B, beta, C)   C <- alpha A B + beta C (Side::left) or alpha B A + beta C
//                                                 (Side::right), A symmetric. [GVL 1.2.8]
// symm<Side, Fill>(scope, alpha, A, B, C)         the same with beta = 0.
// data     A: M x M (right: N x N), only the triangle that Fill names (lower, upper) is read; B: M x N, read only; C:
//          M x N, overwritten; any leading dimension and order. C overlaps neither A nor B.
// lanes    every lane of the scope calls, with the same alpha and beta; ends synchronised unless Sync::no.
// scalars  beta == 0: C is not read. alpha == 0: A and B are not read.
// bodies   loop    every scope and size: the register tiles of gemm.cuh, which read A through a view of its triangle
//          direct  warps, constant sizes: tensor cores, as gemm's; A element by element. Mma and Tile as there;
//                  automatic chooses as there
// cost     2 M^2 N (right: 2 M N^2) flops; reads M (M + 1) / 2 + M N (+ M N), writes M N.
#pragma once
#include <glass/core/faces.cuh>
#include <glass/matrix/gemm.cuh>
#include <glass/matrix/triangle.cuh>
namespace glass {
namespace detail {
// Fragments of a symmetric matrix by one triangle: element by element, on either side of the diagonal.
template <bool Lower, class A, bool EdgeRows, bool EdgeCols>
struct window<mirrored<Lower, A>, EdgeRows, EdgeCols> {
  using T = value_of<A>;
  mirrored<Lower, A> view;
  int i, j;
  GLASS_DEVICE window(mirrored<Lower, A> a, int row, int col) : view(a), i(row), j(col) {}
  template <int R, int Q>
  GLASS_DEVICE void load(T (&part)[Q][R], int u, int v) const {
    GLASS_UNROLL
    for (int q = 0; q < Q; ++q) {
      GLASS_UNROLL
      for (int r = 0; r < R; ++r) {
        const int row = i + u + r, col = j + v + q;
        const bool there = (!EdgeRows || row < A::static_rows) && (!EdgeCols || col < A::static_cols);
        part[q][r] = there ? view(row, col) : T(0);
      }
    }
  }
};
template <int n, bool Lower, class A>
GLASS_DEVICE unsigned misaligned_bits(mirrored<Lower, A>) {
  return 0;
}
}  // namespace detail
template <auto... Options, class S, class A, class B, class C, detail::when<is_view<A> && is_view<B> && is_view<C>> = 0>
GLASS_DEVICE void symm(S scope, just<value_of<C>> alpha, A a, B b, just<value_of<C>> beta, C c) {
  constexpr bool known = takes<types<Side, Fill, Mma, Tile, Body, Sync>, Options...>;
  static_assert(known, "glass: symm takes the options Side, Fill, Mma, Tile, Body and Sync, in any order.");
  static_assert(C::writable, "glass: symm writes C, but C is const.");
  if constexpr (known && C::writable) {
    constexpr bool left = chosen<Side::left, 0, Options...>() == Side::left;
    constexpr Fill fill = chosen<Fill::lower, 0, Options...>();
    constexpr bool fits = agree(A::static_rows, A::static_cols) && agree(B::static_rows, C::static_rows) &&
                          agree(B::static_cols, C::static_cols) &&
                          agree(A::static_rows, left ? B::static_rows : B::static_cols);
    constexpr bool legal = fill != Fill::full;
    static_assert(fits, "glass: symm: the sizes do not fit: B and C are M x N, A is M x M (Side::right: N x N).");
    static_assert(legal, "glass: symm takes Fill::lower or Fill::upper.");
    if constexpr (fits && legal) {
      const auto full = detail::mirror<fill == Fill::lower>(a);
      constexpr Body body = chosen<Body::automatic, 0, Options...>();
      constexpr int m = C::static_rows, n = C::static_cols;
      constexpr Mma units = chosen<detail::preferred_units<value_of<C>>(m, n), 0, Options...>();
      constexpr Tile tile = chosen<detail::preferred_tile(m, n, S::width / 32), 0, Options...>();
      constexpr bool direct =
          body == Body::direct || (body == Body::automatic && detail::prefers_tensor_cores<S, A, B, C>());
      if constexpr (direct && left)
        detail::gemm_on_tensor_cores<units, tile>(scope, alpha, full, b, beta, c);
      else if constexpr (direct)
        detail::gemm_on_tensor_cores<units, tile>(scope, alpha, b, full, beta, c);
      else if constexpr (left)
        detail::gemm_tiles(scope, alpha, full, b, beta, c);
      else
        detail::gemm_tiles(scope, alpha, b, full, beta, c);
      if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
    }
  }
}
template <auto... Options, class S, class A, class B, class C, detail::when<is_view<A> && is_view<B> && is_view<C>> = 0>
GLASS_DEVICE void symm(S scope, just<value_of<C>> alpha, A a, B b, C c) {
  symm<Options...>(scope, alpha, a, b, value_of<C>(0), c);
}
GLASS_FACES_2(symm, M, N, (just<T> alpha, const just<T>* A, const just<T>* B, just<T> beta, just<T>* C),
              (alpha,
               as_matrix(A, either<chosen<Side::left, 0, O...>() == Side::right>(N, M),
                         either<chosen<Side::left, 0, O...>() == Side::right>(N, M)),
               as_matrix(B, M, N), beta, as_matrix(C, M, N)))
GLASS_FACES_2(symm, M, N, (just<T> alpha, const just<T>* A, const just<T>* B, just<T>* C),
              (alpha,
               as_matrix(A, either<chosen<Side::left, 0, O...>() == Side::right>(N, M),
                         either<chosen<Side::left, 0, O...>() == Side::right>(N, M)),
               as_matrix(B, M, N), as_matrix(C, M, N)))
}  // namespace glass
