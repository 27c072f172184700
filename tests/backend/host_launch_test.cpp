// Launching: the fast path and its pool, the emulator and what it says of lanes that do not meet, and runs with a
// deadline.
#include <gmock/gmock.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <numeric>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "backend/host/pool.hpp"
#include "base/text.hpp"
#include "host_fixture.hpp"

namespace glass::jit {
namespace {
using namespace host_test;
using ::testing::HasSubstr;

// Each problem's vector of 4 times 3, over a batch; true when exactly these changed.
void expect_scaled(const launched& k) {
  const auto count = static_cast<std::size_t>(k.shape.count);
  const auto y = array<float>(*k.device, 4 * count + 4);
  for (std::size_t i = 0; i < 4 * count + 4; ++i) y.get()[i] = float(i % 1000);
  arguments a;
  a.at[0].f32 = 3, a.at[1].pointer = y.get();
  k.launch(a).check();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < 4 * count; ++i) wrong += y.get()[i] != 3 * float(i % 1000);
  for (std::size_t i = 4 * count; i < 4 * count + 4; ++i) wrong += y.get()[i] != float(i % 1000);
  EXPECT_EQ(wrong, 0u) << count << " problems";
}

TEST(host_fast_path, counts_around_the_pack_and_far_above) {
  host_options o;
  o.workers = 4;
  const launched k(scale("thread", 16), 1, 16, 1, o);
  for (const long long count : {1, 15, 16, 17, 31, 33, 64, 1000, 100000}) {
    launched of = k;
    of.shape.count = count;
    expect_scaled(of);
  }
}

TEST(host_fast_path, no_problem_is_success_and_touches_nothing) {
  launched k(scale("thread", 16), 1, 16, 0);
  EXPECT_TRUE(k.launch({}).ok());
}

TEST(host_fast_path, a_hundred_threads_launch_at_once) {
  host_options o;
  o.workers = 3;
  const launched k(scale("thread", 8), 1, 8, 500, o);
  std::vector<std::thread> threads;
  for (int t = 0; t < 100; ++t) threads.emplace_back([&] { expect_scaled(k); });
  for (auto& t : threads) t.join();
}

TEST(host_fast_path, an_exception_in_a_body_is_a_status) {
  host_options o;
  o.workers = 3;
  const source s =
      make_source("template <class S> GLASS_DEVICE int body(S) { throw 1; }",
                  "1, glass_body, glass::scope::thread, 2, glass::batch::home::global, glass::batch::info");
  const launched k(s, 1, 2, 100, o);
  EXPECT_EQ(k.launch({}).code(), errc::launch_failed);
  o.emulate = true;
  EXPECT_EQ(launched(s, 1, 2, 100, o).launch({}).code(), errc::launch_failed);
}

TEST(host_pool, every_task_runs_once_and_ends_before_the_return) {
  static std::atomic<long long> sum;
  const auto p = pool::make(4);
  p->start();
  for (int round = 0; round < 100; ++round) {
    sum = 0;
    p->run(
        [](const void*, long long first, long long last) {
          for (volatile int work = 0; work < 3000;) work = work + 1;
          sum += (first + last - 1) * (last - first) / 2;
          return 0;
        },
        nullptr, 997, 10);
    ASSERT_EQ(sum, 996LL * 997 / 2);
  }
}

TEST(host_pool, a_launch_waits_for_the_task_that_a_worker_still_has) {
  static std::atomic<std::thread::id> caller;
  static std::atomic<bool> helped, ended;
  const auto p = pool::make(2);
  p->start();
  caller = std::this_thread::get_id(), helped = ended = false;
  p->run(
      [](const void*, long long, long long) {
        if (std::this_thread::get_id() == caller) {
          while (!helped) std::this_thread::yield();
        } else {
          helped = true;
          for (volatile int work = 0; work < 10000000;) work = work + 1;
          ended = true;
        }
        return 0;
      },
      nullptr, 2, 1);
  EXPECT_TRUE(ended);
}

TEST(host_pool, a_program_that_forks_can_launch_and_exit_in_the_child) {
  host_options o;
  o.workers = 4;
  auto k = std::make_unique<launched>(scale("thread", 4), 1, 4, 1000, o);
  expect_scaled(*k);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    expect_scaled(*k);
    k.reset();  // the workers are not in this process: nobody may wait for them
    _exit(::testing::Test::HasFailure());
  }
  int how = 0;
  waitpid(child, &how, 0);
  EXPECT_TRUE(WIFEXITED(how) && WEXITSTATUS(how) == 0) << how;
}

struct emulated : ::testing::TestWithParam<enum host_options::lanes> {
  host_options options() const {
    host_options o;
    o.lanes = GetParam();
    o.seed = 7;
    o.emulate = true;
    return o;
  }
};
INSTANTIATE_TEST_SUITE_P(orders, emulated,
                         ::testing::Values(host_options::lanes::forward, host_options::lanes::reverse,
                                           host_options::lanes::shuffled));

