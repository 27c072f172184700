// A kernel for each face of a static build: thread, tile, warp, block, the bare name, and a shape from glass::recommend.
#include <glass/glass.cuh>
#include <glass/recommend.cuh>

extern "C" __global__ void on_a_thread(float* A, float* b, int* info) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  info[p] = glass::thread::posv<float, 4>(A + p * 16, b + p * 4);
}
extern "C" __global__ void on_a_tile(float* A, float* b, int* info) {
  using tile = glass::scope::tile<8>;
  const int p = blockIdx.x * blockDim.x / 8 + tile::index();
  info[p] = glass::posv(tile{}, glass::matrix<float, 12, 12>{A + p * 144}, glass::vector<float, 12>{b + p * 12});
}
extern "C" __global__ void on_a_warp(float* A, float* b, int* info) {
  const int p = blockIdx.x * blockDim.x / 32 + glass::scope::warp::index();
  info[p] = glass::warp::posv<float, 12>(A + p * 144, b + p * 12);
}
extern "C" __global__ void on_a_block(float* A, float* b, int* info) {
  const int p = blockIdx.x;
  info[p] = glass::block::posv<float, 12>(A + p * 144, b + p * 12);
}
// One problem a block, as measured: posv on a tile, gemm on a block of 128 threads, dot on one lane, trsv on a warp.
extern "C" __global__ void bare(float* A, float* b, float* C, float* r, int* info) {
  const int p = blockIdx.x;
  info[p] = glass::posv<float, 12>(A + p * 1024, b + p * 32);
  glass::gemm<float, 32, 32, 32>(1, A, A + 1024, C + p * 1024);
  r[p] = glass::dot<float, 8>(b, C);
  glass::trsv<float, 32>(C, b);
  glass::trsv<float, 32, glass::Trans::yes, glass::Sync::no>(C, b);
}
extern "C" __global__ void recommended(double* A, double* b, int* info) {
  constexpr auto how = glass::recommend<glass::op::posv, double, 16, 4096>();
  static_assert(how.found() && how.threads <= 1024 && !how.staged, "a shape for every architecture");
  using S = glass::recommended_scope<how.width, how.block, how.problems, how.reserve, how.in_step>;
  const int p = blockIdx.x * how.problems + S::index();
  info[p] =
      glass::posv<how.body>(S{}, glass::matrix<double, 16, 16>{A + p * 256}, glass::vector<double, 16>{b + p * 16});
}
