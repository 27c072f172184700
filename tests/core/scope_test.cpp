// Scopes, shared loops and fragments in real threads (lanes.hpp): every lane gets what the contract says, in tiles of
// every width and blocks of any size. The race checks of operations are in tests/ops.
#include <glass/core/each.cuh>
#include <glass/core/fragment.cuh>

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <vector>

#include "lanes.hpp"

namespace {
using namespace glass;
using test::lanes;

// The sum that scope_cuda.cuh defines: by halving inside 32 lanes, the last group short, then group by group.
float block_sum(std::vector<float> x) {
  const int n = int(x.size());
  std::vector<float> first;
  for (int w = 0; w < n; w += 32) {
    const int mine = std::min(32, n - w);
    std::vector<float> v(x.begin() + w, x.begin() + w + mine);
    for (int step = 16; step > 0; step /= 2) {
      const auto old = v;
      for (int i = 0; i + step < mine; ++i) v[i] += old[i + step];
    }
    first.push_back(v[0]);
  }
  float total = first[0];
  for (std::size_t w = 1; w < first.size(); ++w) total += first[w];
  return total;
}

// A struct between lanes: the larger value, and where it was.
struct place {
  int at;
  double value;
};
struct larger {
  place operator()(place a, place b) const { return b.value > a.value ? b : a; }
};
int up_to(int n) { return n * (n + 1) / 2; }

class blocks : public testing::TestWithParam<int> {};
TEST_P(blocks, of_any_size_sum_vote_and_broadcast) {
  const int n = GetParam();
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) x[i] = 1.0f / (1 + i);
  const float expected = block_sum(x);
  std::atomic<int> right{0};
  lanes::run(n, 0, nullptr, [&] {
    const scope::block<> b;
    bool ok = b.size() == n && b.sum(x[b.rank()]) == expected;
    ok &= b.any(b.rank() == n - 1) && !b.any(false);
    ok &= b.broadcast(b.rank(), n / 2) == n / 2;
    ok &= b.sum_before(b.rank() + 1) == up_to(b.rank());
    ok &= b.reduce(place{b.rank(), double(b.rank() * 7 % n)}, larger{}).value == double(n % 7 == 0 ? n - 7 : n - 1);
    b.sync();
    right += ok;
  });
  EXPECT_EQ(right, n);
}
INSTANTIATE_TEST_SUITE_P(sizes, blocks, testing::Values(1, 2, 7, 31, 32, 33, 63, 65));

template <int W>
void check_tile() {
  std::atomic<int> right{0};
  lanes::run(2 * W, 0, nullptr, [&] {
    const scope::tile<W> t;
    const int base = 100 * scope::tile<W>::index();
    bool ok = t.rank() == host::current->rank % W && t.size() == W;
    ok &= t.sum(base + t.rank()) == base * W + W * (W - 1) / 2;
    ok &= t.sum_before(t.rank() + 1) == up_to(t.rank());
    const place best = t.reduce(place{base + t.rank(), double(t.rank() ^ 1)}, larger{});
    ok &= best.at == base + W - 2 && best.value == W - 1;
    ok &= t.broadcast(base + t.rank(), W - 1) == base + W - 1;
    ok &= t.shuffle(base + t.rank(), (t.rank() + 1) % W) == base + (t.rank() + 1) % W;
    ok &= t.any(base == 0 && t.rank() == 1) == (base == 0);  // the other tile does not see the vote
    ok &= t.any_in_step(base != 0 || t.rank() == 1) && !t.any_in_step(false);
    t.sync();
    right += ok;
  });
  EXPECT_EQ(right, 2 * W) << "tile of " << W;
}
TEST(tiles, exchange_among_themselves_only) {
  check_tile<2>();
  check_tile<4>();
  check_tile<8>();
  check_tile<16>();
  check_tile<32>();
}
// Every lane writes its own number into its scope's memory and reads its neighbour's.
template <class S>
int right_neighbours(int n) {
  std::atomic<int> right{0};
  lanes::run(n, 0, nullptr, [&] {
    const S s;
    int* all = s.template exchange<int, S::width>();
    all[s.rank()] = 100 * S::index() + s.rank();
    double* other = s.template exchange<double, 3>();  // an array of its own
    if (s.rank() == 0) other[0] = other[1] = other[2] = -1;
    s.sync();
    const int next = (s.rank() + 1) % S::width;
    right +=
        all[next] == 100 * S::index() + next && other[2] == -1 && reinterpret_cast<std::uintptr_t>(other) % 16 == 0;
  });
  return right;
}
TEST(exchange, gives_each_scope_of_a_block_memory_of_its_own) {
  EXPECT_EQ((right_neighbours<scope::tile<4, 3>>(12)), 12);
  EXPECT_EQ((right_neighbours<scope::tile<32, 2>>(64)), 64);
  EXPECT_EQ((right_neighbours<scope::block<40>>(40)), 40);
}
TEST(exchange, is_there_where_the_scopes_of_a_block_are_known) {
  static_assert(can_exchange<scope::tile<8, 2>> && can_exchange<scope::block<64>>);
  static_assert(!can_exchange<scope::tile<8>> && !can_exchange<scope::block<>> && !can_exchange<scope::thread>);
  static_assert(is_scope<scope::tile<8, 2>> && can_shuffle<scope::tile<8, 2>>);
}
TEST(thread, needs_no_emulator) {
  const scope::thread t;
  t.sync();
  EXPECT_EQ(t.sum(3) + t.broadcast(4, 0) + t.shuffle(5, 0) + t.rank() + t.size(), 13);
  EXPECT_TRUE(t.any(true));
  EXPECT_TRUE(t.any_in_step(true));
  EXPECT_FALSE(t.any_in_step(false));
  EXPECT_EQ(t.reduce(3, std::plus<>()) + t.sum_before(4), 3);
}
TEST(kinds, are_told_apart) {
  static_assert(is_scope<scope::thread> && is_scope<scope::warp> && is_scope<scope::block<>> && !is_scope<int>);
  static_assert(can_shuffle<scope::thread> && can_shuffle<scope::tile<4>> && !can_shuffle<scope::block<64>>);
}

