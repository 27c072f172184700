// error: glass: gemv takes the options Trans, Order, Body and Sync, in any order.
#include <glass/matrix/gemv.cuh>
#ifdef GLASS_RIGHT
constexpr auto option = glass::Trans::yes;
#else
constexpr auto option = glass::Diag::unit;
#endif
void f(float* p) {
  glass::gemv<option>(glass::scope::thread{}, 1, glass::matrix<float, 3, 3>(p), glass::vector<float, 3>(p),
                      glass::vector<float, 3>(p));
}
