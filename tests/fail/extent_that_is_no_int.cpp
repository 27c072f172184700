// error: glass: an extent of a view is an int constant or glass::dynamic.
#include <glass/core/view.cuh>
#ifdef GLASS_RIGHT
constexpr int n = 3;
#else
constexpr unsigned n = 3;
#endif
float f(float* p) { return glass::vector<float, n>(p)(0); }
