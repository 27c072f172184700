// error: glass: the body returns int, so the operand list needs an info operand (it may be passed as a null pointer).
#include <kernels_src/batch.cuh>
namespace b = glass::batch;
struct body {
  template <class... A>
  static int run(A...) {
    return 0;
  }
};
#ifdef GLASS_RIGHT
GLASS_BATCH(2, body, glass::scope::thread, 32, b::home::global, b::inout<float, b::layout<>, 3>, b::info)
#else
GLASS_BATCH(1, body, glass::scope::thread, 32, b::home::global, b::inout<float, b::layout<>, 3>)
#endif
