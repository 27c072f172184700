// error: glass: this matrix has run-time sizes: write matrix{pointer, rows, cols}.
#include <glass/core/view.cuh>
#ifdef GLASS_RIGHT
glass::matrix<float, 3, 3> f(float* p) { return glass::matrix<float, 3, 3>(p); }
#else
glass::matrix<float, 3, glass::dynamic> f(float* p) { return glass::matrix<float, 3, glass::dynamic>(p); }
#endif
