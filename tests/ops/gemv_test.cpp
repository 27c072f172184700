// gemv: against the formula, both bodies, tall and wide matrices whose sides do not fit the lanes, and alpha and beta
// that forbid reading.
#include "glass/matrix/gemv.cuh"

#include "support/products.hpp"

namespace glass::test {
namespace {

template <class T>
struct problem {
  T alpha, beta;
  dense<T> a0, x0, y0;  // a0: op(A)
  operand<T> a, x, y;
  problem(T al, T be, const dense<T>& A, const dense<T>& X, const dense<T>& Y, layout how, bool transposed)
      : alpha(al),
        beta(be),
        a0(A),
        x0(X),
        y0(Y),
        a(transposed ? reference::transposed(A) : A, how),
        x(X, how),
        y(Y, how) {}
};
template <class T>
std::string judge(problem<T>& p) {
  if (!p.a.untouched() || !p.x.untouched()) return "A or x was written";
  if (!p.y.untouched(everywhere)) return "memory outside y was written";
  return product_error(p.alpha, p.a0, p.x0, p.beta, p.y0, p.y.result(), p.a0.cols + 2, everywhere);
}
template <class S, Body B, layout L, int M, int N, Trans Op, class T>
void act(problem<T>& p) {  // op(A): M x N
  const S scope;
  constexpr bool t = Op == Trans::yes;
  gemv<Op, B>(scope, p.alpha, p.a.template matrix < L, t ? N : M, t ? M : N > (), p.x.template vector<L, N>(), p.beta,
              p.y.template vector<L, M>());
  use_all(scope, p.a, p.x, p.y);
}
// Apart from what a case is compiled for, so that this is compiled once.
template <class T>
void multiplies(const block& how, int m, int n, T alpha, T beta, layout l, bool transposed, void (*act)(problem<T>&)) {
  const auto a = source(m, n, alpha), x = source(n, 1, alpha), y = destination(m, 1, beta);
  in_every_order<problem<T>>(
      how, "M=" + std::to_string(m) + " N=" + std::to_string(n) + (transposed ? " transposed" : ""),
      [&] { return problem<T>(alpha, beta, a, x, y, l, transposed); }, act, judge<T>);
}
template <Body B, layout L, int M, int N, class T, class S>
void both(const scope_case<S>& c, int m, int n, T alpha, T beta) {
  multiplies(c.how, m, n, alpha, beta, L, false, act<S, B, L, M, N, Trans::no, T>);
  multiplies(c.how, m, n, alpha, beta, L, true, act<S, B, L, M, N, Trans::yes, T>);
}

template <class T>
struct Gemv : testing::Test {};
TYPED_TEST_SUITE(Gemv, scalars, scalar_names);

TYPED_TEST(Gemv, LoopBodyOfAnySize) {
  using T = TypeParam;
  for (const int n : any_size)
    every_scope<TypeParam>([&](auto c) {
      both<Body::loop, layout::padded, -1, -1, T>(c, n, n % 6 + 2, T(1.5), T(0.5));
      both<Body::loop, layout::natural, -1, -1, T>(c, 5, n, T(1), T(0));  // N = 0: beta y
    });
}
TYPED_TEST(Gemv, FragmentBody) {
  using T = TypeParam;
  const auto shape = [](auto m, auto n) {
    constexpr int M = decltype(m)::value, N = decltype(n)::value;
    every_fragment_scope<TypeParam>([&](auto c) {
      if constexpr (decltype(c)::scope::width > 1)
        both<Body::fragment, layout::natural, M, N, T>(c, M, N, T(1.5), T(0.5));
    });
  };
  every_size(fragment_sizes{}, [&](auto n) { shape(n, n); });
  shape(constant<1>{}, constant<9>{}), shape(constant<3>{}, constant<40>{}), shape(constant<40>{}, constant<3>{}),
      shape(constant<6>{}, constant<7>{}), shape(constant<11>{}, constant<2>{});
}
TYPED_TEST(Gemv, FragmentBodyOfABlock) {
  using T = TypeParam;
  const scope_case<scope::block<64>> two{{"block64", 0, {64}}};
  both<Body::fragment, layout::natural, 6, 7, T>(two, 6, 7, T(1.5), T(0.5));
  both<Body::fragment, layout::natural, 40, 12, T>(two, 40, 12, T(1), T(0));
  both<Body::fragment, layout::natural, 68, 5, T>(scope_case<scope::block<96>>{{"block96", 0, {96}}}, 68, 5, T(0),
                                                  T(2));
}
TYPED_TEST(Gemv, AlphaAndBeta) {
  using T = TypeParam;
  for (const auto& s : products<T>)
    sorts_of_scope<TypeParam>([&](auto c) {
      both<Body::automatic, layout::natural, 5, 6, T>(c, 5, 6, s.alpha, s.beta);
      both<Body::loop, layout::natural, 5, 6, T>(c, 5, 6, s.alpha, s.beta);
    });
}
TYPED_TEST(Gemv, Layouts) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    both<Body::automatic, layout::padded, 7, 5, T>(c, 7, 5, T(1), T(0.5));
    both<Body::automatic, layout::by_rows, 7, 5, T>(c, 7, 5, T(1), T(0.5));
    both<Body::automatic, layout::interleaved, 7, 5, T>(c, 7, 5, T(1), T(0));
    both<Body::loop, layout::by_rows, -1, -1, T>(c, 7, 5, T(1), T(0));
  });
}
TYPED_TEST(Gemv, PointerFaces) {
  using T = TypeParam;
  const T a[] = {1, 2, 3, 4, 5, 6}, x[] = {1, -1}, z[] = {1, 0, -1};  // 3 x 2
  T y[] = {9, 9, 9}, w[] = {1, 1};
  thread::gemv<T, 3, 2>(1, a, x, y);
  EXPECT_EQ(y[0], T(-3));
  thread::gemv<T, Trans::yes>(3, 2, 2, a, z, 1, w);
  EXPECT_EQ(w[0], T(-3));
  EXPECT_EQ(w[1], T(-3));
}

}  // namespace
}  // namespace glass::test
