// congruence_sym, congruence_accum, bilinear, tensor_vec_contract, vec_tensor_vec: against their formulas, alpha and
// beta that forbid reading, exact symmetry, and what is left alone.
#include "glass/control/congruence.cuh"
#include "glass/control/tensor.cuh"
#include "support/control.hpp"

namespace glass::test {
namespace {

enum class form { sym, accum, bilinear };

// R <- alpha X^T M Y + beta R; the symmetric forms have Y = X, and accum keeps X transposed.
template <class T>
struct problem {
  form what;
  T alpha, beta;
  dense<T> x0, m0, y0, r0;
  operand<T> x, m, y, r, scratch;
  problem(form f, T al, T be, const dense<T>& X, const dense<T>& M, const dense<T>& Y, const dense<T>& R, layout how)
      : what(f),
        alpha(al),
        beta(be),
        x0(X),
        m0(M),
        y0(f == form::bilinear ? Y : X),
        r0(R),
        x(f == form::accum ? reference::transposed(X) : X, how),
        m(M, how),
        y(Y, how),
        r(R, how),
        scratch(dense<T>(X.rows * y0.cols, 1, poison<T>()), layout::natural) {}
};
template <class T>
std::string judge(problem<T>& p) {
  using W = reference::wide<T>;
  const bool symmetric = p.what != form::bilinear;
  if (!p.x.untouched() || !p.m.untouched() || !p.y.untouched()) return "an input was written";
  if (!p.r.untouched(everywhere)) return "memory outside the result was written";
  if (!p.scratch.untouched(everywhere)) return "memory outside the scratch was written";
  for (int j = 0; symmetric && j < p.r.cols(); ++j)
    for (int i = 0; i < j; ++i)
      if (!same_bits(p.r.result()(i, j), p.r.result()(j, i))) return "the result is not exactly symmetric";
  const auto full = symmetric ? reference::mirrored(p.r0, true) : p.r0;
  const auto wide = [&](const dense<T>& d) { return d.template as<W>(); };
  const auto twice = [&](W alpha, const dense<W>& x, const dense<W>& m, const dense<W>& y, W beta, const dense<W>& r) {
    return reference::product<W>(alpha, reference::transposed(x),
                                 reference::product<W>(alpha != 0, m, y, 0, dense<W>(m.rows, y.cols)), beta, r);
  };
  const auto ref = twice(p.alpha, wide(p.x0), wide(p.m0), wide(p.y0), p.beta, wide(full));
  const auto terms = twice(std::abs(p.alpha), reference::magnitude(wide(p.x0)), reference::magnitude(wide(p.m0)),
                           reference::magnitude(wide(p.y0)), std::abs(p.beta), reference::magnitude(wide(full)));
  for (int j = 0; j < ref.cols; ++j)
    for (int i = 0; i < ref.rows; ++i)
      if (!close(p.r.result()(i, j), ref(i, j), terms(i, j), 2 * p.m0.rows + 2))
        return "element " + std::to_string(i) + ", " + std::to_string(j) + " is wrong";
  return "";
}
template <class S, layout L, form F, int N, int P, int Q, class T, auto... Options>
void act(problem<T>& p) {
  const S scope;
  const auto m = p.m.template matrix<L, N, N>();
  const auto scratch = p.scratch.template vector<layout::natural, (N < 0 ? -1 : N * Q)>();
  if constexpr (F == form::sym)
    congruence_sym<Options...>(scope, p.alpha, p.x.template matrix<L, N, P>(), m, p.beta,
                               p.r.template matrix<L, P, P>(), scratch);
  else if constexpr (F == form::accum)
    congruence_accum<Options...>(scope, p.alpha, p.x.template matrix<L, P, N>(), m, p.beta,
                                 p.r.template matrix<L, P, P>(), scratch);
  else
    bilinear<Options...>(scope, p.alpha, p.x.template matrix<L, N, P>(), m, p.y.template matrix<L, N, Q>(), p.beta,
                         p.r.template matrix<L, P, Q>(), scratch);
  use_all(scope, p.x, p.m, p.y, p.r, p.scratch);
}
// Apart from what a case is compiled for, so that this is compiled once.
template <class T>
void transforms(form f, const block& how, int n, int p, int q, T alpha, T beta, layout l, void (*act)(problem<T>&)) {
  if (f != form::bilinear) q = p;
  const auto x = source(n, p, alpha), y = source(n, q, alpha);
  const auto m = alpha == 0            ? dense<T>(n, n, poison<T>())
                 : f == form::bilinear ? uniform<T>(n, n)
                                       : reference::mirrored(spd<T>(n, 1e2), true);
  auto r = destination(p, q, beta);
  for (int j = 0; f != form::bilinear && j < q; ++j)
    for (int i = 0; i < j; ++i) r(i, j) = poison<T>();
  in_every_order<problem<T>>(
      how, "N=" + std::to_string(n) + " P=" + std::to_string(p) + " Q=" + std::to_string(q),
      [&] { return problem<T>(f, alpha, beta, x, m, y, r, l); }, act, judge<T>);
}
template <layout L, form F, int N, int P, int Q, class T, auto... Options, class S>
void transforms(const scope_case<S>& c, int n, int p, int q, T alpha, T beta) {
  transforms(F, c.how, n, p, q, alpha, beta, L, act<S, L, F, N, P, (F == form::bilinear ? Q : P), T, Options...>);
}
template <layout L, int N, int P, int Q, class T, class S>
void both_forms(const scope_case<S>& c, int n, int p, int q, T alpha, T beta) {
  transforms<L, form::sym, N, P, Q>(c, n, p, q, alpha, beta);
  transforms<L, form::bilinear, N, P, Q>(c, n, p, q, alpha, beta);
}

template <class T>
struct Congruence : testing::Test {};
TYPED_TEST_SUITE(Congruence, scalars, scalar_names);

TYPED_TEST(Congruence, AnySizeAlphaAndBeta) {
  using T = TypeParam;
  const int shapes[][3] = {{1, 1, 1},  {2, 3, 1}, {5, 2, 4}, {7, 7, 7}, {3, 13, 5},
                           {17, 9, 2}, {0, 3, 2}, {4, 0, 2}, {33, 5, 6}};
  scopes_of<T>([&](auto c) {
    for (const auto& [n, p, q] : shapes) both_forms<layout::padded, -1, -1, -1, T>(c, n, p, q, T(1.5), T(-0.5));
    for (const auto& s : products<T>) both_forms<layout::padded, -1, -1, -1, T>(c, 5, 6, 3, s.alpha, s.beta);
  });
}
TYPED_TEST(Congruence, ConstantSizesAndLayouts) {
  using T = TypeParam;
  scope_of<T>([&](auto c) {
    for (const auto& s : products<T>) transforms<layout::padded, form::accum, -1, -1, -1>(c, 7, 5, 5, s.alpha, s.beta);
    transforms<layout::natural, form::sym, 6, 9, 9, T>(c, 6, 9, 9, T(1), T(0));
    transforms<layout::by_rows, form::accum, 7, 3, 3, T>(c, 7, 3, 3, T(1), T(0.5));
    transforms<layout::interleaved, form::bilinear, 4, 3, 5, T>(c, 4, 3, 5, T(1), T(1));
  });
}
TYPED_TEST(Congruence, OnTensorCores) {
  using T = TypeParam;
  const scope_case<scope::block<64>> two_warps{{"block64", 0, {64}}};
  constexpr auto direct = Body::direct;
  transforms<layout::natural, form::sym, 17, 20, 20, T, direct, Tile::m16n16>(two_warps, 17, 20, 20, T(1.5), T(-0.5));
  transforms<layout::natural, form::accum, 8, 12, 12, T, direct>(two_warps, 8, 12, 12, T(1), T(0));
  transforms<layout::natural, form::bilinear, 16, 20, 8, T, direct>(two_warps, 16, 20, 8, T(1.5), T(0.5));
  if constexpr (sizeof(T) == 4)
    transforms<layout::natural, form::sym, 32, 32, 32, T, direct, Tile::m32n32, Mma::tf32x3>(two_warps, 32, 32, 32, 1.f,
                                                                                             0.5f);
}
TYPED_TEST(Congruence, NaNSpreadsAsTheFormulaSays) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const T x[] = {1, 0, 0, 1}, m[] = {nan, 0, 0, 3};
  T q[4] = {}, scratch[4];
  thread::congruence_sym<T, 2, 2>(1, x, m, 0, q, scratch);  // 0 NaN is NaN
  EXPECT_TRUE(std::isnan(q[0]) && std::isnan(q[1]) && std::isnan(q[2]));
}
TYPED_TEST(Congruence, PointerFaces) {
  using T = TypeParam;
  const T x[] = {1, 2, 3, 4}, m[] = {2, 1, 1, 3}, y[] = {1, -1};
  T q[4], c[4], r[2], scratch[4];
  thread::congruence_sym<T, 2, 2>(1, x, m, 0, q, scratch);
  EXPECT_EQ(q[0], T(18));
  EXPECT_EQ(q[3], T(90));
  EXPECT_EQ(q[1], T(40));
  thread::congruence_accum<T>(2, 2, 1, x, m, 0, c, scratch);
  EXPECT_EQ(c[0], T(35));
  EXPECT_EQ(c[1], T(50));
  thread::bilinear<T, 2, 2, 1>(1, x, m, y, 0, r, scratch);
  EXPECT_EQ(r[0], T(-3));
  EXPECT_EQ(r[1], T(-5));
  EXPECT_EQ((congruence_sym_scratch_bytes<T, 4, 3>(scope::thread{})), int(12 * sizeof(T)));
  EXPECT_EQ((congruence_accum_scratch_bytes<T, 4, 3>(scope::warp{})), int(12 * sizeof(T)));
  EXPECT_EQ((bilinear_scratch_bytes<T, 4, 3, 2>(scope::warp{})), int(8 * sizeof(T)));
}

// ---- tensors
template <class T>
struct contraction {
  T alpha, beta;
  TensorAxis axis;
  bool vector_form;
  int k, a, b;
  Order order;
  Symmetric symmetric;
  dense<T> t0, v0, w0, m0;
  operand<T> t, v, w, m;
  T tensor(int i, int j, int s) const { return t0(order == Order::col ? i + j * a : i * b + j, s); }
};
template <class T>
std::string judge_contraction(contraction<T>& p) {
  using W = reference::wide<T>;
  if (!p.t.untouched() || !p.v.untouched() || !p.w.untouched()) return "an input was written";
  if (!p.m.untouched(everywhere)) return "memory outside the result was written";
  const bool read = p.alpha != 0;
  for (int j = 0; j < p.m.cols(); ++j)
    for (int i = 0; i < p.m.rows(); ++i) {
      W sum = 0, terms = 0;
      const auto add = [&](W t, W v) { sum += t * v, terms += std::abs(t * v); };
      if (read && p.vector_form)
        for (int a = 0; a < p.a; ++a)
          for (int b = 0; b < p.b; ++b) add(W(p.v0(a)) * W(p.tensor(a, b, i)), p.w0(b));
      else if (read && p.axis == TensorAxis::K)
        for (int k = 0; k < p.k; ++k)
          add(p.symmetric == Symmetric::yes && i < j ? p.tensor(j, i, k) : p.tensor(i, j, k), p.v0(k));
      else if (read && p.axis == TensorAxis::A)
        for (int a = 0; a < p.a; ++a) add(p.tensor(a, j, i), p.v0(a));
      else if (read)
        for (int b = 0; b < p.b; ++b) add(p.tensor(j, b, i), p.v0(b));
      const W old = p.beta == 0 ? W(0)
                                : W(p.m0(p.symmetric == Symmetric::yes ? std::max(i, j) : i,
                                         p.symmetric == Symmetric::yes ? std::min(i, j) : j));
      const W ref = p.alpha * sum + p.beta * old;
      if (!close(p.m.result()(i, j), ref, std::abs(p.alpha) * terms + std::abs(p.beta * old), p.a * p.b + p.k + 2))
        return "element " + std::to_string(i) + ", " + std::to_string(j) + " is wrong";
    }
  return "";
}
template <class S, layout L, int K, int A, int B, bool Vector, TensorAxis Axis, Order O, Symmetric Y, class T>
void act_contraction(contraction<T>& p) {
  const S scope;
  constexpr int slab = A < 0 ? -1 : A * B;
  const auto t = p.t.template matrix<L, slab, K>();
  if constexpr (Vector)
    vec_tensor_vec<O>(scope, p.alpha, t, p.v.template vector<L, A>(), p.w.template vector<L, B>(), p.beta,
                      p.m.template vector<L, K>());
  else
    tensor_vec_contract<Axis, O, Y>(
        scope, p.alpha, t,
        p.v.template vector<L, (Axis == TensorAxis::K   ? K
                                : Axis == TensorAxis::A ? A
                                                        : B)>(),
        p.beta, p.m.template matrix<L, (Axis == TensorAxis::K ? A : K), (Axis == TensorAxis::B ? A : B)>());
  use_all(scope, p.t, p.v, p.w, p.m);
}
template <layout L, int K, int A, int B, bool Vector, TensorAxis Axis, Order O, Symmetric Y, class T, class S>
void contracts(const scope_case<S>& c, int k, int a, int b, T alpha, T beta) {
  const auto t = source(a * b, k, alpha);
  const auto v = source(Vector || Axis == TensorAxis::A ? a : Axis == TensorAxis::K ? k : b, 1, alpha);
  const auto w = source(b, 1, alpha);
  auto m = Vector ? destination(k, 1, beta)
                  : destination(Axis == TensorAxis::K ? a : k, Axis == TensorAxis::B ? a : b, beta);
  if (Y == Symmetric::yes)
    for (int j = 0; j < m.cols; ++j)
      for (int i = 0; i < j; ++i) m(i, j) = poison<T>();
  in_every_order<contraction<T>>(
      c.how, "K=" + std::to_string(k) + " A=" + std::to_string(a) + " B=" + std::to_string(b),
      [&] {
        return contraction<T>{alpha, beta, Axis, Vector, k, a, b, O, Y, t, v, w, m, {t, L}, {v, L}, {w, L}, {m, L}};
      },
      act_contraction<S, L, K, A, B, Vector, Axis, O, Y, T>, judge_contraction<T>);
}
template <layout L, class T, class S>
void every_axis(const scope_case<S>& c, int k, int a, int b, T alpha, T beta) {
  constexpr auto no = Symmetric::no;
  contracts<L, -1, -1, -1, false, TensorAxis::K, Order::col, no>(c, k, a, b, alpha, beta);
  contracts<L, -1, -1, -1, false, TensorAxis::A, Order::col, no>(c, k, a, b, alpha, beta);
  contracts<L, -1, -1, -1, false, TensorAxis::B, Order::row, no>(c, k, a, b, alpha, beta);
  contracts<L, -1, -1, -1, true, TensorAxis::K, Order::col, no>(c, k, a, b, alpha, beta);
  if (a == b) contracts<L, -1, -1, -1, false, TensorAxis::K, Order::col, Symmetric::yes>(c, k, a, b, alpha, beta);
}

template <class T>
struct Tensor : testing::Test {};
TYPED_TEST_SUITE(Tensor, scalars, scalar_names);

TYPED_TEST(Tensor, AnySizeAlphaAndBeta) {
  using T = TypeParam;
  const int shapes[][3] = {{1, 1, 1}, {2, 3, 5}, {7, 4, 4}, {0, 3, 3}, {3, 0, 2}, {5, 2, 0}, {3, 13, 9}, {40, 2, 2}};
  scopes_of<T>([&](auto c) {
    for (const auto& [k, a, b] : shapes) every_axis<layout::padded, T>(c, k, a, b, T(1.5), T(-0.5));
    for (const auto& s : products<T>) every_axis<layout::padded, T>(c, 3, 4, 4, s.alpha, s.beta);
  });
}
TYPED_TEST(Tensor, ConstantSizesAndLayouts) {
  using T = TypeParam;
  scope_of<T>([&](auto c) {
    contracts<layout::by_rows, 3, 6, 6, false, TensorAxis::K, Order::row, Symmetric::yes, T>(c, 3, 6, 6, T(1), T(0));
    contracts<layout::interleaved, 5, 2, 3, true, TensorAxis::K, Order::row, Symmetric::no, T>(c, 5, 2, 3, T(1), T(1));
  });
}
TYPED_TEST(Tensor, PointerFaces) {
  using T = TypeParam;
  const T t[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};  // two slabs of 2 x 3
  const T v[] = {1, -1}, w[] = {1, 0, 2};
  T m[6], s[2];
  thread::tensor_vec_contract<T, 2, 2, 3>(1, t, v, 0, m);
  EXPECT_EQ(m[0], T(-6));
  EXPECT_EQ(m[5], T(-6));
  thread::tensor_vec_contract<T, TensorAxis::A>(2, 2, 3, 1, t, v, 0, m);  // 2 x 3
  EXPECT_EQ(m[0], T(-1));
  thread::tensor_vec_contract<T, 2, 2, 3, TensorAxis::B>(1, t, w, 0, m);  // 2 x 2
  EXPECT_EQ(m[0], T(11));
  EXPECT_EQ(m[1], T(29));
  EXPECT_EQ(m[2], T(14));
  thread::tensor_vec_contract<T, 2, 2, 3, Order::row, TensorAxis::B>(1, t, w, 0, m);
  EXPECT_EQ(m[0], T(7));
  thread::vec_tensor_vec<T, 2, 2, 3>(1, t, v, w, 0, s);
  EXPECT_EQ(s[0], T(-3));
  EXPECT_EQ(s[1], T(-3));
}

}  // namespace
}  // namespace glass::test
