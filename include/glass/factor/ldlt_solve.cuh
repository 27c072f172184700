// ldlt_solve(scope, LD, B)          B <- A^-1 B for the A = L D L^T of ldlt.
// ldlt_solve(scope, LD, piv, B)     the same for the P A P^T = L D L^T of ldlt<Pivot::bunch_kaufman>, which may be
//                                   named. [GVL 4.4.5]
// data     LD: N x N, any leading dimension and order, only its lower triangle is read; piv: N integers; both read
//          only. B: N numbers or N x NRHS, overwritten by X; it overlaps neither.
// lanes    every lane of the scope calls; ends synchronised unless Sync::no.
// zeros    a zero in D gives Inf or NaN, there is no info. NaN and Inf propagate. N = 0: nothing is touched.
// bodies   one loop for every scope and size: lanes own entries of B, one sync a block of D in each direction
// cost     2 N^2 NRHS flops; reads N (N + 1) / 2 + N NRHS, writes N NRHS.
#pragma once
#include <glass/factor/ldlt.cuh>
namespace glass {
namespace detail {
// The blocks of D: all single, or as piv says.
struct single_blocks {
  GLASS_DEVICE int size(int) const { return 1; }
};
template <class P>
struct blocks_of {
  P piv;
  GLASS_DEVICE int size(int k) const { return piv(k) < 0 ? 2 : 1; }
};
// Swaps rows of a column of B as piv says: blocks in order, or in reverse order.
template <Direction D, class P, class B>
GLASS_DEVICE void swap_blocks(P piv, B b, int column) {
  const int n = b.rows();
  for (int step = 0; step < n; ++step) {
    const int k = D == Direction::forward ? step : n - 1 - step, p = piv(k);
    if (p >= 0) {
      swap_in_column(b, k, p, column);
    } else {  // the swap of a 2 x 2 block is that of its second row
      ++step;
      swap_in_column(b, D == Direction::forward ? k + 1 : k, -p - 1, column);
    }
  }
}
// D^-1 on the block at k, of one column of B.
template <class L, class B>
GLASS_DEVICE void divide_block(L l, B b, int k, int size, int column) {
  if (size == 1)
    b(k, column) /= l(k, k);
  else
    inverse_block<value_of<B>>(l(k, k), l(k + 1, k), l(k + 1, k + 1)).apply(b(k, column), b(k + 1, column));
}
// b(i) <- b(i) - sum over the block at k of l(i, k) b(k), for rows first ... end - 1.
template <class L, class B>
GLASS_DEVICE void subtract_block(share mine, L l, B b, int k, int size, int first, int end) {
  using T = value_of<B>;
  for (int r = mine.col; r < b.cols(); r += mine.col_step) {
    const T x = b(k, r), y = size == 2 ? b(k + 1, r) : T(0);
    for (int i = owned_from(mine.row, mine.row_step, first); i < end; i += mine.row_step) {
      const T rest = fused(-l(i, k), x, b(i, r));
      b(i, r) = size == 2 ? fused(-l(i, k + 1), y, rest) : rest;
    }
  }
}
// Ends without a sync.
template <class S, class L, class B, class Blocks>
GLASS_DEVICE void ldlt_solve_in_loops(S scope, L l, B b, Blocks blocks) {
  const int n = l.rows();
  const share mine = deal(scope, n, b.cols());
  int before = 0, size = 0;  // the block that all lanes have read, and still undivided
  for (int k = 0; k < n; k += size) {
    if (k > 0) {
      scope.sync();
      each(scope, b.cols(), [&](int r) { divide_block(l, b, before, size, r); });
    }
    before = k;
    size = blocks.size(k);
    if (k + size < n) subtract_block(mine, l, b, k, size, k + size, n);
  }
  if (n > 0) each(scope, b.cols(), [&](int r) { divide_block(l, b, before, size, r); });
  for (int end = n; end > 0; end -= size) {
    scope.sync();
    size = blocks.size(end - 1);
    subtract_block(mine, l.transposed(), b, end - size, size, 0, end - size);
  }
}
}  // namespace detail

template <auto... Options, class S, class L, class B, detail::when<is_view<L> && is_view<B>> = 0>
GLASS_DEVICE void ldlt_solve(S scope, L l, B b) {
  constexpr bool known = takes<types<Pivot, Sync>, Options...> && chosen<Pivot::none, 0, Options...>() == Pivot::none;
  constexpr bool fits = agree(L::static_rows, L::static_cols) && agree(L::static_rows, B::static_rows);
  static_assert(known, "glass: ldlt_solve without piv takes the options Pivot::none and Sync.");
  static_assert(fits, "glass: ldlt_solve: the sizes do not fit: LD is N x N, B has N rows.");
  static_assert(B::writable, "glass: ldlt_solve writes B, but B is const.");
  if constexpr (known && fits && B::writable) {
    detail::ldlt_solve_in_loops(scope, l, b, detail::single_blocks{});
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class L, class P, class B, detail::when<is_view<L> && is_view<P> && is_view<B>> = 0>
GLASS_DEVICE void ldlt_solve(S scope, L l, P piv, B b) {
  constexpr bool known =
      takes<types<Pivot, Sync>, Options...> && chosen<Pivot::bunch_kaufman, 0, Options...>() == Pivot::bunch_kaufman;
  constexpr bool whole = detail::same<value_of<P>, int>;
  constexpr bool fits = agree(L::static_rows, L::static_cols) && agree(L::static_rows, B::static_rows) &&
                        agree(L::static_rows, P::static_rows);
  static_assert(known, "glass: ldlt_solve with piv takes the options Pivot::bunch_kaufman and Sync.");
  static_assert(fits, "glass: ldlt_solve: the sizes do not fit: LD is N x N, piv has N integers, B has N rows.");
  static_assert(whole, "glass: ldlt_solve: piv is a vector of int.");
  static_assert(B::writable, "glass: ldlt_solve writes B, but B is const.");
  if constexpr (known && fits && whole && B::writable) {
    each(scope, b.cols(), [&](int r) { detail::swap_blocks<Direction::forward>(piv, b, r); });
    scope.sync();
    detail::ldlt_solve_in_loops(scope, l, b, detail::blocks_of<P>{piv});
    scope.sync();
    each(scope, b.cols(), [&](int r) { detail::swap_blocks<Direction::backward>(piv, b, r); });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_2(ldlt_solve, N, NRHS, (const just<T>* LD, just<T>* B), (as_matrix(LD, N, N), as_matrix(B, N, NRHS)))
GLASS_FACES_1(ldlt_solve, N, (const just<T>* LD, just<T>* b), (as_matrix(LD, N, N), as_vector(b, N)))
GLASS_FACES_2(ldlt_solve, N, NRHS, (const just<T>* LD, const int* piv, just<T>* B),
              (as_matrix(LD, N, N), as_vector(piv, N), as_matrix(B, N, NRHS)))
GLASS_FACES_1(ldlt_solve, N, (const just<T>* LD, const int* piv, just<T>* b),
              (as_matrix(LD, N, N), as_vector(piv, N), as_vector(b, N)))
}  // namespace glass
