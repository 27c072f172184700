// The main job: readies posv of several sizes and the two fused kernels for the device that is there (the first time:
// compiled, measured, kept; the next time: from the cache), solves problems with known answers, and prints the chosen
// placements.
//   glass_demo [--batch N] [--warm]      --warm: fails if anything had to be compiled or measured
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <random>

#include "examples.hpp"

namespace {

// Systems whose solutions are known: A = M M^T / n + I, b = A x.
example::answer posv(glass::jit::runtime& rt, int n, long long batch) {
  using namespace glass::jit;
  const std::size_t size = std::size_t(n), count = std::size_t(batch);
  std::mt19937 random(static_cast<unsigned>(n));
  std::uniform_real_distribution<double> entry(-1, 1);
  std::vector<float> A(count * size * size), b(count * size);
  std::vector<double> x(count * size), M(size * size);
  for (std::size_t p = 0; p < count; ++p) {
    for (double& m : M) m = entry(random);
    for (std::size_t i = 0; i < size; ++i) x[p * size + i] = entry(random);
    for (std::size_t i = 0; i < size; ++i) {
      double row = 0;
      for (std::size_t j = 0; j < size; ++j) {
        double a = i == j;
        for (std::size_t k = 0; k < size; ++k) a += M[i * size + k] * M[j * size + k] / n;
        A[(p * size + j) * size + i] = float(a);
        row += double(float(a)) * x[p * size + j];
      }
      b[p * size + i] = float(row);
    }
  }
  example::answer a;
  a.kernel = rt.operation("posv", {.sizes = {{"N", n}, {"NRHS", 1}}, .type = f32, .batch = batch});
  auto device_A = rt.array(A), device_b = rt.array(b);
  auto codes = rt.array<int>(count);
  a.kernel.launch(nullptr, batch, device_A.get(), device_b.get(), codes.get()).check();
  rt.synchronize();
  for (int code : rt.values(codes, count))
    if (code != 0) a.error = HUGE_VAL;
  a.error = std::max(a.error, example::largest_error(rt.values(device_b, x.size()), x, size));
  a.bound = 1e-4;  // condition numbers of a few units to a few tens; f32
  return a;
}

// One line that is overwritten on a terminal, nothing elsewhere.
void show(const glass::jit::tuning_progress& p) {
  if (isatty(STDERR_FILENO))
    std::fprintf(stderr, "\r\033[K%s: %d/%d, best %.3g ns (%s), %.1f s left", p.problem.c_str(), p.done, p.total,
                 p.best_ns, p.best.c_str(), p.seconds_left);
}

int run(long long batch, bool warm) {
  glass::jit::runtime_options options;
  options.tuning.progress = show;
  glass::jit::runtime rt(options);
  std::printf("%s: %s\ncache: %s\n\n", rt.device().id.c_str(), rt.device().name.c_str(), rt.cache().location.c_str());
  std::printf("%-46s %12s %14s %10s  %s\n", "problem", "ns/problem", "over default", "error", "placement");

  int wrong = 0;
  const auto row = [&](const example::answer& a) {
    if (isatty(STDERR_FILENO)) std::fputs("\r\033[K", stderr);
    std::printf("%-46s %12.3g %13.2fx %10.1e  %s%s\n", a.kernel.problem().c_str(), a.kernel.ns_per_problem(),
                a.kernel.speedup_over_default(), a.error, a.kernel.placement().text().c_str(),
                a.right() ? "" : "  WRONG");
    std::fflush(stdout);
    wrong += !a.right();
  };
  for (int n : {4, 6, 8, 12, 16, 24, 32}) row(posv(rt, n, batch));
  row(example::lm_step(rt));
  row(example::lqr_gain(rt));

  const glass::jit::counters c = rt.counters();
  std::printf("\nanswers: %s. %lld compiles, %lld tuning launches, start-up %.1f ms (to the first kernel ready).\n",
              wrong ? "WRONG" : "all right", static_cast<long long>(c.compiles),
              static_cast<long long>(c.tuning_launches), 1e3 * c.startup_seconds);
  if (warm && (c.compiles || c.tuning_launches)) std::fputs("The cache should have held everything.\n", stderr);
  return wrong || (warm && (c.compiles || c.tuning_launches)) ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  long long batch = 8192;
  bool warm = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--warm") == 0) {
      warm = true;
    } else if (std::strcmp(argv[i], "--batch") == 0 && i + 1 < argc && std::atoll(argv[i + 1]) > 0) {
      batch = std::atoll(argv[++i]);
    } else {
      std::fprintf(stderr, "usage: %s [--batch N] [--warm]\n", argv[0]);
      return 2;
    }
  }
  try {
    return run(batch, warm);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
