// trsm, trmm, trmv: against T X = alpha B and against the product, for sides, triangles, transposes and diagonals; what
// the contract leaves alone of A is poisoned.
#include "glass/matrix/trmm.cuh"
#include "glass/matrix/trmv.cuh"
#include "glass/matrix/trsm.cuh"

#include "support/products.hpp"

namespace glass::test {
namespace {

template <Side S, Fill F, Trans Op, Diag D>
struct choice {
  static constexpr Side side = S;
  static constexpr Fill fill = F;
  static constexpr Trans trans = Op;
  static constexpr Diag diag = D;
  static constexpr bool left = S == Side::left, lower = F == Fill::lower, unit = D == Diag::unit;
  static std::string text() {
    return std::string(left ? "left" : "right") + (lower ? " lower" : " upper") +
           (Op == Trans::yes ? " transposed" : "") + (unit ? " unit" : "");
  }
};
using plain = choice<Side::left, Fill::lower, Trans::no, Diag::nonunit>;
using upper = choice<Side::left, Fill::upper, Trans::no, Diag::unit>;
using across = choice<Side::left, Fill::upper, Trans::yes, Diag::nonunit>;
using right = choice<Side::right, Fill::lower, Trans::no, Diag::nonunit>;
using right_across = choice<Side::right, Fill::lower, Trans::yes, Diag::unit>;

// B: m x n, A of the order that the side wants. `t`: op(A) as a full matrix.
template <class T>
struct problem {
  T alpha;
  bool left;
  dense<T> t, b0;
  operand<T> a, b, c;
  template <class C>
  problem(C, T al, const dense<T>& A, const dense<T>& B, layout how)
      : alpha(al),
        left(C::left),
        t(reference::triangle(A, C::lower, C::unit)),
        b0(B),
        a(A, how),
        b(B, how),
        c(dense<T>(B.rows, B.cols, poison<T>()), how) {
    if (C::trans == Trans::yes) t = reference::transposed(t);
  }
};
template <class T>
std::string product_of(const problem<T>& p, const dense<T>& got) {
  const auto zero = dense<T>(p.b0.rows, p.b0.cols);
  const dense<T>&l = p.left ? p.t : p.b0, &r = p.left ? p.b0 : p.t;
  return product_error<T>(p.alpha, l, r, 0, zero, got, p.t.rows + 3, everywhere);
}
template <class T>
std::string judge_product(problem<T>& p) {
  if (!p.a.untouched() || !p.b.untouched()) return "A or B was written";
  if (!p.c.untouched(everywhere)) return "memory outside C was written";
  return product_of(p, p.c.result());
}
template <class T>
std::string judge_product_in_place(problem<T>& p) {
  if (!p.a.untouched()) return "A was written";
  if (!p.b.untouched(everywhere)) return "memory outside B was written";
  return product_of(p, p.b.result());
}
template <class T>
std::string judge_solve(problem<T>& p) {
  using W = reference::wide<T>;
  if (!p.a.untouched()) return "A was written";
  if (!p.b.untouched(everywhere)) return "memory outside B was written";
  const auto x = p.b.result().template as<W>(), t = p.t.template as<W>(), zero = dense<W>(x.rows, x.cols);
  const auto &l = p.left ? t : x, &r = p.left ? x : t;
  const auto back = reference::product<W>(1, l, r, 0, zero);
  const auto terms = reference::product<W>(1, reference::magnitude(l), reference::magnitude(r), 0, zero);
  for (int j = 0; j < x.cols; ++j)
    for (int i = 0; i < x.rows; ++i) {
      const W want = p.alpha == 0 ? W(0) : W(p.alpha) * W(p.b0(i, j));
      if (p.alpha == 0 ? x(i, j) != 0 : !close(static_cast<T>(want), back(i, j), terms(i, j), p.t.rows + 3))
        return "op(A) X is not alpha B at " + std::to_string(i) + ", " + std::to_string(j);
    }
  return "";
}

enum class form { solve, product, in_place };
template <form F, Body How, class S, layout L, int M, int N, class C, class T>
void act(problem<T>& p) {
  const S scope;
  constexpr int order = C::left ? M : N;
  const auto a = p.a.template matrix<L, order, order>();
  const auto b = p.b.template matrix<L, M, N>();
  if constexpr (F == form::solve) {
    trsm<C::side, C::fill, C::trans, C::diag, How>(scope, p.alpha, a, b);
    use_all(scope, p.a, p.b);
  } else if constexpr (F == form::in_place) {
    trmm<C::side, C::fill, C::trans, C::diag, How>(scope, p.alpha, a, b);
    use_all(scope, p.a, p.b);
  } else {
    trmm<C::side, C::fill, C::trans, C::diag, How>(scope, p.alpha, a, b, p.c.template matrix<L, M, N>());
    use_all(scope, p.a, p.b, p.c);
  }
}
// Apart from what a case is compiled for, so that this is compiled once.
template <class C, class T>
void works(form f, const block& how, int m, int n, T alpha, layout l, void (*act)(problem<T>&)) {
  const int order = C::left ? m : n;
  const auto a = alpha == 0 ? dense<T>(order, order, poison<T>()) : triangular<T>(order, C::lower, C::unit);
  const auto b = source(m, n, alpha);
  in_every_order<problem<T>>(
      how, C::text() + " M=" + std::to_string(m) + " N=" + std::to_string(n),
      [&] { return problem<T>(C{}, alpha, a, b, l); }, act,
      f == form::solve     ? judge_solve<T>
      : f == form::product ? judge_product<T>
                           : judge_product_in_place<T>);
}
template <form F, class C, layout L, int M, int N, Body How = Body::automatic, class S, class T>
void works(const scope_case<S>& c, int m, int n, T alpha) {
  works<C>(F, c.how, m, n, alpha, L, act<F, How, S, L, M, N, C, T>);
}
// Many and few right-hand sides, orders around the tiles and the widths.
template <form F, class C, class S, class T>
void every_shape(const scope_case<S>& c, T alpha) {
  for (const int order : {0, 1, 2, 3, 5, 8, 13, 33})
    for (const int others : {1, 2, 7, 35}) {
      if (order * others > 300) continue;
      C::left ? works<F, C, layout::padded, -1, -1>(c, order, others, alpha)
              : works<F, C, layout::padded, -1, -1>(c, others, order, alpha);
    }
  C::left ? works<F, C, layout::padded, -1, -1>(c, 3, 0, alpha) : works<F, C, layout::padded, -1, -1>(c, 0, 3, alpha);
  works<F, C, layout::padded, -1, -1>(c, 5, 6, T(0));
}

template <class T>
struct Triangle : testing::Test {};
TYPED_TEST_SUITE(Triangle, scalars, scalar_names);

TYPED_TEST(Triangle, Solves) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    every_shape<form::solve, plain>(c, T(1));
    every_shape<form::solve, upper>(c, T(-1.5));
    every_shape<form::solve, right>(c, T(0.5));
  });
}
TYPED_TEST(Triangle, SolvesTransposedAndByRows) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    works<form::solve, across, layout::by_rows, -1, -1>(c, 9, 3, T(2));
    works<form::solve, right_across, layout::interleaved, -1, -1>(c, 40, 6, T(2));
  });
}
TYPED_TEST(Triangle, SolvesInFragments) {
  using T = TypeParam;
  const scope_case<scope::tile<4>> tile{{"tile4", 4, {8}}};
  const scope_case<scope::warp> warp{{"warp", 32, {32}}};
  works<form::solve, plain, layout::natural, 7, 3, Body::fragment>(tile, 7, 3, T(1));
  works<form::solve, upper, layout::padded, 9, 1, Body::fragment>(tile, 9, 1, T(1.5));
  works<form::solve, plain, layout::natural, 33, 2>(warp, 33, 2, T(-1));
  works<form::solve, right_across, layout::natural, 5, 12, Body::fragment>(warp, 5, 12, T(1));
  works<form::solve, plain, layout::natural, 6, 6>(warp, 6, 6, T(0));
}
TYPED_TEST(Triangle, SolvesConstantSizesInColumns) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>(
      [&](auto c) { works<form::solve, plain, layout::natural, 6, 9, Body::loop>(c, 6, 9, T(1)); });
}
TYPED_TEST(Triangle, Multiplies) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    every_shape<form::product, plain>(c, T(1));
    every_shape<form::product, across>(c, T(-1.5));
    works<form::product, right_across, layout::by_rows, -1, -1>(c, 7, 9, T(2));
  });
}
TYPED_TEST(Triangle, MultipliesInPlace) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    every_shape<form::in_place, plain>(c, T(1));
    every_shape<form::in_place, upper>(c, T(-1.5));
    works<form::in_place, right_across, layout::interleaved, -1, -1>(c, 7, 9, T(2));
  });
}
TYPED_TEST(Triangle, MultipliesConstantSizes) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    works<form::product, right, layout::natural, 7, 5>(c, 7, 5, T(1));
    works<form::in_place, plain, layout::natural, 6, 9>(c, 6, 9, T(1));
  });
}

