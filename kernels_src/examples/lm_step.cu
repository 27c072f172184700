// One damped least-squares (Levenberg-Marquardt) step: dq = (J^T J + lambda I)^-1 J^T r.
// One problem, any scope. J: NX x NU in any layout (the Panda data are row-major), r: NX, dq: NU, H: scratch NU x NU.
// Returns the info of posv: 0, or k when the leading minor of order k is not positive (dq is J^T r then).
#include <glass/glass.cuh>
template <class Scope, class Jacobian, class T, int NX, int NU>
GLASS_DEVICE int lm_step(Scope scope, Jacobian J, glass::vector<const T, NX> r, T lambda, glass::vector<T, NU> dq,
                         glass::matrix<T, NU, NU> H) {
  glass::syrk<glass::Trans::yes>(scope, 1, J, 0, H);   // H = J^T J
  glass::add_identity(scope, lambda, H);               // H += lambda I
  glass::gemv<glass::Trans::yes>(scope, 1, J, r, dq);  // dq = J^T r
  return glass::posv(scope, H, dq);
}
