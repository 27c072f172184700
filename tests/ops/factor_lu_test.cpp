// getrf, getrs, gesv, with and without pivoting: the factors and swaps against an elimination by the book, solutions by
// their backward error, and what a failure keeps.
#include "glass/factor/gesv.cuh"
#include "support/solves.hpp"

namespace glass::test {
namespace {

// P A = L U by the book, in place; the first k without a pivot, 0 if there is none.
template <class W>
int eliminate(dense<W>& a, dense<int>& piv, bool pivoting) {
  int info = 0;
  const int n = a.rows;
  const auto size = [](W x) { return std::isnan(x) ? W(-1) : std::abs(x); };
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k + 1; i < n && pivoting; ++i)
      if (size(a(i, k)) > size(a(p, k))) p = i;
    piv(k) = p;
    for (int j = 0; j < n; ++j) std::swap(a(k, j), a(p, j));
    const bool good = std::abs(a(k, k)) > 0;
    if (!good && info == 0) info = k + 1;
    for (int i = k + 1; i < n; ++i) {
      if (good) a(i, k) /= a(k, k);
      for (int j = k + 1; j < n; ++j) a(i, j) -= a(i, k) * a(k, j);
    }
  }
  return info;
}
enum class op { factor, solve, solve_transposed, both };
constexpr bool factors(op o) { return o == op::factor || o == op::both; }

