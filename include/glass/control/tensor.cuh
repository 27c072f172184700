// tensor_vec_contract<TensorAxis, Order, Symmetric>(scope, alpha, T, v, beta, M)
//   TensorAxis::K   M(a, b) <- alpha sum_k v(k) T_k(a, b) + beta M(a, b)     v: K, M: A x B
//   TensorAxis::A   M(k, b) <- alpha sum_a v(a) T_k(a, b) + beta M(k, b)     v: A, M: K x B
//   TensorAxis::B   M(k, a) <- alpha sum_b v(b) T_k(a, b) + beta M(k, a)     v: B, M: K x A
// vec_tensor_vec<Order>(scope, alpha, T, u, w, beta, s)     s(k) <- alpha u^T T_k w + beta s(k)     u: A, w: B, s: K
// data     T: K slabs of A x B, as a matrix of A B rows and K columns, slab k in column k: column-major (Order::col) or
//          row-major (Order::row) inside a slab; read only, as are v, u and w. M and s overlap nothing else.
// symmetric  Symmetric::yes (TensorAxis::K, A = B, symmetric slabs): the lower triangle of M is computed, from the
//          lower triangle of the slabs and of M, and mirrored.
// lanes    every lane of the scope calls, with the same alpha and beta; ends synchronised unless Sync::no.
// scalars  beta == 0: M (s) is not read. alpha == 0: T and the vectors are not read. An empty sum is 0.
// cost     2 K A B flops, vec_tensor_vec 3 K A B; reads K A B.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/faces.cuh>
namespace glass {
namespace detail {
// Element (a, b) of slab k.
template <Order O, class V>
struct slabs {
  V all;
  int rows, cols;
  GLASS_DEVICE value_of<V> operator()(int a, int b, int k) const {
    return all(O == Order::col ? a + b * rows : a * cols + b, k);
  }
};
GLASS_SCALAR constexpr bool makes(int product, int a, int b) { return a < 0 || b < 0 || agree(product, a * b); }
}  // namespace detail

template <auto... Options, class S, class V, class X, class M, detail::when<is_view<V> && is_view<X> && is_view<M>> = 0>
GLASS_DEVICE void tensor_vec_contract(S scope, just<value_of<M>> alpha, V tensor, X v, just<value_of<M>> beta, M m) {
  using T = value_of<M>;
  constexpr bool known = takes<types<TensorAxis, Order, Symmetric, Sync>, Options...>;
  constexpr TensorAxis axis = chosen<TensorAxis::K, 0, Options...>();
  constexpr Order order = chosen<Order::col, 0, Options...>();
  constexpr bool mirrors = chosen<Symmetric::no, 0, Options...>() == Symmetric::yes;
  constexpr int n = X::static_rows;
  constexpr bool fits = axis == TensorAxis::K
                            ? agree(V::static_cols, n) && detail::makes(V::static_rows, M::static_rows, M::static_cols)
                            : agree(V::static_cols, M::static_rows) && detail::makes(V::static_rows, n, M::static_cols);
  constexpr bool mirrorable = !mirrors || (axis == TensorAxis::K && agree(M::static_rows, M::static_cols));
  static_assert(known, "glass: tensor_vec_contract takes the options TensorAxis, Order, Symmetric and Sync.");
  static_assert(order != Order::interleaved, "glass: tensor_vec_contract: slabs are Order::col or Order::row.");
  static_assert(fits, "glass: tensor_vec_contract: the sizes do not fit: T has A B rows and K columns.");
  static_assert(mirrorable, "glass: tensor_vec_contract<Symmetric::yes> is for TensorAxis::K and a square M.");
  static_assert(M::writable, "glass: tensor_vec_contract writes M, but M is const.");
  if constexpr (known && fits && mirrorable && M::writable && order != Order::interleaved) {
    const int rows = axis == TensorAxis::K ? m.rows() : axis == TensorAxis::A ? v.rows() : m.cols();
    const int cols = axis == TensorAxis::K ? m.cols() : axis == TensorAxis::A ? m.cols() : v.rows();
    const detail::slabs<order, V> t = {tensor, rows, cols};
    // Row-major slabs, axis K: neighbouring lanes take neighbouring j, as the tensor's elements lie.
    const auto element = [&](int i, int j) {
      T sum = 0;
      for (int e = 0; e < v.rows() && alpha != T(0); ++e)
        sum = fused(axis == TensorAxis::K ? t(i, j, e) : axis == TensorAxis::A ? t(e, j, i) : t(j, e, i), v(e), sum);
      detail::blend(m(i, j), alpha * sum, beta);
      if (mirrors && i != j) m(j, i) = m(i, j);
    };
    constexpr bool turn = order == Order::row && axis == TensorAxis::K;
    each(scope, turn ? m.cols() : m.rows(), turn ? m.rows() : m.cols(), [&](int x, int y) {
      const int i = turn ? y : x, j = turn ? x : y;
      if (!mirrors || i >= j) element(i, j);
    });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}

// All lanes share a slab, then add up.
template <auto... Options, class S, class V, class U, class X, class Y,
          detail::when<is_view<V> && is_view<U> && is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void vec_tensor_vec(S scope, just<value_of<Y>> alpha, V tensor, U u, X w, just<value_of<Y>> beta, Y s) {
  using T = value_of<Y>;
  constexpr bool known = takes<types<Order, Sync>, Options...>;
  constexpr Order order = chosen<Order::col, 0, Options...>();
  constexpr bool fits =
      agree(V::static_cols, Y::static_rows) && detail::makes(V::static_rows, U::static_rows, X::static_rows);
  static_assert(known, "glass: vec_tensor_vec takes the options Order and Sync.");
  static_assert(order != Order::interleaved, "glass: vec_tensor_vec: slabs are Order::col or Order::row.");
  static_assert(fits, "glass: vec_tensor_vec: the sizes do not fit: T has A B rows and K columns, u has A, w B, s K.");
  static_assert(Y::writable, "glass: vec_tensor_vec writes s, but s is const.");
  if constexpr (known && fits && Y::writable && order != Order::interleaved) {
    const detail::slabs<order, V> t = {tensor, u.rows(), w.rows()};
    for (int k = 0; k < s.rows(); ++k) {
      T part = 0;
      if (alpha != T(0)) {
        constexpr bool turn = order == Order::row;
        each(scope, turn ? w.rows() : u.rows(), turn ? u.rows() : w.rows(), [&](int x, int y) {
          const int a = turn ? y : x, b = turn ? x : y;
          part = fused(u(a) * t(a, b, k), w(b), part);
        });
        part = scope.sum(part);
      }
      if (scope.rank() == k % scope.size()) detail::blend(s(k), alpha * part, beta);
    }
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_3(tensor_vec_contract, K, A, B,
              (just<T> alpha, const just<T>* tensor, const just<T>* v, just<T> beta, just<T>* M),
              (alpha, as_matrix(tensor, detail::both(A, B), K),
               as_vector(v, either<chosen<TensorAxis::K, 0, O...>() == TensorAxis::K>(
                                K, either<chosen<TensorAxis::K, 0, O...>() == TensorAxis::A>(A, B))),
               beta,
               as_matrix(M, either<chosen<TensorAxis::K, 0, O...>() == TensorAxis::K>(A, K),
                         either<chosen<TensorAxis::K, 0, O...>() == TensorAxis::B>(A, B))))
GLASS_FACES_3(vec_tensor_vec, K, A, B,
              (just<T> alpha, const just<T>* tensor, const just<T>* u, const just<T>* w, just<T> beta, just<T>* s),
              (alpha, as_matrix(tensor, detail::both(A, B), K), as_vector(u, A), as_vector(w, B), beta,
               as_vector(s, K)))
}  // namespace glass
