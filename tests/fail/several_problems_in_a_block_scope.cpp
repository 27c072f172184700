// error: glass: a block scope takes one problem per block: pack is 1.
#include <kernels_src/batch.cuh>
namespace b = glass::batch;
struct body {
  template <class... A>
  static void run(A...) {}
};
#ifdef GLASS_RIGHT
GLASS_BATCH(1, body, glass::scope::block<64>, 1, b::home::global, b::inout<float, b::layout<>, 3>)
#else
GLASS_BATCH(1, body, glass::scope::block<64>, 2, b::home::global, b::inout<float, b::layout<>, 3>)
#endif
