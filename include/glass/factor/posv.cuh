// posv(scope, A, B) -> info        Solves A X = B for A symmetric positive definite: A = L L^T, then two triangular
//                                  solves. [GVL 4.2.4]
// posv<Shift::identity>(scope, A, B, rho), posv<Shift::diagonal>(scope, A, B, rho)
//                                  the same for A + rho I, for A + rho diag(A).
// posv<Factor::discard>(…)         X alone is wanted: bodies in registers do not write L.
// data     A: N x N, any leading dimension and order; the lower triangle is read and overwritten by L, the strict upper
//          one keeps its bits (one lane on the host reads them and writes them back). B: N numbers or N x NRHS,
//          overwritten by X. Factor::discard leaves the lower triangle of A unspecified.
// lanes    every lane of the scope calls; every lane receives info; ends synchronised unless Sync::no.
// info     0, or k in 1..N: pivot k is not in (0, Inf), NaN included (rows, left, regs: nor subnormal); then B is
//          unchanged and the lower triangle of A unspecified. N = 0: 0.
// bodies   loop      every scope and size: factor and two triangular solves in memory
//          fragment  constant N and NRHS, thread, tile and warp: lane r holds rows r, r + W, ... of A and B in
//                    registers; factor and forward solve in one sweep                     -> kernel notes, `rows`
//          rows      constant N and NRHS, tiles and warps of a kernel: as fragment, with exchange memory (rows.cuh)
//          left      constant N <= 128, NRHS 1, warp and block<64 .. 256>: tensor cores and exchange memory (left.cuh)
//          whole     as left, all of the factor in exchange memory: N > 96 in f64 takes a block<N, Reserve>
//          regs      as left, the triangle in registers: for few problems (regs.cuh)
//          automatic chooses by lanes, N and type (choice.cuh)
// cost     N^3/3 + 2 N^2 NRHS flops; reads N (N + 1) / 2 + N NRHS, writes as many, or N NRHS without L.
#pragma once
#include <glass/factor/potrf.cuh>
#include <glass/factor/trsv.cuh>
namespace glass {
namespace detail {
// L^T X = Y, in place; inverse holds 1 / L(k, k). Rows past N - 1 are zero in L and X and add nothing: a test for them
// would be the same for every k, and the compiler would split the warp on it, with all shuffles on both sides.
template <class S, class T, int N, int R>
GLASS_DEVICE void backward_in_fragments(S scope, const row_fragment<T, N, N, S::width>& l,
                                        const row_fragment<T, N, 1, S::width>& inverse,
                                        row_fragment<T, N, R, S::width>& x) {
  constexpr int W = S::width;
  const int lane = scope.rank();
  GLASS_UNROLL
  for (int k = N - 1; k >= 0; --k) {
    GLASS_UNROLL
    for (int r = 0; r < R; ++r) {
      T sum = 0;
      GLASS_UNROLL
      for (int q = 0; q < l.items; ++q) {
        if (l.reaches(q, k + 1)) {
          const int i = lane + q * W;
          sum = fused(q * W > k || i > k ? l.v[q][k] : T(0), x.v[q][r], sum);
        }
      }
      if (k + 1 < N) sum = scope.sum(sum);
      const T solved = (x.v[k / W][r] - sum) * inverse.v[k / W][0];
      x.v[k / W][r] = lane == k % W ? solved : x.v[k / W][r];
    }
  }
}
template <Shift H, class S, class A, class B>
GLASS_DEVICE int posv_in_loops(S scope, A a, B b, value_of<A> rho) {
  if constexpr (H != Shift::none) {
    each(scope, a.rows(), [&](int i) { a(i, i) = shifted<H>(a(i, i), rho); });
    scope.sync();
  }
  const int info = factor_in_loops(scope, a);
  if (info == 0) {
    // Of L only the last entry is still on its way: lanes that own entries read it after a sync of their own.
    if (owns_columns(scope, b)) scope.sync();
    solve_in_memory<true, Diag::nonunit>(scope, a, b);
    scope.sync();
    solve_in_memory<false, Diag::nonunit>(scope, a.transposed(), b);
  }
  return info;
}
template <Shift H, Factor F, class A, class B>
GLASS_DEVICE int posv_in_columns(A a, B b, value_of<A> rho) {
  columns<value_of<A>, A::static_rows, B::static_cols> l;
  for (int j = 0; j < a.cols(); ++j) {
    l.fetch(l.a[j], a, j, j);
    l.a[j][j] = shifted<H>(l.a[j][j], rho);
  }
  for (int r = 0; r < b.cols(); ++r) l.fetch(l.b[r], b, r, 0);
  const int info = l.template factor<F>(a);
  if (info == 0) {
    l.backward();
    for (int r = 0; r < b.cols(); ++r)
      for (int i = 0; i < b.rows(); ++i) b(i, r) = l.solution[r][i];
  }
  return info;
}
template <Shift H, Factor F, class S, class A, class B>
GLASS_DEVICE int posv_in_fragments(S scope, A a, B b, value_of<A> rho) {
  auto l = load_lower(scope, a);
  GLASS_UNROLL
  for (int k = 0; k < (H == Shift::none ? 0 : A::static_rows); ++k) {
    auto& entry = l.v[k / S::width][k];
    entry = scope.rank() == k % S::width ? shifted<H>(entry, rho) : entry;
  }
  auto x = load(scope, b);
  row_fragment<value_of<A>, A::static_rows, 1, S::width> inverse = {};
  const int info = factor_in_fragments(scope, l, x, inverse);
  backward_in_fragments(scope, l, inverse, x);
  if constexpr (F == Factor::keep) store_lower(scope, l, a);
  if (info == 0) store(scope, x, b);
  return info;
}
template <class S, class A, class B>
GLASS_SCALAR constexpr bool posv_fits_fragments() {
  if constexpr (factors_in_columns<S, A>)
    return B::is_static;
  else if constexpr (factors_in_fragments<S, A>() && B::is_static)
    return triangle_words<value_of<A>, A::static_rows, S::width>() +
               (A::static_rows + S::width - 1) / S::width * B::static_cols * int(sizeof(value_of<A>)) / 4 <=
           208;
  else
    return false;
}
}  // namespace detail

namespace detail {
template <auto... Options, class S, class A, class B>
GLASS_DEVICE int posv_shifted(S scope, A a, B b, value_of<A> rho) {
  constexpr bool known = takes<types<Shift, Factor, Body, Sync>, Options...>;
  constexpr bool fits = agree(A::static_rows, A::static_cols) && agree(A::static_rows, B::static_rows);
  static_assert(known, "glass: posv takes the options Shift, Factor, Body and Sync, in any order.");
  static_assert(fits, "glass: posv: the sizes do not fit: A is N x N, B has N rows.");
  static_assert(A::writable && B::writable, "glass: posv writes A and B, but one of them is const.");
  int info = 0;
  if constexpr (known && fits && A::writable && B::writable) {
    constexpr Body body =
        cholesky_body<posv_fits_fragments<S, A, B>(), S, A, B>(chosen<Body::automatic, 0, Options...>());
    constexpr Shift shift = chosen<Shift::none, 0, Options...>();
    constexpr Factor factor = chosen<Factor::keep, 0, Options...>();
    constexpr bool fragments = posv_fits_fragments<S, A, B>() && body == Body::fragment;
    constexpr bool rows = body == Body::rows && fits_rows<S, A, B>();
    constexpr bool whole = body == Body::whole && fits_whole<S, A, B>();
    constexpr bool left = (body == Body::left && fits_left<S, A, B>()) || whole;
    constexpr bool regs = body == Body::regs && fits_regs<S, A, B>();
    static_assert(rows || body != Body::rows,
                  "glass: posv<Body::rows> needs a constant N and NRHS that fit the registers of the scope, and a tile "
                  "or warp scope that knows how many the block holds.");
    static_assert(left || body != Body::left,
                  "glass: posv<Body::left> needs a constant N from 8 to 128 with one right-hand side, a warp scope "
                  "that knows how many the block holds or block<64 .. 256>, enough for a panel in "
                  "registers and the factor in 48 KB.");
    static_assert(
        whole || body != Body::whole,
        "glass: posv<Body::whole> needs what posv<Body::left> needs, and the factor in 48 KB or in the block's "
        "reserve: scope::block<N, Reserve>.");
    static_assert(
        regs || body != Body::regs,
        "glass: posv<Body::regs> needs a constant N from 8 to 128 with one right-hand side, a warp scope that "
        "knows how many the block holds or block<64 .. 256>, enough for the triangle in registers.");
    static_assert(fragments || body != Body::fragment,
                  "glass: posv<Body::fragment> needs a constant N and NRHS that fit the registers of the scope, and a "
                  "thread, tile or warp scope.");
    if constexpr (rows)
      info = cholesky_in_rows<shift, factor>(scope, a, b, rho);
    else if constexpr (left)
      info = cholesky_in_tiles<shift, factor>(scope, a, b, rho);
    else if constexpr (regs)
      info = cholesky_in_registers<shift, factor>(scope, a, b, rho);
    else if constexpr (fragments && factors_in_columns<S, A>)
      info = posv_in_columns<shift, factor>(a, b, rho);
    else if constexpr (fragments)
      info = posv_in_fragments<shift, factor>(scope, a, b, rho);
    else
      info = posv_in_loops<shift>(scope, a, b, rho);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes && !rows && !left && !regs) scope.sync();
  }
  return info;
}
}  // namespace detail

