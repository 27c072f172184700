// error: glass: axpy writes y, but y is const.
#include <glass/vector/axpy.cuh>
#ifdef GLASS_RIGHT
using number = float;
#else
using number = const float;
#endif
void f(float* p) {
  glass::axpy(glass::scope::thread{}, 2, glass::vector<float, 3>(p), glass::vector<number, 3>(p + 3));
}
