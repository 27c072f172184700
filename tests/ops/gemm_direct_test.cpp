// gemm by vectors and on fragments of tensor cores: blocks that do not fit the matrices, both arithmetics, operands
// that vectors cannot reach.
#include "glass/matrix/gemm.cuh"
#include "support/products.hpp"

namespace glass::test {
namespace {

template <class T>
struct problem {
  T alpha, beta;
  dense<T> a0, b0, c0;
  operand<T> a, b, c;
};
template <class T>
std::string judge(problem<T>& p) {
  if (!p.a.untouched() || !p.b.untouched()) return "A or B was written";
  if (!p.c.untouched(everywhere)) return "memory outside C was written";
  return product_error(p.alpha, p.a0, p.b0, p.beta, p.c0, p.c.result(), p.a0.cols + 2, everywhere);
}
template <int M, int N, int K>
struct shape {};
constexpr int swapped(bool t, int yes, int no) { return t ? yes : no; }

template <class S, layout L, int M, int N, int K, Trans A, Trans B, auto Units, auto Block, Body How, class T>
void act(problem<T>& p) {
  const S scope;
  constexpr bool ta = A == Trans::yes, tb = B == Trans::yes;
  gemm<A, B, Units, Block, How>(scope, p.alpha, p.a.template matrix<L, swapped(ta, K, M), swapped(ta, M, K)>(),
                                p.b.template matrix<L, swapped(tb, N, K), swapped(tb, K, N)>(), p.beta,
                                p.c.template matrix<L, M, N>());
  use_all(scope, p.a, p.b, p.c);
}
template <class T, layout L, Trans A, Trans B, Mma Units, Tile Block, Body How = Body::direct, class S, int M, int N,
          int K>
void multiplies(const scope_case<S>& c, shape<M, N, K>, T alpha, T beta) {
  const auto a = source(M, K, alpha), b = source(K, N, alpha), d = destination(M, N, beta);
  in_every_order<problem<T>>(
      c.how, "M=" + std::to_string(M) + " N=" + std::to_string(N) + " K=" + std::to_string(K),
      [&] {
        return problem<T>{alpha,
                          beta,
                          a,
                          b,
                          d,
                          operand<T>(A == Trans::yes ? reference::transposed(a) : a, L),
                          operand<T>(B == Trans::yes ? reference::transposed(b) : b, L),
                          operand<T>(d, L)};
      },
      act<S, L, M, N, K, A, B, Units, Block, How, T>, judge<T>);
}
const scope_case<scope::warp> a_warp{{"warp", 32, {64}}};
const scope_case<scope::block<64>> two_warps{{"block64", 0, {64}}};
constexpr Trans no = Trans::no, yes = Trans::yes;

template <class T>
struct GemmDirect : testing::Test {};
TYPED_TEST_SUITE(GemmDirect, scalars, scalar_names);

TYPED_TEST(GemmDirect, BlocksThatFit) {
  using T = TypeParam;
  multiplies<T, layout::natural, no, no, Mma::f64, Tile::m16n8>(two_warps, shape<16, 16, 16>{}, T(1.5), T(0.5));
  multiplies<T, layout::natural, no, no, Mma::f64, Tile::m32n24>(a_warp, shape<32, 24, 8>{}, T(1), T(0));
}
TYPED_TEST(GemmDirect, BlocksThatDoNotFit) {
  using T = TypeParam;
  multiplies<T, layout::natural, no, no, Mma::f64, Tile::m16n8>(a_warp, shape<1, 1, 1>{}, T(1), T(0.5));
  multiplies<T, layout::natural, no, no, Mma::f64, Tile::m16n8>(two_warps, shape<19, 17, 7>{}, T(1), T(0));
  multiplies<T, layout::natural, no, no, Mma::f64, Tile::m16n16>(two_warps, shape<22, 18, 26>{}, T(-2), T(1));
}
TYPED_TEST(GemmDirect, Transposed) {
  using T = TypeParam;
  multiplies<T, layout::natural, yes, no, Mma::f64, Tile::m16n8>(a_warp, shape<6, 10, 12>{}, T(1), T(0.5));
  multiplies<T, layout::natural, no, yes, Mma::f64, Tile::m16n8>(a_warp, shape<6, 10, 12>{}, T(1), T(0));
  multiplies<T, layout::natural, yes, yes, Mma::f64, Tile::m16n8>(two_warps, shape<7, 10, 5>{}, T(1), T(0.5));
}
TYPED_TEST(GemmDirect, Layouts) {
  using T = TypeParam;
  multiplies<T, layout::padded, no, no, Mma::f64, Tile::m16n8>(a_warp, shape<8, 6, 10>{}, T(1), T(0.5));
  multiplies<T, layout::by_rows, no, yes, Mma::f64, Tile::m16n8>(a_warp, shape<8, 18, 10>{}, T(1), T(0.5));
}
TYPED_TEST(GemmDirect, AlphaAndBeta) {
  using T = TypeParam;
  for (const auto& s : products<T>)
    multiplies<T, layout::natural, no, no, Mma::f64, Tile::m16n8>(a_warp, shape<8, 8, 8>{}, s.alpha, s.beta);
}
TEST(GemmDirect, ThreeProductsOfShortNumbers) {
  multiplies<float, layout::natural, no, no, Mma::tf32x3, Tile::m16n16>(two_warps, shape<16, 16, 16>{}, 1.5f, 0.5f);
  multiplies<float, layout::natural, no, yes, Mma::tf32x3, Tile::m16n8>(a_warp, shape<20, 9, 22>{}, 1.f, 0.f);
}
// Where the short numbers do not reach: each of these would be wrong with them alone.
template <Tile Block, Body How, class S, int M, int N, int K>
void beyond_short_numbers(const scope_case<S>& where, shape<M, N, K>) {
  const float inf = std::numeric_limits<float>::infinity();
  for (const auto& [left, right, alpha, name] : {std::tuple{0x1p-125f, 0x1p60f, 1.f, "tiny A"},
                                                 {0x1p60f, 0x1p-125f, 1.f, "tiny B"},
                                                 {0x1p40f, 0x1p-40f, 0x1p-85f, "tiny alpha"},
                                                 {0x1p127f, 0x1p-90f, 1.f, "large A"},
                                                 {inf, 1.f, 1.f, "Inf"}}) {
    dense<float> a = uniform<float>(M, K), b = uniform<float>(K, N);
    for (float& x : b.numbers) x *= right;
    for (float& x : a.numbers)
      x = (x < 0 ? -1 : 1) * std::fmin(1.9999f, 1.5f + std::fabs(x)) * (left == inf ? 1 : left);
    if (left == inf) a(3, 5) = inf;
    const auto start = [&, factor = alpha] {
      const dense<float> c = destination(M, N, 0.f);
      return problem<float>{factor,
                            0.f,
                            a,
                            b,
                            c,
                            operand<float>(a, layout::natural),
                            operand<float>(b, layout::natural),
                            operand<float>(c, layout::natural)};
    };
    in_every_order<problem<float>>(
        where.how, name, start, act<S, layout::natural, M, N, K, no, no, Mma::tf32x3, Block, How, float>, judge<float>);
  }
}
TEST(GemmDirect, ThreeProductsBeyondTheRangeOfShortNumbers) {
  beyond_short_numbers<Tile::m16n16, Body::direct>(a_warp, shape<16, 16, 16>{});
}
TEST(GemmRing, ThreeProductsBeyondTheRangeOfShortNumbers) {
  beyond_short_numbers<Tile::m32n32, Body::ring>(two_warps, shape<32, 64, 32>{});
}
template <class T>
struct GemmRings : testing::Test {};
TYPED_TEST_SUITE(GemmRings, scalars, scalar_names);
TYPED_TEST(GemmRings, StagesInTurn) {  // one, two and more chunks than stages
  using T = TypeParam;
  constexpr int chunk = 16 * 4 / sizeof(T);
  multiplies<T, layout::natural, no, no, Mma::f64, Tile::m32n32, Body::ring>(two_warps, shape<32, 64, 2 * chunk>{},
                                                                             T(1.5), T(0.5));
  multiplies<T, layout::natural, no, no, Mma::f64, Tile::m32n32, Body::ring>(two_warps, shape<64, 32, 5 * chunk>{},
                                                                             T(1), T(0));
}
TYPED_TEST(GemmRings, AlphaAndBeta) {
  using T = TypeParam;
  for (const auto& s : products<T>)
    multiplies<T, layout::natural, no, no, Mma::f64, Tile::m32n32, Body::ring>(two_warps, shape<64, 32, 32>{}, s.alpha,
                                                                               s.beta);
}
// Three problems in a row by the same block, by stages of its own memory and of its reserve.
template <class S, Mma Units, int M, int K, class T>
void streams(const scope_case<S>& where, T alpha, T beta) {
  struct in_a_row {
    T alpha, beta;
    std::vector<problem<T>> all;
    std::vector<T> a, b, c;  // with 8 numbers between problems
  };
  constexpr int N = 64, step_a = M * K + 8, step_b = K * N + 8, step_c = M * N + 8;
  in_every_order<in_a_row>(
      where.how, "M=" + std::to_string(M) + " K=" + std::to_string(K),
      [&] {
        in_a_row all{
            alpha, beta, {}, std::vector<T>(3 * step_a), std::vector<T>(3 * step_b), std::vector<T>(3 * step_c)};
        for (int p = 0; p < 3; ++p) {
          const auto a = source(M, K, alpha), b = source(K, N, alpha), c = destination(M, N, beta);
          std::copy(a.numbers.begin(), a.numbers.end(), all.a.begin() + p * step_a);
          std::copy(b.numbers.begin(), b.numbers.end(), all.b.begin() + p * step_b);
          std::copy(c.numbers.begin(), c.numbers.end(), all.c.begin() + p * step_c);
          all.all.push_back({alpha, beta, a, b, c, operand<T>(a, layout::natural), operand<T>(b, layout::natural),
                             operand<T>(c, layout::natural)});
        }
        return all;
      },
      [](in_a_row& p) {
        using A = glass::matrix<const T, M, K>;
        using B = glass::matrix<const T, K, N>;
        using C = glass::matrix<T, M, N>;
        gemm<Units, Tile::m32n32, Body::stream>(S{}, p.alpha, several<A>{A(p.a.data()), step_a, 3},
                                                several<B>{B(p.b.data()), step_b, 3}, p.beta,
                                                several<C>{C(p.c.data()), step_c, 3});
      },
      [](in_a_row& p) -> std::string {
        for (int k = 0; k < 3; ++k) {
          const problem<T>& one = p.all[std::size_t(k)];
          dense<T> got(M, N);
          std::copy_n(p.c.begin() + k * step_c, M * N, got.numbers.begin());
          const std::string wrong = product_error(one.alpha, one.a0, one.b0, one.beta, one.c0, got, K + 2, everywhere);
          if (!wrong.empty()) return "problem " + std::to_string(k) + ": " + wrong;
        }
        return "";
      });
}
TYPED_TEST(GemmRings, ProblemsInTurn) {
  using T = TypeParam;
  streams<scope::block<64>, Mma::f64, 32, 64>(scope_case<scope::block<64>>{{"block64", 0, {64}}}, T(1.5), T(0.5));
  using R = scope::block<128, 98304>;
  streams<R, Mma::f64, 64, 96>(scope_case<R>{{"block128", 0, {128}, 98304}}, T(-1), T(0));
}
TEST(GemmDirect, ThreeProductsKeepMoreThanOne) {
  const dense<float> a = uniform<float>(16, 16), b = uniform<float>(16, 8);
  float most = 0;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j) {
      float hi[2], lo[2], sum = 0;
      for (int k = 0; k < 16; ++k) {
        detail::tf32_split_scaled<0>(a(i, k), hi[0], lo[0]), detail::tf32_split(b(k, j), hi[1], lo[1]);
        EXPECT_EQ(hi[0] + lo[0], a(i, k));
        EXPECT_EQ(bits_of(hi[0]) & 0x1fffu, 0u);
        sum += hi[0] * hi[1] - a(i, k) * b(k, j);
      }
      most = std::max(most, std::abs(sum));
    }
  EXPECT_GT(most, 1e-4f);  // what the test above would see if the small parts were lost
}
// A number further on: no vector may be read there.
TYPED_TEST(GemmDirect, OperandsThatAreNotAligned) {
  using T = TypeParam;
  const auto run = [](auto how, auto scope_case_, int shift) {
    struct numbers {
      T memory[3][65];
      int shift;
    };
    using S = typename decltype(scope_case_)::scope;
    in_every_order<numbers>(
        scope_case_.how, "a shift of " + std::to_string(shift),
        [&] {
          numbers n = {};
          for (auto& m : n.memory)
            for (int e = 0; e < 65; ++e) m[e] = T(e % 7 - 3);
          n.shift = shift;
          return n;
        },
        [](numbers& n) {
          using view = glass::matrix<T, 8, 8>;
          const S scope;
          gemm<decltype(how)::value>(scope, 1, view(n.memory[0] + n.shift), view(n.memory[1] + n.shift), 0,
                                     view(n.memory[2] + n.shift));
        },
        [](numbers& n) -> std::string {
          for (int j = 0; j < 8; ++j)
            for (int i = 0; i < 8; ++i) {
              T sum = 0;
              for (int k = 0; k < 8; ++k) sum += n.memory[0][n.shift + i + 8 * k] * n.memory[1][n.shift + k + 8 * j];
              if (n.memory[2][n.shift + i + 8 * j] != sum) return "element " + std::to_string(i + 8 * j);
            }
          return "";
        });
  };
  for (const int shift : {0, 1}) {
    run(std::integral_constant<Body, Body::direct>{}, a_warp, shift);
    run(std::integral_constant<Body, Body::loop>{}, scope_case<scope::tile<4>>{{"tile4", 4, {8}}}, shift);
  }
}

}  // namespace
}  // namespace glass::test
