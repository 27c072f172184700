// eigh, syev, psd_project, eig_clamp: what the factors multiply to, orthogonality, order, info, and what a clamped
// spectrum is.
#include "glass/spectrum/eigh.cuh"
#include "glass/spectrum/psd_project.cuh"
#include "glass/spectrum/syev.cuh"
#include "support/spectra.hpp"

namespace glass::test {
namespace {

enum class op { unordered, ordered, project, clamp };
constexpr bool in_place(op o) { return o == op::project || o == op::clamp; }
template <class T>
struct problem {
  op what;
  T least;
  dense<T> a0, expected;  // of the operations in place
  operand<T> a, w, v, scratch;
  answers<int> info;
  problem(op o, const dense<T>& A, T eps, const dense<T>& result, layout how)
      : what(o),
        least(eps),
        a0(A),
        expected(result),
        a(lower_only(A), how),
        w(dense<T>(A.rows, 1, T(7)), how),
        v(dense<T>(A.rows, A.rows, T(7)), how),
        scratch(dense<T>(A.rows * (A.rows + 5), 1, poison<T>()), layout::natural) {}
};
template <class T>
std::string judge(problem<T>& p) {
  using W = reference::wide<T>;
  const int n = p.a0.rows;
  bool finite = true;
  for (const T x : p.a0.numbers) finite = finite && std::isfinite(x);
  if (!p.info.all(finite || p.what == op::unordered || p.what == op::project ? 0 : 1)) return "info";
  if (!p.scratch.untouched(everywhere)) return "memory outside the scratch was written";
  if (!p.a.untouched([&](int, int) { return in_place(p.what); })) return "A was written where it should not be";
  if (!p.w.untouched([&](int, int) { return !in_place(p.what); }) ||
      !p.v.untouched([&](int, int) { return !in_place(p.what); }))
    return "memory outside W and V was written";
  const double c = 8.0 * std::max(n, 1);
  if (in_place(p.what)) {
    const auto& got = p.a.result();
    if (!finite) return all_nan(got) ? "" : "NaN was lost";
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < j; ++i)
        if (!same_bits(got(i, j), got(j, i))) return "not symmetric";
    const W size = std::max(frobenius(p.a0.template as<W>()), W(p.least));
    const W error = frobenius(difference(got.template as<W>(), p.expected.template as<W>()));
    return error <= W(c) * W(std::numeric_limits<T>::epsilon()) * size ? "" : "another matrix";
  }
  if (!finite) return all_nan(p.w.result()) && all_nan(p.v.result()) ? "" : "no NaN";
  for (int i = 1; i < n && p.what == op::ordered; ++i)
    if (!(p.w.result()(i - 1) <= p.w.result()(i))) return "not ascending";
  // Half of what is promised: turns that lengthen columns by half an eps each would come to four times as much.
  if (std::string wrong = not_orthogonal(p.v.result(), c / 2); !wrong.empty()) return wrong;
  return not_product(p.a0, p.v.result(), p.w.result(), p.v.result(), frobenius(p.a0.template as<W>()), c);
}
template <class S, op What, layout L, int N, Body B, class T>
void act(problem<T>& p) {
  const S scope;
  constexpr int words = N < 0 ? -1 : N * (N + 5);
  const auto a = p.a.template matrix<L, N, N>(), v = p.v.template matrix<L, N, N>();
  const auto w = p.w.template vector<L, N>();
  const auto scratch = p.scratch.template vector<layout::natural, words>();
  int info = 0;
  if constexpr (What == op::unordered)
    N == 5 && B != Body::ql ? eigh<Sweeps{9}>(scope, a, w, v, scratch) : eigh<B>(scope, a, w, v, scratch);
  else if constexpr (What == op::ordered)
    info = syev<B>(scope, a, w, v, scratch);
  else if constexpr (What == op::project)
    psd_project<B>(scope, a, p.least, scratch);
  else
    info = eig_clamp<B>(scope, a, p.least, scratch);
  p.info.set(scope, info);
  in_place(What) ? use_all(scope, p.a, p.scratch) : use_all(scope, p.a, p.w, p.v, p.scratch);
}
template <op What, layout L, int N, Body B = Body::automatic, class S, class T>
void does(const scope_case<S>& c, const dense<T>& a, T least = 0, const dense<T>& expected = {}) {
  in_every_order<problem<T>>(
      c.how, "N=" + std::to_string(a.rows) + " op " + std::to_string(int(What)) + " body " + std::to_string(int(B)),
      [&] { return problem<T>(What, a, least, expected, L); }, act<S, What, L, N, B, T>, judge<T>);
}
std::vector<double> scaled(std::vector<double> values, double by) {
  for (double& x : values) x *= by;
  return values;
}
// A with the given eigenvalues, and the same with those below `least` raised.
template <layout L, int N, class T, Body B = Body::automatic, class S>
void does_all(const scope_case<S>& c, std::vector<double> values, double least, double power = 1) {
  using W = reference::wide<T>;
  const int n = static_cast<int>(values.size());
  values = scaled(values, power);
  const auto v = orthonormal<W>(n, n);
  const auto a = reference::mirrored(with_values<T>(v, values, v), true);
  for (double& x : values) x = std::max(x, least * power);
  const auto raised = with_values<T>(v, values, v);
  does<op::unordered, L, N, B>(c, a), does<op::ordered, L, N, B>(c, a);
  does<op::project, L, N, B>(c, a, T(least * power), raised);
  does<op::clamp, L, N, B>(c, a, T(least * power), raised);
}
std::vector<double> spread(int n, int how) {  // spectra: random, repeated, graded, deficient
  std::vector<double> w;
  for (int i = 0; i < n; ++i)
    w.push_back(how == 0   ? std::uniform_real_distribution<double>(-1, 1)(random())
                : how == 1 ? (i % 2 ? 1 : -1)
                : how == 2 ? std::pow(10.0, -i)
                           : (i < n / 2 ? 1.0 + i : 0));
  return w;
}

template <class T>
struct Eigen : testing::Test {};
TYPED_TEST_SUITE(Eigen, scalars, scalar_names);

TYPED_TEST(Eigen, OfAnySize) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const int n : {0, 1, 2, 3, 6, 11}) does_all<layout::padded, -1, T>(c, spread(n, n % 4), 0.1);
    for (const int n : {0, 1, 2, 3, 6, 11}) does_all<layout::padded, -1, T, Body::loop>(c, spread(n, n % 4), 0.1);
  });
  const scope_case<scope::warp> warp{{"warp", 32, {32}}};
  does<op::ordered, layout::padded, -1>(warp, symmetric_with<T>(spread(33, 1)));
  does<op::ordered, layout::padded, -1, Body::loop>(warp, symmetric_with<T>(spread(33, 1)));
}
TYPED_TEST(Eigen, EqualEigenvaluesTakeTheMostSweepsAndConverge) {
  using T = TypeParam;
  const scope_case<scope::thread> one{{"thread", 1, {1}}};
  for (const int n : {17, 40})
    does<op::unordered, layout::padded, -1, Body::loop>(one, symmetric_with<T>(spread(n, 1)));
}
TYPED_TEST(Eigen, OfConstantSizeAndEverySpectrum) {
  using T = TypeParam;
  const scope_case<scope::tile<4>> tile{{"tile4", 4, {8}}};
  for (const double power : {1.0, 0x1p40, 0x1p-40, 1e20, 1e-25})
    for (const int how : {0, 1, 2, 3}) {
      does_all<layout::by_rows, 5, T>(tile, spread(5, how), 0.5, power);
      does_all<layout::by_rows, 5, T, Body::loop>(tile, spread(5, how), 0.5, power);
    }
}
template <class T>
dense<T> random_symmetric(int n, double power) {
  return reference::mirrored(symmetric_with<T>(scaled(spread(n, 0), power)), true);
}
// Orders below, at and above the lanes, even and odd.
TYPED_TEST(Eigen, QlOfConstantSize) {
  using T = TypeParam;
  const auto spectra = [](auto c, auto order) {
    constexpr int N = decltype(order)::value;
    for (const int how : {0, 1, 2, 3}) does_all<layout::padded, N, T, Body::ql>(c, spread(N, how), 0.5);
    for (const double power : {1e20, 1e-25})
      does<op::ordered, layout::by_rows, N, Body::ql>(c, random_symmetric<T>(N, power));
  };
  scopes_of_kernels<T>([&](auto c) {
    spectra(c, std::integral_constant<int, 1>{}), spectra(c, std::integral_constant<int, 2>{});
    spectra(c, std::integral_constant<int, 7>{}), spectra(c, std::integral_constant<int, 12>{});
  });
  const scope_case<scope::block<64>> block{{"block64", 0, {64}}};
  spectra(block, std::integral_constant<int, 9>{});
  does<op::ordered, layout::natural, 70, Body::ql>(block, symmetric_with<T>(spread(70, 0)));
}
// What the tridiagonal form is good at, or must survive: it has this form, is diagonal, zero, or one number large.
TYPED_TEST(Eigen, QlOfWhatIsTridiagonal) {
  using T = TypeParam;
  const scope_case<scope::tile<8, 1>> tile{{"tile8", 8, {8}}};
  constexpr int N = 10;
  dense<T> zero(N, N), diagonal(N, N), clement(N, N), arrow(N, N);
  for (int i = 0; i < N; ++i) {
    diagonal(i, i) = T((i * 7) % 5 - 2), arrow(i, i) = T(1e-9);
    if (i > 0) arrow(i, 0) = arrow(0, i) = i == N - 1 ? T(1e6) : T(1);
    if (i > 0) clement(i, i - 1) = clement(i - 1, i) = T(std::sqrt(double(i * (N - i))));  // values -9, -7, ... 9
  }
  for (const auto& a : {zero, diagonal, clement, arrow}) {
    does<op::ordered, layout::natural, N, Body::ql>(tile, a);
    does<op::unordered, layout::natural, -1, Body::ql>(tile, a);
  }
  std::vector<T> w(N), v(N * N), scratch(N * (N + 5));
  EXPECT_EQ((thread::syev<T, N, Body::ql>(clement.numbers.data(), w.data(), v.data(), scratch.data())), 0);
  for (int i = 0; i < N; ++i) EXPECT_NEAR(w[std::size_t(i)], 2 * i - 9, 64 * std::numeric_limits<T>::epsilon());
}
// A tile whose lanes hold the matrix.
template <class T, int W, int N>
void in_registers() {
  const scope_case<scope::tile<W>> tile{{"tile", W, {2 * W}}};
  for (const int how : {0, 1, 2, 3})
    if (N <= 8 || how == 1) does_all<layout::padded, N, T>(tile, spread(N, how), 0.5);
  for (const double power : {1e20, 1e-25})
    if (N <= 16) does<op::ordered, layout::by_rows, N>(tile, random_symmetric<T>(N, power));
  for (const T x : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
    auto a = random_symmetric<T>(N, 1);
    a(N - 1, N / 2) = a(N / 2, N - 1) = x;
    does<op::unordered, layout::padded, N>(tile, a), does<op::ordered, layout::padded, N>(tile, a);
    does<op::project, layout::padded, N>(tile, a, T(0)), does<op::clamp, layout::padded, N>(tile, a, T(0));
  }
}
TYPED_TEST(Eigen, InRegistersCrossed) {
  using T = TypeParam;
  in_registers<T, 2, 1>(), in_registers<T, 2, 2>(), in_registers<T, 8, 8>(), in_registers<T, 16, 8>();
  in_registers<T, 16, 16>();
}
TYPED_TEST(Eigen, InRegistersDrawn) {
  using T = TypeParam;
  in_registers<T, 4, 3>(), in_registers<T, 8, 5>(), in_registers<T, 8, 6>(), in_registers<T, 8, 7>();
  in_registers<T, 16, 12>(), in_registers<T, 32, 15>();
}
TYPED_TEST(Eigen, InRegistersStepped) {
  using T = TypeParam;
  in_registers<T, 32, 17>(), in_registers<T, 32, 32>();
}
TYPED_TEST(Eigen, PinnedValues) {
  using T = TypeParam;
  for (const double p : {1e20, 1e-25}) {
    const T a[] = {T(2 * p), T(p), T(p), T(2 * p)};
    T w[2], v[4], scratch[14];
    EXPECT_EQ((thread::syev<T, 2>(a, w, v, scratch)), 0);
    EXPECT_NEAR(w[0] / T(p), 1, 4 * std::numeric_limits<T>::epsilon());
    EXPECT_NEAR(w[1] / T(p), 3, 4 * std::numeric_limits<T>::epsilon());
    thread::eigh<T>(2, a, w, v, scratch);
    EXPECT_NEAR((w[0] + w[1]) / T(p), 4, 8 * std::numeric_limits<T>::epsilon());
    T b[] = {1, 2, 2, 1};
    thread::psd_project<T, 2>(b, 0, scratch);
    EXPECT_NEAR(b[0], 1.5, 4 * std::numeric_limits<T>::epsilon());
    EXPECT_EQ(thread::eig_clamp<T>(2, b, 4, scratch), 0);
    EXPECT_NEAR(b[0], 4, 16 * std::numeric_limits<T>::epsilon());
  }
}
TYPED_TEST(Eigen, WhatIsNoNumber) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  const scope_case<scope::tile<4>> tile{{"tile4", 4, {8}}};
  for (const T x : {nan, inf, -inf})
    for (const int n : {1, 4}) {
      auto a = symmetric_with<T>(std::vector<double>(std::size_t(n), 2));
      a(n - 1, n / 2 - (n == 1 ? 0 : 1)) = x;
      a = reference::mirrored(a, true);
      does<op::unordered, layout::padded, -1>(tile, a), does<op::ordered, layout::padded, -1>(tile, a);
      does<op::project, layout::padded, -1>(tile, a, T(0)), does<op::clamp, layout::padded, -1>(tile, a, T(0));
      does<op::ordered, layout::padded, -1, Body::loop>(tile, a),
          does<op::unordered, layout::padded, -1, Body::loop>(tile, a);
      does<op::clamp, layout::padded, -1, Body::loop>(tile, a, T(0));
    }
}

}  // namespace
}  // namespace glass::test
