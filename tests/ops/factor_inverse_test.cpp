// inv by A X = I, and operations on several matrices at once, bit by bit against one by one.
#include "glass/factor/inv.cuh"

#include "glass/factor/potrf_each.cuh"
#include "support/solves.hpp"

namespace glass::test {
namespace {

template <class T>
struct problem {
  dense<T> a0;
  double kappa;
  int expected;
  operand<T> a, x;
  answers<int> info;
  problem(const dense<T>& A, double k, int code, layout how)
      : a0(A), kappa(k), expected(code), a(A, how), x(dense<T>(A.rows, A.cols, poison<T>()), how) {}
};
template <class T>
std::string identity_error(const dense<T>& a, const dense<T>& x, double kappa) {
  using W = reference::wide<T>;
  const int n = a.rows;
  const auto ax = reference::product<W>(1, a.template as<W>(), x.template as<W>(), 0, dense<W>(n, n));
  W sum = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) sum += (ax(i, j) - W(i == j)) * (ax(i, j) - W(i == j));
  const W error = std::sqrt(sum), allowed = W(4 * n * kappa) * W(std::numeric_limits<T>::epsilon());
  return error <= allowed ? "" : "||A X - I|| is " + std::to_string(double(error / allowed)) + " of what is allowed";
}
template <bool InPlace, class T>
std::string judge(problem<T>& p) {
  if (!p.info.all(p.expected))
    return "info " + std::to_string(p.info.one()) + ", expected " + std::to_string(p.expected) + " in every lane";
  const auto all = [](int, int) { return true; };
  if (InPlace ? !p.x.untouched() || !p.a.untouched(all) : !p.a.untouched() || !p.x.untouched(all))
    return "memory outside X was written";
  return p.expected ? "" : identity_error(p.a0, InPlace ? p.a.result() : p.x.result(), p.kappa);
}
template <class S, Pivot How, Body B, layout L, int N, bool InPlace, class T>
void act(problem<T>& p) {
  const S scope;
  const auto a = p.a.template matrix<L, N, N>();
  p.info.set(scope, inv<B, How>(scope, a, InPlace ? a : p.x.template matrix<L, N, N>()));
  use_all(scope, p.a, p.x);
}
template <Pivot How, Body B, layout L, int N, bool InPlace, class S, class T>
void inverts(const scope_case<S>& c, const dense<T>& a, double kappa, int expected = 0) {
  in_every_order<problem<T>>(
      c.how, "N=" + std::to_string(a.rows), [&] { return problem<T>(a, kappa, expected, L); },
      act<S, How, B, L, N, InPlace, T>, judge<InPlace, T>);
}
// Singular values 1 ... 1 / kappa; rows moved so that pivoting has something to do.
template <class T>
dense<T> conditioned(int n, double kappa, bool definite = false, double scale = 1) {
  const auto s = reference::mirrored(spd<T>(n, kappa, scale), true);
  dense<T> a(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a(definite ? i : (i + n / 2) % n, j) = s(i, j);
  return a;
}

template <class T>
struct Inverse : testing::Test {};
TYPED_TEST_SUITE(Inverse, scalars, scalar_names);

TYPED_TEST(Inverse, OfAnySize) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const int n : {0, 1, 2, 3, 5, 8, 17, 34}) {
      inverts<Pivot::partial, Body::loop, layout::padded, -1, false>(c, conditioned<T>(n, 1e3), 1e3);
      inverts<Pivot::none, Body::loop, layout::by_rows, -1, true>(c, conditioned<T>(n, 1e2, true), 1e2);
    }
  });
}
TYPED_TEST(Inverse, OfConstantSize) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    inverts<Pivot::partial, Body::automatic, layout::natural, 7, false>(c, conditioned<T>(7, 1e3), 1e3);
    inverts<Pivot::partial, Body::automatic, layout::by_rows, 7, true>(c, conditioned<T>(7, 1e3), 1e3);
    inverts<Pivot::none, Body::automatic, layout::natural, 7, true>(c, conditioned<T>(7, 1e2, true), 1e2);
  });
  for (const double scale : {0x1p40, 0x1p-40}) {
    const scope_case<scope::tile<8>> tile{{"tile8", 8, {16}}};
    inverts<Pivot::partial, Body::fragment, layout::natural, 12, false>(tile, conditioned<T>(12, 1e4, false, scale),
                                                                        1e4);
  }
}
TYPED_TEST(Inverse, InGroupsOfSteps) {  // of four, and of two where a lane holds several rows
  using T = TypeParam;
  const scope_case<scope::tile<16>> tile{{"tile16", 16, {32}}};
  const scope_case<scope::tile<8>> narrow{{"tile8", 8, {8}}};
  inverts<Pivot::partial, Body::rolled, layout::natural, 16, false>(tile, conditioned<T>(16, 1e3), 1e3);
  inverts<Pivot::partial, Body::rolled, layout::padded, 12, true>(tile, conditioned<T>(12, 1e3), 1e3);
  inverts<Pivot::partial, Body::rolled, layout::by_rows, 20, false>(narrow, conditioned<T>(20, 1e3), 1e3);
  inverts<Pivot::none, Body::rolled, layout::natural, 12, true>(narrow, conditioned<T>(12, 1e2, true), 1e2);
  dense<T> singular = conditioned<T>(12, 1e3);
  for (int i = 0; i < 12; ++i) singular(i, 0) = 0;
  inverts<Pivot::partial, Body::rolled, layout::natural, 12, false>(tile, singular, 1e3, 1);
}
TYPED_TEST(Inverse, Failures) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const auto of = [&](std::initializer_list<T> by_columns) {
    dense<T> a(3, 3);
    std::copy(by_columns.begin(), by_columns.end(), a.numbers.begin());
    return a;
  };
  sorts_of_scope<TypeParam>([&](auto c) {
    const auto both = [&](const dense<T>& a, int with, int without) {
      inverts<Pivot::partial, Body::loop, layout::padded, -1, false>(c, a, 10, with);
      inverts<Pivot::partial, Body::automatic, layout::natural, 3, false>(c, a, 10, with);
      inverts<Pivot::none, Body::loop, layout::by_rows, -1, true>(c, a, 10, without);
    };
    both(of({0, 1, 0, 1, 0, 0, 0, 0, 1}), 0, 1);
    both(of({1, 1, 0, 1, 1, 0, 0, 0, 1}), 2, 2);
    both(of({0, 0, 0, 1, 1, 0, 0, 0, 1}), 1, 1);
    both(of({nan, nan, nan, 1, 1, 0, 0, 0, 1}), 1, 1);
    both(of({2, 0, 0, 0, 1, 0, 0, 0, nan}), 3, 3);
  });
  std::vector<T> large(257 * 257, T(1)), x(257 * 257);
  EXPECT_EQ(thread::inv<T>(257, large.data(), x.data()), -1);
}
// As the catalog's kernels call it.
TYPED_TEST(Inverse, InStep) {
  using T = TypeParam;
  in_every_order<problem<T>>(
      {"tile4", 4, {8}}, "in step", [&] { return problem<T>(conditioned<T>(5, 1e3), 1e3, 0, layout::natural); },
      [](problem<T>& p) {
        const scope::tile<4, 2, scope::others::in_step> scope;
        p.info.set(scope, inv<Body::fragment>(scope, p.a.template matrix<layout::natural, 5, 5>(),
                                              p.x.template matrix<layout::natural, 5, 5>()));
        use_all(scope, p.a, p.x);
      },
      judge<false, T>);
}
TYPED_TEST(Inverse, PointerFaces) {
  using T = TypeParam;
  const T a[] = {0, 2, 1, 0};
  T x[4];
  EXPECT_EQ((thread::inv<T, 2>(a, x)), 0);
  EXPECT_EQ((std::vector<T>(x, x + 4)), (std::vector<T>{0, 1, T(0.5), 0}));
  EXPECT_EQ((thread::inv<T, Pivot::none>(2, a, x)), 1);
}

