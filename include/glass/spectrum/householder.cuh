// Householder reflections H = I - tau v v^T in memory, v(k) = 1: how one is made, and how it is applied to columns, of
// which each lane owns some. Operations are in headers of their own.
#pragma once
#include <glass/spectrum/parts.cuh>
namespace glass::detail {
// The reflection that takes (alpha, tail) to (beta, 0), beta = -sign(alpha) ||(alpha, tail)||; v = scale tail. An
// infinite range: no square over- or underflows unnoticed. tau = 0, beta = alpha: the tail is zero. [GVL 5.1.3]
template <class T>
struct reflection {
  T beta, tau, scale;
};
// length: ||(alpha, tail)||, and not 0.
template <class T>
GLASS_DEVICE reflection<T> reflection_onto(T alpha, T length) {
  const T beta = alpha < T(0) ? length : -length;
  return {beta, (beta - alpha) / beta, reciprocal(alpha - beta)};
}
// Whether the sum of the tail's squares, and that with alpha's, are beyond what over- and underflow took.
template <class T>
GLASS_DEVICE bool squares_tell(T alpha, T tail) {
  constexpr T lowest = T(sizeof(T) == 4 ? 1e-24 : 1e-277);  // beside larger sums no square has lost digits
  return tail > lowest && is_finite(fused(alpha, alpha, tail));
}
// x: the column, k its diagonal element. The same in every lane; calls scope.sum.
template <class S, class X, class T = value_of<X>>
GLASS_DEVICE reflection<T> reflection_of(S scope, X x, int k) {
  const T alpha = x(k);
  T tail = 0;
  each(scope, x.rows() - k - 1, [&](int i) { tail = fused(x(k + 1 + i), x(k + 1 + i), tail); });
  tail = scope.sum(tail);
  T length = square_root(fused(alpha, alpha, tail));
  if (!squares_tell(alpha, tail)) {  // rare, and the same in every lane: each looks at all
    T most = 0, sum = 0;
    for (int i = k + 1; i < x.rows(); ++i) most = greatest(most, absolute(x(i)));
    if (most == T(0) && tail == T(0)) return {alpha, 0, 0};
    const T by = scale_to_one(greatest(most, absolute(alpha)));
    for (int i = k; i < x.rows(); ++i) sum = fused(x(i) * by, x(i) * by, sum);
    length = square_root(sum) * reciprocal(by);
  }
  return reflection_onto(alpha, length);
}
// y <- H y, by one lane: v = (1, scale x(k + 1), ...).
template <class X, class Y, class T>
GLASS_DEVICE void reflect(X x, int k, T tau, T scale, Y y) {
  T sum = y(k);  // the column is scaled first: products of its own numbers may overflow
  for (int i = k + 1; i < x.rows(); ++i) sum = fused(x(i) * scale, y(i), sum);
  const T along = tau * sum;
  y(k) -= along;
  for (int i = k + 1; i < x.rows(); ++i) y(i) = fused(-along, x(i) * scale, y(i));
}
// A = Q R in place. Step k leaves its column as it was, for all lanes read it; the column gets R_kk and v after the
// next sync. b: columns that are reflected too. info: the first k with R_kk = 0 or NaN, counted from 1. Ends
// without a sync.
template <class S, class A, class V, class B>
GLASS_DEVICE int triangularize(S scope, A a, V tau, B b) {
  using T = value_of<A>;
  const int steps = a.rows() < a.cols() ? a.rows() : a.cols();
  int info = 0;
  reflection<T> before = {};
  const auto finish = [&](int k) {
    const auto x = a.column(k);
    each(scope, x.rows() - k, [&](int i) { x(k + i) = i == 0 ? before.beta : x(k + i) * before.scale; });
    if (scope.rank() == 0) tau(k) = before.tau;
  };
  for (int k = 0; k < steps; ++k) {
    if (k > 0) scope.sync();
    const auto x = a.column(k);
    const reflection<T> h = reflection_of(scope, x, k);
    if (k > 0) finish(k - 1);
    before = h;
    info = !(absolute(h.beta) > T(0)) && info == 0 ? k + 1 : info;
    if (h.tau != T(0)) {
      each(scope, a.cols() - k - 1 + b.cols(), [&](int j) {
        if (j < a.cols() - k - 1)
          reflect(x, k, h.tau, h.scale, a.column(k + 1 + j));
        else
          reflect(x, k, h.tau, h.scale, b.column(j - (a.cols() - k - 1)));
      });
    }
  }
  scope.sync();
  if (steps > 0) finish(steps - 1);
  return info;
}
// C <- Q C or Q^T C for the first `count` reflections below the diagonal of a: a lane takes whole columns. Ends without
// a sync.
template <Trans Op, class S, class A, class V, class C>
GLASS_DEVICE void reflect_columns(S scope, A a, V tau, int count, C c) {
  using T = value_of<C>;
  each(scope, c.cols(), [&](int j) {
    for (int step = 0; step < count; ++step) {
      const int k = Op == Trans::yes ? step : count - 1 - step;
      reflect(a.column(k), k, T(tau(k)), T(1), c.column(j));
    }
  });
}
// A matrix of no columns: nothing else to reflect.
template <class A>
GLASS_DEVICE auto no_columns_beside(A a) {
  return a.block(0, 0, a.rows(), 0);
}
}  // namespace glass::detail
