// Products on tensor cores: the 32 lanes of a warp add A B to C, A 16 x 8, B 8 x 8. Lane (g, t) = (lane / 4, lane % 4):
//   a[0], a[1], a[2], a[3] -> A(g, t), A(g + 8, t), A(g, t + 4), A(g + 8, t + 4)
//   b[0], b[1]             -> B(t, g), B(t + 4, g)
//   c[0], c[1], c[2], c[3] -> C(g, 2t), C(g, 2t + 1), C(g + 8, 2t), C(g + 8, 2t + 1)
// Rows, columns and k may be renumbered at will (both operands alike), so what a lane holds can be what it loads best.
//   add_product(c, a, b)        double: exact products, summed in double
//   add_product_tf32(c, a, b)   float: the leading 11 bits of each number, exact products, summed in float
// f64 in one instruction from architecture 9.0, in four from 8.0, TF32 from 8.0; elsewhere and on the host by shuffles:
// the same sums of the same terms.
#pragma once
#include <glass/core/math.cuh>
#include <glass/core/scope.cuh>
namespace glass::detail {
// C += A B by exchange between the lanes.
template <class T>
GLASS_DEVICE void add_product_by_shuffles(T (&c)[4], const T (&a)[4], const T (&b)[2]) {
  const scope::warp warp;
  const int g = warp.rank() / 4, t = warp.rank() % 4;
  GLASS_UNROLL
  for (int k = 0; k < 8; ++k) {
    T row[2], col[2];
    GLASS_UNROLL
    for (int e = 0; e < 2; ++e) {
      row[e] = warp.shuffle(a[k / 4 * 2 + e], 4 * g + k % 4);
      col[e] = warp.shuffle(b[k / 4], 4 * (2 * t + e) + k % 4);
    }
    GLASS_UNROLL
    for (int e = 0; e < 4; ++e) c[e] += row[e / 2] * col[e % 2];
  }
}
// x = hi + lo: hi is x rounded to 11 bits; of lo the tensor core reads the leading 11 bits.
GLASS_DEVICE void tf32_split(float x, float& hi, float& lo) {
  hi = float_of((bits_of(x) + 0x1000u) & 0xffffe000u);
  lo = x - hi;
}

#if GLASS_CUDA && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800)
inline constexpr bool has_tensor_cores = true;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000
inline constexpr bool has_fast_f64 = true;  // half as many f64 as f32 products a cycle, not 1/64
#else
inline constexpr bool has_fast_f64 = false;
#endif
GLASS_DEVICE void add_product(double (&c)[4], const double (&a)[4], const double (&b)[2]) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#else
  GLASS_UNROLL
  for (int part = 0; part < 4; ++part)  // rows part / 2 * 8 + 0..7, k = part % 2 * 4 + 0..3
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(c[part / 2 * 2]), "+d"(c[part / 2 * 2 + 1])
        : "d"(a[part / 2 + part % 2 * 2]), "d"(b[part % 2]));
#endif
}
GLASS_DEVICE void add_product_tf32(float (&c)[4], const float (&a)[4], const float (&b)[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(bits_of(a[0])), "r"(bits_of(a[1])), "r"(bits_of(a[2])), "r"(bits_of(a[3])), "r"(bits_of(b[0])),
        "r"(bits_of(b[1])));
}
#else
inline constexpr bool has_tensor_cores = false, has_fast_f64 = true;
GLASS_DEVICE void add_product(double (&c)[4], const double (&a)[4], const double (&b)[2]) {
  add_product_by_shuffles(c, a, b);
}
GLASS_DEVICE void add_product_tf32(float (&c)[4], const float (&a)[4], const float (&b)[2]) {
  float x[4], y[2];
  GLASS_UNROLL
  for (int e = 0; e < 4; ++e) x[e] = float_of(bits_of(a[e]) & 0xffffe000u);
  GLASS_UNROLL
  for (int e = 0; e < 2; ++e) y[e] = float_of(bits_of(b[e]) & 0xffffe000u);
  add_product_by_shuffles(c, x, y);
}
#endif
}  // namespace glass::detail
