// The gain of a linear-quadratic regulator from the cost-to-go P: K = (R + B^T P B)^-1 B^T P A.
// One problem, any scope. A, P: NX x NX, B: NX x NU, R: NU x NU in any layout, P symmetric; K: NU x NX; scratch PB: NX
// x NU, H: NU x NU. Returns the info of posv: 0, or k when R + B^T P B is not positive definite (its leading minor of
// order k; K is B^T P A then).
#include <glass/glass.cuh>
template <class Scope, class State, class Input, class Cost, class Weight, class T, int NX, int NU>
GLASS_DEVICE int lqr_gain(Scope scope, State A, Input B, Cost P, Weight R, glass::matrix<T, NU, NX> K,
                          glass::matrix<T, NX, NU> PB, glass::matrix<T, NU, NU> H) {
  glass::gemm(scope, 1, P, B, 0, PB);  // PB = P B
  glass::each(scope, NU, NU, [&](int i, int j) { H(i, j) = R(i, j); });
  scope.sync();
  glass::gemm<glass::Trans::yes>(scope, 1, B, PB, 1, H);  // H = R + B^T P B
  glass::gemm<glass::Trans::yes>(scope, 1, PB, A, 0, K);  // K = B^T P A
  return glass::posv(scope, H, K);
}