TEST_P(emulated, every_scope_gives_the_same) {
  expect_scaled(launched(scale("thread", 16), 1, 16, 37, options()));
  expect_scaled(launched(scale("tile<4>", 8), 4, 8, 37, options()));
  expect_scaled(launched(scale("tile<8>", 4, "shared"), 8, 4, 37, options(), 4 * 4 * 4));
  expect_scaled(launched(scale("warp", 2), 32, 2, 5, options()));
  expect_scaled(launched(scale("block<256>", 1), 256, 1, 3, options()));
}

TEST_P(emulated, shuffles_sums_and_votes_exchange_values) {
  const source s =
      make_source(R"(template <class S, class R>
GLASS_DEVICE void body(S scope, R r) {
  const int me = scope.rank();
  const int next = scope.shuffle(me, (me + 1) % 8), all = scope.sum(me + 1);
  const bool one = scope.any(me == 5), none = scope.any(me == 9);
  const int three = scope.broadcast(10 * me, 3);
  r(me) = next + 100 * all + 10000 * (one && !none) + 100000 * three;
})",
                  "1, glass_body, glass::scope::tile<8>, 2, glass::batch::home::global, glass::batch::out<int, "
                  "glass::batch::layout<>, 8>");
  const launched k(s, 8, 2, 3, options());
  const auto r = array<int>(*k.device, 24);
  arguments a;
  a.at[0].pointer = r.get();
  k.launch(a).check();
  for (int i = 0; i < 24; ++i) EXPECT_EQ(r.get()[i], (i % 8 + 1) % 8 + 3600 + 10000 + 3000000) << i;
}

// Where tiles go in step, those without a problem make the calls of the others, on memory of the block alone.
TEST_P(emulated, tiles_that_go_in_step_leave_alone_what_lies_beyond_the_batch) {
  for (const std::string home : {"global", "shared"}) {
    const source s = make_source(
        R"(template <class S, class X>
GLASS_DEVICE int body(S scope, X x) {
  static_assert(glass::detail::same<S, glass::scope::tile<8, 4, glass::scope::others::in_step>>);
  const int next = scope.shuffle(x(scope.rank()), (scope.rank() + 1) % 8);
  x(scope.rank()) += 10 * next;
  scope.sync();
  return 7;
}
struct stepping : glass::batch::goes_in_step {
  template <class... A> GLASS_DEVICE static auto run(A... a) { return ::body(a...); }
};)",
        "2, stepping, glass::scope::tile<8>, 4, glass::batch::home::" + home +
            ", glass::batch::inout<int, glass::batch::layout<>, 8>, glass::batch::info");
    const launched k(s, 8, 4, 5, options(), 128);
    const auto x = array<int>(*k.device, 64), info = array<int>(*k.device, 8);
    for (int i = 0; i < 64; ++i) x.get()[i] = i % 8;
    for (int i = 0; i < 8; ++i) info.get()[i] = -1;
    arguments a;
    a.at[0].pointer = x.get(), a.at[1].pointer = info.get();
    k.launch(a).check();
    for (int i = 0; i < 64; ++i) EXPECT_EQ(x.get()[i], i < 40 ? i % 8 + 10 * ((i + 1) % 8) : i % 8) << home << i;
    for (int i = 0; i < 8; ++i) EXPECT_EQ(info.get()[i], i < 5 ? 7 : -1) << home << i;
  }
}

TEST_P(emulated, shared_memory_is_full_of_nan_in_every_block) {
  const source s =
      make_source(R"(template <class S, class R, class W>
GLASS_DEVICE void body(S scope, R r, W w) {
  if (scope.rank() == 0) r(0) = w(0) != w(0) ? 1 : 0;
  scope.sync();
  w(scope.rank()) = 5;
})",
                  "2, glass_body, glass::scope::tile<2>, 1, glass::batch::home::global, glass::batch::out<int, "
                  "glass::batch::layout<>, 1>, glass::batch::scratch<float, glass::batch::layout<>, 2>");
  const launched k(s, 2, 1, 3, options(), 16);
  const auto r = array<int>(*k.device, 3);
  arguments a;
  a.at[0].pointer = r.get();
  k.launch(a).check();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(r.get()[i], 1);
}

TEST_P(emulated, lanes_that_do_not_meet_are_named_with_their_places) {
  const source s = make_source(R"(template <class S>
GLASS_DEVICE void apart(S scope) {
  if (scope.rank() < 3)
    scope.sync();
  else if (scope.rank() < 6)
    scope.any(true);
})",
                               "0, glass_body, glass::scope::tile<8>, 1, glass::batch::home::global", "apart");
  const launched k(s, 8, 1, 2, options());
  const status st = k.launch({});
  EXPECT_EQ(st.code(), errc::divergent);
  EXPECT_THAT(st.message(), HasSubstr("lanes 0..2 wait at a sync in apart (apart:4)"));
  EXPECT_THAT(st.message(), HasSubstr("lanes 3..5 wait at an any in apart (apart:6)"));
  EXPECT_THAT(st.message(), HasSubstr("lanes 6..7 have returned"));
  EXPECT_EQ(k.run({}).code(), errc::divergent);
  EXPECT_THAT(host_report(), HasSubstr("apart:6"));
}

