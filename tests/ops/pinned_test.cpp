// Inputs that the design pins with numbers and that no other test of an operation has, and what the pointer faces of
// several matrices and of matrices by rows do.
#include "glass/factor/inv.cuh"
#include "glass/factor/potrf_each.cuh"
#include "glass/matrix/gemm.cuh"
#include "glass/matrix/gemv.cuh"
#include "glass/reduce/argument.cuh"
#include "glass/reduce/norm.cuh"
#include "glass/reduce/prefix_sum.cuh"
#include "glass/reduce/softmax.cuh"
#include "glass/reduce/sum.cuh"
#include "glass/vector/axpy.cuh"
#include "glass/vector/elementwise.cuh"
#include "glass/vector/move.cuh"
#include "glass/vector/rotate.cuh"
#include "support/solves.hpp"

namespace glass::test {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();

// 0, 1, ..., n - 2, -1 in blocks of any number of threads.
struct counting {
  operand<float> x, y, z;
  explicit counting(const dense<float>& values)
      : x(values, layout::natural),
        y(dense<float>(values.rows, 1, poison<float>()), layout::natural),
        z(dense<float>(values.rows, 1, poison<float>()), layout::natural) {}
  float sum = 0, least = 0;
  int place = 0;
};
TEST(Pinned, WholeNumbersInBlocksOfAnyNumberOfThreads) {
  for (const int n : {1, 2, 3, 5, 7, 31, 33, 63, 65, 127, 129, 1000, 1001}) {
    dense<float> x(n, 1);
    for (int i = 0; i < n; ++i) x(i) = i == n - 1 ? -1 : float(i);
    in_every_order<counting>(
        {"block", 0, {1, 2, 3, 31, 32, 33, 64, 96, 100, 128, 256}}, "N=" + std::to_string(n),
        [&] { return counting(x); },
        [](counting& p) {
          const scope::block<> scope;
          const auto x = p.x.vector<layout::natural, -1>(), y = p.y.vector<layout::natural, -1>();
          const float sum = reduce(scope, x), least = reduce_min(scope, x);
          const int place = argmin(scope, x).index;
          prefix_sum_inclusive(scope, x, y);
          copy(scope, x, p.z.vector<layout::natural, -1>());
          use_all(scope, p.x, p.y, p.z);
          if (scope.rank() == scope.size() - 1) p.sum = sum, p.least = least, p.place = place;
        },
        [](counting& p) -> std::string {
          const int n = p.x.rows();
          if (!p.x.untouched() || !p.y.untouched([](int, int) { return true; }) ||
              !p.z.untouched([](int, int) { return true; }))
            return "an input or memory outside the output was written";
          float sum = 0;
          for (int i = 0; i < n; ++i) {
            sum += p.x.result()(i);
            if (p.y.result()(i) != sum || p.z.result()(i) != p.x.result()(i)) return "entry " + std::to_string(i);
          }
          return p.sum == sum && p.least == -1 && p.place == n - 1 ? "" : "another sum or least entry";
        });
  }
}
TEST(Pinned, ArgumentsOfExtremes) {
  const float a[] = {nan, 1, 3, nan, 3}, b[] = {nan}, c[] = {-3, 3}, d[] = {-1, -2};
  const auto is = [](index_value<float> got, int index, float value) {
    return got.index == index && (got.value == value || (std::isnan(got.value) && std::isnan(value)));
  };
  EXPECT_TRUE(is(thread::argmax<float, 5>(a), 2, 3));
  EXPECT_TRUE(is(thread::argmin<float, 5>(a), 1, 1));
  EXPECT_TRUE(is(thread::argmax<float, 1>(b), 0, nan));
  EXPECT_TRUE(is(thread::iamax<float, 2>(c), 0, 3));
  EXPECT_TRUE(is(thread::argmax<float, 2>(d), 0, -1));
}
TEST(Pinned, NormsAndSoftMaximaOfWhatIsNotFinite) {
  const float a[] = {inf, 1}, b[] = {nan, inf}, c[] = {1e-42f, 1e-42f, 1e-42f, 1e-42f};
  EXPECT_EQ((thread::nrm2<float, 2>(a)), inf);
  EXPECT_TRUE(std::isnan(thread::nrm2<float, 2>(b)));
  EXPECT_EQ((thread::nrm2<float, 4>(c)), 2 * 1e-42f);
  const double lowest[] = {-inf, 0}, low[] = {-inf, -inf}, high[] = {inf, 0};
  double y[2];
  thread::softmax<double, 2>(1, lowest, y);
  EXPECT_EQ(y[0], 0);
  EXPECT_EQ(y[1], 1);
  thread::softmax<double, 2>(1, low, y);
  EXPECT_TRUE(std::isnan(y[0]) && std::isnan(y[1]));
  thread::softmax<double, 2>(1, high, y);
  EXPECT_TRUE(std::isnan(y[0]) && std::isnan(y[1]));
  EXPECT_EQ((thread::logsumexp<double, 2>(1, low)), -inf);
}
TEST(Pinned, Clip) {
  float x[] = {nan, 5, -5}, y[] = {0.5f};
  const float l[] = {0, 0, 0}, u[] = {1, 1, 1}, two[] = {2}, one[] = {1};
  thread::clip<float, 3>(x, l, u);
  EXPECT_TRUE(std::isnan(x[0]));
  EXPECT_EQ(x[1], 1);
  EXPECT_EQ(x[2], 0);
  thread::clip<float, 1>(y, two, one);
  EXPECT_EQ(y[0], 1);
}
TEST(Pinned, NothingIsReadOrWrittenOfNothing) {
  float* none = nullptr;
  thread::axpy<float>(0, 1, none, none, none), thread::axpby<float>(0, 1, none, 1, none, none);
  thread::copy<float>(0, 2, none, none), thread::scal<float>(0, 2, none), thread::set_const<float>(0, 2, none);
  thread::swap<float>(0, none, none), thread::rot<float>(0, none, none, 1, 0), thread::clip<float>(0, none, none, none);
  thread::elementwise_abs<float>(0, none, none), thread::elementwise_mult_scalar<float>(0, none, 2, none);
  thread::prefix_sum_inclusive<float>(0, none, none), thread::prefix_sum_exclusive<float>(0, none, none);
  EXPECT_EQ(thread::reduce<float>(0, none) + thread::asum<float>(0, none) + thread::nrm1_diff<float>(0, none, none), 0);
  EXPECT_EQ(thread::nrm2<float>(0, none) + thread::infnorm<float>(0, none), 0);
  EXPECT_EQ(thread::argmax<float>(0, none).value, -inf);
  EXPECT_EQ(thread::argmin<float>(0, none).value, inf);
  EXPECT_EQ(thread::iamax<float>(0, none).value, 0);
  EXPECT_EQ((thread::softmax<float>(0, 1, none, none).sum), 0);
}
TEST(Pinned, CholeskyWithoutAPivot) {
  for (const float x : {0.0f, -1.0f, nan, inf}) {
    float a[] = {x};
    EXPECT_EQ((thread::potrf<float, 1>(a)), 1);
  }
  float a[] = {1, 2, 2, 1};
  EXPECT_EQ((thread::potrf<float, 2>(a)), 2);
}

TEST(PointerFaces, OfSeveralMatrices) {
  float a[] = {4}, b[] = {1, 2, 9, 1}, c[] = {2}, d[] = {0, 2, 1, 0};
  const auto factors = thread::potrf_each<float, 1, 2>(a, b);
  EXPECT_EQ(factors.at[0], 0);
  EXPECT_EQ(factors.at[1], 2);
  EXPECT_EQ(a[0], 2);
  const auto inverses = thread::inv_each<float, 1, 2>(c, d);
  EXPECT_EQ(inverses.at[0] + inverses.at[1], 0);
  EXPECT_EQ(c[0], 0.5f);
  EXPECT_EQ(d[1], 1);
  EXPECT_EQ(d[2], 0.5f);
}
TEST(PointerFaces, OfMatricesByRows) {
  const float a[] = {1, 2, 3, 4, 5, 6}, x[] = {1, 0, -1}, e[] = {1, 0, 0, 1};
  float y[2], c[6];
  thread::gemv<float, 2, 3, Order::row>(1, a, x, y);
  EXPECT_EQ(y[0], -2);
  EXPECT_EQ(y[1], -2);
  thread::gemv<float, Order::row>(2, 3, 1, a, x, 1, y);
  EXPECT_EQ(y[1], -4);
  thread::gemm<float, 2, 3, 2, Order::row>(1, e, a, c);  // a by columns, c by rows
  EXPECT_EQ((std::vector<float>(c, c + 6)), (std::vector<float>{1, 3, 5, 2, 4, 6}));
  thread::gemm<float, Order::row, Trans::yes>(2, 3, 2, 1, e, a, 1, c);
  EXPECT_EQ(c[1], 6);
}

}  // namespace
}  // namespace glass::test
