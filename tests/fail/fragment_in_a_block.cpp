// error: glass: a fragment lives in a thread, tile or warp scope; a block has no shuffle.
#include <glass/core/fragment.cuh>
#ifdef GLASS_RIGHT
using scope_type = glass::scope::warp;
#else
using scope_type = glass::scope::block<64>;
#endif
float f(float* p) { return load(scope_type{}, glass::matrix<float, 3, 3>(p)).v[0][0]; }