TEST(host_emulator, two_syncs_in_different_places_do_not_meet) {
  const source s = make_source(R"(template <class S>
GLASS_DEVICE void apart(S scope) {
  if (scope.rank() == 0) scope.sync();
  else
    scope.sync();
})",
                               "0, glass_body, glass::scope::warp, 1, glass::batch::home::global", "apart");
  EXPECT_THAT(launched(s, 32, 1, 1).launch({}).message(),
              HasSubstr("lane 0 waits at a sync in apart (apart:3); lanes 1..31"));
}

TEST(host_emulator, a_thousand_lanes_with_deep_stacks) {
  const source s =
      make_source(R"(template <class S, class R>
GLASS_DEVICE void body(S scope, R r) {
  volatile double local[16384];
  for (int i = 0; i < 16384; ++i) local[i] = scope.rank();
  scope.sync();
  r(scope.rank()) = int(local[16383]) + 1;
})",
                  "1, glass_body, glass::scope::block<1024>, 1, glass::batch::home::global, glass::batch::out<int, "
                  "glass::batch::layout<>, 1024>");
  const launched k(s, 1024, 1, 1);
  const auto r = array<int>(*k.device, 1024);
  arguments a;
  a.at[0].pointer = r.get();
  k.launch(a).check();
  EXPECT_EQ(std::accumulate(r.get(), r.get() + 1024, 0), 1024 * 1025 / 2);
}

const char* const info_batch = "glass::batch::home::global, glass::batch::info";

TEST(host_run, an_endless_loop_ends_at_the_deadline_in_both_paths) {
  const std::string loop =
      "template <class S> GLASS_DEVICE int body(S s) { volatile int x = 1; while (x) {} return s.rank(); }";
  for (const char* scope : {"thread", "warp"}) {
    const launched k(make_source(loop, std::string("1, glass_body, glass::scope::") + scope + ", 1, " + info_batch),
                     scope[0] == 't' ? 1 : 32, 1, 4);
    const double start = seconds_now();
    EXPECT_EQ(k.run({}, 0.2).code(), errc::hang);
    EXPECT_LT(seconds_now() - start, 20);
  }
}

TEST(host_run, a_crash_is_a_status_that_names_the_signal) {
  const std::string crash = "template <class S> GLASS_DEVICE int body(S) { volatile int* p = nullptr; return *p; }";
  for (const char* scope : {"thread", "warp"}) {
    const launched k(make_source(crash, std::string("1, glass_body, glass::scope::") + scope + ", 1, " + info_batch),
                     scope[0] == 't' ? 1 : 32, 1, 4);
    const status s = k.run({});
    EXPECT_EQ(s.code(), errc::launch_failed);
    EXPECT_THAT(s.message(), HasSubstr("signal"));
  }
}

TEST(host_run, an_overrun_of_shared_memory_is_a_fault) {
  const source s = make_source(
      R"(template <class S, class W> GLASS_DEVICE void body(S scope, W w) { w.data[4 + scope.rank()] = 1; })",
      "1, glass_body, glass::scope::tile<2>, 1, glass::batch::home::global, glass::batch::scratch<float, "
      "glass::batch::layout<>, 4>");
  EXPECT_EQ(launched(s, 2, 1, 1, {}, 16).run({}).code(), errc::launch_failed);
}

TEST(host_run, results_come_back_and_launches_can_be_timed) {
  const launched k(scale("thread", 16), 1, 16, 100);
  const auto y = array<float>(*k.device, 400, 1.0f);
  arguments a;
  a.count = 100, a.at[0].f32 = 2, a.at[1].pointer = y.get();
  k.run(a).check();
  EXPECT_EQ(y.get()[0], 2);
  EXPECT_EQ(y.get()[399], 2);
  a.at[0].f32 = 1;
  for (const measure m : {measure::throughput, measure::latency, measure::graph}) {
    const timing t = k.device->time(*k.image, k.shape, &a, sizeof a, m, 20, 10);
    EXPECT_TRUE(t.status.ok());
    EXPECT_GT(t.seconds, 0);
    EXPECT_LT(t.seconds, 1);
  }
}

TEST(host_run, timing_stops_at_its_deadline) {
  const std::string slow =
      "template <class S> GLASS_DEVICE int body(S) { volatile int x = 0; while (x < 2000000) x = x + 1; return 0; }";
  const launched k(make_source(slow, std::string("1, glass_body, glass::scope::thread, 1, ") + info_batch), 1, 1, 1);
  arguments a;
  a.count = 1;
  EXPECT_EQ(k.device->time(*k.image, k.shape, &a, sizeof a, measure::latency, 1000000, 0.01).status.code(), errc::hang);
}

}  // namespace
}  // namespace glass::jit
