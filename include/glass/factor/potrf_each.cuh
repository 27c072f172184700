// potrf_each(scope, A1, ..., AK)   potrf of each of 1 to 8 matrices of any sizes, with the barriers of the largest one
//   -> infos: int at[K]            only; the same bits as one by one. A name of its own, as inv_each has it, for
//                                  inv(scope, A, X) has two matrices already. [GVL 4.2.5]
// data     each A: N x N, any leading dimension and order; lower triangles are read and overwritten by L, strict upper
//          ones keep their bits. They do not overlap.
// lanes    every lane of the scope calls; every lane receives all infos; ends synchronised unless Sync::no.
// info     of each matrix as from potrf: one that fails does not stop the others.
// bodies   block: all matrices in one loop over the columns, one sync a column; other scopes: potrf one after the other
// cost     N^3/3 flops and N (N + 1) elements each.
#pragma once
#include <glass/factor/infos.cuh>
#include <glass/factor/potrf.cuh>
namespace glass {
namespace detail {
// factor_in_loops (potrf.cuh), step by step: k = 0 ... N with a sync between.
template <class S, class A>
struct cholesky_in_steps {
  using T = value_of<A>;
  A a;
  share mine;
  int info = 0, n;
  T pivot = 0, d = 0;
  GLASS_DEVICE cholesky_in_steps(S scope, A x) : a(x), mine(deal(scope, x.rows(), x.rows())), n(x.rows()) {}
  GLASS_DEVICE void step(int k) {
    if (k > n || info != 0) return;
    const int owned = owned_from(mine.col, mine.col_step, k > 0 ? k - 1 : 0);
    if (k > 0 && owned == k - 1)
      for (int i = owned_from(mine.row, mine.row_step, k - 1); i < n; i += mine.row_step)
        a(i, k - 1) = i == k - 1 ? root_of(pivot, d) : a(i, k - 1) * d;
    if (k == n) return;
    pivot = a(k, k);
    if (!is_positive_finite(pivot)) {
      info = k + 1;
      return;
    }
    d = reciprocal_square_root(pivot);
    for (int j = owned_from(mine.col, mine.col_step, k + 1); j < n; j += mine.col_step) {
      const T multiplier = a(j, k) * d * d;
      for (int i = owned_from(mine.row, mine.row_step, j); i < n; i += mine.row_step)
        a(i, j) = fused(-a(i, k), multiplier, a(i, j));
    }
  }
};
template <class S, class... Work>
GLASS_DEVICE infos<int(sizeof...(Work))> factor_together(S scope, Work... work) {
  int steps = 0;
  ((steps = work.n > steps ? work.n : steps), ...);
  for (int k = 0; k <= steps; ++k) {
    if (k > 0) scope.sync();
    (work.step(k), ...);
  }
  return {{work.info...}};
}
}  // namespace detail
template <auto... Options, class S, class... A, detail::when<(true && ... && is_view<A>)> = 0>
GLASS_DEVICE infos<int(sizeof...(A))> potrf_each(S scope, A... a) {
  constexpr bool known = takes<types<Sync>, Options...>, few = sizeof...(A) >= 1 && sizeof...(A) <= 8;
  constexpr bool square = (true && ... && agree(A::static_rows, A::static_cols));
  constexpr bool writes = (true && ... && A::writable);
  static_assert(known, "glass: potrf_each takes the option Sync.");
  static_assert(few, "glass: potrf_each takes 1 to 8 matrices.");
  static_assert(square, "glass: potrf_each: a matrix is not square.");
  static_assert(writes, "glass: potrf_each writes its matrices, but one of them is const.");
  infos<int(sizeof...(A))> info = {};
  if constexpr (known && few && square && writes) {
    if constexpr (can_shuffle<S>)  // no barriers to share
      info = {{potrf<Sync::no>(scope, a)...}};
    else
      info = detail::factor_together(scope, detail::cholesky_in_steps<S, A>(scope, a)...);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}
GLASS_EVERYWHERE(GLASS_FACE_EACH, potrf_each)
}  // namespace glass
