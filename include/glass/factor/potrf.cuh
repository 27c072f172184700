// potrf(scope, A) -> info          A = L L^T for A symmetric positive definite. [GVL 4.2.5]
// data     A: N x N, any leading dimension and order; the lower triangle is read and overwritten by L, the strict upper
//          one keeps its bits (one lane on the host reads them and writes them back).
// lanes    every lane of the scope calls; every lane receives info; ends synchronised unless Sync::no.
// info     0, or k in 1..N: pivot k is not in (0, Inf), NaN included (rows, left, regs: nor subnormal); columns before
//          k are final, the others unspecified. N = 0: 0.
// bodies   loop      every scope and size: lanes own elements of the lower triangle, in memory, one sync a column
//          fragment  constant N, thread, tile and warp: lane r holds rows r, r + W, ... in registers; one lane on the
//                    host holds columns in vector registers (columns.cuh), N <= 64
//          rows      constant N, tiles and warps of a kernel: as fragment, with exchange memory (rows.cuh)
//          left      constant N <= 128, warp and block<64 .. 256>: tensor cores and exchange memory (left.cuh)
//          whole     as left, all of the factor in exchange memory: N > 96 in f64 takes a block<N, Reserve>
//          regs      as left, the triangle in registers: for few problems (regs.cuh)
//          automatic chooses by lanes, N and type (choice.cuh)
// cost     N^3/3 flops; reads and writes N (N + 1) / 2.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/fragment.cuh>
#include <glass/factor/choice.cuh>
#include <glass/factor/columns.cuh>
#include <glass/factor/left.cuh>
#include <glass/factor/regs.cuh>
#include <glass/factor/rows.cuh>
namespace glass {
namespace detail {
// Right-looking, in place. At step k the lanes read column k as it stands and update their elements to the right of it;
// they scale column k when the sync of the next step has told them that nobody reads it any more. Ends without a sync.
template <class S, class A>
GLASS_DEVICE int factor_in_loops(S scope, A a) {
  using T = value_of<A>;
  const int n = a.rows();
  const share mine = deal(scope, n, n);
  T pivot = 0, d = 0;
  int next = mine.col;  // the first column right of k - 1 that this lane owns
  for (int k = 0; k <= n; ++k) {
    if (k > 0) {
      scope.sync();
      if (next == k - 1) {
        for (int i = owned_from(mine.row, mine.row_step, k - 1); i < n; i += mine.row_step)
          a(i, k - 1) = i == k - 1 ? root_of(pivot, d) : a(i, k - 1) * d;
        next += mine.col_step;
      }
    }
    if (k == n) break;
    pivot = a(k, k);
    if (!is_positive_finite(pivot)) return k + 1;
    d = reciprocal_square_root(pivot);
    for (int j = next == k ? next + mine.col_step : next; j < n; j += mine.col_step) {
      const T multiplier = a(j, k) * d * d;
      for (int i = owned_from(mine.row, mine.row_step, j); i < n; i += mine.row_step)
        a(i, j) = fused(-a(i, k), multiplier, a(i, j));
    }
  }
  return 0;
}

// Right-looking, in registers, with the forward solve of any number of right-hand sides in the same sweep. `inverse`
// keeps 1 / L(k, k) in the lane that owns row k. Selects, no branches: the lanes of a warp stay together and the
// shuffles cheap.
template <class S, class T, int N, int R>
GLASS_DEVICE int factor_in_fragments(S scope, row_fragment<T, N, N, S::width>& a, row_fragment<T, N, R, S::width>& b,
                                     row_fragment<T, N, 1, S::width>& inverse) {
  constexpr int W = S::width;
  const int lane = scope.rank();
  int info = N + 1;
  GLASS_UNROLL
  for (int k = 0; k < N; ++k) {
    const T pivot = scope.broadcast(a.v[k / W][k], k % W);
    if (!is_positive_finite(pivot)) info = info < k + 1 ? info : k + 1;
    const T d = reciprocal_square_root(pivot);
    GLASS_UNROLL
    for (int q = 0; q < a.items; ++q) {
      if (a.reaches(q, k)) a.v[q][k] *= d;
    }
    GLASS_UNROLL
    for (int j = k + 1; j < N; ++j) {
      const T l = scope.broadcast(a.v[j / W][k], j % W);
      GLASS_UNROLL
      for (int q = 0; q < a.items; ++q) {
        if (a.reaches(q, j)) a.v[q][j] = fused(-a.v[q][k], l, a.v[q][j]);
      }
    }
    GLASS_UNROLL
    for (int r = 0; r < R; ++r) {
      const T y = scope.broadcast(b.v[k / W][r], k % W) * d;
      GLASS_UNROLL
      for (int q = 0; q < a.items; ++q) {
        if (a.reaches(q, k)) {
          const int i = lane + q * W;
          const T rest = fused(-a.v[q][k], y, b.v[q][r]);
          b.v[q][r] = i == k ? y : i > k ? rest : b.v[q][r];
        }
      }
    }
    const bool mine = lane == k % W;
    a.v[k / W][k] = mine ? root_of(pivot, d) : a.v[k / W][k];
    inverse.v[k / W][0] = mine ? d : inverse.v[k / W][0];
  }
  return info > N ? 0 : info;
}
// One lane on the host takes columns, up to what stays in its first cache.
template <class S, class A>
inline constexpr bool factors_in_columns =
    S::width == 1 && vector_bytes > 0 && A::static_rows > 0 && A::static_rows <= 64;
template <class S, class A>
GLASS_SCALAR constexpr bool factors_in_fragments() {
  if constexpr (factors_in_columns<S, A>)
    return true;
  else if constexpr (can_shuffle<S> && A::is_static && A::static_rows > 0)
    return triangle_words<value_of<A>, A::static_rows, S::width>() <= 192;
  else
    return false;
}
}  // namespace detail

template <auto... Options, class S, class A, detail::when<is_view<A>> = 0>
GLASS_DEVICE int potrf(S scope, A a) {
  constexpr bool known = takes<types<Fill, Body, Sync>, Options...>, fits = agree(A::static_rows, A::static_cols);
  static_assert(known, "glass: potrf takes the options Fill, Body and Sync, in any order.");
  static_assert(fits, "glass: potrf: A is not square.");
  static_assert(A::writable, "glass: potrf writes A, but A is const.");
  int info = 0;
  if constexpr (known && fits && A::writable) {
    constexpr Body body = detail::cholesky_body<detail::factors_in_fragments<S, A>(), S, A, detail::no_columns>(
        chosen<Body::automatic, 0, Options...>());
    constexpr bool fragments = detail::factors_in_fragments<S, A>() && body == Body::fragment;
    constexpr bool rows = body == Body::rows && detail::fits_rows<S, A, detail::no_columns>();
    constexpr bool whole = body == Body::whole && detail::fits_whole<S, A, detail::no_columns>();
    constexpr bool left = (body == Body::left && detail::fits_left<S, A, detail::no_columns>()) || whole;
    constexpr bool regs = body == Body::regs && detail::fits_regs<S, A, detail::no_columns>();
    static_assert(chosen<Fill::lower, 0, Options...>() == Fill::lower,
                  "glass: potrf factors the lower triangle: Fill::lower.");
    static_assert(rows || body != Body::rows,
                  "glass: potrf<Body::rows> needs a constant N whose triangle fits the registers of the scope, and a "
                  "tile or warp scope that knows how many the block holds.");
    static_assert(left || body != Body::left,
                  "glass: potrf<Body::left> needs a constant N from 8 to 128, a warp scope that knows how many the "
                  "block holds or block<64 .. 256>, enough for a panel in registers and the factors in 48 KB.");
    static_assert(whole || body != Body::whole,
                  "glass: potrf<Body::whole> needs what potrf<Body::left> needs, and the factor in 48 KB or in the "
                  "block's reserve: scope::block<N, Reserve>.");
    static_assert(
        regs || body != Body::regs,
        "glass: potrf<Body::regs> needs a constant N from 8 to 128, a warp scope that knows how many the block "
        "holds or block<64 .. 256>, enough for the triangle in registers.");
    static_assert(fragments || body != Body::fragment,
                  "glass: potrf<Body::fragment> needs a constant N whose triangle fits the registers of the scope, and "
                  "a thread, tile or warp scope.");
    if constexpr (rows) {
      info = detail::cholesky_in_rows<Shift::none, Factor::keep>(scope, a, detail::no_columns{}, 0);
    } else if constexpr (left) {
      info = detail::cholesky_in_tiles<Shift::none, Factor::keep>(scope, a, detail::no_columns{}, 0);
    } else if constexpr (regs) {
      info = detail::cholesky_in_registers<Shift::none, Factor::keep>(scope, a, detail::no_columns{}, 0);
    } else if constexpr (fragments && detail::factors_in_columns<S, A>) {
      detail::columns<value_of<A>, A::static_rows, 0> l;
      for (int j = 0; j < a.cols(); ++j) l.fetch(l.a[j], a, j, j);
      info = l.template factor<Factor::keep>(a);
    } else if constexpr (fragments) {
      auto l = load_lower(scope, a);
      row_fragment<value_of<A>, A::static_rows, 0, S::width> none = {};
      row_fragment<value_of<A>, A::static_rows, 1, S::width> inverse = {};
      info = detail::factor_in_fragments(scope, l, none, inverse);
      store_lower(scope, l, a);
    } else {
      info = detail::factor_in_loops(scope, a);
    }
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes && !rows && !left && !regs) scope.sync();
  }
  return info;
}
GLASS_FACES_1(potrf, N, (just<T> * A), (as_matrix(A, N, N)))
}  // namespace glass
