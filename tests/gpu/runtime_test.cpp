// The runtime on a real GPU, as a user's programs call it: both programs of the README, stream capture, many threads,
// wrong arguments, run-time sizes, and a second runtime that compiles nothing.
#include <sqlite3.h>

#include <filesystem>
#include <thread>

#include "backend/cuda/driver.hpp"
#include "base/hash.hpp"
#include "gpu_fixture.hpp"

using namespace glass::jit;
using namespace glass::test;
using testing::HasSubstr;

namespace {

struct gpu_runtime : on_gpu {
  std::string folder = testing::TempDir() + "glass_gpu_" + std::to_string(::getpid());
  ~gpu_runtime() override { std::filesystem::remove_all(folder); }
  runtime_options options(tune_mode mode = tune_mode::off) const {
    runtime_options o;
    o.device = device().device().id, o.cache = folder, o.tuning.mode = mode, o.tuning_from_environment = false;
    o.tuning.budget_seconds = 2;
    return o;
  }
};

// count systems of order n: A = 2 I + ones, b = A times (1 … n).
struct systems {
  systems(runtime& rt, int n, int count) : n(n), count(count) {
    std::vector<float> a(std::size_t(n) * n * count, 1.0f), b(std::size_t(n) * count);
    for (int p = 0; p < count; ++p) {
      for (int i = 0; i < n; ++i)
        a[std::size_t(p) * n * n + std::size_t(i) * n + i] = 3.0f,
                                                        b[std::size_t(p) * n + i] = 2.0f * (i + 1) + n * (n + 1) / 2.0f;
    }
    A = rt.array(a), x = rt.array(b), info = rt.array(std::vector<int>(count, -1));
  }
  void expect_solved(runtime& rt) const {
    rt.synchronize();
    const auto got = rt.values(x, std::size_t(n) * count);
    for (int p = 0; p < count; ++p) {
      for (int i = 0; i < n; ++i)
        ASSERT_NEAR(got[std::size_t(p) * n + i], i + 1, 1e-3) << "problem " << p << ", row " << i;
    }
    EXPECT_THAT(rt.values(info, count), testing::Each(0));
  }
  int n, count;
  std::shared_ptr<float> A, x;
  std::shared_ptr<int> info;
};

TEST_F(gpu_runtime, program_a_tunes_and_solves) {
  runtime rt(options(tune_mode::first_use));
  auto posv = rt.operation("posv", {.sizes = {{"N", 12}, {"NRHS", 1}}, .type = f32, .batch = 8192});
  systems s(rt, 12, 8192);
  posv.launch(nullptr, 8192, s.A.get(), s.x.get(), s.info.get()).check();
  s.expect_solved(rt);
  EXPECT_EQ(posv.tier(), tier::exact) << posv.why();
  EXPECT_GT(posv.ns_per_problem(), 0);
  EXPECT_GE(posv.speedup_over_default(), 1);
  RecordProperty("why", posv.why());
}

const char* const lm_step_text = R"(
  #include <glass/glass.cuh>
  template <class Scope, class T, int NX, int NU>
  GLASS_DEVICE int lm_step(Scope scope, glass::matrix<const T, NX, NU> J, glass::vector<const T, NX> r, T lambda,
                           glass::vector<T, NU> dq, glass::matrix<T, NU, NU> H) {
    glass::syrk<glass::Trans::yes>(scope, 1, J, 0, H);
    glass::add_identity(scope, lambda, H);
    glass::gemv<glass::Trans::yes>(scope, 1, J, r, dq);
    return glass::posv(scope, H, dq);
  })";

operation_description lm_step() {
  return {.name = "lm_step",
          .text = lm_step_text,
          .operands = {in("J", {"NX", "NU"}), in("r", {"NX"}), scalar("lambda", 1e-3), out("dq", {"NU"}),
                       scratch("H", {"NU", "NU"}), info()}};
}

