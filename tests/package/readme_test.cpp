// The README's programs (a) and (b), run on the host exactly as printed. The variables that a listing uses without
// declaring are set up here.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <glass/jit.hpp>

namespace {

TEST(readme, one_operation_over_a_batch_solves_it) {
  const int n = 12, problems = 8192;
  std::vector<float> matrices(std::size_t(problems) * n * n, 0.5f), right(std::size_t(problems) * n);
  std::vector<int> infos(problems, -1);
  for (int p = 0; p < problems; ++p)
    for (int i = 0; i < n; ++i) {
      matrices[std::size_t(p) * n * n + std::size_t(i) * n + i] =
          2;  // 0.5 everywhere, 2 on the diagonal: x = 1 for b = 1.5 + 0.5 n
      right[std::size_t(p) * n + i] = 1.5f + 0.5f * n;
    }
  float *A = matrices.data(), *b = right.data();
  int* info = infos.data();
  CUstream_st* stream = nullptr;
#include "listings/operation.inc"
  for (float x : right) ASSERT_NEAR(x, 1, 1e-4);
  for (int code : infos) ASSERT_EQ(code, 0);
}

TEST(readme, a_fused_kernel_of_ones_own_solves_its_batch) {
  const int nx = 6, nu = 7, problems = 4096;
  std::vector<float> jacobians(std::size_t(problems) * nx * nu, 0), residuals(std::size_t(problems) * nx, 2),
      steps(std::size_t(problems) * nu, NAN);
  std::vector<int> infos(problems, -1);
  for (int p = 0; p < problems; ++p)
    for (int i = 0; i < nx; ++i)
      jacobians[std::size_t(p) * nx * nu + std::size_t(i) * nx + i] = 1;  // [I 0]: dq = r / (1 + lambda)
  const float *J = jacobians.data(), *r = residuals.data();
  float* dq = steps.data();
  int* codes = infos.data();
  CUstream_st* stream = nullptr;
#include "listings/fused.inc"
  for (int p = 0; p < problems; ++p)
    for (int i = 0; i < nu; ++i) ASSERT_NEAR(steps[std::size_t(p) * nu + i], i < nx ? 2 / (1 + 1e-3) : 0, 1e-5);
  for (int code : infos) ASSERT_EQ(code, 0);
}

TEST(readme, a_robot_without_its_pack_starts_and_refuses) {
  const char* const cache = std::getenv("GLASS_CACHE");
  const std::string before = cache ? cache : "";
  setenv("GLASS_CACHE", "memory", 1);  // another test may have compiled the default placement
#include "listings/pack.inc"
  EXPECT_THROW(rt.operation("dot", {.sizes = {{"N", 4}}, .batch = 64}), glass::jit::error);
  EXPECT_EQ(rt.counters().compiles, 0);
  cache ? setenv("GLASS_CACHE", before.c_str(), 1) : unsetenv("GLASS_CACHE");
}

TEST(readme, what_a_robot_needs_is_readied_before_its_loop) {
  const auto before = std::filesystem::current_path();
  const auto folder = std::filesystem::temp_directory_path() / ("glass_readme_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::filesystem::current_path(folder);
  std::ofstream("used.json") << R"({"problems": [{"operation": "dot", "sizes": {"N": 4}, "batch": 64}]})";
  int alarms = 0;
  glass::jit::runtime_options options;
  options.tuning.mode = glass::jit::tune_mode::off, options.tuning_from_environment = false;
  options.alarm = [&](const std::string&, const std::string&) { ++alarms; };
#include "listings/preload.inc"
  EXPECT_TRUE(report.ready());
  EXPECT_TRUE(rt.operation("dot", {.sizes = {{"N", 4}}, .batch = 64}));
  EXPECT_THROW(rt.operation("dot", {.sizes = {{"N", 5}}, .batch = 64}), glass::jit::error);
  EXPECT_EQ(alarms, 2);  // of dot N=4 nobody measured anything; dot N=5 is refused
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
}

}  // namespace