// On tensor cores: orders in whole tiles and not, in pairs and not, right-hand sides for more and for fewer strips than
// warps hold at once.
const scope_case<scope::warp> a_warp{{"warp", 32, {64}}};
const scope_case<scope::block<64>> two_warps{{"block64", 0, {64}}};
template <class C, layout L, int M, int N, class S, class T>
void on_tensor_cores(const scope_case<S>& c, T alpha) {
  works<form::solve, C, L, M, N, Body::direct>(c, M, N, alpha);
  works<form::in_place, C, L, M, N, Body::direct>(c, M, N, alpha);
}
TYPED_TEST(Triangle, OnTensorCores) {
  using T = TypeParam;
  on_tensor_cores<plain, layout::natural, 16, 40>(a_warp, T(1));
  on_tensor_cores<upper, layout::padded, 19, 9>(a_warp, T(-1.5));
  on_tensor_cores<across, layout::by_rows, 22, 17>(two_warps, T(2));
  on_tensor_cores<right, layout::natural, 40, 24>(two_warps, T(0.5));
}
TYPED_TEST(Triangle, OnTensorCoresTransposedAndOfOneTile) {
  using T = TypeParam;
  on_tensor_cores<right_across, layout::padded, 10, 18>(a_warp, T(1));
  works<form::product, right_across, layout::by_rows, 10, 18, Body::direct>(a_warp, 10, 18, T(-1));
  works<form::product, plain, layout::natural, 8, 3, Body::direct>(a_warp, 8, 3, T(2));
  works<form::solve, across, layout::natural, 5, 1, Body::direct>(a_warp, 5, 1, T(2));
  works<form::solve, plain, layout::natural, 16, 40, Body::direct>(a_warp, 16, 40, T(0));
  works<form::product, plain, layout::natural, 8, 3, Body::direct>(a_warp, 8, 3, T(0));
}
// Numbers below the diagonal as large as those on it: an inverse of 8 x 8 would lose what substitution keeps.
TYPED_TEST(Triangle, KeepsTheBoundOfSubstitutionOnTensorCores) {
  using T = TypeParam;
  constexpr int order = 24, others = 8;
  dense<T> a = uniform<T>(order, order);
  for (int j = 0; j < order; ++j)
    for (int i = 0; i < order; ++i) a(i, j) = i > j ? T(0.9) + a(i, j) / 10 : i == j ? T(1) / 8 : poison<T>();
  in_every_order<problem<T>>(
      a_warp.how, "a bad triangle",
      [&] { return problem<T>(plain{}, T(1), a, uniform<T>(order, others), layout::natural); },
      act<form::solve, Body::direct, scope::warp, layout::natural, order, others, plain, T>, judge_solve<T>);
}
// Vectors of two do not reach numbers that lie one further on; and NaN reaches what it is joined to.
TYPED_TEST(Triangle, OnTensorCoresWhereverTheNumbersLie) {
  using T = TypeParam;
  constexpr int order = 16, others = 8;
  struct numbers {
    T a[order * order + 1], b[order * others + 1], c[order * others + 1];
    int shift;
  };
  for (const int shift : {0, 1})
    in_every_order<numbers>(
        a_warp.how, "a shift of " + std::to_string(shift),
        [&] {
          numbers n = {};
          for (int e = 0; e < order * order; ++e) {
            const int i = e % order, j = e / order;
            n.a[shift + e] = i > j ? T(e % 5 - 2) / 16 : i == j ? T(2) : poison<T>();
          }
          for (int e = 0; e < order * others; ++e) n.c[shift + e] = T(e % 7 - 3);
          n.c[shift + 5 + 2 * order] = std::numeric_limits<T>::quiet_NaN();
          n.shift = shift;
          return n;
        },
        [](numbers& n) {
          const scope::warp scope;
          const glass::matrix<const T, order, order> a(n.a + n.shift);
          const glass::matrix<T, order, others> b(n.b + n.shift), c(n.c + n.shift);
          trmm<Body::direct>(scope, 1, a, c, b);
          trsm<Body::direct>(scope, 1, a, b);
        },
        [](numbers& n) -> std::string {
          for (int j = 0; j < others; ++j)
            for (int i = 0; i < order; ++i) {
              const T got = n.b[n.shift + i + j * order], want = n.c[n.shift + i + j * order];
              if (j == 2 && i >= 5 ? !std::isnan(got) : std::abs(got - want) > T(1e-2))
                return "element " + std::to_string(i) + ", " + std::to_string(j) + " is " + std::to_string(double(got));
            }
          return "";
        });
}

