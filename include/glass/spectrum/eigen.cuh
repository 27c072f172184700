// The decomposition of a symmetric matrix in memory, by either of two methods. Operations are in headers of their own.
#pragma once
#include <glass/spectrum/jacobi_fragments.cuh>
#include <glass/spectrum/tridiagonal.cuh>
namespace glass::detail {
// Eigenvalues in no order, and their vectors. Not finite: the matrix has NaN or Inf, and nothing was computed.
template <class W, class V>
struct eigen_system {
  W values;
  V vectors;
  bool finite, converged;
};
// Whether a body asked for is the one in registers. Of `automatic` what was faster on an H200, 8192 problems: Jacobi where
// rounds have patterns of their own, QL elsewhere, if its matrix is in exchange memory.
template <class S, class A>
GLASS_SCALAR constexpr bool in_jacobi_fragment(Body asked) {
  using T = value_of<A>;
  constexpr int N = A::static_rows;
  constexpr bool ahead = N <= 8 || N == 16 || (N == 32 && sizeof(T) == 4) || !tridiagonal_exchanges<S, T, N>();
  return fits_jacobi_fragment<S, A>() && (asked == Body::fragment || (asked == Body::automatic && ahead));
}
// Whether an operation with this body works in exchange memory, which is to be left with a sync.
template <Body B, class S, class A>
inline constexpr bool eigen_exchanges =
    B != Body::loop && !in_jacobi_fragment<S, A>(B) && tridiagonal_exchanges<S, value_of<A>, A::static_rows>();
// Of a, whose lower triangle is read. B: Body::loop is Jacobi's method, with `work` of a's size, which may be a; any other
// is QL. The system is in the scratch of eigen_words(n) numbers, or in exchange memory. Starts and ends synchronised.
template <Body B, class S, class A, class Work, class X>
GLASS_DEVICE auto decompose(S scope, A a, Work work, X scratch) {
  using T = value_of<X>;
  constexpr int N = A::static_rows;
  const int n = a.rows();
  if constexpr (B == Body::loop) {
    const auto vectors = cut<N, N>(scratch.data, n, n);
    const auto values = cut<N>(scratch.data + n * n, n);
    const bool finite = all_finite(scope, a);
    bool converged = false;
    if (finite) {
      if (a.data != work.data) {
        copy_lower(scope, a, work);
        scope.sync();
      }
      converged = diagonalize<true>(scope, work, vectors, values, most_sweeps);
      each(scope, n, [&](int i) { values(i) = work(i, i); });
      scope.sync();
    }
    return eigen_system<decltype(values), decltype(vectors)>{values, vectors, finite, converged};
  } else {
    T* memory = scratch.data;
    if constexpr (tridiagonal_exchanges<S, T, N>()) memory = scope.template exchange<T, eigen_words(N)>();
    const tridiagonal_space<T, N> m(memory, n);
    bool finite;
    const bool converged = diagonalize_by_ql(scope, a, m, finite);
    return eigen_system<decltype(m.d), decltype(m.q)>{m.d, m.q, finite, converged};
  }
}
}  // namespace glass::detail
