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
// Of a, whose lower triangle is read. B: Body::loop is Jacobi's method, with `work` of a's size, which may be a; any other
// is QL. The system is in the scratch of eigen_words(n) numbers. Starts and ends synchronised.
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
    const tridiagonal_space<T, N> m(scratch.data, n);
    bool finite;
    const bool converged = diagonalize_by_ql(scope, a, m, finite);
    return eigen_system<decltype(m.d), decltype(m.q)>{m.d, m.q, finite, converged};
  }
}
}  // namespace glass::detail
