// error: glass: an out, inout or scratch operand is a vector or a matrix: give it an extent, {1} for one number.
#include <kernels_src/batch.cuh>
namespace b = glass::batch;
#ifdef GLASS_RIGHT
using number = b::out<float, b::layout<>, 1>;
#else
using number = b::out<float, b::layout<> >;
#endif
static_assert(number::writes);
