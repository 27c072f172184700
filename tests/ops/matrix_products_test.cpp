// symm, symv, syr2k, syr, syr2, ger, dimm: each is alpha L R + beta C for some L and R, element by element. Triangles
// that are not read are poisoned, and what is not written is untouched.
#include "glass/matrix/dimm.cuh"
#include "glass/matrix/ger.cuh"
#include "glass/matrix/symm.cuh"
#include "glass/matrix/symv.cuh"
#include "glass/matrix/syr.cuh"
#include "glass/matrix/syr2k.cuh"

#include "support/products.hpp"

namespace glass::test {
namespace {

enum class part { all, lower, upper, both };  // of the destination: both: written exactly symmetric
template <class T>
struct problem {
  T alpha, beta;
  dense<T> left, right, c0;
  part written;
  operand<T> a, b, c;
};
template <class T>
std::string judge(problem<T>& p) {
  const auto writes = [&](int i, int j) {
    return p.written == part::all || p.written == part::both || i == j || (i > j) == (p.written == part::lower);
  };
  if (!p.a.untouched() || !p.b.untouched()) return "an input was written";
  if (!p.c.untouched(writes)) return "memory outside the destination was written";
  for (int j = 0; p.written == part::both && j < p.c.cols(); ++j)
    for (int i = 0; i < j; ++i)
      if (!same_bits(p.c.result()(i, j), p.c.result()(j, i))) return "the result is not exactly symmetric";
  return product_error(p.alpha, p.left, p.right, p.beta, p.c0, p.c.result(), p.left.cols + 2, writes);
}
// A square matrix of which the other triangle is poisoned.
template <class T>
dense<T> triangle_only(dense<T> a, bool lower) {
  for (int j = 0; j < a.cols; ++j)
    for (int i = 0; i < a.rows; ++i)
      if (i != j && (i > j) != lower) a(i, j) = poison<T>();
  return a;
}
template <class T>
dense<T> beside(const dense<T>& a, const dense<T>& b) {
  dense<T> both(a.rows, a.cols + b.cols);
  std::copy(a.numbers.begin(), a.numbers.end(), both.numbers.begin());
  std::copy(b.numbers.begin(), b.numbers.end(), both.numbers.begin() + std::ptrdiff_t(a.numbers.size()));
  return both;
}
template <class T>
dense<T> diagonal(const dense<T>& d) {
  dense<T> a(d.rows, d.rows);
  for (int i = 0; i < d.rows; ++i) a(i, i) = d(i);
  return a;
}
template <Fill F>
constexpr part part_of = F == Fill::full    ? part::both
                         : F == Fill::lower ? part::lower
                                            : part::upper;

// Each operation: a problem of sizes m, n (and layout), and the call.
template <Side Where, Fill F>
struct symm_ {
  static constexpr bool left = Where == Side::left, lower = F == Fill::lower;
  template <class T>
  static problem<T> make(int m, int n, T alpha, T beta, layout how) {
    const int order = left ? m : n;
    const auto a = triangle_only(source<T>(order, order, alpha), lower), b = source<T>(m, n, alpha);
    const auto full = reference::mirrored(a, lower), c = destination<T>(m, n, beta);
    return {alpha, beta, left ? full : b, left ? b : full, c, part::all, {a, how}, {b, how}, {c, how}};
  }
  template <layout L, int M, int N, class S, class T>
  static void call(S scope, problem<T>& p) {
    symm<F, Where>(scope, p.alpha, p.a.template matrix < L, left ? M : N, left ? M : N > (),
                   p.b.template matrix<L, M, N>(), p.beta, p.c.template matrix<L, M, N>());
  }
};
// On tensor cores.
template <Side Where, Fill F, Mma Units, Tile Block>
struct symm_direct : symm_<Where, F> {
  template <layout L, int M, int N, class S, class T>
  static void call(S scope, problem<T>& p) {
    constexpr int order = Where == Side::left ? M : N;
    symm<F, Where, Units, Block, Body::direct>(scope, p.alpha, p.a.template matrix<L, order, order>(),
                                               p.b.template matrix<L, M, N>(), p.beta, p.c.template matrix<L, M, N>());
  }
};
template <Fill F>
struct symv_ {
  template <class T>
  static problem<T> make(int n, int, T alpha, T beta, layout how) {
    const auto a = triangle_only(source<T>(n, n, alpha), F == Fill::lower), x = source<T>(n, 1, alpha);
    const auto y = destination<T>(n, 1, beta);
    return {alpha, beta, reference::mirrored(a, F == Fill::lower), x, y, part::all, {a, how}, {x, how}, {y, how}};
  }
  template <layout L, int N, int, class S, class T>
  static void call(S scope, problem<T>& p) {
    symv<F>(scope, p.alpha, p.a.template matrix<L, N, N>(), p.b.template vector<L, N>(), p.beta,
            p.c.template vector<L, N>());
  }
};
template <Trans Op, Fill F>
struct syr2k_ {
  static constexpr bool t = Op == Trans::yes;
  template <class T>
  static problem<T> make(int n, int k, T alpha, T beta, layout how) {
    const auto a = source<T>(n, k, alpha), b = source<T>(n, k, alpha);
    const auto c = triangle_only(destination<T>(n, n, beta), F != Fill::upper);
    const auto as_stored = [](const dense<T>& x) { return t ? reference::transposed(x) : x; };
    return {alpha,
            beta,
            beside(a, b),
            reference::transposed(beside(b, a)),
            reference::mirrored(c, F != Fill::upper),
            part_of<F>,
            {as_stored(a), how},
            {as_stored(b), how},
            {c, how}};
  }
  template <layout L, int N, int K, class S, class T>
  static void call(S scope, problem<T>& p) {
    constexpr int rows = t ? K : N, cols = t ? N : K;
    syr2k<F, Op>(scope, p.alpha, p.a.template matrix<L, rows, cols>(), p.b.template matrix<L, rows, cols>(), p.beta,
                 p.c.template matrix<L, N, N>());
  }
};
template <bool Two, Fill F>
struct syr_ {
  template <class T>
  static problem<T> make(int n, int, T alpha, T, layout how) {
    const auto x = source<T>(n, 1, alpha), y = source<T>(n, 1, alpha);
    const auto c = triangle_only(uniform<T>(n, n), F != Fill::upper);
    return {alpha,
            T(1),
            Two ? beside(x, y) : x,
            reference::transposed(Two ? beside(y, x) : x),
            reference::mirrored(c, F != Fill::upper),
            alpha == 0 && F == Fill::full ? part::lower : part_of<F>,
            {x, how},
            {y, how},
            {c, how}};
  }
  template <layout L, int N, int, class S, class T>
  static void call(S scope, problem<T>& p) {
    if constexpr (Two)
      syr2<F>(scope, p.alpha, p.a.template vector<L, N>(), p.b.template vector<L, N>(), p.c.template matrix<L, N, N>());
    else
      syr<F>(scope, p.alpha, p.a.template vector<L, N>(), p.c.template matrix<L, N, N>());
  }
};
struct ger_ {
  template <class T>
  static problem<T> make(int m, int n, T alpha, T, layout how) {
    const auto x = source<T>(m, 1, alpha), y = source<T>(n, 1, alpha), c = uniform<T>(m, n);
    return {alpha, T(1), x, reference::transposed(y), c, part::all, {x, how}, {y, how}, {c, how}};
  }
  template <layout L, int M, int N, class S, class T>
  static void call(S scope, problem<T>& p) {
    ger(scope, p.alpha, p.a.template vector<L, M>(), p.b.template vector<L, N>(), p.c.template matrix<L, M, N>());
  }
};
template <Side Where>
struct dimm_ {
  static constexpr bool left = Where == Side::left;
  template <class T>
  static problem<T> make(int m, int n, T alpha, T, layout how) {
    const auto d = source<T>(left ? m : n, 1, alpha), b = source<T>(m, n, alpha), c = destination<T>(m, n, 0);
    const auto full = diagonal(d);
    return {alpha, T(0), left ? full : b, left ? b : full, c, part::all, {d, how}, {b, how}, {c, how}};
  }
  template <layout L, int M, int N, class S, class T>
  static void call(S scope, problem<T>& p) {
    dimm<Where>(scope, p.alpha, p.a.template vector < L, left ? M : N > (), p.b.template matrix<L, M, N>(),
                p.c.template matrix<L, M, N>());
  }
};

template <class Op, class S, layout L, int M, int N, class T>
void act(problem<T>& p) {
  const S scope;
  Op::template call<L, M, N>(scope, p);
  use_all(scope, p.a, p.b, p.c);
}
// Apart from what a case is compiled for, so that this is compiled once.
template <class Op, class T>
void works(const block& how, int m, int n, T alpha, T beta, layout l, void (*act)(problem<T>&)) {
  in_every_order<problem<T>>(
      how, "M=" + std::to_string(m) + " N=" + std::to_string(n),
      [&] { return Op::template make<T>(m, n, alpha, beta, l); }, act, judge<T>);
}
template <class Op, layout L, int M, int N, class T, class S>
void works(const scope_case<S>& c, int m, int n, T alpha, T beta) {
  works<Op>(c.how, m, n, alpha, beta, L, act<Op, S, L, M, N, T>);
}
template <class Op, class T>
void every_shape() {
  sorts_of_scope<T>([&](auto c) {
    for (const auto& [m, n] : {std::pair{0, 3}, {3, 0}, {1, 1}, {2, 5}, {5, 2}, {9, 8}, {13, 35}, {35, 4}})
      works<Op, layout::padded, -1, -1>(c, m, n, T(1.5), T(-0.5));
    for (const auto& s : products<T>) works<Op, layout::padded, -1, -1>(c, 5, 6, s.alpha, s.beta);
  });
}
template <class Op, layout L, int M, int N, class T>
void one_shape(int m, int n) {
  works<Op, L, M, N>(scope_case<scope::thread>{{"thread", 1, {1}}}, m, n, T(2), T(0.5));
  works<Op, L, M, N>(scope_case<scope::warp>{{"warp", 32, {32}}}, m, n, T(2), T(0.5));
}

template <class T>
struct Products : testing::Test {};
TYPED_TEST_SUITE(Products, scalars, scalar_names);

TYPED_TEST(Products, Symm) {
  using T = TypeParam;
  every_shape<symm_<Side::left, Fill::lower>, T>();
  every_shape<symm_<Side::right, Fill::upper>, T>();
  one_shape<symm_<Side::left, Fill::upper>, layout::by_rows, -1, -1, T>(7, 9);
  one_shape<symm_<Side::right, Fill::lower>, layout::natural, 7, 5, T>(7, 5);
  one_shape<symm_<Side::left, Fill::lower>, layout::natural, 6, 6, T>(6, 6);
}
TYPED_TEST(Products, SymmOnTensorCores) {
  using T = TypeParam;
  const scope_case<scope::warp> a_warp{{"warp", 32, {32}}};
  const scope_case<scope::block<64>> two_warps{{"block64", 0, {64}}};
  works<symm_direct<Side::left, Fill::lower, Mma::f64, Tile::m16n8>, layout::natural, 19, 10>(a_warp, 19, 10, T(1.5),
                                                                                              T(-0.5));
  works<symm_direct<Side::right, Fill::upper, Mma::f64, Tile::m16n16>, layout::by_rows, 18, 20>(two_warps, 18, 20, T(1),
                                                                                                T(0));
  if constexpr (sizeof(T) == 4) {
    using short_numbers = symm_direct<Side::left, Fill::upper, Mma::tf32x3, Tile::m16n16>;
    works<short_numbers, layout::natural, 32, 16>(two_warps, 32, 16, 1.f, 0.5f);
    works<short_numbers, layout::natural, 32, 16>(two_warps, 32, 16, 0x1p-60f,
                                                  0.5f);  // beyond them: element by element
  }
}
TYPED_TEST(Products, Symv) {
  using T = TypeParam;
  every_shape<symv_<Fill::lower>, T>();
  one_shape<symv_<Fill::upper>, layout::by_rows, -1, -1, T>(11, 1);
  one_shape<symv_<Fill::lower>, layout::natural, 7, 1, T>(7, 1);
}
TYPED_TEST(Products, Syr2k) {
  using T = TypeParam;
  every_shape<syr2k_<Trans::no, Fill::full>, T>();
  every_shape<syr2k_<Trans::yes, Fill::upper>, T>();
  one_shape<syr2k_<Trans::no, Fill::lower>, layout::interleaved, -1, -1, T>(7, 4);
  one_shape<syr2k_<Trans::yes, Fill::full>, layout::natural, 6, 5, T>(6, 5);
}
TYPED_TEST(Products, SyrAndSyr2) {
  using T = TypeParam;
  every_shape<syr_<false, Fill::lower>, T>();
  every_shape<syr_<true, Fill::full>, T>();
  one_shape<syr_<false, Fill::full>, layout::natural, 6, 1, T>(6, 1);
  one_shape<syr_<true, Fill::upper>, layout::by_rows, -1, -1, T>(9, 1);
}
TYPED_TEST(Products, Ger) {
  using T = TypeParam;
  every_shape<ger_, T>();
  one_shape<ger_, layout::by_rows, -1, -1, T>(9, 4);
  one_shape<ger_, layout::natural, 6, 5, T>(6, 5);
}
TYPED_TEST(Products, Dimm) {
  using T = TypeParam;
  every_shape<dimm_<Side::left>, T>();
  one_shape<dimm_<Side::right>, layout::by_rows, -1, -1, T>(9, 4);
  one_shape<dimm_<Side::right>, layout::natural, 6, 5, T>(6, 5);
}
TYPED_TEST(Products, NaNAndInfinityPropagate) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  const T a[] = {1, nan, 9, 1}, x[] = {1, inf}, one[] = {1, 1};  // [1 nan; nan 1], the upper triangle is not read
  T y[2], c[] = {0, 0, 0, 0};
  thread::symv<T, 2>(1, a, one, y);
  EXPECT_TRUE(std::isnan(y[0]) && std::isnan(y[1]));
  thread::ger<T, 2, 2>(1, x, one, c);
  EXPECT_TRUE(c[0] == 1 && c[1] == inf && c[2] == 1 && c[3] == inf);
}
TYPED_TEST(Products, DimmMayOverwriteItsInput) {
  using T = TypeParam;
  const T d[] = {2, 3};
  T b[] = {1, 1, 1, 1, 1, 1};
  thread::dimm<T, 2, 3>(1, d, b, b);
  EXPECT_EQ((std::vector<T>(b, b + 6)), (std::vector<T>{2, 3, 2, 3, 2, 3}));
}
TYPED_TEST(Products, PointerFaces) {
  using T = TypeParam;
  const T s[] = {2, 1, 7, 4}, b[] = {1, 2, 3, 4}, x[] = {1, 2}, y[] = {3, 4};  // s: [2 1; 1 4] by its lower triangle
  T c[4], z[2];
  const auto is = [](const T* got, std::initializer_list<T> want) { return std::equal(want.begin(), want.end(), got); };
  thread::symm<T, 2, 2>(1, s, b, c);
  EXPECT_TRUE(is(c, {4, 9, 10, 19}));
  thread::symm<T>(2, 2, 1, s, b, 1, c);
  EXPECT_TRUE(is(c, {8, 18, 20, 38}));
  thread::symm<T, 1, 2, Side::right>(1, s, x, z);
  EXPECT_TRUE(is(z, {4, 9}));
  thread::symv<T>(2, 1, s, x, z);
  EXPECT_TRUE(is(z, {4, 9}));
  thread::syr2k<T, 2, 1>(1, x, y, c);
  EXPECT_TRUE(is(c, {6, 10, 10, 16}));
  thread::syr2k<T, Trans::yes>(2, 1, 1, x, y, 1, c);
  EXPECT_TRUE(is(c, {12, 20, 20, 32}));
  thread::syr<T, 2, Fill::full>(1, x, c);
  EXPECT_TRUE(is(c, {13, 22, 22, 36}));
  thread::syr2<T>(2, 1, x, y, c);
  EXPECT_TRUE(is(c, {19, 32, 22, 52}));
  thread::ger<T>(2, 2, 1, x, y, c);
  EXPECT_TRUE(is(c, {22, 38, 26, 60}));
  thread::dimm<T>(2, 2, 2, x, b, c);
  EXPECT_TRUE(is(c, {2, 8, 6, 16}));
}

}  // namespace
}  // namespace glass::test
