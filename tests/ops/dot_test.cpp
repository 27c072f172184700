// dot: against the formula within n eps, the same bits in every lane, the stored form, and sums that have exact
// answers.
#include "glass/vector/dot.cuh"

#include "support/products.hpp"

namespace glass::test {
namespace {

template <class T>
struct problem {
  operand<T> x, y, out{dense<T>(1, 1, poison<T>()), layout::natural};
  dense<T> x0, y0;
  answers<T> sum;
  problem(const dense<T>& X, const dense<T>& Y, layout how) : x(X, how), y(Y, how), x0(X), y0(Y) {}
};
template <class T>
std::string judge(problem<T>& p) {
  dense<T> got(1, 1, p.sum.one());
  if (!p.x.untouched() || !p.y.untouched()) return "an input was written";
  if (!p.sum.all(p.sum.one())) return "the lanes have different sums";
  if (!p.out.untouched(everywhere) || !same_bits(p.out.result()(0), p.sum.one())) return "the stored sum is another";
  return product_error<T>(1, reference::transposed(p.x0), p.y0, 0, got, got, std::max(p.x0.rows, 1), everywhere);
}
template <class S, layout L, int N, class T>
void act(problem<T>& p) {
  const S scope;
  const auto x = p.x.template vector<L, N>(), y = p.y.template vector<L, N>();
  p.sum.set(scope, dot(scope, x, y));
  use_all(scope, p.x, p.y);
  scope.sync();
  dot(scope, x, y, p.out.template vector<layout::natural, 1>());
  use_all(scope, p.x, p.y, p.out);
}
// Apart from what a case is compiled for, so that this is compiled once.
template <class T>
void sums(const block& how, const dense<T>& x, const dense<T>& y, layout l, void (*act)(problem<T>&)) {
  in_every_order<problem<T>>(
      how, "N=" + std::to_string(x.rows), [&] { return problem<T>(x, y, l); }, act, judge<T>);
}
template <layout L, int N, class T, class S>
void sums(const scope_case<S>& c, const dense<T>& x, const dense<T>& y) {
  sums(c.how, x, y, L, act<S, L, N, T>);
}

template <class T>
struct Dot : testing::Test {};
TYPED_TEST_SUITE(Dot, scalars, scalar_names);

TYPED_TEST(Dot, AnySize) {
  using T = TypeParam;
  auto n = any_size;
  n.insert(n.end(), {63, 65, 100, 129, 1000, 1001});
  for (const int k : n)
    every_scope<TypeParam>([&](auto c) {
      sums<layout::natural, -1>(c, uniform<T>(k, 1), uniform<T>(k, 1));
      sums<layout::interleaved, -1>(c, uniform<T>(k, 1), uniform<T>(k, 1));
    });
}
TYPED_TEST(Dot, ConstantSizes) {
  using T = TypeParam;
  every_size(sizes<1, 3, 8, 17, 100>{}, [](auto n) {
    constexpr int N = decltype(n)::value;
    every_scope<TypeParam>([&](auto c) { sums<layout::natural, N>(c, uniform<T>(N, 1), uniform<T>(N, 1)); });
  });
}
TYPED_TEST(Dot, WholeNumbersAddExactly) {
  using T = TypeParam;
  for (const int n : {1, 2, 31, 33, 127, 1001}) {
    dense<T> x(n, 1), ones(n, 1, T(1));
    for (int i = 0; i < n; ++i) x(i) = T(i == n - 1 ? -1 : i);
    const T expected = n == 1 ? T(-1) : T((n - 1) * (n - 2) / 2 - 1);
    EXPECT_EQ(thread::dot<T>(n, x.numbers.data(), ones.numbers.data()), expected);
    every_scope<TypeParam>([&](auto c) {
      using S = typename decltype(c)::scope;
      in_every_order<problem<T>>(
          c.how, "whole", [&] { return problem<T>(x, ones, layout::natural); }, act<S, layout::natural, -1, T>,
          [](problem<T>& p) -> std::string {
            T sum = 0;
            for (const T v : p.x0.numbers) sum += v;
            return p.sum.all(sum) ? "" : "not exact";
          });
    });
  }
}
TYPED_TEST(Dot, NaNAndInfinityPropagate) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  for (const T bad : {nan, inf})
    for (const int at : {0, 5, 8}) {
      auto x = uniform<T>(9, 1);
      x(at) = bad;
      const dense<T> ones(9, 1, T(1));
      every_scope<TypeParam>([&](auto c) { sums<layout::natural, 9>(c, x, ones); });
    }
}
TYPED_TEST(Dot, NothingIsTouchedWhenEmpty) {
  using T = TypeParam;
  const T* null = nullptr;
  EXPECT_EQ((thread::dot<T, 0>(null, null)), T(0));
  EXPECT_EQ((thread::dot<T>(0, null, null)), T(0));
}

}  // namespace
}  // namespace glass::test
