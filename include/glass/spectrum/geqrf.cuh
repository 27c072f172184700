// geqrf(scope, A, tau)             A = Q R by Householder reflections H_k = I - tau_k v v^T, Q = H_0 H_1 ... [GVL 5.2.2]
// data     A: M x N, any leading dimension and order, overwritten: R on and above the diagonal, and below it, in column
//          k, the elements k + 1, ... of v, whose element k is 1 and those before it 0. tau: min(M, N) numbers,
//          written. R_kk = -sign(a_kk) || column tail ||; tau = 0 (H = I, R_kk = a_kk) where all below is zero already.
// lanes    every lane of the scope calls; ends synchronised unless Sync::no.
// bodies   loop      every scope and size: the norm by all lanes together, then each lane reflects columns of its own;
//                    one sync a column
// range    A times a power of two gives R times that power; norms neither over- nor underflow. NaN and Inf propagate.
// cost     2 M N^2 - 2 N^3 / 3 flops; reads and writes M N.
#pragma once
#include <glass/spectrum/householder.cuh>
namespace glass {
template <auto... Options, class S, class A, class V, detail::when<is_view<A> && is_view<V>> = 0>
GLASS_DEVICE void geqrf(S scope, A a, V tau) {
  constexpr bool known = takes<types<Sync>, Options...>;
  constexpr bool fits =
      agree(detail::smaller_of(A::static_rows, A::static_cols), V::static_rows) && V::static_cols == 1;
  static_assert(known, "glass: geqrf takes the option Sync.");
  static_assert(fits, "glass: geqrf: the sizes do not fit: A is M x N, tau has min(M, N) numbers.");
  static_assert(A::writable && V::writable, "glass: geqrf writes A and tau, but one of them is const.");
  if constexpr (known && fits && A::writable && V::writable) {
    detail::triangularize(scope, a, tau, detail::no_columns_beside(a));
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_2(geqrf, M, N, (just<T> * A, just<T>* tau), (as_matrix(A, M, N), detail::shorter_vector(tau, M, N)))
}  // namespace glass
