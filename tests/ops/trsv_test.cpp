// trsv: |T x - b| <= (n + 2) eps |T| |x|, every combination of Fill, Trans and Diag; the other triangle is poisoned.
#include "glass/factor/trsv.cuh"

#include "support/solves.hpp"

namespace glass::test {
namespace {

template <class T>
struct problem {
  dense<T> a0, b;
  operand<T> a, x;
  bool lower, transposed, unit;
  problem(const dense<T>& A, const dense<T>& B, layout how, Fill f, Trans t, Diag d)
      : a0(A),
        b(B),
        a(A, how),
        x(B, how),
        lower(f == Fill::lower),
        transposed(t == Trans::yes),
        unit(d == Diag::unit) {}
};
template <class T>
std::string judge(problem<T>& p) {
  using W = reference::wide<T>;
  if (!p.a.untouched()) return "A was written";
  if (!p.x.untouched([](int, int) { return true; })) return "memory outside x was written";
  auto t = reference::triangle(p.a0.template as<W>(), p.lower, p.unit);
  if (p.transposed) t = reference::transposed(t);
  const auto x = p.x.result().template as<W>();
  const auto tx = reference::product<W>(1, t, x, 0, dense<W>(x.rows, 1));
  const auto terms = reference::product<W>(1, reference::magnitude(t), reference::magnitude(x), 0, dense<W>(x.rows, 1));
  for (int i = 0; i < x.rows; ++i)
    if (!close(p.b(i), tx(i), terms(i), x.rows + 2)) return "T x is not b at " + std::to_string(i);
  return "";
}
template <class S, Body B, layout L, int N, Fill F, Trans Op, Diag D, class T>
void act(problem<T>& p) {
  const S scope;
  const auto a = p.a.template matrix<L, N, N>();
  trsv<F, Op, D, B>(scope, a, p.x.template vector<L, N>());
  use_all(scope, p.a, p.x);
}
// Apart from what a case is compiled for, so that this is compiled once.
template <class T>
void solves(const block& how, int n, layout l, Fill fill, Trans op, Diag diagonal, void (*act)(problem<T>&)) {
  const auto a = triangular<T>(n, fill == Fill::lower, diagonal == Diag::unit), b = uniform<T>(n, 1);
  in_every_order<problem<T>>(
      how,
      "N=" + std::to_string(n) + (fill == Fill::lower ? " lower" : " upper") + (op == Trans::yes ? " transposed" : ""),
      [&] { return problem<T>(a, b, l, fill, op, diagonal); }, act, judge<T>);
}
template <Body B, layout L, int N, Fill F, Trans Op, Diag D, class T, class S>
void solves(const scope_case<S>& c, int n) {
  solves(c.how, n, L, F, Op, D, act<S, B, L, N, F, Op, D, T>);
}
template <Body B, layout L, int N, class T, class S>
void every_option(const scope_case<S>& c, int n) {
  solves<B, L, N, Fill::lower, Trans::no, Diag::nonunit, T>(c, n);
  solves<B, L, N, Fill::lower, Trans::yes, Diag::nonunit, T>(c, n);
  solves<B, L, N, Fill::upper, Trans::no, Diag::unit, T>(c, n);
  solves<B, L, N, Fill::upper, Trans::yes, Diag::nonunit, T>(c, n);
}

template <class T>
struct Trsv : testing::Test {};
TYPED_TEST_SUITE(Trsv, scalars, scalar_names);

TYPED_TEST(Trsv, LoopBodyOfAnySize) {
  for (const int n : any_size)
    every_scope<TypeParam>([&](auto c) { every_option<Body::loop, layout::padded, -1, TypeParam>(c, n); });
}
TYPED_TEST(Trsv, FragmentBody) {
  every_size(sizes<1, 3, 8, 12, 17, 33>{}, [](auto n) {
    constexpr int N = decltype(n)::value;
    every_fragment_scope<TypeParam>([&](auto c) {
      if constexpr (detail::solves_in_fragments<typename decltype(c)::scope, glass::matrix<TypeParam, N, N>>)
        every_option<Body::fragment, layout::natural, N, TypeParam>(c, N);
    });
  });
}
TYPED_TEST(Trsv, LayoutsAndUnitDiagonals) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    every_option<Body::automatic, layout::by_rows, 7, T>(c, 7);
    every_option<Body::automatic, layout::interleaved, 7, T>(c, 7);
    every_option<Body::loop, layout::by_rows, -1, T>(c, 7);
    solves<Body::automatic, layout::natural, 9, Fill::lower, Trans::no, Diag::unit, T>(c, 9);
    solves<Body::loop, layout::natural, 9, Fill::lower, Trans::yes, Diag::unit, T>(c, 9);
    solves<Body::loop, layout::natural, 9, Fill::upper, Trans::yes, Diag::unit, T>(c, 9);
  });
}
TYPED_TEST(Trsv, LargeFragments) {
  using T = TypeParam;
  const scope_case<scope::warp> warp{{"warp", 32, {32}}};
  const scope_case<scope::tile<16>> tile{{"tile16", 16, {32}}};
  solves<Body::fragment, layout::natural, 70, Fill::lower, Trans::no, Diag::nonunit, T>(warp, 70);
  solves<Body::fragment, layout::natural, 70, Fill::upper, Trans::no, Diag::unit, T>(warp, 70);
  solves<Body::fragment, layout::natural, 100, Fill::lower, Trans::yes, Diag::nonunit, T>(tile, 100);
}
TYPED_TEST(Trsv, AZeroOnTheDiagonalIsInfinity) {
  using T = TypeParam;
  T a[] = {0}, x[] = {1}, y[] = {1};
  thread::trsv<T, 1>(a, x);
  thread::trsv<T>(1, a, y);
  EXPECT_TRUE(std::isinf(x[0]) && std::isinf(y[0]));
}

}  // namespace
}  // namespace glass::test