template <auto... Options, class S, class A, class B, detail::when<is_view<A> && is_view<B>> = 0>
GLASS_DEVICE int posv(S scope, A a, B b) {
  static_assert(chosen<Shift::none, 0, Options...>() == Shift::none,
                "glass: posv with a Shift takes rho: posv(scope, A, B, rho).");
  return detail::posv_shifted<Options...>(scope, a, b, 0);
}
template <auto... Options, class S, class A, class B, detail::when<is_view<A> && is_view<B>> = 0>
GLASS_DEVICE int posv(S scope, A a, B b, just<value_of<A>> rho) {
  static_assert(chosen<Shift::none, 0, Options...>() != Shift::none,
                "glass: posv with rho takes Shift::identity or Shift::diagonal.");
  return detail::posv_shifted<Options...>(scope, a, b, rho);
}
GLASS_FACES_2(posv, N, NRHS, (just<T> * A, just<T>* B), (as_matrix(A, N, N), as_matrix(B, N, NRHS)))
GLASS_FACES_1(posv, N, (just<T> * A, just<T>* b), (as_matrix(A, N, N), as_vector(b, N)))
GLASS_FACES_2(posv, N, NRHS, (just<T> * A, just<T>* B, just<T> rho), (as_matrix(A, N, N), as_matrix(B, N, NRHS), rho))
GLASS_FACES_1(posv, N, (just<T> * A, just<T>* b, just<T> rho), (as_matrix(A, N, N), as_vector(b, N), rho))
}  // namespace glass
