// Every face of glass::nvidia, for nvcc and NVRTC. FACES names the libraries: 1 CUB, 2 cuBLASDx (8: in every form),
// 4 cuSOLVERDx (16: what came with release 0.3); 32 is the README's listing.
#include <glass/nvidia.cuh>
using namespace glass;
using nvidia::Staged;
using nvidia::Threads;
#if FACES & 1
static_assert(nvidia::has_cub, "CUB was to be there");
template <class T>
__device__ void reductions(int n, const T* x, const T* y, T* out, int* index) {
  T sum = 0;
  int at = 0;
  {
    namespace in = nvidia::warp;
    sum += in::dot<T, 100>(x, y) + in::dot<T>(n, x, y) + in::nrm1_diff<T, 33>(x, y) + in::reduce<T, 64>(x) +
           in::reduce<T>(n, x);
    sum += in::asum<T, 64>(x) + in::nrm2<T, 40>(x) + in::reduce_min<T, 7>(x) + in::reduce_max<T>(n, x) +
           in::infnorm<T, 31>(x);
    at += in::argmax<T, 65>(x).index + in::argmin<T>(n, x).index + in::iamax<T, 3>(x).index;
  }
  {
    namespace in = nvidia::block;
    sum += in::dot<T, 100>(x, y) + in::dot<T>(n, x, y) + in::nrm1_diff<T, 33, Sync::no>(x, y) + in::reduce<T, 64>(x) +
           in::reduce<T>(n, x);
    sum += in::asum<T, 64, Sync::no, Sum::fast>(x) + in::nrm2<T, 40>(x) + in::reduce_min<T, 7>(x) +
           in::reduce_max<T>(n, x);
    sum += in::infnorm<T, 31>(x);
    at += in::argmax<T, 65>(x).index + in::argmin<T>(n, x).index + in::iamax<T, 3>(x).index;
  }
  // The value face, in a scope that knows its lanes, and results that are stored.
  nvidia::dot(scope::warp{}, vector<const T, 12>(x), vector<const T, 12>(y), vector<T, 1>(out));
  nvidia::argmax(scope::block<128>{}, vector<const T, 50>(x), vector<int, 1>(index), vector<T, 1>(out + 1));
  nvidia::argmin_pair(scope::block<128>{}, vector<const T, 50>(x), vector<const int, 50>(index + 1),
                      vector<int, 1>(index), vector<T, 1>(out + 1));
  out[2] = sum, index[1] = at;
}
extern "C" __global__ void reductions_f32(int n, const float* x, const float* y, float* out, int* index) {
  reductions(n, x, y, out, index);
}
#ifndef ONE_TYPE
extern "C" __global__ void reductions_f64(int n, const double* x, const double* y, double* out, int* index) {
  reductions(n, x, y, out, index);
}
#endif
#endif
#if FACES & 2
static_assert(nvidia::has_cublasdx, "cuBLASDx was to be there");
#ifndef PRODUCT
#define PRODUCT \
  float, 8, 6, 7, Trans::yes, Threads { 64 }
#endif
extern "C" __global__ void products(const float* A, const float* B, float* C) {
  extern __shared__ __align__(16) char memory[];
  nvidia::block::gemm<PRODUCT>(1, A, B, 0, C, memory);
}
#if FACES & 8
template <class T>
__device__ void more(const T* A, const T* B, T* C) {
  extern __shared__ __align__(16) char memory[];
  namespace in = nvidia::block;
  in::gemm<T, 8, 6, 7, Trans::no, Trans::yes, Order::row>(2, A, B, C);
  in::gemm<T, 8, 6, 7>(2, A, B, C, memory);
  in::gemm<T, 32, 32, 32, Threads{256}>(2, A, B, T(1), C, memory);
  in::gemm<T, 16, 16, 16, Staged::no>(1, reinterpret_cast<T*>(memory), reinterpret_cast<T*>(memory) + 256, 0,
                                      reinterpret_cast<T*>(memory) + 512);
  in::gemv<T, 9, 5>(1, A, B, 0, C);
  in::gemv<T, 9, 5, Order::row, Trans::yes>(1, A, B, C, memory);
  in::gemm<T, 4, 4, 0>(1, A, B, 3, C);
}
extern "C" __global__ void more_f32(const float* A, const float* B, float* C) { more(A, B, C); }
extern "C" __global__ void more_f64(const double* A, const double* B, double* C) { more(A, B, C); }
#endif
static_assert(nvidia::block::gemm_shared_bytes<float, 3, 5, 7>() == 96 + 144 + 64, "21, 35 and 15 numbers");
#endif
#if FACES & 4
static_assert(nvidia::has_cusolverdx, "cuSOLVERDx was to be there");
template <class T>
__device__ void solvers(T* A, T* B, T* C, int* piv, int* info) {
  extern __shared__ __align__(16) char room[];
  namespace in = nvidia::block;
  info[0] = in::potrf<T, 12>(A) + in::potrf<T, 12, Threads{64}, Sync::no>(A, room) + in::potrf<T, 8, Staged::no>(A);
  in::potrs<T, 12>(A, B), in::potrs<T, 12, 3>(A, B, room), in::potrs<T, 8, 2, Staged::no>(A, B);
  info[1] =
      in::posv<T, 12>(A, B) + in::posv<T, 12, 3>(A, B, room) + in::posv<T, 12, 1, Shift::identity>(A, B, T(1), room);
  info[1] += in::posv<T, 12, 2, Staged::no, Shift::diagonal>(A, B, 1);
  info[2] = in::getrf<T, 9>(A, piv) + in::getrf_no_pivot<T, 9>(A, room);
  in::getrs<T, 9>(A, piv, B), in::getrs<T, 9, 2, Trans::yes>(A, piv, B, room),
      in::getrs_no_pivot<T, 9, Trans::yes>(A, B);
  info[3] = in::gesv<T, 9>(A, piv, B) + in::gesv<T, 9, 2, Staged::no>(A, piv, B) + in::gesv_no_pivot<T, 9>(A, B);
  in::trsm<T, 12, 5>(2, A, B), in::trsm<T, 12, 5, Side::right, Fill::upper, Trans::yes, Diag::unit>(2, A, B, room);
  in::trsv<T, 12>(A, B), in::trsv<T, 12, Staged::no>(A, B);
  in::geqrf<T, 9, 5>(A, B), in::geqrf<T, 5, 9, Staged::no>(A, B);
  in::ormqr<T, 9, 4, 5>(A, B, C), in::unmqr<T, 4, 9, 5, Side::right, Trans::yes>(A, B, C, room);
  info[4] = in::gels<T, 9, 5, 2>(A, B, C) + in::gels<T, 5, 9, 2>(A, B, C, room);
#if FACES & 16  // from release 0.3 on
  info[5] = in::syev<T, 9>(A, B, C, C) + in::heev<T, 9>(A, B, C, C, room);
#endif
}
extern "C" __global__ void solvers_f32(float* A, float* B, float* C, int* piv, int* info) {
  solvers(A, B, C, piv, info);
}
#ifndef ONE_TYPE
extern "C" __global__ void solvers_f64(double* A, double* B, double* C, int* piv, int* info) {
  solvers(A, B, C, piv, info);
}
#endif
static_assert(nvidia::block::gesv_shared_bytes<double, 3, 2>() == 80 + 16 + 48, "9 numbers, 3 pivots, 6 numbers");
#endif
#if FACES & 32
#include "vendor.inc"
#endif
