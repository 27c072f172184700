// dimm<Side>(scope, alpha, d, B, C)   C <- alpha diag(d) B (Side::left) or alpha B diag(d) (Side::right).
// data     d: M (right: N), B: M x N, read only; C: M x N, overwritten; any leading dimension and order. C may be B
//          itself, in the same layout; it does not overlap d.
// lanes    every lane of the scope calls, with the same alpha; lanes own elements of C; ends synchronised unless
//          Sync::no.
// scalars  alpha == 0: C <- 0, neither d nor B is read.
// cost     2 M N flops; reads M N + M, writes M N.
#pragma once
#include <glass/core/each.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/view.cuh>
namespace glass {
template <auto... Options, class S, class D, class B, class C, detail::when<is_view<D> && is_view<B> && is_view<C>> = 0>
GLASS_DEVICE void dimm(S scope, just<value_of<C>> alpha, D d, B b, C c) {
  constexpr bool known = takes<types<Side, Sync>, Options...>;
  constexpr bool left = chosen<Side::left, 0, Options...>() == Side::left;
  constexpr bool fits = agree(B::static_rows, C::static_rows) && agree(B::static_cols, C::static_cols) &&
                        agree(D::static_rows, left ? C::static_rows : C::static_cols);
  static_assert(known, "glass: dimm takes the options Side and Sync, in any order.");
  static_assert(fits, "glass: dimm: the sizes do not fit: B and C are M x N, d has M numbers (Side::right: N).");
  static_assert(C::writable, "glass: dimm writes C, but C is const.");
  if constexpr (known && fits && C::writable) {
    using T = value_of<C>;
    each(scope, c.rows(), c.cols(),
         [&](int i, int j) { c(i, j) = alpha == T(0) ? T(0) : alpha * d(left ? i : j) * b(i, j); });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_2(dimm, M, N, (just<T> alpha, const just<T>* d, const just<T>* B, just<T>* C),
              (alpha, as_vector(d, either<chosen<Side::left, 0, O...>() == Side::right>(N, M)), as_matrix(B, M, N),
               as_matrix(C, M, N)))
}  // namespace glass
