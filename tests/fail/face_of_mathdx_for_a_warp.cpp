// error: glass: potrf of MathDx is for blocks: glass::nvidia::block::potrf.
#include <glass/factor/potrf.cuh>
#include <glass/nvidia.cuh>
#ifdef GLASS_RIGHT
int f(float* A) { return glass::warp::potrf<float, 8>(A); }
#else
int f(float* A) { return glass::nvidia::warp::potrf<float, 8>(A); }
#endif
