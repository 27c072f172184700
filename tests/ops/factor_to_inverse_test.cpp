// trtri, potri, getri: inverses from a factor, by their residual, in the memory that they may write, and in place of it.
#include "glass/factor/getrf.cuh"
#include "glass/factor/getri.cuh"
#include "glass/factor/potri.cuh"
#include "glass/factor/trtri.cuh"
#include "support/solves.hpp"

namespace glass::test {
namespace {

enum class op { lower, upper, lower_unit, upper_unit, cholesky, lu };
constexpr bool is_triangle(op o) { return o != op::cholesky && o != op::lu; }
constexpr bool is_lower(op o) { return o == op::lower || o == op::lower_unit || o == op::cholesky; }
constexpr bool is_unit(op o) { return o == op::lower_unit || o == op::upper_unit; }

template <class T>
struct problem {
  using W = reference::wide<T>;
  op what;
  bool in_place;
  dense<W> a0;  // what is inverted
  double kappa;
  operand<T> f, x;
  operand<int> piv;
  problem(op o, bool same, const dense<T>& factor, const dense<W>& A, const dense<int>& swaps, double k, layout how)
      : what(o),
        in_place(same),
        a0(A),
        kappa(k),
        f(factor, how),
        x(dense<T>(A.rows, A.cols, poison<T>()), how),
        piv(swaps, layout::natural) {}
};
template <class T>
std::string judge(problem<T>& p) {
  using W = reference::wide<T>;
  const int n = p.a0.rows;
  const auto written = [&](int i, int j) {
    return !is_triangle(p.what) || (i == j ? !is_unit(p.what) : (i > j) == is_lower(p.what));
  };
  operand<T>& to = p.in_place ? p.f : p.x;
  if (!to.untouched(written) || !(p.in_place ? p.x : p.f).untouched() || !p.piv.untouched())
    return "memory was written that should not be";
  const auto got = is_triangle(p.what)
                       ? reference::triangle(to.result().template as<W>(), is_lower(p.what), is_unit(p.what))
                       : to.result().template as<W>();
  const dense<W> zero(n, n);
  const auto ax = reference::product<W>(1, p.a0, got, 0, zero);
  const auto terms = reference::product<W>(1, reference::magnitude(p.a0), reference::magnitude(got), 0, zero);
  W norm = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const W off = ax(i, j) - W(i == j);
      norm += off * off;
      if (is_triangle(p.what) && !(std::abs(off) <= W(n + 2) * W(std::numeric_limits<T>::epsilon()) * terms(i, j)))
        return "A X is not I at " + std::to_string(i) + ", " + std::to_string(j);
      if (p.what == op::cholesky && !same_bits(to.result()(i, j), to.result()(j, i))) return "X is not symmetric";
    }
  const W allowed = W(4 * n * p.kappa) * W(std::numeric_limits<T>::epsilon());
  return is_triangle(p.what) || std::sqrt(norm) <= allowed
             ? ""
             : "||A X - I|| is " + std::to_string(double(std::sqrt(norm) / allowed)) + " of what is allowed";
}
template <class S, op What, layout L, int N, bool InPlace, class T>
void act(problem<T>& p) {
  const S scope;
  const auto f = p.f.template matrix<L, N, N>();
  const auto x = InPlace ? f : p.x.template matrix<L, N, N>();
  if constexpr (What == op::cholesky)
    potri(scope, f, x);
  else if constexpr (What == op::lu)
    getri(scope, f, p.piv.template vector<layout::natural, N>(), x);
  else
    trtri<is_unit(What) ? Diag::unit : Diag::nonunit, is_lower(What) ? Fill::lower : Fill::upper>(scope, x);
  use_all(scope, p.f, p.x);
}
template <op What, layout L, int N, bool InPlace, class S, class T>
void inverts(const scope_case<S>& c, const dense<T>& f, const dense<reference::wide<T>>& a, const dense<int>& piv,
             double kappa) {
  in_every_order<problem<T>>(
      c.how, "op " + std::to_string(int(What)) + " N=" + std::to_string(a.rows),
      [&] { return problem<T>(What, InPlace, f, a, piv, kappa, L); }, act<S, What, L, N, InPlace, T>, judge<T>);
}
template <op What, layout L, int N, class T, class S>
void inverts_triangle(const scope_case<S>& c, int n) {
  const auto f = triangular<T>(n, is_lower(What), is_unit(What));
  const auto a = reference::triangle(f.template as<reference::wide<T>>(), is_lower(What), is_unit(What));
  inverts<What, L, N, true>(c, f, a, dense<int>(), 0);
}
template <layout L, int N, bool InPlace, class T, class S>
void inverts_cholesky(const scope_case<S>& c, int n, double kappa, double scale = 1) {
  using W = reference::wide<T>;
  auto a = spd<T>(n, kappa, scale).template as<W>();
  EXPECT_EQ(reference::potrf(a), 0);
  const auto f = a.template as<T>();
  const auto l = reference::triangle(f.template as<W>(), true, false);
  inverts<op::cholesky, L, N, InPlace>(c, f, reference::product<W>(1, l, reference::transposed(l), 0, dense<W>(n, n)),
                                       dense<int>(), kappa);
}
// Singular values 1 ... 1 / kappa, rows moved so that there is something to swap; A is what the factors say.
template <layout L, int N, bool InPlace, class T, class S>
void inverts_lu(const scope_case<S>& c, int n, double kappa, double scale = 1) {
  using W = reference::wide<T>;
  const auto s = reference::mirrored(spd<T>(n, kappa, scale), true);
  dense<T> f(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) f((i + n / 2) % n, j) = s(i, j);
  dense<int> piv(n, 1);
  EXPECT_EQ(thread::getrf<T>(n, f.numbers.data(), piv.numbers.data()), 0);
  auto a = reference::product<W>(1, reference::triangle(f.template as<W>(), true, true),
                                 reference::triangle(f.template as<W>(), false, false), 0, dense<W>(n, n));
  for (int k = n - 1; k >= 0; --k)
    for (int j = 0; j < n; ++j) std::swap(a(k, j), a(piv(k), j));
  inverts<op::lu, L, N, InPlace>(c, f, a, piv, kappa);
}

template <class T>
struct FactorToInverse : testing::Test {};
TYPED_TEST_SUITE(FactorToInverse, scalars, scalar_names);

TYPED_TEST(FactorToInverse, OfATriangle) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const int n : {0, 1, 2, 5, 8, 17, 34}) {
      inverts_triangle<op::lower, layout::padded, -1, T>(c, n);
      inverts_triangle<op::upper_unit, layout::padded, -1, T>(c, n);
    }
    inverts_triangle<op::upper, layout::by_rows, 7, T>(c, 7);
    inverts_triangle<op::lower_unit, layout::natural, 7, T>(c, 7);
  });
}
TYPED_TEST(FactorToInverse, OfACholeskyFactor) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const int n : {0, 1, 2, 5, 8, 17, 34}) inverts_cholesky<layout::padded, -1, false, T>(c, n, 1e3);
    inverts_cholesky<layout::by_rows, 7, true, T>(c, 7, 1e3);
  });
  const scope_case<scope::tile<8>> tile{{"tile8", 8, {16}}};
  for (const double scale : {0x1p40, 0x1p-40}) inverts_cholesky<layout::natural, 12, false, T>(tile, 12, 1e4, scale);
}
TYPED_TEST(FactorToInverse, OfFactorsLU) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const int n : {0, 1, 2, 5, 8, 17, 34}) inverts_lu<layout::padded, -1, false, T>(c, n, 1e3);
    inverts_lu<layout::by_rows, 7, true, T>(c, 7, 1e3);
  });
  const scope_case<scope::tile<8>> tile{{"tile8", 8, {16}}};
  for (const double scale : {0x1p40, 0x1p-40}) inverts_lu<layout::natural, 12, false, T>(tile, 12, 1e4, scale);
}
TYPED_TEST(FactorToInverse, PointerFacesAndWhatIsNoNumber) {
  using T = TypeParam;
  T t[] = {2, 1, 9, 4}, x[4];
  thread::trtri<T, 2>(t);
  EXPECT_EQ((std::vector<T>(t, t + 4)), (std::vector<T>{T(0.5), T(-0.125), 9, T(0.25)}));
  T u[] = {9, 9, 3, 9};
  thread::trtri<T, Fill::upper, Diag::unit>(2, u);
  EXPECT_EQ((std::vector<T>(u, u + 4)), (std::vector<T>{9, 9, -3, 9}));
  const T l[] = {2, 2, 9, 1}, lu[] = {2, 0, 1, 4};  // A = [4 4; 4 5]; [2 1; 0 4] after a swap
  const int piv[] = {1, 1};
  thread::potri<T, 2>(l, x);
  EXPECT_EQ((std::vector<T>(x, x + 4)), (std::vector<T>{T(1.25), -1, -1, 1}));
  thread::getri<T, 2>(lu, piv, x);
  EXPECT_EQ((std::vector<T>(x, x + 4)), (std::vector<T>{T(-0.125), T(0.25), T(0.5), 0}));
  const T zero[] = {0}, nan[] = {std::numeric_limits<T>::quiet_NaN()};
  const int here[] = {0};
  thread::potri<T, 1>(zero, x);
  EXPECT_FALSE(std::isfinite(x[0]));
  thread::getri<T>(1, nan, here, x);
  EXPECT_TRUE(std::isnan(x[0]));
}

}  // namespace
}  // namespace glass::test