// ---- several at once ----
template <class T>
struct several {
  bool cholesky;
  dense<T> a0, b0, c0;
  operand<T> a, b, c, a1, b1, c1;
  answers<int> info[3], info1[3];
  several(bool factor, const dense<T>& A, const dense<T>& B, const dense<T>& C)
      : cholesky(factor),
        a0(A),
        b0(B),
        c0(C),
        a(A, layout::natural),
        b(B, layout::padded),
        c(C, layout::natural),
        a1(A, layout::natural),
        b1(B, layout::padded),
        c1(C, layout::natural) {}
};
template <class T>
std::string judge_several(several<T>& p) {
  for (int k = 0; k < 3; ++k)
    if (!p.info[k].all(p.info1[k].one()) || !p.info1[k].all(p.info1[k].one())) return "another info than alone";
  const auto same = [](operand<T>& x, operand<T>& y) {
    for (std::size_t e = 0; e < x.result().numbers.size(); ++e)
      if (!same_bits(x.result().numbers[e], y.result().numbers[e])) return false;
    return true;
  };
  if (p.info1[1].one() != (p.cholesky ? 2 : 4)) return "the second one should fail";
  return same(p.a, p.a1) && same(p.c, p.c1) ? "" : "other bits than alone";
}
template <class S, bool Cholesky, class T>
void act_several(several<T>& p) {
  const S scope;
  const auto one = [&](int k, auto m) {
    if constexpr (Cholesky)
      p.info1[k].set(scope, potrf(scope, m));
    else
      p.info1[k].set(scope, inv(scope, m, m));
  };
  one(0, p.a1.template matrix<layout::natural, 3, 3>());
  one(1, p.b1.template matrix<layout::padded, -1, -1>());
  one(2, p.c1.template matrix<layout::natural, 9, 9>());
  const auto a = p.a.template matrix<layout::natural, 3, 3>();
  const auto b = p.b.template matrix<layout::padded, -1, -1>();
  const auto c = p.c.template matrix<layout::natural, 9, 9>();
  infos<3> got;
  if constexpr (Cholesky)
    got = potrf_each(scope, a, b, c);
  else
    got = inv_each(scope, a, b, c);
  for (int k = 0; k < 3; ++k) p.info[k].set(scope, got.at[k]);
  use_all(scope, p.a, p.b, p.c, p.a1, p.b1, p.c1);
}
TYPED_TEST(Inverse, OfSeveralMatrices) {
  using T = TypeParam;
  auto singular = conditioned<T>(6, 10);
  for (int i = 0; i < 6; ++i) singular(i, 3) = 0;
  sorts_of_scope<TypeParam>([&](auto c) {
    using S = typename decltype(c)::scope;
    in_every_order<several<T>>(
        c.how, "inv_each", [&] { return several<T>(false, conditioned<T>(3, 10), singular, conditioned<T>(9, 10)); },
        act_several<S, false, T>, judge_several<T>);
  });
}
TYPED_TEST(Inverse, CholeskyOfSeveralMatrices) {
  using T = TypeParam;
  auto indefinite = spd<T>(6, 10);
  indefinite(1, 1) = -1;
  sorts_of_scope<TypeParam>([&](auto c) {
    using S = typename decltype(c)::scope;
    in_every_order<several<T>>(
        c.how, "potrf_each", [&] { return several<T>(true, spd<T>(3, 10), indefinite, spd<T>(9, 10)); },
        act_several<S, true, T>, judge_several<T>);
  });
}

}  // namespace
}  // namespace glass::test
