// error: glass: a body of several problems a block that takes them where they lie returns nothing.
#include <kernels_src/batch.cuh>
namespace b = glass::batch;
struct body {
  template <class... A>
#ifdef GLASS_RIGHT
  static void run(A...) {
  }
#else
  static int run(A...) {
    return 0;
  }
#endif
};
#ifdef GLASS_RIGHT
GLASS_BATCH(1, body, glass::scope::block<64>, 2, b::home::global, b::inout<float, b::layout<>, 3>)
#else
GLASS_BATCH(2, body, glass::scope::block<64>, 2, b::home::global, b::inout<float, b::layout<>, 3>, b::info)
#endif
