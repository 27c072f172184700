// potrs and laswp: the solve after a Cholesky factor by its backward error, row swaps bit by bit.
#include "glass/factor/laswp.cuh"
#include "glass/factor/potrs.cuh"
#include "support/solves.hpp"

namespace glass::test {
namespace {

template <class T>
struct Solve : testing::Test {};
TYPED_TEST_SUITE(Solve, scalars, scalar_names);

// ---- potrs ----
template <class T>
dense<T> factor_of(int n) {  // lower; the other triangle poisoned
  auto w = spd<T>(n, 1e2).template as<reference::wide<T>>();
  reference::potrf(w);
  auto l = w.template as<T>();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i) l(i, j) = poison<T>();
  return l;
}
template <class T>
struct with_factor {
  dense<T> l0, b0;
  operand<T> l, b;
  with_factor(const dense<T>& L, const dense<T>& B, layout how) : l0(L), b0(B), l(L, how), b(B, how) {}
};
template <class T>
std::string judge_potrs(with_factor<T>& p) {
  using W = reference::wide<T>;
  if (!p.l.untouched()) return "L was written";
  if (!p.b.untouched([](int, int) { return true; })) return "memory outside B was written";
  const auto l = reference::triangle(p.l0.template as<W>(), true, false);
  const auto a = reference::product<W>(1, l, reference::transposed(l), 0, dense<W>(l.rows, l.rows));
  return backward_error(a.template as<T>(), p.b.result(), p.b0, p.l0.rows + 4);
}
template <class S, Body B, layout L, int N, int R, class T>
void act_potrs(with_factor<T>& p) {
  const S scope;
  potrs<B>(scope, p.l.template matrix<L, N, N>(), p.b.template matrix<L, N, R>());
  use_all(scope, p.b);
}
template <Body B, layout L, int N, int R, class S, class T>
void solves(const scope_case<S>& c, const dense<T>& l, const dense<T>& b) {
  in_every_order<with_factor<T>>(
      c.how, "N=" + std::to_string(l.rows) + " NRHS=" + std::to_string(b.cols), [&] { return with_factor<T>(l, b, L); },
      act_potrs<S, B, L, N, R, T>, judge_potrs<T>);
}
TYPED_TEST(Solve, PotrsOfAnySize) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const int n : {0, 1, 2, 3, 5, 8, 17, 33}) {
      solves<Body::loop, layout::padded, -1, -1>(c, factor_of<T>(n), uniform<T>(n, n % 3));
      solves<Body::loop, layout::by_rows, -1, -1>(c, factor_of<T>(n), uniform<T>(n, 1));
    }
  });
}
TYPED_TEST(Solve, PotrsInRegisters) {
  using T = TypeParam;
  const auto of = [](auto c) {
    solves<Body::automatic, layout::natural, 7, 3>(c, factor_of<T>(7), uniform<T>(7, 3));
    solves<Body::automatic, layout::padded, 12, 1>(c, factor_of<T>(12), uniform<T>(12, 1));
  };
  sorts_of_scope<TypeParam>(of);
  static_assert(detail::potrs_fits_fragments<scope::tile<4>, glass::matrix<T, 12, 12>, glass::matrix<T, 12, 1>>());
  static_assert(detail::potrs_fits_fragments<scope::warp, glass::matrix<T, 7, 7>, glass::matrix<T, 7, 3>>());
}
TYPED_TEST(Solve, PotrsOnTensorCores) {
  using T = TypeParam;
  const scope_case<scope::warp> a_warp{{"warp", 32, {32}}};
  const scope_case<scope::block<64>> two_warps{{"block64", 0, {64}}};
  solves<Body::direct, layout::natural, 18, 20>(a_warp, factor_of<T>(18), uniform<T>(18, 20));
  solves<Body::direct, layout::by_rows, 16, 9>(a_warp, factor_of<T>(16), uniform<T>(16, 9));
  solves<Body::direct, layout::padded, 9, 40>(two_warps, factor_of<T>(9), uniform<T>(9, 40));
}
TYPED_TEST(Solve, PotrsFacesAndPropagation) {
  using T = TypeParam;
  const T l[] = {2, 1, 7, 2};
  T b[] = {8, 8}, c[] = {8, 8, 4, 2};
  thread::potrs<T, 2>(l, b);
  EXPECT_EQ(b[0], T(1.5));
  EXPECT_EQ(b[1], T(1));
  thread::potrs<T>(2, 2, l, c);
  EXPECT_EQ(c[1], T(1));
  EXPECT_EQ(c[2], T(1));
  EXPECT_EQ(c[3], T(0));
  T poisoned[] = {4, std::numeric_limits<T>::quiet_NaN()};
  thread::potrs<T, 2>(l, poisoned);
  EXPECT_TRUE(std::isnan(poisoned[1]));
}

