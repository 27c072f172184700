// The README's program (c) as plain C++: CUDA's words are stood in for, so that the listing is compiled where no nvcc
// is. nvcc compiles the same calls in kernels_src/examples/static_solve.cu. Also
// the kernel of fragments, in thread scope.
#include <glass/glass.cuh>
#include <glass/recommend.cuh>

#include <gtest/gtest.h>

#define __global__
static struct { int x = 0; } blockIdx;
namespace listing {
#include "listings/static.inc"

#include "listings/recommend.inc"

#include "listings/fragments.inc"
}  // namespace listing
#undef __global__

TEST(readme, the_static_program_compiles) { EXPECT_NE(&listing::solve, nullptr); }
TEST(readme, the_program_with_a_recommended_shape_compiles) { EXPECT_NE(&listing::solve_all, nullptr); }
TEST(readme, the_kernel_of_fragments_is_the_update_of_a_filter) {
  double x[] = {1, 2, 3}, P[] = {2, 1, 0, 1, 3, 0, 0, 0, 1}, same_x[] = {1, 2, 3},
         same_P[] = {2, 1, 0, 1, 3, 0, 0, 0, 1};
  const double H[] = {1, 0, 0, 1, 1, 0}, R[] = {1, 0, 0, 2}, y[] = {1, -1};
  double scratch[12];
  EXPECT_EQ(listing::update(glass::scope::thread{}, glass::vector<double, 3>{x}, glass::matrix<double, 3, 3>{P},
                            glass::matrix<const double, 2, 3>{H}, glass::matrix<const double, 2, 2>{R},
                            glass::vector<const double, 2>{y}),
            0);
  EXPECT_EQ((glass::thread::kalman_update<double, 3, 2>(same_x, same_P, H, R, y, scratch)), 0);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(x[i], same_x[i], 1e-14);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(P[i], same_P[i], 1e-14);
}
