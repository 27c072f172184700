// error: glass: an operand that is written cannot be shared by the batch.
#include <kernels_src/batch.cuh>
namespace b = glass::batch;
#ifdef GLASS_RIGHT
using operand = b::in<float, b::layout<glass::Order::col, -1, 0>, 3>;
#else
using operand = b::inout<float, b::layout<glass::Order::col, -1, 0>, 3>;
#endif
static_assert(operand::reads);