// All sixteen combinations, for one lane: the others differ in how rows and columns are shared, not in what they are.
template <Side S, Fill F, Trans Op, Diag D>
void all_forms() {
  using C = choice<S, F, Op, D>;
  const scope_case<scope::thread> one{{"thread", 1, {1}}};
  works<form::solve, C, layout::natural, -1, -1>(one, 6, 7, 1.0);
  works<form::in_place, C, layout::natural, -1, -1>(one, 6, 7, 1.0);
}
template <Side S, Fill F>
void transposes_and_diagonals() {
  all_forms<S, F, Trans::no, Diag::nonunit>(), all_forms<S, F, Trans::no, Diag::unit>();
  all_forms<S, F, Trans::yes, Diag::nonunit>(), all_forms<S, F, Trans::yes, Diag::unit>();
}
TEST(TriangleOptions, AreAllTold) {
  transposes_and_diagonals<Side::left, Fill::lower>(), transposes_and_diagonals<Side::left, Fill::upper>();
  transposes_and_diagonals<Side::right, Fill::lower>(), transposes_and_diagonals<Side::right, Fill::upper>();
}

template <class S, int N, bool InPlace, Fill F, Diag D, class T>
void act_on_vector(problem<T>& p) {
  const S scope;
  const auto a = p.a.template matrix<layout::padded, N, N>();
  if constexpr (InPlace) {
    trmv<D, F>(scope, a, p.b.template vector<layout::padded, N>());
    use_all(scope, p.a, p.b);
  } else {
    trmv<F, D>(scope, a, p.b.template vector<layout::padded, N>(), p.c.template vector<layout::padded, N>());
    use_all(scope, p.a, p.b, p.c);
  }
}
template <int N, class C, bool InPlace, class T, class S>
void transforms(const scope_case<S>& c, int n) {
  const auto a = triangular<T>(n, C::lower, C::unit), x = uniform<T>(n, 1);
  in_every_order<problem<T>>(
      c.how, "N=" + std::to_string(n) + " " + C::text(), [&] { return problem<T>(C{}, T(1), a, x, layout::padded); },
      act_on_vector<S, N, InPlace, C::fill, C::diag, T>, InPlace ? judge_product_in_place<T> : judge_product<T>);
}
TYPED_TEST(Triangle, TransformsVectors) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const int n : {0, 1, 2, 5, 16, 31, 70}) {
      transforms<-1, plain, true, T>(c, n);
      transforms<-1, upper, true, T>(c, n);
      transforms<-1, plain, false, T>(c, n);
    }
    transforms<9, upper, true, T>(c, 9);
    transforms<9, upper, false, T>(c, 9);
  });
}
TYPED_TEST(Triangle, NaNReachesOnlyWhatItIsJoinedTo) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  T a[] = {1, 2, 3, 9, 1, 2, 9, 9, 1};  // lower
  T x[] = {1, nan, 1}, y[3], z[] = {1, 1, inf};
  thread::trmv<T, 3>(a, x, y);
  EXPECT_TRUE(y[0] == 1 && std::isnan(y[1]) && std::isnan(y[2]));
  thread::trsm<T, 3, 1>(1, a, x);
  EXPECT_TRUE(x[0] == 1 && std::isnan(x[1]) && std::isnan(x[2]));
  thread::trmv<T>(3, a, z);
  EXPECT_TRUE(z[0] == 1 && z[1] == 3 && z[2] == inf);
  T zero[] = {0}, one[] = {1};
  thread::trsm<T>(1, 1, 1, zero, one);
  EXPECT_EQ(one[0], inf);
}
TYPED_TEST(Triangle, PointerFaces) {
  using T = TypeParam;
  const T a[] = {2, 1, 0, 4};  // lower: rows (2, 0), (1, 4)
  T b[] = {2, 9, 4, 6}, c[4], d[] = {2, 8};
  thread::trmm<T, 2, 2>(1, a, b, c);  // (4, 38), (8, 28)
  EXPECT_EQ((std::vector<T>(c, c + 4)), (std::vector<T>{4, 38, 8, 28}));
  thread::trmm<T>(2, 2, 1, a, b);
  EXPECT_EQ((std::vector<T>(b, b + 4)), (std::vector<T>{4, 38, 8, 28}));
  thread::trsm<T, 2, 2>(1, a, b);
  EXPECT_EQ((std::vector<T>(b, b + 4)), (std::vector<T>{2, 9, 4, 6}));
  thread::trsm<T, 1, 2, Side::right>(2, a, d);  // x A = (4, 16): x = (0, 4)
  EXPECT_EQ((std::vector<T>(d, d + 2)), (std::vector<T>{0, 4}));
}

}  // namespace
}  // namespace glass::test
