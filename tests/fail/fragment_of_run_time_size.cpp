// error: glass: a fragment needs sizes that are constants, but this view has run-time sizes.
#include <glass/core/fragment.cuh>
#ifdef GLASS_RIGHT
float f(float* p) { return load(glass::scope::thread{}, glass::matrix<float, 3, 3>(p)).v[0][0]; }
#else
float f(float* p) { return load(glass::scope::thread{}, glass::matrix{p, 3, 3}).v[0][0]; }
#endif
