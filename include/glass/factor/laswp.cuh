// laswp<Direction>(scope, A, piv, k0, k1)   Swaps rows k and piv(k) of A, for k = k0 ... k1 - 1 in this order;
//                                           Direction::backward: in reverse order, which undoes it. [GVL 3.4.1]
// data     A: M numbers or M x N, any leading dimension and order, in place. piv: integers as getrf gives them,
//          0-based, 0 <= piv(k) < M; read for k0 <= k < k1 only. k0 >= 0; k1 > M counts as M; k1 <= k0: nothing is
//          touched.
// lanes    every lane of the scope calls, with the same k0 and k1; a lane owns whole columns; ends synchronised unless
//          Sync::no.
// cost     0 flops; reads and writes at most 2 (k1 - k0) N.
#pragma once
#include <glass/core/each.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/view.cuh>
namespace glass {
namespace detail {
template <class A>
GLASS_DEVICE void swap_in_column(A a, int i, int k, int column) {
  const value_of<A> x = a(i, column);
  a(i, column) = a(k, column);
  a(k, column) = x;
}
template <Direction D, class A, class P>
GLASS_DEVICE void swap_rows(A a, P piv, int k0, int k1, int column) {
  for (int step = k0; step < k1; ++step) {
    const int k = D == Direction::forward ? step : k0 + k1 - 1 - step;
    if (const int p = piv(k); p != k) swap_in_column(a, k, p, column);
  }
}
}  // namespace detail
template <auto... Options, class S, class A, class P, detail::when<is_view<A> && is_view<P>> = 0>
GLASS_DEVICE void laswp(S scope, A a, P piv, int k0, int k1) {
  constexpr bool known = takes<types<Direction, Sync>, Options...>, whole = detail::same<value_of<P>, int>;
  static_assert(known, "glass: laswp takes the options Direction and Sync, in any order.");
  static_assert(A::writable, "glass: laswp writes A, but A is const.");
  static_assert(whole, "glass: laswp: piv is a vector of int.");
  if constexpr (known && A::writable && whole) {
    constexpr Direction direction = chosen<Direction::forward, 0, Options...>();
    const int end = k1 < a.rows() ? k1 : a.rows();
    each(scope, a.cols(), [&](int j) { detail::swap_rows<direction>(a, piv, k0, end, j); });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_2(laswp, M, N, (just<T> * A, const int* piv, int k0, int k1),
              (as_matrix(A, M, N), as_vector(piv, M), k0, k1))
}  // namespace glass
