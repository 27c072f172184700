// The matrix-shaped vector operations: identity, symmetrize, transpose, strided blocks, conversion between packed and
// interleaved storage. Each against its formula, all in one call.
#include "glass/matrix/add_identity.cuh"
#include "glass/vector/interleave.cuh"
#include "glass/vector/shape.cuh"

#include "support/solves.hpp"

namespace glass::test {
namespace {

template <class T>
struct written {
  const char* name;
  dense<T> before;
  dense<reference::wide<T>> expected, terms;  // terms 0: exactly
  operand<T> o;
};
// a: M x N, s: N x N, both read only; what is written, in the order of the calls.
template <class T>
struct problem {
  T alpha = T(-1.5);
  layout how;
  dense<T> a0, s0;
  operand<T> a, s, packed;
  std::vector<written<T>> out = {};
  problem(const dense<T>& A, const dense<T>& X, layout l)
      : how(l), a0(A), s0(X), a(A, l), s(X, l), packed(A, layout::natural) {}
  // f(i, j, terms): the value; the result begins as `before`.
  template <class F>
  void expect_near(const char* name, const dense<T>& before, layout l, F f) {
    dense<reference::wide<T>> value(before.rows, before.cols), terms = value;
    for (int j = 0; j < before.cols; ++j)
      for (int i = 0; i < before.rows; ++i) value(i, j) = f(i, j, terms(i, j));
    out.push_back({name, before, value, terms, operand<T>(before, l)});
  }
  template <class F>
  void expect(const char* name, const dense<T>& before, layout l, F f) {
    expect_near(name, before, l, [&](int i, int j, auto&) { return f(i, j); });
  }
};
template <class T>
dense<T> blank(int m, int n) {
  return dense<T>(m, n, poison<T>());
}
template <class T>
problem<T> arrange(int m, int n, layout how, T alpha) {
  using W = reference::wide<T>;
  dense<T> a = uniform<T>(m, n), s = uniform<T>(n, n);
  const T huge = std::numeric_limits<T>::max() * T(0.75), tiny = std::numeric_limits<T>::denorm_min();
  if (n > 3) s(3, 1) = huge, s(1, 3) = huge, s(2, 0) = tiny, s(0, 2) = tiny, s(3, 0) = -huge, s(0, 3) = huge / 2;
  if (m > 1 && n > 1) a(1, 0) = std::numeric_limits<T>::quiet_NaN(), a(0, 1) = std::numeric_limits<T>::infinity();
  problem<T> p(a, s, how);
  p.alpha = alpha;
  const dense<T> y = uniform<T>(m, n);
  p.expect("set_identity", blank<T>(m, n), how, [](int i, int j) { return W(i == j); });
  p.expect("add_identity_partial", s, how,
           [=](int i, int j) { return W(i == j && i < 3 ? T(s(i, j) + alpha) : s(i, j)); });
  p.expect_near("symmetrize", s, how, [=](int i, int j, W& terms) {
    terms = (std::abs(W(s(i, j))) + std::abs(W(s(j, i)))) / 2;
    return (W(s(i, j)) + W(s(j, i))) / 2;
  });
  p.expect("symmetrize lower", s, how, [=](int i, int j) { return W(i > j ? s(i, j) : s(j, i)); });
  p.expect("symmetrize upper", s, how, [=](int i, int j) { return W(i < j ? s(i, j) : s(j, i)); });
  p.expect("transpose", blank<T>(n, m), how, [=](int i, int j) { return W(a(j, i)); });
  p.expect("transpose in place", s, how, [=](int i, int j) { return W(s(j, i)); });
  p.expect("copy_strided", blank<T>(m, n), how, [=](int i, int j) { return W(T(alpha * a(i, j))); });
  p.expect_near("axpy_strided", y, how, [=](int i, int j, W& terms) {
    const W first = alpha == 0 ? 0 : W(alpha) * W(a(i, j));
    terms = 2 * (std::abs(first) + std::abs(W(y(i, j))));
    return first + W(y(i, j));
  });
  p.expect("interleave", blank<T>(m, n), layout::interleaved, [=](int i, int j) { return W(a(i, j)); });
  p.expect("deinterleave", blank<T>(m, n), layout::natural, [=](int i, int j) { return W(a(i, j)); });
  return p;
}
template <class T>
std::string judge(problem<T>& p) {
  if (!p.a.untouched() || !p.s.untouched() || !p.packed.untouched()) return "an input was written";
  for (auto& w : p.out) {
    const std::string at = std::string(w.name) + ": ";
    const bool partial = at == "add_identity_partial: ";
    if (!w.o.untouched([=](int i, int j) { return !partial || (i == j && i < 3); }))
      return at + "memory outside the result was written";
    for (int j = 0; j < w.before.cols; ++j)
      for (int i = 0; i < w.before.rows; ++i) {
        const T got = w.o.result()(i, j);
        if (at == "symmetrize: " && !same_bits<T>(got, w.o.result()(j, i))) return at + "is not symmetric";
        if (!close(got, w.expected(i, j), w.terms(i, j), 1))
          return at + std::to_string(i) + ", " + std::to_string(j) + " is " + std::to_string(double(got));
      }
  }
  return "";
}
template <class S, layout L, int M, int N, class T>
void act(problem<T>& p) {
  const S scope;
  std::size_t next = 0;
  const auto wide = [&] { return p.out[next++].o.template matrix<L, M, N>(); };
  const auto tall = [&] { return p.out[next++].o.template matrix<L, N, M>(); };
  const auto square = [&] { return p.out[next++].o.template matrix<L, N, N>(); };
  const auto a = p.a.template matrix<L, M, N>();
  set_identity(scope, wide());
  add_identity_partial(scope, 3, p.alpha, square());
  symmetrize(scope, square());
  symmetrize<Fill::lower>(scope, square());
  symmetrize<Fill::upper>(scope, square());
  transpose(scope, a, tall());
  transpose(scope, square());
  copy_strided(scope, p.alpha, a, wide());
  axpy_strided(scope, p.alpha, a, wide());
  const auto packed = p.packed.template matrix<layout::natural, M, N>();
  const auto between = p.out[next++].o.template matrix<layout::interleaved, M, N>();
  interleave(scope, packed, between);
  scope.sync();
  deinterleave(scope, between, p.out[next++].o.template matrix<layout::natural, M, N>());
  use_all(scope, p.a, p.s, p.packed);
  for (auto& w : p.out) use_all(scope, w.o);
}

template <class T>
struct VectorShape : testing::Test {};
TYPED_TEST_SUITE(VectorShape, scalars, scalar_names);

TYPED_TEST(VectorShape, EverySizeAndLayout) {
  using T = TypeParam;
  const std::pair<int, int> shapes[] = {{0, 0}, {0, 3}, {1, 1}, {2, 5}, {7, 7}, {5, 2}, {33, 9}, {9, 40}};
  sorts_of_scope<TypeParam>([&](auto c) {
    using S = typename decltype(c)::scope;
    const auto run = [&](int m, int n, layout how, void (*call)(problem<T>&)) {
      in_every_order<problem<T>>(
          c.how, std::to_string(m) + " x " + std::to_string(n) + " layout " + std::to_string(int(how)),
          [&] { return arrange<T>(m, n, how, T(-1.5)); }, call, judge<T>);
    };
    for (const auto& [m, n] : shapes) run(m, n, layout::padded, act<S, layout::padded, -1, -1, T>);
    run(5, 7, layout::interleaved, act<S, layout::interleaved, -1, -1, T>);
    run(9, 4, layout::by_rows, act<S, layout::by_rows, -1, -1, T>);
    run(5, 7, layout::natural, act<S, layout::natural, 5, 7, T>);
  });
}
TYPED_TEST(VectorShape, AlphaOfZero) {
  using T = TypeParam;
  in_every_order<problem<T>>(
      {"thread", 1, {1}}, "alpha = 0", [&] { return arrange<T>(4, 5, layout::padded, T(0)); },
      act<scope::thread, layout::padded, -1, -1, T>, judge<T>);
}
TYPED_TEST(VectorShape, PointerFaces) {
  using T = TypeParam;
  T a[] = {1, 2, 3, 4}, b[4], c[] = {9, 9, 9, 9, 9, 9};
  thread::transpose<T, 2, 2>(a, b);
  EXPECT_EQ(b[1], T(3));
  thread::transpose<T>(2, b);
  EXPECT_EQ(b[1], T(2));
  thread::symmetrize<T, 2, Fill::upper>(b);
  EXPECT_EQ(b[1], T(3));
  thread::add_identity_partial<T, 2, 1>(5, a);
  thread::add_identity_partial<T>(2, 1, 5, a);
  EXPECT_EQ(a[0], T(11));
  EXPECT_EQ(a[3], T(4));
  thread::set_identity<T, 2>(b);
  EXPECT_EQ(b[1], T(0));
  thread::copy_strided<T, 1, 2, 3, 2>(2, a, c);  // the first row of a: 1 x 2 out of columns of 2, into columns of 3
  EXPECT_EQ(c[0], T(22));
  EXPECT_EQ(c[3], T(6));
  EXPECT_EQ(c[1], T(9));
  thread::axpy_strided<T>(1, 2, 3, 2, 1, a, c);
  EXPECT_EQ(c[3], T(9));
  EXPECT_EQ(c[2], T(9));
}

}  // namespace
}  // namespace glass::test
