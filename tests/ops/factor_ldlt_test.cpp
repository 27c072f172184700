// ldlt and ldlt_solve: P A P' = L D L' and the swaps by LAPACK's rule, inertia by eigenvalues, solutions by their
// backward error.
#include "glass/factor/ldlt_solve.cuh"
#include "support/eigen.hpp"
#include "support/solves.hpp"

namespace glass::test {
namespace {

// The swaps that LAPACK's rule chooses, on a full symmetric matrix.
template <class W>
std::vector<int> bunch_kaufman(dense<W> a) {
  const int n = a.rows;
  const W alpha = (1 + std::sqrt(W(17))) / 8;
  std::vector<int> piv(std::size_t(n), 0);
  for (int k = 0; k < n;) {
    int largest = k, size = 1, row = k;
    W column = 0, across = 0;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(a(i, k)) > column) column = std::abs(a(i, k)), largest = i;
    for (int j = k; j < n; ++j)
      if (j != largest) across = std::max(across, std::abs(a(largest, j)));
    const W own = std::abs(a(k, k));
    if (own < alpha * column && own * across < alpha * column * column) {
      row = largest;
      size = std::abs(a(largest, largest)) >= alpha * across ? 1 : 2;
    }
    const int to = k + size - 1;
    for (int j = 0; j < n; ++j) std::swap(a(to, j), a(row, j));
    for (int j = 0; j < n; ++j) std::swap(a(j, to), a(j, row));
    for (int j = k; j <= to; ++j) piv[std::size_t(j)] = size == 1 ? row : -row - 1;
    const W p = a(k, k), q = size == 2 ? a(k + 1, k) : 0, r = size == 2 ? a(k + 1, k + 1) : 1, det = p * r - q * q;
    for (int i = k + size; i < n && det != 0; ++i)
      for (int j = k + size; j < n; ++j) {
        const W x = a(i, k), y = size == 2 ? a(i, k + 1) : 0, u = a(j, k), v = size == 2 ? a(j, k + 1) : 0;
        a(i, j) -= (x * (r * u - q * v) + y * (p * v - q * u)) / det;
      }
    k += size;
  }
  return piv;
}
template <class T>
struct problem {
  bool solving, exact = false;
  dense<T> a0, b0, ld0;
  std::vector<int> swaps;  // empty: not compared
  ldlt_result expected;
  operand<T> a, b;
  operand<int> piv, inertia;
  answers<int> info, positive, negative, zero;
  problem(const dense<T>& A, const dense<T>& B, ldlt_result r, bool solve, layout how)
      : solving(solve),
        a0(A),
        b0(B),
        expected(r),
        a(A, how),
        b(B, how),
        piv(dense<int>(A.rows, 1, 99), layout::natural),
        inertia(dense<int>(3, 1, 99), layout::natural) {}
};
template <class T>
std::string product_error(problem<T>& p) {
  using W = reference::wide<T>;
  const int n = p.a0.rows;
  auto a = reference::mirrored(p.a0.template as<W>(), true);
  auto l = reference::triangle(p.a.result().template as<W>(), true, true), d = dense<W>(n, n);
  const auto& ld = p.a.result();
  const auto swap = [&](int i, int j) {
    for (int k = 0; k < n; ++k) std::swap(a(i, k), a(j, k));
    for (int k = 0; k < n; ++k) std::swap(a(k, i), a(k, j));
  };
  for (int k = 0; k < n; ++k) {
    const int s = p.piv.result()(k);
    d(k, k) = ld(k, k);
    if (s >= 0) {
      if (s < k || s >= n) return "piv is no row";
      swap(k, s);
    } else {
      if (k + 1 >= n || p.piv.result()(k + 1) != s || -s - 1 < k + 1 || -s - 1 >= n) return "piv is no block";
      d(k + 1, k) = d(k, k + 1) = ld(k + 1, k);
      l(k + 1, k) = 0;
      d(k + 1, k + 1) = ld(k + 1, k + 1);
      swap(k + 1, -s - 1);
      ++k;
    }
  }
  const auto zero = dense<W>(n, n);
  const auto thrice = [&](const dense<W>& x, const dense<W>& y) {
    return reference::product<W>(1, reference::product<W>(1, x, y, 0, zero), reference::transposed(x), 0, zero);
  };
  const auto back = thrice(l, d), size = thrice(reference::magnitude(l), reference::magnitude(d));
  W error = 0, terms = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      error += (a(i, j) - back(i, j)) * (a(i, j) - back(i, j));
      terms += size(i, j) * size(i, j);
    }
  return std::sqrt(error) <= W(8 * n) * W(std::numeric_limits<T>::epsilon()) * std::sqrt(terms) ? ""
                                                                                                : "L D L' is not A";
}
template <class T>
std::string judge(problem<T>& p) {
  const int n = p.a0.rows;
  const auto& in = p.expected.inertia;
  if (!p.info.all(p.expected.info)) return "info " + std::to_string(p.info.one());
  if (!p.positive.all(in.positive) || !p.negative.all(in.negative) || !p.zero.all(in.zero))
    return "inertia " + std::to_string(p.positive.one()) + " " + std::to_string(p.negative.one()) + " " +
           std::to_string(p.zero.one()) + ", expected " + std::to_string(in.positive) + " " +
           std::to_string(in.negative) + " " + std::to_string(in.zero);
  if (!p.a.untouched([](int i, int j) { return i >= j; })) return "memory outside the lower triangle was written";
  if (!p.b.untouched([&](int, int) { return p.solving; })) return "memory outside B was written";
  for (std::size_t k = 0; k < p.swaps.size(); ++k)
    if (p.piv.result()(int(k)) != p.swaps[k]) return "piv " + std::to_string(p.piv.result()(int(k)));
  if (p.exact) {
    for (int j = 0; j < n; ++j)
      for (int i = j; i < n; ++i)
        if (p.a.result()(i, j) != p.ld0(i, j)) return "L D at " + std::to_string(i) + ", " + std::to_string(j);
  }
  if (p.expected.info == 0)
    if (std::string wrong = product_error(p); !wrong.empty()) return wrong;
  return p.solving ? backward_error(reference::mirrored(p.a0, true), p.b.result(), p.b0, 8 * std::max(n, 1)) : "";
}
template <class S, Pivot How, layout L, int N, int R, bool Out, class T>
void act(problem<T>& p) {
  const S scope;
  const auto a = p.a.template matrix<L, N, N>();
  const auto b = p.b.template matrix<L, N, R>();
  const auto piv = p.piv.template vector<layout::natural, N>();
  const auto counts = p.inertia.template vector<layout::natural, 3>();
  ldlt_result r = {};
  if constexpr (How == Pivot::none) {
    if (scope.rank() == 0)
      for (int k = 0; k < piv.rows(); ++k) piv(k) = k;
    if constexpr (Out)
      r.info = ldlt(scope, a, counts);
    else
      r = ldlt(scope, a);
  } else {
    if constexpr (Out)
      r.info = ldlt<How>(scope, a, piv, counts);
    else
      r = ldlt<How>(scope, a, piv);
  }
  if constexpr (Out) r.inertia = {counts(0), counts(1), counts(2)};
  p.info.set(scope, r.info), p.positive.set(scope, r.inertia.positive);
  p.negative.set(scope, r.inertia.negative), p.zero.set(scope, r.inertia.zero);
  if (p.solving) {
    if constexpr (How == Pivot::none)
      ldlt_solve(scope, a, b);
    else
      ldlt_solve(scope, a, piv, b);
  }
  use_all(scope, p.a, p.b);
  use_all(scope, p.piv);
}
template <class T>
ldlt_result of_eigenvalues(const dense<T>& a) {
  ldlt_result r = {};
  for (const double value : eigen::eigenvalues(reference::mirrored(a, true).template as<double>()))
    ++(value > 0 ? r.inertia.positive : r.inertia.negative);
  return r;
}
template <Pivot How, layout L, int N, int R, bool Out, class S, class T>
void factors(const scope_case<S>& c, const dense<T>& a, const dense<T>& b) {
  in_every_order<problem<T>>(
      c.how, "N=" + std::to_string(a.rows),
      [&] {
        problem<T> p(a, b, of_eigenvalues(a), true, L);
        if (How != Pivot::none) p.swaps = bunch_kaufman(reference::mirrored(a.template as<reference::wide<T>>(), true));
        return p;
      },
      act<S, How, L, N, R, Out, T>, judge<T>);
}
template <Pivot How, class S, class T>
void gives(const scope_case<S>& c, const dense<T>& a, ldlt_result r, std::vector<int> piv = {},
           const dense<T>& ld = {}) {
  in_every_order<problem<T>>(
      c.how, "pinned N=" + std::to_string(a.rows),
      [&] {
        problem<T> p(a, uniform<T>(a.rows, 1), r, false, layout::by_rows);
        p.exact = !piv.empty(), p.swaps = piv, p.ld0 = ld;
        return p;
      },
      act<S, How, layout::by_rows, -1, -1, false, T>, judge<T>);
}
// Symmetric; the strict upper triangle poisoned. `diagonal` is added to it with alternating signs.
template <class T>
dense<T> symmetric(int n, double diagonal, bool zeros = false) {
  auto a = uniform<T>(n, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < j; ++i) a(i, j) = poison<T>();
    a(j, j) = zeros ? T(0) : a(j, j) + T(j % 3 == 1 ? -diagonal : diagonal);
  }
  return a;
}
template <class T>
dense<T> lower(int n, std::initializer_list<double> by_rows) {
  dense<T> a(n, n, poison<T>());
  const double* x = by_rows.begin();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) a(i, j) = T(*x++);
  return a;
}

