// add_identity(scope, alpha, A)    A <- A + alpha I.
// add_identity_partial(scope, d, alpha, A)   The first d diagonal entries += alpha.
// data     A: M x N, any leading dimension and order: the first min(M, N) (and at most d) diagonal entries are read and
//          written, nothing else is touched.
// lanes    every lane of the scope calls, with the same alpha; ends synchronised unless Sync::no.
// cost     N flops; reads N, writes N.
#pragma once
#include <glass/core/each.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/view.cuh>
namespace glass {
template <auto... Options, class S, class A, detail::when<is_view<A>> = 0>
GLASS_DEVICE void add_identity(S scope, just<value_of<A>> alpha, A a) {
  constexpr bool known = takes<types<Sync>, Options...>;
  static_assert(known, "glass: add_identity takes the option Sync.");
  static_assert(A::writable, "glass: add_identity writes A, but A is const.");
  if constexpr (known && A::writable) {
    each(scope, a.rows() < a.cols() ? a.rows() : a.cols(), [&](int i) { a(i, i) += alpha; });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class A, detail::when<is_view<A>> = 0>
GLASS_DEVICE void add_identity_partial(S scope, int d, just<value_of<A>> alpha, A a) {
  add_identity<Options...>(scope, alpha, a.block(0, 0, d < a.rows() ? d : a.rows(), a.cols()));
}
GLASS_FACES_1(add_identity, N, (just<T> alpha, just<T>* A), (alpha, as_matrix(A, N, N)))
GLASS_FACES_2(add_identity_partial, N, D, (just<T> alpha, just<T>* A), (as_number(D), alpha, as_matrix(A, N, N)))
}  // namespace glass
