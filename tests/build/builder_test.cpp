// memory -> store -> compiler: each image is compiled once, by one thread of one process, and made again when it is not
// what it should be.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "build/key.hpp"
#include "problems.hpp"
#include "store/file_lock.hpp"
#include "support/fake_backend.hpp"

namespace glass::jit {
namespace {

using ::glass::jit::testing::fake_backend;
using ::testing::HasSubstr;

// Writes a byte to a file for each compile, so that those of other processes are counted too.
class counted_backend : public fake_backend {
 public:
  explicit counted_backend(std::string file) : file_(std::move(file)) {}
  image compile(const source& s) override {
    std::FILE* f = std::fopen(file_.c_str(), "a");
    std::fputc('x', f);
    std::fclose(f);
    const int now = ++running_;
    for (int most = most_running; now > most && !most_running.compare_exchange_weak(most, now);) {}
    if (during_compile) during_compile();
    for (int i = 0; i < 2000; ++i) std::this_thread::yield();
    struct leaving {
      std::atomic<int>& running;
      ~leaving() { --running; }
    } at_the_end{running_};
    return fake_backend::compile(s);
  }
  std::function<void()> during_compile;
  std::atomic<int> most_running{0};

 private:
  std::string file_;
  std::atomic<int> running_{0};
};

class builder_test : public ::testing::Test {
 protected:
  builder_test() {
    std::string name = "/tmp/glass-build-XXXXXX";
    root = ::mkdtemp(name.data());
    reset_device();
  }
  ~builder_test() override { std::filesystem::remove_all(root); }
  void reset_device() { device = std::make_shared<counted_backend>(root + "/compiles"); }
  std::shared_ptr<warner> warn() {
    return std::make_shared<warner>([this](const std::string& line) { warnings.push_back(line); });
  }
  std::unique_ptr<builder> make(const std::string& where = {}) {
    const auto w = warn();
    rows = store::open(where.empty() ? root + "/cache" : where, w);
    return std::make_unique<builder>(device, rows, w);
  }
  int compiles() const {
    std::error_code none;
    const auto size = std::filesystem::file_size(root + "/compiles", none);
    return none ? 0 : int(size);
  }
  static placement packed(int pack) { return placement::parse("scope=tile8 pack=" + std::to_string(pack)); }
  template <class F>
  pid_t start(F f) {
    const pid_t child = ::fork();
    if (child == 0) {
      bool ok = false;
      try {
        ok = f();
      } catch (const std::exception& e) { std::fprintf(stderr, "%s\n", e.what()); }
      for (const std::string& line : warnings) std::fprintf(stderr, "%s\n", line.c_str());
      ::_exit(ok ? 0 : 1);
    }
    return child;
  }
  static int finish(pid_t child) {
    int status = -1;
    ::waitpid(child, &status, 0);
    return status;
  }
  static errc code_of(const std::function<void()>& f) {
    try {
      f();
    } catch (const error& e) { return e.code(); }
    return errc::ok;
  }

