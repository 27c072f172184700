// Scalar functions that bodies use, the same names on both sides; float and double. min and max ignore NaN (as fmin,
// fmax).
#pragma once
#include <glass/core/config.cuh>
namespace glass {
#if GLASS_CUDA
GLASS_DEVICE int bits_of(float x) { return __float_as_int(x); }
GLASS_DEVICE float float_of(unsigned bits) { return __uint_as_float(bits); }
GLASS_DEVICE long long bits_of(double x) { return __double_as_longlong(x); }
// The upper half of x: sign, exponent and the first 20 bits; and the number that has this one and zeros after it.
GLASS_DEVICE int upper_half(double x) { return __double2hiint(x); }
GLASS_DEVICE double double_of_upper(int bits) { return __hiloint2double(bits, 0); }
#else
GLASS_SCALAR int bits_of(float x) {
  int bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
GLASS_SCALAR float float_of(unsigned bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
GLASS_SCALAR long long bits_of(double x) {
  long long bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
GLASS_SCALAR int upper_half(double x) { return static_cast<int>(bits_of(x) >> 32); }
GLASS_SCALAR double double_of_upper(int half) {
  const long long bits = static_cast<long long>(half) << 32;
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
#endif
// The power of two that brings |x| to [1, 2), less far if x is not normal or too large for one.
GLASS_DEVICE float scale_to_two(float x) {
  const int turned = 0x7f000000 - (bits_of(x) & 0x7f800000);
  return float_of(turned > 0x00400000 ? turned : 0x00400000);
}
GLASS_DEVICE double scale_to_two(double x) {
  const int turned = 0x7fe00000 - (upper_half(x) & 0x7ff00000);
  return double_of_upper(turned > 0x00080000 ? turned : 0x00080000);
}
#if GLASS_CUDA
// a b + c, rounded once where the machine can.
GLASS_SCALAR float fused(float a, float b, float c) { return fmaf(a, b, c); }
GLASS_SCALAR double fused(double a, double b, double c) { return fma(a, b, c); }
GLASS_DEVICE float square_root(float x) { return __fsqrt_rn(x); }
GLASS_DEVICE double square_root(double x) { return __dsqrt_rn(x); }
// 1 / sqrt(x) within 2 ulp (float) and 1 ulp (double). A Newton step that halves the float's error costs a tenth of a
// posv at N = 8.
GLASS_DEVICE float reciprocal_square_root(float x) { return rsqrtf(x); }
GLASS_DEVICE double reciprocal_square_root(double x) { return rsqrt(x); }
// The hardware's 20 bits of 1 / x and 1 / sqrt(x), for a normal x whose reciprocal is one.
GLASS_DEVICE double rough_reciprocal(double x) {
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
}
GLASS_DEVICE double rough_reciprocal_root(double x) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
}
// 1 / sqrt(x) for a positive normal number, anything otherwise: no branch, and no test for subnormal numbers in the chain
// of pivots. f64: the rough one and one step of third order.
GLASS_DEVICE float reciprocal_root_of_pivot(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
GLASS_DEVICE double reciprocal_root_of_pivot(double x) {
  const double y = rough_reciprocal_root(x), e = fma(-x * y, y, 1.0);
  return fma(fma(e, 0.375, 0.5) * e, y, y);
}
// 1 / x for any x but NaN, without a branch, so that lanes stay together: within 1 ulp (float) and 2 ulp (double). f64:
// x is brought to [1, 2) by a power of two; the rough one and one step of third order.
GLASS_DEVICE float reciprocal_of_pivot(float x) {
  float y;
  asm("rcp.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
GLASS_DEVICE double reciprocal_of_pivot(double x) {
  const double scale = scale_to_two(x), near = x * scale;
  const double y = rough_reciprocal(near), e = fma(-near, y, 1.0);
  return (upper_half(x) & 0x7ff00000) == 0x7ff00000 ? y : fma(y, fma(e, e, e), y) * scale;
}
// The same of a normal number whose reciprocal is one, and more cheaply.
GLASS_DEVICE float reciprocal_of_normal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
// c <- a b + c where `here`, and c as it is elsewhere, whatever b. Without a branch: f32 is one predicated instruction;
// f64, which compilers turn into a product and two selects, one select: b's upper half, then 0 times a finite number.
GLASS_DEVICE void fuse_where(bool here, float a, float b, float& c) {
  asm("{ .reg .pred p; setp.ne.s32 p, %1, 0; @p fma.rn.f32 %0, %2, %3, %0; }"
      : "+f"(c)
      : "r"(int(here)), "f"(a), "f"(b));
}
GLASS_DEVICE void fuse_where(bool here, double a, double b, double& c) {
  asm("{ .reg .pred p; .reg .b32 low, high; .reg .f64 x; setp.ne.s32 p, %1, 0; mov.b64 {low, high}, %3;"
      " selp.b32 high, high, 0, p; mov.b64 x, {low, high}; fma.rn.f64 %0, %2, x, %0; }"
      : "+d"(c)
      : "r"(int(here)), "d"(here ? a : 0.0), "d"(b));
}
// x += y, also where other lanes add to x at the same time.
GLASS_DEVICE void add_atomically(float& x, float y) { atomicAdd(&x, y); }
GLASS_DEVICE void add_atomically(double& x, double y) { atomicAdd(&x, y); }
GLASS_SCALAR float exponential(float x) { return expf(x); }
GLASS_SCALAR double exponential(double x) { return exp(x); }
GLASS_SCALAR float logarithm(float x) { return logf(x); }
GLASS_SCALAR double logarithm(double x) { return log(x); }
#else
// The lanes of a problem run by turns here, and no other problem adds to x: a plain addition, which the race check is
// not to see.
template <class T>
__attribute__((noinline, no_sanitize("thread"))) void add_atomically(T& x, T y) {
  x += y;
}
GLASS_SCALAR float square_root(float x) { return __builtin_sqrtf(x); }
GLASS_SCALAR double square_root(double x) { return __builtin_sqrt(x); }
GLASS_SCALAR float reciprocal_square_root(float x) { return 1.0f / __builtin_sqrtf(x); }
GLASS_SCALAR double reciprocal_square_root(double x) { return 1.0 / __builtin_sqrt(x); }
GLASS_SCALAR float reciprocal_root_of_pivot(float x) { return reciprocal_square_root(x); }
GLASS_SCALAR double reciprocal_root_of_pivot(double x) { return reciprocal_square_root(x); }
GLASS_SCALAR double with_20_bits(double x) { return double_of_upper(upper_half(x)); }
GLASS_SCALAR double rough_reciprocal(double x) { return with_20_bits(1 / x); }  // as rough as the hardware's
GLASS_SCALAR double rough_reciprocal_root(double x) { return with_20_bits(1 / __builtin_sqrt(x)); }
GLASS_SCALAR float reciprocal_of_pivot(float x) { return 1 / x; }
GLASS_SCALAR double reciprocal_of_pivot(double x) { return 1 / x; }
GLASS_SCALAR float reciprocal_of_normal(float x) { return 1 / x; }
GLASS_SCALAR float exponential(float x) { return __builtin_expf(x); }
GLASS_SCALAR double exponential(double x) { return __builtin_exp(x); }
GLASS_SCALAR float logarithm(float x) { return __builtin_logf(x); }
GLASS_SCALAR double logarithm(double x) { return __builtin_log(x); }
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
template <class T>
GLASS_SCALAR void fuse_where(bool here, T a, T b, T& c) {
  if (here) c = fused(a, b, c);
}
#endif
#if GLASS_CUDA
template <class T>
GLASS_DEVICE T infinity() {
  return T(__longlong_as_double(0x7ff0000000000000));
}
template <class T>
GLASS_DEVICE T not_a_number() {
  return T(__longlong_as_double(0x7ff8000000000000));
}
#else
template <class T>
GLASS_SCALAR constexpr T infinity() {
  return T(__builtin_huge_val());
}
template <class T>
GLASS_SCALAR constexpr T not_a_number() {
  return T(__builtin_nan(""));
}
#endif
template <class T>
GLASS_SCALAR constexpr T reciprocal(T x) {
  return T(1) / x;
}
// sqrt(x), given d = 1 / sqrt(x) with a few roundings: one Newton step.
template <class T>
GLASS_DEVICE T root_of(T x, T d) {
  const T root = x * d;
  return fused(fused(-root, root, x), T(0.5) * d, root);
}
// |x|. Not fabsf on CUDA, which costs nothing: ptxas 13.0 takes |x| >= 0.0f for true whatever x, and so a NaN for a number.
template <class T>
GLASS_SCALAR constexpr T absolute(T x) {
  return x < T(0) ? -x : x + T(0);  // x + 0: -0 becomes 0
}
#if GLASS_CUDA
// The same of an x that is not NaN.
GLASS_SCALAR float magnitude(float x) { return fabsf(x); }
GLASS_SCALAR double magnitude(double x) { return fabs(x); }
#else
template <class T>
GLASS_SCALAR T magnitude(T x) {
  return absolute(x);
}
#endif
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
GLASS_DEVICE bool is_positive_finite(double x) {
  const int high = __double2hiint(x);
  return unsigned(high) < 0x7ff00000u && (high | __double2loint(x)) != 0;
}
// The same without the subnormal numbers.
GLASS_DEVICE bool is_positive_normal(float x) { return __float_as_uint(x) - 0x00800000u < 0x7f000000u; }
GLASS_DEVICE bool is_positive_normal(double x) { return unsigned(__double2hiint(x)) - 0x00100000u < 0x7fe00000u; }
#else
template <class T>
GLASS_SCALAR constexpr bool is_positive_finite(T x) {
  return x > T(0) && is_finite(x);
}
template <class T>
GLASS_SCALAR constexpr bool is_positive_normal(T x) {
  return x >= (sizeof(T) == 4 ? T(0x1p-126) : T(0x1p-1022)) && is_finite(x);
}
#endif
}  // namespace glass
