// trmm<Side, Fill, Trans, Diag>(scope, alpha, A, B)      B <- alpha op(A) B (Side::left) or alpha B op(A)
//                                                        (Side::right), in place; A triangular, op(A) = A or A^T. [GVL
//                                                        1.2.6]
// trmm<Side, Fill, Trans, Diag>(scope, alpha, A, B, C)   C <- the same product.
// data     A: M x M (right: N x N), any leading dimension and order; only the triangle that Fill names (lower, upper)
//          is read, with Diag::unit without its diagonal. B, C: M x N, any leading dimension and order. In the second
//          form B is read only and C, overwritten, overlaps neither.
// lanes    every lane of the scope calls, with the same alpha; ends synchronised unless Sync::no.
// scalars  alpha == 0: the result is 0, neither A nor B is read. The zeros of A are not multiplied: a NaN in B reaches
//          only what the triangle joins it to.
// bodies   one, every scope and size: lanes own register tiles of the result. In place, whole columns where there is
//          one for every second lane, without a sync; else one sync for all tiles of rows side by side
// cost     M^2 N (right: M N^2) flops; reads M (M + 1) / 2 + M N, writes M N.
#pragma once
#include <glass/core/faces.cuh>
#include <glass/matrix/triangle.cuh>
namespace glass {
template <auto... Options, class S, class A, class B, class C, detail::when<is_view<A> && is_view<B> && is_view<C>> = 0>
GLASS_DEVICE void trmm(S scope, just<value_of<C>> alpha, A a, B b, C c) {
  constexpr bool known = takes<types<Side, Fill, Trans, Diag, Sync>, Options...>;
  static_assert(known, "glass: trmm takes the options Side, Fill, Trans, Diag and Sync, in any order.");
  static_assert(C::writable, "glass: trmm writes C, but C is const.");
  if constexpr (known && C::writable) {
    constexpr bool left = chosen<Side::left, 0, Options...>() == Side::left;
    constexpr Fill fill = chosen<Fill::lower, 0, Options...>();
    constexpr Trans trans = chosen<Trans::no, 0, Options...>();
    constexpr Diag diag = chosen<Diag::nonunit, 0, Options...>();
    constexpr bool fits = agree(A::static_rows, A::static_cols) && agree(B::static_rows, C::static_rows) &&
                          agree(B::static_cols, C::static_cols) &&
                          agree(A::static_rows, left ? B::static_rows : B::static_cols);
    constexpr bool lower = detail::lower_of(fill, trans), legal = fill != Fill::full;
    static_assert(fits, "glass: trmm: the sizes do not fit: B and C are M x N, A is M x M (Side::right: N x N).");
    static_assert(legal, "glass: trmm takes Fill::lower or Fill::upper.");
    if constexpr (fits && legal) {
      if constexpr (left)
        detail::multiply_triangle<lower, diag, S, value_of<C>>(scope, alpha, detail::op<trans>(a), b, c);
      else  // C^T = alpha op(A)^T B^T
        detail::multiply_triangle<!lower, diag, S, value_of<C>>(scope, alpha, detail::op<trans>(a).transposed(),
                                                                b.transposed(), c.transposed());
      if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
    }
  }
}
template <auto... Options, class S, class A, class B, detail::when<is_view<A> && is_view<B>> = 0>
GLASS_DEVICE void trmm(S scope, just<value_of<B>> alpha, A a, B b) {
  constexpr bool known = takes<types<Side, Fill, Trans, Diag, Sync>, Options...>;
  static_assert(known, "glass: trmm takes the options Side, Fill, Trans, Diag and Sync, in any order.");
  static_assert(B::writable, "glass: trmm(scope, alpha, A, B) writes B, but B is const.");
  if constexpr (known && B::writable) {
    constexpr bool left = chosen<Side::left, 0, Options...>() == Side::left;
    constexpr Fill fill = chosen<Fill::lower, 0, Options...>();
    constexpr Trans trans = chosen<Trans::no, 0, Options...>();
    constexpr Diag diag = chosen<Diag::nonunit, 0, Options...>();
    constexpr bool fits =
        agree(A::static_rows, A::static_cols) && agree(A::static_rows, left ? B::static_rows : B::static_cols);
    constexpr bool lower = detail::lower_of(fill, trans), legal = fill != Fill::full;
    static_assert(fits, "glass: trmm: the sizes do not fit: B is M x N, A is M x M (Side::right: N x N).");
    static_assert(legal, "glass: trmm takes Fill::lower or Fill::upper.");
    if constexpr (fits && legal) {
      if constexpr (left)
        detail::multiply_triangle_in_place<lower, diag, S, value_of<B>>(scope, alpha, detail::op<trans>(a), b);
      else
        detail::multiply_triangle_in_place<!lower, diag, S, value_of<B>>(
            scope, alpha, detail::op<trans>(a).transposed(), b.transposed());
      if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
    }
  }
}
GLASS_FACES_2(trmm, M, N, (just<T> alpha, const just<T>* A, just<T>* B),
              (alpha,
               as_matrix(A, either<chosen<Side::left, 0, O...>() == Side::right>(N, M),
                         either<chosen<Side::left, 0, O...>() == Side::right>(N, M)),
               as_matrix(B, M, N)))
GLASS_FACES_2(trmm, M, N, (just<T> alpha, const just<T>* A, const just<T>* B, just<T>* C),
              (alpha,
               as_matrix(A, either<chosen<Side::left, 0, O...>() == Side::right>(N, M),
                         either<chosen<Side::left, 0, O...>() == Side::right>(N, M)),
               as_matrix(B, M, N), as_matrix(C, M, N)))
}  // namespace glass
