// eig3, svd3, closest_rotation: what the factors multiply to, orthogonality, order, scaling, and the matrices that the
// formulas through A^T A and through angles break on.
#include "glass/spectrum/closest_rotation.cuh"
#include "glass/spectrum/eig3.cuh"
#include "glass/spectrum/svd3.cuh"
#include "support/spectra.hpp"

namespace glass::test {
namespace {

enum class op { eigen, singular, rotation };
template <class T>
struct problem {
  op what;
  dense<T> a0, values, rotation;  // expected, where not empty
  double bound;                   // of the rotation, in eps
  operand<T> a, u, s, v;
  problem(op o, const dense<T>& A, const dense<T>& expected, const dense<T>& turned, double c, layout how)
      : what(o),
        a0(A),
        values(expected),
        rotation(turned),
        bound(c),
        a(o == op::eigen ? lower_only(A) : A, how),
        u(dense<T>(3, 3, T(7)), how),
        s(dense<T>(3, 1, T(7)), how),
        v(dense<T>(3, 3, T(7)), how) {}
};
template <class T>
long double determinant(const dense<T>& r) {
  const auto a = r.template as<long double>();
  return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) - a(0, 1) * (a(1, 0) * a(2, 2) - a(1, 2) * a(2, 0)) +
         a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
}
template <class T>
std::string judge_values(const problem<T>& p, const dense<T>& s, T size) {
  for (int i = 0; i < 3; ++i) {
    const bool sorted = i == 0 || (p.what == op::eigen ? s(i - 1) <= s(i) : s(i - 1) >= s(i));
    if (!sorted || (p.what == op::singular && s(i) < 0)) return "the values are not in order";
    if (p.values.rows == 3 &&
        !(std::abs(s(i) - p.values(i)) <= std::max(8 * std::numeric_limits<T>::epsilon(), T(1e-8)) * size))
      return "value " + std::to_string(i) + " is " + std::to_string(double(s(i) / p.values(i))) +
             " of what it should be";
  }
  return "";
}
template <class T>
std::string judge(problem<T>& p) {
  const bool eigen = p.what == op::eigen, rotation = p.what == op::rotation;
  if (!p.a.untouched()) return "A was written";
  if (!p.u.untouched([&](int, int) { return !eigen; }) || !p.s.untouched([&](int, int) { return !rotation; }) ||
      !p.v.untouched([&](int, int) { return !rotation; }))
    return "memory outside the results was written";
  const dense<T>&u = eigen ? p.v.result() : p.u.result(), &s = p.s.result(), &v = p.v.result();
  for (const T x : p.a0.numbers)
    if (!std::isfinite(x))
      return all_nan(u) && (rotation || (all_nan(s) && all_nan(v))) ? "" : "what is no number has a result";
  if (std::string wrong = not_orthogonal(u, 16); !wrong.empty()) return wrong;
  if (rotation) {
    if (!(determinant(u) > 0)) return "a reflection";
    for (int e = 0; e < static_cast<int>(p.rotation.numbers.size()); ++e)
      if (!(std::abs(u(e % 3, e / 3) - p.rotation(e % 3, e / 3)) <= p.bound * std::numeric_limits<T>::epsilon()))
        return "another rotation";
    return "";
  }
  if (std::string wrong = not_orthogonal(v, 16); !wrong.empty()) return wrong;
  const T size = std::max(std::abs(s(0)), std::abs(s(2)));
  if (std::string wrong = judge_values(p, s, size); !wrong.empty()) return wrong;
  return not_product(p.a0, u, s, v, size, 16);
}
template <class S, op What, layout L, int N, class T>
void act(problem<T>& p) {
  const S scope;
  const auto a = p.a.template matrix<L, N, N>(), u = p.u.template matrix<L, N, N>(), v = p.v.template matrix<L, N, N>();
  const auto s = p.s.template vector<L, N>();
  if constexpr (What == op::eigen)
    eig3(scope, a, s, v), use_all(scope, p.a, p.s, p.v);
  else if constexpr (What == op::singular)
    svd3(scope, a, u, s, v), use_all(scope, p.a, p.u, p.s, p.v);
  else
    closest_rotation(scope, a, u), use_all(scope, p.a, p.u);
}
template <op What, class T>
void does(const dense<T>& a, const dense<T>& values = {}, const dense<T>& rotation = {}, double bound = 0) {
  const auto on = [&](auto c, auto natural) {
    using S = typename decltype(c)::scope;
    constexpr layout L = decltype(natural)::value == 3 ? layout::natural : layout::by_rows;
    in_every_order<problem<T>>(
        c.how, "op " + std::to_string(int(What)), [&] { return problem<T>(What, a, values, rotation, bound, L); },
        act<S, What, L, decltype(natural)::value, T>, judge<T>);
  };
  sorts_of_scope<T>([&](auto c) { on(c, constant<3>{}); });
  on(scope_case<scope::thread>{{"thread", 1, {1}}}, constant<-1>{});
}
template <class T>
dense<T> rows(std::initializer_list<double> x) {
  dense<T> a(3, 3);
  for (int e = 0; e < 9; ++e) a(e / 3, e % 3) = T(x.begin()[e]);
  return a;
}
template <class T>
dense<T> times_power(dense<T> a, double p) {
  for (T& x : a.numbers) x *= T(p);
  return a;
}
const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
const std::vector<std::vector<double>> spectra = {{3, 2, 1}, {1, 1, 1},      {1, 1, 1e-3}, {1, 1e-6, 1e-6},
                                                  {1, 1, 0}, {1, 0, 0},      {0, 0, 0},    {1, 1e-7, 1e-14},
                                                  {5, 5, 2}, {1, 1e-4, 1e-9}};

template <class T>
struct Three : testing::Test {};
TYPED_TEST_SUITE(Three, scalars, scalar_names);

TYPED_TEST(Three, OfEverySpectrumAndSize) {
  using T = TypeParam;
  using W = reference::wide<T>;
  for (const auto& s : spectra)
    for (const double p : {1.0, 0x1p40, 0x1p-40}) {
      does<op::singular>(times_power(with_values<T>(orthonormal<W>(3, 3), s, orthonormal<W>(3, 3)), p));
      does<op::eigen>(times_power(symmetric_with<T>(s), p));
      does<op::eigen>(times_power(symmetric_with<T>({s[0], -s[1], s[2]}), p));
    }
  for (int k = 0; k < 50; ++k)
    does<op::singular>(uniform<T>(3, 3)), does<op::eigen>(reference::mirrored(uniform<T>(3, 3), true));
}
TYPED_TEST(Three, Rotations) {
  using T = TypeParam;
  using W = reference::wide<T>;
  for (const auto& s : spectra)
    for (const double p : {1.0, 0x1p40, 0x1p-40}) {
      const auto u = orthonormal<W>(3, 3), v = orthonormal<W>(3, 3);
      const double sign = determinant(u) * determinant(v) < 0 ? -1 : 1, gap = s[1] + sign * s[2];
      const auto nearest = with_values<T>(u, {1, 1, sign}, v), a = times_power(with_values<T>(u, s, v), p);
      const bool unique = gap > 100 * std::numeric_limits<T>::epsilon() * s[0];
      unique ? does<op::rotation, T>(a, {}, nearest, 32 * s[0] / gap) : does<op::rotation>(a);
    }
  does<op::rotation>(rows<T>({1, 0, 0, 0, 1, 0, 0, 0, -1}));
  does<op::rotation, T>(rows<T>({0, 0, 0, 0, 0, 0, 0, 0, 0}), {}, identity<T>(3), 1);
  does<op::rotation>(rows<T>({1, 2, 3, 2, 4, 6, 3, 6, 9}));
  does<op::rotation, T>(rows<T>({0, -2, 0, 2, 0, 0, 0, 0, 2}), {}, rows<T>({0, -1, 0, 1, 0, 0, 0, 0, 1}), 4);
}
TYPED_TEST(Three, PinnedMatrices) {
  using T = TypeParam;
  does<op::singular>(rows<T>({1, 1, 1, 1e-4, 0, 0, 0, 1e-4, 0}),
                     column<T>({T(1.7320508104014435), T(1.0e-4), T(5.77350253e-5)}));
  does<op::singular>(times_power(identity<T>(3), 1e25), column<T>({T(1e25), T(1e25), T(1e25)}));
  does<op::eigen>(times_power(rows<T>({2, 1, 0, 1, 2, 0, 0, 0, 3}), T(1e20)), column<T>({T(1e20), T(3e20), T(3e20)}));
  does<op::eigen>(times_power(rows<T>({2, 1, 0, 1, 2, 0, 0, 0, 0}), T(1e-25)), column<T>({T(0), T(1e-25), T(3e-25)}));
  const T most = std::numeric_limits<T>::max() / 2;  // no sum or square of the entries is finite
  does<op::eigen>(times_power(rows<T>({1, .5, 0, .5, -1, 0, 0, 0, 1}), double(most)));
}
TYPED_TEST(Three, WhatIsNoNumber) {
  using T = TypeParam;
  for (const double x : {nan, inf, -inf})
    for (int e = 0; e < 9; e += 3) {
      auto a = rows<T>({2, 1, 0, 1, 2, 0, 0, 0, 3});
      a(e / 3, 0) = T(x);
      does<op::singular>(a), does<op::eigen>(reference::mirrored(a, true)), does<op::rotation>(a);
    }
}
TYPED_TEST(Three, PointerFaces) {
  using T = TypeParam;
  const T a[] = {2, 0, 0, 0, 1, 0, 0, 0, 3};
  T u[9], s[3], v[9];
  thread::eig3<T>(a, s, v);
  EXPECT_EQ(s[0], T(1));
  EXPECT_EQ(std::abs(v[1]), T(1));
  thread::svd3<T>(a, u, s, v);
  EXPECT_EQ(s[0], T(3));
  EXPECT_EQ(u[2], v[2]);
  thread::closest_rotation<T>(a, u);
  EXPECT_EQ(u[8], T(1));
  EXPECT_EQ(u[1], T(0));
}

}  // namespace
}  // namespace glass::test
