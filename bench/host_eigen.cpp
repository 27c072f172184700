// Question: how far is one core in thread scope, problem after problem, from Eigen's fixed-size code? The device
// headers and Eigen in one program, by turns, medians of CPU time; what both need to restore their input is timed alone
// and taken off. Wanted: potrf and posv within 1.3 times, gemm within 2 times Eigen, N = 4 … 32, f32 and f64.
//   bench_host_eigen [BATCH]      as many problems; without, what lies in the first-level cache
#include <Eigen/Dense>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <vector>

#include "glass/factor/posv.cuh"
#include "glass/matrix/gemm.cuh"

namespace {

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

int batch = 0;  // 0: what lies in the first-level cache

template <class T, int N>
struct problems {
  using matrix = Eigen::Matrix<T, N, N>;
  using column = Eigen::Matrix<T, N, 1>;
  const int count = batch > 0 ? batch : std::max(4, int(16384 / (N * N * sizeof(T))));
  std::vector<T> a0 = std::vector<T>(std::size_t(count) * N * N), a = a0, c = a0,
                 b0 = std::vector<T>(std::size_t(count) * N, T(1)), b = b0;
  int failures = 0;

  problems() {
    std::srand(1);
    for (int p = 0; p < count; ++p) {
      const matrix m = matrix::Random();
      Eigen::Map<matrix>(A0(p)) = m * m.transpose() + N * matrix::Identity();
    }
  }
  T* A0(int p) { return &a0[std::size_t(p * N * N)]; }
  T* A(int p) { return &a[std::size_t(p * N * N)]; }
  T* C(int p) { return &c[std::size_t(p * N * N)]; }
  T* B(int p) { return &b[std::size_t(p * N)]; }
  void restore(int p) {
    std::memcpy(A(p), A0(p), sizeof(T) * N * N);
    std::memcpy(B(p), &b0[std::size_t(p * N)], sizeof(T) * N);
    asm volatile("" ::: "memory");
  }
  // The two ways of each operation; Eigen's factor is copied back, for both leave it in place.
  [[gnu::noinline]] void eigen_potrf(int p) {
    Eigen::Map<matrix> m(A(p));
    const Eigen::LLT<matrix> l(m);
    m = l.matrixLLT();
    failures += l.info();
  }
  [[gnu::noinline]] void eigen_posv(int p) {
    Eigen::Map<matrix> m(A(p));
    Eigen::Map<column> x(B(p));
    const Eigen::LLT<matrix> l(m);
    l.solveInPlace(x);
    m = l.matrixLLT();
    failures += l.info();
  }
  [[gnu::noinline]] void eigen_gemm(int p) {
    Eigen::Map<matrix>(C(p)).noalias() = Eigen::Map<const matrix>(A0(p)) * Eigen::Map<const matrix>(A0(count - 1 - p));
    asm volatile("" ::: "memory");
  }
  [[gnu::noinline]] void our_potrf(int p) { failures += glass::thread::potrf<T, N>(A(p)); }
  [[gnu::noinline]] void our_posv(int p) { failures += glass::thread::posv<T, N>(A(p), B(p)); }
  [[gnu::noinline]] void our_gemm(int p) {
    glass::thread::gemm<T, N, N, N>(1, A0(p), A0(count - 1 - p), C(p));
    asm volatile("" ::: "memory");
  }
};

template <class T, int N>
void compare() {
  using all = problems<T, N>;
  all data;
  constexpr int ways = 7;
  std::vector<double> samples[ways];
  const auto sample = [&](int way, auto run) {
    int rounds = 0;
    const double start = cpu_seconds();
    double spent = 0;
    while (spent < 5e-4) {
      for (int p = 0; p < data.count; ++p) run(p);
      ++rounds;
      spent = cpu_seconds() - start;
    }
    samples[way].push_back(1e9 * spent / rounds / data.count);
  };
  for (int turn = 0; turn < 41; ++turn) {
    sample(0, [&](int p) { data.restore(p); });
    sample(1, [&](int p) { data.restore(p), data.eigen_potrf(p); });
    sample(2, [&](int p) { data.restore(p), data.our_potrf(p); });
    sample(3, [&](int p) { data.restore(p), data.eigen_posv(p); });
    sample(4, [&](int p) { data.restore(p), data.our_posv(p); });
    sample(5, [&](int p) { data.eigen_gemm(p); });
    sample(6, [&](int p) { data.our_gemm(p); });
  }
  double ns[ways];
  for (int w = 0; w < ways; ++w) {
    std::nth_element(samples[w].begin(), samples[w].begin() + 20, samples[w].end());
    ns[w] = samples[w][20] - (w >= 1 && w <= 4 ? ns[0] : 0);
  }
  std::printf("f%d %4d | %8.1f %8.1f %5.2f | %8.1f %8.1f %5.2f | %8.1f %8.1f %5.2f%s\n", int(8 * sizeof(T)), N, ns[1],
              ns[2], ns[2] / ns[1], ns[3], ns[4], ns[4] / ns[3], ns[5], ns[6], ns[6] / ns[5],
              data.failures ? "  FAILED" : "");
}
template <class T>
void every_size() {
  compare<T, 4>(), compare<T, 6>(), compare<T, 8>(), compare<T, 12>(), compare<T, 16>(), compare<T, 24>(),
      compare<T, 32>();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) batch = std::atoi(argv[1]);
  std::puts(
      "ns per problem on one core: Eigen, glass, glass / Eigen\n           potrf                     posv              "
      "        gemm");
  every_size<float>();
  every_size<double>();
}
