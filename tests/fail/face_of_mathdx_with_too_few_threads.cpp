// error: glass: cuSOLVERDx works in blocks of 32 to 1024 threads: Threads{128}.
#include <glass/factor/potrf.cuh>
#include <glass/nvidia.cuh>
#ifdef GLASS_RIGHT
int f(float* A) { return glass::block::potrf<float, 8>(A); }
#else
int f(float* A) { return glass::nvidia::block::potrf<float, 8, glass::nvidia::Threads{16}>(A); }
#endif
