// dot(scope, x, y) -> T                    Sum of x(i) y(i). [GVL 1.1.2]
// dot(scope, x, y, out)                    the same, stored to out(0) by one lane: out is a vector of 1.
// dot_strided(scope, x, y [, out])         dot of vectors with increments, or of matrices of one row, whose leading
//                                          dimension is the increment. dot_strided_coalesced: another name.
// dot_fast(scope, x, y, out, scratch) -> T    dot with Sum::fast, returned and stored. scratch is not touched: lanes
//                                          exchange through registers and a block's own memory.
// data     x, y: N, read only; constant or run-time size, any increment.
// lanes    every lane of the scope calls; every lane receives the sum; ends synchronised unless Sync::no.
// sum      Sum::fast: lane r adds x(i) y(i), i = r, r + W, ..., by runs of 16 or 8 bytes where these divide a constant
//          N (a thread: several sums side by side), then the lanes are added as a tree: same bits for the same input,
//          sizes and scope. Sum::fixed: the tree is that of 32 lanes
//          whatever the scope: same bits in all of them. NaN and Inf propagate. N = 0: 0, nothing is read.
// cost     2 N flops; reads 2 N.
#pragma once
#include <glass/core/faces.cuh>
#include <glass/core/window.cuh>
#include <glass/reduce/fold.cuh>
namespace glass {
namespace detail {
// Neighbouring numbers of a vector that make whole runs of 16 or 8 bytes; 1: none do.
template <class X>
inline constexpr int run_in = 1;
template <class T, int N>
inline constexpr int run_in<vector<T, N>> = N % (16 / int(sizeof(T))) == 0  ? 16 / int(sizeof(T))
                                            : N % (8 / int(sizeof(T))) == 0 ? 8 / int(sizeof(T))
                                                                            : 1;
// One lane's part of the sum, run by run; in the same order where the vectors are not aligned to runs.
template <int V, class S, class X, class Y>
GLASS_DEVICE value_of<X> partial_product_of_runs(S scope, X x, Y y) {
  using T = value_of<X>;
  using run = run_of<T, V>;
  const bool aligned = (unsigned(reinterpret_cast<unsigned long long>(x.data)) |
                        unsigned(reinterpret_cast<unsigned long long>(y.data))) %
                           sizeof(run) ==
                       0;
  T sum = 0;
  GLASS_UNROLL_BY(4)
  for (int i = scope.rank() * V; i < X::static_rows; i += scope.size() * V) {
    run a, b;
    if (aligned) {
      a = *reinterpret_cast<const run*>(&x(i)), b = *reinterpret_cast<const run*>(&y(i));
    } else {
      for (int e = 0; e < V; ++e) a.v[e] = x(i + e), b.v[e] = y(i + e);
    }
    GLASS_UNROLL
    for (int e = 0; e < V; ++e) sum = fused(a.v[e], b.v[e], sum);
  }
  return sum;
}
template <Sum How, class S, class X, class Y>
GLASS_DEVICE value_of<X> inner_product(S scope, X x, Y y) {
  using T = value_of<X>;
  constexpr int V = run_in<X> < run_in<Y> ? run_in<X> : run_in<Y>;
  if constexpr (How == Sum::fast && S::width != 1 && V > 1)
    return scope.sum(partial_product_of_runs<V>(scope, x, y));
  else
    return total<How, T>(scope, x.rows(), [&](T sum, int i) { return fused(x(i), y(i), sum); });
}
// A vector, or the row of a matrix that has one.
template <class X>
GLASS_DEVICE auto as_line(X x) {
  if constexpr (X::static_cols == 1)
    return x.column(0);
  else
    return x.row(0);
}
template <class X>
inline constexpr bool is_line = X::static_cols == 1 || agree(X::static_rows, 1);
}  // namespace detail

template <auto... Options, class S, class X, class Y, detail::when<is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE value_of<X> dot(S scope, X x, Y y) {
  constexpr bool known = takes<types<Sum, Sync>, Options...>, fits = agree(X::static_rows, Y::static_rows);
  static_assert(known, "glass: dot takes the options Sum and Sync, in any order.");
  static_assert(fits, "glass: dot(scope, x, y): x and y have different sizes.");
  if constexpr (known && fits)
    return detail::deliver<Options...>(scope, detail::inner_product<chosen<Sum::fast, 0, Options...>()>(scope, x, y));
  else
    return 0;
}
template <auto... Options, class S, class X, class Y, class Out,
          detail::when<is_view<X> && is_view<Y> && is_view<Out>> = 0>
GLASS_DEVICE void dot(S scope, X x, Y y, Out out) {
  constexpr bool known = takes<types<Sum, Sync>, Options...>, fits = agree(X::static_rows, Y::static_rows);
  constexpr bool holds = detail::holds_one<Out>;
  static_assert(known, "glass: dot takes the options Sum and Sync, in any order.");
  static_assert(fits, "glass: dot(scope, x, y, out): x and y have different sizes.");
  static_assert(holds, "glass: dot(scope, x, y, out): out is a writable vector of one number.");
  if constexpr (known && fits && holds)
    detail::deliver<Options...>(scope, detail::inner_product<chosen<Sum::fast, 0, Options...>()>(scope, x, y), out);
}
template <auto... Options, class S, class X, class Y, class... Out,
          detail::when<is_view<X> && is_view<Y> && (sizeof...(Out) < 2)> = 0>
GLASS_DEVICE auto dot_strided(S scope, X x, Y y, Out... out) {
  constexpr bool lines = detail::is_line<X> && detail::is_line<Y>;
  static_assert(lines, "glass: dot_strided takes vectors, or matrices of one row.");
  if constexpr (lines) return dot<Options...>(scope, detail::as_line(x), detail::as_line(y), out...);
}
template <auto... Options, class S, class X, class Y, class... Out,
          detail::when<is_view<X> && is_view<Y> && (sizeof...(Out) < 2)> = 0>
GLASS_DEVICE auto dot_strided_coalesced(S scope, X x, Y y, Out... out) {
  return dot_strided<Options...>(scope, x, y, out...);
}
template <auto... Options, class S, class X, class Y, class Out,
          detail::when<is_view<X> && is_view<Y> && is_view<Out>> = 0>
GLASS_DEVICE value_of<X> dot_fast(S scope, X x, Y y, Out out, value_of<X>*) {
  constexpr bool known = takes<types<Sync>, Options...>, fits = agree(X::static_rows, Y::static_rows);
  static_assert(known, "glass: dot_fast takes the option Sync.");
  static_assert(fits && detail::holds_one<Out>,
                "glass: dot_fast(scope, x, y, out, scratch): x and y have one size, out is a writable vector of one.");
  if constexpr (known && fits && detail::holds_one<Out>) {
    const value_of<X> sum = detail::inner_product<Sum::fast>(scope, x, y);
    detail::deliver<Options...>(scope, sum, out);
    return sum;
  } else {
    return 0;
  }
}
GLASS_FACES_1(dot, N, (const just<T>* x, const just<T>* y), (as_vector(x, N), as_vector(y, N)))
GLASS_FACES_1(dot, N, (const just<T>* x, const just<T>* y, just<T>* out),
              (as_vector(x, N), as_vector(y, N), vector<T, 1>(out)))
GLASS_FACES_1(dot_fast, N, (const just<T>* x, const just<T>* y, just<T>* out, just<T>* scratch),
              (as_vector(x, N), as_vector(y, N), vector<T, 1>(out), scratch))
GLASS_FACES_3(dot_strided, N, SX, SY, (const just<T>* x, const just<T>* y), (as_vector(x, N, SX), as_vector(y, N, SY)))
GLASS_FACES_3(dot_strided_coalesced, N, SX, SY, (const just<T>* x, const just<T>* y),
              (as_vector(x, N, SX), as_vector(y, N, SY)))
}  // namespace glass
