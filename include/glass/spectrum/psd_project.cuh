// psd_project(scope, A, eps, scratch)        A <- V diag(max(W, eps)) V^T for A = V diag(W) V^T symmetric: the closest
//                                            matrix whose eigenvalues are at least eps. [Higham 1988]
// eig_clamp(scope, A, eps, scratch) -> info  the same, and says whether it came about.
// data     A: N x N, any leading dimension and order, its lower triangle read; both triangles overwritten, exactly
//          symmetric.
// scratch  N N + 5 N numbers (psd_project_scratch_bytes, eig_clamp_scratch_bytes), unspecified before and after.
// lanes    every lane of the scope calls, with the same eps; every lane receives info; ends synchronised unless
//          Sync::no.
// info     0, or 1: A has NaN or Inf, or 30 sweeps (QL: 30 N) were not enough. Then A is NaN, also by psd_project.
//          N = 0: 0.
// method   as in syev, as many sweeps as it takes.
// bodies   loop      Jacobi, every scope and size, in memory (jacobi.cuh)
//          fragment  Jacobi, constant N <= 32, a tile or warp of at least N lanes: in registers, no scratch
//                                                                                            (jacobi_fragments.cuh)
//          ql        tridiagonal form and QL, every scope and size, in the scratch (tridiagonal.cuh)
//          automatic fragment where it fits, else ql
// cost     Jacobi 9 N^3 flops a sweep, QL 8 N^3 in all; 2 N^3 more; reads N (N + 1) / 2, writes N^2.
#pragma once
#include <glass/spectrum/eigen.cuh>
namespace glass {
template <class T, int N, class S>
GLASS_SCALAR constexpr int psd_project_scratch_bytes(S) {
  return detail::eigen_words(N) * int(sizeof(T));
}
template <class T, int N, class S>
GLASS_SCALAR constexpr int eig_clamp_scratch_bytes(S) {
  return detail::eigen_words(N) * int(sizeof(T));
}
namespace detail {
template <Body Asked, class S, class A, class X, class T>
GLASS_DEVICE int clamp_spectrum(S scope, A a, T least, X scratch) {
  constexpr int N = A::static_rows;
  if constexpr (in_jacobi_fragment<S, A>(Asked)) {
    bool finite;
    auto f = load_jacobi(scope, a, finite);
    const bool fails = !diagonalize<true>(scope, f, most_sweeps) || !finite;
    if constexpr (jacobi_fragment<T, N>::stepped) {
      const auto v = cut<N, N>(scratch.data, N, N);
      const auto w = cut<N>(scratch.data + N * N, N);
      store_jacobi<false>(scope, f, fails, w, v);
      scope.sync();
      rebuild(scope, v, w, least, a);
    } else {
      rebuild(scope, f, fails, least, a);
    }
    return fails ? 1 : 0;
  } else {
    const auto f = decompose<Asked>(scope, a, a, scratch);
    if (f.converged)
      rebuild(scope, f.vectors, f.values, least, a);
    else
      fill_with_nan(scope, a);  // each lane writes what it alone has read, or after a sync
    return f.converged ? 0 : 1;
  }
}
template <class A, class X>
GLASS_SCALAR constexpr bool is_scratch_of_clamp() {
  return holds_scratch<X, value_of<A>, eigen_words(A::static_rows)>();
}
}  // namespace detail
template <auto... Options, class S, class A, class X, detail::when<is_view<A> && is_view<X>> = 0>
GLASS_DEVICE void psd_project(S scope, A a, just<value_of<A>> eps, X scratch) {
  constexpr bool known = takes<types<Body, Sync>, Options...>, fits = agree(A::static_rows, A::static_cols);
  constexpr bool holds = detail::is_scratch_of_clamp<A, X>();
  static_assert(known, "glass: psd_project takes the options Body and Sync, in any order.");
  static_assert(fits, "glass: psd_project: A is not square.");
  static_assert(A::writable, "glass: psd_project writes A, but A is const.");
  static_assert(holds, "glass: psd_project: the scratch is a writable vector of N N + 5 N numbers of A's type.");
  if constexpr (known && fits && A::writable && holds) {
    constexpr Body body = chosen<Body::automatic, 0, Options...>();
    static_assert(
        detail::fits_jacobi_fragment<S, A>() || body != Body::fragment,
        "glass: psd_project<Body::fragment> needs a constant N <= 32, and a tile or warp of at least N lanes.");
    detail::clamp_spectrum<body>(scope, a, eps, scratch);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class A, class X, detail::when<is_view<A> && is_view<X>> = 0>
GLASS_DEVICE int eig_clamp(S scope, A a, just<value_of<A>> eps, X scratch) {
  constexpr bool known = takes<types<Body, Sync>, Options...>, fits = agree(A::static_rows, A::static_cols);
  constexpr bool holds = detail::is_scratch_of_clamp<A, X>();
  static_assert(known, "glass: eig_clamp takes the options Body and Sync, in any order.");
  static_assert(fits, "glass: eig_clamp: A is not square.");
  static_assert(A::writable, "glass: eig_clamp writes A, but A is const.");
  static_assert(holds, "glass: eig_clamp: the scratch is a writable vector of N N + 5 N numbers of A's type.");
  int info = 0;
  if constexpr (known && fits && A::writable && holds) {
    constexpr Body body = chosen<Body::automatic, 0, Options...>();
    static_assert(detail::fits_jacobi_fragment<S, A>() || body != Body::fragment,
                  "glass: eig_clamp<Body::fragment> needs a constant N <= 32, and a tile or warp of at least N lanes.");
    info = detail::clamp_spectrum<body>(scope, a, eps, scratch);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}
GLASS_FACES_1(psd_project, N, (just<T> * A, just<T> eps, just<T>* scratch),
              (as_matrix(A, N, N), eps, detail::as_scratch(scratch)))
GLASS_FACES_1(eig_clamp, N, (just<T> * A, just<T> eps, just<T>* scratch),
              (as_matrix(A, N, N), eps, detail::as_scratch(scratch)))
}  // namespace glass