// ---- laswp ----
template <class T>
struct swaps {
  dense<T> a0;
  dense<int> p0;
  int k0, k1;
  operand<T> a;
  operand<int> piv;
  swaps(const dense<T>& A, const dense<int>& P, int from, int to, layout how)
      : a0(A), p0(P), k0(from), k1(to), a(A, how), piv(P, how) {}
};
template <bool Back, class T>
std::string judge_laswp(swaps<T>& p) {
  dense<T> r = p.a0;
  for (int step = p.k0; step < p.k1; ++step) {
    const int k = Back ? p.k1 - 1 - (step - p.k0) : step;
    for (int j = 0; j < r.cols; ++j) std::swap(r(k, j), r(p.p0(k), j));
  }
  if (!p.piv.untouched()) return "piv was written";
  if (!p.a.untouched([](int, int) { return true; })) return "memory outside A was written";
  return r.numbers == p.a.result().numbers ? "" : "rows lie in another order";
}
template <class S, layout L, int M, int N, bool Back, class T>
void act_laswp(swaps<T>& p) {
  const S scope;
  laswp<Back ? Direction::backward : Direction::forward>(scope, p.a.template matrix<L, M, N>(),
                                                         p.piv.template vector<L, M>(), p.k0, p.k1);
  use_all(scope, p.a);
}
template <layout L, int M, int N, bool Back, class T, class S>
void permutes(const scope_case<S>& c, int m, int n, int k0, int k1) {
  dense<int> piv(m, 1, -1000);  // outside k0 ... k1 - 1 it is not read
  for (int k = k0; k < k1; ++k) piv(k) = k + int(random()() % unsigned(m - k));
  const auto a = uniform<T>(m, n);
  in_every_order<swaps<T>>(
      c.how, std::to_string(m) + " x " + std::to_string(n), [&] { return swaps<T>(a, piv, k0, k1, L); },
      act_laswp<S, L, M, N, Back, T>, judge_laswp<Back, T>);
}
TYPED_TEST(Solve, Laswp) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const int n : {0, 1, 3, 6, 40}) {
      permutes<layout::by_rows, -1, -1, false, T>(c, 9, n, 0, 9);
      permutes<layout::by_rows, -1, -1, true, T>(c, 9, n, 0, 9);
      permutes<layout::by_rows, -1, -1, true, T>(c, 9, n, 2, 7);
    }
    permutes<layout::by_rows, -1, -1, false, T>(c, 5, 2, 3, 3);
    permutes<layout::natural, 7, 5, false, T>(c, 7, 5, 1, 6);
  });
  T a[] = {1, 2, 3, 4, 5, 6};
  const int piv[] = {2, 2, 2};
  thread::laswp<T, 3, 2>(a, piv, 0, 2);  // rows 0 and 2, then 1 and 2
  EXPECT_EQ((std::vector<T>(a, a + 6)), (std::vector<T>{3, 1, 2, 6, 4, 5}));
  thread::laswp<T, Direction::backward>(3, 2, a, piv, 0, 2000);  // ... 2 and 2, and back
  EXPECT_EQ((std::vector<T>(a, a + 6)), (std::vector<T>{1, 2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace glass::test
