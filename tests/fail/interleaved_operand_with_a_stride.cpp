// error: glass: an interleaved operand has no stride and is no broadcast.
#include <kernels_src/batch.cuh>
namespace b = glass::batch;
#ifdef GLASS_RIGHT
using operand = b::in<float, b::layout<glass::Order::interleaved>, 3>;
#else
using operand = b::in<float, b::layout<glass::Order::interleaved, -1, 16>, 3>;
#endif
static_assert(operand::interleaved);