template <class T>
struct problem {
  using W = reference::wide<T>;
  op what;
  bool pivoting, exact = false;
  dense<T> a0, b0;  // the matrix, and the right-hand sides
  dense<W> lu;      // what becomes of it
  dense<int> swaps;
  int expected;
  operand<T> a, b;
  operand<int> piv;
  answers<int> info;
  problem(op o, bool pivots, const dense<T>& A, const dense<T>& B, layout how)
      : what(o),
        pivoting(pivots),
        a0(A),
        b0(B),
        lu(A.template as<W>()),
        swaps(A.rows, 1),
        expected(eliminate(lu, swaps, pivots)),
        a(factors(o) ? A : lu.template as<T>(), how),
        b(B, how),
        piv(factors(o) ? dense<int>(A.rows, 1, -7) : swaps, layout::natural) {}
};
template <class T>
std::string judge_factor(problem<T>& p) {
  using W = reference::wide<T>;
  const int n = p.a0.rows;
  const dense<T>& got = p.a.result();
  if (p.exact) {
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        if (!close<T, W>(got(i, j), p.lu(i, j), 1, 0))
          return "L U at " + std::to_string(i) + ", " + std::to_string(j) + " is " + std::to_string(double(got(i, j)));
  }
  if (p.exact || p.expected) return "";
  auto l = reference::triangle(got.template as<W>(), true, true),
       u = reference::triangle(got.template as<W>(), false, false);
  auto pa = p.a0.template as<W>();
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j) std::swap(pa(k, j), pa(p.swaps(k), j));
  const auto zero = dense<W>(n, n);
  const auto back = reference::product<W>(1, l, u, 0, zero);
  const auto terms = reference::product<W>(1, reference::magnitude(l), reference::magnitude(u), 0, zero);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (!close(static_cast<T>(pa(i, j)), back(i, j), terms(i, j), n + 2))
        return "L U is not P A at " + std::to_string(i) + ", " + std::to_string(j);
  return "";
}
template <class T>
std::string judge(problem<T>& p) {
  const int n = p.a0.rows;
  const auto all = [](int, int) { return true; };
  if (!p.info.all(factors(p.what) ? p.expected : 0))
    return "info " + std::to_string(p.info.one()) + ", expected " + std::to_string(p.expected) + " in every lane";
  if (factors(p.what) ? !p.a.untouched(all) || !p.piv.untouched(all) : !p.a.untouched() || !p.piv.untouched())
    return "A or piv were written where they should not be";
  if (factors(p.what) && p.pivoting && p.piv.result().numbers != p.swaps.numbers) return "other pivots";
  if (p.what == op::factor || (p.what == op::both && p.expected))
    return p.b.untouched() ? judge_factor(p) : "a failure changed B";
  if (!p.b.untouched(all)) return "memory outside B was written";
  if (p.what == op::both)
    if (std::string wrong = judge_factor(p); !wrong.empty()) return wrong;
  for (const T x : p.a0.numbers)
    if (!std::isfinite(x)) return "";
  double largest_a = 0, largest_u = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      largest_a = std::max(largest_a, std::abs(double(p.a0(i, j))));
      if (i <= j) largest_u = std::max(largest_u, std::abs(double(p.lu(i, j))));
    }
  // The factors that a solve is given are rounded ones: as much again.
  const double rounded = p.what == op::both ? 1 : 2;
  return backward_error(p.what == op::solve_transposed ? reference::transposed(p.a0) : p.a0, p.b.result(), p.b0,
                        n == 0 ? 1 : rounded * (n + 4) * std::max(1.0, largest_u / largest_a));
}
template <class S, op What, bool Pivoting, Body B, layout L, int N, int R, class T>
void act(problem<T>& p) {
  const S scope;
  const auto a = p.a.template matrix<L, N, N>();
  const auto b = p.b.template matrix<L, N, R>();
  const auto piv = p.piv.template vector<layout::natural, N>();
  constexpr Trans trans = What == op::solve_transposed ? Trans::yes : Trans::no;
  int info = 0;
  if constexpr (Pivoting) {
    if constexpr (What == op::factor)
      info = getrf<B>(scope, a, piv);
    else if constexpr (What == op::both)
      info = gesv<B>(scope, a, piv, b);
    else
      getrs<B, trans>(scope, a, piv, b);
  } else {
    if constexpr (What == op::factor)
      info = getrf_no_pivot<B>(scope, a);
    else if constexpr (What == op::both)
      info = gesv_no_pivot<B>(scope, a, b);
    else
      getrs_no_pivot<B, trans>(scope, a, b);
  }
  p.info.set(scope, info);
  if constexpr (factors(What)) use_all(scope, p.a);
  if constexpr (factors(What) && Pivoting) use_all(scope, p.piv);
  if constexpr (What != op::factor) use_all(scope, p.b);
}
// Apart from what a case is compiled for, so that this is compiled once.
template <class T>
void does(op what, bool pivoting, const block& how, const dense<T>& a, const dense<T>& b, bool exact, layout l,
          void (*act)(problem<T>&)) {
  in_every_order<problem<T>>(
      how, "N=" + std::to_string(a.rows) + " NRHS=" + std::to_string(b.cols) + " op " + std::to_string(int(what)),
      [&] {
        problem<T> p(what, pivoting, a, b, l);
        p.exact = exact;
        return p;
      },
      act, judge<T>);
}
template <op What, bool Pivoting, Body B, layout L, int N, int R, class S, class T>
void does(const scope_case<S>& c, const dense<T>& a, const dense<T>& b, bool exact = false) {
  does(What, Pivoting, c.how, a, b, exact, L, act<S, What, Pivoting, B, L, N, R, T>);
}
template <bool Pivoting, Body B, layout L, int N, int R, class S, class T>
void does_all(const scope_case<S>& c, const dense<T>& a, const dense<T>& b) {
  does<op::factor, Pivoting, B, L, N, R>(c, a, b);
  does<op::both, Pivoting, B, L, N, R>(c, a, b);
  does<op::solve, Pivoting, B, L, N, R>(c, a, b);
  does<op::solve_transposed, Pivoting, B, L, N, R>(c, a, b);
}
template <class T>
dense<T> dominant(int n, int by) {  // (i, i + by) outweighs its column
  auto a = uniform<T>(n, n);
  for (int i = 0; i < n; ++i) a(i, (i + by) % n) += T(n);
  return a;
}
template <class T>
dense<T> square(int n, std::initializer_list<double> by_rows) {
  dense<T> a(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a(i, j) = T(by_rows.begin()[i * n + j]);
  return a;
}

template <class T>
struct Lu : testing::Test {};
TYPED_TEST_SUITE(Lu, scalars, scalar_names);

TYPED_TEST(Lu, OfAnySizeInMemory) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const int n : {0, 1, 2, 3, 4, 6, 9, 17, 34}) {
      does_all<true, Body::loop, layout::padded, -1, -1>(c, uniform<T>(n, n), uniform<T>(n, n % 4));
      does_all<false, Body::loop, layout::padded, -1, -1>(c, dominant<T>(n, 0), uniform<T>(n, n % 4));
    }
  });
}
TYPED_TEST(Lu, OfConstantSize) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    does_all<true, Body::automatic, layout::by_rows, 7, 3>(c, uniform<T>(7, 7), uniform<T>(7, 3));
    does_all<false, Body::automatic, layout::by_rows, 7, 3>(c, dominant<T>(7, 0), uniform<T>(7, 3));
  });
  const scope_case<scope::warp> warp{{"warp", 32, {32}}};
  does<op::both, true, Body::fragment, layout::natural, 33, 1>(warp, dominant<T>(33, 5), uniform<T>(33, 1));
  const scope_case<scope::block<64>> block{{"block64", 0, {64}}};  // whose warps search for themselves
  does<op::both, true, Body::loop, layout::padded, -1, -1>(block, uniform<T>(50, 50), uniform<T>(50, 1));
}
TYPED_TEST(Lu, SolvesOnTensorCores) {
  using T = TypeParam;
  const scope_case<scope::warp> a_warp{{"warp", 32, {32}}};
  const scope_case<scope::block<64>> two_warps{{"block64", 0, {64}}};
  does<op::solve, true, Body::direct, layout::natural, 18, 10>(a_warp, dominant<T>(18, 5), uniform<T>(18, 10));
  does<op::solve_transposed, true, Body::direct, layout::padded, 9, 20>(two_warps, uniform<T>(9, 9), uniform<T>(9, 20));
  does<op::solve, false, Body::direct, layout::by_rows, 16, 9>(a_warp, dominant<T>(16, 0), uniform<T>(16, 9));
  does<op::solve, true, Body::direct, layout::by_rows, 40, 17>(two_warps, uniform<T>(40, 40), uniform<T>(40, 17));
  does<op::solve_transposed, true, Body::direct, layout::natural, 40, 8>(a_warp, uniform<T>(40, 40), uniform<T>(40, 8));
}
TYPED_TEST(Lu, TiesZerosAndWhatIsNoNumber) {
  using T = TypeParam;
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  dense<T> hadamard(8, 8), permuted(8, 8);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      hadamard(i, j) = __builtin_popcount(unsigned(i & j)) % 2 ? T(-1) : T(1), permuted(i, j) = T(j == (3 * i + 5) % 8);
  std::vector<dense<T>> all = {hadamard,
                               permuted,
                               square<T>(1, {0}),
                               square<T>(1, {nan}),
                               square<T>(2, {0, 1, 1, 0}),
                               square<T>(2, {1, 2, -1, 1}),
                               square<T>(2, {1, 1, 1, 1}),
                               square<T>(3, {2, 1, 1, 4, 2, 0, 2, 1, 3}),
                               square<T>(3, {0, 0, 0, 0, 0, 0, 0, 0, 0}),
                               square<T>(3, {nan, 1, 2, 1, 2, 3, 2, 2, 1}),
                               square<T>(3, {nan, 1, 2, nan, 2, 3, 0, 2, 1}),
                               square<T>(3, {nan, 1, 2, nan, 2, 3, nan, 2, 1}),
                               square<T>(3, {1, inf, 2, 4, 2, 3, 2, 8, 1}),
                               square<T>(3, {1, 2, 2, inf, 2, 3, -inf, 8, 1}),
                               square<T>(3, {1, 0, 2, 1, 0, 3, 1, 8, inf})};
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const auto& a : all) {
      does<op::both, true, Body::loop, layout::padded, -1, -1>(c, a, uniform<T>(a.rows, 1), true);
      does<op::factor, false, Body::loop, layout::padded, -1, -1>(c, a, uniform<T>(a.rows, 1), true);
      if (a.rows == 3) does<op::both, true, Body::automatic, layout::natural, 3, 1>(c, a, uniform<T>(3, 1), true);
      if (a.rows == 8) does<op::factor, true, Body::automatic, layout::natural, 8, 1>(c, a, uniform<T>(8, 1), true);
    }
  });
}
TYPED_TEST(Lu, HardMatrices) {
  using T = TypeParam;
  const scope_case<scope::tile<8>> tile{{"tile8", 8, {16}}};
  for (const double kappa : {1.0, 1e4})
    for (const double scale : {1.0, 0x1p40, 0x1p-40}) {
      const auto a = reference::mirrored(spd<T>(12, kappa, scale), true), b = uniform<T>(12, 1);
      does<op::both, true, Body::automatic, layout::natural, 12, 1>(tile, a, b);
      does<op::both, true, Body::loop, layout::padded, -1, -1>(tile, a, b);
    }
}
// A kernel of one's own: one factorisation in registers, two solves, nothing stored in between.
TYPED_TEST(Lu, FragmentsCompose) {
  using T = TypeParam;
  using S = scope::tile<4>;
  const auto a = uniform<T>(7, 7), b = uniform<T>(7, 2);
  in_every_order<problem<T>>(
      {"tile4", 4, {8}}, "fragments", [&] { return problem<T>(op::both, true, a, b, layout::natural); },
      [](problem<T>& p) {
        const S scope;
        const auto view = p.b.template matrix<layout::natural, 7, 2>();
        auto f = load(scope, p.a.template matrix<layout::natural, 7, 7>());
        auto first = load(scope, view.template block<7, 1>(0, 0)),
             second = load(scope, view.template block<7, 1>(0, 1));
        lu_pivots<T, 7, 4> pivots;
        p.info.set(scope, factor_lu(scope, f, pivots));
        solve_lu(scope, f, pivots, first);
        solve_lu(scope, f, pivots, second);
        scope.sync();
        store(scope, first, view.template block<7, 1>(0, 0));
        store(scope, second, view.template block<7, 1>(0, 1));
        store_lu(scope, f, pivots, p.a.template matrix<layout::natural, 7, 7>());
        store_swaps(scope, pivots, p.piv.template vector<layout::natural, 7>());
        scope.sync();
        use_all(scope, p.a, p.b);
        use_all(scope, p.piv);
      },
      judge<T>);
}
// As the catalog's kernels call it.
template <bool Pivoting, op What, class T>
void act_in_step(problem<T>& p) {
  const scope::tile<4, 2, scope::others::in_step> scope;
  const auto a = p.a.template matrix<layout::natural, 5, 5>();
  const auto b = p.b.template matrix<layout::natural, 5, 1>();
  const auto piv = p.piv.template vector<layout::natural, 5>();
  if constexpr (Pivoting)
    p.info.set(scope, What == op::both ? gesv<Body::fragment>(scope, a, piv, b) : getrf<Body::fragment>(scope, a, piv));
  else
    p.info.set(scope, What == op::both ? gesv_no_pivot<Body::fragment>(scope, a, b)
                                       : getrf_no_pivot<Body::fragment>(scope, a));
  use_all(scope, p.a, p.b);
  use_all(scope, p.piv);
}
TYPED_TEST(Lu, InStep) {
  using T = TypeParam;
  const auto check = [](op what, bool pivoting, auto act) {
    for (const auto& a : {dominant<T>(5, 0), dense<T>(5, 5, T(1))})  // and one that has no second pivot
      in_every_order<problem<T>>(
          {"tile4", 4, {8}}, "in step",
          [&] { return problem<T>(what, pivoting, a, uniform<T>(5, 1), layout::natural); }, act, judge<T>);
  };
  check(op::both, true, act_in_step<true, op::both, T>);
  check(op::factor, true, act_in_step<true, op::factor, T>);
  check(op::both, false, act_in_step<false, op::both, T>);
  check(op::factor, false, act_in_step<false, op::factor, T>);
}
TYPED_TEST(Lu, PointerFaces) {
  using T = TypeParam;
  T a[] = {0, 2, 1, 1}, b[] = {3, 4}, c[] = {1, 1, 2, 4}, d[] = {3, 5};
  int piv[2];
  EXPECT_EQ((thread::gesv<T, 2>(a, piv, b)), 0);  // y = 3, 2 x + y = 4
  EXPECT_EQ(piv[0], 1);
  EXPECT_EQ(b[0], T(0.5));
  EXPECT_EQ(b[1], T(3));
  T e[] = {2, 4};
  thread::getrs<T, Trans::yes>(2, 1, a, piv, e);  // 2 y = 2, x + y = 4
  EXPECT_EQ(e[0], T(3));
  EXPECT_EQ(e[1], T(1));
  EXPECT_EQ(thread::getrf_no_pivot<T>(2, c), 0);
  thread::getrs_no_pivot<T, 2>(c, d);  // x + 2 y = 3, x + 4 y = 5
  EXPECT_EQ(d[0], T(1));
  EXPECT_EQ(d[1], T(1));
}

}  // namespace
}  // namespace glass::test
