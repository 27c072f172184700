// error: glass: axpy takes the option Sync.
#include <glass/vector/axpy.cuh>
#ifdef GLASS_RIGHT
constexpr auto option = glass::Sync::no;
#else
constexpr auto option = glass::Trans::yes;
#endif
void f(float* p) { glass::thread::axpy<float, 3, option>(2, p, p + 3); }
