// The measurement update of an extended Kalman filter that hears the distances to NY beacons: h_i(x) = |p - b_i|, where
// the position p is the first three of NX states. One problem, any scope; twice, with the same operands and results:
//   ekf_update            views: the Jacobian and what the update works with lie in scratch memory
//   ekf_update_fragments  registers from the first load to the last store: thread, tile and warp scopes, no scratch;
//                         the tuner chooses the path of P
// x: NX, P: NX x NX symmetric, both overwritten; beacons: 3 x NY, z: NY measured distances, R: NY x NY their
// covariance. Returns info: 0, or k when the leading minor of order k of H P H^T + R is not positive (x and P are
// unchanged then).
#include <glass/glass.cuh>
template <class Scope, class T, int NX, int NY, class Work>
GLASS_DEVICE int ekf_update(Scope scope, glass::vector<T, NX> x, glass::matrix<T, NX, NX> P,
                            glass::matrix<const T, 3, NY> beacons, glass::vector<const T, NY> z,
                            glass::matrix<const T, NY, NY> R, glass::matrix<T, NY, NX> H, glass::vector<T, NY> y,
                            Work work) {
  glass::each(scope, NY, [&](int i) {
    T away[3], square = 0;
    for (int k = 0; k < 3; ++k) away[k] = x(k) - beacons(k, i), square = glass::fused(away[k], away[k], square);
    const T distance = glass::square_root(square);
    y(i) = z(i) - distance;
    for (int k = 0; k < NX; ++k) H(i, k) = k < 3 ? away[k] / distance : T(0);
  });
  scope.sync();
  return glass::kalman_update(scope, x, P, H, R, y, work);
}

template <glass::Path PATH, class Scope, class T, int NX, int NY>
GLASS_DEVICE int ekf_update_fragments(Scope scope, glass::vector<T, NX> x, glass::matrix<T, NX, NX> P,
                                      glass::matrix<const T, 3, NY> beacons, glass::vector<const T, NY> z,
                                      glass::matrix<const T, NY, NY> R) {
  using glass::Side;
  using glass::Trans;
  constexpr int W = Scope::width;
  auto state = glass::load(scope, x);  // (lane, item) -> row lane + item W, of every matrix
  auto covariance = glass::load<PATH>(scope, P);
  const T p[3] = {glass::get(scope, state, 0, 0), glass::get(scope, state, 1, 0), glass::get(scope, state, 2, 0)};
  glass::row_fragment<T, NY, NX, W> H = {};
  glass::row_fragment<T, NY, 1, W> y = {};
  GLASS_UNROLL
  for (int q = 0; q < H.items; ++q) {
    const int i = scope.rank() + q * W;
    if (i < NY) {
      T square = 0;
      GLASS_UNROLL
      for (int k = 0; k < 3; ++k) {
        H.v[q][k] = p[k] - beacons(k, i);
        square = glass::fused(H.v[q][k], H.v[q][k], square);
      }
      const T distance = glass::square_root(square);
      GLASS_UNROLL
      for (int k = 0; k < 3; ++k) H.v[q][k] /= distance;
      y.v[q][0] = z(i) - distance;
    }
  }
  glass::row_fragment<T, NX, NY, W> V = {};
  glass::multiply<Trans::no, Trans::yes>(scope, 1, covariance, H, V);  // V = P H^T
  auto S = glass::load(scope, R);
  glass::multiply(scope, 1, H, V, S);                                   // S = R + H P H^T
  const auto L = glass::cholesky(scope, S);                             // S = L L^T
  glass::solve<Side::right, Trans::yes>(scope, L, V);                   // V = P H^T L^-T
  glass::solve(scope, L, y);                                            // y = L^-1 y
  glass::multiply(scope, 1, V, y, state);                               // x + K y = x + V y
  glass::multiply<Trans::no, Trans::yes>(scope, -1, V, V, covariance);  // P - K H P = P - V V^T
  glass::store(scope, state, x, L.info == 0);
  glass::store<PATH>(scope, covariance, P, L.info == 0);
  scope.sync();
  return L.info;
}
