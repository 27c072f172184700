// gemv_segmented<Trans, Atomic>(scope, aoff, xoff, yoff, alpha, A, x, beta, y)
//          y[yoff(s) ...] <- alpha op(A[aoff(s) ...]) x[xoff(s) ...] + beta y[yoff(s) ...], s = 0 .. S - 1: S products
//          at offsets of their own, op(A) = A or A^T.
// gemv_segmented<Trans, Atomic>(scope, aoff, xoff, yoff, alpha, A, x, beta, y, soff, z, scale)
//          the same, and + scale(s) z[soff(s) ...] in each segment.
// data     A, x, y, z: views with the shape of one segment (A: M x N before op, x: N, y and z: M; M and N change places
//          if transposed), whose first element is where offsets count from, in elements; A has any leading dimension
//          and order. Extra columns of these views are not used. The offsets: S integers, read only, not checked.
//          scale: S. y overlaps none of the others.
// atomic   no (default): the segments of y are disjoint. yes: every product is added to y, whatever beta; segments may
//          overlap, in any order of additions; two problems of a batch still share no y.
// lanes    every lane of the scope calls, with the same alpha and beta; lanes own entries of y; ends synchronised
//          unless Sync::no.
// scalars  beta == 0: y is not read. alpha == 0: A and x are not read.
// cost     2 M N S flops; reads S (M N + N + M), writes S M.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/faces.cuh>
namespace glass {
namespace detail {
// The same view `at` elements further on, increments apart.
template <class V>
GLASS_DEVICE V moved(V v, int at) {
  v.data += at * v.inc();
  return v;
}
// add(i, s): what is added to entry i of segment s besides the product.
template <Atomic How, class S, class T, class I, class J, class K, class A, class X, class Y, class F>
GLASS_DEVICE void multiply_segments(S scope, I aoff, J xoff, K yoff, T alpha, A a, X x, T beta, Y y, F add) {
  each(scope, y.rows(), yoff.rows(), [&](int i, int s) {
    T sum = 0;
    if (alpha != T(0)) {
      const A left = moved(a, aoff(s));
      const X right = moved(x, xoff(s));
      for (int j = 0; j < x.rows(); ++j) sum = fused(left(i, j), right(j, 0), sum);
    }
    const T value = fused(alpha, sum, add(i, s));
    T& to = moved(y, yoff(s))(i, 0);
    if constexpr (How == Atomic::yes)
      add_atomically(to, value);
    else
      blend(to, value, beta);
  });
}
template <class I, class J, class K, class A, class X, class Y, auto... Options>
GLASS_SCALAR constexpr bool check_segments() {
  constexpr bool plain = chosen<Trans::no, 0, Options...>() == Trans::no;
  constexpr bool known = takes<types<Trans, Atomic, Sync>, Options...>;
  constexpr bool fits = agree(I::static_rows, J::static_rows) && agree(I::static_rows, K::static_rows) &&
                        agree(A::static_rows, plain ? Y::static_rows : X::static_rows);
  static_assert(known, "glass: gemv_segmented takes the options Trans, Atomic and Sync, in any order.");
  static_assert(fits,
                "glass: gemv_segmented: the sizes do not fit: A has as many rows as y, or as x if transposed, the "
                "offsets S numbers.");
  static_assert(Y::writable, "glass: gemv_segmented writes y, but y is const.");
  return known && fits && Y::writable;
}
}  // namespace detail

template <auto... Options, class S, class I, class J, class K, class A, class X, class Y,
          detail::when<is_view<I> && is_view<A> && is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void gemv_segmented(S scope, I aoff, J xoff, K yoff, just<value_of<Y>> alpha, A a, X x,
                                 just<value_of<Y>> beta, Y y) {
  if constexpr (detail::check_segments<I, J, K, A, X, Y, Options...>()) {
    using T = value_of<Y>;
    detail::multiply_segments<chosen<Atomic::no, 0, Options...>(), S, T>(
        scope, aoff, xoff, yoff, alpha, detail::op<chosen<Trans::no, 0, Options...>()>(a), x, beta, y,
        [](int, int) { return T(0); });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class I, class J, class K, class A, class X, class Y, class L, class Z, class Scale,
          detail::when<is_view<I> && is_view<A> && is_view<X> && is_view<Y> && is_view<L> && is_view<Z>> = 0>
GLASS_DEVICE void gemv_segmented(S scope, I aoff, J xoff, K yoff, just<value_of<Y>> alpha, A a, X x,
                                 just<value_of<Y>> beta, Y y, L soff, Z z, Scale scale) {
  if constexpr (detail::check_segments<I, J, K, A, X, Y, Options...>()) {
    using T = value_of<Y>;
    detail::multiply_segments<chosen<Atomic::no, 0, Options...>(), S, T>(
        scope, aoff, xoff, yoff, alpha, detail::op<chosen<Trans::no, 0, Options...>()>(a), x, beta, y,
        [&](int i, int s) { return scale(s) * detail::moved(z, soff(s))(i, 0); });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_3(gemv_segmented, M, N, LDA,
              (int S, const int* aoff, const int* xoff, const int* yoff, just<T> alpha, const just<T>* A,
               const just<T>* x, just<T> beta, just<T>* y),
              (vector<const int, dynamic>(aoff, S), vector<const int, dynamic>(xoff, S),
               vector<const int, dynamic>(yoff, S), alpha, as_matrix(A, M, N, LDA),
               as_vector(x, either<chosen<Trans::no, 0, O...>() == Trans::yes>(M, N)), beta,
               as_vector(y, either<chosen<Trans::no, 0, O...>() == Trans::yes>(N, M))))
GLASS_FACES_3(
    gemv_segmented, M, N, LDA,
    (int S, const int* aoff, const int* xoff, const int* yoff, just<T> alpha, const just<T>* A, const just<T>* x,
     just<T> beta, just<T>* y, const int* soff, const just<T>* z, const just<T>* scale),
    (vector<const int, dynamic>(aoff, S), vector<const int, dynamic>(xoff, S), vector<const int, dynamic>(yoff, S),
     alpha, as_matrix(A, M, N, LDA), as_vector(x, either<chosen<Trans::no, 0, O...>() == Trans::yes>(M, N)), beta,
     as_vector(y, either<chosen<Trans::no, 0, O...>() == Trans::yes>(N, M)), vector<const int, dynamic>(soff, S),
     as_vector(z, either<chosen<Trans::no, 0, O...>() == Trans::yes>(N, M)), vector<const T, dynamic>(scale, S)))
}  // namespace glass
