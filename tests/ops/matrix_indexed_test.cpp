// gemm_batched_indexed, gemv_segmented, gemv_strided, gemm_strided: against the formulas, product by product; what no
// index names is untouched, and additions to one place from several products all arrive.
#include "glass/matrix/gemm_batched_indexed.cuh"
#include "glass/matrix/gemv_segmented.cuh"
#include "glass/matrix/strided.cuh"

#include "support/products.hpp"

namespace glass::test {
namespace {

template <class T>
dense<T> part(const dense<T>& a, int row, int col, int rows, int cols) {
  dense<T> b(rows, cols);
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i) b(i, j) = a(row + i, col + j);
  return b;
}
using indices = std::vector<int>;
auto view(const indices& i) { return glass::vector{i.data(), static_cast<int>(i.size())}; }
template <class T>
std::string difference(const dense<reference::wide<T>>& ref, const dense<reference::wide<T>>& terms,
                       const dense<T>& got, const std::vector<bool>& named, double c) {
  for (std::size_t e = 0; e < got.numbers.size(); ++e)
    if (named[e] && !close(got.numbers[e], ref.numbers[e], terms.numbers[e], c))
      return "element " + std::to_string(e) + " is " + std::to_string(double(got.numbers[e])) + ", expected " +
             std::to_string(double(ref.numbers[e]));
  return "";
}

template <class T>
struct indexed {
  indices ai, bi, ci;
  bool ta, tb, add;
  dense<T> a0, b0, c0;
  operand<T> a, b, c;
};
template <class T>
std::string judge_indexed(indexed<T>& p) {
  using W = reference::wide<T>;
  const int d = p.c0.rows;
  auto ref = p.c0.template as<W>(), terms = reference::magnitude(ref);
  std::vector<bool> named(p.c0.numbers.size());
  for (std::size_t k = 0; k < p.ci.size(); ++k) {
    auto l = part(p.a0, 0, p.ai[k] * d, d, d).template as<W>(), r = part(p.b0, 0, p.bi[k] * d, d, d).template as<W>();
    if (p.ta) l = reference::transposed(l);
    if (p.tb) r = reference::transposed(r);
    const auto to = part(ref, 0, p.ci[k] * d, d, d), was = part(terms, 0, p.ci[k] * d, d, d);
    const auto sum = reference::product<W>(1, l, r, p.add ? 1 : 0, to);
    const auto size = reference::product<W>(1, reference::magnitude(l), reference::magnitude(r), p.add ? 1 : 0, was);
    for (int j = 0; j < d; ++j)
      for (int i = 0; i < d; ++i) {
        const int col = p.ci[k] * d + j;
        ref(i, col) = sum(i, j), terms(i, col) = size(i, j), named[std::size_t(i + col * d)] = true;
      }
  }
  if (!p.a.untouched() || !p.b.untouched()) return "A or B was written";
  if (!p.c.untouched([&](int i, int j) { return named[std::size_t(i + j * d)]; }))
    return "a C that no index names was written";
  return difference(ref, terms, p.c.result(), named, d + 2 + double(p.ci.size()));
}
template <class S, layout L, int D, Trans A, Trans B, Atomic How, class T>
void act_indexed(indexed<T>& p) {
  const S scope;
  gemm_batched_indexed<How, A, B>(scope, view(p.ai), view(p.bi), view(p.ci), p.a.template matrix<L, D, -1>(),
                                  p.b.template matrix<L, D, -1>(), p.c.template matrix<L, D, -1>());
  use_all(scope, p.a, p.b, p.c);
}
// `products` of them, among four A, three B; C: one each, the other way round, and one that is not named; adding:
// three.
template <layout L, int D, Trans A, Trans B, Atomic How, class T, class S>
void picks(const scope_case<S>& c, int d, int products) {
  constexpr bool add = How == Atomic::yes;
  indices ai, bi, ci;
  for (int k = 0; k < products; ++k)
    ai.push_back(k * 7 % 4), bi.push_back(k * 5 % 3), ci.push_back(add ? k % 3 : products - 1 - k);
  const int results = add ? 4 : products + 1;
  const auto a = uniform<T>(d, 4 * d), b = uniform<T>(d, 3 * d);
  const auto to = add ? uniform<T>(d, results * d) : dense<T>(d, results * d, poison<T>());
  in_every_order<indexed<T>>(
      c.how, "D=" + std::to_string(d) + " P=" + std::to_string(products),
      [&] {
        return indexed<T>{ai, bi, ci, A == Trans::yes, B == Trans::yes, add, a, b, to, {a, L}, {b, L}, {to, L}};
      },
      act_indexed<S, L, D, A, B, How, T>, judge_indexed<T>);
}

template <class T>
struct segmented {
  int m, n;  // op(A) of a segment
  bool t, extra, add;
  indices aoff, xoff, yoff, soff;
  T alpha, beta;
  dense<T> a0, x0, y0, z0, scale;
  operand<T> a, x, y, z;
};
template <class T>
std::string judge_segmented(segmented<T>& p) {
  using W = reference::wide<T>;
  auto ref = p.y0.template as<W>(), terms = reference::magnitude(ref);
  std::vector<bool> named(p.y0.numbers.size());
  const int ld = p.a0.rows;
  for (std::size_t s = 0; s < p.yoff.size(); ++s)
    for (int i = 0; i < p.m; ++i) {
      W sum = 0, size = 0;
      for (int j = 0; j < p.n && p.alpha != 0; ++j) {
        const W term = W(p.alpha) * W(p.a0.numbers[std::size_t(p.aoff[s] + (p.t ? j + i * ld : i + j * ld))]) *
                       W(p.x0(p.xoff[s] + j));
        sum += term, size += std::abs(term);
      }
      if (p.extra) {
        const W term = W(p.scale(int(s))) * W(p.z0(p.soff[s] + i));
        sum += term, size += std::abs(term);
      }
      const int at = p.yoff[s] + i;
      const W keep = p.add ? 1 : W(p.beta);
      ref(at) = sum + (keep == 0 ? W(0) : keep * ref(at));
      terms(at) = size + (keep == 0 ? W(0) : std::abs(keep) * terms(at));
      named[std::size_t(at)] = true;
    }
  if (!p.a.untouched() || !p.x.untouched() || !p.z.untouched()) return "an input was written";
  if (!p.y.untouched([&](int i, int) { return named[std::size_t(i)]; })) return "y was written between the segments";
  return difference(ref, terms, p.y.result(), named, p.n + 3 + double(p.yoff.size()));
}
template <class S, Trans Op, Atomic How, bool Extra, class T>
void act_segmented(segmented<T>& p) {
  const S scope;
  constexpr bool t = Op == Trans::yes;
  const auto all = p.a.template matrix<layout::natural, -1, -1>();
  const int rows = t ? p.n : p.m, cols = t ? p.m : p.n;
  const auto a = all.block(0, 0, rows, cols);
  const auto x = p.x.template vector<layout::natural, -1>().segment(0, p.n);
  const auto y = p.y.template vector<layout::natural, -1>().segment(0, p.m);
  const auto z = p.z.template vector<layout::natural, -1>().segment(0, p.m);
  if constexpr (Extra)
    gemv_segmented<Op, How>(scope, view(p.aoff), view(p.xoff), view(p.yoff), p.alpha, a, x, p.beta, y, view(p.soff), z,
                            glass::vector{p.scale.numbers.data(), p.scale.rows});
  else
    gemv_segmented<Op, How>(scope, view(p.aoff), view(p.xoff), view(p.yoff), p.alpha, a, x, p.beta, y);
  use_all(scope, p.a, p.x, p.y);
}
// Segments of m x n in a matrix of m + 2 rows that holds them one below the other; y with a gap of one between
// segments, or (adding) overlapping by all but one.
template <Trans Op, Atomic How, bool Extra, class T, class S>
void multiplies(const scope_case<S>& c, int m, int n, int segments, T alpha, T beta) {
  constexpr bool t = Op == Trans::yes, add = How == Atomic::yes;
  const int rows = t ? n : m, cols = t ? m : n, ld = rows + 2;
  indices aoff, xoff, yoff, soff;
  for (int s = 0; s < segments; ++s) {
    aoff.push_back(s * 3 % 4 + (s % 2) * cols * ld), xoff.push_back(s * 2 % 5);
    yoff.push_back(add ? s : (segments - 1 - s) * (m + 1)), soff.push_back(s % 3);
  }
  auto a = source<T>(ld, 2 * cols + 2, alpha), x = source<T>(n + 5, 1, alpha), z = uniform<T>(m + 3, 1);
  const auto y =
      add || beta != 0 ? uniform<T>((m + 1) * segments + 1, 1) : dense<T>((m + 1) * segments + 1, 1, poison<T>());
  const auto scale = uniform<T>(segments, 1);
  constexpr layout how = layout::natural;
  in_every_order<segmented<T>>(
      c.how, "M=" + std::to_string(m) + " N=" + std::to_string(n) + " S=" + std::to_string(segments),
      [&] {
        return segmented<T>{m,    n, t, Extra, add, aoff,  xoff,     yoff,     soff,     alpha,
                            beta, a, x, y,     z,   scale, {a, how}, {x, how}, {y, how}, {z, how}};
      },
      act_segmented<S, Op, How, Extra, T>, judge_segmented<T>);
}

template <class T>
struct Indexed : testing::Test {};
TYPED_TEST_SUITE(Indexed, scalars, scalar_names);

TYPED_TEST(Indexed, ProductsOfPickedMatrices) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const auto& [d, p] : {std::pair{0, 2}, {3, 0}, {1, 1}, {2, 5}, {5, 3}, {9, 2}, {3, 40}}) {
      picks<layout::padded, -1, Trans::no, Trans::no, Atomic::no, T>(c, d, p);
      picks<layout::padded, -1, Trans::yes, Trans::no, Atomic::yes, T>(c, d, p);
    }
    picks<layout::natural, 6, Trans::no, Trans::yes, Atomic::no, T>(c, 6, 4);
  });
}
TYPED_TEST(Indexed, ProductsOfMatricesByRows) {
  const scope_case<scope::warp> warp{{"warp", 32, {32}}};
  picks<layout::by_rows, 4, Trans::yes, Trans::yes, Atomic::yes, TypeParam>(warp, 4, 9);
}
TYPED_TEST(Indexed, Segments) {
  using T = TypeParam;
  sorts_of_scope<TypeParam>([&](auto c) {
    for (const auto& [m, n, s] : {std::tuple{0, 2, 2}, {2, 0, 3}, {3, 4, 0}, {1, 1, 1}, {5, 3, 9}, {35, 2, 2}})
      multiplies<Trans::no, Atomic::no, false, T>(c, m, n, s, T(1.5), T(-0.5));
    for (const auto& s : products<T>) multiplies<Trans::no, Atomic::no, false, T>(c, 4, 3, 5, s.alpha, s.beta);
    for (const auto& s : products<T>) multiplies<Trans::yes, Atomic::yes, true, T>(c, 4, 3, 5, s.alpha, s.beta);
  });
}
TYPED_TEST(Indexed, PointerFaces) {
  using T = TypeParam;
  const T q = std::numeric_limits<T>::quiet_NaN();
  const T a[] = {1, 2, q, 3, 4, q}, b[] = {1, 1, q, q, 0, 1, q, q}, x[] = {1, 2};  // ld 3 and 4
  T y[2] = {1, 1}, c[4] = {1, 1, 1, 1};
  const auto is = [](const T* got, std::initializer_list<T> want) { return std::equal(want.begin(), want.end(), got); };
  thread::gemv_strided<T, 2, 2, 3>(1, a, x, y);
  EXPECT_TRUE(is(y, {7, 10}));
  thread::gemv_strided<T, Trans::yes>(2, 2, 3, 1, a, x, 1, y);
  EXPECT_TRUE(is(y, {12, 21}));
  thread::gemm_strided<T, 2, 2, 2, 3, 4>(1, a, b, c);
  EXPECT_TRUE(is(c, {4, 6, 3, 4}));
  thread::gemm_strided<T, Trans::yes, Trans::yes>(2, 2, 2, 3, 4, 1, a, b, 1, c);
  EXPECT_TRUE(is(c, {5, 9, 6, 11}));
  const T m[] = {1, 0, 0, 1, 0, 1, 1, 0};  // I and the swap
  const int first[] = {1, 1}, second[] = {0, 1}, to[] = {1, 0};
  T r[8] = {};
  thread::gemm_batched_indexed<T, 2>(2, first, second, to, m, m, r);
  EXPECT_TRUE(is(r, {1, 0, 0, 1, 0, 1, 1, 0}));
  thread::gemm_batched_indexed<T, Atomic::yes>(2, 1, first, second, to, m, m, r);
  EXPECT_TRUE(is(r, {1, 0, 0, 1, 0, 2, 2, 0}));
  const int zero[] = {0}, one[] = {1};
  T w[3] = {9, 9, 9};
  thread::gemv_segmented<T, 2, 2, 3>(1, zero, zero, one, 1, a, x, 0, w);
  EXPECT_TRUE(is(w, {9, 7, 10}));
  thread::gemv_segmented<T>(2, 2, 3, 1, zero, zero, one, 1, a, x, 1, w, zero, x, x + 1);
  EXPECT_TRUE(is(w, {9, 16, 24}));
}

}  // namespace
}  // namespace glass::test
