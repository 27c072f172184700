// error: glass: gemv: the sizes do not fit: op(A) is M x N, x has N numbers, y has M.
#include <glass/matrix/gemv.cuh>
#ifdef GLASS_RIGHT
constexpr int n = 4;
#else
constexpr int n = 3;
#endif
void f(float* p) {
  glass::gemv(glass::scope::thread{}, 1, glass::matrix<float, 3, 4>(p), glass::vector<float, n>(p),
              glass::vector<float, 3>(p));
}
