// Do bare calls in a static kernel have the table's body and its speed? For each problem: the bare name in a kernel of
// nvcc, in the block that it was measured in and in one of 128 threads, beside the JIT's kernel of the same placement,
// and the block's own name as it was before there was a table. One problem a launch, launches in a graph, medians of
// rounds that alternate between the four.
//   cmake -DGLASS_BUILD_BENCH=ON; ninja glass_bench_static_calls; bench/bench_static_calls [rounds]
// Prints a line each, ns of a launch and bare / JIT; exit status 1 when one of them is above 1.05 or a result differs.
#include <glass/glass.cuh>
#include <glass/jit.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {
using glass::dispatch::alone;
using glass::dispatch::op_named;
using glass::dispatch::size_named;
using glass::dispatch::sized;
namespace jit = glass::jit;

void check(cudaError_t e, const char* what) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
  std::exit(2);
}
#define CHECK(call) check((call), #call)

constexpr int launches = 200;  // of a graph

template <class T, int N>
struct posv {
  static constexpr const char* name = "posv";
  using measured = alone<op_named("posv"), T, glass::types<sized<size_named("N"), N>>>;
  static jit::problem problem() { return {{{"N", N}}, sizeof(T) == 8 ? jit::f64 : jit::f32}; }
  GLASS_DEVICE static void bare(T* A, T* b, T*, int* info) {
    const int i = glass::posv<T, N>(A, b);
    if (threadIdx.x == 0) *info = i;
  }
  GLASS_DEVICE static void block(T* A, T* b, T*, int* info) {
    const int i = glass::block::posv<T, N>(A, b);
    if (threadIdx.x == 0) *info = i;
  }
  static jit::status launch(const jit::kernel& k, cudaStream_t s, T* A, T* b, T*, int* info) {
    return k.launch(s, 1, A, b, info);
  }
};
template <class T, int N>
struct potrf {
  static constexpr const char* name = "potrf";
  using measured = alone<op_named("potrf"), T, glass::types<sized<size_named("N"), N>>>;
  static jit::problem problem() { return posv<T, N>::problem(); }
  GLASS_DEVICE static void bare(T* A, T*, T*, int* info) {
    const int i = glass::potrf<T, N>(A);
    if (threadIdx.x == 0) *info = i;
  }
  GLASS_DEVICE static void block(T* A, T*, T*, int* info) {
    const int i = glass::block::potrf<T, N>(A);
    if (threadIdx.x == 0) *info = i;
  }
  static jit::status launch(const jit::kernel& k, cudaStream_t s, T* A, T*, T*, int* info) {
    return k.launch(s, 1, A, info);
  }
};
template <class T, int N>
struct trsv {
  static constexpr const char* name = "trsv";
  using measured = alone<op_named("trsv"), T, glass::types<sized<size_named("N"), N>>>;
  static jit::problem problem() { return posv<T, N>::problem(); }
  GLASS_DEVICE static void bare(T* A, T* b, T*, int*) { glass::trsv<T, N>(A, b); }
  GLASS_DEVICE static void block(T* A, T* b, T*, int*) { glass::block::trsv<T, N>(A, b); }
  static jit::status launch(const jit::kernel& k, cudaStream_t s, T* A, T* b, T*, int*) { return k.launch(s, 1, A, b); }
};
template <class T, int N>
struct gemm {
  static constexpr const char* name = "gemm_to";
  using measured = alone<op_named("gemm"), T,
                         glass::types<sized<size_named("M"), N>, sized<size_named("N"), N>, sized<size_named("K"), N>>>;
  static jit::problem problem() { return posv<T, N>::problem(); }
  GLASS_DEVICE static void bare(T* A, T* B, T* C, int*) { glass::gemm<T, N, N, N>(1, A, B, C); }
  GLASS_DEVICE static void block(T* A, T* B, T* C, int*) { glass::block::gemm<T, N, N, N>(1, A, B, C); }
  static jit::status launch(const jit::kernel& k, cudaStream_t s, T* A, T* B, T* C, int*) {
    return k.launch(s, 1, T(1), A, B, C);
  }
};
template <class T, int N>
struct gemv {
  static constexpr const char* name = "gemv";
  using measured = alone<op_named("gemv"), T, glass::types<sized<size_named("M"), N>, sized<size_named("N"), N>>>;
  static jit::problem problem() { return {{{"M", N}, {"N", N}}, sizeof(T) == 8 ? jit::f64 : jit::f32}; }
  GLASS_DEVICE static void bare(T* A, T* x, T* y, int*) { glass::gemv<T, N, N>(1, A, x, 0, y); }
  GLASS_DEVICE static void block(T* A, T* x, T* y, int*) { glass::block::gemv<T, N, N>(1, A, x, 0, y); }
  static jit::status launch(const jit::kernel& k, cudaStream_t s, T* A, T* x, T* y, int*) {
    return k.launch(s, 1, T(1), A, x, T(0), y);
  }
};
template <class T, int N>
struct dot {
  static constexpr const char* name = "dot";
  using measured = alone<op_named("dot"), T, glass::types<sized<size_named("N"), N>>>;
  static jit::problem problem() { return posv<T, N>::problem(); }
  GLASS_DEVICE static void bare(T* x, T* y, T* r, int*) {
    const T sum = glass::dot<T, N>(x, y);
    if (threadIdx.x == 0) *r = sum;
  }
  GLASS_DEVICE static void block(T* x, T* y, T* r, int*) {
    const T sum = glass::block::dot<T, N>(x, y);
    if (threadIdx.x == 0) *r = sum;
  }
  static jit::status launch(const jit::kernel& k, cudaStream_t s, T* x, T* y, T* r, int*) {
    return k.launch(s, 1, x, y, r);
  }
};

