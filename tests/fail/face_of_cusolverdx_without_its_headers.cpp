// error: glass: the headers of cuSOLVERDx are for CUDA compilers: nvcc, or NVRTC.
#include <glass/factor/posv.cuh>
#include <glass/nvidia.cuh>
#ifdef GLASS_RIGHT
int f(float* A, float* b) { return glass::block::posv<float, 8>(A, b); }
#else
int f(float* A, float* b) { return glass::nvidia::block::posv<float, 8>(A, b); }
#endif
