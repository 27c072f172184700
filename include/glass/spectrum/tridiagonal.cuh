// Eigenvalues of a symmetric matrix in memory by its tridiagonal form, shared by the lanes of any scope. Operations are in
// headers of their own.
//   form      Householder reflections from both sides [GVL 8.3.1]; a lane owns whole rows: one pass takes the last step's
//             rank-2 update and forms the next product with v, two syncs and two sums a step.
//   Q         their product, last to first, where they lie [GVL 5.1.6]; a lane owns whole columns.
//   values    QL with Wilkinson's shift [Parlett 8.11; GVL 8.3.3]: the first lane finds the rotations of a sweep, which
//             need the two diagonals alone; then each lane turns its rows.
//   memory    the scratch: one matrix, whose odd leading dimension keeps lanes in different banks of shared memory by
//             rows and by columns, and four vectors.
// The matrix is first scaled by a power of two to a largest element in [1, 2); what is below eps / 4 then counts as
// zero: errors are small beside the norm of the matrix, not beside each eigenvalue.
#pragma once
#include <glass/spectrum/parts.cuh>
namespace glass::detail {
template <int Count>
struct this_many {
  static constexpr int n = Count;
};
// f(count, j) for j = first, ... last - 1, Count at a time and the rest one by one: what several load is on its way
// together.
template <int Count, class F>
GLASS_DEVICE void several(int first, int last, F f) {
  int j = first;
  GLASS_UNROLL_BY(1)
  for (; j + Count <= last; j += Count) f(this_many<Count>{}, j);
  GLASS_UNROLL_BY(1)
  for (; j < last; ++j) f(this_many<1>{}, j);
}
// Numbers of scratch of the operations on a symmetric matrix.
GLASS_SCALAR constexpr int eigen_words(int n) { return n < 0 ? -1 : n * (n + 5); }
GLASS_SCALAR constexpr int odd_from(int n) { return n < 0 ? n : n | 1; }
template <class T, int N>
struct tridiagonal_space {
  static constexpr auto Extent = extent_or_dynamic<N>(), Ld = extent_or_dynamic<odd_from(N)>();
  using vector_type = vector<T, Extent>;
  matrix<T, Extent, Extent, Ld> q;
  // c, s: rotations; before, c(k) is the number in the place of reflection k's first, s(k) its tau, and what is beyond k
  // of either by turns its u
  vector_type d, e, c, s;
  GLASS_DEVICE tridiagonal_space(T* p, int n)
      : q(p, n, n, odd_from(n)), d(after(p, n, 0)), e(after(p, n, 1)), c(after(p, n, 2)), s(after(p, n, 3)) {}

