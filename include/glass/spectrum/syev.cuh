// syev(scope, A, W, V, scratch) -> info   A = V diag(W) V^T for A symmetric, W ascending. [GVL 8.3, 8.5.5]
// data     A: N x N, any leading dimension and order, its lower triangle read, unchanged. W: N eigenvalues, ascending;
//          V: N x N, column i is the unit eigenvector of W(i), of either sign. Outputs overlap neither A nor each
//          other.
// scratch  N N + 5 N numbers (syev_scratch_bytes), contents before and after unspecified.
// lanes    every lane of the scope calls; every lane receives info; ends synchronised unless Sync::no.
// info     0, or 1: 30 sweeps (of QL: 30 N) were not enough, or A has NaN or Inf; then W and V are NaN in the second
//          case, and as far as they came in the first. N = 0: 0.
// method   by body. Cyclic Jacobi in rounds of N / 2 independent rotations, until the off-diagonal elements are below eps
//          times their diagonal ones: up to 8 sweeps for N = 6, up to 15 (float) or 21 (double) for N = 64, where many
//          eigenvalues are equal. Or QL with implicit shifts: about 1.7 sweeps an eigenvalue, each over what is left of
//          the tridiagonal matrix, until elements beside the diagonal are below eps / 4 times A's largest. Errors of
//          both are a small multiple of eps times the norm of A, whatever the size of its numbers.
// bodies   loop      Jacobi, every scope and size, in memory (jacobi.cuh)
//          fragment  Jacobi, constant N <= 32, a tile or warp of at least N lanes: in registers, no scratch
//                                                                                            (jacobi_fragments.cuh)
//          ql        tridiagonal form and QL, every scope and size, in the scratch (tridiagonal.cuh)
//          automatic fragment where it fits, else ql
// cost     Jacobi 9 N^3 flops a sweep, QL 8 N^3 in all; reads N (N + 1) / 2, writes N^2 + N.
#pragma once
#include <glass/spectrum/eigen.cuh>
namespace glass {
template <class T, int N, class S>
GLASS_SCALAR constexpr int syev_scratch_bytes(S) {
  return detail::eigen_words(N) * int(sizeof(T));
}
namespace detail {
// How many numbers of w come before w(i) in ascending order; of equal ones the first comes first.
template <class W>
GLASS_DEVICE int place_of(W w, int i) {
  int before = 0;
  for (int k = 0; k < w.rows(); ++k) before += w(k) < w(i) || (w(k) == w(i) && k < i);
  return before;
}
}  // namespace detail
template <auto... Options, class S, class A, class W, class V, class X,
          detail::when<is_view<A> && is_view<W> && is_view<V> && is_view<X>> = 0>
GLASS_DEVICE int syev(S scope, A a, W w, V v, X scratch) {
  using T = value_of<V>;
  constexpr int N = A::static_rows;
  constexpr bool known = takes<types<Body, Sync>, Options...>, fits = detail::eigen_fits<A, W, V>();
  constexpr bool holds = detail::holds_scratch<X, T, detail::eigen_words(N)>();
  static_assert(known, "glass: syev takes the options Body and Sync, in any order.");
  static_assert(fits, "glass: syev: the sizes do not fit: A and V are N x N, W has N numbers.");
  static_assert(W::writable && V::writable, "glass: syev writes W and V, but one of them is const.");
  static_assert(holds, "glass: syev: the scratch is a writable vector of N N + 5 N numbers of V's type.");
  int info = 0;
  if constexpr (known && fits && W::writable && V::writable && holds) {
    constexpr Body body = chosen<Body::automatic, 0, Options...>();
    static_assert(detail::fits_jacobi_fragment<S, A>() || body != Body::fragment,
                  "glass: syev<Body::fragment> needs a constant N <= 32, and a tile or warp of at least N lanes.");
    if constexpr (detail::in_jacobi_fragment<S, A>(body)) {
      bool finite;
      auto f = detail::load_jacobi(scope, a, finite);
      info = detail::diagonalize<true>(scope, f, detail::most_sweeps) && finite ? 0 : 1;
      detail::store_jacobi<true>(scope, f, !finite, w, v);
    } else {
      const auto f = detail::decompose<body>(scope, a, v, scratch);
      info = f.converged ? 0 : 1;
      if (f.finite) {
        const int n = a.rows();
        const share mine = deal(scope, n, n);
        for (int j = mine.col; j < n; j += mine.col_step) {
          const int to = detail::place_of(f.values, j);
          for (int i = mine.row; i < n; i += mine.row_step) v(i, to) = f.vectors(i, j);
          if (mine.row == 0) w(to) = f.values(j);
        }
      } else {
        detail::fill_with_nan(scope, v), detail::fill_with_nan(scope, w);
      }
    }
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}
GLASS_FACES_1(syev, N, (const just<T>* A, just<T>* W, just<T>* V, just<T>* scratch),
              (as_matrix(A, N, N), as_vector(W, N), as_matrix(V, N, N), detail::as_scratch(scratch)))
}  // namespace glass