TEST_F(gpu_runtime, program_b_compiles_a_fused_kernel_of_the_users) {
  runtime rt(options(tune_mode::first_use));
  auto step = rt.compile(lm_step(), {.sizes = {{"NX", 6}, {"NU", 7}}, .type = f32, .batch = 4096});
  // J = the first six rows of 2 I: (4 + lambda) dq_i = 2 r_i for i < 6, and dq_6 = 0.
  std::vector<float> j(42 * 4096, 0.0f), r(6 * 4096);
  for (int p = 0; p < 4096; ++p) {
    for (int i = 0; i < 6; ++i)
      j[std::size_t(p) * 42 + std::size_t(i) * 6 + i] = 2.0f, r[std::size_t(p) * 6 + i] = float(p % 10 + i);
  }
  auto J = rt.array(j), R = rt.array(r), dq = rt.array<float>(7 * 4096);
  auto codes = rt.array(std::vector<int>(4096, -1));
  step.launch(nullptr, 4096, J.get(), R.get(), 0.5f, dq.get(), codes.get()).check();
  step.launch(nullptr, 4096, J.get(), R.get(), 0.5f, dq.get(), nullptr).check();
  rt.synchronize();
  const auto got = rt.values(dq, 7 * 4096);
  for (int p = 0; p < 4096; ++p) {
    for (int i = 0; i < 7; ++i)
      ASSERT_NEAR(got[std::size_t(p) * 7 + i], i < 6 ? 2.0f * (p % 10 + i) / 4.5f : 0.0f, 1e-4) << p << " " << i;
  }
  EXPECT_THAT(rt.values(codes, 4096), testing::Each(0));
  RecordProperty("why", step.why());
}

TEST_F(gpu_runtime, a_launch_is_safe_in_stream_capture) {
  if (!is_cuda()) GTEST_SKIP() << "Streams are CUDA's.";
  runtime rt(options());
  auto posv = rt.operation("posv", {.sizes = {{"N", 8}, {"NRHS", 1}}, .type = f32, .batch = 256});
  systems s(rt, 8, 256);
  const auto api = cuda::load_driver();
  CUstream_st* stream = nullptr;
  CUgraph_st* graph = nullptr;
  CUgraphExec_st* ready = nullptr;
  ASSERT_EQ(api.stream_create(&stream, cuda::stream_non_blocking), 0);
  ASSERT_EQ(api.capture_begin(stream, 0 /* global: the strictest */), 0);
  const status launched = posv.launch(stream, 256, s.A.get(), s.x.get(), s.info.get());
  std::thread([&] { rt.allocate(1 << 20); }).join();  // set-up calls elsewhere do not break it
  ASSERT_EQ(api.capture_end(stream, &graph), 0);
  ASSERT_TRUE(launched.ok()) << launched.message();
  ASSERT_EQ(api.graph_instantiate(&ready, graph, 0), 0);
  EXPECT_EQ(rt.values(s.info, 1)[0], -1) << "captured, not run";
  ASSERT_EQ(api.graph_launch(ready, stream), 0);
  ASSERT_EQ(api.stream_synchronize(stream), 0);
  s.expect_solved(rt);
  api.graph_exec_destroy(ready), api.graph_destroy(graph), api.stream_destroy(stream);
}

