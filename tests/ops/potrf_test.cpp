// potrf: the backward error of the factor, info, the columns before a bad pivot, and what stays untouched.
#include "glass/factor/potrf.cuh"

#include "support/eigen.hpp"
#include "support/solves.hpp"

namespace glass::test {
namespace {

template <class T>
struct problem {
  dense<T> a0;
  operand<T> a;
  answers<int> info;
  problem(const dense<T>& A, layout how) : a0(A), a(A, how) {}
};

template <class T>
std::string judge(problem<T>& p) {
  const int expected = expected_info(p.a0);
  if (!p.info.all(expected))
    return "info " + std::to_string(p.info.one()) + ", expected " + std::to_string(expected) + " in every lane";
  if (!p.a.untouched([](int i, int j) { return i >= j; })) return "memory outside the lower triangle of A was written";
  if (expected == 0) return factor_error(p.a0, p.a.result());
  // The columns before the bad pivot are those of the factor: a leading block has the factor of the leading block.
  dense<T> a(expected - 1, expected - 1), l = a;
  for (int j = 0; j < a.cols; ++j)
    for (int i = j; i < a.rows; ++i) a(i, j) = p.a0(i, j), l(i, j) = p.a.result()(i, j);
  return factor_error(a, l);
}

template <class S, Body B, layout L, int N, class T>
void act(problem<T>& p) {
  const S scope;
  p.info.set(scope, potrf<B>(scope, p.a.template matrix<L, N, N>()));
  use_all(scope, p.a);
}
// Apart from what a case is compiled for, so that this is compiled once.
template <class T>
void factors(const block& how, const dense<T>& a, layout l, void (*act)(problem<T>&)) {
  in_every_order<problem<T>>(
      how, "N=" + std::to_string(a.rows), [&] { return problem<T>(a, l); }, act, judge<T>);
}
template <Body B, layout L, int N, class S, class T>
void factors(const scope_case<S>& c, const dense<T>& a) {
  factors(c.how, a, L, act<S, B, L, N, T>);
}

template <class T>
struct Potrf : testing::Test {};
TYPED_TEST_SUITE(Potrf, scalars, scalar_names);

TYPED_TEST(Potrf, LoopBodyOfAnySize) {
  using T = TypeParam;
  for (const int n : any_size) {
    const auto a = spd<T>(n, n % 3 == 0 ? 1e2 : n % 3 == 1 ? 1 : 1e4);
    every_scope<TypeParam>([&](auto c) { factors<Body::loop, layout::padded, -1>(c, a); });
  }
}
TYPED_TEST(Potrf, FragmentBody) {
  using T = TypeParam;
  every_size(sizes<1, 2, 5, 17, 33>{}, [](auto n) {
    constexpr int N = decltype(n)::value;
    const auto a = spd<T>(N, 1e3);
    every_fragment_scope<TypeParam>([&](auto c) {
      if constexpr (detail::factors_in_fragments<typename decltype(c)::scope, glass::matrix<T, N, N>>())
        factors<Body::fragment, layout::natural, N>(c, a);
    });
  });
}
TYPED_TEST(Potrf, RowsBody) {
  using T = TypeParam;
  every_size(sizes<1, 13, 33>{}, [](auto n) {
    constexpr int N = decltype(n)::value;
    const auto a = spd<T>(N, 1e3);
    scopes_of_kernels<TypeParam>([&](auto c) {
      using S = typename decltype(c)::scope;
      if constexpr (detail::fits_rows<S, glass::matrix<T, N, N>, detail::no_columns>()) {
        factors<Body::rows, layout::natural, N>(c, a);
        if constexpr (N == 13) factors<Body::rows, layout::interleaved, N>(c, a);
      }
    });
  });
  for (const auto& a : failing<T, 13>())
    scopes_of_kernels<TypeParam>([&](auto c) { factors<Body::rows, layout::natural, 13>(c, a); });
}
// As the catalog's kernels call it.
template <class S, class T>
void act_in_step(problem<T>& p) {
  const S scope;
  p.info.set(scope, potrf<Body::rows>(scope, p.a.template matrix<layout::natural, 13, 13>()));
  use_all(scope, p.a);
}
TYPED_TEST(Potrf, InStep) {
  using T = TypeParam;
  auto matrices = failing<T, 13>();
  matrices.push_back(spd<T>(13, 1e3));
  for (const auto& a : matrices)
    in_every_order<problem<T>>(
        block{"tile4", 4, {8}}, "in step", [&] { return problem<T>(a, layout::natural); },
        act_in_step<scope::tile<4, 2, scope::others::in_step>, T>, judge<T>);
}
TYPED_TEST(Potrf, RegsBody) {
  using T = TypeParam;
  factors<Body::regs, layout::natural, 40>(scope_case<scope::block<64>>{{"block64", 0, {64}}}, spd<T>(40, 1e3));
  factors<Body::regs, layout::interleaved, 9>(scope_case<scope::tile<32, 2>>{{"warp", 32, {64}}}, spd<T>(9, 1e3));
}
TYPED_TEST(Potrf, LeftBody) {
  using T = TypeParam;
  every_size(sizes<9, 50>{}, [](auto n) {
    constexpr int N = decltype(n)::value;
    const auto a = spd<T>(N, 1e3);
    warps_of_kernels([&](auto c) {
      using S = typename decltype(c)::scope;
      if constexpr (detail::fits_left<S, glass::matrix<T, N, N>, detail::no_columns>()) {
        factors<Body::left, layout::natural, N>(c, a);
        if constexpr (N == 9) {
          factors<Body::left, layout::interleaved, N>(c, a);
          for (const auto& bad : failing<T, 9>()) factors<Body::left, layout::natural, N>(c, bad);
        }
      }
    });
  });
}
TYPED_TEST(Potrf, Layouts) {
  using T = TypeParam;
  const auto a = spd<T>(7, 1e2);
  sorts_of_scope<TypeParam>([&](auto c) {
    factors<Body::automatic, layout::padded, 7>(c, a);
    factors<Body::automatic, layout::by_rows, 7>(c, a);
    factors<Body::automatic, layout::interleaved, 7>(c, a);
    factors<Body::loop, layout::by_rows, -1>(c, a);
    factors<Body::loop, layout::interleaved, -1>(c, a);
  });
}
TYPED_TEST(Potrf, HardMatrices) {
  using T = TypeParam;
  for (const double kappa : {1.0, 1e4, sizeof(T) == 8 ? 1e6 : 1e4})
    for (const double scale : {1.0, 0x1p40, 0x1p-40}) {
      const auto a = spd<T>(13, kappa, scale);
      sorts_of_scope<TypeParam>([&](auto c) {
        factors<Body::automatic, layout::natural, 13>(c, a);
        factors<Body::loop, layout::natural, 13>(c, a);
      });
    }
}
TYPED_TEST(Potrf, BadPivots) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const T x : {T(0), T(-1), nan, inf}) {
      factors<Body::automatic, layout::natural, 1>(c, column<T>({x}));
      factors<Body::loop, layout::natural, 1>(c, column<T>({x}));
    }
    for (const auto& a : failing<T, 9>()) {
      factors<Body::automatic, layout::natural, 9>(c, a);
      factors<Body::loop, layout::natural, 9>(c, a);
    }
    dense<T> two(2, 2, T(2));  // [[1, 2], [2, 1]]
    two(0, 0) = two(1, 1) = 1;
    factors<Body::automatic, layout::natural, 2>(c, two);
  });
}
TYPED_TEST(Potrf, AgreesWithEigen) {
  using T = TypeParam;
  const auto a = spd<T>(24, 1e2);
  auto l = a;
  EXPECT_EQ((thread::potrf<T, 24>(l.numbers.data())), 0);
  const auto expected = eigen::cholesky(reference::mirrored(a, true).template as<double>());
  for (int j = 0; j < 24; ++j)
    for (int i = j; i < 24; ++i) EXPECT_NEAR(l(i, j), expected(i, j), 1e3 * std::numeric_limits<T>::epsilon());
}

}  // namespace
}  // namespace glass::test
