// error: glass: the faces of cuSOLVERDx take float and double.
#include <glass/factor/potrf.cuh>
#include <glass/nvidia.cuh>
#ifdef GLASS_RIGHT
int f(float* A) { return glass::block::potrf<float, 8>(A); }
#else
int f(int* A) { return glass::nvidia::block::potrf<int, 8>(A); }
#endif
