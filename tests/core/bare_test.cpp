// Bare names solve the block's problem with the measured body, in blocks of every size: all lanes get the result.
#include <glass/factor/posv.cuh>
#include <glass/matrix/gemm.cuh>
#include <glass/matrix/gemv.cuh>
#include <glass/vector/dot.cuh>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "lanes.hpp"

namespace {
using glass::dispatch::alone;
using glass::dispatch::op_named;
using glass::dispatch::size_named;
using glass::dispatch::sized;
using glass::dispatch::tier;
using glass::dispatch::word;
template <int N>
using n_is = glass::types<sized<size_named("N"), N>>;

const int block_sizes[] = {1, 31, 32, 33, 64, 128, 1000};

template <class T>
std::vector<T> spd(int n) {
  std::vector<T> a(std::size_t(n) * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) a[std::size_t(j) * n + i] = i == j ? T(n + 1) : T(std::cos(i * j + i + j));
  return a;
}

TEST(bare, takes_the_decision_for_one_problem) {
  using exact = alone<op_named("posv"), float, n_is<16>>;
  static_assert(exact::chosen.how == tier::exact && exact::width == 16 && exact::body == glass::Body::rows);
  using nearby = alone<op_named("posv"), float, n_is<14>>;
  static_assert(nearby::chosen.how == tier::nearby_shape && nearby::width == 16);
  using whole_block = alone<op_named("potrf"), float, n_is<128>>;
  static_assert(whole_block::block && whole_block::width == 256 && whole_block::body == glass::Body::regs);
  static_assert(alone<op_named("potrf"), double, n_is<128>>::body == glass::Body::regs);  // of many problems: `whole`
  using one_lane = alone<op_named("dot"), float, n_is<8>>;
  static_assert(one_lane::width == 1 && one_lane::options == 0);
}
TEST(bare, is_the_block_where_nothing_near_was_measured_or_the_call_names_a_body) {
  static_assert(alone<op_named("posv"), float, n_is<400>>::options == -1);                         // too far
  static_assert(alone<op_named("posv"), float, n_is<16>, glass::Body::loop>::options == -1);       // named
  static_assert(alone<op_named("posv"), float, n_is<16>, glass::Shift::identity>::options == -1);  // other options
  static_assert(alone<op_named("potrf"), double, n_is<112>>::options == -1);  // what is fastest takes a reserve
  static_assert(alone<op_named("no such operation"), float, n_is<16>>::options == -1);
  static_assert(alone<op_named("posv"), float,
                      glass::types<sized<size_named("N"), 16>, sized<size_named("no size"), 2>>>::options == -1);
  static_assert(alone<op_named("posv"), int, n_is<16>>::options == -1);
}

template <class T, int N>
void solves(std::vector<int> blocks = {std::begin(block_sizes), std::end(block_sizes)}) {
  const std::vector<T> a = spd<T>(N);
  std::vector<T> x(N);
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < N; ++i) x[i] += a[std::size_t(j) * N + i] * T(j + 1);
  for (const int lanes : blocks) {
    std::vector<T> factor = a, b = x;
    std::vector<int> infos(lanes, -1);
    glass::test::lanes::run(lanes, 0, nullptr, [&] {
      const int info = glass::posv<T, N>(factor.data(), b.data());
      infos[glass::scope::block<>{}.rank()] = info;
    });
    EXPECT_EQ(infos, std::vector<int>(lanes, 0)) << lanes << " lanes";
    for (int i = 0; i < N; ++i) ASSERT_NEAR(b[i], i + 1, sizeof(T) == 4 ? 2e-3 : 1e-10) << lanes << " lanes, " << i;
  }
}
TEST(bare, posv_on_a_tile_solves_in_every_block) { solves<float, 12>(); }
TEST(bare, posv_on_a_warp_solves) { solves<double, 32>({33}); }
TEST(bare, posv_of_a_matrix_that_is_not_positive_definite_tells_every_lane) {
  for (const int lanes : block_sizes) {
    std::vector<float> a = spd<float>(16), b(16, 1);
    a[3 * 16 + 3] = std::numeric_limits<float>::quiet_NaN();
    std::vector<int> infos(lanes);
    glass::test::lanes::run(lanes, 0, nullptr, [&] {
      const int info = glass::posv<float, 16>(a.data(), b.data());
      infos[glass::scope::block<>{}.rank()] = info;
    });
    EXPECT_EQ(infos, std::vector<int>(lanes, 4)) << lanes;
    EXPECT_EQ(b, std::vector<float>(16, 1)) << lanes;
  }
}
TEST(bare, dot_by_one_lane_is_known_to_all) {
  static_assert(alone<op_named("dot"), double, n_is<8>>::width == 1);
  const double x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8] = {1, 1, 1, 1, 1, 1, 1, 2};
  for (const int lanes : block_sizes) {
    std::vector<double> all(lanes);
    glass::test::lanes::run(lanes, 0, nullptr, [&] {
      const double r = glass::dot<double, 8>(x, y);
      all[glass::scope::block<>{}.rank()] = r;
    });
    EXPECT_EQ(all, std::vector<double>(lanes, 44)) << lanes;
  }
}
// Of an operation that returns nothing: what one lane wrote, another reads after it.
TEST(bare, gemv_and_gemm_end_synchronised_in_every_block) {
  using block128 =
      alone<op_named("gemm"), float,
            glass::types<sized<size_named("M"), 32>, sized<size_named("N"), 32>, sized<size_named("K"), 32>>>;
  static_assert(block128::block && block128::width == 128 && block128::options == 3);
  std::vector<float> A(32 * 32), B(32 * 32);
  for (int i = 0; i < 32 * 32; ++i) A[i] = float(i % 7) - 3, B[i] = float(i % 5) - 2;
  for (const int lanes : block_sizes) {
    std::vector<float> C(32 * 32, -1), y(16, -1);
    std::vector<float> seen(lanes), seen_y(lanes);
    glass::test::lanes::run(lanes, 0, nullptr, [&] {
      const int rank = glass::scope::block<>{}.rank();
      glass::gemm<float, 32, 32, 32>(1, A.data(), B.data(), C.data());
      seen[rank] = C[(rank * 37 + 5) % (32 * 32)];
      glass::gemv<float, 16, 16>(1, A.data(), B.data(), y.data());
      seen_y[rank] = y[(rank + 1) % 16];
    });
    for (int rank = 0; rank < lanes; ++rank) {
      const int e = (rank * 37 + 5) % (32 * 32), i = e % 32, j = e / 32;
      float sum = 0, row = 0;
      for (int k = 0; k < 32; ++k) sum += A[k * 32 + i] * B[j * 32 + k];
      for (int k = 0; k < 16; ++k) row += A[k * 16 + (rank + 1) % 16] * B[k];
      ASSERT_EQ(seen[rank], sum) << lanes << " lanes, lane " << rank;
      ASSERT_EQ(seen_y[rank], row) << lanes << " lanes, lane " << rank;
    }
  }
}
}  // namespace
