// chol_update(scope, L, x)             L' L'^T = L L^T + x x^T by plane rotations. [GVL 6.5.4]
// chol_downdate(scope, L, x) -> info   L' L'^T = L L^T - x x^T by hyperbolic rotations, each in its mixed form: the
//                                      rotated vector is made of the rotated column. [Bojanczyk et al. 1987]
// data     L: N x N with a positive diagonal, as potrf gives it, any leading dimension and order; the lower triangle is
//          read and overwritten by L', the strict upper one is not touched. x: N, any increment, destroyed. L and x
//          overlap nothing.
// lanes    every lane of the scope calls; every lane receives info; ends synchronised unless Sync::no.
// info     0, or k in 1..N: L'(k, k) is not in (0, Inf), NaN included: L L^T - x x^T is not positive definite to
//          working accuracy. Then L and x are unspecified. N = 0: 0. chol_update cannot fail: NaN and Inf go where the
//          formula takes them.
// range    the rotations are made of ratios: no square overflows or underflows where L' does not.
// bodies   one loop for every scope and size: lanes own rows, in memory, one sync a column
// cost     2 N^2 flops; reads and writes N (N + 1) / 2 + N.
#pragma once
#include <glass/core/each.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/math.cuh>
#include <glass/core/view.cuh>
namespace glass {
namespace detail {
// A rotation of (l, x): the new l, and how it takes the entries below.
template <class T>
struct plane_rotation {
  T c, s, root;
  // (l, x) -> (root, 0) with root >= 0: one quotient, of the smaller magnitude by the larger.
  GLASS_DEVICE plane_rotation(T l, T x) {
    const T a = absolute(l), b = absolute(x);
    const bool falls = a >= b;
    const T ratio = a == b ? T(1) : falls ? b / a : a / b, square = fused(ratio, ratio, T(1));
    const T large = reciprocal_square_root(square), small = ratio * large;
    root = (falls ? a : b) * (square * large);
    c = falls ? large : small;
    s = falls ? small : large;
    if (l < T(0)) c = -c;
    if (x < T(0)) s = -s;
  }
  GLASS_DEVICE void turn(T& l, T& x) const {
    const T old = l;
    l = fused(c, old, s * x);
    x = fused(c, x, -s * old);
  }
};
template <class T>
struct hyperbolic_rotation {
  T ratio, c, inverse, root;
  GLASS_DEVICE hyperbolic_rotation(T l, T x) {
    ratio = x / l;
    const T square = (T(1) - ratio) * (T(1) + ratio);
    inverse = reciprocal_square_root(square);
    c = square * inverse;
    root = l * c;
  }
  GLASS_DEVICE void turn(T& l, T& x) const {
    l = fused(-ratio, x, l) * inverse;
    x = fused(c, x, -ratio * l);
  }
};
// Every lane makes rotation k of what the lanes left of L(k, k) and x(k); L(k, k) is written when the sync of the next
// step has told its writer that nobody reads it any more. Ends without a sync.
template <class R, bool Fails, class S, class L, class X>
GLASS_DEVICE int rotate_rows(S scope, L l, X x) {
  using T = value_of<L>;
  const int n = l.rows();
  T root = 0;
  for (int k = 0; k <= n; ++k) {
    if (k > 0) {
      scope.sync();
      if (scope.rank() == (k - 1) % scope.size()) l(k - 1, k - 1) = root;
    }
    if (k == n) break;
    const R rotation(l(k, k), x(k));
    if (Fails && !is_positive_finite(rotation.root)) return k + 1;
    root = rotation.root;
    each(scope, n - k - 1, [&](int i) { rotation.turn(l(k + 1 + i, k), x(k + 1 + i)); });
  }
  return 0;
}
template <class L, class X>
GLASS_SCALAR constexpr bool update_fits() {
  return agree(L::static_rows, L::static_cols) && agree(X::static_rows, L::static_rows) && X::static_cols == 1 &&
         same<value_of<L>, value_of<X>>;
}
}  // namespace detail

template <auto... Options, class S, class L, class X, detail::when<is_view<L> && is_view<X>> = 0>
GLASS_DEVICE void chol_update(S scope, L l, X x) {
  constexpr bool known = takes<types<Sync>, Options...>, fits = detail::update_fits<L, X>();
  static_assert(known, "glass: chol_update takes the option Sync.");
  static_assert(fits, "glass: chol_update: the sizes do not fit: L is N x N, x has N numbers of the same type.");
  static_assert(L::writable && X::writable, "glass: chol_update writes L and x, but one of them is const.");
  if constexpr (known && fits && L::writable && X::writable) {
    detail::rotate_rows<detail::plane_rotation<value_of<L>>, false>(scope, l, x);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class L, class X, detail::when<is_view<L> && is_view<X>> = 0>
GLASS_DEVICE int chol_downdate(S scope, L l, X x) {
  constexpr bool known = takes<types<Sync>, Options...>, fits = detail::update_fits<L, X>();
  static_assert(known, "glass: chol_downdate takes the option Sync.");
  static_assert(fits, "glass: chol_downdate: the sizes do not fit: L is N x N, x has N numbers of the same type.");
  static_assert(L::writable && X::writable, "glass: chol_downdate writes L and x, but one of them is const.");
  int info = 0;
  if constexpr (known && fits && L::writable && X::writable) {
    info = detail::rotate_rows<detail::hyperbolic_rotation<value_of<L>>, true>(scope, l, x);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}
GLASS_FACES_1(chol_update, N, (just<T> * L, just<T>* x), (as_matrix(L, N, N), as_vector(x, N)))
GLASS_FACES_1(chol_downdate, N, (just<T> * L, just<T>* x), (as_matrix(L, N, N), as_vector(x, N)))
}  // namespace glass
