// On a GPU: the faces of glass::nvidia agree with glass's own on the same numbers. A program by itself, for nvcc:
//   nvcc -std=c++17 -arch=sm_90 -DFACES=1 -I ROOT/include agree.cu -o agree && ./agree
// FACES as in faces.cu: 3 adds cuBLASDx (--expt-relaxed-constexpr and MathDx on the include path), 7 cuSOLVERDx (-rdc=true
// -dlto and its library). Exit status 0: all agree; 1: not, and what; 77: there is no GPU.
#include <cmath>
#include <cstdio>
#include <glass/glass.cuh>
#include <glass/nvidia.cuh>
#include <limits>
#include <vector>
using namespace glass;
using nvidia::Staged;
using nvidia::Threads;

constexpr int threads = 128, most = 1 << 12;
// What both sides compute, one after the other, from the same inputs: results into `out`, which begins as NaN.
template <class T>
struct data {
  T *a, *b, *out;
  int* piv;
};
// One reduction in a block and in a warp, by both.
#define RED(OP, N)                                                    \
  keep(d.out, k, block::OP<T, N>(d.a), nvidia::block::OP<T, N>(d.a)); \
  keep(d.out, k, warp::OP<T, N>(d.a), nvidia::warp::OP<T, N>(d.a))
template <class T>
__device__ void keep(T* out, int& k, T ours, T theirs) {
  if (threadIdx.x == threads - 1) out[k] = ours, out[k + 1] = theirs;
  k += 2;
}
template <class T>
__device__ void keep(T* out, int& k, index_value<T> ours, index_value<T> theirs) {
  keep(out, k, T(ours.index), T(theirs.index)), keep(out, k, ours.value, theirs.value);
}
template <class T>
__global__ void reductions(data<T> d, int* count) {
  int k = 0;
  RED(reduce, 1000);
  RED(asum, 1001);
  RED(nrm2, 77);
  RED(reduce_min, 4000);
  RED(reduce_max, 65);
  RED(infnorm, 33);
  RED(argmax, 1000);
  RED(argmin, 1000);
  RED(iamax, 31);
  RED(nrm2, 0);
  RED(argmax, 0);
  keep(d.out, k, block::dot<T, 1000>(d.a, d.b), nvidia::block::dot<T, 1000>(d.a, d.b));
  keep(d.out, k, warp::dot<T>(7, d.a, d.b), nvidia::warp::dot<T>(7, d.a, d.b));
  keep(d.out, k, block::nrm1_diff<T, 99>(d.a, d.b), nvidia::block::nrm1_diff<T, 99>(d.a, d.b));
  *count = k;
}
// Runs `ours` on the first copy of the operands in out and `theirs` on the second, n numbers each.
template <class T, class Ours, class Theirs>
__device__ void both(data<T> d, int n, int at, Ours ours, Theirs theirs) {
  T *c = d.out + at, *e = c + n;
  for (int i = threadIdx.x; i < n; i += threads) c[i] = e[i] = d.b[i];
  __syncthreads();
  ours(c), theirs(e);
  __syncthreads();
}
#if FACES & 2
template <class T>
__global__ void products(data<T> d) {
  extern __shared__ __align__(16) char memory[];
  using nvidia::block::gemm;
  constexpr Trans no = Trans::no, yes = Trans::yes;
  both(
      d, 108, 0, [&](T* c) { block::gemm<T, 12, 9, 17>(2, d.a, d.b, 3, c); },
      [&](T* c) { gemm<T, 12, 9, 17>(2, d.a, d.b, 3, c); });
  both(
      d, 108, 216, [&](T* c) { block::gemm<T, 12, 9, 17, yes, no>(2, d.a, d.b, c); },
      [&](T* c) { gemm<T, 12, 9, 17, yes, no>(2, d.a, d.b, c, memory); });
  both(
      d, 108, 432, [&](T* c) { block::gemm<T, 12, 9, 17, no, yes, Order::row>(2, d.a, d.b, 3, c); },
      [&](T* c) { gemm<T, 12, 9, 17, no, yes, Order::row>(2, d.a, d.b, 3, c, memory); });
  both(
      d, 1024, 648, [&](T* c) { block::gemm<T, 32, 32, 32>(1, d.a, d.b, 0, c); },
      [&](T* c) { gemm<T, 32, 32, 32>(1, d.a, d.b, 0, c, memory); });
  both(
      d, 12, 2696, [&](T* c) { block::gemv<T, 9, 12, yes>(1, d.a, d.b, 2, c); },
      [&](T* c) { nvidia::block::gemv<T, 9, 12, yes>(1, d.a, d.b, 2, c); });
}
#endif
#if FACES & 4
// a: diagonally dominant, symmetric, of order 16.
template <class T>
__global__ void solvers(data<T> d) {
  int k = 4000;
  const auto code = [&](int ours, int theirs) { keep(d.out, k, T(ours), T(theirs)); };
  int ours = 0, theirs = 0;
  both(
      d, 256, 0,
      [&](T* c) {
        for (int i = threadIdx.x; i < 256; i += threads) c[i] = d.a[i];
        __syncthreads();
        ours = block::potrf<T, 16>(c);
      },
      [&](T* c) {
        for (int i = threadIdx.x; i < 256; i += threads) c[i] = d.a[i];
        __syncthreads();
        theirs = nvidia::block::potrf<T, 16>(c);
      });
  code(ours, theirs);
  both(
      d, 32, 512, [&](T* c) { block::potrs<T, 16, 2>(d.out, c); },
      [&](T* c) { nvidia::block::potrs<T, 16, 2>(d.out, c); });
  both(
      d, 32, 576, [&](T* c) { block::trsm<T, 16, 2>(2, d.out, c); },
      [&](T* c) { nvidia::block::trsm<T, 16, 2>(2, d.out, c); });
  both(
      d, 256, 640,
      [&](T* c) {
        for (int i = threadIdx.x; i < 256; i += threads) c[i] = d.a[255 - i] + (i % 16 == 3);
        __syncthreads();
        ours = block::getrf<T, 16>(c, d.piv);
      },
      [&](T* c) {
        for (int i = threadIdx.x; i < 256; i += threads) c[i] = d.a[255 - i] + (i % 16 == 3);
        __syncthreads();
        theirs = nvidia::block::getrf<T, 16>(c, d.piv + 16);
      });
  code(ours, theirs);
  for (int i = 0; i < 16; ++i) code(d.piv[i], d.piv[16 + i]);
  both(
      d, 32, 1152, [&](T* c) { block::getrs<T, 16, 2>(d.out + 640, d.piv, c); },
      [&](T* c) { nvidia::block::getrs<T, 16, 2>(d.out + 640, d.piv, c); });
  both(
      d, 144, 1216, [&](T* c) { block::geqrf<T, 12, 8>(c, c + 96); },
      [&](T* c) { nvidia::block::geqrf<T, 12, 8>(c, c + 96); });
  // One that is not positive definite: the same info.
  both(
      d, 256, 1504, [&](T* c) { ours = block::potrf<T, 16>(c); },
      [&](T* c) { theirs = nvidia::block::potrf<T, 16>(c); });
  code(ours, theirs);
}
#endif

