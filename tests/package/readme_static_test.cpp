// The README's program (c) as plain C++: CUDA's words are stood in for, so that the listing is compiled where no nvcc
// is. nvcc compiles the same calls in kernels_src/examples/static_solve.cu.
#include <glass/glass.cuh>

#include <gtest/gtest.h>

#define __global__
static struct { int x = 0; } blockIdx;
namespace listing {
#include "listings/static.inc"
}
#undef __global__

TEST(readme, the_static_program_compiles) { EXPECT_NE(&listing::solve, nullptr); }
