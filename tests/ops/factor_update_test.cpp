// chol_update and chol_downdate: L' L'^T against L L^T +- x x^T one precision wider, the first row that fails, and what
// is left alone.
#include "glass/factor/chol_update.cuh"
#include "support/solves.hpp"

namespace glass::test {
namespace {

template <class T>
struct problem {
  bool down;
  int expected;
  dense<T> l0, x0;
  operand<T> l, x;
  answers<int> info;
  problem(bool d, int e, const dense<T>& L, const dense<T>& X, layout how)
      : down(d), expected(e), l0(L), x0(X), l(L, how), x(X, how) {}
};
template <class T>
std::string judge(problem<T>& p) {
  using W = reference::wide<T>;
  const int n = p.l0.rows;
  if (!p.info.all(p.expected)) return "info " + std::to_string(p.info.one()) + ", not " + std::to_string(p.expected);
  if (!p.l.untouched([](int i, int j) { return i >= j; })) return "memory outside the lower triangle was written";
  if (!p.x.untouched([](int, int) { return true; })) return "memory outside x was written";
  if (p.expected > 0) return "";
  const auto before = reference::triangle(p.l0.template as<W>(), true, false);
  const auto after = reference::triangle(p.l.result().template as<W>(), true, false);
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      const W square = W(p.x0(i)) * W(p.x0(j));
      W ref = p.down ? -square : square, terms = std::abs(square), got = 0;
      for (int k = 0; k <= j; ++k) {
        const W term = before(i, k) * before(j, k);
        ref += term, terms += std::abs(term), got += after(i, k) * after(j, k);
      }
      if (!(std::abs(got - ref) <= 8 * n * W(std::numeric_limits<T>::epsilon()) * terms))
        return "L' L'^T is wrong at " + std::to_string(i) + ", " + std::to_string(j);
      if (i == j && !(after(i, i) > 0)) return "the diagonal is not positive";
    }
  return "";
}
template <class S, layout L, int N, bool Down, class T>
void act(problem<T>& p) {
  const S scope;
  const auto l = p.l.template matrix<L, N, N>();
  const auto x = p.x.template vector<L, N>();
  if constexpr (Down) {
    p.info.set(scope, chol_downdate(scope, l, x));
  } else {
    chol_update(scope, l, x);
    p.info.set(scope, 0);
  }
  use_all(scope, p.l, p.x);
}
template <bool Down, layout L, int N, class T, class S>
void updates(const scope_case<S>& c, const dense<T>& l, const dense<T>& x, int expected = 0) {
  in_every_order<problem<T>>(
      c.how, std::string(Down ? "downdate" : "update") + " N=" + std::to_string(l.rows),
      [&] { return problem<T>(Down, expected, l, x, L); }, act<S, L, N, Down, T>, judge<T>);
}
// The factor of L L^T + x x^T: x can be taken from it again.
template <class T>
dense<T> raised(const dense<T>& l, const dense<T>& x) {
  using W = reference::wide<T>;
  const auto lower = reference::triangle(l.template as<W>(), true, false), wx = x.template as<W>();
  auto a = reference::product<W>(1, lower, reference::transposed(lower), 0, dense<W>(l.rows, l.rows));
  a = reference::product<W>(1, wx, reference::transposed(wx), 1, a);
  EXPECT_EQ(reference::potrf(a), 0);
  auto r = l;
  for (int j = 0; j < l.cols; ++j)
    for (int i = j; i < l.rows; ++i) r(i, j) = T(a(i, j));
  return r;
}
template <class T>
dense<T> factor(int n, double scale = 1) {
  dense<T> l = triangular<T>(n, true, false);
  for (int i = 0; i < n; ++i) l(i, i) = std::abs(l(i, i));
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) l(i, j) *= T(scale);
  return l;
}
template <class T>
dense<T> times(dense<T> x, double scale) {
  for (T& e : x.numbers) e *= T(scale);
  return x;
}

template <class T>
struct CholeskyUpdate : testing::Test {};
TYPED_TEST_SUITE(CholeskyUpdate, scalars, scalar_names);

