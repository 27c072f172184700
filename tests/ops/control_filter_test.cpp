// riccati_step and kalman_update: against their formulas one precision wider, exact symmetry, and what a failure leaves
// alone.
#include "glass/control/kalman_update.cuh"
#include "glass/control/riccati_gain.cuh"
#include "support/control.hpp"

namespace glass::test {
namespace {

// ---- riccati_step
template <class T>
struct stage {
  bool in_place;
  Shift shift;
  T rho;
  int expected;
  dense<T> p0, a0, b0, q0, r0;
  operand<T> p, a, b, q, r, k, next, scratch;
  answers<int> info;
  stage(bool same, Shift s, T rh, int e, const dense<T>& P, const dense<T>& A, const dense<T>& B, const dense<T>& Q,
        const dense<T>& R, layout how)
      : in_place(same),
        shift(s),
        rho(rh),
        expected(e),
        p0(P),
        a0(A),
        b0(B),
        q0(Q),
        r0(R),
        p(P, how),
        a(A, how),
        b(B, how),
        q(Q, how),
        r(R, how),
        k(dense<T>(B.cols, B.rows, T(7)), how),
        next(dense<T>(B.rows, B.rows, T(7)), how),
        scratch(dense<T>(B.cols * (B.cols + B.rows) + B.rows * B.rows, 1, poison<T>()), layout::natural) {}
};
template <class T>
std::string judge_stage(stage<T>& s) {
  using W = reference::wide<T>;
  if (!s.info.all(s.expected)) return "info " + std::to_string(s.info.one()) + ", not " + std::to_string(s.expected);
  const bool ok = s.expected == 0;
  const auto if_ok = [&](int, int) { return ok; };
  if (!s.p.untouched([&](int, int) { return ok && s.in_place; })) return "P was written";
  if (!s.a.untouched() || !s.b.untouched() || !s.q.untouched() || !s.r.untouched()) return "an input was written";
  if (!s.k.untouched(if_ok) || !s.next.untouched(if_ok))
    return "memory outside K or Pnew, or after a failure, was written";
  if (!s.scratch.untouched(everywhere)) return "memory outside the scratch was written";
  if (!ok) return "";
  const dense<T>& got = s.in_place ? s.p.result() : s.next.result();
  if (!symmetric_bits(got)) return "Pnew is not exactly symmetric";
  const auto p = s.p0.template as<W>(), a = s.a0.template as<W>(), b = s.b0.template as<W>();
  const auto q = reference::mirrored(s.q0, true).template as<W>();
  const auto pa = times(p, a), g = times(reference::transposed(b), pa);
  const auto h =
      with_shift(added(times(reference::transposed(b), times(p, b)), reference::mirrored(s.r0, true).template as<W>()),
                 s.shift, W(s.rho));
  const auto k = solved(h, g);
  const W kappa = 100, size = b.rows + b.cols + 4;
  if (auto wrong = far("K", s.k.result(), k, 1 + largest(k), double(kappa * size)); !wrong.empty()) return wrong;
  const auto apa = times(reference::transposed(a), pa);
  const auto next = added(added(q, apa), times(reference::transposed(g), k), W(-1));
  return far("Pnew", got, next, 1 + largest(apa), double(kappa * size));
}
template <class S, layout L, int NX, int NU, Shift Sh, bool Same, class T>
void act_stage(stage<T>& s) {
  const S scope;
  const auto p = s.p.template matrix<L, NX, NX>();
  const auto go = [&](auto next, auto... rho) {
    return riccati_step<Sh>(scope, p, s.a.template matrix<L, NX, NX>(), s.b.template matrix<L, NX, NU>(),
                            s.q.template matrix<L, NX, NX>(), s.r.template matrix<L, NU, NU>(),
                            s.k.template matrix<L, NU, NX>(), next, s.scratch.template vector<layout::natural, -1>(),
                            rho...);
  };
  if constexpr (Same)
    s.info.set(scope, go(p));
  else
    s.info.set(scope, go(s.next.template matrix<L, NX, NX>(), s.rho));
  use_all(scope, s.p, s.a, s.b, s.q, s.r, s.k, s.next, s.scratch);
}
template <layout L, int NX, int NU, Shift Sh, bool Same, class T, class S>
void stages(const scope_case<S>& c, int nx, int nu, T rho, T least = 1, int expected = 0) {
  const auto p = whole_spd<T>(nx, 10), a = uniform<T>(nx, nx), q = spd<T>(nx, 10);
  auto b = uniform<T>(nx, nu), r = spd<T>(nu, 10);
  if (expected > 0) {
    for (int i = 0; i < nx; ++i) b(i, expected - 1) = 0;
    for (int i = 0; i < nu; ++i)
      for (int j = 0; j <= i; ++j) r(i, j) = i == j ? (i == expected - 1 ? least : T(1)) : T(0);
  }
  in_every_order<stage<T>>(
      c.how, "NX=" + std::to_string(nx) + " NU=" + std::to_string(nu),
      [&] { return stage<T>(Same, Sh, rho, expected, p, a, b, q, r, L); }, act_stage<S, L, NX, NU, Sh, Same, T>,
      judge_stage<T>);
}

// ---- kalman_update
template <class T>
struct filter {
  Joseph form;
  int expected;
  dense<T> x0, p0, h0, r0, y0;
  operand<T> x, p, h, r, y, scratch;
  answers<int> info;
  filter(Joseph f, int e, const dense<T>& X, const dense<T>& P, const dense<T>& H, const dense<T>& R, const dense<T>& Y,
         layout how)
      : form(f),
        expected(e),
        x0(X),
        p0(P),
        h0(H),
        r0(R),
        y0(Y),
        x(X, how),
        p(P, how),
        h(H, how),
        r(R, how),
        y(Y, how),
        scratch(
            dense<T>(H.rows * (H.rows + H.cols + 1) + (f == Joseph::yes ? H.rows * H.cols + 2 * H.cols * H.cols : 0), 1,
                     poison<T>()),
            layout::natural) {}
};
template <class T>
std::string judge_filter(filter<T>& f) {
  using W = reference::wide<T>;
  if (!f.info.all(f.expected)) return "info " + std::to_string(f.info.one()) + ", not " + std::to_string(f.expected);
  const bool ok = f.expected == 0;
  const auto if_ok = [&](int, int) { return ok; };
  if (!f.h.untouched() || !f.r.untouched() || !f.y.untouched()) return "an input was written";
  if (!f.x.untouched(if_ok) || !f.p.untouched(if_ok)) return "memory outside x or P, or after a failure, was written";
  if (!f.scratch.untouched(everywhere)) return "memory outside the scratch was written";
  if (!ok) return "";
  if (!symmetric_bits(f.p.result())) return "P is not exactly symmetric";
  const auto p = f.p0.template as<W>(), h = f.h0.template as<W>();
  const auto hp = times(h, p);
  const auto s = added(times(hp, reference::transposed(h)), reference::mirrored(f.r0, true).template as<W>());
  const auto kt = solved(s, hp);  // K^T
  const auto step = times(reference::transposed(kt), f.y0.template as<W>());
  const W kappa = 100, size = h.rows + h.cols + 4;
  if (auto wrong = far("x", f.x.result(), added(f.x0.template as<W>(), step), 1 + largest(step), double(kappa * size));
      !wrong.empty())
    return wrong;
  const auto less = times(reference::transposed(hp), kt);
  return far("P", f.p.result(), added(p, less, W(-1)), 1 + largest(less), double(kappa * size));
}
template <class S, layout L, int NX, int NY, Joseph J, class T>
void act_filter(filter<T>& f) {
  const S scope;
  f.info.set(scope, kalman_update<J>(scope, f.x.template vector<L, NX>(), f.p.template matrix<L, NX, NX>(),
                                     f.h.template matrix<L, NY, NX>(), f.r.template matrix<L, NY, NY>(),
                                     f.y.template vector<L, NY>(), f.scratch.template vector<layout::natural, -1>()));
  use_all(scope, f.x, f.p, f.h, f.r, f.y, f.scratch);
}
template <layout L, int NX, int NY, Joseph J, class T, class S>
void updates(const scope_case<S>& c, int nx, int ny, int expected = 0) {
  auto h = uniform<T>(ny, nx), r = spd<T>(ny, 10);
  if (expected > 0) {
    for (int j = 0; j < nx; ++j) h(expected - 1, j) = 0;  // measures nothing, with a negative variance
    for (int i = 0; i < ny; ++i)
      for (int j = 0; j <= i; ++j) r(i, j) = i != j ? T(0) : i == expected - 1 ? T(-1) : T(1);
  }
  const auto x = uniform<T>(nx, 1), p = whole_spd<T>(nx, 10), y = uniform<T>(ny, 1);
  in_every_order<filter<T>>(
      c.how, "NX=" + std::to_string(nx) + " NY=" + std::to_string(ny),
      [&] { return filter<T>(J, expected, x, p, h, r, y, L); }, act_filter<S, L, NX, NY, J, T>, judge_filter<T>);
}

template <class T>
struct Filters : testing::Test {};
TYPED_TEST_SUITE(Filters, scalars, scalar_names);

TYPED_TEST(Filters, KalmanUpdateOfAnySize) {
  using T = TypeParam;
  const int shapes[][2] = {{1, 1}, {2, 1}, {1, 3}, {6, 3}, {7, 7}, {15, 4}, {5, 17}, {33, 6}, {4, 0}, {0, 3}};
  scopes_of<T>([&](auto c) {
    for (const auto& [nx, ny] : shapes) updates<layout::padded, -1, -1, Joseph::no, T>(c, nx, ny);
    updates<layout::padded, -1, -1, Joseph::no, T>(c, 5, 3, 2);
  });
  scope_of<T>([&](auto c) {
    for (const auto& [nx, ny] : shapes) updates<layout::padded, -1, -1, Joseph::yes, T>(c, nx, ny);
    updates<layout::padded, -1, -1, Joseph::yes, T>(c, 5, 3, 3);
    updates<layout::natural, 6, 3, Joseph::no, T>(c, 6, 3);
    updates<layout::by_rows, 5, 4, Joseph::no, T>(c, 5, 4, 1);
  });
}
TYPED_TEST(Filters, RiccatiStepOfAnySize) {
  using T = TypeParam;
  const int shapes[][2] = {{1, 1}, {2, 1}, {1, 3}, {6, 2}, {7, 7}, {13, 4}, {3, 17}, {33, 5}, {4, 0}, {0, 3}};
  scopes_of<T>([&](auto c) {
    for (const auto& [nx, nu] : shapes) stages<layout::padded, -1, -1, Shift::none, true, T>(c, nx, nu, T(0));
    stages<layout::padded, -1, -1, Shift::none, true, T>(c, 5, 3, T(0), T(-1), 2);
  });
  scope_of<T>([&](auto c) {
    for (const auto& [nx, nu] : shapes) stages<layout::padded, -1, -1, Shift::identity, false, T>(c, nx, nu, T(0.5));
    stages<layout::by_rows, 6, 3, Shift::diagonal, false, T>(c, 6, 3, T(0.5));
  });
}
TYPED_TEST(Filters, PointerFaces) {
  using T = TypeParam;
  const auto near = [](T got, double expected) { EXPECT_NEAR(got, expected, 1e-5); };
  T x[] = {1, 2}, p[] = {1, 0, 0, 1}, scratch[16];
  const T h[] = {1, 0}, r[] = {1}, y[] = {2};
  EXPECT_EQ((thread::kalman_update<T, 2, 1>(x, p, h, r, y, scratch)), 0);
  near(x[0], 2), near(x[1], 2), near(p[0], 0.5), near(p[3], 1);
  EXPECT_EQ((thread::kalman_update<T, Joseph::yes>(2, 1, x, p, h, r, y, scratch)), 0);
  near(p[0], 1.0 / 3);
  const T a[] = {1, 0, 0, 1}, b[] = {1, 0}, q[] = {1, 0, 0, 1}, cost[] = {2, 0, 0, 2};
  T k[2], next[4];
  EXPECT_EQ((thread::riccati_step<T, 2, 1>(cost, a, b, q, r, k, next, scratch)), 0);
  near(k[0], 2.0 / 3), near(next[0], 1 + 2 - 4.0 / 3), near(next[3], 3);
  EXPECT_EQ((thread::riccati_step<T, Shift::identity>(2, 1, cost, a, b, q, r, k, next, scratch, 1)), 0);
  near(k[0], 0.5);
  EXPECT_EQ((riccati_step_scratch_bytes<T, 4, 3>(scope::thread{})), int(37 * sizeof(T)));
  EXPECT_EQ((kalman_update_scratch_bytes<T, 4, 3>(scope::thread{})), int(24 * sizeof(T)));
  EXPECT_EQ((kalman_update_scratch_bytes<T, 4, 3, Joseph::yes>(scope::thread{})), int(68 * sizeof(T)));
}

}  // namespace
}  // namespace glass::test
