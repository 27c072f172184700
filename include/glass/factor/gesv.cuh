// gesv(scope, A, piv, B) -> info       Solves A X = B by P A = L U with partial pivoting. [GVL 3.4.3]
// gesv_no_pivot(scope, A, B) -> info   the same with P = I: for diagonally dominant matrices, say.
// data     A: N x N, any leading dimension and order, overwritten by L and U as getrf leaves them; piv: N integers,
//          written as by getrf. B: N numbers or N x NRHS, overwritten by X.
// lanes    every lane of the scope calls; every lane receives info; ends synchronised unless Sync::no.
// info     0, or k in 1..N: the first pivot that is zero or NaN; then B is unchanged, A and piv are what getrf gives.
//          N = 0: 0.
// bodies   loop      every scope and size: getrf, then getrs, in memory
//          fragment  constant N and NRHS, tile and warp: lane r holds rows r, r + W, ... of A and B, eliminated in one
//                    sweep (lu.cuh)                                                 -> kernel notes, getrf and gesv
// cost     2 N^3 / 3 + 2 N^2 NRHS flops; reads and writes N^2 + N NRHS.
#pragma once
#include <glass/factor/getrs.cuh>
namespace glass {
namespace detail {
template <Pivot How, class S, class A, class P, class B>
GLASS_DEVICE int gesv_in_fragments(S scope, A a, [[maybe_unused]] P piv, B b) {
  auto f = load(scope, a);
  auto x = load(scope, b);
  lu_pivots<value_of<A>, A::static_rows, S::width> pivots;
  const int info = factor_lu<How>(scope, f, pivots, x);
  backward_lu(scope, f, pivots, x);
  if constexpr (How == Pivot::partial) scope.sync();
  store_lu(scope, f, pivots, a);
  if constexpr (How == Pivot::partial) store_swaps(scope, pivots, piv);
  if (info == 0) store(scope, x, b);
  return info;
}
}  // namespace detail

template <auto... Options, class S, class A, class P, class B, detail::when<is_view<A> && is_view<P> && is_view<B>> = 0>
GLASS_DEVICE int gesv(S scope, A a, P piv, B b) {
  constexpr bool known = takes<types<Body, Sync>, Options...>, whole = detail::same<value_of<P>, int>;
  constexpr bool fits = agree(A::static_rows, A::static_cols) && agree(A::static_rows, P::static_rows) &&
                        agree(A::static_rows, B::static_rows);
  constexpr bool writes = A::writable && P::writable && B::writable;
  static_assert(known, "glass: gesv takes the options Body and Sync, in any order.");
  static_assert(fits, "glass: gesv: the sizes do not fit: A is N x N, piv has N integers, B has N rows.");
  static_assert(whole, "glass: gesv: piv is a vector of int.");
  static_assert(writes, "glass: gesv writes A, piv and B, but one of them is const.");
  int info = 0;
  if constexpr (known && fits && whole && writes) {
    constexpr Body body = chosen<Body::automatic, 0, Options...>();
    constexpr bool fragments = detail::lu_solves_in_fragments<S, A, B>() && body != Body::loop;
    static_assert(fragments || body != Body::fragment,
                  "glass: gesv<Body::fragment> needs a constant N <= 64 and NRHS that fit the registers of the scope, "
                  "and a tile or warp scope.");
    if constexpr (fragments) {
      info = detail::gesv_in_fragments<Pivot::partial>(scope, a, piv, b);
    } else {
      info = detail::eliminate<Pivot::partial>(scope, a, detail::keep_in(scope, piv));
      // All of A and piv was written before the last sync of the elimination.
      if (info == 0) detail::getrs_by_rows<Trans::no>(scope, a, piv, b);
    }
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}
template <auto... Options, class S, class A, class B, detail::when<is_view<A> && is_view<B>> = 0>
GLASS_DEVICE int gesv_no_pivot(S scope, A a, B b) {
  constexpr bool known = takes<types<Body, Sync>, Options...>, writes = A::writable && B::writable;
  constexpr bool fits = agree(A::static_rows, A::static_cols) && agree(A::static_rows, B::static_rows);
  static_assert(known, "glass: gesv_no_pivot takes the options Body and Sync, in any order.");
  static_assert(fits, "glass: gesv_no_pivot: the sizes do not fit: A is N x N, B has N rows.");
  static_assert(writes, "glass: gesv_no_pivot writes A and B, but one of them is const.");
  int info = 0;
  if constexpr (known && fits && writes) {
    constexpr Body body = chosen<Body::automatic, 0, Options...>();
    constexpr bool fragments = detail::lu_solves_in_fragments<S, A, B>() && body != Body::loop;
    static_assert(
        fragments || body != Body::fragment,
        "glass: gesv_no_pivot<Body::fragment> needs a constant N <= 64 and NRHS that fit the registers of the "
        "scope, and a tile or warp scope.");
    if constexpr (fragments) {
      info = detail::gesv_in_fragments<Pivot::none>(scope, a, vector<int, A::static_rows>(nullptr), b);
    } else {
      info = detail::eliminate<Pivot::none>(scope, a, detail::keep_nothing());
      if (info == 0) {
        scope.sync();
        detail::solve_both_of_lu<Trans::no, false>(scope, a, b);
      }
    }
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}
GLASS_FACES_2(gesv, N, NRHS, (just<T> * A, int* piv, just<T>* B),
              (as_matrix(A, N, N), as_vector(piv, N), as_matrix(B, N, NRHS)))
GLASS_FACES_1(gesv, N, (just<T> * A, int* piv, just<T>* b), (as_matrix(A, N, N), as_vector(piv, N), as_vector(b, N)))
GLASS_FACES_2(gesv_no_pivot, N, NRHS, (just<T> * A, just<T>* B), (as_matrix(A, N, N), as_matrix(B, N, NRHS)))
GLASS_FACES_1(gesv_no_pivot, N, (just<T> * A, just<T>* b), (as_matrix(A, N, N), as_vector(b, N)))
}  // namespace glass
