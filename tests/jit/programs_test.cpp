// The programs of the README on the host, as a user writes them, and everything else a description can say, with real
// code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cstdio>
#include <glass/jit.hpp>
#include <random>

namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

std::vector<float> random(std::size_t n, unsigned seed = 1) {
  std::mt19937 gen(seed);
  std::uniform_real_distribution<float> u(-1, 1);
  std::vector<float> v(n);
  for (auto& x : v) x = u(gen);
  return v;
}
using matrix = Eigen::MatrixXf;
using vector = Eigen::VectorXf;

// A cache that nobody else has, and little measuring.
class Programs : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    setenv("GLASS_DEVICE", "host", 1);
    setenv("GLASS_CACHE", "memory", 1);
    setenv("GLASS_TUNE", "off", 1);
  }
};

TEST_F(Programs, A_OneOperationOverABatch) {
  CUstream_st* stream = nullptr;
  std::vector<float> matrices(8192 * 144), right(8192 * 12), before;
  std::vector<int> codes(8192, -1);
  std::vector<matrix> kept;
  for (int p = 0; p < 8192; ++p) {
    const auto r = random(144, static_cast<unsigned>(p));
    const matrix G = Eigen::Map<const matrix>(r.data(), 12, 12), P = G * G.transpose() + 12 * matrix::Identity(12, 12);
    Eigen::Map<matrix>(&matrices[static_cast<std::size_t>(p) * 144], 12, 12) = P;
    if (p % 1000 == 0) kept.push_back(P);
  }
  right = before = random(right.size());
  float *A = matrices.data(), *b = right.data();
  int* info = codes.data();

  glass::jit::runtime rt;  // the first CUDA device, else the host; default cache
  auto posv = rt.operation("posv", {.sizes = {{"N", 12}, {"NRHS", 1}}, .type = glass::jit::f32, .batch = 8192});
  posv.launch(stream, 8192, A, b, info).check();  // device pointers; A: [batch][12*12] column-major
  std::puts(posv.why().c_str());                  // scope=tile8 pack=16 … exact, 2.1x over default, 40 samples

  EXPECT_THAT(codes, ::testing::Each(0));
  for (int k = 0; k < 9; ++k) {
    const vector x = Eigen::Map<const vector>(&right[static_cast<std::size_t>(k) * 12000], 12),
                 rhs = Eigen::Map<const vector>(&before[static_cast<std::size_t>(k) * 12000], 12);
    EXPECT_LT((kept[static_cast<std::size_t>(k)] * x - rhs).norm(), 1e-5 * rhs.norm());
  }
}

TEST_F(Programs, B_AFusedKernelOfOnesOwn) {
  CUstream_st* stream = nullptr;
  const auto jacobians = random(4096 * 42), residuals = random(4096 * 6, 2);
  std::vector<float> steps(4096 * 7);
  std::vector<int> infos(4096, -1);
  const float *J = jacobians.data(), *r = residuals.data();
  float* dq = steps.data();
  int* codes = infos.data();

  const char* text = R"(
  #include <glass/glass.cuh>
  template <class Scope, class T, int NX, int NU>            // one problem, any scope
  GLASS_DEVICE int lm_step(Scope scope, glass::matrix<const T, NX, NU> J, glass::vector<const T, NX> r, T lambda,
                           glass::vector<T, NU> dq, glass::matrix<T, NU, NU> H) {
    glass::syrk<glass::Trans::yes>(scope, 1, J, 0, H);             // H = JᵀJ
    glass::add_identity(scope, lambda, H);
    glass::gemv<glass::Trans::yes>(scope, 1, J, r, dq);            // dq = Jᵀr
    return glass::posv(scope, H, dq);                              // info
  })";
  using namespace glass::jit;
  auto step = compile({.name = "lm_step",
                       .text = text,
                       .operands = {in("J", {"NX", "NU"}), in("r", {"NX"}), scalar("lambda", 1e-3), out("dq", {"NU"}),
                                    scratch("H", {"NU", "NU"}), info()}},
                      {.sizes = {{"NX", 6}, {"NU", 7}}, .type = f32, .batch = 4096});
  step.launch(stream, 4096, J, r, 1e-3f, dq, codes).check();  // codes: int[4096] on the device, or nullptr

  EXPECT_THAT(infos, ::testing::Each(0));
  for (int p = 0; p < 4096; p += 97) {
    const Eigen::MatrixXd Jp = Eigen::Map<const matrix>(J + p * 42, 6, 7).cast<double>();
    const Eigen::VectorXd rp = Eigen::Map<const vector>(r + p * 6, 6).cast<double>();
    const Eigen::MatrixXd H = Jp.transpose() * Jp + 1e-3 * Eigen::MatrixXd::Identity(7, 7);
    const Eigen::VectorXd x = Eigen::Map<const vector>(dq + p * 7, 7).cast<double>();
    EXPECT_LT((H * x - Jp.transpose() * rp).norm(), 1e-4 * (1 + x.norm())) << p;
  }
  EXPECT_TRUE(step.launch(stream, 4096, J, r, 1e-3f, dq, nullptr));
}

