// error: glass: CUB reduces in warps and blocks; for one thread there is glass::thread::nrm2.
#include <glass/nvidia.cuh>
#ifdef GLASS_RIGHT
float f(const float* x) { return glass::thread::nrm2<float, 8>(x); }
#else
float f(const float* x) { return glass::nvidia::thread::nrm2<float, 8>(x); }
#endif
