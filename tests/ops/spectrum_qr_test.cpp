// geqrf, geqp3, ormqr, orgqr, gels: what the factors multiply to, the sign and size of R, orthogonality, the order of
// columns, and least squares by their normal equations.
#include "glass/spectrum/gels.cuh"
#include "glass/spectrum/geqp3.cuh"
#include "glass/spectrum/orgqr.cuh"
#include "support/spectra.hpp"

namespace glass::test {
namespace {

enum class op { factor, pivoted, least_squares };
template <class T>
struct problem {
  op what;
  int expected;
  dense<T> a0, b0;
  operand<T> a, b, tau, q, c;
  operand<int> jpiv;
  answers<int> info;
  problem(op o, const dense<T>& A, const dense<T>& B, int code, layout how)
      : what(o),
        expected(code),
        a0(A),
        b0(B),
        a(A, how),
        b(B, how),
        tau(dense<T>(std::min(A.rows, A.cols), 1, poison<T>()), how == layout::padded ? how : layout::natural),
        q(dense<T>(A.rows, std::min(A.rows, A.cols), T(7)), how),
        c(A, how),
        jpiv(dense<int>(A.cols, 1, -7), layout::natural) {}
};
// Q R = A for R as it lies in `a`, Q formed by orgqr; Q^T A = R, by ormqr.
template <class T>
std::string judge_factor(problem<T>& p) {
  using W = reference::wide<T>;
  const int m = p.a0.rows, n = p.a0.cols, k = std::min(m, n);
  const double bound = 8.0 * std::max(m, n);
  const auto from = [&](int j) { return p.what == op::pivoted ? p.jpiv.result()(j) : j; };
  std::vector<bool> taken(std::size_t(n), false);
  for (int j = 0; j < n; ++j) {
    if (from(j) < 0 || from(j) >= n || taken[std::size_t(from(j))]) return "no permutation";
    taken[std::size_t(from(j))] = true;
  }
  dense<W> r(k, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= std::min(j, k - 1); ++i) r(i, j) = p.a.result()(i, j);
  if (std::string wrong = not_orthogonal(p.q.result(), bound); !wrong.empty()) return wrong;
  dense<W> a(m, n);  // A P
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) a(i, j) = p.a0(i, from(j));
  const W unit = W(bound) * W(std::numeric_limits<T>::epsilon()) * frobenius(a);
  if (!(frobenius(difference(times(p.q.result().template as<W>(), r), a)) <= unit)) return "Q R is not A";
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      if (!(std::abs(W(p.c.result()(i, from(j))) - (i < k ? r(i, j) : 0)) <= unit)) return "Q^T A is not R";
  for (int j = 0; j < k; ++j) {  // R_00 = -sign(a_00) || column ||; tau in [1, 2] or 0
    const T tau = p.tau.result()(j);
    if (!(tau == 0 || (tau >= 1 - 8 * std::numeric_limits<T>::epsilon() && tau <= 2))) return "tau";
  }
  if (k > 0 && p.tau.result()(0) != 0 && std::signbit(p.a.result()(0, 0)) == (a(0, 0) < 0)) return "the sign of R";
  for (int step = 0; step < k && p.what == op::pivoted; ++step)  // no later column is longer than what was chosen
    for (int j = step + 1; j < n; ++j) {
      W sum = 0;
      for (int i = step; i < k; ++i) sum += r(i, j) * r(i, j);
      if (!(std::sqrt(sum) <= std::abs(r(step, step)) + unit)) return "column " + std::to_string(j) + " is longer";
    }
  return "";
}
template <class T>
std::string judge(problem<T>& p) {
  using W = reference::wide<T>;
  const int m = p.a0.rows, n = p.a0.cols;
  if (!p.info.all(p.expected)) return "info " + std::to_string(p.info.one());
  if (!p.a.untouched(everywhere) || !p.tau.untouched(everywhere) || !p.b.untouched(everywhere) ||
      !p.q.untouched(everywhere) || !p.c.untouched(everywhere) || !p.jpiv.untouched(everywhere))
    return "memory outside the operands was written";
  if (p.expected != 0) return "";
  if (p.what != op::least_squares) return judge_factor(p);
  const auto a = p.a0.template as<W>();
  for (int r = 0; r < p.b0.cols; ++r) {
    dense<W> x(n, 1), b(m, 1);
    for (int i = 0; i < n; ++i) x(i) = p.b.result()(i, r);
    for (int i = 0; i < m; ++i) b(i) = p.b0(i, r);
    const auto residual = difference(times(a, x), b);
    const W size = frobenius(a) * frobenius(x) + frobenius(b);
    const W unit = W(8.0 * std::max(m, n)) * W(std::numeric_limits<T>::epsilon());
    if (m >= n && !(frobenius(times(reference::transposed(a), residual)) <= unit * frobenius(a) * size))
      return "the normal residual of column " + std::to_string(r);
    if (m < n && !(frobenius(residual) <= unit * size)) return "the residual of column " + std::to_string(r);
  }
  return "";
}
template <class S, op What, layout L, int M, int N, int R, class T>
void act(problem<T>& p) {
  const S scope;
  constexpr int K = M < 0 ? -1 : M < N ? M : N, B = M < 0 ? -1 : M < N ? N : M;
  const auto a = p.a.template matrix<L, M, N>();
  if constexpr (What == op::least_squares) {
    p.info.set(scope, gels(scope, a, p.b.template matrix<L, B, R>(), p.tau.template vector<layout::natural, K>()));
    use_all(scope, p.a, p.b, p.tau);
  } else {
    const auto tau = p.tau.template vector<layout::natural, K>();
    const auto q = p.q.template matrix<L, M, K>();
    const auto c = p.c.template matrix<L, M, N>();
    if constexpr (What == op::pivoted)
      geqp3(scope, a, p.jpiv.template vector<layout::natural, N>(), tau);
    else
      geqrf(scope, a, tau);
    each(scope, q.rows(), q.cols(), [&](int i, int j) { q(i, j) = i > j ? a(i, j) : T(7); });
    scope.sync();
    orgqr(scope, q, tau);
    ormqr<Trans::yes>(scope, a, tau, c);
    p.info.set(scope, 0);
    use_all(scope, p.a, p.tau, p.q, p.c, p.jpiv);
  }
}
template <op What, layout L, int M, int N, int R, class S, class T>
void does(const scope_case<S>& c, const dense<T>& a, const dense<T>& b, int code = 0) {
  in_every_order<problem<T>>(
      c.how, "M=" + std::to_string(a.rows) + " N=" + std::to_string(a.cols) + " op " + std::to_string(int(What)),
      [&] { return problem<T>(What, a, b, code, L); }, act<S, What, L, M, N, R, T>, judge<T>);
}
template <layout L, int M, int N, int R, class S, class T>
void does_all(const scope_case<S>& c, const dense<T>& a, int columns) {
  does<op::factor, L, M, N, R>(c, a, dense<T>(0, 0));
  does<op::pivoted, L, M, N, R>(c, a, dense<T>(0, 0));
  does<op::least_squares, L, M, N, R>(c, a, uniform<T>(std::max(a.rows, a.cols), columns));
}

template <class T>
struct Qr : testing::Test {};
TYPED_TEST_SUITE(Qr, scalars, scalar_names);

TYPED_TEST(Qr, OfAnySize) {
  using T = TypeParam;
  const int shapes[][2] = {{0, 0}, {1, 1}, {2, 1}, {1, 3}, {3, 3}, {7, 4}, {4, 9}, {12, 12}, {37, 3}, {5, 35}};
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const auto& [m, n] : shapes) does_all<layout::padded, -1, -1, -1>(c, uniform<T>(m, n), m % 4);
  });
}
TYPED_TEST(Qr, OfConstantSizeScaledAndGraded) {
  using T = TypeParam;
  const scope_case<scope::tile<4>> tile{{"tile4", 4, {8}}};
  for (const double p : {1.0, 0x1p40, 0x1p-40, 1e25, 1e-30}) {
    auto a = uniform<T>(6, 4);
    for (T& x : a.numbers) x *= T(p);
    does_all<layout::by_rows, 6, 4, 2>(tile, a, 2);
    for (int i = 0; i < 6; ++i) a(i, 1) *= T(1e-7);
    does<op::factor, layout::by_rows, 6, 4, 2>(tile, a, dense<T>(0, 0));
    does<op::pivoted, layout::by_rows, 6, 4, 2>(tile, a, dense<T>(0, 0));
    does<op::factor, layout::by_rows, 4, 6, 2>(tile, reference::transposed(a), dense<T>(0, 0));
  }
}
TYPED_TEST(Qr, DeficientAndWhatIsNoNumber) {
  using T = TypeParam;
  const scope_case<scope::tile<4>> tile{{"tile4", 4, {8}}};
  auto a = uniform<T>(6, 4);
  for (int i = 0; i < 6; ++i) a(i, 2) = 0;
  does<op::factor, layout::padded, -1, -1, -1>(tile, a, dense<T>(0, 0));
  does<op::pivoted, layout::padded, -1, -1, -1>(tile, a, dense<T>(0, 0));
  does<op::pivoted, layout::padded, -1, -1, -1>(tile, dense<T>(6, 4), dense<T>(0, 0));
  does<op::least_squares, layout::padded, -1, -1, -1>(tile, a, uniform<T>(6, 1), 3);
  does<op::least_squares, layout::padded, -1, -1, -1>(tile, reference::transposed(a), uniform<T>(6, 1), 3);
  a(4, 1) = std::numeric_limits<T>::quiet_NaN();
  does<op::least_squares, layout::padded, -1, -1, -1>(tile, a, uniform<T>(6, 1), 2);
}
TYPED_TEST(Qr, PinnedPivots) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN();
  T a[] = {0, 3, 4, 0, 0, 5, 0, 5, 0}, tau[3];  // columns of the same length: the first
  int jpiv[3];
  thread::geqp3<T, 3, 3>(a, jpiv, tau);
  EXPECT_EQ(jpiv[0], 0);  // (0, 3, 4), as long as the others
  EXPECT_EQ(a[0], T(-5));
  EXPECT_EQ(jpiv[1], 2);  // 4 of (0, 5, 0) lie across it, 3 of (0, 0, 5)
  EXPECT_NEAR(std::abs(a[4]), 4, 8 * std::numeric_limits<T>::epsilon());
  T b[] = {nan, 1, 1, 2};
  thread::geqp3<T>(2, 2, b, jpiv, tau);
  EXPECT_EQ(jpiv[0], 1);
  EXPECT_EQ(jpiv[1], 0);
  EXPECT_TRUE(std::isnan(b[3]));
}
TYPED_TEST(Qr, MinimumNorm) {
  using T = TypeParam;
  T a[] = {3, 4}, b[] = {25, 7}, tau[1];  // 3 x + 4 y = 25; the 7 is not read
  EXPECT_EQ((thread::gels<T, 1, 2, 1>(a, b, tau)), 0);
  EXPECT_NEAR(b[0], 3, 8 * std::numeric_limits<T>::epsilon());
  EXPECT_NEAR(b[1], 4, 8 * std::numeric_limits<T>::epsilon());
}
TYPED_TEST(Qr, PinnedMatrixAndFaces) {
  using T = TypeParam;
  const T eps = std::numeric_limits<T>::epsilon();
  T a[] = {3, 4, 1, 2}, tau[2];
  thread::geqrf<T, 2, 2>(a, tau);
  const T expected[] = {-5, 0.5, T(-2.2), T(0.4)};
  for (int e = 0; e < 4; ++e) EXPECT_NEAR(a[e], expected[e], 4 * eps) << e;
  EXPECT_NEAR(tau[0], 1.6, 4 * eps);
  EXPECT_EQ(tau[1], T(0));
  T c[] = {1, 0, 0, 1}, right[] = {1, 0, 0, 1};
  thread::ormqr<T>(2, 2, 2, a, tau, c);
  thread::ormqr<T, 2, 2, 2, Side::right>(a, tau, right);
  thread::orgqr<T>(2, 2, 2, a, tau);
  for (int e = 0; e < 4; ++e) EXPECT_NEAR(a[e], c[e], 4 * eps) << e;
  for (int e = 0; e < 4; ++e) EXPECT_NEAR(a[e], right[e], 4 * eps) << e;
  EXPECT_NEAR(a[0], -0.6, 4 * eps);
  T turned[] = {1, 0, 0, 1};
  T f[] = {3, 4, 1, 2};
  thread::geqrf<T>(2, 2, f, tau);
  thread::ormqr<T, 2, 2, 2, Side::right, Trans::yes>(f, tau, turned);
  EXPECT_NEAR(turned[1], a[2], 4 * eps);
}

}  // namespace
}  // namespace glass::test
