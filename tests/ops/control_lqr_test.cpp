// lqr_backward and lqr_forward: gains and costs-to-go against their recursion one precision wider, the trajectory
// against its formula and against the conditions of an optimum, the stage that fails, and what a failure leaves alone.
#include "glass/control/lqr.cuh"
#include "support/control.hpp"

namespace glass::test {
namespace {

template <class T>
struct system {
  int nx, nu, n;
  dense<T> a, b, c, q, m, r, ql, rl, qn, qnl, x0;
  system(int x, int u, int stages)
      : nx(x),
        nu(u),
        n(stages),
        a(uniform<T>(x, x * n)),
        b(uniform<T>(x, u * n)),
        c(uniform<T>(x, n)),
        q(x, x * n),
        m(uniform<T>(u, x * n)),
        r(u, u * n),
        ql(uniform<T>(x, n)),
        rl(uniform<T>(u, n)),
        qn(spd<T>(x, 10)),
        qnl(uniform<T>(x, 1)),
        x0(uniform<T>(x, 1)) {
    for (T& e : a.numbers) e *= T(1.5 / std::sqrt(x));
    for (T& e : m.numbers) e *= T(0.1 / std::sqrt(x * u));  // the cost of a stage stays convex
    for (int t = 0; t < n; ++t) put(q, t, spd<T>(x, 10)), put(r, t, spd<T>(u, 10));
  }
  static void put(dense<T>& all, int t, const dense<T>& one) {
    for (int j = 0; j < one.cols; ++j)
      for (int i = 0; i < one.rows; ++i) all(i, t * one.cols + j) = one(i, j);
  }
};
template <class W, class T>
dense<W> part(const dense<T>& all, int t, int cols) {
  dense<W> one(all.rows, cols);
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < all.rows; ++i) one(i, j) = W(all(i, t * cols + j));
  return one;
}
template <class T>
struct problem {
  Shift shift;
  T rho, alpha;
  int expected;
  system<T> s;
  operand<T> a, b, c, q, m, r, ql, rl, qn, qnl, x0, gain, constant, p, pl, x, u, scratch;
  answers<int> info;
  problem(Shift sh, T rh, T al, int e, const system<T>& y, layout how)
      : shift(sh),
        rho(rh),
        alpha(al),
        expected(e),
        s(y),
        a(y.a, how),
        b(y.b, how),
        c(y.c, how),
        q(y.q, how),
        m(y.m, how),
        r(y.r, how),
        ql(y.ql, how),
        rl(y.rl, how),
        qn(y.qn, how),
        qnl(y.qnl, how),
        x0(y.x0, how),
        gain(dense<T>(y.nu, y.nx * y.n, T(7)), how),
        constant(dense<T>(y.nu, y.n, T(7)), how),
        p(dense<T>(y.nx, y.nx * (y.n + 1), T(7)), how),
        pl(dense<T>(y.nx, y.n + 1, T(7)), how),
        x(dense<T>(y.nx, y.n + 1, T(7)), how),
        u(dense<T>(y.nu, y.n, T(7)), how),
        scratch(dense<T>(y.nu * y.nu + y.nx * y.nu + (y.nx + y.nu) * (y.nx + 1), 1, poison<T>()), layout::natural) {}
};
template <class T>
std::string judge(problem<T>& o) {
  using W = reference::wide<T>;
  using reference::transposed;
  const auto& s = o.s;
  const int nx = s.nx, nu = s.nu, n = s.n, from = o.expected;  // stages from ... n - 1 (counted from 0) are final
  if (!o.info.all(o.expected)) return "info " + std::to_string(o.info.one()) + ", not " + std::to_string(o.expected);
  for (operand<T>* in : {&o.a, &o.b, &o.c, &o.q, &o.m, &o.r, &o.ql, &o.rl, &o.qn, &o.qnl, &o.x0})
    if (!in->untouched()) return "an input was written";
  if (!o.scratch.untouched(everywhere)) return "memory outside the scratch was written";
  if (!o.gain.untouched([&](int, int j) { return j >= from * nx; }) ||
      !o.constant.untouched([&](int, int j) { return j >= from; }) ||
      !o.p.untouched([&](int, int j) { return j >= from * nx; }) ||
      !o.pl.untouched([&](int, int j) { return j >= from; }))
    return "memory outside K, k, P or p, or of a stage that was not reached, was written";
  const auto ok = [&](int, int) { return from == 0; };
  if (!o.x.untouched(ok) || !o.u.untouched(ok)) return "memory outside x or u was written";
  const double bound = 100 * (nx + nu + 4);  // for matrices of condition 10
  auto p = reference::mirrored(s.qn.template as<W>(), true), pl = s.qnl.template as<W>();
  for (int t = n; t >= from; --t) {
    if (t < n) {
      const auto a = part<W>(s.a, t, nx), b = part<W>(s.b, t, nu), at = transposed(a), bt = transposed(b);
      const auto v = added(times(p, part<W>(s.c, t, 1)), pl), pa = times(p, a);
      const auto h =
          with_shift(added(reference::mirrored(part<W>(s.r, t, nu), true), times(bt, times(p, b))), o.shift, W(o.rho));
      const auto hux = added(part<W>(s.m, t, nx), times(bt, pa)), hu = added(part<W>(s.rl, t, 1), times(bt, v));
      const auto k = solved(h, hux), kl = solved(h, hu);
      if (auto wrong = far("K", part<T>(o.gain.result(), t, nx), k, 1 + largest(k), bound); !wrong.empty())
        return wrong;
      if (auto wrong = far("k", part<T>(o.constant.result(), t, 1), kl, 1 + largest(kl), bound); !wrong.empty())
        return wrong;
      p = added(added(reference::mirrored(part<W>(s.q, t, nx), true), times(at, pa)), times(transposed(hux), k), W(-1));
      pl = added(added(part<W>(s.ql, t, 1), times(at, v)), times(transposed(hux), kl), W(-1));
    }
    const auto got = part<T>(o.p.result(), t, nx);
    if (!symmetric_bits(got)) return "P is not exactly symmetric";
    if (auto wrong = far("P", got, p, 1 + 2 * largest(p), bound); !wrong.empty()) return wrong;
    if (auto wrong = far("p", part<T>(o.pl.result(), t, 1), pl, 1 + largest(p) + largest(pl), bound); !wrong.empty())
      return wrong;
  }
  if (from > 0) return "";
  // The trajectory, step by step from what was computed; and the derivatives of the Lagrangian with the multipliers
  // P x + p.
  const auto wide = [](const operand<T>& d, int t, int cols) { return part<W>(d.result(), t, cols); };
  const auto multiplier = [&](int t) { return added(times(wide(o.p, t, nx), wide(o.x, t, 1)), wide(o.pl, t, 1)); };
  if (auto wrong = far("x0", part<T>(o.x.result(), 0, 1), s.x0.template as<W>(), W(0), 1); !wrong.empty()) return wrong;
  for (int t = 0; t < n; ++t) {
    const auto x = wide(o.x, t, 1), u = wide(o.u, t, 1), next = multiplier(t + 1), now = multiplier(t);
    const auto a = part<W>(s.a, t, nx), b = part<W>(s.b, t, nu), m = part<W>(s.m, t, nx);
    const auto k = wide(o.gain, t, nx), kl = wide(o.constant, t, 1);
    const auto control = added(times(k, x), kl, W(o.alpha));
    const W size = 1 + nx * largest(k) * largest(x) + std::abs(o.alpha) * largest(kl);
    if (auto wrong = far("u", part<T>(o.u.result(), t, 1), added(dense<W>(nu, 1), control, W(-1)), size, nx + 2);
        !wrong.empty())
      return wrong;
    const auto step = added(added(times(a, x), times(b, u)), part<W>(s.c, t, 1));
    const W reach = 1 + 3 * (nx + nu) * (largest(x) + largest(u));
    if (auto wrong = far("x", part<T>(o.x.result(), t + 1, 1), step, reach, nx + nu + 2); !wrong.empty()) return wrong;
    if (o.alpha != 1 || o.shift != Shift::none) continue;
    const auto q = reference::mirrored(part<W>(s.q, t, nx), true), r = reference::mirrored(part<W>(s.r, t, nu), true);
    const auto by_u = added(added(added(times(m, x), times(r, u)), part<W>(s.rl, t, 1)), times(transposed(b), next));
    const auto by_x = added(
        added(added(added(times(q, x), times(transposed(m), u)), part<W>(s.ql, t, 1)), times(transposed(a), next)), now,
        W(-1));
    const W scale = (1 + largest(wide(o.p, t, nx)) + largest(wide(o.p, t + 1, nx))) * (1 + largest(x) + largest(u));
    if (auto wrong = far("dL/du", by_u, dense<W>(nu, 1), scale * W(bound) * W(std::numeric_limits<T>::epsilon()),
                         1 / double(std::numeric_limits<W>::epsilon()));
        !wrong.empty())
      return wrong;
    if (auto wrong = far("dL/dx", by_x, dense<W>(nx, 1), scale * W(bound) * W(std::numeric_limits<T>::epsilon()),
                         1 / double(std::numeric_limits<W>::epsilon()));
        !wrong.empty())
      return wrong;
  }
  return "";
}
template <class S, layout L, int NX, int NU, int N, Shift Sh, class T>
void act(problem<T>& o) {
  const S scope;
  constexpr int xs = NX < 0 ? -1 : NX * N, us = NU < 0 ? -1 : NU * N, ps = NX < 0 ? -1 : NX * (N + 1),
                more = N < 0 ? -1 : N + 1;
  const auto a = o.a.template matrix<L, NX, xs>();
  const auto b = o.b.template matrix<L, NX, us>();
  const auto c = o.c.template matrix<L, NX, N>();
  const auto gain = o.gain.template matrix<L, NU, xs>();
  const auto constant = o.constant.template matrix<L, NU, N>();
  const auto go = [&](auto... rho) {
    return lqr_backward<Sh>(scope, a, b, c, o.q.template matrix<L, NX, xs>(), o.m.template matrix<L, NU, xs>(),
                            o.r.template matrix<L, NU, us>(), o.ql.template matrix<L, NX, N>(),
                            o.rl.template matrix<L, NU, N>(), o.qn.template matrix<L, NX, NX>(),
                            o.qnl.template vector<L, NX>(), gain, constant, o.p.template matrix<L, NX, ps>(),
                            o.pl.template matrix<L, NX, more>(), o.scratch.template vector<layout::natural, -1>(),
                            rho...);
  };
  int info;
  if constexpr (Sh == Shift::none)
    info = go();
  else
    info = go(o.rho);
  o.info.set(scope, info);
  use_all(scope, o.a, o.b, o.c, o.q, o.m, o.r, o.ql, o.rl, o.qn, o.qnl, o.gain, o.constant, o.p, o.pl, o.scratch);
  if (info == 0) {
    scope.sync();
    lqr_forward(scope, a, b, c, gain, constant, o.x0.template vector<L, NX>(), o.x.template matrix<L, NX, more>(),
                o.u.template matrix<L, NU, N>(), o.alpha);
    use_all(scope, o.a, o.b, o.c, o.gain, o.constant, o.x0, o.x, o.u);
  }
}
template <layout L, int NX, int NU, int N, Shift Sh, class T, class S>
void regulate(const scope_case<S>& c, const system<T>& s, T rho = 0, T alpha = 1, int expected = 0) {
  in_every_order<problem<T>>(
      c.how, "NX=" + std::to_string(s.nx) + " NU=" + std::to_string(s.nu) + " N=" + std::to_string(s.n),
      [&] { return problem<T>(Sh, rho, alpha, expected, s, L); }, act<S, L, NX, NU, N, Sh, T>, judge<T>);
}

template <class T>
struct Lqr : testing::Test {};
TYPED_TEST_SUITE(Lqr, scalars, scalar_names);

TYPED_TEST(Lqr, OfAnySize) {
  using T = TypeParam;
  const int shapes[][3] = {{1, 1, 1}, {2, 1, 5}, {1, 3, 2}, {6, 2, 3}, {7, 7, 2}, {13, 4, 3},
                           {3, 9, 2}, {4, 2, 0}, {4, 0, 2}, {0, 3, 2}, {19, 5, 2}};
  scopes_of<T>([&](auto c) {
    for (const auto& [nx, nu, n] : shapes)
      regulate<layout::padded, -1, -1, -1, Shift::none, T>(c, system<T>(nx, nu, n), T(0), T(nu % 2 ? 1 : 0.5));
    for (const int at : {4, 2, 1}) {  // an input that does nothing and costs less than nothing, or what is no number
      system<T> s(5, 3, 4);
      for (int i = 0; i < 5; ++i) s.b(i, 3 * (at - 1) + 1) = 0;
      system<T>::put(s.r, at - 1, dense<T>(3, 3));
      for (int i = 0; i < 3; ++i) s.r(i, 3 * (at - 1) + i) = i == 1 ? T(-1) : T(1);
      regulate<layout::padded, -1, -1, -1, Shift::none, T>(c, s, T(0), T(1), at);
      s.r(1, 3 * (at - 1) + 1) = std::numeric_limits<T>::quiet_NaN();
      regulate<layout::padded, -1, -1, -1, Shift::none, T>(c, s, T(0), T(1), at);
    }
  });
}
TYPED_TEST(Lqr, ConstantSizesLayoutsAndShifts) {
  using T = TypeParam;
  scope_of<T>([&](auto c) {
    regulate<layout::natural, 6, 3, 4, Shift::none, T>(c, system<T>(6, 3, 4));
    regulate<layout::by_rows, 5, 2, 3, Shift::identity, T>(c, system<T>(5, 2, 3), T(0.5));
    regulate<layout::padded, -1, -1, -1, Shift::diagonal, T>(c, system<T>(7, 4, 3), T(0.5), T(0));
  });
}
// Without linear terms a stage is riccati_step.
TYPED_TEST(Lqr, IsARecursionOfRiccatiSteps) {
  using T = TypeParam;
  const system<T> s(4, 2, 3);
  const dense<T> nothing(8, 12);
  const T* z = nothing.numbers.data();
  dense<T> gain(2, 12), constant(2, 3, T(7)), p(4, 16), pl(4, 4, T(7)), scratch(64, 1), k(2, 4), next(4, 4);
  EXPECT_EQ((thread::lqr_backward<T, 4, 2, 3>(s.a.numbers.data(), s.b.numbers.data(), z, s.q.numbers.data(), z,
                                              s.r.numbers.data(), z, z, s.qn.numbers.data(), z, gain.numbers.data(),
                                              constant.numbers.data(), p.numbers.data(), pl.numbers.data(),
                                              scratch.numbers.data(), T(0.5))),
            0);
  auto now = reference::mirrored(s.qn, true);
  for (int t = 2; t >= 0; --t) {
    EXPECT_EQ((thread::riccati_step<T, 4, 2, Shift::identity>(now.numbers.data(), &s.a(0, 4 * t), &s.b(0, 2 * t),
                                                              &s.q(0, 4 * t), &s.r(0, 2 * t), k.numbers.data(),
                                                              next.numbers.data(), scratch.numbers.data(), T(0.5))),
              0);
    now = next;
    EXPECT_EQ(far("K", part<T>(gain, t, 4), k, T(1) + largest(k), 100), "");
    EXPECT_EQ(far("P", part<T>(p, t, 4), now, T(1) + largest(now), 100), "");
  }
  EXPECT_EQ(largest(constant) + largest(pl), T(0));
}
TYPED_TEST(Lqr, PointerFaces) {
  using T = TypeParam;
  // x+ = x + u + 1 with x^2 + u^2 and, in the end, x^2 + 2 x: all by hand.
  const T one[] = {1, 1}, two[] = {2, 2}, zero[] = {0, 0}, x0[] = {1};
  T gain[2], constant[2], p[3], pl[3], scratch[6], x[3], u[2];
  EXPECT_EQ((thread::lqr_backward<T>(1, 1, 2, one, one, one, two, zero, two, zero, zero, two, two, gain, constant, p,
                                     pl, scratch)),
            0);
  const auto near = [](T got, double expected) { EXPECT_NEAR(double(got), expected, 1e-5); };
  near(gain[1], 0.5), near(constant[1], 1), near(p[1], 3), near(pl[1], 2);
  near(gain[0], 0.6), near(constant[0], 1), near(p[0], 3.2), near(pl[0], 2);
  thread::lqr_forward<T, 1, 1, 2>(one, one, one, gain, constant, x0, x, u);
  near(u[0], -1.6), near(x[1], 0.4), near(u[1], -1.2), near(x[2], 0.2);
  thread::lqr_forward<T>(1, 1, 2, one, one, one, gain, static_cast<const T*>(nullptr), x0, x, u, 0);
  near(u[0], -0.6), near(x[1], 1.4), near(u[1], -0.7), near(x[2], 1.7);
  EXPECT_EQ((lqr_backward_scratch_bytes<T, 4, 3, 9>(scope::thread{})), int(56 * sizeof(T)));
}

}  // namespace
}  // namespace glass::test
