// getrs<Trans>(scope, LU, piv, B)       B <- op(A)^-1 B for the P A = L U of getrf, op(A) = A or A^T. [GVL 3.4.3]
// getrs_no_pivot<Trans>(scope, LU, B)   the same for the A = L U of getrf_no_pivot.
// data     LU: N x N, any leading dimension and order, piv: N integers; both read only. B: N numbers or N x NRHS,
//          overwritten by X; it overlaps neither.
// lanes    every lane of the scope calls; ends synchronised unless Sync::no.
// zeros    a zero on U's diagonal gives Inf or NaN, there is no info. NaN and Inf propagate. N = 0: nothing is touched.
// bodies   loop      every scope and size: swaps and two triangular solves in memory, lanes own entries of B,
//                    or whole right-hand sides where there is one for every second lane
//          fragment  constant N and NRHS, tile and warp: lane r holds rows r, r + W, ... of op(LU) and of the swapped B
//                    in registers; taken where right-hand sides are few              -> kernel notes, getrf and gesv
//          direct    constant sizes, N <= 128, warps: both solves on tensor cores, strips of 16 right-hand sides in
//                    registers (matrix/triangle_direct.cuh), whose rows change places as they are read or written
// cost     2 N^2 NRHS flops; reads N^2 + N NRHS, writes N NRHS.
#pragma once
#include <glass/factor/getrf.cuh>
#include <glass/factor/two_triangles.cuh>
namespace glass {
namespace detail {
// Where a row comes from that lies at i once rows k and p have changed places.
GLASS_SCALAR constexpr int before_swap(int i, int k, int p) { return i == k ? p : i == p ? k : i; }
// The row of B that swaps forward bring to row i.
template <class P>
GLASS_DEVICE int source_row(P piv, int i) {
  for (int k = piv.rows() - 1; k >= 0; --k) { i = before_swap(i, k, piv(k)); }
  return i;
}
// L or U of a fragment whose row i lies in lane i % W, item i / W: b <- T^-1 b, T its lower or upper triangle.
template <bool Lower, Diag D, class S, class T, int N, int R>
GLASS_DEVICE void substitute(S scope, const row_fragment<T, N, N, S::width>& t,
                             const row_fragment<T, N, 1, S::width>& inverse, row_fragment<T, N, R, S::width>& b) {
  constexpr int W = S::width;
  const int lane = scope.rank();
  GLASS_UNROLL
  for (int step = 0; step < N; ++step) {
    const int k = Lower ? step : N - 1 - step;
    GLASS_UNROLL
    for (int r = 0; r < R; ++r) {
      const T mine = D == Diag::unit ? b.v[k / W][r] : b.v[k / W][r] * inverse.v[k / W][0];
      const T known = scope.broadcast(mine, k % W);
      GLASS_UNROLL
      for (int q = 0; q < t.items; ++q) {
        const int i = lane + q * W;
        const T rest = fused(-t.v[q][k], known, b.v[q][r]);
        b.v[q][r] = i == k ? known : (Lower ? i > k : i < k) ? rest : b.v[q][r];
      }
    }
  }
}
// f: op(LU); row: of item q of this lane, the row of B that goes to its row of the swapped one.
template <Trans How, class S, class T, int N, class B>
GLASS_DEVICE void getrs_columns(S scope, const row_fragment<T, N, N, S::width>& f,
                                const row_fragment<T, N, 1, S::width>& inverse,
                                const int (&row)[(N + S::width - 1) / S::width], B b) {
  constexpr int R = B::static_cols, W = S::width;
  row_fragment<T, N, R, W> x = {};
  GLASS_UNROLL
  for (int q = 0; q < x.items; ++q) {
    const int i = scope.rank() + q * W;
    GLASS_UNROLL
    for (int r = 0; r < R; ++r) x.v[q][r] = i < N ? b(How == Trans::no ? row[q] : i, r) : T(0);
  }
  substitute<true, How == Trans::no ? Diag::unit : Diag::nonunit>(scope, f, inverse, x);
  substitute<false, How == Trans::no ? Diag::nonunit : Diag::unit>(scope, f, inverse, x);
  scope.sync();  // rows of B are written by other lanes than those that read them
  GLASS_UNROLL
  for (int q = 0; q < x.items; ++q) {
    const int i = scope.rank() + q * W;
    GLASS_UNROLL
    for (int r = 0; r < R; ++r)
      if (i < N) b(How == Trans::no ? i : row[q], r) = x.v[q][r];
  }
}
// from(i): the row of B that goes to row i of the swapped one.
template <Trans How, class S, class A, class B, class From>
GLASS_DEVICE void getrs_in_fragments(S scope, A lu, B b, From from) {
  using T = value_of<B>;
  constexpr int N = A::static_rows, R = B::static_cols, W = S::width, together = columns_together(N, R);
  const auto f = load(scope, op<How>(lu));
  row_fragment<T, N, 1, W> inverse = {};
  GLASS_UNROLL
  for (int k = 0; k < N; ++k)
    inverse.v[k / W][0] = scope.rank() == k % W ? reciprocal(f.v[k / W][k]) : inverse.v[k / W][0];
  int row[(N + W - 1) / W];
  GLASS_UNROLL
  for (int q = 0; q < (N + W - 1) / W; ++q) {
    const int i = scope.rank() + q * W;
    row[q] = i < N ? from(i) : i;
  }
  if constexpr (R <= together) {
    getrs_columns<How>(scope, f, inverse, row, b);
  } else {
    GLASS_UNROLL_BY(1)
    for (int r = 0; r < R; r += together)
      getrs_columns<How>(scope, f, inverse, row, b.template block<N, together>(0, r));
  }
}
// The two triangles of op(LU).
template <Trans How, bool Direct, class S, class A, class B>
GLASS_DEVICE void solve_both_of_lu(S scope, A lu, B b) {
  constexpr bool plain = How == Trans::no;
  solve_both<Direct, plain ? Diag::unit : Diag::nonunit, plain ? Diag::nonunit : Diag::unit>(
      scope, op<How>(lu), op<How>(lu), as_columns(b));
}
// The rows of B that swaps forward bring to rows 0, 1, ...: a lane follows every 32nd.
template <int N>
struct source_rows {
  glass::scope::warp warp;
  int source[(N + 31) / 32];
  template <class P>
  GLASS_DEVICE explicit source_rows(P piv) {
    GLASS_UNROLL
    for (int r = 0; r < (N + 31) / 32; ++r) source[r] = warp.rank() + 32 * r;
    GLASS_UNROLL_BY(8)
    for (int k = N - 1; k >= 0; --k) {
      const int p = piv(k);
      GLASS_UNROLL
      for (int& i : source) i = before_swap(i, k, p);
    }
  }
  // Of row 8 J + i, i < 8; the same J in all lanes.
  GLASS_DEVICE int of(int J, int i) const { return warp.shuffle(source[J / 4], J % 4 * 8 + i); }
};
// Around a solve: the rows of B swapped in memory, before it or, for the transpose, back after it.
template <Trans How, class S, class P, class B, class F>
GLASS_DEVICE void with_rows_swapped(S scope, P piv, B b, F solve) {
  if constexpr (How == Trans::no) laswp(scope, b, piv, 0, b.rows());
  solve();
  if constexpr (How == Trans::yes) {
    scope.sync();
    laswp<Direction::backward, Sync::no>(scope, b, piv, 0, b.rows());
  }
}
// On tensor cores: rows change places on their way to registers, or from there.
template <Trans How, class S, class A, class P, class B>
GLASS_DEVICE void getrs_directly(S scope, A t, P piv, B b) {
  constexpr bool plain = How == Trans::no;
  constexpr Diag lower = plain ? Diag::unit : Diag::nonunit, upper = plain ? Diag::nonunit : Diag::unit;
  if (!pairs_reach(t, b)) {
    with_rows_swapped<How>(scope, piv, b, [&] { solve_both_by_elements<lower, upper>(scope, t, t, b); });
  } else {
    const source_rows<A::static_rows> order(piv);
    in_strips(scope, t, b, [&](strips_for<S, A, B>& y, int first) {
      plain ? y.load_rows(b, first, order) : y.load(1, b, first);
      y.warp.sync();  // before a lane writes what another read
      y.template solve<true, lower>(t);
      y.template solve<false, upper>(t);  // of -Y: the tiles are then those of X
      plain ? y.store(1, b, first) : y.store_rows(b, first, order);
    });
  }
}
template <Trans How, class S, class A, class P, class B>
GLASS_DEVICE void getrs_by_rows(S scope, A lu, P piv, B b) {
  with_rows_swapped<How>(scope, piv, b, [&] { solve_both_of_lu<How, false>(scope, lu, b); });
}
template <class S, class A, class B>
GLASS_SCALAR constexpr bool lu_solves_in_fragments() {
  if constexpr (A::is_static && B::is_static)
    return lu_fits_fragments<S, A>(columns_together(A::static_rows, B::static_cols));
  else
    return false;
}
}  // namespace detail

template <auto... Options, class S, class A, class P, class B, detail::when<is_view<A> && is_view<P> && is_view<B>> = 0>
GLASS_DEVICE void getrs(S scope, A lu, P piv, B b) {
  constexpr bool known = takes<types<Trans, Body, Sync>, Options...>, whole = detail::same<value_of<P>, int>;
  constexpr bool fits = agree(A::static_rows, A::static_cols) && agree(A::static_rows, P::static_rows) &&
                        agree(A::static_rows, B::static_rows);
  static_assert(known, "glass: getrs takes the options Trans, Body and Sync, in any order.");
  static_assert(fits, "glass: getrs: the sizes do not fit: LU is N x N, piv has N integers, B has N rows.");
  static_assert(whole, "glass: getrs: piv is a vector of int.");
  static_assert(B::writable, "glass: getrs writes B, but B is const.");
  if constexpr (known && fits && whole && B::writable) {
    constexpr Trans trans = chosen<Trans::no, 0, Options...>();
    constexpr Body body = chosen<Body::automatic, 0, Options...>();
    constexpr bool direct = detail::goes_in_strips<body, S, A, B>();
    constexpr bool fragments = !direct && detail::lu_solves_in_fragments<S, A, B>() &&
                               (body == Body::fragment || (body == Body::automatic && !detail::many_columns<S, B>));
    static_assert(fragments || body != Body::fragment,
                  "glass: getrs<Body::fragment> needs a constant N <= 64 and NRHS that fit the registers of the scope, "
                  "and a tile or warp scope.");
    static_assert(
        direct || body != Body::direct,
        "glass: getrs<Body::direct> needs whole warps, a constant N from 1 to 128 and NRHS, and no interleaved "
        "operand.");
    if constexpr (fragments)
      detail::getrs_in_fragments<trans>(scope, lu, b, [piv](int i) { return detail::source_row(piv, i); });
    else if constexpr (direct)
      detail::getrs_directly<trans>(scope, detail::op<trans>(lu), piv, detail::as_columns(b));
    else if constexpr (body != Body::direct)
      detail::getrs_by_rows<trans>(scope, lu, piv, b);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class A, class B, detail::when<is_view<A> && is_view<B>> = 0>
GLASS_DEVICE void getrs_no_pivot(S scope, A lu, B b) {
  constexpr bool known = takes<types<Trans, Body, Sync>, Options...>;
  constexpr bool fits = agree(A::static_rows, A::static_cols) && agree(A::static_rows, B::static_rows);
  static_assert(known, "glass: getrs_no_pivot takes the options Trans, Body and Sync, in any order.");
  static_assert(fits, "glass: getrs_no_pivot: the sizes do not fit: LU is N x N, B has N rows.");
  static_assert(B::writable, "glass: getrs_no_pivot writes B, but B is const.");
  if constexpr (known && fits && B::writable) {
    constexpr Trans trans = chosen<Trans::no, 0, Options...>();
    constexpr Body body = chosen<Body::automatic, 0, Options...>();
    constexpr bool direct = detail::goes_in_strips<body, S, A, B>();
    constexpr bool fragments = !direct && detail::lu_solves_in_fragments<S, A, B>() &&
                               (body == Body::fragment || (body == Body::automatic && !detail::many_columns<S, B>));
    static_assert(fragments || body != Body::fragment,
                  "glass: getrs_no_pivot<Body::fragment> needs a constant N <= 64 and NRHS that fit the registers of "
                  "the scope, and a tile or warp scope.");
    static_assert(direct || body != Body::direct,
                  "glass: getrs_no_pivot<Body::direct> needs whole warps, a constant N from 1 to 128 and NRHS, and no "
                  "interleaved "
                  "operand.");
    if constexpr (fragments)
      detail::getrs_in_fragments<trans>(scope, lu, b, [](int i) { return i; });
    else if constexpr (direct || body != Body::direct)
      detail::solve_both_of_lu<trans, direct>(scope, lu, b);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_2(getrs, N, NRHS, (const just<T>* LU, const int* piv, just<T>* B),
              (as_matrix(LU, N, N), as_vector(piv, N), as_matrix(B, N, NRHS)))
GLASS_FACES_1(getrs, N, (const just<T>* LU, const int* piv, just<T>* b),
              (as_matrix(LU, N, N), as_vector(piv, N), as_vector(b, N)))
GLASS_FACES_2(getrs_no_pivot, N, NRHS, (const just<T>* LU, just<T>* B), (as_matrix(LU, N, N), as_matrix(B, N, NRHS)))
GLASS_FACES_1(getrs_no_pivot, N, (const just<T>* LU, just<T>* b), (as_matrix(LU, N, N), as_vector(b, N)))
}  // namespace glass
