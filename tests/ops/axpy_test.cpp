// axpy: against the formula within 2 eps, y that is x itself, and alpha = 0.
#include "glass/vector/axpy.cuh"

#include "support/products.hpp"

namespace glass::test {
namespace {

template <class T>
struct problem {
  T alpha;
  dense<T> x0, y0;
  operand<T> x, y;
  problem(T al, const dense<T>& X, const dense<T>& Y, layout how) : alpha(al), x0(X), y0(Y), x(X, how), y(Y, how) {}
};
template <class T>
std::string judge(problem<T>& p) {
  if (!p.x.untouched()) return "x was written";
  if (!p.y.untouched(everywhere)) return "memory outside y was written";
  return product_error<T>(p.alpha, p.x0, dense<T>(1, 1, T(1)), 1, p.y0, p.y.result(), 2, everywhere);
}
template <class S, layout L, int N, class T>
void act(problem<T>& p) {
  const S scope;
  axpy(scope, p.alpha, p.x.template vector<L, N>(), p.y.template vector<L, N>());
  use_all(scope, p.x, p.y);
}
template <layout L, int N, class T, class S>
void adds(const scope_case<S>& c, int n, T alpha) {
  const auto x = source(n, 1, alpha), y = uniform<T>(n, 1);
  in_every_order<problem<T>>(
      c.how, "N=" + std::to_string(n), [&] { return problem<T>(alpha, x, y, L); }, act<S, L, N, T>, judge<T>);
}

template <class T>
struct Axpy : testing::Test {};
TYPED_TEST_SUITE(Axpy, scalars, scalar_names);

TYPED_TEST(Axpy, AnySize) {
  using T = TypeParam;
  auto n = any_size;
  n.insert(n.end(), {100, 129, 1001});
  for (const int k : n)
    for (const T alpha : {T(-1.5), T(0)})
      every_scope<TypeParam>([&](auto c) {
        adds<layout::natural, -1>(c, k, alpha);
        adds<layout::interleaved, -1>(c, k, alpha);
      });
}
TYPED_TEST(Axpy, ConstantSizes) {
  using T = TypeParam;
  every_size(sizes<1, 3, 8, 17, 100>{}, [](auto n) {
    constexpr int N = decltype(n)::value;
    every_scope<TypeParam>([&](auto c) { adds<layout::natural, N>(c, N, T(0.5)); });
  });
}
TYPED_TEST(Axpy, OntoItself) {
  using T = TypeParam;
  T x[] = {1, 2, 3};
  thread::axpy<T, 3>(2, x, x);
  EXPECT_EQ(x[2], T(9));
  T* none = nullptr;
  thread::axpy<T>(0, 2, none, none);
}

}  // namespace
}  // namespace glass::test