// Bounds as the JIT's kernels have them: without, the assembler saves registers and loads late (dot f64 N = 16: 32
// registers against 64).
template <class Case, int Threads, class T>
__global__ void __launch_bounds__(Threads) bare_kernel(T* a, T* b, T* c, int* info) {
  Case::bare(a, b, c, info);
}
template <class Case, int Threads, class T>
__global__ void __launch_bounds__(Threads) block_kernel(T* a, T* b, T* c, int* info) {
  Case::block(a, b, c, info);
}

std::string placement_text(const glass::dispatch::placement& c) {
  const char* const bodies[] = {"", "fragment", "loop", "direct", "ring", "rows", "left", "regs", "stream", "whole"};
  const char* const tiles[] = {"m16n8",  "m16n16", "m16n32", "m16n48", "m32n24", "m32n32", "m32n48",
                               "m32n64", "m48n24", "m64n32", "m64n64", "m96n24", "m96n48"};
  const int w = c.width;
  std::string s = "scope=" +
                  (c.block() ? "block" + std::to_string(w)
                   : w == 1  ? std::string("thread")
                   : w == 32 ? std::string("warp")
                             : "tile" + std::to_string(w)) +
                  " pack=" + std::to_string(c.pack);
  using glass::dispatch::word;
  if (c.body != word::none) s += std::string(" body=") + bodies[int(glass::dispatch::body_of(c.body))];
  if (c.tunable[0] != word::none)
    s += std::string(" MMA=") + (glass::dispatch::mma_of(c.tunable[0]) == glass::Mma::f64 ? "f64" : "tf32x3") +
         " TILE=" + tiles[int(glass::dispatch::tile_of(c.tunable[1]))];
  return s;
}

double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
  return v[v.size() / 2];
}

bool all_right = true;

