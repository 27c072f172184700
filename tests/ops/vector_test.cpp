// The vector operations that move, scale, combine and rotate, and the element-wise ones: each against its formula, all
// in one call, so that one instantiation a scope reaches them.
#include "glass/vector/axpy.cuh"
#include "glass/vector/elementwise.cuh"
#include "glass/vector/move.cuh"
#include "glass/vector/rotate.cuh"

#include "support/solves.hpp"

namespace glass::test {
namespace {

// A vector that an operation writes, what it must hold then, and how nearly: |error| <= c eps terms, c = 0: exactly.
template <class T>
struct written {
  using W = reference::wide<T>;
  const char* name;
  double c;
  dense<W> expected, terms;
  operand<T> o;
};
// Inputs a and b, any further data of `more`, and the written vectors in the order of the calls.
template <class T>
struct problem {
  T alpha = 0, beta = 0;
  layout how;
  dense<T> a0, b0;
  operand<T> a, b;
  std::vector<operand<T>> more = {};
  std::vector<written<T>> out = {};
  problem(const dense<T>& A, const dense<T>& B, layout l) : how(l), a0(A), b0(B), a(A, l), b(B, l) {}
  template <class F>
  void expect(const char* name, const dense<T>& before, double c, F f) {  // f(i, terms) -> the value
    using W = reference::wide<T>;
    dense<W> value(a0.rows, 1), terms(a0.rows, 1);
    for (int i = 0; i < a0.rows; ++i) value(i) = f(i, terms(i));
    out.push_back({name, c, value, terms, operand<T>(before, how)});
  }
  template <class F>
  void expect(const char* name, F f) {  // exactly, into poison
    expect(name, dense<T>(a0.rows, 1, poison<T>()), 0, [&](int i, auto&) { return f(a0(i), b0(i)); });
  }
};
template <class T>
std::string judge(problem<T>& p) {
  if (!p.a.untouched() || !p.b.untouched()) return "an input was written";
  for (auto& o : p.more)
    if (!o.untouched()) return "an input was written";
  for (auto& o : p.out) {
    const std::string at = std::string(o.name) + ": ";
    if (!o.o.untouched([](int, int) { return true; })) return at + "memory outside the result was written";
    for (int i = 0; i < p.a0.rows; ++i)
      if (!close(o.o.result()(i), o.expected(i), o.terms(i), o.c))
        return at + "element " + std::to_string(i) + " is " + std::to_string(double(o.o.result()(i))) + ", expected " +
               std::to_string(double(o.expected(i)));
  }
  return "";
}
template <class S, class T>
void use_everything(S scope, problem<T>& p) {
  use_all(scope, p.a, p.b);
  for (auto& o : p.more) use_all(scope, o);
  for (auto& o : p.out) use_all(scope, o.o);
}
// Hands out the written vectors in order.
template <layout L, int N, class T>
struct outputs {
  problem<T>& p;
  std::size_t next = 0;
  auto operator()() { return p.out[next++].o.template vector<L, N>(); }
};
inline const std::vector<int> lengths = {0, 1, 2, 3, 7, 8, 31, 32, 33, 100, 1001};

// ---- combinations: alpha x + beta y, copies, rotations
struct combinations {
  template <class T>
  static problem<T> of(T alpha, T beta, int n, layout how) {
    using W = reference::wide<T>;
    problem<T> p(uniform<T>(n, 1), uniform<T>(n, 1), how);
    if (n > 3) p.a0(3) = std::numeric_limits<T>::infinity(), p.a0(2) = std::numeric_limits<T>::quiet_NaN();
    p.a = operand<T>(p.a0, how);
    p.alpha = alpha, p.beta = beta;
    // Poison where a zero forbids reading.
    const auto x = alpha == 0 ? dense<T>(n, 1, poison<T>()) : uniform<T>(n, 1);
    const auto y = beta == 0 ? dense<T>(n, 1, poison<T>()) : uniform<T>(n, 1);
    p.more = {operand<T>(x, how), operand<T>(y, how)};
    const auto sum = [=](W s, int i, W t, const dense<T>& v, W& terms) {
      const W first = s == 0 ? 0 : s * W(x(i)), second = t == 0 ? 0 : t * W(v(i));
      terms = std::abs(first) + std::abs(second);
      return first + second;
    };
    const dense<T> blank(n, 1, poison<T>());
    const dense<T> b = p.b0;
    const auto both = [=](int i, W& terms) { return sum(alpha, i, beta, y, terms); };
    p.expect("axpy", blank, 2, [=](int i, W& terms) { return sum(alpha, i, 1, b, terms); });
    p.expect("axpby", blank, 2, both);
    p.expect("axpby onto x", x, 2, both);
    p.expect("axpby onto y", y, 2, both);
    p.expect("copy", [](T u, T) { return u; });
    p.expect("copy scaled", [=](T u, T) { return alpha * u; });
    p.expect("scal", p.a0, 0, [=, a = p.a0](int i, W&) { return W(T(alpha * a(i))); });
    p.expect("scal to", [=](T u, T) { return alpha * u; });
    p.expect("set_const", [=](T, T) { return alpha; });
    p.expect("swap, x", p.a0, 0, [=](int i, W&) { return W(b(i)); });
    p.expect("swap, y", b, 0, [a = p.a0](int i, W&) { return W(a(i)); });
    const auto turned = [](W c, W u, W s, W v, W& terms) {
      terms = std::abs(c * u) + std::abs(s * v);
      return c * u + s * v;
    };
    p.expect("rot, x", p.a0, 2, [=, a = p.a0](int i, W& t) { return turned(alpha, a(i), beta, b(i), t); });
    p.expect("rot, y", b, 2, [=, a = p.a0](int i, W& t) { return turned(alpha, b(i), -W(beta), a(i), t); });
    return p;
  }
  template <class S, layout L, int N, class T>
  static void act(problem<T>& p) {
    const S scope;
    outputs<L, N, T> out{p};
    const auto a = p.a.template vector<L, N>(), b = p.b.template vector<L, N>();
    const auto x = p.more[0].template vector<L, N>(), y = p.more[1].template vector<L, N>();
    axpy(scope, p.alpha, x, b, out());
    axpby(scope, p.alpha, x, p.beta, y, out());
    const auto onto_x = out(), onto_y = out();
    axpby(scope, p.alpha, onto_x, p.beta, y, onto_x);
    axpby(scope, p.alpha, x, p.beta, onto_y, onto_y);
    copy(scope, a, out());
    copy(scope, p.alpha, a, out());
    scal(scope, p.alpha, out());
    scal(scope, p.alpha, a, out());
    set_const(scope, p.alpha, out());
    const auto left = out(), right = out();
    swap(scope, left, right);
    const auto u = out(), v = out();
    rot(scope, u, v, p.alpha, p.beta);
    use_everything(scope, p);
  }
  template <class T>
  static problem<T> arrange(int n, layout how) {
    return of<T>(T(-1.5), T(0.25), n, how);
  }
};

// ---- element by element
struct elements {
  template <class T>
  static problem<T> arrange(int n, layout how) {
    const T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
    dense<T> a = uniform<T>(n, 1), b = uniform<T>(n, 1), lower(n, 1), upper(n, 1);
    const T hard_a[] = {nan, 5, -5, T(0.5), 0, T(-0.0), nan, inf, -inf, 2, nan, 0};
    const T hard_b[] = {1, nan, 5, T(0.5), T(-0.0), 0, nan, 3, -inf, 0, 0, nan};
    const T hard_l[] = {0, 0, 0, 2, nan, 0, 0, 0, 0, nan, 0, 0}, hard_u[] = {1, 1, 1, 1, 1, nan, 1, 1, 1, nan, 1, 1};
    for (int i = 0; i < n; ++i) {
      lower(i) = i < 12 ? hard_l[i] : T(-0.25), upper(i) = i < 12 ? hard_u[i] : T(0.5);
      if (i < 12) a(i) = hard_a[i], b(i) = hard_b[i];
    }
    problem<T> p(a, b, how);
    p.alpha = T(0.125);
    const T s = p.alpha;
    p.more = {operand<T>(lower, how), operand<T>(upper, how)};
    p.expect("add", [](T u, T v) { return u + v; });
    p.expect("sub", [](T u, T v) { return u - v; });
    p.expect("mult", [](T u, T v) { return u * v; });
    p.expect("max", [](T u, T v) { return std::fmax(u, v); });
    p.expect("min", [](T u, T v) { return std::fmin(u, v); });
    p.expect("less_than", [](T u, T v) { return T(std::isless(u, v)); });
    p.expect("more_than", [](T u, T v) { return T(std::isgreater(u, v)); });
    p.expect("less_than_or_eq", [](T u, T v) { return T(std::islessequal(u, v)); });
    p.expect("and", [](T u, T v) { return T(bool(u) && bool(v)); });
    p.expect("abs", [](T u, T) { return std::fabs(u); });
    p.expect("not", [](T u, T) { return T(!bool(u)); });
    p.expect("mult_scalar", [=](T u, T) { return u * s; });
    p.expect("max_scalar", [=](T u, T) { return std::fmax(u, s); });
    p.expect("min_scalar", [=](T u, T) { return std::fmin(u, s); });
    p.expect("less_than_scalar", [=](T u, T) { return T(std::isless(u, s)); });
    using W = reference::wide<T>;
    p.expect("clip", a, 0, [=](int i, W&) {
      W x = a(i);
      if (std::isless(x, W(lower(i)))) x = lower(i);
      return std::isgreater(x, W(upper(i))) ? W(upper(i)) : x;
    });
    p.expect("of one", [](T u, T) { return u + 1; });
    p.expect("of two, onto the first", a, 0, [=](int i, W&) { return W(T(T(2) * a(i) - b(i))); });
    p.expect("of three", dense<T>(n, 1, poison<T>()), 0,
             [=](int i, W&) { return W(std::isless(a(i), b(i)) ? lower(i) : a(i)); });
    return p;
  }
  template <class S, layout L, int N, class T>
  static void act(problem<T>& p) {
    const S scope;
    outputs<L, N, T> out{p};
    const auto a = p.a.template vector<L, N>(), b = p.b.template vector<L, N>();
    const auto l = p.more[0].template vector<L, N>(), u = p.more[1].template vector<L, N>();
    elementwise_add(scope, a, b, out());
    elementwise_sub(scope, a, b, out());
    elementwise_mult(scope, a, b, out());
    elementwise_max(scope, a, b, out());
    elementwise_min(scope, a, b, out());
    elementwise_less_than(scope, a, b, out());
    elementwise_more_than(scope, a, b, out());
    elementwise_less_than_or_eq(scope, a, b, out());
    elementwise_and(scope, a, b, out());
    elementwise_abs(scope, a, out());
    elementwise_not(scope, a, out());
    elementwise_mult_scalar(scope, a, p.alpha, out());
    elementwise_max_scalar(scope, a, p.alpha, out());
    elementwise_min_scalar(scope, a, p.alpha, out());
    elementwise_less_than_scalar(scope, a, p.alpha, out());
    clip(scope, out(), l, u);
    elementwise(
        scope, [](T x) { return x + 1; }, a, out());
    const auto onto = out();
    elementwise(
        scope, [](T x, T y) { return 2 * x - y; }, onto, b, onto);
    elementwise(
        scope, [](T x, T y, T z) { return x < y ? z : x; }, a, b, l, out());
    use_everything(scope, p);
  }
};

// ---- rotg: pairs with known traps
struct pairs {
  template <class T>
  static problem<T> arrange(int n, layout how) {
    using W = reference::wide<T>;
    const T big = std::numeric_limits<T>::max() * T(0.6), tiny = std::numeric_limits<T>::denorm_min();
    const T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
    const T hard_a[] = {3, -3, 4, 0, 0, 1, 1, -1, big, 8 * tiny, nan, 0, inf, big, T(-0.0)};
    const T hard_b[] = {4, 1, -3, 0, 2, 1, -1, 1, big, 6 * tiny, 0, nan, 1, 1, 0};
    dense<T> a = uniform<T>(n, 1), b = uniform<T>(n, 1);
    for (int i = 0; i < n && i < 15; ++i) a(i) = hard_a[i], b(i) = hard_b[i];
    problem<T> p(a, b, how);
    const auto r = [=](int i) {
      const W x = a(i), y = b(i);
      if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<W>::quiet_NaN();
      const W sigma = (std::abs(x) > std::abs(y) ? x : y) < 0 ? -1 : 1;
      return sigma * std::hypot(x, y);
    };
    const dense<T> blank(n, 1, poison<T>());
    p.expect("c", blank, 4, [=](int i, W& t) { return t = 1, r(i) == 0 ? W(1) : W(a(i)) / r(i); });
    p.expect("s", blank, 4, [=](int i, W& t) { return t = 1, r(i) == 0 ? W(0) : W(b(i)) / r(i); });
    p.expect("r", blank, 4, [=](int i, W& t) { return t = std::abs(r(i)), r(i); });
    return p;
  }
  template <class S, layout L, int N, class T>
  static void act(problem<T>& p) {
    const S scope;
    outputs<L, N, T> out{p};
    const auto c = out(), s = out(), r = out();
    rotg(scope, p.a.template vector<L, N>(), p.b.template vector<L, N>(), c, s, r);
    use_everything(scope, p);
  }
};

template <class T>
struct Vector : testing::Test {};
TYPED_TEST_SUITE(Vector, scalars, scalar_names);
// Every length at run time, back to back and interleaved; a constant length above the lanes of a warp.
template <class Family, class T>
void every_vector() {
  sorts_of_scope<T>([](auto c) {
    using S = typename decltype(c)::scope;
    const auto run = [&](int n, layout how, void (*act)(problem<T>&)) {
      in_every_order<problem<T>>(
          c.how, "N=" + std::to_string(n), [&] { return Family::template arrange<T>(n, how); }, act, judge<T>);
    };
    for (const int n : lengths) run(n, layout::natural, Family::template act<S, layout::natural, -1, T>);
    for (const int n : {1, 17, 40}) run(n, layout::interleaved, Family::template act<S, layout::interleaved, -1, T>);
    run(40, layout::natural, Family::template act<S, layout::natural, 40, T>);
  });
}

TYPED_TEST(Vector, CombinesMovesAndTurns) {
  using T = TypeParam;
  every_vector<combinations, T>();
  const std::pair<T, T> zeros[] = {{T(0), T(0.5)}, {T(0.5), T(0)}, {T(0), T(0)}, {T(1), T(1)}};
  for (const auto& [alpha, beta] : zeros)
    in_every_order<problem<T>>(
        {"thread", 1, {1}}, "zeros", [&] { return combinations::of<T>(alpha, beta, 9, layout::natural); },
        combinations::act<scope::thread, layout::natural, -1, T>, judge<T>);
}
TYPED_TEST(Vector, ElementByElement) { every_vector<elements, TypeParam>(); }
TYPED_TEST(Vector, RotationsOfPairs) {
  using T = TypeParam;
  every_vector<pairs, T>();
  const auto one = rotg<T>(3, 4);
  EXPECT_EQ(one.r, T(5));
  EXPECT_NEAR(double(one.c), 0.6, 1e-6);
  EXPECT_NEAR(double(one.s), 0.8, 1e-6);
}
TYPED_TEST(Vector, PointerFaces) {
  using T = TypeParam;
  const T x[] = {1, 2}, y[] = {10, 20}, l[] = {12, 12}, u[] = {15, 15};
  T z[2], w[2];
  thread::axpy<T, 2>(2, x, y, z);
  EXPECT_EQ(z[1], T(24));
  thread::clip<T>(2, z, l, u);
  EXPECT_EQ(z[1], T(15));
  thread::axpby<T, 2, Sync::no>(2, x, 3, y, z);
  EXPECT_EQ(z[1], T(64));
  thread::copy<T, 2>(y, w);
  thread::swap<T>(2, z, w);
  EXPECT_EQ(z[1], T(20));
  EXPECT_EQ(w[1], T(64));
  thread::copy<T>(2, 2, x, z);
  thread::scal<T, 2>(2, z);
  EXPECT_EQ(z[1], T(8));
  thread::scal<T, 2>(3, x, z);
  EXPECT_EQ(z[1], T(6));
  thread::set_const<T>(1, 7, z);
  EXPECT_EQ(z[0], T(7));
  EXPECT_EQ(z[1], T(6));
  thread::rot<T, 2>(z, w, 0, 1);
  EXPECT_EQ(z[1], T(64));
  EXPECT_EQ(w[1], T(-6));
  T c[2], s[2];
  thread::rotg<T, 2>(x, y, c, s, z);
  EXPECT_LT(c[1], s[1]);
  thread::elementwise<T, 2>([](T p, T q) { return p / q; }, y, x, z);
  EXPECT_EQ(z[1], T(10));
  thread::elementwise<T, Sync::no>(
      1, [](T p) { return -p; }, x, z);
  EXPECT_EQ(z[0], T(-1));
  thread::elementwise_and<T, 2>(x, y, z);
  EXPECT_EQ(z[0], T(1));
  thread::elementwise_max_scalar<T, 2>(x, T(1.5), z);
  EXPECT_EQ(z[0], T(1.5));
  thread::elementwise_not<T>(2, x, z);
  EXPECT_EQ(z[0], T(0));
  T* none = nullptr;
  thread::copy<T>(0, none, none);
  thread::elementwise_add<T, 0>(none, none, none);
}

}  // namespace
}  // namespace glass::test
