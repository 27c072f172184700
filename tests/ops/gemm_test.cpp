// gemm: against the formula, every transposition, sizes that do not fit tiles or lanes, and alpha and beta that forbid
// reading.
#include "glass/matrix/gemm.cuh"

#include "support/eigen.hpp"
#include "support/products.hpp"

namespace glass::test {
namespace {

template <class T>
struct problem {
  T alpha, beta;
  dense<T> a0, b0, c0;
  operand<T> a, b, c;
  problem(T al, T be, const dense<T>& A, const dense<T>& B, const dense<T>& C, layout how, bool ta, bool tb)
      : alpha(al),
        beta(be),
        a0(A),
        b0(B),
        c0(C),
        a(ta ? reference::transposed(A) : A, how),
        b(tb ? reference::transposed(B) : B, how),
        c(C, how) {}
};
template <class T>
std::string judge(problem<T>& p) {
  if (!p.a.untouched() || !p.b.untouched()) return "A or B was written";
  if (!p.c.untouched(everywhere)) return "memory outside C was written";
  return product_error(p.alpha, p.a0, p.b0, p.beta, p.c0, p.c.result(), p.a0.cols + 2, everywhere);
}
constexpr int swapped(bool t, int yes, int no) { return t ? yes : no; }
template <class S, layout L, int M, int N, int K, Trans A, Trans B, class T>
void act(problem<T>& p) {
  const S scope;
  constexpr bool ta = A == Trans::yes, tb = B == Trans::yes;
  gemm<A, B>(scope, p.alpha, p.a.template matrix<L, swapped(ta, K, M), swapped(ta, M, K)>(),
             p.b.template matrix<L, swapped(tb, N, K), swapped(tb, K, N)>(), p.beta, p.c.template matrix<L, M, N>());
  use_all(scope, p.a, p.b, p.c);
}
// Apart from what a case is compiled for, so that this is compiled once.
template <class T>
void multiplies(const block& how, int m, int n, int k, T alpha, T beta, layout l, Trans of_a, Trans of_b,
                void (*act)(problem<T>&)) {
  const auto a = source(m, k, alpha), b = source(k, n, alpha), d = destination(m, n, beta);
  in_every_order<problem<T>>(
      how, "M=" + std::to_string(m) + " N=" + std::to_string(n) + " K=" + std::to_string(k),
      [&] { return problem<T>(alpha, beta, a, b, d, l, of_a == Trans::yes, of_b == Trans::yes); }, act, judge<T>);
}
template <layout L, int M, int N, int K, Trans A, Trans B, class T, class S>
void multiplies(const scope_case<S>& c, int m, int n, int k, T alpha, T beta) {
  multiplies(c.how, m, n, k, alpha, beta, L, A, B, act<S, L, M, N, K, A, B, T>);
}
template <layout L, int M, int N, int K, class T, class S>
void every_transposition(const scope_case<S>& c, int m, int n, int k, T alpha, T beta) {
  multiplies<L, M, N, K, Trans::no, Trans::no>(c, m, n, k, alpha, beta);
  multiplies<L, M, N, K, Trans::yes, Trans::no>(c, m, n, k, alpha, beta);
  multiplies<L, M, N, K, Trans::no, Trans::yes>(c, m, n, k, alpha, beta);
  multiplies<L, M, N, K, Trans::yes, Trans::yes>(c, m, n, k, alpha, beta);
}

template <class T>
struct Gemm : testing::Test {};
TYPED_TEST_SUITE(Gemm, scalars, scalar_names);

TYPED_TEST(Gemm, AnySize) {
  using T = TypeParam;
  for (const int n : any_size)
    every_scope<TypeParam>([&](auto c) {
      multiplies<layout::padded, -1, -1, -1, Trans::no, Trans::no, T>(c, n, n % 7 + 1, n % 5 + 3, T(1.5), T(0.5));
    });
}
TYPED_TEST(Gemm, Transposed) {
  using T = TypeParam;
  for (const int n : {1, 6, 17})
    sorts_of_scope<TypeParam>(
        [&](auto c) { every_transposition<layout::natural, -1, -1, -1, T>(c, n, n + 1, 5, T(-1), T(0)); });
}
TYPED_TEST(Gemm, ConstantSizes) {
  using T = TypeParam;
  every_size(sizes<1, 4, 6, 9, 16, 33>{}, [](auto n) {
    constexpr int N = decltype(n)::value;
    every_scope<TypeParam>(
        [&](auto c) { multiplies<layout::natural, N, N, N, Trans::no, Trans::no, T>(c, N, N, N, T(1), T(0)); });
  });
}
TYPED_TEST(Gemm, ConstantShapes) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    every_transposition<layout::natural, 6, 7, 5, T>(c, 6, 7, 5, T(1.5), T(-1));
    multiplies<layout::natural, 1, 9, 3, Trans::no, Trans::no, T>(c, 1, 9, 3, T(1), T(0));
    multiplies<layout::natural, 19, 2, 8, Trans::no, Trans::no, T>(c, 19, 2, 8, T(1), T(0));
  });
}
TYPED_TEST(Gemm, AlphaAndBeta) {
  using T = TypeParam;
  for (const auto& s : products<T>)
    sorts_of_scope<TypeParam>([&](auto c) {
      multiplies<layout::natural, 5, 6, 7, Trans::no, Trans::no, T>(c, 5, 6, 7, s.alpha, s.beta);
      multiplies<layout::padded, -1, -1, -1, Trans::no, Trans::no, T>(c, 5, 6, 7, s.alpha, s.beta);
      multiplies<layout::padded, -1, -1, -1, Trans::no, Trans::no, T>(c, 5, 6, 0, s.alpha, s.beta);  // K = 0: beta C
      multiplies<layout::natural, 5, 6, 0, Trans::no, Trans::no, T>(c, 5, 6, 0, s.alpha, s.beta);
    });
}
TYPED_TEST(Gemm, Layouts) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    multiplies<layout::padded, 7, 5, 6, Trans::no, Trans::no, T>(c, 7, 5, 6, T(1), T(0.5));
    every_transposition<layout::by_rows, 7, 5, 6, T>(c, 7, 5, 6, T(1), T(0.5));
    multiplies<layout::interleaved, 7, 5, 6, Trans::no, Trans::yes, T>(c, 7, 5, 6, T(1), T(0));
    multiplies<layout::by_rows, -1, -1, -1, Trans::yes, Trans::no, T>(c, 7, 5, 6, T(1), T(0));
  });
}
TYPED_TEST(Gemm, NaNAndInfinityPropagate) {
  using T = TypeParam;
  dense<T> a = uniform<T>(4, 4), b = uniform<T>(4, 4), c(4, 4);
  a(1, 2) = std::numeric_limits<T>::quiet_NaN();
  b(0, 3) = std::numeric_limits<T>::infinity();
  thread::gemm<T, 4, 4, 4>(1, a.numbers.data(), b.numbers.data(), c.numbers.data());
  EXPECT_EQ(product_error<T>(1, a, b, 0, c, c, 6, everywhere), "");
}
TYPED_TEST(Gemm, AgreesWithEigen) {
  using T = TypeParam;
  const auto a = uniform<T>(13, 9), b = uniform<T>(9, 21);
  dense<T> c(13, 21);
  thread::gemm<T>(13, 21, 9, 1, a.numbers.data(), b.numbers.data(), c.numbers.data());
  const auto expected = eigen::product(a.template as<double>(), b.template as<double>());
  for (int j = 0; j < c.cols; ++j)
    for (int i = 0; i < c.rows; ++i) EXPECT_NEAR(c(i, j), expected(i, j), 20 * std::numeric_limits<T>::epsilon());
}

}  // namespace
}  // namespace glass::test
