// posv: the backward error of the solution and of the factor, info, and what a failure and the upper triangle keep.
#include "glass/factor/posv.cuh"

#include "support/solves.hpp"

namespace glass::test {
namespace {

template <class T>
struct problem {
  dense<T> a0, b0;
  operand<T> a, b;
  answers<int> info;
  problem(const dense<T>& A, const dense<T>& B, layout how) : a0(A), b0(B), a(A, how), b(B, how) {}
};

template <class T, Factor Kept = Factor::keep>
std::string judge(problem<T>& p) {
  const int n = p.a0.rows, expected = expected_info(p.a0);
  if (!p.info.all(expected))
    return "info " + std::to_string(p.info.one()) + ", expected " + std::to_string(expected) + " in every lane";
  if (!p.a.untouched([](int i, int j) { return i >= j; })) return "memory outside the lower triangle of A was written";
  if (!p.b.untouched([&](int, int) { return expected == 0; }))
    return expected ? "a failure changed B" : "memory outside B was written";
  if (expected) return "";
  if (std::string wrong = Kept == Factor::keep ? factor_error(p.a0, p.a.result()) : ""; !wrong.empty()) return wrong;
  return backward_error(reference::mirrored(p.a0, true), p.b.result(), p.b0, n + 4);
}

// A as a body with a shift of 1/2 sees it.
template <class T>
dense<T> shifted(dense<T> a, Shift how) {
  for (int i = 0; i < a.rows && how != Shift::none; ++i)
    a(i, i) = how == Shift::identity ? a(i, i) + T(0.5) : a(i, i) + T(0.5) * a(i, i);
  return a;
}

// Body B on N x N with R right-hand sides (-1: sizes at run time) in layout L.
template <class S, Body B, layout L, int N, int R, class T>
void act(problem<T>& p) {
  const S scope;
  p.info.set(scope, posv<B>(scope, p.a.template matrix<L, N, N>(), p.b.template matrix<L, N, R>()));
  use_all(scope, p.a, p.b);
}
// Apart from what a case is compiled for, so that this is compiled once.
template <class T>
void solves(const block& how, const dense<T>& a, const dense<T>& b, layout l, void (*act)(problem<T>&)) {
  in_every_order<problem<T>>(
      how, "N=" + std::to_string(a.rows) + " NRHS=" + std::to_string(b.cols), [&] { return problem<T>(a, b, l); }, act,
      judge<T>);
}
template <Body B, layout L, int N, int R, class S, class T>
void solves(const scope_case<S>& c, const dense<T>& a, const dense<T>& b) {
  solves(c.how, a, b, L, act<S, B, L, N, R, T>);
}

template <class T>
struct Posv : testing::Test {};
TYPED_TEST_SUITE(Posv, scalars, scalar_names);

TYPED_TEST(Posv, LoopBodyOfAnySize) {
  using T = TypeParam;
  for (const int n : any_size) {
    const auto a = spd<T>(n, n % 3 == 0 ? 1e2 : n % 3 == 1 ? 1 : 1e4);
    every_scope<TypeParam>([&](auto c) { solves<Body::loop, layout::padded, -1, -1>(c, a, uniform<T>(n, 1 + n % 3)); });
  }
}
TYPED_TEST(Posv, FragmentBody) {
  using T = TypeParam;
  every_size(sizes<1, 2, 5, 17, 33>{}, [](auto n) {
    constexpr int N = decltype(n)::value;
    const auto a = spd<T>(N, 1e3), b = uniform<T>(N, 1);
    every_fragment_scope<TypeParam>([&](auto c) {
      using S = typename decltype(c)::scope;
      if constexpr (detail::posv_fits_fragments<S, glass::matrix<T, N, N>, glass::matrix<T, N, 1>>())
        solves<Body::fragment, layout::natural, N, 1>(c, a, b);
    });
  });
}
TYPED_TEST(Posv, RowsBody) {
  using T = TypeParam;
  every_size(sizes<1, 7, 16, 33>{}, [](auto n) {
    constexpr int N = decltype(n)::value, R = N == 7 ? 3 : 1;
    const auto a = spd<T>(N, 1e3), b = uniform<T>(N, R);
    scopes_of_kernels<TypeParam>([&](auto c) {
      using S = typename decltype(c)::scope;
      if constexpr (detail::fits_rows<S, glass::matrix<T, N, N>, glass::matrix<T, N, R>>()) {
        solves<Body::rows, layout::natural, N, R>(c, a, b);
        if constexpr (N == 7) solves<Body::rows, layout::by_rows, N, R>(c, a, b);
      }
    });
  });
  for (const auto& a : failing<T, 9>())
    scopes_of_kernels<TypeParam>([&](auto c) { solves<Body::rows, layout::natural, 9, 2>(c, a, uniform<T>(9, 2)); });
}
// As the catalog's kernels call it (kernels_src/batch.cuh): the tiles of a warp all make the same calls, whether or not their matrices are good.
template <class S, Body B, int N, class T>
void act_in_step(problem<T>& p) {
  const S scope;
  const auto info =
      posv<B>(scope, p.a.template matrix<layout::natural, N, N>(), p.b.template matrix<layout::natural, N, 1>());
  p.info.set(scope, info);
  use_all(scope, p.a, p.b);
}
TYPED_TEST(Posv, InStep) {
  using T = TypeParam;
  using S = scope::tile<4, 2, scope::others::in_step>;
  auto matrices = failing<T, 9>();
  matrices.push_back(spd<T>(9, 1e3));
  for (const auto& a : matrices) {
    const auto check = [&](auto act) {
      in_every_order<problem<T>>(
          block{"tile4", 4, {8}}, "in step", [&] { return problem<T>(a, uniform<T>(9, 1), layout::natural); }, act,
          judge<T>);
    };
    check(act_in_step<S, Body::rows, 9, T>);
    check(act_in_step<S, Body::fragment, 9, T>);
  }
}
TYPED_TEST(Posv, LeftBody) {
  using T = TypeParam;
  every_size(sizes<9, 40, 120>{}, [](auto n) {  // at 120 a factor in f64 outgrows exchange memory
    constexpr int N = decltype(n)::value;
    const auto a = spd<T>(N, 1e3), b = uniform<T>(N, 1);
    warps_of_kernels([&](auto c) {
      using S = typename decltype(c)::scope;
      if constexpr (detail::fits_left<S, glass::matrix<T, N, N>, glass::matrix<T, N, 1>>()) {
        solves<Body::left, layout::natural, N, 1>(c, a, b);
        if constexpr (N == 9) {
          solves<Body::left, layout::by_rows, N, 1>(c, a, b);
          for (const auto& bad : failing<T, 9>()) solves<Body::left, layout::natural, N, 1>(c, bad, b);
        }
      }
    });
  });
}
TEST(PosvWhole, FactorsBeyond48KBInTheReserve) {
  using S = scope::block<96, 69760>;
  static_assert(detail::fits_whole<S, glass::matrix<double, 120, 120>, glass::matrix<double, 120, 1>>());
  static_assert(
      !detail::fits_whole<scope::block<96>, glass::matrix<double, 120, 120>, glass::matrix<double, 120, 1>>());
  const scope_case<S> where{{"block96", 0, {96}, 69760}};
  solves<Body::whole, layout::natural, 120, 1>(where, spd<double>(120, 1e3), uniform<double>(120, 1));
}
template <Body B, Shift H, int N, class S, class T>
void solves_shifted(const scope_case<S>& c, const dense<T>& a, const dense<T>& b) {
  in_every_order<problem<T>>(
      c.how, "shifted",
      [&] {
        problem<T> p(a, b, layout::natural);
        p.a0 = shifted(a, H);
        return p;
      },
      [](problem<T>& p) {
        const S scope;
        p.info.set(scope, posv<H, B>(scope, p.a.template matrix<layout::natural, N, N>(),
                                     p.b.template matrix < layout::natural, N, N < 0 ? -1 : 1 > (), 0.5));
        use_all(scope, p.a, p.b);
      },
      judge<T>);
}
TYPED_TEST(Posv, RegsBody) {
  using T = TypeParam;
  const auto b = uniform<T>(40, 1), c = uniform<T>(9, 1);
  const scope_case<scope::block<64>> two{{"block64", 0, {64}}};
  const scope_case<scope::tile<32, 2>> one{{"warp", 32, {64}}};
  solves<Body::regs, layout::natural, 40, 1>(two, spd<T>(40, 1e3), b);
  auto late = spd<T>(40, 1e2);
  late(21, 21) = -1;
  solves<Body::regs, layout::natural, 40, 1>(two, late, b);
  solves_shifted<Body::regs, Shift::identity, 9>(one, spd<T>(9, 1e2), c);
  for (const auto& bad : failing<T, 9>()) solves<Body::regs, layout::natural, 9, 1>(one, bad, c);
}
TYPED_TEST(Posv, Shifts) {
  using T = TypeParam;
  auto a = spd<T>(9, 1e2);
  const auto b = uniform<T>(9, 1);
  const auto all = [&] {
    sorts_of_scope<TypeParam>([&](auto c) {
      solves_shifted<Body::automatic, Shift::identity, 9>(c, a, b);
      solves_shifted<Body::automatic, Shift::diagonal, 9>(c, a, b);
      solves_shifted<Body::loop, Shift::identity, -1>(c, a, b);
      solves_shifted<Body::loop, Shift::diagonal, -1>(c, a, b);
    });
    scopes_of_kernels<TypeParam>([&](auto c) {
      solves_shifted<Body::rows, Shift::identity, 9>(c, a, b);
      solves_shifted<Body::rows, Shift::diagonal, 9>(c, a, b);
    });
    warps_of_kernels([&](auto c) {
      solves_shifted<Body::left, Shift::identity, 9>(c, a, b);
      solves_shifted<Body::left, Shift::diagonal, 9>(c, a, b);
    });
  };
  all();
  a(4, 4) = T(-0.25);  // indefinite; the identity's shift is not enough, the diagonal's makes it worse
  all();
}
// L is not wanted: the same solutions, and bodies in registers write nothing to A.
template <Body B, int N, int R = 1, class S, class T>
void solves_without(const scope_case<S>& c, const dense<T>& a, const dense<T>& b) {
  in_every_order<problem<T>>(
      c.how, "without the factor", [&] { return problem<T>(a, b, layout::natural); },
      [](problem<T>& p) {
        const S scope;
        p.info.set(scope, posv<Factor::discard, B>(scope, p.a.template matrix<layout::natural, N, N>(),
                                                   p.b.template matrix<layout::natural, N, R>()));
        use_all(scope, p.a, p.b);
      },
      [](problem<T>& p) -> std::string {
        constexpr bool in_registers = B != Body::loop && B != Body::automatic;
        if (in_registers && !p.a.untouched([](int, int) { return false; })) return "A was written";
        return judge<T, Factor::discard>(p);
      });
}
TYPED_TEST(Posv, WithoutTheFactor) {
  using T = TypeParam;
  const scope_case<scope::block<64>> two{{"block64", 0, {64}}};
  const scope_case<scope::tile<32, 2>> one{{"warp", 32, {64}}};
  const scope_case<scope::tile<8, 4>> tile{{"tile8", 8, {32}}};
  const auto a = spd<T>(9, 1e2), b = uniform<T>(9, 1), large = spd<T>(40, 1e3), of_large = uniform<T>(40, 1);
  sorts_of_scope<TypeParam>([&](auto c) {
    solves_without<Body::loop, -1, -1>(c, a, uniform<T>(9, 2));
    solves_without<Body::automatic, 9>(c, a, b);
  });
  for (const auto& m : {a, failing<T, 9>().front()}) {
    solves_without<Body::rows, 9>(tile, m, b);
    solves_without<Body::fragment, 9>(tile, m, b);
    solves_without<Body::left, 9>(one, m, b);
    solves_without<Body::regs, 9>(one, m, b);
  }
  solves_without<Body::left, 40>(two, large, of_large);
  solves_without<Body::regs, 40>(two, large, of_large);
}
TYPED_TEST(Posv, LayoutsAndRightHandSides) {
  using T = TypeParam;
  const auto a = spd<T>(7, 1e2), b = uniform<T>(7, 3);
  sorts_of_scope<TypeParam>([&](auto c) {
    solves<Body::automatic, layout::padded, 7, 3>(c, a, b);
    solves<Body::automatic, layout::by_rows, 7, 3>(c, a, b);
    solves<Body::automatic, layout::interleaved, 7, 3>(c, a, b);
    solves<Body::loop, layout::by_rows, -1, -1>(c, a, b);
    solves<Body::loop, layout::interleaved, -1, -1>(c, a, b);
  });
}
TYPED_TEST(Posv, HardMatrices) {
  using T = TypeParam;
  for (const double kappa : {1.0, 1e2, 1e4, sizeof(T) == 8 ? 1e6 : 1e4})
    for (const double scale : {1.0, 0x1p40, 0x1p-40}) {
      const auto a = spd<T>(12, kappa, scale), b = uniform<T>(12, 1);
      sorts_of_scope<TypeParam>([&](auto c) {
        solves<Body::automatic, layout::natural, 12, 1>(c, a, b);
        solves<Body::loop, layout::natural, 12, 1>(c, a, b);
      });
    }
}
TYPED_TEST(Posv, FailuresLeaveTheRightHandSide) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const auto& a : failing<T, 2>()) {
      solves<Body::automatic, layout::natural, 2, 1>(c, a, column<T>({7, 8}));
      solves<Body::loop, layout::natural, 2, 1>(c, a, column<T>({7, 8}));
    }
    for (const auto& a : failing<T, 9>()) {
      solves<Body::automatic, layout::natural, 9, 2>(c, a, uniform<T>(9, 2));
      solves<Body::loop, layout::natural, 9, 2>(c, a, uniform<T>(9, 2));
    }
  });
}
TYPED_TEST(Posv, NonFiniteRightHandSide) {
  using T = TypeParam;
  // Solving propagates: with L diagonal, only the poisoned entry.
  dense<T> a(3, 3);
  for (int i = 0; i < 3; ++i) a(i, i) = 4;
  const T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  sorts_of_scope<TypeParam>([&](auto c) {
    using S = typename decltype(c)::scope;
    in_every_order<problem<T>>(
        c.how, "NaN in b",
        [&] {
          return problem<T>(a, column<T>({8, nan, inf}), layout::natural);
        },
        [](problem<T>& p) {
          const S scope;
          p.info.set(scope, posv(scope, p.a.template matrix<layout::natural, 3, 3>(),
                                 p.b.template vector<layout::natural, 3>()));
          use_all(scope, p.b);
        },
        [](problem<T>& p) -> std::string {
          return p.info.all(0) && std::isnan(p.b.result()(1)) ? "" : "NaN was lost";
        });
  });
}
TYPED_TEST(Posv, PointerFaces) {
  using T = TypeParam;
  T a[] = {4, 2, 2, 5}, b[] = {8, 8};
  EXPECT_EQ((thread::posv<T, 2>(a, b)), 0);
  EXPECT_EQ(b[0], T(1.5));
  EXPECT_EQ(b[1], T(1));
  T c[] = {4, 2, 2, 5}, d[] = {8, 8, 4, 2};
  EXPECT_EQ(thread::posv<T>(2, 2, c, d), 0);
  EXPECT_EQ(d[0], T(1.5));
  EXPECT_EQ(d[2], T(1));
  EXPECT_EQ(d[3], T(0));
  T e[] = {3, 2, 2, 4}, f[] = {8, 8};
  EXPECT_EQ((thread::posv<T, 2, Shift::identity>(e, f, 1)), 0);
  EXPECT_EQ(f[0], T(1.5));
  T g[] = {2, 2, 2, 2.5}, h[] = {8, 8};
  EXPECT_EQ((thread::posv<T, Shift::diagonal>(2, 1, g, h, 1)), 0);
  EXPECT_EQ(h[1], T(1));
}

}  // namespace
}  // namespace glass::test
