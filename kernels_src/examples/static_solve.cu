// The headers without a runtime: an ordinary CUDA program, no link step, no dependency. Solves 1000 systems of 12
// unknowns twice, with the pointer face (one problem per block) and the value face (eight lanes per problem), and
// checks both. Exit status: 0 right, 1 wrong, 77 no GPU that can run it.
#include <glass/glass.cuh>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int n = 12, problems = 1000, per_block = 16;

__global__ void solve_by_block(float* A, float* b) {  // one problem per block, in the style of the GLASS paper
  glass::posv<float, n>(A + blockIdx.x * n * n, b + blockIdx.x * n);
}

__global__ void solve_by_tile(float* A, float* b) {  // eight lanes per problem, sixteen problems per block
  using tile = glass::scope::tile<8>;
  const int problem = blockIdx.x * per_block + tile::index();
  if (problem < problems)
    glass::posv(tile{}, glass::matrix<float, n, n>{A + problem * n * n}, glass::vector<float, n>{b + problem * n});
}

// A symmetric, diagonally dominant, different for each problem; b = A times (1, 2, ..., n).
static void fill(std::vector<float>& A, std::vector<float>& b) {
  for (int p = 0; p < problems; ++p)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const float a = i == j ? n + 1.0f : std::cos(float(p + i * j + i + j));
        A[p * n * n + j * n + i] = a;
        b[p * n + i] += a * float(j + 1);
      }
}

template <class Launch>
static bool right(const char* name, Launch launch) {
  std::vector<float> A(problems * n * n), b(problems * n);
  fill(A, b);
  float *dA, *db;
  cudaMalloc(&dA, A.size() * sizeof(float)), cudaMalloc(&db, b.size() * sizeof(float));
  cudaMemcpy(dA, A.data(), A.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  launch(dA, db);
  cudaMemcpy(b.data(), db, b.size() * sizeof(float), cudaMemcpyDeviceToHost);
  const cudaError_t error = cudaGetLastError();
  cudaFree(dA), cudaFree(db);
  float worst = 0;
  for (int p = 0; p < problems; ++p)
    for (int i = 0; i < n; ++i)
      worst = std::fmax(worst, std::isfinite(b[p * n + i]) ? std::fabs(b[p * n + i] - float(i + 1)) : INFINITY);
  std::printf("%s: %s, largest error %.2g\n", name, cudaGetErrorString(error), worst);
  return error == cudaSuccess && worst < 1e-4f;
}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("skipped: no GPU");
    return 77;
  }
  const bool by_block =
      right("one problem per block", [](float* A, float* b) { solve_by_block<<<problems, 64>>>(A, b); });
  const bool by_tile = right("eight lanes per problem", [](float* A, float* b) {
    solve_by_tile<<<(problems + per_block - 1) / per_block, 8 * per_block>>>(A, b);
  });
  return by_block && by_tile ? 0 : 1;
}
