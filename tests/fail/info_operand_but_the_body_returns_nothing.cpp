// error: glass: the operand list has an info operand, but the body returns nothing: return int, or leave info out.
#include <kernels_src/batch.cuh>
namespace b = glass::batch;
struct body {
  template <class... A>
  static void run(A...) {}
};
#ifdef GLASS_RIGHT
GLASS_BATCH(1, body, glass::scope::thread, 32, b::home::global, b::inout<float, b::layout<>, 3>)
#else
GLASS_BATCH(2, body, glass::scope::thread, 32, b::home::global, b::inout<float, b::layout<>, 3>, b::info)
#endif