template <class Case, class T, int N>
void measure(jit::runtime& rt, cudaStream_t stream, int rounds) {
  using measured = typename Case::measured;
  if constexpr (measured::options < 0) {
    std::printf("%-8s %s N=%-4d not measured: the block's own body\n", Case::name, sizeof(T) == 8 ? "f64" : "f32", N);
    return;
  } else {
    const std::string where = placement_text(measured::chosen.where);
    constexpr int own = measured::block ? measured::width : 32;
    // A fixed point: the identity is its own factor, and solving with it changes nothing.
    std::vector<T> A(N * N), b(N * N);
    for (int i = 0; i < N * N; ++i) A[i] = i % (N + 1) == 0 ? T(1) : T(0), b[i] = T(i % 7) - 3;
    T *da[4], *db[4], *dc[4];
    int* info;
    for (int k = 0; k < 4; ++k) {
      CHECK(cudaMalloc(&da[k], sizeof(T) * N * N)), CHECK(cudaMalloc(&db[k], sizeof(T) * N * N));
      CHECK(cudaMalloc(&dc[k], sizeof(T) * N * N)), CHECK(cudaMemset(dc[k], 0, sizeof(T) * N * N));
      CHECK(cudaMemcpy(da[k], A.data(), sizeof(T) * N * N, cudaMemcpyHostToDevice));
      CHECK(cudaMemcpy(db[k], b.data(), sizeof(T) * N * N, cudaMemcpyHostToDevice));
    }
    CHECK(cudaMalloc(&info, sizeof(int))), CHECK(cudaMemset(info, 0, sizeof(int)));
    const jit::kernel kernel = rt.operation(Case::name, Case::problem(), jit::placement::parse(where));
    const std::function<void()> ways[4] = {
        [&] { bare_kernel<Case, own><<<1, own, 0, stream>>>(da[0], db[0], dc[0], info); },
        [&] { Case::launch(kernel, stream, da[1], db[1], dc[1], info).check(); },
        [&] { bare_kernel<Case, 128><<<1, 128, 0, stream>>>(da[2], db[2], dc[2], info); },
        [&] { block_kernel<Case, 128><<<1, 128, 0, stream>>>(da[3], db[3], dc[3], info); }};
    cudaGraphExec_t graphs[4];
    cudaEvent_t from, to;
    CHECK(cudaEventCreate(&from)), CHECK(cudaEventCreate(&to));
    for (int k = 0; k < 4; ++k) {
      cudaGraph_t graph;
      CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
      for (int i = 0; i < launches; ++i) ways[k]();
      CHECK(cudaStreamEndCapture(stream, &graph));
      CHECK(cudaGraphInstantiateWithFlags(&graphs[k], graph, 0));
      CHECK(cudaGraphDestroy(graph));
    }
    std::vector<double> ns[4];
    for (int round = -3; round < rounds; ++round)
      for (int k = 0; k < 4; ++k) {
        float ms = 0;
        CHECK(cudaEventRecord(from, stream)), CHECK(cudaGraphLaunch(graphs[k], stream));
        CHECK(cudaEventRecord(to, stream)), CHECK(cudaEventSynchronize(to));
        CHECK(cudaEventElapsedTime(&ms, from, to));
        if (round >= 0) ns[k].push_back(ms * 1e6 / launches);
      }
    double worst = 0;  // of what the ways leave in memory
    std::vector<T> expected[3], got(N * N);
    for (int k : {1, 0, 2, 3})
      for (int m = 0; m < 3; ++m) {
        CHECK(cudaMemcpy(got.data(), (m == 0 ? da : m == 1 ? db : dc)[k], sizeof(T) * N * N, cudaMemcpyDeviceToHost));
        if (k == 1) expected[m] = got;
        for (int i = 0; i < N * N; ++i) {
          const double apart = std::fabs(double(got[i]) - double(expected[m][i]));
          worst = std::isfinite(apart) ? std::fmax(worst, apart / (1 + std::fabs(double(expected[m][i])))) : 1e30;
        }
      }
    int code = 0;
    CHECK(cudaMemcpy(&code, info, sizeof code, cudaMemcpyDeviceToHost));
    const double ratio = median(ns[0]) / median(ns[1]);
    const bool right = worst < (sizeof(T) == 8 ? 1e-12 : 1e-4) && code == 0, fast = ratio <= 1.05;
    std::printf(
        "%-8s %s N=%-4d bare %7.0f  JIT %7.0f  bare/JIT %.3f%s  bare in 128 threads %7.0f  block in 128 %7.0f  %s%s\n",
        Case::name, sizeof(T) == 8 ? "f64" : "f32", N, median(ns[0]), median(ns[1]), ratio, fast ? "" : " SLOW",
        median(ns[2]), median(ns[3]), where.c_str(), right ? "" : "  WRONG");
    all_right = all_right && right && fast;
    for (int k = 0; k < 4; ++k) cudaFree(da[k]), cudaFree(db[k]), cudaFree(dc[k]), cudaGraphExecDestroy(graphs[k]);
    cudaFree(info), cudaEventDestroy(from), cudaEventDestroy(to);
  }
}
template <template <class, int> class Case, class T, int... N>
void sizes(jit::runtime& rt, cudaStream_t stream, int rounds) {
  (measure<Case<T, N>, T, N>(rt, stream, rounds), ...);
}
template <template <class, int> class Case>
void types(jit::runtime& rt, cudaStream_t stream, int rounds) {
  sizes<Case, float, 8, 12, 16, 32, 64>(rt, stream, rounds);
  sizes<Case, double, 8, 12, 16, 32, 64>(rt, stream, rounds);
}
}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 51;
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  jit::runtime_options options;
  options.tuning.mode = jit::tune_mode::off;
  jit::runtime rt(options);
  std::printf("%s\n", rt.device().name.c_str());
  types<posv>(rt, stream, rounds), types<potrf>(rt, stream, rounds), types<trsv>(rt, stream, rounds);
  types<gemm>(rt, stream, rounds), types<gemv>(rt, stream, rounds), types<dot>(rt, stream, rounds);
  sizes<potrf, float, 128>(rt, stream, rounds), sizes<gemm, float, 128>(rt, stream, rounds);
  return all_right ? 0 : 1;
}