template <class T>
struct Ldlt : testing::Test {};
TYPED_TEST_SUITE(Ldlt, scalars, scalar_names);

TYPED_TEST(Ldlt, OfAnySize) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const int n : {0, 1, 2, 3, 4, 5, 8, 13, 33}) {
      factors<Pivot::none, layout::by_rows, -1, -1, false>(c, symmetric<T>(n, n), uniform<T>(n, n % 4));
      factors<Pivot::bunch_kaufman, layout::by_rows, -1, -1, false>(c, symmetric<T>(n, 0), uniform<T>(n, n % 4));
      if (n > 1)
        factors<Pivot::bunch_kaufman, layout::by_rows, -1, -1, false>(c, symmetric<T>(n, 0, true), uniform<T>(n, 1));
    }
    factors<Pivot::none, layout::natural, 7, 1, true>(c, symmetric<T>(7, 7), uniform<T>(7, 1));
    factors<Pivot::bunch_kaufman, layout::natural, 7, 1, true>(c, symmetric<T>(7, 0), uniform<T>(7, 1));
  });
}
TYPED_TEST(Ldlt, PinnedAndFailing) {
  using T = TypeParam;
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  sorts_of_scope<TypeParam>([&](auto c) {
    gives<Pivot::bunch_kaufman>(c, lower<T>(2, {0, 1, 0}), {0, {1, 1, 0}}, {-2, -2}, lower<T>(2, {0, 1, 0}));
    gives<Pivot::bunch_kaufman>(c, lower<T>(3, {1, 2, 1, 0, 3, -1}), {0, {2, 1, 0}}, {0, 1, 2},
                                lower<T>(3, {1, 2, -3, 0, -1, 2}));
    gives<Pivot::bunch_kaufman>(c, lower<T>(3, {0, 0, 2, 0, 0, -1}), {1, {1, 1, 1}}, {0, 1, 2},
                                lower<T>(3, {0, 0, 2, 0, 0, -1}));
    gives<Pivot::bunch_kaufman>(c, lower<T>(2, {nan, 1, 2}), {1, {1, 0, 0}});
    gives<Pivot::none>(c, lower<T>(2, {0, 1, 0}), {1, {0, 0, 2}});
    gives<Pivot::none>(c, lower<T>(3, {2, 1, nan, 1, 1, 1}), {2, {2, 0, 0}});
    gives<Pivot::none>(c, lower<T>(3, {1, 1, 1, 1, 1, 3}), {2, {2, 0, 1}});
    for (const auto& a :
         {lower<T>(3, {inf, 1, 2, 1, 2, 1}), lower<T>(3, {1, inf, 2, nan, 2, 1}), lower<T>(3, {1, 2, nan, inf, 2, inf}),
          lower<T>(3, {0, nan, 0, nan, 0, 0})}) {  // whatever they give, they end
      in_every_order<problem<T>>(
          c.how, "not finite", [&] { return problem<T>(a, uniform<T>(3, 1), {}, true, layout::by_rows); },
          act<typename decltype(c)::scope, Pivot::bunch_kaufman, layout::by_rows, -1, -1, false, T>,
          [](problem<T>& p) -> std::string {
            return p.a.untouched([](int i, int j) { return i >= j; }) ? ""
                                                                      : "memory outside the lower triangle was written";
          });
    }
  });
}
TYPED_TEST(Ldlt, PointerFaces) {
  using T = TypeParam;
  T a[] = {2, 4, 9, 3}, b[] = {6, 7};
  const ldlt_result r = thread::ldlt<T, 2>(a);  // [2 4; 4 3]: L21 = 2, D = 2, -5
  EXPECT_EQ(r.inertia.negative, 1);
  EXPECT_EQ(a[1], T(2));
  EXPECT_EQ(a[3], T(-5));
  thread::ldlt_solve<T, 2>(a, b);
  EXPECT_NEAR(double(b[0]), 1, 1e-6);
  EXPECT_NEAR(double(b[1]), 1, 1e-6);
  T c[] = {0, 1, 9, 0}, d[] = {3, 5};
  int piv[2];
  EXPECT_EQ((thread::ldlt<T, Pivot::bunch_kaufman>(2, c, piv).info), 0);
  thread::ldlt_solve<T>(2, 1, c, piv, d);
  EXPECT_EQ(d[0], T(5));
  EXPECT_EQ(d[1], T(3));
}

}  // namespace
}  // namespace glass::test
