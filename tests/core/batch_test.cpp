// What an operand list means: the same body over the same numbers, for every layout, home and scope, against plain
// indexing.
#include <kernels_src/batch.cuh>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "lanes.hpp"

namespace {
namespace b = glass::batch;
using b::home, b::layout, b::run_time;
using glass::Order;

// Y = 2 X + s + l, z(i) = row sum of X, through a scratch matrix; info = 1 + rows.
struct body {
  template <class S, class X, class L, class Y, class Z, class W>
  static int run(S scope, X x, float s, L l, Y y, Z z, W w) {
    glass::each(scope, x.rows(), x.cols(), [&](int i, int j) { w(i, j) = 2 * x(i, j); });
    scope.sync();
    glass::each(scope, x.rows(), x.cols(), [&](int i, int j) { y(i, j) = w(i, j) + s + l; });
    glass::each(scope, x.rows(), [&](int i) {
      z(i) = 0;
      for (int j = 0; j < x.cols(); ++j) z(i) += w(i, j) / 2;
    });
    scope.sync();
    return 1 + x.rows();
  }
};

constexpr int M = 3, N = 5, count = 7;
constexpr float untouched = -99;

// Where element (i, j) of problem p lies, written down independently of operand<>.
struct where {
  Order order = Order::col;
  long long ld = M, stride = M * N;
  std::size_t operator()(int p, int i, int j) const {
    const long long e = order == Order::row ? i * ld + j : i + j * ld;
    return order == Order::interleaved ? e * count + p : p * stride + e;
  }
};

float value(int p, int i, int j) { return float(100 * p + 10 * i + j + 1); }

template <class S, int Pack, home H, class LX, class LY, int Rows, int Cols, class LZ = layout<>>
void check(where x_at, where y_at, std::vector<int> sizes = {}, bool with_info = true) {
  using scope_type = S;
  using X = b::in<float, LX, Rows, Cols>;
  std::vector<float> x(4000, untouched), y(4000, untouched), l(count), z(count * M, untouched);
  std::vector<int> info(count, -1);
  const bool broadcast = LX::stride == 0;
  for (int p = 0; p < count; ++p) {
    l[p] = float(1000 * p);
    for (int j = 0; j < N; ++j)
      for (int i = 0; i < M; ++i) x[x_at(p, i, j)] = value(broadcast ? 0 : p, i, j);
  }
  b::arguments<7> a = {};
  a.count = count;
  std::copy(sizes.begin(), sizes.end(), a.size);
  a.at[0].pointer = x.data(), a.at[1].f32 = 0.5f, a.at[2].pointer = l.data(), a.at[3].pointer = y.data();
  a.at[4].pointer = z.data(), a.at[6].pointer = with_info ? info.data() : nullptr;

#define GLASS_TEST_OPERANDS                                                                            \
  X, b::scalar<float>, b::in<float, layout<>>, b::out<float, LY, Rows, Cols>, b::out<float, LZ, Rows>, \
      b::scratch<float, layout<>, Rows, Cols>, b::info
  const std::size_t bytes = b::group_bytes<S, H, GLASS_TEST_OPERANDS>(Pack, a.size);
  std::vector<char> memory(bytes + 32, char(0x55));
  char* aligned = memory.data() + (16 - reinterpret_cast<std::uintptr_t>(memory.data()) % 16) % 16;
  for (int group = 0; group < (count + Pack - 1) / Pack; ++group)
    glass::test::lanes::run(S::width * Pack, group, aligned,
                            [&] { b::run<body, scope_type, Pack, H, GLASS_TEST_OPERANDS>(a); });
  for (std::size_t k = bytes; k < bytes + 16; ++k) ASSERT_EQ(aligned[k], char(0x55)) << "wrote past the block's memory";
#undef GLASS_TEST_OPERANDS

  std::vector<float> expected(y.size(), untouched);
  for (int p = 0; p < count; ++p)
    for (int j = 0; j < N; ++j)
      for (int i = 0; i < M; ++i) expected[y_at(p, i, j)] = 2 * value(broadcast ? 0 : p, i, j) + 0.5f + l[p];
  EXPECT_EQ(y, expected);
  for (int p = 0; p < count; ++p)
    for (int i = 0; i < M; ++i) {
      float sum = 0;
      for (int j = 0; j < N; ++j) sum += value(broadcast ? 0 : p, i, j);
      EXPECT_EQ(z[p * M + i], sum) << "problem " << p;
    }
  EXPECT_EQ(info, std::vector<int>(count, with_info ? 1 + M : -1));
}

template <class S, int Pack, home H>
void check_layouts() {
  using natural = layout<>;
  constexpr auto slot0 = run_time(0), slot1 = run_time(1), slot2 = run_time(2);
  check<S, Pack, H, natural, natural, M, N>({}, {});
  check<S, Pack, H, natural, natural, M, N>({}, {}, {}, false);  // info may be null
  check<S, Pack, H, layout<Order::row>, natural, M, N>({Order::row, N, M * N}, {});
  check<S, Pack, H, natural, layout<Order::row, 6>, M, N>({}, {Order::row, 6, 6 * M});
  check<S, Pack, H, layout<Order::col, 4>, layout<Order::col, 5>, M, N>({Order::col, 4, 4 * N}, {Order::col, 5, 5 * N});
  check<S, Pack, H, layout<Order::col, -1, 20>, layout<Order::col, 4, 32>, M, N>({Order::col, M, 20},
                                                                                 {Order::col, 4, 32});
  check<S, Pack, H, layout<Order::col, -1, 0>, natural, M, N>({Order::col, M, 0}, {});  // broadcast
  check<S, Pack, H, layout<Order::interleaved>, layout<Order::interleaved, 4>, M, N>({Order::interleaved, M, 0},
                                                                                     {Order::interleaved, 4, 0});
  check<S, Pack, H, natural, natural, slot0, slot1>({}, {}, {M, N});
  check<S, Pack, H, layout<Order::row>, layout<Order::interleaved>, slot0, slot1>({Order::row, N, M * N},
                                                                                  {Order::interleaved, M, 0}, {M, N});
  check<S, Pack, H, layout<Order::col, slot2>, layout<Order::col, slot2, run_time(3)>, M, slot1>(
      {Order::col, 4, 4 * N}, {Order::col, 4, 25}, {0, N, 4, 25});
}

TEST(batch, thread_scope_global) { check_layouts<glass::scope::thread, 4, home::global>(); }
TEST(batch, thread_scope_shared) { check_layouts<glass::scope::thread, 4, home::shared>(); }
TEST(batch, tile_scope_global) { check_layouts<glass::scope::tile<4>, 3, home::global>(); }
TEST(batch, tile_scope_shared) { check_layouts<glass::scope::tile<4>, 3, home::shared>(); }
TEST(batch, block_scope_global) { check_layouts<glass::scope::block<5>, 1, home::global>(); }
TEST(batch, block_scope_shared) { check_layouts<glass::scope::block<5>, 1, home::shared>(); }

TEST(batch, group_bytes_count_staged_operands_and_shared_scratch) {
  using namespace b;
  using A = in<float, layout<>, 3, 3>;  // 36 bytes
  using once = in<float, layout<Order::col, -1, 0>, 3, 3>;
  using apart = inout<double, layout<Order::interleaved>, 4>;
  using padded = out<double, layout<Order::row, 4>, 2, 3>;  // 2 rows of 4
  using W = scratch<float, layout<>, 5>;
  using V = scratch<float, layout<>, run_time(0)>;
  const int size[8] = {3};
  using glass::scope::thread, glass::scope::warp;
  EXPECT_EQ((group_bytes<warp, home::global, A, once, apart, padded, info>(4, size)), 0);
  EXPECT_EQ((group_bytes<warp, home::shared, A>(4, size)), 144);
  EXPECT_EQ((group_bytes<warp, home::shared, once>(4, size)), 48);
  EXPECT_EQ((group_bytes<warp, home::shared, apart, info, scalar<float>, in<float, layout<>>>(4, size)), 0);
  EXPECT_EQ((group_bytes<warp, home::shared, padded>(3, size)), 192);
  EXPECT_EQ((group_bytes<warp, home::global, W, V>(3, size)), 64 + 48);
  EXPECT_EQ((group_bytes<thread, home::global, W, V>(3, size)), 48);
}

// Problems of a block, one after the other: what several<View> shows of them, the last block not full.
struct in_turn {
  template <class S, class X, class Y>
  static void run(S scope, double f, glass::several<X> x, glass::several<X> shared, glass::several<Y> y) {
    for (int p = 0; p < y.count; ++p) glass::each(scope, 3, [&](int i) { y[p](i) = f * x[p](i) + shared[p](i); });
    double* all = scope.template exchange<double, 7000>();
    if (scope.rank() == 0) all[0] = 1, all[6999] = 2;
    scope.sync();
  }
};
TEST(batch, a_block_scope_takes_several_problems_in_turn) {
  using S = glass::scope::block<2, 56000>;
  using Y = b::inout<double, layout<Order::col, -1, 4>, 3>;
#define GLASS_TEST_OPERANDS \
  b::scalar<double>, b::in<double, layout<>, 3>, b::in<double, layout<Order::col, -1, 0>, 3>, Y
  EXPECT_EQ((b::kernel<in_turn, S, 2, home::global, GLASS_TEST_OPERANDS>::threads), 2);
  const int size[8] = {};
  ASSERT_EQ((b::group_bytes<S, home::global, GLASS_TEST_OPERANDS>(2, size)), 56000);
  alignas(16) static char memory[56000];
  double x[15], once[3] = {10, 20, 30}, y[20] = {};
  for (int e = 0; e < 15; ++e) x[e] = e;
  b::arguments<4> a = {};
  a.count = 5, a.at[0].f64 = 2, a.at[1].pointer = x, a.at[2].pointer = once, a.at[3].pointer = y;
  for (int group = 0; group < 3; ++group)
    glass::test::lanes::run(2, group, memory, [&] { b::run<in_turn, S, 2, home::global, GLASS_TEST_OPERANDS>(a); });
#undef GLASS_TEST_OPERANDS
  for (int p = 0; p < 5; ++p)
    for (int i = 0; i < 4; ++i) EXPECT_EQ(y[4 * p + i], i < 3 ? 2 * x[3 * p + i] + once[i] : 0) << p << ", " << i;
  double last;
  std::memcpy(&last, memory + 55992, sizeof last);
  EXPECT_EQ(last, 2);
}

struct scale {
  template <class S, class V>
  static void run(S scope, double f, int n, V x) {
    glass::each(scope, n, [&](int i) { x(i) *= f; });
    scope.sync();
  }
};
using in_place = b::kernel<scale, glass::scope::thread, 16, home::global, b::scalar<double>, b::scalar<int>,
                           b::inout<double, layout<>, 2>>;

TEST(batch, range_runs_the_problems_asked_for_and_no_other) {
  double x[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  b::arguments<3> a = {};
  a.count = 4, a.at[0].f64 = 3, a.at[1].i32 = 2, a.at[2].pointer = x;
  EXPECT_EQ(in_place::range(&a, 1, 3), 0);
  EXPECT_EQ(std::vector<double>(x, x + 8), (std::vector<double>{1, 1, 3, 3, 3, 3, 1, 1}));
  EXPECT_EQ(in_place::range(&a, 2, 2), 0);
  EXPECT_EQ(x[4], 3);
}
TEST(batch, range_has_memory_for_scratch_of_run_time_size) {
  using X = b::in<float, layout<>, 2, 2>;
  float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, l[2] = {0, 10}, y[8], z[4];
  b::arguments<7> a = {};
  a.count = 2, a.size[0] = 2;
  a.at[0].pointer = x, a.at[1].f32 = 1, a.at[2].pointer = l, a.at[3].pointer = y, a.at[4].pointer = z;
  using k = b::kernel<body, glass::scope::thread, 1, home::global, X, b::scalar<float>, b::in<float, layout<>>,
                      b::out<float, layout<>, 2, 2>, b::out<float, layout<>, 2>,
                      b::scratch<float, layout<>, run_time(0), 2>, b::info>;
  EXPECT_EQ(k::range(&a, 0, 2), 0);
  EXPECT_EQ(y[0], 3);
  EXPECT_EQ(y[7], 27);
  EXPECT_EQ(z[3], 14);
}
TEST(batch, range_is_for_thread_scope_in_place_only) {
  using tile = b::kernel<scale, glass::scope::tile<2>, 4, home::global, b::scalar<double>, b::scalar<int>,
                         b::inout<double, layout<>, 2>>;
  using staged = b::kernel<scale, glass::scope::thread, 4, home::shared, b::scalar<double>, b::scalar<int>,
                           b::inout<double, layout<>, 2>>;
  b::arguments<3> a = {};
  EXPECT_EQ(tile::range(&a, 0, 0), 1);
  EXPECT_EQ(staged::range(&a, 0, 0), 1);
  EXPECT_EQ(tile::threads, 8);
}
TEST(batch, arguments_are_one_packed_kernel_parameter) {
  static_assert(sizeof(b::arguments<1>) == 48 && sizeof(b::arguments<24>) == 40 + 8 * 24);
  static_assert(offsetof(b::arguments<3>, size) == 8 && offsetof(b::arguments<3>, at) == 40);
}
TEST(batch, count_zero_does_nothing) {
  b::arguments<3> a = {};
  glass::test::lanes::run(4, 0, nullptr, [&] {
    b::run<scale, glass::scope::thread, 4, home::shared, b::scalar<double>, b::scalar<int>,
           b::inout<double, layout<>, 2>>(a);
  });
}
TEST(copy_run, copies_every_element_whatever_the_alignment) {
  alignas(16) float from[40], to[40];
  for (int shift_from : {0, 1})
    for (int shift_to : {0, 1, 3})
      for (int n : {0, 1, 4, 7, 33}) {
        for (int i = 0; i < 40; ++i) from[i] = float(i), to[i] = untouched;
        glass::test::lanes::run(3, 0, nullptr,
                                [&] { glass::copy_run(glass::scope::block<>{}, to + shift_to, from + shift_from, n); });
        for (int i = 0; i < 40 - shift_to; ++i)
          ASSERT_EQ(to[i + shift_to], i < n ? float(i + shift_from) : untouched) << n << " elements";
      }
}
}  // namespace
