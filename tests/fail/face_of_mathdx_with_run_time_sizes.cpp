// error: glass: nvidia::block::gemm takes its sizes as constants, in the brackets.
#include <glass/matrix/gemm.cuh>
#include <glass/nvidia.cuh>
#ifdef GLASS_RIGHT
void f(int n, const float* A, float* C) { glass::block::gemm<float>(n, n, n, 1, A, A, C); }
#else
void f(int n, const float* A, float* C) { glass::nvidia::block::gemm<float>(n, n, n, 1, A, A, C); }
#endif