// ---- tuned for real

TEST_F(Programs, TunedOnTheHostAndExactAfterwards) {
  glass::jit::runtime_options o;
  o.tuning_from_environment = false;
  o.tuning.budget_seconds = 30;
  glass::jit::runtime rt(o);
  const auto potrf = rt.operation("potrf", {.sizes = {{"N", 6}}, .type = glass::jit::f64, .batch = 512});
  EXPECT_EQ(potrf.tier(), glass::jit::tier::exact);
  EXPECT_GT(potrf.ns_per_problem(), 0);
  EXPECT_EQ(rt.counters().candidates_failed, 0);
  EXPECT_GT(rt.counters().candidates_measured, 3);
  std::vector<double> a(36, 0.0);
  for (int i = 0; i < 6; ++i) a[static_cast<std::size_t>(i) * 7] = 4;
  std::vector<int> code(1, -1);
  ASSERT_TRUE(potrf.launch(nullptr, 1, a.data(), code.data()));
  EXPECT_EQ(code[0], 0);
  EXPECT_EQ(a[35], 2);
}

// Built-ins, tuned: no candidate may disagree with the default placement. A part of the catalog: each takes seconds.
TEST_F(Programs, NoCandidateOfTheCatalogIsWrong) {
  glass::jit::runtime_options o;
  o.tuning_from_environment = false;
  o.tuning.budget_seconds = 1;
  std::vector<std::string> warnings;
  o.warning = [&](const std::string& w) { warnings.push_back(w); };
  glass::jit::runtime rt(o);
#ifdef __SANITIZE_THREAD__  // of the threads that tune
  const auto some = {"dot", "posv"};
#else
  const auto some = {"dot",  "softmax", "axpy", "clip", "gemv", "gemm", "syrk",    "trsm",         "potrf",
                     "posv", "gesv",    "ldlt", "inv",  "syev", "gels", "gn_step", "riccati_gain", "kalman_update"};
#endif
  for (const char* op : some) rt.operation(op, {.sizes = {{"N", 5}}, .batch = 300});
  EXPECT_THAT(warnings, ::testing::IsEmpty());
  EXPECT_EQ(rt.counters().candidates_failed, 0);
}

// ---- what a description can say

using namespace glass::jit;

const char* const weighted = R"(
template <int UNROLL, class Scope, class T, int N>
GLASS_DEVICE void weighted(Scope scope, T weight, glass::vector<const T, N> x, glass::vector<const T, N> mean, glass::vector<T, N> y) {
  for (int i = scope.rank(); i < N; i += scope.size()) y(i) = weight * (x(i) - mean(i)) + T(0 * UNROLL);
  scope.sync();
})";

TEST_F(Programs, TunablesBroadcastOperandsAndANumberPerProblem) {
  runtime rt;
  const operation_description d = {
      .name = "weighted",
      .text = weighted,
      .operands = {in("weight", {}), in("x", {"N"}).every(6), in("mean", {"N"}).shared_by_batch(), out("y", {"N"})},
      .tunables = {{"UNROLL", {1, 2, 4}}}};
  const auto w = random(10), x = random(60), mean = random(4);
  for (const char* where : {"UNROLL=4 pack=3", "UNROLL=2 scope=tile4 pack=2", "scope=warp pack=1 home=shared"}) {
    std::vector<float> y(40, 9);
    const kernel k = rt.compile(d, {.sizes = {{"N", 4}}, .batch = 10}, placement::parse(where));
    ASSERT_TRUE(k.launch(nullptr, 10, w.data(), x.data(), mean.data(), y.data())) << where;
    for (std::size_t p = 0; p < 10; ++p)
      for (std::size_t i = 0; i < 4; ++i) EXPECT_FLOAT_EQ(y[p * 4 + i], w[p] * (x[p * 6 + i] - mean[i])) << where;
  }
}