template <class S>
void check_each(int n, int rows, int cols) {
  std::vector<std::atomic<int>> line(rows + 1), grid(rows * cols + 1);
  lanes::run(n, 0, nullptr, [&] {
    each(S{}, rows, [&](int i) { ++line[i]; });
    each(S{}, rows, cols, [&](int i, int j) { ++grid[i + j * rows]; });
  });
  for (int i = 0; i < rows; ++i) ASSERT_EQ(line[i], 1) << n << " lanes, row " << i;
  for (int i = 0; i < rows * cols; ++i)
    ASSERT_EQ(grid[i], 1) << n << " lanes, " << rows << " x " << cols << ", element " << i;
}
TEST(each, visits_every_index_once_whatever_the_lanes) {
  for (auto [rows, cols] : {std::pair{1, 1}, {0, 3}, {3, 0}, {5, 7}, {1, 40}, {40, 1}, {33, 3}}) {
    check_each<scope::thread>(1, rows, cols);
    check_each<scope::tile<8>>(8, rows, cols);
    check_each<scope::warp>(32, rows, cols);
    for (int n : {1, 3, 33, 50}) check_each<scope::block<>>(n, rows, cols);
  }
}

template <class S>
void check_fragment() {
  constexpr int M = 5, N = 5;
  float from[M * N], whole[M * N], low[M * N];
  for (int e = 0; e < M * N; ++e) from[e] = float(e + 1), whole[e] = low[e] = -1;
  std::atomic<int> right{0};
  lanes::run(S::width, 0, nullptr, [&] {
    const S s;
    const auto f = load(s, matrix<const float, M, N>(from));
    const auto l = load_lower(s, matrix<const float, M, N>(from));
    store(s, f, matrix<float, M, N>(whole));
    store_lower(s, l, matrix<float, M, N>(low));
    bool ok = get(s, f, 3, 2) == from[3 + 2 * M];
    for (int k = 0; k < f.items; ++k) ok &= s.rank() + k * f.width < M || f.v[k][0] == 0;
    right += ok;
  });
  EXPECT_EQ(right, S::width);
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < M; ++i) {
      EXPECT_EQ(whole[i + j * M], from[i + j * M]);
      EXPECT_EQ(low[i + j * M], i >= j ? from[i + j * M] : -1) << "the strict upper triangle is kept";
    }
}
TEST(fragment, holds_a_matrix_dealt_by_rows) {
  check_fragment<scope::thread>();
  check_fragment<scope::tile<2>>();
  check_fragment<scope::tile<4>>();
  check_fragment<scope::tile<16>>();
}
TEST(fragment, prunes_work_above_the_diagonal) {
  using f = row_fragment<float, 8, 8, 4>;
  static_assert(f::items == 2 && f::reaches(0, 3) && !f::reaches(0, 4) && f::reaches(1, 7));
}
}  // namespace
