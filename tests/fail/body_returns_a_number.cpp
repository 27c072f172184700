// error: glass: a body returns int (its info) or nothing.
#include <kernels_src/batch.cuh>
namespace b = glass::batch;
struct body {
  template <class... A>
  static auto run(A...) {
#ifndef GLASS_RIGHT
    return 1.0f;
#endif
  }
};
GLASS_BATCH(1, body, glass::scope::warp, 4, b::home::global, b::inout<float, b::layout<>, 3>)
