// error: glass: a block has 1 to 1024 threads: width times pack is out of range.
#include <kernels_src/batch.cuh>
namespace b = glass::batch;
struct body {
  template <class... A>
  static void run(A...) {}
};
#ifdef GLASS_RIGHT
GLASS_BATCH(1, body, glass::scope::warp, 32, b::home::global, b::inout<float, b::layout<>, 3>)
#else
GLASS_BATCH(1, body, glass::scope::warp, 33, b::home::global, b::inout<float, b::layout<>, 3>)
#endif
