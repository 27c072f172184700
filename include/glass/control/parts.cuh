// What the operations of this folder share: sizes of scratch, products known to be symmetric, and how a shift changes a
// diagonal. No operation of its own.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/scratch.cuh>
#include <glass/factor/potrf.cuh>
#include <glass/factor/potrs.cuh>
#include <glass/matrix/gemm.cuh>
#include <glass/matrix/gemv.cuh>
#include <glass/matrix/symmetric_product.cuh>
namespace glass {
namespace detail {
GLASS_SCALAR constexpr int product_of(int a, int b) { return a < 0 || b < 0 ? -1 : a * b; }
template <class... N>
GLASS_SCALAR constexpr int sum_of(N... n) {
  return (false || ... || (n < 0)) ? -1 : (0 + ... + n);
}

// A diagonal entry after the shift.
template <Shift How, class T>
GLASS_DEVICE T shifted(T entry, T rho) {
  return How == Shift::none ? entry : How == Shift::identity ? entry + rho : fused(rho, entry, entry);
}
}  // namespace detail
}  // namespace glass
