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
// bodies   loop      every scope and size: lanes own register tiles of the result. In place, whole columns where there is
//                    one for every second lane, without a sync; else one sync for all tiles of rows side by side
//          direct    constant sizes, order of A <= 128, warps: tensor cores, strips of 16 columns of B in registers
//                    (triangle_direct.cuh); taken where there are 16 of them and order 16, and f64 at full rate
// cost     M^2 N (right: M N^2) flops; reads M (M + 1) / 2 + M N, writes M N.
#pragma once
#include <glass/core/faces.cuh>
#include <glass/matrix/triangle.cuh>
#include <glass/matrix/triangle_direct.cuh>
namespace glass {
namespace detail {
// C <- alpha T B, C and B the same for a product in place; ends without a sync.
template <bool Lower, Diag D, Body How, bool InPlace, class S, class T, class A, class B, class C>
GLASS_DEVICE void multiply_triangle_by(S scope, T alpha, A t, B b, C c) {
  constexpr bool direct = goes_in_strips<How, S, A, C>() && B::is_static && B::static_inc == 1;
  static_assert(direct || How != Body::direct,
                "glass: trmm<Body::direct> needs whole warps, constant sizes, an A of order 1 to 128, at least one "
                "column (Side::right: row) of B, and no interleaved operand.");
  if constexpr (direct)
    multiply_directly<Lower, D>(scope, alpha, t, b, c);
  else if constexpr (InPlace)
    multiply_triangle_in_place<Lower, D>(scope, alpha, t, c);
  else
    multiply_triangle<Lower, D>(scope, alpha, t, b, c);
}
template <bool InPlace, class S, class A, class B, class C, auto... Options>
GLASS_DEVICE void trmm(S scope, value_of<C> alpha, A a, B b, C c) {
  constexpr bool known = takes<types<Side, Fill, Trans, Diag, Body, Sync>, Options...>;
  static_assert(known, "glass: trmm takes the options Side, Fill, Trans, Diag, Body and Sync, in any order.");
  static_assert(C::writable, "glass: trmm writes its result, but that is const.");
  if constexpr (known && C::writable) {
    constexpr bool left = chosen<Side::left, 0, Options...>() == Side::left;
    constexpr Fill fill = chosen<Fill::lower, 0, Options...>();
    constexpr Trans trans = chosen<Trans::no, 0, Options...>();
    constexpr Diag diag = chosen<Diag::nonunit, 0, Options...>();
    constexpr Body body = chosen<Body::automatic, 0, Options...>();
    constexpr bool fits = agree(A::static_rows, A::static_cols) && agree(B::static_rows, C::static_rows) &&
                          agree(B::static_cols, C::static_cols) &&
                          agree(A::static_rows, left ? B::static_rows : B::static_cols);
    constexpr bool lower = lower_of(fill, trans), legal = fill != Fill::full;
    static_assert(fits, "glass: trmm: the sizes do not fit: B and C are M x N, A is M x M (Side::right: N x N).");
    static_assert(legal, "glass: trmm takes Fill::lower or Fill::upper.");
    if constexpr (fits && legal) {
      if constexpr (left)
        multiply_triangle_by<lower, diag, body, InPlace, S, value_of<C>>(scope, alpha, op<trans>(a), b, c);
      else  // C^T = alpha op(A)^T B^T
        multiply_triangle_by<!lower, diag, body, InPlace, S, value_of<C>>(scope, alpha, op<trans>(a).transposed(),
                                                                          b.transposed(), c.transposed());
      if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
    }
  }
}
}  // namespace detail

template <auto... Options, class S, class A, class B, class C, detail::when<is_view<A> && is_view<B> && is_view<C>> = 0>
GLASS_DEVICE void trmm(S scope, just<value_of<C>> alpha, A a, B b, C c) {
  detail::trmm<false, S, A, B, C, Options...>(scope, alpha, a, b, c);
}
template <auto... Options, class S, class A, class B, detail::when<is_view<A> && is_view<B>> = 0>
GLASS_DEVICE void trmm(S scope, just<value_of<B>> alpha, A a, B b) {
  detail::trmm<true, S, A, B, B, Options...>(scope, alpha, a, b, b);
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
