// The device headers alone, as plain C++17: one problem in thread scope.
#include <glass/glass.cuh>

#include <cmath>
#include <cstdio>

int main() {
  float A[4] = {4, 2, 2, 3}, b[2] = {8, 8};  // x = (1, 2)
  const int info = glass::posv(glass::scope::thread{}, glass::matrix<float, 2, 2>{A}, glass::vector<float, 2>{b});
  std::printf("info %d, x = (%g, %g)\n", info, b[0], b[1]);
  return info == 0 && std::fabs(b[0] - 1) < 1e-5 && std::fabs(b[1] - 2) < 1e-5 ? 0 : 1;
}
