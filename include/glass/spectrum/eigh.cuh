// eigh(scope, A, W, V, scratch)    A = V diag(W) V^T for A symmetric, eigenvalues in no order. [GVL 8.3, 8.5.5]
// data     A: N x N, any leading dimension and order, its lower triangle read, unchanged. W: N eigenvalues in the order
//          in which they come out; V: N x N, column i is the unit eigenvector of W(i), of either sign. Outputs overlap
//          neither A nor each other.
// scratch  N N + 5 N numbers (eigh_scratch_bytes), contents before and after unspecified.
// option   Sweeps{k}: exactly k sweeps of Jacobi, however far they come; not with Body::ql. Without it as many as it takes,
//          30 at most: up to 8 for N = 6, up to 15 (float) or 21 (double) for N = 64. One more sweep than needed finds
//          that none was left to do.
// lanes    every lane of the scope calls; ends synchronised unless Sync::no.
// method   as syev: cyclic Jacobi, N / 2 independent rotations at a time (round robin), two syncs a round, N - 1 or N
//          rounds a sweep; or QL. Times a power of two scales W by it.
// values   NaN or Inf in A, or 30 sweeps (of QL: 30 N) not enough: W and V are NaN, so that nothing wrong passes for a
//          result. With Sweeps{k}, NaN and Inf spread as the rotations carry them, in `fragment` to everything.
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
GLASS_SCALAR constexpr int eigh_scratch_bytes(S) {
  return detail::eigen_words(N) * int(sizeof(T));
}
template <auto... Options, class S, class A, class W, class V, class X,
          detail::when<is_view<A> && is_view<W> && is_view<V> && is_view<X>> = 0>
GLASS_DEVICE void eigh(S scope, A a, W w, V v, X scratch) {
  using T = value_of<V>;
  constexpr int N = A::static_rows;
  constexpr bool known = takes<types<Sweeps, Body, Sync>, Options...>, fits = detail::eigen_fits<A, W, V>();
  constexpr bool holds = detail::holds_scratch<X, T, detail::eigen_words(N)>();
  static_assert(known, "glass: eigh takes the options Sweeps, Body and Sync, in any order.");
  static_assert(fits, "glass: eigh: the sizes do not fit: A and V are N x N, W has N numbers.");
  static_assert(W::writable && V::writable, "glass: eigh writes W and V, but one of them is const.");
  static_assert(holds, "glass: eigh: the scratch is a writable vector of N N + 5 N numbers of V's type.");
  if constexpr (known && fits && W::writable && V::writable && holds) {
    constexpr Body body = chosen<Body::automatic, 0, Options...>();
    static_assert(detail::fits_jacobi_fragment<S, A>() || body != Body::fragment,
                  "glass: eigh<Body::fragment> needs a constant N <= 32, and a tile or warp of at least N lanes.");
    constexpr Sweeps given = chosen<Sweeps::automatic, 0, Options...>();
    constexpr bool stops = given == Sweeps::automatic;
    static_assert(stops || body != Body::ql, "glass: eigh<Body::ql> makes no Jacobi sweeps, and takes no Sweeps.");
    constexpr int sweeps = stops ? detail::most_sweeps : int(given);
    if constexpr (detail::in_jacobi_fragment<S, A>(body)) {
      bool finite;
      auto f = detail::load_jacobi(scope, a, finite);
      const bool converged = detail::diagonalize<stops>(scope, f, sweeps) || !stops;
      detail::store_jacobi<false>(scope, f, !(finite && converged), w, v);
    } else if constexpr (stops) {
      const auto f = detail::decompose<body>(scope, a, v, scratch);
      const int n = a.rows();
      each(scope, n, [&](int i) { w(i) = f.converged ? T(f.values(i)) : not_a_number<T>(); });
      each(scope, n, n, [&](int i, int j) { v(i, j) = f.converged ? T(f.vectors(i, j)) : not_a_number<T>(); });
    } else {
      const auto work = detail::cut<N, N>(scratch.data, a.rows(), a.rows());
      detail::copy_lower(scope, a, work);
      scope.sync();
      detail::diagonalize<false>(scope, work, v, w, sweeps);
      each(scope, a.rows(), [&](int i) { w(i) = work(i, i); });
    }
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_1(eigh, N, (const just<T>* A, just<T>* W, just<T>* V, just<T>* scratch),
              (as_matrix(A, N, N), as_vector(W, N), as_matrix(V, N, N), detail::as_scratch(scratch)))
}  // namespace glass