  std::string root;
  std::shared_ptr<counted_backend> device;
  std::shared_ptr<store> rows;
  std::vector<std::string> warnings;
};

TEST_F(builder_test, compiled_once_then_from_memory_then_from_the_store) {
  const auto first = make();
  const built made = first->get(lm_bound(), tile8());
  EXPECT_TRUE(made.compiled);
  EXPECT_EQ(made.key, first->key(lm_bound(), tile8()));
  const built again = first->get(lm_bound(), tile8());
  EXPECT_FALSE(again.compiled);
  EXPECT_EQ(again.bytes, made.bytes);
  EXPECT_EQ(first->counters().from_memory, 1);
  const auto next = make();
  EXPECT_EQ(next->get(lm_bound(), tile8()).bytes, made.bytes);
  EXPECT_EQ(next->counters().from_cache, 1);
  EXPECT_EQ(next->counters().compiles, 0);
  EXPECT_EQ(compiles(), 1);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(builder_test, another_text_placement_or_compiler_is_another_image) {
  const auto b = make();
  b->get(lm_bound(), tile8());
  b->get(lm_bound(), packed(8));
  b->get(lm_bound(lm_text + "\n"), tile8());
  device->compiler_version = "fake 2.0";
  make()->get(lm_bound(), tile8());
  EXPECT_EQ(compiles(), 4);
}

TEST_F(builder_test, threads_that_want_one_image_wait_for_one_compile) {
  const auto b = make();
  std::vector<std::thread> all;
  std::atomic<int> compiled{0}, right{0}, ready{0};
  for (int t = 0; t < 32; ++t)
    all.emplace_back([&] {
      for (++ready; ready < 32;) std::this_thread::yield();
      const built one = b->get(lm_bound(), tile8());
      compiled += one.compiled;
      right += !one.bytes.empty();
    });
  for (std::thread& t : all) t.join();
  EXPECT_EQ(compiled, 1);
  EXPECT_EQ(right, 32);
  EXPECT_EQ(compiles(), 1);
}

TEST_F(builder_test, a_failed_compile_fails_for_all_who_wait_and_is_tried_again_later) {
  device->script = [](const std::string&) { return testing::behaviour{.compile_error = "lm_step(1): error: no"}; };
  const auto b = make();
  std::vector<std::thread> all;
  std::atomic<int> failed{0};
  for (int t = 0; t < 8; ++t)
    all.emplace_back([&] { failed += code_of([&] { b->get(lm_bound(), tile8()); }) == errc::compile_failed; });
  for (std::thread& t : all) t.join();
  EXPECT_EQ(failed, 8);
  EXPECT_EQ(rows->stats().images, 0);
  device->script = [](const std::string&) { return testing::behaviour{}; };
  EXPECT_TRUE(b->get(lm_bound(), tile8()).compiled);
}

TEST_F(builder_test, get_all_compiles_side_by_side_within_the_slots_and_reports_each) {
  device->slots = 3;
  device->script = [](const std::string& label) {
    return testing::behaviour{.compile_error = label == packed(2).text() ? "lm_step(1): error: no" : ""};
  };
  const auto b = make();
  std::vector<placement> wanted;
  for (int pack : {1, 2, 4, 8, 16, 32, 1}) wanted.push_back(packed(pack));
  std::mutex mutex;
  std::vector<std::string> told(wanted.size());
  b->get_all(lm_bound(), wanted, [&](std::size_t i, const built* made, const error* wrong) {
    const std::lock_guard hold(mutex);
    told[i] += made ? "built" : wrong ? name(wrong->code()) : "nothing";
  });
  EXPECT_EQ(told, (std::vector<std::string>{"built", "compile_failed", "built", "built", "built", "built", "built"}));
  EXPECT_LE(device->most_running, 3);
  EXPECT_GE(device->most_running, 2);
  EXPECT_EQ(compiles(), 6);
}

TEST_F(builder_test, an_exception_of_the_callback_reaches_the_caller) {
  const auto b = make();
  EXPECT_THROW(b->get_all(lm_bound(), {packed(1), packed(2)},
                          [](std::size_t, const built*, const error*) { throw std::runtime_error("stop"); }),
               std::runtime_error);
}

TEST_F(builder_test, an_implausible_image_is_dropped_with_one_warning_and_made_again) {
  const built made = make()->get(lm_bound(), tile8());
  {
    image_row row;  // as a process of another machine with the same target might have left it
    const source s = assemble(lm_bound(), tile8());
    const image_key k = key_of(lm_bound(), tile8(), device->device(), device->compiler(), s);
    row.key = k.key, row.material = k.material, row.bytes = {'b', 'a', 'd'};
    rows->put_image(row);
  }
  const auto b = make();
  EXPECT_EQ(b->get(lm_bound(), tile8()).bytes, made.bytes);
  EXPECT_EQ(b->counters().compiles, 1);
  EXPECT_EQ(warnings.size(), 1u);
  EXPECT_EQ(rows->healed(), 1);
  EXPECT_FALSE(make()->get(lm_bound(), tile8()).compiled);
}

TEST_F(builder_test, a_refused_image_is_forgotten_and_made_again) {
  const auto b = make();
  const built made = b->get(lm_bound(), tile8());
  b->forget(made.key);
  EXPECT_EQ(rows->stats().images, 0);
  EXPECT_TRUE(b->get(lm_bound(), tile8()).compiled);
  EXPECT_EQ(warnings.size(), 1u);
}

TEST_F(builder_test, without_a_compiler_a_warm_cache_serves_whatever_compiler_filled_it) {
  const built made = make()->get(lm_bound(), tile8());
  reset_device();
  device->has_compiler = false;
  const auto b = make();
  EXPECT_EQ(b->key(lm_bound(), tile8()), "");
  const built found = b->get(lm_bound(), tile8());
  EXPECT_EQ(found.bytes, made.bytes);
  EXPECT_EQ(found.key, made.key);
  EXPECT_FALSE(found.compiled);
  EXPECT_EQ(code_of([&] { b->get(lm_bound(), packed(2)); }), errc::no_compiler);
  EXPECT_EQ(code_of([&] { b->get(lm_bound(), packed(2), effort::none); }), errc::refused);
}

TEST_F(builder_test, where_compiling_is_refused_what_is_stored_is_used_even_from_an_older_compiler) {
  const built made = make()->get(lm_bound(), tile8());
  device->compiler_version = "fake 2.0";
  const auto b = make();
  EXPECT_EQ(b->get(lm_bound(), tile8(), effort::none).bytes, made.bytes);
  EXPECT_EQ(code_of([&] { b->get(lm_bound(), packed(2), effort::none); }), errc::refused);
  EXPECT_EQ(compiles(), 1);
  EXPECT_TRUE(b->get(lm_bound(), tile8()).compiled);
}

TEST_F(builder_test, without_a_store_everything_works_in_memory) {
  const auto b = make("memory");
  EXPECT_TRUE(b->get(lm_bound(), tile8()).compiled);
  EXPECT_FALSE(b->get(lm_bound(), tile8()).compiled);
  EXPECT_EQ(compiles(), 1);
}

TEST_F(builder_test, a_function_without_GLASS_DEVICE_compiles_with_one_hint) {
  const auto b = make();
  const bound_problem p = lm_bound(replaced(lm_text, "GLASS_DEVICE ", ""));
  b->get(p, tile8());
  b->get(p, packed(2));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("lm_step is not marked GLASS_DEVICE"));
  b->get(lm_bound(replaced(lm_text, "GLASS_DEVICE ", "__device__ ")), packed(4));
  EXPECT_EQ(warnings.size(), 1u);
}

// ---- several processes

TEST_F(builder_test, sixteen_cold_processes_compile_one_key_once) {
  int gate[2];
  ASSERT_EQ(::pipe(gate), 0);
  std::vector<pid_t> all;
  for (int i = 0; i < 16; ++i)
    all.push_back(start([&] {
      char c;
      ::close(gate[1]);
      if (::read(gate[0], &c, 1) != 0) return false;
      return !make()->get(lm_bound(), tile8()).bytes.empty() && warnings.empty();
    }));
  ::close(gate[0]);
  ::close(gate[1]);
  for (pid_t p : all) EXPECT_EQ(finish(p), 0);
  EXPECT_EQ(compiles(), 1);
}

TEST_F(builder_test, sixteen_processes_compile_two_hundred_keys_once_each) {
  std::vector<pid_t> all;
  for (int i = 0; i < 16; ++i)
    all.push_back(start([&, i] {
      const auto b = make();
      for (int k = 0; k < 200; ++k)
        if (b->get(lm_bound(), packed(1 + (k * 37 + i * 11) % 200)).bytes.empty()) return false;
      return warnings.empty();
    }));
  for (pid_t p : all) EXPECT_EQ(finish(p), 0);
  EXPECT_EQ(compiles(), 200);
}

TEST_F(builder_test, when_the_holder_of_the_lock_is_killed_a_waiter_compiles) {
  int begun[2];
  ASSERT_EQ(::pipe(begun), 0);
  const pid_t holder = start([&] {
    device->during_compile = [&] {
      if (::write(begun[1], "x", 1) != 1) ::_exit(2);
      for (;;) ::pause();
    };
    make()->get(lm_bound(), tile8());
    return false;
  });
  char c;
  ASSERT_EQ(::read(begun[0], &c, 1), 1);
  const pid_t waiter = start([&] { return make()->get(lm_bound(), tile8()).compiled && warnings.empty(); });
  ::kill(holder, SIGKILL);
  finish(holder);
  EXPECT_EQ(finish(waiter), 0);
  EXPECT_EQ(compiles(), 2);
}

TEST_F(builder_test, a_waiter_whose_patience_ends_compiles_for_itself) {
  const auto b = make();
  const std::string key = b->key(lm_bound(), tile8());
  file_lock held;
  ASSERT_EQ(held.take(rows->lock_file(), 1 + std::stoull(key.substr(0, 15), nullptr, 16), 0),
            file_lock::outcome::taken);
  b->waiting_seconds = 0;
  EXPECT_TRUE(b->get(lm_bound(), tile8()).compiled);
}

TEST_F(builder_test, a_lock_file_that_cannot_be_opened_costs_at_most_a_second_compile) {
  const auto b = make();
  std::filesystem::remove(rows->lock_file());
  std::filesystem::create_directory(rows->lock_file());
  EXPECT_TRUE(b->get(lm_bound(), tile8()).compiled);
  EXPECT_FALSE(make()->get(lm_bound(), tile8()).compiled);
}

}  // namespace
}  // namespace glass::jit