int failures = 0;
template <class T>
void compare(const char* what, const std::vector<T>& out, int from, int n, int apart, double bound) {
  for (int i = from; i < from + n; ++i) {
    const double a = out[i], b = out[i + apart];
    if (std::isnan(a) && std::isnan(b)) continue;
    if (!(a == b || std::fabs(a - b) <= bound * std::fmax(1, std::fmax(std::fabs(a), std::fabs(b))))) {
      std::printf("%s: number %d is %.17g by glass, %.17g by NVIDIA's library\n", what, i, a, b);
      if (++failures > 20) return;
    }
  }
}
template <class T>
void run(const char* type) {
  const double bound = 400 * double(std::numeric_limits<T>::epsilon());
  std::vector<T> a(most), b(most), out(2 * most, std::numeric_limits<T>::quiet_NaN());
  for (int i = 0; i < most; ++i) a[i] = T(0.5 * (i * 7 % 9 - 4)), b[i] = T(0.25 * (i * 5 % 13 - 6));
  data<T> d;
  int* count;
  cudaMalloc(&d.a, most * sizeof(T)), cudaMalloc(&d.b, most * sizeof(T)), cudaMalloc(&d.out, 2 * most * sizeof(T));
  cudaMalloc(&d.piv, 64 * sizeof(int)), cudaMalloc(&count, sizeof(int));
  const auto load = [&] {
    cudaMemcpy(d.a, a.data(), most * sizeof(T), cudaMemcpyDefault);
    cudaMemcpy(d.b, b.data(), most * sizeof(T), cudaMemcpyDefault);
    out.assign(2 * most, std::numeric_limits<T>::quiet_NaN());
    cudaMemcpy(d.out, out.data(), 2 * most * sizeof(T), cudaMemcpyDefault);
  };
  const auto fetch = [&](const char* what) {
    if (const cudaError_t e = cudaDeviceSynchronize())
      std::printf("%s %s: %s\n", what, type, cudaGetErrorString(e)), ++failures;
    cudaMemcpy(out.data(), d.out, 2 * most * sizeof(T), cudaMemcpyDefault);
  };
  const auto reduce_all = [&](const char* what) {
    load();
    reductions<<<1, threads>>>(d, count);
    fetch(what);
    int n = 0;
    cudaMemcpy(&n, count, sizeof n, cudaMemcpyDefault);
    for (int k = 0; k < n; k += 2) compare(what, out, k, 1, 1, bound);
  };
  reduce_all("reductions");
  a[5] = a[700] = std::numeric_limits<T>::quiet_NaN();
  reduce_all("reductions with NaN");
  a[5] = a[700] = 0;
#if FACES & 2
  load();
  products<<<1, threads, 3 * 8192>>>(d);
  fetch("products");
  for (const int at : {0, 216, 432}) compare("gemm", out, at, 108, 108, bound);
  compare("gemm 32", out, 648, 1024, 1024, bound), compare("gemv", out, 2696, 12, 12, bound);
#endif
#if FACES & 4
  for (int j = 0; j < 16; ++j)
    for (int i = 0; i < 16; ++i) a[i + 16 * j] = i == j ? T(20 + i) : T(1) / T(1 + (i > j ? i - j : j - i));
  load();
  solvers<<<1, threads, 32768>>>(d);
  fetch("solvers");
  compare("potrf", out, 0, 256, 256, bound), compare("potrs", out, 512, 32, 32, bound);
  compare("trsm", out, 576, 32, 32, bound), compare("getrf", out, 640, 256, 256, bound);
  compare("getrs", out, 1152, 32, 32, bound), compare("geqrf", out, 1216, 144, 144, bound);
  for (int k = 4000; k < 4000 + 2 * 19; k += 2) compare("info or pivot", out, k, 1, 1, 0);
#endif
}
int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return std::printf("skipped: no GPU\n"), 77;
  run<float>("f32"), run<double>("f64");
  std::printf(failures ? "%d numbers differ\n" : "all agree\n", failures);
  return failures != 0;
}
