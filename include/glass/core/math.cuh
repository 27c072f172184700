// Scalar functions that bodies use, the same names on both sides; float and double. min and max ignore NaN (as fmin,
// fmax).
#pragma once
#include <glass/core/config.cuh>
namespace glass {
#if GLASS_CUDA
GLASS_DEVICE float square_root(float x) { return __fsqrt_rn(x); }
GLASS_DEVICE double square_root(double x) { return __dsqrt_rn(x); }
// 1 / sqrt(x) within 2 ulp (float) and 1 ulp (double). A Newton step that halves the float's error costs a tenth of a
// posv at N = 8.
GLASS_DEVICE float reciprocal_square_root(float x) { return rsqrtf(x); }
GLASS_DEVICE double reciprocal_square_root(double x) { return rsqrt(x); }
GLASS_SCALAR float fused(float a, float b, float c) {
  return fmaf(a, b, c);
}  // a b + c, rounded once where the machine can
GLASS_SCALAR double fused(double a, double b, double c) { return fma(a, b, c); }
GLASS_SCALAR float exponential(float x) { return expf(x); }
GLASS_SCALAR double exponential(double x) { return exp(x); }
#else
GLASS_SCALAR float square_root(float x) { return __builtin_sqrtf(x); }
GLASS_SCALAR double square_root(double x) { return __builtin_sqrt(x); }
GLASS_SCALAR float reciprocal_square_root(float x) { return 1.0f / __builtin_sqrtf(x); }
GLASS_SCALAR double reciprocal_square_root(double x) { return 1.0 / __builtin_sqrt(x); }
GLASS_SCALAR float exponential(float x) { return __builtin_expf(x); }
GLASS_SCALAR double exponential(double x) { return __builtin_exp(x); }
#ifdef __FP_FAST_FMAF
GLASS_SCALAR float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#else
GLASS_SCALAR float fused(float a, float b, float c) { return a * b + c; }
#endif
#ifdef __FP_FAST_FMA
GLASS_SCALAR double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
#else
GLASS_SCALAR double fused(double a, double b, double c) { return a * b + c; }
#endif
#endif
template <class T>
GLASS_SCALAR constexpr T reciprocal(T x) {
  return T(1) / x;
}
template <class T>
GLASS_SCALAR constexpr T absolute(T x) {
  return x < T(0) ? -x : x + T(0);  // x + 0: -0 becomes 0
}
template <class T>
GLASS_SCALAR constexpr T least(T a, T b) {
  return b != b || a < b ? a : b;
}
template <class T>
GLASS_SCALAR constexpr T greatest(T a, T b) {
  return b != b || a > b ? a : b;
}
template <class T>
GLASS_SCALAR constexpr bool is_finite(T x) {
  return x - x == T(0);
}
// 0 < x < Inf: what a pivot must be.
#if GLASS_CUDA
GLASS_DEVICE bool is_positive_finite(float x) {
  return __float_as_uint(x) - 1u < 0x7f7fffffu;
}  // one addition, one test
GLASS_DEVICE bool is_positive_finite(double x) { return x > 0 && is_finite(x); }
#else
template <class T>
GLASS_SCALAR constexpr bool is_positive_finite(T x) {
  return x > T(0) && is_finite(x);
}
#endif
}  // namespace glass
