// Products by functions of cuBLASDx, with the contract of matrix/gemm.cuh; which factor is transposed is in the function
// that is generated.
#pragma once
#include <glass/linked/linked.cuh>
#if defined(GLASS_LINKED)
GLASS_LINKED_FUNCTION(mm, (const T* alpha, const T* A, const T* B, const T* beta, T* C), (alpha, A, B, beta, C))
namespace glass::linked {
template <auto... Options, class S, class A, class B, class C>
GLASS_DEVICE void gemm(S scope, value_of<C> alpha, A a, B b, value_of<C> beta, C c) {
  using T = value_of<C>;
  if (alpha == T(0) || beta == T(0)) {  // what is not read may be anything, NaN too
    detail::each_number(scope, c, [&](T& x) { x = beta == T(0) ? T(0) : beta * x; });
    scope.sync();
    if (alpha == T(0)) return;
  }
  function::mm(&alpha, a.data, b.data, &beta, c.data);
  scope.sync();
}
template <auto... Options, class S, class A, class B, class C>
GLASS_DEVICE void gemm_to(S scope, value_of<C> alpha, A a, B b, C c) {
  linked::gemm<Options...>(scope, alpha, a, b, value_of<C>(0), c);
}
}  // namespace glass::linked
#endif
