// Launch shapes from the tables, without a runtime: glass::recommend says at compile time how each kernel is placed
// (thread, tile, warp or block) and on the host how it is launched, for the same architecture. Solves or multiplies 1000
// problems of each kind and checks them. Exit status: 0 right, 1 wrong, 77 no GPU that can run it.
#include <glass/glass.cuh>
#include <glass/recommend.cuh>

using glass::op;
constexpr int batch = 1000;

// The problem of the calling scope, if there is one: where its numbers lie.
template <class Scope>
GLASS_DEVICE long long problem_of(const glass::recommendation& r) {
  return (long long)(blockIdx.x) * r.problems + Scope::index();
}

template <int N>
__global__ void multiply(const double* x, const double* y, double* r) {  // dot: a thread a problem, for small N
  constexpr auto how = glass::recommend<op::dot, double, N, batch>();
  using S = glass::recommended_scope<how.width, how.block, how.problems>;
  const long long p = problem_of<S>(how);
  if (p >= batch) return;
  const double sum =
      glass::dot(S{}, glass::vector<const double, N>{x + p * N}, glass::vector<const double, N>{y + p * N});
  if (S{}.rank() == 0) r[p] = sum;
}

template <int N>
__global__ void solve(float* A, float* b) {  // posv: tiles for N = 12, a warp for 64
  constexpr auto how = glass::recommend<op::posv, float, N, batch>();
  using S = glass::recommended_scope<how.width, how.block, how.problems, how.reserve, how.in_step>;
  static_assert(!how.staged, "its operands would have to be copied to shared memory first");
  const long long p = problem_of<S>(how);
  if (p >= batch) return;  // and what follows is all that the kernel does: in step, where the body goes so
  glass::posv<how.body>(S{}, glass::matrix<float, N, N>{A + p * N * N}, glass::vector<float, N>{b + p * N});
}

template <int N>
__global__ void factor(float* A) {  // potrf: a block a problem for N = 128
  constexpr auto how = glass::recommend<op::potrf, float, N, batch>();
  using S = glass::recommended_scope<how.width, how.block, how.problems, how.reserve, how.in_step>;
  const long long p = problem_of<S>(how);
  if (p >= batch) return;
  glass::potrf<how.body>(S{}, glass::matrix<float, N, N>{A + p * N * N});
}

#if defined(__CUDACC_RTC__)  // the device part alone
template __global__ void multiply<8>(const double*, const double*, double*);
template __global__ void solve<12>(float*, float*);
template __global__ void solve<64>(float*, float*);
template __global__ void factor<128>(float*);
#else
#include <cmath>
#include <cstdio>
#include <vector>

// A(i, j) of problem p: symmetric, diagonally dominant.
static float entry(int n, int p, int i, int j) {
  return i == j ? float(n + 1) : std::cos(float(p % 97 + i * j + i + j));
}

template <class T>
struct array {
  T* at = nullptr;
  std::size_t bytes;
  explicit array(const std::vector<T>& v) : bytes(v.size() * sizeof(T)) {
    cudaMalloc(&at, bytes), cudaMemcpy(at, v.data(), bytes, cudaMemcpyHostToDevice);
  }
  std::vector<T> values() const {
    std::vector<T> v(bytes / sizeof(T));
    cudaMemcpy(v.data(), at, bytes, cudaMemcpyDeviceToHost);
    return v;
  }
  ~array() { cudaFree(at); }
};

// The architecture that the kernel's code was compiled for, which is what its own recommend answers for.
template <class Kernel>
static int arch_of(Kernel kernel) {
  cudaFuncAttributes attributes = {};
  return cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess ? attributes.ptxVersion : 0;
}
template <class Kernel, class... Arguments>
static void launch(Kernel kernel, const glass::recommendation& how, Arguments... arguments) {
  if (how.shared_bytes > 48 << 10)
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(how.shared_bytes));
  // clang-format off
  kernel<<<how.blocks(batch), how.threads, how.shared_bytes>>>(arguments...);
  // clang-format on
}
static bool report(const char* what, const glass::recommendation& how, double worst, double most) {
  const cudaError_t error = cudaGetLastError();
  const char* const tiers[] = {"exact", "nearby_batch", "nearby_shape", "other_device", "model"};
  std::printf("%s: %s%d x %d a block, expected %.3g ns (%s): %s, largest error %.2g\n", what, how.block ? "block " : "",
              how.width, how.problems, how.ns, tiers[int(how.how)], cudaGetErrorString(error), worst);
  return error == cudaSuccess && worst < most;
}

static bool multiply_all() {
  constexpr int n = 8;
  std::vector<double> x(batch * n), y(batch * n);
  for (int i = 0; i < batch * n; ++i) x[i] = i % 13 - 6, y[i] = i % 7 - 3;
  const array<double> dx(x), dy(y), dr(std::vector<double>(batch, -1));
  const auto how = glass::recommend<op::dot, double, n, batch>(arch_of(multiply<n>));
  launch(multiply<n>, how, dx.at, dy.at, dr.at);
  const std::vector<double> r = dr.values();
  double worst = 0;
  for (int p = 0; p < batch; ++p) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += x[p * n + i] * y[p * n + i];
    worst = std::fmax(worst, std::fabs(r[p] - sum));
  }
  return report("dot N=8", how, worst, 1e-12);
}
template <int N>
static bool solve_all(const char* what) {
  std::vector<float> A(std::size_t(batch) * N * N), b(batch * N);
  for (int p = 0; p < batch; ++p)
    for (int j = 0; j < N; ++j)
      for (int i = 0; i < N; ++i) {
        A[(std::size_t(p) * N + j) * N + i] = entry(N, p, i, j);
        b[p * N + i] += entry(N, p, i, j) * float(j % 5 + 1);
      }
  const array<float> dA(A), db(b);
  const auto how = glass::recommend<op::posv, float, N, batch>(arch_of(solve<N>));
  launch(solve<N>, how, dA.at, db.at);
  const std::vector<float> x = db.values();
  double worst = 0;
  for (int i = 0; i < batch * N; ++i)
    worst = std::fmax(worst, std::isfinite(x[i]) ? std::fabs(x[i] - float(i % N % 5 + 1)) : 1e9);
  return report(what, how, worst, 1e-3);
}
static bool factor_all() {
  constexpr int n = 128;
  std::vector<float> A(std::size_t(batch) * n * n);
  for (int p = 0; p < batch; ++p)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) A[(std::size_t(p) * n + j) * n + i] = entry(n, p, i, j);
  const array<float> dA(A);
  const auto how = glass::recommend<op::potrf, float, n, batch>(arch_of(factor<n>));
  launch(factor<n>, how, dA.at);
  const std::vector<float> L = dA.values();
  double worst = 0;  // of L L' - A, the first columns of some problems
  for (int p = 0; p < batch; p += 111)
    for (int j = 0; j < 8; ++j)
      for (int i = j; i < n; ++i) {
        double sum = 0;
        for (int k = 0; k <= j; ++k)
          sum += double(L[(std::size_t(p) * n + k) * n + i]) * L[(std::size_t(p) * n + k) * n + j];
        const double error = std::fabs(sum - entry(n, p, i, j));
        worst = std::fmax(worst, std::isfinite(error) ? error : 1e9);
      }
  return report("potrf N=128", how, worst, 1e-3);
}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("skipped: no GPU");
    return 77;
  }
  const bool right[] = {multiply_all(), solve_all<12>("posv N=12"), solve_all<64>("posv N=64"), factor_all()};
  return right[0] && right[1] && right[2] && right[3] ? 0 : 1;
}
#endif
