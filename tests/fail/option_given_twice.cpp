// error: glass: posv takes the options Shift, Factor, Body and Sync, in any order.
#include <glass/factor/posv.cuh>
#ifdef GLASS_RIGHT
constexpr auto second = glass::Body::loop;
#else
constexpr auto second = glass::Sync::no;
#endif
int f(float* p) {
  return glass::posv<glass::Sync::no, second>(glass::scope::thread{}, glass::matrix<float, 3, 3>(p),
                                              glass::vector<float, 3>(p));
}
