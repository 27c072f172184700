// syrk: against the formula, exactly symmetric when both triangles are written, the other triangle untouched when not.
#include "glass/matrix/syrk.cuh"

#include "glass/matrix/syr2k.cuh"
#include "support/products.hpp"

namespace glass::test {
namespace {

template <class T>
struct problem {
  T alpha, beta;
  Fill fill;
  dense<T> a0, c0;  // a0: op(A), N x K
  operand<T> a, c;
  problem(T al, T be, Fill f, const dense<T>& A, const dense<T>& C, layout how, bool transposed)
      : alpha(al), beta(be), fill(f), a0(A), c0(C), a(transposed ? reference::transposed(A) : A, how), c(C, how) {}
};
template <class T>
std::string judge(problem<T>& p) {
  const auto written = [&](int i, int j) {
    return p.fill == Fill::full || i == j || (i > j) == (p.fill == Fill::lower);
  };
  if (!p.a.untouched()) return "A was written";
  if (!p.c.untouched(written)) return "memory outside the triangle of C was written";
  for (int j = 0; p.fill == Fill::full && j < p.c.cols(); ++j)
    for (int i = 0; i < j; ++i)
      if (!same_bits(p.c.result()(i, j), p.c.result()(j, i))) return "C is not exactly symmetric";
  const auto c = reference::mirrored(p.c0, p.fill != Fill::upper);
  return product_error(p.alpha, p.a0, reference::transposed(p.a0), p.beta, c, p.c.result(), p.a0.cols + 2, written);
}
template <class S, layout L, int N, int K, Trans Op, Fill F, class T, auto... How>
void act(problem<T>& p) {
  const S scope;
  constexpr bool t = Op == Trans::yes;
  syrk<F, Op, How...>(scope, p.alpha, p.a.template matrix < L, t ? K : N, t ? N : K > (), p.beta,
                      p.c.template matrix<L, N, N>());
  use_all(scope, p.a, p.c);
}
// Apart from what a case is compiled for, so that this is compiled once.
template <class T>
void multiplies(const block& how, int n, int k, T alpha, T beta, layout l, Trans op, Fill fill,
                void (*act)(problem<T>&)) {
  auto d = destination(n, n, beta);
  for (int j = 0; j < n; ++j)  // the triangle that is not read
    for (int i = 0; i < n; ++i)
      if (i != j && (i > j) == (fill == Fill::upper)) d(i, j) = poison<T>();
  in_every_order<problem<T>>(
      how, "N=" + std::to_string(n) + " K=" + std::to_string(k),
      [&] { return problem<T>(alpha, beta, fill, source(n, k, alpha), d, l, op == Trans::yes); }, act, judge<T>);
}
template <layout L, int N, int K, Trans Op, Fill F, class T, auto... How, class S>
void multiplies(const scope_case<S>& c, int n, int k, T alpha, T beta) {
  multiplies(c.how, n, k, alpha, beta, L, Op, F, act<S, L, N, K, Op, F, T, How...>);
}
template <layout L, int N, int K, class T, class S>
void every_option(const scope_case<S>& c, int n, int k, T alpha, T beta) {
  multiplies<L, N, K, Trans::no, Fill::full>(c, n, k, alpha, beta);
  multiplies<L, N, K, Trans::yes, Fill::full>(c, n, k, alpha, beta);
  multiplies<L, N, K, Trans::no, Fill::lower>(c, n, k, alpha, beta);
  multiplies<L, N, K, Trans::yes, Fill::upper>(c, n, k, alpha, beta);
}

template <class T>
struct Syrks : testing::Test {};
TYPED_TEST_SUITE(Syrks, scalars, scalar_names);

TYPED_TEST(Syrks, AnySize) {
  using T = TypeParam;
  for (const int n : any_size)
    every_scope<TypeParam>([&](auto c) { every_option<layout::padded, -1, -1, T>(c, n, n % 5 + 2, T(1.5), T(0.5)); });
}
TYPED_TEST(Syrks, ConstantSizes) {
  using T = TypeParam;
  every_size(sizes<1, 3, 4, 7, 12, 17>{}, [](auto n) {
    constexpr int N = decltype(n)::value;
    every_scope<TypeParam>([&](auto c) {
      multiplies<layout::natural, N, 6, Trans::no, Fill::full, T>(c, N, 6, T(1), T(0));
      multiplies<layout::natural, N, 6, Trans::yes, Fill::upper, T>(c, N, 6, T(1), T(0.5));
    });
  });
}
TYPED_TEST(Syrks, AlphaBetaAndLayouts) {
  using T = TypeParam;
  for (const auto& s : products<T>)
    sorts_of_scope<TypeParam>([&](auto c) {
      every_option<layout::natural, 5, 7, T>(c, 5, 7, s.alpha, s.beta);
      every_option<layout::by_rows, 5, 7, T>(c, 5, 7, s.alpha, s.beta);
      multiplies<layout::interleaved, -1, -1, Trans::no, Fill::full, T>(c, 5, 7, s.alpha, s.beta);
      multiplies<layout::natural, -1, -1, Trans::no, Fill::lower, T>(c, 5, 0, s.alpha, s.beta);  // K = 0: beta C
    });
}
const scope_case<scope::warp> a_warp{{"warp", 32, {64}}};
const scope_case<scope::block<64>> two_warps{{"block64", 0, {64}}};
TYPED_TEST(Syrks, OnTensorCores) {  // one block and three, with and without edges, every way of writing
  using T = TypeParam;
  constexpr Body direct = Body::direct;
  multiplies<layout::natural, 16, 8, Trans::no, Fill::full, T, direct>(a_warp, 16, 8, T(1.5), T(0.5));
  multiplies<layout::natural, 20, 6, Trans::yes, Fill::full, T, direct>(two_warps, 20, 6, T(1), T(0));
  multiplies<layout::padded, 19, 9, Trans::no, Fill::lower, T, direct>(two_warps, 19, 9, T(-1), T(1));
  multiplies<layout::by_rows, 18, 9, Trans::no, Fill::upper, T, direct>(two_warps, 18, 9, T(1), T(0.5));
  multiplies<layout::natural, 7, 5, Trans::no, Fill::full, T, direct>(a_warp, 7, 5, T(0), T(0.5));
}
TEST(Syrk, ThreeProductsOfShortNumbers) {
  multiplies<layout::natural, 64, 16, Trans::no, Fill::full, float, Body::direct, Mma::tf32x3, Tile::m32n32>(
      two_warps, 64, 16, 1.5f, 0.5f);
  // Beyond their reach: the low parts of such numbers are lost.
  dense<float> a = uniform<float>(18, 16);
  for (float& x : a.numbers) x *= 0x1p-61f;
  const dense<float> c = destination(18, 18, 0.f);
  in_every_order<problem<float>>(
      two_warps.how, "tiny A", [&] { return problem<float>(1, 0, Fill::full, a, c, layout::natural, false); },
      act<scope::block<64>, layout::natural, 18, 16, Trans::no, Fill::full, float, Body::direct, Mma::tf32x3>,
      judge<float>);
}
TEST(Syr2k, OnTensorCores) {  // whole numbers: exact
  struct numbers {
    float a[120], b[120], c[400];
  };
  in_every_order<numbers>(
      two_warps.how, "N=20 K=6",
      [] {
        numbers n = {};
        for (int e = 0; e < 120; ++e) n.a[e] = float(e % 7 - 3), n.b[e] = float(e % 5 - 2);
        return n;
      },
      [](numbers& n) {
        using view = glass::matrix<const float, 20, 6>;
        syr2k<Body::direct>(scope::block<64>{}, 1, view(n.a), view(n.b), glass::matrix<float, 20, 20>(n.c));
      },
      [](numbers& n) -> std::string {
        for (int e = 0; e < 400; ++e) {
          const int i = e % 20, j = e / 20;
          float sum = 0;
          for (int k = 0; k < 120; k += 20) sum += n.a[i + k] * n.b[j + k] + n.b[i + k] * n.a[j + k];
          if (n.c[e] != sum) return "element " + std::to_string(e);
        }
        return "";
      });
}
// A number further on: no vector may be read there.
TEST(Syrk, OperandsThatAreNotAligned) {
  struct numbers {
    float a[257], c[257];
  };
  in_every_order<numbers>(
      a_warp.how, "shifted by one",
      [] {
        numbers n = {};
        for (int e = 0; e < 257; ++e) n.a[e] = float(e % 7 - 3);
        return n;
      },
      [](numbers& n) {
        syrk<Body::direct>(scope::warp{}, 1, glass::matrix<const float, 16, 16>(n.a + 1),
                           glass::matrix<float, 16, 16>(n.c + 1));
      },
      [](numbers& n) -> std::string {
        for (int e = 0; e < 256; ++e) {
          float sum = 0;
          for (int k = 0; k < 16; ++k) sum += n.a[1 + e % 16 + 16 * k] * n.a[1 + e / 16 + 16 * k];
          if (n.c[1 + e] != sum) return "element " + std::to_string(e);
        }
        return "";
      });
}
TYPED_TEST(Syrks, PointerFaces) {
  using T = TypeParam;
  const T a[] = {1, 2, 3, 4};
  T c[4] = {}, d[4] = {};
  thread::syrk<T, 2, 2>(1, a, c);
  thread::syrk<T, Trans::yes>(2, 2, 1, a, 0, d);
  EXPECT_EQ(c[1], T(14));
  EXPECT_EQ(c[2], T(14));
  EXPECT_EQ(d[1], T(11));
}

}  // namespace
}  // namespace glass::test
