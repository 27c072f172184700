// trsm<Side, Fill, Trans, Diag>(scope, alpha, A, B)   B <- X with op(A) X = alpha B (Side::left) or X op(A) = alpha B
//                                                     (Side::right), A triangular, op(A) = A or A^T. [GVL 3.1.4]
// data     A: M x M (right: N x N), any leading dimension and order; only the triangle that Fill names (lower, upper)
//          is read, with Diag::unit without its diagonal. B: M x N, any leading dimension and order, overwritten.
// lanes    every lane of the scope calls, with the same alpha; ends synchronised unless Sync::no.
// scalars  alpha == 0: B <- 0, neither A nor B is read.
// zeros    a zero on the diagonal gives Inf or NaN, there is no info. NaN and Inf propagate.
// bodies   direct    constant sizes, order of A <= 128, warps: tensor cores, strips of 16 right-hand sides in registers
//                    (triangle_direct.cuh); taken where there are 16 of them and order 16, and f64 at full rate
//          loop      every scope and size: lanes own whole right-hand sides where there is one for every second lane,
//                    in register tiles and without a sync; else lanes own entries, one sync a column of A
//          fragment  constant sizes, order of A <= 64, tile and warp: lane r holds rows r, r + W, ... of all right-hand
//                    sides, as in trsv.cuh; taken where right-hand sides are few
// cost     M^2 N (right: M N^2) flops; reads M (M + 1) / 2 + M N, writes M N.
#pragma once
#include <glass/factor/trsv.cuh>
#include <glass/matrix/triangle.cuh>
#include <glass/matrix/triangle_direct.cuh>
namespace glass {
namespace detail {
template <class S, class A, class B>
GLASS_SCALAR constexpr bool trsm_fits_fragments() {
  if constexpr (solves_in_fragments<S, A> && B::static_cols > 0)
    return (A::static_rows + S::width - 1) / S::width * B::static_cols * int(sizeof(value_of<B>)) / 4 <= 64;
  else
    return false;
}
// T X = alpha B in place; ends without a sync.
template <bool Lower, Diag D, Body How, class S, class T, class A, class B>
GLASS_DEVICE void solve_right_hand_sides(S scope, T alpha, A t, B b) {
  constexpr bool fragments = trsm_fits_fragments<S, A, B>();
  static_assert(
      fragments || How != Body::fragment,
      "glass: trsm<Body::fragment> needs constant sizes, an A of order <= 128 and right-hand sides that fit the "
      "registers of a tile or warp scope.");
  constexpr bool direct = goes_in_strips<How, S, A, B>();
  static_assert(direct || How != Body::direct,
                "glass: trsm<Body::direct> needs whole warps, constant sizes, an A of order 1 to 128, at least one "
                "right-hand side, and no interleaved operand.");
  if constexpr (direct) {
    solve_directly<Lower, D>(scope, alpha, t, b);
  } else if (alpha == T(0)) {
    each(scope, b.rows(), b.cols(), [&](int i, int j) { b(i, j) = 0; });
  } else if constexpr (fragments &&
                       (How == Body::fragment || (How == Body::automatic && 2 * B::static_cols < S::width))) {
    solve_in_fragments<Lower, D>(scope, t, b, alpha);
  } else {
    solve_in_memory<Lower, D>(scope, t, b, alpha);
  }
}
}  // namespace detail

template <auto... Options, class S, class A, class B, detail::when<is_view<A> && is_view<B>> = 0>
GLASS_DEVICE void trsm(S scope, just<value_of<B>> alpha, A a, B b) {
  constexpr bool known = takes<types<Side, Fill, Trans, Diag, Body, Sync>, Options...>;
  static_assert(known, "glass: trsm takes the options Side, Fill, Trans, Diag, Body and Sync, in any order.");
  static_assert(B::writable, "glass: trsm writes B, but B is const.");
  if constexpr (known && B::writable) {
    constexpr bool left = chosen<Side::left, 0, Options...>() == Side::left;
    constexpr Fill fill = chosen<Fill::lower, 0, Options...>();
    constexpr Trans trans = chosen<Trans::no, 0, Options...>();
    constexpr Diag diag = chosen<Diag::nonunit, 0, Options...>();
    constexpr Body body = chosen<Body::automatic, 0, Options...>();
    constexpr bool fits =
        agree(A::static_rows, A::static_cols) && agree(A::static_rows, left ? B::static_rows : B::static_cols);
    constexpr bool lower = detail::lower_of(fill, trans), legal = fill != Fill::full;
    static_assert(fits, "glass: trsm: the sizes do not fit: B is M x N, A is M x M (Side::right: N x N).");
    static_assert(legal, "glass: trsm takes Fill::lower or Fill::upper.");
    if constexpr (fits && legal) {
      if constexpr (left)
        detail::solve_right_hand_sides<lower, diag, body, S, value_of<B>>(scope, alpha, detail::op<trans>(a),
                                                                          detail::as_columns(b));
      else  // op(A)^T X^T = alpha B^T
        detail::solve_right_hand_sides<!lower, diag, body, S, value_of<B>>(
            scope, alpha, detail::op<trans>(a).transposed(), b.transposed());
      if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
    }
  }
}
GLASS_FACES_2(trsm, M, N, (just<T> alpha, const just<T>* A, just<T>* B),
              (alpha,
               as_matrix(A, either<chosen<Side::left, 0, O...>() == Side::right>(N, M),
                         either<chosen<Side::left, 0, O...>() == Side::right>(N, M)),
               as_matrix(B, M, N)))
}  // namespace glass
