// Which body Body::automatic is, for a product inside a kernel (gemm, and what symmetric_product.cuh computes): tensor
// cores, straight from memory, for constant sizes of at least 16 on a warp or on whole warps of a block, where there are
// any; else the loop. f32 goes through f64 where that is as fast and the product small, else in three parts of TF32. A
// catalog's operation names its body: the tuner measures all of them.
#pragma once
#include <glass/matrix/gemm_direct.cuh>
namespace glass::detail {
template <class S, class A, class B, class C>
GLASS_SCALAR constexpr bool prefers_tensor_cores() {
  if constexpr (has_tensor_cores && multiplies_directly<S, A, B, C>)
    return C::static_rows >= 16 && C::static_cols >= 16 && A::static_cols >= 8;
  else
    return false;
}
// Of an M x N product.
template <class T>
GLASS_SCALAR constexpr Mma preferred_units(int m, int n) {
  return sizeof(T) == 8 || (has_fast_f64 && m <= 32 && n <= 32) ? Mma::f64 : Mma::tf32x3;
}
// The largest block of those that leave one for every warp; of a symmetric product, the square.
GLASS_SCALAR constexpr Tile preferred_tile(int m, int n, int warps) {
  return (m + 31) / 32 * ((n + 31) / 32) >= 2 * warps && m > 32   ? Tile::m32n32
         : (m + 15) / 16 * ((n + 31) / 32) >= warps && n > 16     ? Tile::m16n32
         : (m + 15) / 16 * ((n + 15) / 16) >= warps || n % 16 > 8 ? Tile::m16n16
                                                                  : Tile::m16n8;
}
GLASS_SCALAR constexpr Tile preferred_square(int n, int warps) {
  const int blocks = (n + 31) / 32;
  return n > 32 && blocks * (blocks + 1) / 2 >= warps ? Tile::m32n32 : Tile::m16n16;
}
}  // namespace glass::detail
