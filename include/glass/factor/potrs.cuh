// potrs(scope, L, B)               B <- (L L^T)^-1 B: the solve after potrf. [GVL 4.2.4]
// data     L: N x N, any leading dimension and order; only the lower triangle is read, never written. B: N numbers or
//          N x NRHS, overwritten by X; it does not overlap L.
// lanes    every lane of the scope calls; ends synchronised unless Sync::no.
// zeros    a zero on the diagonal gives Inf or NaN, there is no info. NaN and Inf propagate. N = 0: nothing is touched.
// bodies   loop      every scope and size: two triangular solves in memory, lanes own entries of B, or whole
//                    right-hand sides where there is one for every second lane
//          fragment  constant N and NRHS, thread, tile and warp: lane r holds rows r, r + W, ... of L and B in
//                    registers, where both solves happen; taken where right-hand sides are few
//          direct    constant sizes, N <= 128, warps: tensor cores, strips of 16 right-hand sides in registers through
//                    both solves (matrix/triangle_direct.cuh); taken as in trsm.cuh
//                                                                                         -> kernel notes, `rows`
// cost     2 N^2 NRHS flops; reads N (N + 1) / 2 + N NRHS, writes N NRHS.
#pragma once
#include <glass/factor/posv.cuh>
#include <glass/factor/two_triangles.cuh>
namespace glass {
namespace detail {
// L Y = B, in place; inverse holds 1 / L(k, k) in the lane that owns row k. Above the diagonal L holds zeros.
template <class S, class T, int N, int R>
GLASS_DEVICE void forward_in_fragments(S scope, const row_fragment<T, N, N, S::width>& l,
                                       const row_fragment<T, N, 1, S::width>& inverse,
                                       row_fragment<T, N, R, S::width>& b) {
  constexpr int W = S::width;
  const int lane = scope.rank();
  GLASS_UNROLL
  for (int k = 0; k < N; ++k) {
    GLASS_UNROLL
    for (int r = 0; r < R; ++r) {
      const T y = scope.broadcast(b.v[k / W][r] * inverse.v[k / W][0], k % W);
      GLASS_UNROLL
      for (int q = 0; q < l.items; ++q) {
        if (l.reaches(q, k)) {
          const int i = lane + q * W;
          const T rest = fused(-l.v[q][k], y, b.v[q][r]);
          b.v[q][r] = i == k ? y : i > k ? rest : b.v[q][r];
        }
      }
    }
  }
}
// 1 / L(k, k), in the lane that owns row k.
template <class S, class T, int N>
GLASS_DEVICE row_fragment<T, N, 1, S::width> reciprocal_diagonal(S scope, const row_fragment<T, N, N, S::width>& l) {
  row_fragment<T, N, 1, S::width> inverse = {};
  GLASS_UNROLL
  for (int k = 0; k < N; ++k) {
    const int q = k / S::width;
    inverse.v[q][0] = scope.rank() == k % S::width ? reciprocal(l.v[q][k]) : inverse.v[q][0];
  }
  return inverse;
}
template <class S, class T, int N, class B>
GLASS_DEVICE void potrs_columns(S scope, const row_fragment<T, N, N, S::width>& l,
                                const row_fragment<T, N, 1, S::width>& inverse, B b) {
  auto x = load(scope, b);
  forward_in_fragments(scope, l, inverse, x);
  backward_in_fragments(scope, l, inverse, x);
  store(scope, x, b);
}
template <class S, class A, class B>
GLASS_DEVICE void potrs_in_fragments(S scope, A a, B b) {
  constexpr int N = A::static_rows, R = B::static_cols, together = columns_together(N, R);
  const auto l = load_lower(scope, a);
  const auto inverse = reciprocal_diagonal(scope, l);
  if constexpr (R <= together) {
    potrs_columns(scope, l, inverse, b);
  } else {
    GLASS_UNROLL_BY(1)
    for (int r = 0; r < R; r += together) potrs_columns(scope, l, inverse, b.template block<N, together>(0, r));
  }
}
// One lane on the host runs the loops: they touch each number of L twice, and a copy into registers would be one more.
template <class S, class A, class B>
GLASS_SCALAR constexpr bool potrs_fits_fragments() {
  if constexpr (can_shuffle<S> && A::is_static && B::is_static && A::static_rows > 0 &&
                !(S::width == 1 && vector_bytes > 0))
    return triangle_words<value_of<B>, A::static_rows, S::width>() +
               (A::static_rows + S::width - 1) / S::width * columns_together(A::static_rows, B::static_cols) *
                   int(sizeof(value_of<B>)) / 4 <=
           208;
  else
    return false;
}
}  // namespace detail

template <auto... Options, class S, class A, class B, detail::when<is_view<A> && is_view<B>> = 0>
GLASS_DEVICE void potrs(S scope, A a, B b) {
  constexpr bool known = takes<types<Body, Sync>, Options...>;
  constexpr bool fits = agree(A::static_rows, A::static_cols) && agree(A::static_rows, B::static_rows);
  static_assert(known, "glass: potrs takes the options Body and Sync, in any order.");
  static_assert(fits, "glass: potrs: the sizes do not fit: L is N x N, B has N rows.");
  static_assert(B::writable, "glass: potrs writes B, but B is const.");
  if constexpr (known && fits && B::writable) {
    constexpr Body body = chosen<Body::automatic, 0, Options...>();
    constexpr bool direct = detail::goes_in_strips<body, S, A, B>();
    constexpr bool fragments = !direct && detail::potrs_fits_fragments<S, A, B>() &&
                               (body == Body::fragment || (body == Body::automatic && !detail::many_columns<S, B>));
    static_assert(fragments || body != Body::fragment,
                  "glass: potrs<Body::fragment> needs a constant N and NRHS that fit the registers of the scope, and a "
                  "thread (of a GPU), tile or warp scope.");
    static_assert(
        direct || body != Body::direct,
        "glass: potrs<Body::direct> needs whole warps, a constant N from 1 to 128 and NRHS, and no interleaved "
        "operand.");
    if constexpr (fragments)
      detail::potrs_in_fragments(scope, a, b);
    else if constexpr (direct || body != Body::direct)
      detail::solve_both<direct, Diag::nonunit, Diag::nonunit>(scope, a, a.transposed(), detail::as_columns(b));
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_2(potrs, N, NRHS, (const just<T>* L, just<T>* B), (as_matrix(L, N, N), as_matrix(B, N, NRHS)))
GLASS_FACES_1(potrs, N, (const just<T>* L, just<T>* b), (as_matrix(L, N, N), as_vector(b, N)))
}  // namespace glass