TYPED_TEST(CholeskyUpdate, OfAnySize) {
  using T = TypeParam;
  const double huge = sizeof(T) == 4 ? 0x1p90 : 0x1p900;  // its square is not in range
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const int n : {0, 1, 2, 3, 4, 5, 7, 13, 33, 40})
      for (const double weight : {1.0, 8.0}) {
        const auto l = factor<T>(n), x = times(uniform<T>(n, 1), weight);
        updates<false, layout::padded, -1, T>(c, l, x);
        updates<true, layout::padded, -1, T>(c, raised(l, x), x);
      }
    updates<false, layout::padded, -1, T>(c, factor<T>(5), dense<T>(5, 1));
    updates<true, layout::padded, -1, T>(c, factor<T>(5), dense<T>(5, 1));
    const auto x = uniform<T>(6, 1), l = factor<T>(6);
    updates<false, layout::by_rows, 6, T>(c, l, x);
    updates<true, layout::by_rows, 6, T>(c, raised(l, x), x);
    for (const double scale : {huge, 1 / huge}) {  // judged at the scale of 1: scaling by powers of 2 rounds nothing
      const auto large = factor<T>(4, scale), v = times(uniform<T>(4, 1), scale);
      const auto run = [&](auto down, const dense<T>& l4) {
        using S = typename decltype(c)::scope;
        in_every_order<problem<T>>(
            c.how, "scaled", [&] { return problem<T>(down.value, 0, l4, v, layout::padded); },
            act<S, layout::padded, -1, down.value, T>,
            [](problem<T>& p) -> std::string {
              const double back = 1 / double(std::abs(p.l0(0, 0)));
              const T unit = T(std::exp2(std::round(std::log2(back))));
              for (dense<T>* d : {&p.l0, &p.x0}) *d = times(*d, unit);
              for (int j = 0; j < 4; ++j)
                for (int i = j; i < 4; ++i) p.l.seen(i, j) *= unit;
              return judge(p);
            });
      };
      run(std::false_type{}, large);
      const T unit = T(1 / scale);
      run(std::true_type{}, times(raised(times(large, unit), times(v, unit)), scale));
    }
  });
}
TYPED_TEST(CholeskyUpdate, DowndatesThatLoseDefiniteness) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const int at : {0, 2, 4}) {
      auto l = factor<T>(5);
      dense<T> x(5, 1);
      for (const double q : {1.0, 2.0, double(std::numeric_limits<T>::quiet_NaN()), HUGE_VAL}) {
        x(at) = T(q) * l(at, at);
        updates<true, layout::padded, -1, T>(c, l, x, at + 1);
      }
      x(at) = T(0.5) * l(at, at);
      for (const double bad : {0.0, -1.0, double(std::numeric_limits<T>::quiet_NaN()), HUGE_VAL}) {
        l(at, at) = T(bad);
        updates<true, layout::padded, -1, T>(c, l, x, at + 1);
      }
    }
    auto l = factor<T>(5);
    l(3, 1) = std::numeric_limits<T>::quiet_NaN();
    updates<true, layout::padded, -1, T>(c, l, dense<T>(5, 1, T(0.125)), 4);
  });
}
TYPED_TEST(CholeskyUpdate, PinnedAndPointerFaces) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN();
  T l[] = {3, 6, 9, 1}, x[] = {4, 8};  // [9 18; 18 37] + [16 32; 32 64]
  thread::chol_update<T, 2>(l, x);
  EXPECT_NEAR(double(l[0]), 5, 1e-5);
  EXPECT_NEAR(double(l[1]), 10, 1e-5);
  EXPECT_EQ(l[2], T(9));
  EXPECT_NEAR(double(l[3]), 1, 1e-5);
  T again[] = {4, 8};
  EXPECT_EQ((thread::chol_downdate<T>(2, l, again)), 0);
  EXPECT_NEAR(double(l[0]), 3, 1e-5);
  EXPECT_NEAR(double(l[1]), 6, 1e-5);
  T zero[] = {0, 1, 9, 2}, none[] = {0, 1};  // nothing in the first column: only its sum of squares counts
  thread::chol_update<T>(2, zero, none);
  EXPECT_EQ(zero[0], T(0));
  EXPECT_NEAR(double(zero[1] * zero[1] + zero[3] * zero[3]), 6, 1e-5);
  T bad[] = {1, 1, 9, 1}, y[] = {nan, 1};
  thread::chol_update<T, 2>(bad, y);
  EXPECT_TRUE(std::isnan(bad[0]) && std::isnan(bad[3]));
}

}  // namespace
}  // namespace glass::test