// Captures on both kinds of stream, in the strictest mode, while the background compiles, loads, measures and swaps; then
// replays what was captured with the code of before.
TEST_F(gpu_runtime, captures_stay_whole_while_the_background_swaps) {
  if (!is_cuda()) GTEST_SKIP() << "Streams are CUDA's.";
  const auto api = cuda::load_driver();
  for (const unsigned flags : {0u, unsigned(cuda::stream_non_blocking)}) {
    auto o = options(tune_mode::background);
    o.cache = "memory";
    runtime rt(o);
    systems s(rt, 8, 256), later(rt, 8, 256);
    CUstream_st* stream = nullptr;
    ASSERT_EQ(api.stream_create(&stream, flags), 0);
    const auto posv = rt.operation("posv", {.sizes = {{"N", 8}, {"NRHS", 1}}, .type = f32, .batch = 256});
    CUgraph_st* kept = nullptr;  // the first
    int captures = 0;
    const auto capture = [&](bool set_up) {
      CUgraph_st* graph = nullptr;
      ASSERT_EQ(api.capture_begin(stream, 0 /* global: the strictest */), 0);
      const status launched = posv.launch(stream, 256, s.A.get(), s.x.get(), s.info.get());
      if (set_up) {  // in the capturing thread
        (void)rt.operation("dot", {.sizes = {{"N", 16}}, .type = f32, .batch = 64});
        rt.allocate(1 << 20);
        if (flags == 0) { EXPECT_THROW(rt.values(s.info, 1), error); }
      }
      ASSERT_EQ(api.capture_end(stream, &graph), 0) << "the capture is broken; before it: " << captures;
      ASSERT_TRUE(launched.ok()) << launched.message();
      if (captures++ == 0)
        kept = graph;
      else
        api.graph_destroy(graph);
    };
    const std::string first = posv.why();
    capture(true);
    while (rt.counters().background > 0 && !HasFatalFailure()) capture(false);
    ASSERT_FALSE(HasFatalFailure());
    capture(false);
    EXPECT_EQ(posv.tier(), tier::exact) << posv.why();
    EXPECT_GE(rt.counters().swaps, 1);
    RecordProperty(flags == 0 ? "blocking" : "non_blocking",
                   std::to_string(captures) + " captures, from " + first + " to " + posv.why());
    CUgraphExec_st* ready = nullptr;
    ASSERT_EQ(api.graph_instantiate(&ready, kept, 0), 0);  // the code of before the swap
    ASSERT_EQ(api.graph_launch(ready, stream), 0);
    ASSERT_EQ(api.stream_synchronize(stream), 0);
    s.expect_solved(rt);
    posv.launch(stream, 256, later.A.get(), later.x.get(), later.info.get()).check();
    later.expect_solved(rt);
    api.graph_exec_destroy(ready);
    api.graph_destroy(kept), api.stream_destroy(stream);
  }
}

TEST_F(gpu_runtime, the_first_answer_of_the_background_is_compiled_quickly) {
  const problem p{.sizes = {{"NX", 6}, {"NU", 7}}, .type = f32, .batch = 4096};
  auto o = options(tune_mode::background);
  o.cache = "memory";
  double quick = 0, full = 0;
  o.event = [&](const event& e) {
    if (e.kind == event_kind::compile) (e.text == "quick" ? quick : full) = e.seconds;
  };
  runtime rt(o);
  const auto step = rt.compile(lm_step(), p);
  const std::string first = step.why();
  rt.finish_background();
  EXPECT_EQ(step.tier(), tier::exact) << step.why();
  EXPECT_THAT(step.why(), testing::Not(HasSubstr("quickly")));
  RecordProperty("first", first);
  RecordProperty("startup_ms", std::to_string(rt.counters().startup_seconds * 1e3));
  RecordProperty("compile_ms", std::to_string(quick * 1e3) + " quick, " + std::to_string(full * 1e3) + " full");
}

TEST_F(gpu_runtime, many_threads_launch_one_kernel) {
  runtime rt(options());
  const auto posv = rt.operation("posv", {.sizes = {{"N", 6}, {"NRHS", 1}}, .type = f32, .batch = 64});
  std::vector<std::unique_ptr<systems>> work;
  for (int i = 0; i < 16; ++i) work.push_back(std::make_unique<systems>(rt, 6, 64));
  std::vector<std::thread> threads;
  for (auto& w : work) {
    threads.emplace_back([&] {
      const auto mine = posv;
      EXPECT_TRUE(mine.launch(nullptr, 64, w->A.get(), w->x.get(), w->info.get()).ok());
    });
  }
  for (auto& t : threads) t.join();
  for (auto& w : work) w->expect_solved(rt);
}

TEST_F(gpu_runtime, wrong_arguments_are_statuses_and_launch_nothing) {
  runtime rt(options());
  auto posv = rt.operation("posv", {.sizes = {{"N", 6}, {"NRHS", 1}}, .type = f32, .batch = 64});
  systems s(rt, 6, 64);
  const float* read_only = s.x.get();
  double* wrong_type = nullptr;
  const auto refused = [](const status& x, const char* why) {
    EXPECT_EQ(x.code(), errc::invalid_argument);
    EXPECT_THAT(x.message(), HasSubstr(why));
  };
  refused(posv.launch(nullptr, 64, s.A.get(), s.x.get()), "2");
  refused(posv.launch(nullptr, 64, s.A.get(), read_only, s.info.get()), "'b'");
  refused(posv.launch(nullptr, 64, wrong_type, s.x.get(), s.info.get()), "'A'");
  refused(posv.launch(nullptr, 64, nullptr, s.x.get(), s.info.get()), "'A'");
  refused(posv.launch(nullptr, -1, s.A.get(), s.x.get(), s.info.get()), "-1");
  EXPECT_TRUE(posv.launch(nullptr, 0, s.A.get(), s.x.get(), s.info.get()).ok());
  rt.synchronize();
  EXPECT_THAT(rt.values(s.info, 64), testing::Each(-1));
}

