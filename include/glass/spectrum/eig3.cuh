// eig3(scope, A, W, V)             A = V diag(W) V^T for A symmetric, 3 x 3. [GVL 8.5.3]
// data     A: 3 x 3, any leading dimension and order, its lower triangle read. W: 3 eigenvalues, ascending; V: 3 x 3,
//          column j is the unit eigenvector of W(j), of either sign; both overwritten, they overlap neither A nor each
//          other.
// lanes    every lane of the scope calls; one lane computes, in registers; ends synchronised unless Sync::no.
// method   cyclic Jacobi: repeated, graded and indefinite matrices are as accurate as others, and a matrix times a
//          power of two gives the eigenvalues times that power.
// values   NaN or Inf in the triangle: W and V are NaN.
// cost     250 flops and more; reads 6, writes 12.
#pragma once
#include <glass/spectrum/three.cuh>
namespace glass {
namespace detail {
// Elements (p, q), and (r, p), (r, q) with the third index; p and q are those of d and v.
template <class T>
GLASS_DEVICE void make_diagonal3(T& dp, T& dq, T& pq, T& rp, T& rq, T (&vp)[3], T (&vq)[3]) {
  const turn<T> by = turn_of(dp, dq, pq);
  dp = fused(-by.t, pq, dp);
  dq = fused(by.t, pq, dq);
  pq = 0;
  by.apply(rp, rq);
  turn3(by, vp, vq);
}
template <class A, class W, class V>
GLASS_DEVICE void eig3_in_registers(A a, W w, V v) {
  using T = value_of<V>;
  T d[3] = {a(0, 0), a(1, 1), a(2, 2)}, low[3] = {a(1, 0), a(2, 0), a(2, 1)};
  T vectors[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, taint = 0, size = 0;
  GLASS_UNROLL
  for (int i = 0; i < 3; ++i) {
    taint += (d[i] - d[i]) + (low[i] - low[i]);
    size = greatest(size, greatest(absolute(d[i]), absolute(low[i])));
  }
  const T small = size * (rounding<T> / 16);
  GLASS_UNROLL_BY(1)
  for (int sweep = 0; sweep < 8; ++sweep) {
    if (absolute(low[0]) <= small && absolute(low[1]) <= small && absolute(low[2]) <= small) break;
    make_diagonal3(d[0], d[1], low[0], low[1], low[2], vectors[0], vectors[1]);
    make_diagonal3(d[0], d[2], low[1], low[0], low[2], vectors[0], vectors[2]);
    make_diagonal3(d[1], d[2], low[2], low[0], low[1], vectors[1], vectors[2]);
  }
  T same[3] = {};  // nothing else moves along
  exchange3(d[1] < d[0], d[0], d[1], vectors[0], vectors[1], same, same);
  exchange3(d[2] < d[0], d[0], d[2], vectors[0], vectors[2], same, same);
  exchange3(d[2] < d[1], d[1], d[2], vectors[1], vectors[2], same, same);
  GLASS_UNROLL
  for (int i = 0; i < 3; ++i) w(i) = d[i] + taint;
  store3(vectors, taint, v);
}
}  // namespace detail

template <auto... Options, class S, class A, class W, class V, detail::when<is_view<A> && is_view<W> && is_view<V>> = 0>
GLASS_DEVICE void eig3(S scope, A a, W w, V v) {
  constexpr bool known = takes<types<Sync>, Options...>;
  constexpr bool fits = detail::is_three<A> && detail::is_three<V> && agree(W::static_rows, 3) && W::static_cols == 1;
  static_assert(known, "glass: eig3 takes the option Sync.");
  static_assert(fits, "glass: eig3: the sizes do not fit: A and V are 3 x 3, W has 3 numbers.");
  static_assert(W::writable && V::writable, "glass: eig3 writes W and V, but one of them is const.");
  if constexpr (known && fits && W::writable && V::writable) {
    if (scope.rank() == 0) detail::eig3_in_registers(a, w, v);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_0(eig3, (const just<T>* A, just<T>* W, just<T>* V),
              (matrix<const T, 3, 3>(A), vector<T, 3>(W), matrix<T, 3, 3>(V)))
}  // namespace glass
