// error: glass: Sum::fixed fixes the order of the additions, and CUB has its own: take glass's operation.
#include <glass/nvidia.cuh>
#ifdef GLASS_RIGHT
float f(const float* x) { return glass::block::reduce<float, 8, glass::Sum::fixed>(x); }
#else
float f(const float* x) { return glass::nvidia::block::reduce<float, 8, glass::Sum::fixed>(x); }
#endif