TEST_F(gpu_runtime, a_size_given_at_run_time_needs_no_compile) {
  runtime rt(options());
  auto bounded = rt.operation("posv", {.sizes = {{"N", up_to(16)}, {"NRHS", 1}}, .type = f32, .batch = 64});
  const auto compiled = rt.counters().compiles;
  for (const int n : {1, 5, 16}) {
    systems s(rt, n, 64);
    bounded.with({{"N", n}}).launch(nullptr, 64, s.A.get(), s.x.get(), s.info.get()).check();
    s.expect_solved(rt);
  }
  EXPECT_EQ(rt.counters().compiles, compiled);
  EXPECT_THROW((void)bounded.with({{"N", 17}}), error);
}

// Makes of every image of a cache one that looks like this device's and that its driver refuses: all but the ELF header
// zeros, and the cache says that the bytes are right. How many.
int spoil_images(const std::string& folder) {
  sqlite3* db = nullptr;
  sqlite3_stmt *read = nullptr, *write = nullptr;
  EXPECT_EQ(sqlite3_open((folder + "/cache.sqlite").c_str(), &db), SQLITE_OK);
  EXPECT_EQ(sqlite3_prepare_v2(db, "SELECT key, bytes FROM image", -1, &read, nullptr), SQLITE_OK);
  EXPECT_EQ(sqlite3_prepare_v2(db, "UPDATE image SET bytes = ?1, hash = ?2 WHERE key = ?3", -1, &write, nullptr),
            SQLITE_OK);
  int spoilt = 0;
  for (; sqlite3_step(read) == SQLITE_ROW; ++spoilt) {
    std::string bytes(static_cast<const char*>(sqlite3_column_blob(read, 1)), sqlite3_column_bytes(read, 1));
    const std::string key(reinterpret_cast<const char*>(sqlite3_column_text(read, 0)));
    std::fill(bytes.begin() + 64, bytes.end(), '\0');
    const std::string sum = hash(bytes);
    sqlite3_bind_blob(write, 1, bytes.data(), int(bytes.size()), SQLITE_TRANSIENT);
    sqlite3_bind_text(write, 2, sum.c_str(), -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(write, 3, key.c_str(), -1, SQLITE_TRANSIENT);
    EXPECT_EQ(sqlite3_step(write), SQLITE_DONE) << sqlite3_errmsg(db);
    sqlite3_reset(write);
  }
  sqlite3_finalize(read), sqlite3_finalize(write), sqlite3_close(db);
  return spoilt;
}
// Nor does it when the driver refused the images once, which are then made again.
TEST_F(gpu_runtime, a_second_runtime_on_the_same_cache_compiles_and_tunes_nothing) {
  const problem p{.sizes = {{"NX", 6}, {"NU", 7}}, .type = f32, .batch = 256};
  std::string first;
  {
    runtime cold(options(tune_mode::first_use));
    first = cold.compile(lm_step(), p).placement().text();
    EXPECT_GT(cold.counters().compiles, 0);
  }
  const auto find_nothing_to_do = [&] {
    runtime warm(options(tune_mode::first_use));
    const auto again = warm.compile(lm_step(), p);
    EXPECT_EQ(again.placement().text(), first);
    EXPECT_EQ(warm.counters().compiles, 0);
    EXPECT_EQ(warm.counters().tuning_launches, 0);
    RecordProperty("startup_ms", std::to_string(warm.counters().startup_seconds * 1e3));
  };
  find_nothing_to_do();
  ASSERT_GT(spoil_images(folder), 0);
  {
    runtime heals(options(tune_mode::first_use));
    EXPECT_EQ(heals.compile(lm_step(), p).placement().text(), first);
    EXPECT_EQ(heals.counters().compiles, 1);
    EXPECT_EQ(heals.counters().tuning_launches, 0);
  }
  find_nothing_to_do();
}

}  // namespace
