// error: glass: the headers of CUB are for CUDA compilers: nvcc, or NVRTC.
#include <glass/nvidia.cuh>
#ifdef GLASS_RIGHT
float f(const float* x) { return glass::warp::dot<float, 8>(x, x); }
#else
float f(const float* x) { return glass::nvidia::warp::dot<float, 8>(x, x); }
#endif
