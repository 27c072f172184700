// error: glass: this vector has a run-time size: write vector{pointer, size} or {pointer, size, increment}.
#include <glass/core/view.cuh>
#ifdef GLASS_RIGHT
auto f(float* p) { return glass::vector{p, 3}; }
#else
auto f(float* p) { return glass::vector<float, glass::dynamic>(p); }
#endif
