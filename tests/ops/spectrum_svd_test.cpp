// svd and pinv: what the factors multiply to, orthogonality whatever the rank, order, scale, small values of graded
// columns by the determinant; the pseudoinverse of factors that are known.
#include "glass/spectrum/pinv.cuh"
#include "glass/spectrum/svd.cuh"
#include "support/spectra.hpp"

namespace glass::test {
namespace {

template <class T>
struct problem {
  dense<T> a0, expected;  // of pinv
  T rtol;
  double bound;  // of pinv, in eps of its size
  operand<T> a, u, s, v, x, scratch;
  answers<int> info;
  problem(const dense<T>& A, const dense<T>& X, T r, double c, layout how)
      : a0(A),
        expected(X),
        rtol(r),
        bound(c),
        a(A, how),
        u(dense<T>(A.rows, A.cols, poison<T>()), how),
        s(dense<T>(A.cols, 1, poison<T>()), how),
        v(dense<T>(A.cols, A.cols, poison<T>()), how),
        x(dense<T>(A.cols, A.rows, poison<T>()), how),
        scratch(dense<T>(A.rows * A.cols + std::min(A.rows, A.cols) * (std::min(A.rows, A.cols) + 1), 1, poison<T>()),
                layout::natural) {}
  bool finite() const {
    return std::all_of(a0.numbers.begin(), a0.numbers.end(), [](T e) { return std::isfinite(e); });
  }
};
// |prod s| against |det A|, by elimination: relative, so that no singular value can be wrong beside larger ones.
template <class T>
std::string not_determinant(const dense<T>& a, const dense<T>& s, double c) {
  auto w = a.template as<long double>();
  long double ratio = 1;
  for (int k = 0; k < w.cols; ++k) {
    int p = k;
    for (int i = k; i < w.rows; ++i) p = std::abs(w(i, k)) > std::abs(w(p, k)) ? i : p;
    for (int j = 0; j < w.cols; ++j) std::swap(w(k, j), w(p, j));
    for (int i = k + 1; i < w.rows; ++i)
      for (int j = w.cols - 1; j >= k; --j) w(i, j) -= w(i, k) / w(k, k) * w(k, j);
    ratio *= std::abs(w(k, k)) / static_cast<long double>(s(k));
  }
  const double off = static_cast<double>(std::abs(ratio - 1)) / double(std::numeric_limits<T>::epsilon());
  return off <= c ? "" : "the product of the values is " + std::to_string(off) + " eps off the determinant";
}
template <class T>
std::string judge_svd(problem<T>& p) {
  if (!p.info.all(p.finite() ? 0 : 1)) return "info " + std::to_string(p.info.one());
  if (!p.a.untouched()) return "A was written";
  if (!p.u.untouched(everywhere) || !p.s.untouched(everywhere) || !p.v.untouched(everywhere))
    return "memory outside the results was written";
  const dense<T>&u = p.u.result(), &s = p.s.result(), &v = p.v.result();
  if (!p.finite()) return all_nan(u) && all_nan(s) && all_nan(v) ? "" : "what is no number has a result";
  const int n = p.a0.cols;
  for (int i = 0; i < n; ++i)
    if (!(s(i) >= 0 && (i == 0 || s(i) <= s(i - 1)))) return "the values are not in order";
  const double c = 8 * std::max(n, 2);
  if (std::string wrong = not_orthogonal(u, c); !wrong.empty()) return "U: " + wrong;
  if (std::string wrong = not_orthogonal(v, c); !wrong.empty()) return "V: " + wrong;
  if (n == 0) return "";
  if (std::string wrong = not_product(p.a0, u, s, v, s(0), c); !wrong.empty()) return wrong;
  return p.bound > 0 ? not_determinant(p.a0, s, p.bound) : "";
}
template <class T>
std::string judge_pinv(problem<T>& p) {
  using W = reference::wide<T>;
  if (!p.info.all(p.finite() ? 0 : 1)) return "info " + std::to_string(p.info.one());
  if (!p.a.untouched()) return "A was written";
  if (!p.x.untouched(everywhere) || !p.scratch.untouched(everywhere)) return "memory outside the results was written";
  if (!p.finite()) return all_nan(p.x.result()) ? "" : "what is no number has a result";
  const auto ref = p.expected.template as<W>();
  const W error = frobenius(difference(p.x.result().template as<W>(), ref));
  const W unit = W(std::numeric_limits<T>::epsilon()) * frobenius(ref);
  return error <= W(p.bound) * unit ? "" : "X is " + std::to_string(double(error / unit)) + " eps off";
}
template <class S, layout L, int M, int N, class T>
void act_svd(problem<T>& p) {
  const S scope;
  const auto u = p.u.template matrix<L, M, N>();
  p.info.set(scope, svd(scope, p.a.template matrix<L, M, N>(), u, p.s.template vector<L, N>(),
                        p.v.template matrix<L, N, N>()));
  use_all(scope, p.a, p.u, p.s, p.v);
}
template <class S, layout L, int M, int N, class T>
void act_pinv(problem<T>& p) {
  const S scope;
  constexpr int K = M < N ? M : N, words = M < 0 ? -1 : M * N + K * (K + 1);
  p.info.set(scope, pinv(scope, p.a.template matrix<L, M, N>(), p.x.template matrix<L, N, M>(), p.rtol,
                         p.scratch.template vector<layout::natural, words>()));
  use_all(scope, p.a, p.x, p.scratch);
}
std::string text(int m, int n) { return "M=" + std::to_string(m) + " N=" + std::to_string(n); }
template <layout L, int M, int N, class S, class T>
void decomposes(const scope_case<S>& c, const dense<T>& a, double determinant = 0) {
  in_every_order<problem<T>>(
      c.how, "svd " + text(a.rows, a.cols), [&] { return problem<T>(a, {}, T(0), determinant, L); },
      act_svd<S, L, M, N, T>, judge_svd<T>);
}
template <layout L, int M, int N, class S, class T>
void inverts(const scope_case<S>& c, const dense<T>& a, const dense<T>& expected, double rtol, double bound) {
  in_every_order<problem<T>>(
      c.how, "pinv " + text(a.rows, a.cols), [&] { return problem<T>(a, expected, T(rtol), bound, L); },
      act_pinv<S, L, M, N, T>, judge_pinv<T>);
}
// A = U diag(s) V^T and its pseudoinverse without the values below `least`.
template <layout L, int M, int N, class T, class S>
void inverts_product(const scope_case<S>& c, int m, int n, std::vector<double> s, double rtol, double power = 1) {
  using W = reference::wide<T>;
  const int k = static_cast<int>(s.size());
  const auto u = orthonormal<W>(m, k), v = orthonormal<W>(n, k);
  double least = k > 0 ? s[0] : 1;
  std::vector<double> inverse;
  for (double& x : s) {
    const bool counts = x > rtol * s[0];
    least = counts ? std::min(least, x) : least;
    inverse.push_back(counts ? 1 / (x * power) : 0);
  }
  const double kappa = k > 0 ? s[0] / least : 1;
  for (double& x : s) x *= power;
  inverts<L, M, N>(c, with_values<T>(u, s, v), with_values<T>(v, inverse, u), rtol, 8 * std::max(m, n) * kappa);
}
template <class T>
dense<T> graded(int n, double step) {
  auto a = uniform<T>(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) a(i, j) = T(a(i, j) + (i == j ? 2 : 0)) * T(std::pow(step, (j + 2) % n));
  return a;
}
template <class T>
dense<T> all_ones(int m, int n, double x = 1) {
  return dense<T>(m, n, T(x));
}
const scope_case<scope::tile<4>> tile{{"tile4", 4, {8}}};

template <class T>
struct Svd : testing::Test {};
TYPED_TEST_SUITE(Svd, scalars, scalar_names);

TYPED_TEST(Svd, OfAnySizeInEveryScope) {
  using T = TypeParam;
  using W = reference::wide<T>;
  const int shapes[][2] = {{0, 0}, {3, 0}, {1, 1}, {2, 1}, {3, 3}, {7, 4}, {9, 8}, {35, 3}};
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const auto& [m, n] : shapes) decomposes<layout::padded, -1, -1>(c, uniform<T>(m, n));
    decomposes<layout::padded, -1, -1>(c, all_ones<T>(6, 5));
    for (const auto& [m, n] : {std::pair{0, 2}, {1, 1}, {1, 4}, {3, 3}, {7, 5}, {5, 9}})
      inverts_product<layout::padded, -1, -1, T>(c, m, n, std::vector<double>(std::size_t(std::min(m, n)), 2), 0);
    inverts_product<layout::padded, -1, -1, T>(c, 6, 5, {4, 2, 1, 0.5, 0}, 1e-3);
  });
  const scope_case<scope::warp> warp{{"warp", 32, {32}}};
  std::vector<double> equal(32, 1);
  decomposes<layout::padded, -1, -1>(warp, uniform<T>(33, 32));
  decomposes<layout::padded, -1, -1>(warp, with_values<T>(orthonormal<W>(32, 32), equal, orthonormal<W>(32, 32)));
}
TYPED_TEST(Svd, OfEveryRankAndScale) {
  using T = TypeParam;
  using W = reference::wide<T>;
  for (const double p : {1.0, 0x1p40, 0x1p-40, 1e25, 1e-30}) {
    for (const std::vector<double>& s : std::vector<std::vector<double>>{
             {4, 3, 2, 1}, {1, 1, 1, 1}, {1, 1e-3, 1e-6, 1e-9}, {1, 1, 0, 0}, {1, 0, 0, 0}, {5, 5, 2, 2}}) {
      auto a = with_values<T>(orthonormal<W>(6, 4), s, orthonormal<W>(4, 4));
      for (T& x : a.numbers) x *= T(p);
      decomposes<layout::by_rows, 6, 4>(tile, a);
    }
    decomposes<layout::by_rows, 6, 4>(tile, all_ones<T>(6, 4, p));
    inverts_product<layout::by_rows, 3, 5, T>(tile, 3, 5, {1, 0.1, 0.01}, 0, p);
    inverts_product<layout::by_rows, 3, 5, T>(tile, 3, 5, {1, 0.5, 1e-5}, 1e-2, p);
  }
  decomposes<layout::by_rows, 6, 4>(tile, all_ones<T>(6, 4, 0));
  inverts<layout::by_rows, 3, 5>(tile, all_ones<T>(3, 5, 0), all_ones<T>(5, 3, 0), 0, 0);
  decomposes<layout::by_rows, 6, 4>(tile, all_ones<T>(6, 4, std::numeric_limits<T>::max() / 8));
  decomposes<layout::padded, -1, -1>(tile,
                                     all_ones<T>(4, 4, std::numeric_limits<T>::denorm_min() * 8));  // S(0) is exact
}
TYPED_TEST(Svd, SmallValuesOfGradedColumnsKeepTheirDigits) {
  using T = TypeParam;
  const scope_case<scope::thread> one{{"thread", 1, {1}}};
  for (const int n : {2, 3, 5})
    for (const double step : {1e-2, 1e-5, 1e-7}) decomposes<layout::padded, -1, -1>(one, graded<T>(n, step), 32.0 * n);
}
TYPED_TEST(Svd, IntegersOfLowRank) {  // columns that depend on others leave noise, and noise of noise
  using T = TypeParam;
  const scope_case<scope::thread> one{{"thread", 1, {1}}};
  for (int k = 0; k < 40; ++k) {
    dense<T> a(5, 4);
    for (T& x : a.numbers) x = T(int(random()() % 3) - 1);
    for (int i = 0; i < 5; ++i) a(i, k % 4) = a(i, (k + 1) % 4) - 2 * a(i, (k + 2) % 4);
    decomposes<layout::padded, -1, -1>(one, a);
  }
}
TYPED_TEST(Svd, WhatIsNoNumber) {
  using T = TypeParam;
  for (const T x : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
    auto a = uniform<T>(5, 3);
    a(4, 1) = x;
    decomposes<layout::padded, -1, -1>(tile, a);
    inverts<layout::padded, -1, -1>(tile, a, {}, 0, 0);
    inverts<layout::padded, -1, -1>(tile, reference::transposed(a), {}, 0, 0);
  }
}
TYPED_TEST(Svd, PinnedValuesAndFaces) {
  using T = TypeParam;
  const T eps = std::numeric_limits<T>::epsilon();
  const T a[] = {0, 3, 0, 4, 0, 0};  // 3 x 2, columns 3 e1 and 4 e0
  T u[6], s[2], v[4], x[6], scratch[12];
  EXPECT_EQ((thread::svd<T, 3, 2>(a, u, s, v)), 0);
  EXPECT_EQ(s[0], T(4));
  EXPECT_EQ(s[1], T(3));
  EXPECT_EQ(std::abs(v[1]), T(1));
  EXPECT_EQ(u[0] * v[1], T(1));
  EXPECT_EQ((thread::pinv<T, 3, 2>(a, x, 0, scratch)), 0);
  EXPECT_NEAR(x[2], T(1) / 3, eps);
  EXPECT_NEAR(x[1], T(1) / 4, eps);
  EXPECT_EQ(thread::pinv<T>(3, 2, a, x, T(0.8), scratch), 0);  // 3 <= 0.8 * 4
  EXPECT_EQ(x[2], T(0));
  EXPECT_EQ(thread::svd<T>(3, 2, a, u, s, v), 0);
  EXPECT_EQ(s[1], T(3));
  const T b[] = {1, T(1e-4), 0, 1, 0, T(1e-4), 1, 0, 0};  // rows (1, 1, 1), (1e-4, 0, 0), (0, 1e-4, 0)
  T ub[9], sb[3], vb[9];
  EXPECT_EQ((thread::svd<T, 3, 3>(b, ub, sb, vb)), 0);
  EXPECT_NEAR(sb[2] / T(5.77350253e-5), 1, std::max(T(1e-7), 64 * eps));
  const T big[] = {T(1e25), 0, 0, T(1e25)};
  EXPECT_EQ((thread::svd<T, 2, 2>(big, ub, sb, vb)), 0);
  EXPECT_EQ(sb[0], T(1e25));
  EXPECT_EQ(sb[1], T(1e25));
}

}  // namespace
}  // namespace glass::test
