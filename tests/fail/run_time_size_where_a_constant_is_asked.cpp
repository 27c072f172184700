// error: no matching function for call to
#include <glass/core/view.cuh>
#ifdef GLASS_RIGHT
template <auto N>
#else
template <int N>
#endif
int rows(glass::matrix<float, N, N> a) {
  return a.rows();
}
int f(float* p) { return rows(glass::matrix<float, glass::dynamic, glass::dynamic>(p, 3, 3)); }
