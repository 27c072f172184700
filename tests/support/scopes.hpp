// Runs a body in every scope, in three lane orders, under the race check, on the emulator of the host backend. Test
// sources in tests/ops are compiled with the compiler's memory hooks (see tests/CMakeLists.txt); support/hooks.hpp, in
// one of them, hands those to the race check.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <type_traits>

#include "backend/host/emulator.hpp"
#include "glass/core/scope.cuh"
#include "guards.hpp"
#include "operands.hpp"

namespace glass::test {

using lane_order = enum jit::host_options::lanes;
struct block {  // how the lanes of one scope are run
  const char* scope;
  int width;               // lanes of a problem; 0: all of the block
  std::vector<int> lanes;  // of the block; every number is tried
  int memory = 1024;       // bytes of the launch's shared memory: a reserve
  int problems(int n) const { return width > 0 ? n / width : 1; }
};

// Calls act(problem) in every lane of a block, in the given order. Returns the report of a failure, empty if there was
// none.
template <class Problem>
std::string run_lanes(const block& b, int lanes, lane_order order, void (*act)(Problem&),
                      std::vector<Problem>& problems) {
  static std::map<std::pair<int, int>, std::unique_ptr<jit::emulator>> emulators;
  auto& e = emulators[{lanes, b.memory}];
  if (!e) e = std::make_unique<jit::emulator>(lanes, b.memory);
  static std::minstd_rand random(3);
  struct call {
    void (*act)(Problem&);
    Problem* first;
    int width;
  } const all{act, problems.data(), b.width > 0 ? b.width : lanes};
  const jit::checked_launch anything;
  jit::race check(anything, reinterpret_cast<std::uintptr_t>(&all), sizeof(all),
                  reinterpret_cast<std::uintptr_t>(&host::current));
  const auto lane = [](const void* p) {
    const call& c = *static_cast<const call*>(p);
    c.act(c.first[host::current->rank / c.width]);
  };
  const guards watch;
  if (!e->run(0, &host::current, lane, &all, order, random, &check)) return e->complaint();
  if (const std::string beside = watch.complaint(); !beside.empty()) return beside;
  std::string sentence;
  if (check.found()) check.report({}, sentence);
  return check.found() ? "race: " + sentence : "";
}

// After an operation: the lane next to the owner reads each element and writes it back. Without a sync at the end of
// the operation that is a race, with what the operation wrote and with what it read.
template <class T>
void use(int rank, int size, operand<T>& o) {
  for (int e = (rank + 1) % size; e < o.rows() * o.cols(); e += size) {
    const int i = e % o.rows(), j = e / o.rows();
    o.at(i, j) = o.seen(i, j) = o.at(i, j);
  }
}
template <class S, class... T>
void use_all(S scope, operand<T>&... o) {
  (use(scope.rank(), scope.size(), o), ...);
}

template <class S>
struct scope_case {
  using scope = S;
  block how;
};
// Under AddressSanitizer a part of the instantiations: it looks for stray accesses, which both types and a tile and a
// warp would share, and compiles for minutes. GLASS_SLOW_TESTS: all.
#if defined(__SANITIZE_ADDRESS__) && !defined(GLASS_SLOW_TESTS)
inline constexpr bool covering_sample = true;
using scalars = testing::Types<float>;
#else
inline constexpr bool covering_sample = false;
using scalars = testing::Types<float, double>;
#endif
// Which of the calls below are made for elements of type T: every instantiation costs compile time, and the types differ
// in nothing but their size, so the widths take turns between them. void, and GLASS_SLOW_TESTS: all.
enum class turn { f32, f64, both };
template <class T>
constexpr bool is_turn([[maybe_unused]] turn t) {
#ifdef GLASS_SLOW_TESTS
  return true;
#else
  return t == turn::both || std::is_void_v<T> || (t == turn::f32) == std::is_same_v<T, float>;
#endif
}
template <class T, turn when, class S, class F>
void in_turn(scope_case<S> c, F& f) {
  if constexpr (is_turn<T>(when)) f(c);
}
// f(scope_case): every scope, as the list of block sizes to run it with.
template <class T = void, class F>
void every_scope(F f) {
  in_turn<T, turn::both>(scope_case<scope::thread>{{"thread", 1, {1}}}, f);
  in_turn<T, turn::f32>(scope_case<scope::tile<2>>{{"tile2", 2, {4}}}, f);
  in_turn<T, turn::f64>(scope_case<scope::tile<4>>{{"tile4", 4, {8}}}, f);
  in_turn<T, turn::f32>(scope_case<scope::tile<8>>{{"tile8", 8, {16}}}, f);
  in_turn<T, turn::f64>(scope_case<scope::tile<16>>{{"tile16", 16, {32}}}, f);
  in_turn<T, turn::f32>(scope_case<scope::warp>{{"warp", 32, {32}}}, f);
  in_turn<T, turn::f64>(scope_case<scope::block<64>>{{"block64", 0, {64}}}, f);
  in_turn<T, turn::f32>(scope_case<scope::block<>>{{"block", 0, {1, 3, 33, 100}}}, f);
}
// One of each sort, for what does not depend on the width.
template <class T = void, class F>
void sorts_of_scope(F f) {
  in_turn<T, turn::both>(scope_case<scope::thread>{{"thread", 1, {1}}}, f);
  in_turn<T, turn::f32>(scope_case<scope::tile<4>>{{"tile4", 4, {8}}}, f);
  if constexpr (!covering_sample) in_turn<T, turn::f64>(scope_case<scope::warp>{{"warp", 32, {32}}}, f);
  in_turn<T, turn::both>(scope_case<scope::block<>>{{"block", 0, {33}}}, f);
}
// Scopes of a kernel, whose blocks hold a known number of them: what has exchange memory.
template <class T = void, class F>
void scopes_of_kernels(F f) {
  in_turn<T, turn::f32>(scope_case<scope::tile<4, 2>>{{"tile4", 4, {8}}}, f);
  in_turn<T, turn::f64>(scope_case<scope::tile<16, 1>>{{"tile16", 16, {16}}}, f);
  in_turn<T, turn::both>(scope_case<scope::tile<32, 2>>{{"warp", 32, {64}}}, f);
}
template <class F>
void warps_of_kernels(F f) {
  f(scope_case<scope::tile<32, 2>>{{"warp", 32, {64}}});
  f(scope_case<scope::block<96>>{{"block96", 0, {96}}});
}
// The scopes that have fragments.
template <class T = void, class F>
void every_fragment_scope(F f) {
  in_turn<T, turn::both>(scope_case<scope::thread>{{"thread", 1, {1}}}, f);
  in_turn<T, turn::f32>(scope_case<scope::tile<2>>{{"tile2", 2, {4}}}, f);
  in_turn<T, turn::f64>(scope_case<scope::tile<4>>{{"tile4", 4, {4}}}, f);
  in_turn<T, turn::f32>(scope_case<scope::tile<8>>{{"tile8", 8, {8}}}, f);
  in_turn<T, turn::f64>(scope_case<scope::tile<16>>{{"tile16", 16, {32}}}, f);
  in_turn<T, turn::both>(scope_case<scope::warp>{{"warp", 32, {32}}}, f);
}

// One call of an operation on as many problems as the block holds, in three lane orders. `arrange()` makes one problem,
// `act(problem)` runs in every lane, `judge(problem)` says what is wrong, empty if nothing is.
template <class Problem>
void in_every_order(const block& b, const std::string& what, const std::function<Problem()>& arrange,
                    void (*act)(Problem&), std::string (*judge)(Problem&)) {
  for (const int lanes : b.lanes)
    for (const auto order : {lane_order::forward, lane_order::reverse, lane_order::shuffled}) {
      std::vector<Problem> problems;
      for (int p = 0; p < b.problems(lanes); ++p) problems.push_back(arrange());
      std::string wrong = run_lanes(b, lanes, order, act, problems);
      for (Problem& p : problems)
        if (wrong.empty()) wrong = judge(p);
      EXPECT_EQ(wrong, "") << what << ", " << b.scope << " in a block of " << lanes << ", lane order "
                           << static_cast<int>(order);
    }
}
// What an operation returned to each lane.
template <class V>
class answers {
 public:
  template <class S>
  void set(S scope, V v) {
    lane_[static_cast<std::size_t>(scope.rank())] = v;
    if (scope.rank() == 0) lane_.back() = V(scope.size());
  }
  bool all(V v) const {
    const int n = static_cast<int>(lane_.back());
    for (int i = 0; i < n; ++i)
      if (!same_bits(lane_[static_cast<std::size_t>(i)], v)) return false;
    return n > 0;
  }
  V one() const { return lane_[0]; }

 private:
  std::vector<V> lane_ = std::vector<V>(129, V(0));
};

}  // namespace glass::test
