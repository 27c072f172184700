// Operations by functions of cuSOLVERDx, with the contracts of their own headers: factor/*.cuh, spectrum/*.cuh,
// matrix/trsm.cuh. Options reach the library with the function that is generated; a body sees what lies in memory.
#pragma once
#include <glass/factor/pivot.cuh>
#include <glass/linked/linked.cuh>
#if defined(GLASS_LINKED)
GLASS_LINKED_FUNCTION(potrf, (T * A, int* info), (A, info))
GLASS_LINKED_FUNCTION(potrs, (const T* A, T* B), (A, B))
GLASS_LINKED_FUNCTION(posv, (T * A, T* B, int* info), (A, B, info))
GLASS_LINKED_FUNCTION(getrf_no_pivot, (T * A, int* info), (A, info))
GLASS_LINKED_FUNCTION(getrs_no_pivot, (const T* A, T* B), (A, B))
GLASS_LINKED_FUNCTION(gesv_no_pivot, (T * A, T* B, int* info), (A, B, info))
GLASS_LINKED_FUNCTION(getrs, (const T* A, const int* pivots, T* B), (A, pivots, B))
GLASS_LINKED_FUNCTION(trsm, (const T* A, T* B), (A, B))
GLASS_LINKED_FUNCTION(geqrf, (T * A, T* tau), (A, tau))
GLASS_LINKED_FUNCTION(unmqr, (const T* A, const T* tau, T* C), (A, tau, C))
GLASS_LINKED_FUNCTION(gels, (T * A, T* tau, T* B), (A, tau, B))
GLASS_LINKED_FUNCTION(heev, (T * A, T* W, T* workspace, int* info), (A, W, workspace, info))
namespace glass::linked {
namespace detail {
struct positive {
  template <class T>
  GLASS_DEVICE bool operator()(T x) const {
    return glass::is_positive_finite(x);
  }
};
struct divisor {  // not zero, not NaN
  template <class T>
  GLASS_DEVICE bool operator()(T x) const {
    return x < T(0) || x > T(0);
  }
};
template <class A>
inline constexpr int order_of = view_of<A>::static_rows;
}  // namespace detail

template <auto... Options, class S, class A>
GLASS_DEVICE auto potrf(S scope, A a) {
  int* codes = detail::codes_of<A>(scope);
  function::potrf(detail::numbers_of(a), codes);
  scope.sync();
  detail::all_pivots(scope, a, detail::order_of<A>, codes, detail::positive{});
  return detail::answer<A>(codes);
}
template <auto... Options, class S, class A, class B>
GLASS_DEVICE void potrs(S scope, A a, B b) {
  function::potrs(detail::numbers_of(a), detail::numbers_of(b));
  scope.sync();
}
template <auto... Options, class S, class A, class B, class... Rho>
GLASS_DEVICE auto posv(S scope, A a, B b, Rho... rho) {
  constexpr Shift shift = chosen<Shift::none, 0, Options...>();
  if constexpr (shift != Shift::none) {
    constexpr int n = detail::order_of<A>;
    each(scope, n * detail::most_of<A>, [&](int e) {
      auto& entry = detail::at(a, e / n)(e % n, e % n);
      entry = glass::detail::shifted<shift>(entry, rho...);
    });
    scope.sync();
  }
  int* codes = detail::codes_of<A>(scope);
  const detail::kept<S, B> before(scope, b);
  function::posv(detail::numbers_of(a), detail::numbers_of(b), codes);
  scope.sync();
  if (!detail::all_pivots(scope, a, detail::order_of<A>, codes, detail::positive{})) before.restore(scope, b, codes);
  return detail::answer<A>(codes);
}
template <auto... Options, class S, class A>
GLASS_DEVICE auto getrf_no_pivot(S scope, A a) {
  int* codes = detail::codes_of<A>(scope);
  function::getrf_no_pivot(detail::numbers_of(a), codes);
  scope.sync();
  detail::all_pivots(scope, a, detail::order_of<A>, codes, detail::divisor{});
  return detail::answer<A>(codes);
}
template <auto... Options, class S, class A, class B>
GLASS_DEVICE void getrs_no_pivot(S scope, A a, B b) {
  function::getrs_no_pivot(detail::numbers_of(a), detail::numbers_of(b));
  scope.sync();
}
template <auto... Options, class S, class A, class B>
GLASS_DEVICE auto gesv_no_pivot(S scope, A a, B b) {
  int* codes = detail::codes_of<A>(scope);
  const detail::kept<S, B> before(scope, b);
  function::gesv_no_pivot(detail::numbers_of(a), detail::numbers_of(b), codes);
  scope.sync();
  if (!detail::all_pivots(scope, a, detail::order_of<A>, codes, detail::divisor{})) before.restore(scope, b, codes);
  return detail::answer<A>(codes);
}
template <auto... Options, class S, class A, class P, class B>
GLASS_DEVICE void getrs(S scope, A a, P piv, B b) {
  int* rows = const_cast<int*>(detail::numbers_of(piv));               // staged: a copy of the block's own
  each(scope, detail::all_elements_of<P>, [&](int e) { ++rows[e]; });  // the library counts them from 1
  scope.sync();
  function::getrs(detail::numbers_of(a), rows, detail::numbers_of(b));
  scope.sync();
}
template <auto... Options, class S, class A, class X>
GLASS_DEVICE void trsv(S scope, A a, X x) {
  function::trsm(detail::numbers_of(a), detail::numbers_of(x));
  scope.sync();
}
template <auto... Options, class S, class A, class B>
GLASS_DEVICE void trsm(S scope, value_of<detail::view_of<B>> alpha, A a, B b) {
  using T = value_of<detail::view_of<B>>;
  if (alpha != T(1)) {
    detail::each_number(scope, b, [&](T& x) { x = alpha == T(0) ? T(0) : alpha * x; });
    scope.sync();
  }
  if (alpha == T(0)) return;
  function::trsm(detail::numbers_of(a), detail::numbers_of(b));
  scope.sync();
}
template <auto... Options, class S, class A, class V>
GLASS_DEVICE void geqrf(S scope, A a, V tau) {
  function::geqrf(detail::numbers_of(a), detail::numbers_of(tau));
  scope.sync();
}
template <auto... Options, class S, class A, class V, class C>
GLASS_DEVICE void ormqr(S scope, A a, V tau, C c) {
  function::unmqr(detail::numbers_of(a), detail::numbers_of(tau), detail::numbers_of(c));
  scope.sync();
}
// tau lies in the scratch.
template <auto... Options, class S, class A, class B, class V>
GLASS_DEVICE auto gels(S scope, A a, B b, V scratch) {
  using view = detail::view_of<A>;
  int* codes = detail::codes_of<A>(scope);
  each(scope, detail::most_of<A>, [&](int k) { codes[k] = 0; });
  function::gels(detail::numbers_of(a), detail::numbers_of(scratch), detail::numbers_of(b));
  scope.sync();
  constexpr int shorter = view::static_rows < view::static_cols ? view::static_rows : view::static_cols;
  detail::all_pivots(scope, a, shorter, codes, detail::divisor{});
  return detail::answer<A>(codes);
}
// V holds A's lower triangle first, and the library overwrites it with the vectors; a problem that is not finite is
// kept from it.
template <auto... Options, class S, class A, class W, class V, class X>
GLASS_DEVICE auto syev(S scope, A a, W w, V v, X scratch) {
  using T = value_of<detail::view_of<V>>;
  constexpr int n = detail::order_of<A>, most = detail::most_of<A>;
  int* codes = detail::codes_of<A>(scope);
  unsigned* unfit = scope.template exchange<unsigned, most>();
  T *const vectors = detail::numbers_of(v), *const values = detail::numbers_of(w);
  each(scope, most, [&](int k) { unfit[k] = 0; });
  scope.sync();
  bool finite = true;
  each(scope, most * n * n, [&](int e) {
    const int k = e / (n * n), i = e % n, j = e / n % n;
    const T entry = i >= j ? T(detail::at(a, k)(i, j)) : T(0);
    vectors[e] = entry;
    if (!glass::is_finite(entry)) unfit[k] = 1, finite = false;
  });
  const bool some = scope.any(!finite);
  if (some)
    each(scope, most * n * n, [&](int e) {
      if (unfit[e / (n * n)]) vectors[e] = T(e % n == e / n % n);
    });
  scope.sync();
  function::heev(vectors, values, detail::numbers_of(scratch), codes);
  scope.sync();
  if (some) {
    each(scope, most * n * n, [&](int e) {
      if (unfit[e / (n * n)]) vectors[e] = glass::not_a_number<T>();
    });
    each(scope, most * n, [&](int e) {
      if (unfit[e / n]) values[e] = glass::not_a_number<T>();
    });
  }
  each(scope, most, [&](int k) { codes[k] = codes[k] != 0 || unfit[k] ? 1 : 0; });
  scope.sync();
  return detail::answer<A>(codes);
}
}  // namespace glass::linked
#endif
