// What the operations of this folder share: the pieces they are made of, and sizes of scratch. No operation of its own.
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
}  // namespace detail
}  // namespace glass