 private:
  GLASS_DEVICE static vector_type after(T* p, int n, int k) { return vector_type(p + odd_from(n) * n + k * n, n); }
};
// q <- p a in both triangles, for the power of two p that brings the largest magnitude of a's lower one to [1, 2), and
// s <- 0. Returns 1 / p. Not `finite`: a has NaN or Inf, and nothing is written. The same in every lane; ends synchronised.
template <class S, class A, class T, int N>
GLASS_DEVICE T scaled_to_both(S scope, A a, tridiagonal_space<T, N> m, bool& finite) {
  T most = 0;
  each(scope, a.rows(), a.cols(), [&](int i, int j) {
    if (i < j) return;
    const T size = absolute(T(a(i, j)));
    most = size <= most ? most : is_finite(size) ? size : infinity<T>();
  });
  most = scope.reduce(most, scope::detail::larger());
  finite = is_finite(most);
  if (!finite) return 1;
  const T by = scale_to_two(most);
  each(scope, a.rows(), a.cols(), [&](int i, int j) {
    if (i >= j) m.q(i, j) = m.q(j, i) = by * a(i, j);
    if (i == j) m.s(i) = 0;
  });
  scope.sync();
  return reciprocal(by);
}
// What a step leaves for the next one, k: v is a's column k - 1 from row k on, but for its first number; u = tau a v from
// element k on is in c and s by turns; and v u^T + (u + twice v) v^T is still to be taken from a. Before step 0: zeros.
template <class T>
struct rank_two {
  T first, twice;
};
// Step k. One sync inside; ends without one.
template <class S, class T, int N>
GLASS_DEVICE rank_two<T> tridiagonal_step(S scope, tridiagonal_space<T, N> m, int k, rank_two<T> left) {
  constexpr T negligible = rounding<T> * rounding<T> / 256;  // of a column's squares
  const auto a = m.q;
  const auto u = k % 2 == 0 ? m.s : m.c, next = k % 2 == 0 ? m.c : m.s;
  const int n = a.rows();
  const auto v = a.column(k > 0 ? k - 1 : 0);
  const auto own = [&](int i) { return k > 0 ? T(v(i)) : T(0); };
  T tail = 0;
  each(scope, n - k, [&](int below) {
    const int i = k + below;
    const T mine = i == k ? left.first : own(i);
    const T x = fused(-mine, u(k), fused(-fused(left.twice, mine, u(i)), left.first, a(i, k)));
    (i == k ? m.d(k) : a(i, k)) = x;
    if (i > k + 1) tail = fused(x, x, tail);
  });
  tail = scope.sum(tail);
  scope.sync();
  const T alpha = a(k + 1, k), length = square_root(fused(alpha, alpha, tail));
  const bool reflects = tail > negligible;
  const T beta = alpha < T(0) ? length : -length, first = alpha - beta;
  const T tau = reflects ? reciprocal(length * magnitude(first)) : T(0);
  if (scope.rank() == 0) m.e(k) = reflects ? beta : alpha, m.c(k) = first, m.s(k) = tau;
  T along = 0;
  each(scope, n - k - 1, [&](int below) {
    const int i = k + 1 + below;
    const auto row = a.row(i);
    const T mine = own(i), other = fused(left.twice, mine, u(i));
    const auto updated = [&](int j) { return fused(-mine, u(j), fused(-other, v(j), row(j))); };
    T product = updated(k + 1);
    row(k + 1) = product;
    product *= first;
    several<4>(k + 2, n, [&](auto count, int j) {
      constexpr int C = decltype(count)::n;
      T x[C], by[C];
      GLASS_UNROLL
      for (int s = 0; s < C; ++s) x[s] = updated(j + s), by[s] = a(j + s, k);
      GLASS_UNROLL
      for (int s = 0; s < C; ++s) row(j + s) = x[s], product = fused(x[s], by[s], product);
    });
    product *= tau;
    next(i) = product;
    along = fused(product, i == k + 1 ? first : T(a(i, k)), along);
  });
  return {first, -tau * scope.sum(along)};
}
// q, both triangles of a matrix, and s = 0: d and e become the diagonals of T, q_before = Q T Q^T, and q, c, s hold the
// reflections of Q. Starts synchronised; ends so but for d(n - 1), which the first lane reads from q(n - 1, n - 1).
template <class S, class T, int N>
GLASS_DEVICE void tridiagonalize(S scope, tridiagonal_space<T, N> m) {
  const int n = m.q.rows();
  rank_two<T> left = {0, 0};
  GLASS_UNROLL_BY(1)
  for (int k = 0; k < n - 1; ++k) {
    left = tridiagonal_step(scope, m, k, left);
    scope.sync();
  }
  if (n > 0 && scope.rank() == 0) m.d(n - 1) = m.q(n - 1, n - 1);
}
// q <- Q, of what tridiagonalize has left. Ends without a sync.
template <class S, class T, int N>
GLASS_DEVICE void form_q(S scope, tridiagonal_space<T, N> m) {
  const auto q = m.q;
  const int n = q.rows();
  GLASS_UNROLL_BY(1)
  for (int k = n - 2; k >= 0; --k) {
    const T first = m.c(k), tau = m.s(k);
    each(scope, n - k - 1, [&](int right) {
      const int j = k + 1 + right;
      const bool is_new = right == 0;  // so far a column, and for all columns a row, of I
      const auto y = q.column(j), v = q.column(k);
      T along = is_new ? first : T(0);
      several<4>(k + 2, n, [&](auto count, int i) {
        constexpr int C = decltype(count)::n;
        GLASS_UNROLL
        for (int s = 0; s < C; ++s) along = fused(is_new ? T(0) : T(y(i + s)), T(v(i + s)), along);
      });
      along *= -tau;
      y(k + 1) = fused(along, first, is_new ? T(1) : T(0));
      several<4>(k + 2, n, [&](auto count, int i) {
        constexpr int C = decltype(count)::n;
        T x[C];
        GLASS_UNROLL
        for (int s = 0; s < C; ++s) x[s] = fused(along, T(v(i + s)), is_new ? T(0) : T(y(i + s)));
        GLASS_UNROLL
        for (int s = 0; s < C; ++s) y(i + s) = x[s];
      });
    });
    scope.sync();
  }
  each(scope, n, [&](int i) { q(i, 0) = q(0, i) = i == 0 ? T(1) : T(0); });
}
// Sweeps an eigenvalue, on average, at most: about 1.7 are usual.
inline constexpr int most_ql_sweeps = 30;
// Rows low ... high of a tridiagonal matrix that nothing couples to others; low == high: none is left.
struct span_of_rows {
  int low, high;
};
// The rotation (g, f) -> (r, 0), c g + s f = r, c f - s g = 0, of a g that is not tiny: its square is a normal number.
template <class T>
struct givens_rotation {
  T c, s, r;
};
template <class T>
GLASS_DEVICE givens_rotation<T> rotation_onto(T g, T f) {
  const T square = fused(f, f, g * g), y = reciprocal_root_of_pivot(square);
  T by = y;
  if constexpr (sizeof(T) == 4) by = fused(fused(-square * y, y, T(1)), T(0.5) * y, y);
  return {g * by, f * by, square * by};
}
// One sweep over the rows of `at` by one lane; c, s(i): the rotation of rows i and i + 1. Returns what is left to do of the
// span. Elements of e below `zero` are none.
template <class T, int N>
GLASS_DEVICE span_of_rows ql_sweep(tridiagonal_space<T, N> m, span_of_rows at, T zero) {
  const T start = m.d(at.low), beside = m.e(at.low);
  const T half = (m.d(at.low + 1) - start) / (T(2) * beside), root = square_root(fused(half, half, T(1)));
  T below = m.d(at.high), g = below - start + beside / (half + (half < T(0) ? -root : root));
  constexpr T negligible = T(sizeof(T) == 4 ? 0x1p-40 : 0x1p-75);  // beside `zero`
  T c = 1, s = 1, p = 0;
  T e = m.e(at.high - 1), above = m.d(at.high - 1);
  int split = at.high;
  GLASS_UNROLL_BY(1)
  for (int i = at.high - 1; i >= at.low; --i) {
    const T f = s * e, b = c * e, twice = T(2) * b, value = above;
    if (i > at.low) e = m.e(i - 1), above = m.d(i - 1);  // of the next turn, before anything is written
    const givens_rotation<T> by = rotation_onto(magnitude(g) > negligible ? g : negligible, f);
    if (i + 1 < at.high) {
      m.e(i + 1) = by.r;
      split = magnitude(by.r) > zero ? split : i + 1;
    }
    c = by.c, s = by.s;
    g = below - p;
    const T mixed = fused(value - g, s, c * twice);
    p = s * mixed;
    m.d(i + 1) = g + p;
    g = fused(c, mixed, -b);
    below = value;
    m.c(i) = c, m.s(i) = s;
  }
  m.d(at.low) = below - p;
  m.e(at.low) = g;
  return {at.low + (magnitude(g) > zero ? 0 : 1), split};
}
// The first span at or after `low` with something to do; low == high: none.
template <class E, class T>
GLASS_DEVICE span_of_rows next_span(E e, int low, T zero) {
  const int last = e.rows() - 1;
  while (low < last && !(magnitude(T(e(low))) > zero)) ++low;
  int high = low;
  while (high < last && magnitude(T(e(high))) > zero) ++high;
  return {low, high};
}
// q <- q G for the rotations of a sweep.
template <class S, class T, int N>
GLASS_DEVICE void turn_rows(S scope, tridiagonal_space<T, N> m, span_of_rows at) {
  each(scope, m.q.rows(), [&](int i) {
    const auto row = m.q.row(i);
    T f = row(at.high);
    several<4>(0, at.high - at.low, [&](auto count, int before) {
      constexpr int C = decltype(count)::n;
      const int k = at.high - 1 - before;
      T x[C], c[C], s[C];
      GLASS_UNROLL
      for (int t = 0; t < C; ++t) x[t] = row(k - t), c[t] = m.c(k - t), s[t] = m.s(k - t);
      GLASS_UNROLL
      for (int t = 0; t < C; ++t) {
        row(k - t + 1) = fused(s[t], x[t], c[t] * f);
        f = fused(c[t], x[t], -s[t] * f);
      }
    });
    row(at.low) = f;
  });
}
// The eigenvalues d and vectors q of a, whose lower triangle is read, in no order. False: not converged, or NaN or Inf in
// a; in the second case `finite` is false. Starts and ends synchronised.
template <class S, class A, class T, int N>
GLASS_DEVICE bool diagonalize_by_ql(S scope, A a, tridiagonal_space<T, N> m, bool& finite) {
  constexpr T zero = rounding<T> / 4;
  const T back = scaled_to_both(scope, a, m, finite);
  if (!finite) return false;
  tridiagonalize(scope, m);
  form_q(scope, m);
  const int n = a.rows();
  span_of_rows at = {0, 0};
  if (scope.rank() == 0) at = next_span(m.e, 0, zero);
  bool converged = n < 2;
  GLASS_UNROLL_BY(1)
  for (int sweep = 0; sweep < most_ql_sweeps * n; ++sweep) {
    span_of_rows now = at;
    if (scope.rank() == 0 && at.low < at.high) {
      at = ql_sweep(m, at, zero);
      if (at.low == at.high) at = next_span(m.e, at.high + 1 < n ? at.high + 1 : at.high, zero);
    }
    now = scope.broadcast(now, 0);
    scope.sync();
    converged = now.low == now.high;
    if (converged) break;
    turn_rows(scope, m, now);
    scope.sync();
  }
  each(scope, n, [&](int i) { m.d(i) *= back; });
  scope.sync();
  return converged;
}
}  // namespace glass::detail
