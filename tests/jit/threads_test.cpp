// Many threads ask and launch at once (run this under ThreadSanitizer too).
#include <thread>

#include "jit_fixture.hpp"

namespace glass::jit {
namespace {

using testing::behaviour;

class Threads : public testing::Scripted {
 protected:
  template <class F>
  static void in_parallel(int n, F f) {
    std::vector<std::thread> threads;
    for (int t = 0; t < n; ++t) threads.emplace_back(f, t);
    for (auto& t : threads) t.join();
  }
};

TEST_F(Threads, AskAndLaunchAtOnce) {
  for (const char* where : {"folder", "memory"}) {
    if (std::string(where) == "memory") options.cache = where;
    device = fresh_device();
    options.tuning.mode = tune_mode::first_use;
    runtime rt(device, options);
    std::atomic<int> wrong{0};
    in_parallel(100, [&](int t) {
      const kernel k = get(rt, 8, t % 2 ? 1024 : 600);  // one batch class
      std::vector<float> x(80, 2), y(80, 1);
      for (int i = 0; i < 20; ++i) {
        if (!k.launch(nullptr, 10, 0.5f, x.data(), y.data())) ++wrong;
        if (y[79] != 1 + static_cast<float>(i + 1)) ++wrong;
      }
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(rt.counters().tuned, 1) << "one run for all of them";
    EXPECT_EQ(device->timed_while_compiling, 0);
  }
}

TEST_F(Threads, NothingCompilesBesideAClock) {
  options.tuning.mode = tune_mode::first_use;
  device->compute = [](const argument_block&, const launch_shape&) {};
  runtime rt(device, options);
  in_parallel(24, [&](int t) {
    if (t % 3)
      get(rt, 2 + t);
    else
      rt.compile(testing::scale(), testing::scale_problem(2 + t),
                 placement::parse("scope=warp pack=" + std::to_string(1 + t % 8)));
  });
  EXPECT_EQ(rt.counters().tuned, 16);
  EXPECT_EQ(device->timed_while_compiling, 0);
}

TEST_F(Threads, CopiesOfAKernelAndItsRuntimeEndInAnyOrder) {
  options.tuning.mode = tune_mode::off;
  auto rt = std::make_unique<runtime>(device, options);
  const kernel k = get(*rt);
  std::atomic<int> failed{0};
  std::thread end([&] { rt.reset(); });
  in_parallel(8, [&](int) {
    const kernel copy = k;
    std::vector<float> x(8), y(8);
    for (int i = 0; i < 100; ++i) failed += !copy.launch(nullptr, 1, 1.f, x.data(), y.data()).ok();
  });
  end.join();
  EXPECT_EQ(failed, 0);
}

}  // namespace
}  // namespace glass::jit
