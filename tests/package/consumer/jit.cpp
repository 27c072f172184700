// The runtime, in C++17 and in C++20: a built-in operation on the host, nothing kept.
#include <glass/jit.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

int main() try {
  glass::jit::runtime_options options;
  options.device = "host";
  options.cache = "memory";
  options.tuning.mode = glass::jit::tune_mode::off;
  glass::jit::runtime rt(options);
  glass::jit::problem wanted;
  wanted.sizes = {{"N", 2}};
  wanted.batch = 3;
  const glass::jit::kernel posv = rt.operation("posv", wanted);
  std::vector<float> A, b;
  for (int p = 0; p < 3; ++p) A.insert(A.end(), {4, 2, 2, 3}), b.insert(b.end(), {8, 8});  // x = (1, 2)
  int info[3] = {-1, -1, -1};
  posv.launch(nullptr, 3, A.data(), b.data(), info).check();
  std::printf("%s\ninfo %d, x = (%g, %g)\n", posv.why().c_str(), info[2], b[4], b[5]);
  return info[2] == 0 && std::fabs(b[4] - 1) < 1e-5 && std::fabs(b[5] - 2) < 1e-5 ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
