// error: glass: a kernel's scope is thread, tile<2|4|8|16>, warp or block<N> with N > 0.
#include <kernels_src/batch.cuh>
namespace b = glass::batch;
struct body {
  template <class... A>
  static void run(A...) {}
};
#ifdef GLASS_RIGHT
GLASS_BATCH(1, body, glass::scope::block<64>, 1, b::home::global, b::inout<float, b::layout<>, 3>)
#else
GLASS_BATCH(1, body, glass::scope::block<>, 1, b::home::global, b::inout<float, b::layout<>, 3>)
#endif
