// error: glass: a body of several problems a block takes them where they lie, and returns nothing.
#include <kernels_src/batch.cuh>
namespace b = glass::batch;
struct body {
  template <class... A>
  static void run(A...) {}
};
#ifdef GLASS_RIGHT
GLASS_BATCH(1, body, glass::scope::block<64>, 2, b::home::global, b::inout<float, b::layout<>, 3>)
#else
GLASS_BATCH(1, body, glass::scope::block<64>, 2, b::home::shared, b::inout<float, b::layout<>, 3>)
#endif