TEST_F(Programs, RunTimeSizes) {
  runtime rt;
  const kernel any = rt.operation("gemv", {.sizes = {{"M", up_to(9)}, {"N", up_to(7)}}, .batch = 16});
  for (const auto& [m, n] : {std::pair{9, 7}, {3, 5}, {1, 1}}) {
    const kernel k = any.with({{"M", m}, {"N", n}});
    const auto A = random(16 * static_cast<std::size_t>(m * n)), x = random(16 * static_cast<std::size_t>(n)),
               y0 = random(16 * static_cast<std::size_t>(m));
    auto y = y0;
    ASSERT_TRUE(k.launch(nullptr, 16, 2.f, A.data(), x.data(), 0.5f, y.data()));
    for (int p = 0; p < 16; ++p) {
      const vector expected = 2 * Eigen::Map<const matrix>(&A[static_cast<std::size_t>(p * m * n)], m, n) *
                                  Eigen::Map<const vector>(&x[static_cast<std::size_t>(p * n)], n) +
                              0.5f * Eigen::Map<const vector>(&y0[static_cast<std::size_t>(p * m)], m);
      EXPECT_LT((Eigen::Map<vector>(&y[static_cast<std::size_t>(p * m)], m) - expected).norm(), 1e-5);
    }
  }
}

TEST_F(Programs, RowMajorAndInterleavedOperands) {
  runtime rt;
  const operation_description d = {
      .name = "apply",
      .text = R"(
template <class Scope, class A, class X, class Y>
GLASS_DEVICE void apply(Scope scope, A a, X x, Y y) {
  for (int i = scope.rank(); i < 2; i += scope.size()) {
    float sum = 0;
    for (int j = 0; j < 3; ++j) sum += a(i, j) * x(j);
    y(i) = sum;
  }
  scope.sync();
})",
      .operands = {in("A", {2, 3}).row_major().leading(4), in("x", {3}).interleaved(), out("y", {2}).interleaved()}};
  const auto A = random(5 * 8), x = random(15);
  for (const char* where : {"pack=2", "scope=tile2 pack=3", "scope=tile2 pack=3 home=shared"}) {
    std::vector<float> y(10);
    ASSERT_TRUE(rt.compile(d, {.batch = 5}, placement::parse(where)).launch(nullptr, 5, A.data(), x.data(), y.data()))
        << where;
    for (std::size_t p = 0; p < 5; ++p)
      for (std::size_t i = 0; i < 2; ++i) {
        float sum = 0;
        for (std::size_t j = 0; j < 3; ++j) sum += A[p * 8 + i * 4 + j] * x[j * 5 + p];
        EXPECT_FLOAT_EQ(y[i * 5 + p], sum) << where;
      }
  }
}

TEST_F(Programs, OptionsChangeWhatIsComputed) {
  runtime rt;
  const auto A = random(12), x = random(4);
  std::vector<float> y(3, 0);
  ASSERT_TRUE(rt.operation("gemv", {.sizes = {{"M", 4}, {"N", 3}}, .options = {{"TRANS", "yes"}}})
                  .launch(nullptr, 1, 1.f, A.data(), x.data(), 0.f, y.data()));
  EXPECT_LT((Eigen::Map<vector>(y.data(), 3) -
             Eigen::Map<const matrix>(A.data(), 4, 3).transpose() * Eigen::Map<const vector>(x.data(), 4))
                .norm(),
            1e-6);
}

TEST_F(Programs, AMistakeInTheTextPointsAtItsLine) {
  runtime rt;
  try {
    rt.compile({.name = "broken",
                .text = "template <class S, class Y>\nGLASS_DEVICE void broken(S, Y y) {\n  y(0) = nonsense;\n}",
                .operands = {out("y", {1})}},
               {});
    FAIL() << "accepted";
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::compile_failed);
    EXPECT_THAT(std::string(e.what()) + e.log(), HasSubstr("nonsense"));
    EXPECT_THAT(e.versions(), ::testing::Not(::testing::IsEmpty()));
  }
}

TEST_F(Programs, UnknownNamesGetTheNearestValidOne) {
  runtime rt;
  try {
    rt.operation("possv", {.sizes = {{"N", 4}}});
    FAIL() << "accepted";
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::unknown_name);
    EXPECT_THAT(e.what(), HasSubstr("Did you mean 'posv'?"));
  }
}

TEST_F(Programs, KernelsOfStaticStorageMayOutliveMain) {
  static const kernel k = default_runtime().operation("dot", {.sizes = {{"N", 3}}});
  std::atexit([] {
    const float x[3] = {1, 2, 3};
    float r = 0;
    if (!k.launch(nullptr, 1, x, x, &r) || r != 14) std::_Exit(1);
  });
}

}  // namespace
