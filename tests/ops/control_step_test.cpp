// gn_step, lm_step, riccati_gain: the backward error of the system that the inputs make, info, what a failure leaves
// alone, and the decrease that lm_step promises.
#include "glass/control/gn_step.cuh"
#include "glass/control/riccati_gain.cuh"
#include "support/control.hpp"

namespace glass::test {
namespace {

// |H X - B| <= c eps (|| |H| || ||x|| + || |B| ||), every column, maximum norms, where H and B are what the operation
// forms from its inputs, and |H| and |B| the sums of the terms of that forming.
template <class T, class W>
std::string system_error(const dense<W>& h, const dense<W>& h_terms, const dense<T>& x, const dense<W>& b,
                         const dense<W>& b_terms, double c) {
  const auto wx = x.template as<W>(), hx = times(h, wx);
  const auto norm = [](const dense<W>& a, int col) {
    W most = 0;
    for (int i = 0; i < a.rows; ++i) most = std::max(most, std::abs(a(i, col)));
    return most;
  };
  W norm_h = 0;
  for (int i = 0; i < h.rows; ++i) {
    W row = 0;
    for (int j = 0; j < h.cols; ++j) row += h_terms(i, j);
    norm_h = std::max(norm_h, row);
  }
  for (int r = 0; r < x.cols; ++r)
    for (int i = 0; i < x.rows; ++i)
      if (!(std::abs(hx(i, r) - b(i, r)) <=
            W(c) * W(std::numeric_limits<T>::epsilon()) * (norm_h * norm(wx, r) + norm(b_terms, r))))
        return "the residual at " + std::to_string(i) + ", " + std::to_string(r) + " is " +
               std::to_string(double(hx(i, r) - b(i, r)));
  return "";
}
// ---- steps
enum class form { gauss_newton, marquardt, marquardt_stored };
template <class T>
struct step {
  form what;
  Shift shift;
  T lambda;
  int expected;
  dense<T> j0, r0;
  operand<T> j, r, dq, predicted, scratch;
  answers<int> info;
  answers<T> promised;
  step(form f, Shift s, T l, int e, const dense<T>& J, const dense<T>& R, layout how)
      : what(f),
        shift(s),
        lambda(l),
        expected(e),
        j0(J),
        r0(R),
        j(J, how),
        r(R, how),
        dq(dense<T>(J.cols, 1, T(7)), how),
        predicted(dense<T>(1, 1, T(7)), layout::natural),
        scratch(dense<T>(J.cols * (J.cols + (f == form::gauss_newton ? 0 : 2)), 1, poison<T>()), layout::natural) {}
};
template <class T>
std::string judge_step(step<T>& p) {
  using W = reference::wide<T>;
  const int n = p.j0.cols, m = p.j0.rows;
  if (!p.info.all(p.expected)) return "info " + std::to_string(p.info.one()) + ", not " + std::to_string(p.expected);
  if (!p.j.untouched() || !p.r.untouched()) return "an input was written";
  if (!p.scratch.untouched(everywhere)) return "memory outside the scratch was written";
  const bool ok = p.expected == 0, stores = ok && p.what == form::marquardt_stored;
  if (!p.dq.untouched([&](int, int) { return ok; })) return ok ? "memory outside dq was written" : "a failure wrote dq";
  if (!p.predicted.untouched([&](int, int) { return stores; })) return "predicted was written";
  if (!ok) return p.what == form::marquardt && !p.promised.all(0) ? "a failure promises a decrease" : "";
  const auto j = p.j0.template as<W>();
  auto h = times(reference::transposed(j), j);
  dense<W> damping(n, 1), g = times(reference::transposed(j), p.r0.template as<W>());
  for (int i = 0; i < n; ++i) {
    const bool marquardt = p.what != form::gauss_newton;
    damping(i) = p.shift == Shift::none ? 0 : p.shift == Shift::identity || (marquardt && h(i, i) == 0) ? 1 : h(i, i);
    h(i, i) += p.lambda * damping(i);
  }
  const auto turned = reference::magnitude(reference::transposed(j));
  auto h_terms = times(turned, reference::magnitude(j));
  for (int i = 0; i < n; ++i) h_terms(i, i) += p.lambda * damping(i);
  if (auto wrong = system_error(h, h_terms, p.dq.result(), g,
                                times(turned, reference::magnitude(p.r0.template as<W>())), n + m + 4);
      !wrong.empty())
    return wrong;
  if (p.what == form::gauss_newton) return "";
  W ref = 0, terms = 0;
  for (int i = 0; i < n; ++i) {
    const W x = p.dq.result()(i), damp = p.lambda * damping(i) * x * x, along = x * g(i);
    W size = 0;
    for (int k = 0; k < m; ++k) size += std::abs(j(k, i) * W(p.r0(k)));
    ref += (damp + along) / 2, terms += damp / 2 + std::abs(x) * size / 2;
  }
  const T promised = p.what == form::marquardt ? p.promised.one() : p.predicted.result()(0);
  if (p.what == form::marquardt && !p.promised.all(promised)) return "the lanes were promised different decreases";
  if (promised < 0) return "a negative decrease is promised";
  return close(promised, ref, terms, n + m + 4) ? "" : "the promised decrease is wrong";
}
template <class S, layout L, form F, int M, int N, Shift Sh, class T>
void act_step(step<T>& p) {
  const S scope;
  const auto j = p.j.template matrix<L, M, N>();
  const auto r = p.r.template vector<L, M>();
  const auto dq = p.dq.template vector<L, N>();
  const auto scratch = p.scratch.template vector<layout::natural, -1>();
  if constexpr (F == form::gauss_newton) {
    p.info.set(scope, gn_step<Sh>(scope, j, r, p.lambda, dq, scratch));
  } else if constexpr (F == form::marquardt) {
    const auto result = lm_step(scope, j, r, p.lambda, dq, scratch);
    p.info.set(scope, result.info), p.promised.set(scope, result.predicted);
  } else {
    p.info.set(scope, lm_step(scope, j, r, p.lambda, dq, p.predicted.template vector<layout::natural, 1>(), scratch));
  }
  use_all(scope, p.j, p.r, p.dq, p.predicted, p.scratch);
}
template <layout L, form F, int M, int N, Shift Sh, class T, class S>
void steps(const scope_case<S>& c, const dense<T>& j, const dense<T>& r, T lambda, int expected = 0) {
  in_every_order<step<T>>(
      c.how, "M=" + std::to_string(j.rows) + " N=" + std::to_string(j.cols),
      [&] { return step<T>(F, Sh, lambda, expected, j, r, L); }, act_step<S, L, F, M, N, Sh, T>, judge_step<T>);
}

template <class T>
struct Steps : testing::Test {};
TYPED_TEST_SUITE(Steps, scalars, scalar_names);

TYPED_TEST(Steps, OfAnySize) {
  using T = TypeParam;
  const int shapes[][2] = {{1, 1}, {2, 1}, {3, 2}, {6, 7}, {7, 6}, {13, 9}, {3, 17}, {33, 5}, {4, 0}, {0, 3}};
  scopes_of<T>([&](auto c) {
    for (const auto& [m, n] : shapes) {
      const auto j = uniform<T>(m, n), r = uniform<T>(m, 1);
      const int nothing = m == 0 && n > 0 ? 1 : 0;  // no residuals: J^T J is 0, and so is its diagonal
      steps<layout::padded, form::gauss_newton, -1, -1, Shift::diagonal, T>(c, j, r, T(0.5), nothing);
      steps<layout::padded, form::marquardt, -1, -1, Shift::diagonal, T>(c, j, r, T(0.5));
    }
  });
}
TYPED_TEST(Steps, ConstantSizesLayoutsAndShifts) {
  using T = TypeParam;
  scope_of<T>([&](auto c) {
    const auto j = uniform<T>(9, 6), r = uniform<T>(9, 1);
    steps<layout::padded, form::gauss_newton, -1, -1, Shift::identity, T>(c, j, r, T(0.25));
    steps<layout::by_rows, form::gauss_newton, 9, 6, Shift::none, T>(c, j, r, T(0));
    steps<layout::natural, form::marquardt_stored, 9, 6, Shift::diagonal, T>(c, j, r, T(0.125));
  });
}
TYPED_TEST(Steps, ZeroColumnsAndFailures) {
  using T = TypeParam;
  auto j = uniform<T>(5, 4);
  const auto r = uniform<T>(5, 1);
  for (int i = 0; i < 5; ++i) j(i, 2) = 0;
  scopes_of<T>([&](auto c) {
    // A joint that moves nothing: Gauss-Newton has no answer, Levenberg-Marquardt leaves it where it is.
    steps<layout::padded, form::gauss_newton, -1, -1, Shift::diagonal, T>(c, j, r, T(0.5), 3);
    steps<layout::padded, form::marquardt, -1, -1, Shift::diagonal, T>(c, j, r, T(0.5));
    steps<layout::padded, form::marquardt, -1, -1, Shift::diagonal, T>(c, j, r, T(0), 3);
    auto bad = j;
    bad(1, 0) = std::numeric_limits<T>::quiet_NaN();
    steps<layout::padded, form::marquardt, -1, -1, Shift::diagonal, T>(c, bad, r, T(0.5), 1);
    bad(1, 0) = std::numeric_limits<T>::infinity();
    steps<layout::padded, form::gauss_newton, -1, -1, Shift::diagonal, T>(c, bad, r, T(0.5), 1);
  });
}

// ---- gain
template <class T>
struct gain {
  Shift shift;
  T rho;
  int expected;
  dense<T> p0, a0, b0, r0;
  operand<T> p, a, b, r, k, scratch;
  answers<int> info;
  gain(Shift s, T rh, int e, const dense<T>& P, const dense<T>& A, const dense<T>& B, const dense<T>& R, layout how)
      : shift(s),
        rho(rh),
        expected(e),
        p0(P),
        a0(A),
        b0(B),
        r0(R),
        p(P, how),
        a(A, how),
        b(B, how),
        r(R, how),
        k(dense<T>(B.cols, B.rows, T(7)), how),
        scratch(dense<T>(B.cols * (B.cols + B.rows), 1, poison<T>()), layout::natural) {}
};
template <class T>
std::string judge_gain(gain<T>& p) {
  using W = reference::wide<T>;
  if (!p.info.all(p.expected)) return "info " + std::to_string(p.info.one()) + ", not " + std::to_string(p.expected);
  if (!p.p.untouched() || !p.a.untouched() || !p.b.untouched() || !p.r.untouched()) return "an input was written";
  if (!p.scratch.untouched(everywhere)) return "memory outside the scratch was written";
  const bool ok = p.expected == 0;
  if (!p.k.untouched([&](int, int) { return ok; })) return ok ? "memory outside K was written" : "a failure wrote K";
  if (!ok) return "";
  const auto pw = p.p0.template as<W>(), a = p.a0.template as<W>(), b = p.b0.template as<W>();
  const auto r = reference::mirrored(p.r0, true).template as<W>();
  const Shift shift = p.shift;
  const auto form = [&](const dense<W>& p, const dense<W>& a, const dense<W>& b, const dense<W>& r, W rho) {
    const auto pb = times(p, b);
    auto h = added(times(reference::transposed(b), pb), r);
    return std::pair(with_shift(h, shift, rho), times(reference::transposed(pb), a));
  };
  const auto [h, g] = form(pw, a, b, r, p.rho);
  using reference::magnitude;
  const auto [h_terms, g_terms] = form(magnitude(pw), magnitude(a), magnitude(b), magnitude(r), p.rho);
  return system_error(h, h_terms, p.k.result(), g, g_terms, p.b0.rows + p.b0.cols + 4);
}
template <class S, layout L, int NX, int NU, Shift Sh, class T>
void act_gain(gain<T>& p) {
  const S scope;
  const auto go = [&](auto... rho) {
    return riccati_gain<Sh>(scope, p.p.template matrix<L, NX, NX>(), p.a.template matrix<L, NX, NX>(),
                            p.b.template matrix<L, NX, NU>(), p.r.template matrix<L, NU, NU>(),
                            p.k.template matrix<L, NU, NX>(), p.scratch.template vector<layout::natural, -1>(), rho...);
  };
  if constexpr (Sh == Shift::none)
    p.info.set(scope, go());
  else
    p.info.set(scope, go(p.rho));
  use_all(scope, p.p, p.a, p.b, p.r, p.k, p.scratch);
}
template <layout L, int NX, int NU, Shift Sh, class T, class S>
void gains(const scope_case<S>& c, const dense<T>& b, const dense<T>& r, T rho, int expected = 0) {
  const int nx = b.rows;
  const auto p = reference::mirrored(spd<T>(nx, 1e2), true), a = uniform<T>(nx, nx);
  in_every_order<gain<T>>(
      c.how, "NX=" + std::to_string(nx) + " NU=" + std::to_string(b.cols),
      [&] { return gain<T>(Sh, rho, expected, p, a, b, r, L); }, act_gain<S, L, NX, NU, Sh, T>, judge_gain<T>);
}

template <class T>
struct Gain : testing::Test {};
TYPED_TEST_SUITE(Gain, scalars, scalar_names);

TYPED_TEST(Gain, OfAnySize) {
  using T = TypeParam;
  const int shapes[][2] = {{1, 1}, {2, 1}, {1, 3}, {6, 2}, {7, 7}, {13, 4}, {3, 17}, {33, 5}, {4, 0}, {0, 3}};
  scopes_of<T>([&](auto c) {
    for (const auto& [nx, nu] : shapes)
      gains<layout::padded, -1, -1, Shift::none, T>(c, uniform<T>(nx, nu), spd<T>(nu, 10), T(0));
  });
}
TYPED_TEST(Gain, ConstantSizesLayoutsAndShifts) {
  using T = TypeParam;
  scope_of<T>([&](auto c) {
    gains<layout::natural, 6, 3, Shift::none, T>(c, uniform<T>(6, 3), spd<T>(3, 10), T(0));
    gains<layout::by_rows, 3, 2, Shift::identity, T>(c, uniform<T>(3, 2), spd<T>(2, 10), T(0.5));
    for (const auto& [nx, nu] : {std::pair(5, 2), std::pair(3, 9)})
      gains<layout::padded, -1, -1, Shift::diagonal, T>(c, uniform<T>(nx, nu), spd<T>(nu, 10), T(0.5));
  });
}
TYPED_TEST(Gain, Failures) {
  using T = TypeParam;
  dense<T> b(3, 2), r(2, 2);
  b(0, 0) = 1, r(0, 0) = 1, r(1, 1) = -4;  // the second input does nothing and costs less than nothing
  auto bad = r;
  bad(0, 0) = std::numeric_limits<T>::quiet_NaN();
  scopes_of<T>([&](auto c) {
    gains<layout::padded, -1, -1, Shift::none, T>(c, b, r, T(0), 2);
    gains<layout::padded, -1, -1, Shift::none, T>(c, b, bad, T(0), 1);
  });
  scope_of<T>([&](auto c) { gains<layout::by_rows, 3, 2, Shift::identity, T>(c, b, r, T(5)); });
}

TYPED_TEST(Gain, PointerFacesOfAll) {
  using T = TypeParam;
  const T p[] = {2, 0, 0, 2}, a[] = {1, 0, 0, 1}, b[] = {1, 0}, r[] = {2};
  T k[2], scratch[8];
  EXPECT_EQ((thread::riccati_gain<T, 2, 1>(p, a, b, r, k, scratch)), 0);
  const auto near = [](T got, double expected) { EXPECT_NEAR(got, expected, 1e-5); };
  near(k[0], 0.5);
  EXPECT_EQ((thread::riccati_gain<T, Shift::identity>(2, 1, p, a, b, r, k, scratch, 4)), 0);
  near(k[0], 0.25);
  const T j[] = {2, 0, 0, 1}, residual[] = {4, 3};
  T dq[2];
  EXPECT_EQ((thread::gn_step<T, 2, 2>(j, residual, 1, dq, scratch)), 0);
  near(dq[0], 1);
  near(dq[1], 1.5);
  EXPECT_EQ((thread::gn_step<T, Shift::none>(2, 2, j, residual, 1, dq, scratch)), 0);
  near(dq[0], 2);
  const auto result = thread::lm_step<T, 2, 2>(j, residual, 1, dq, scratch);
  EXPECT_EQ(result.info, 0);
  near(result.predicted, 9.375);  // (4 + 8 + 2.25 + 4.5) / 2
  EXPECT_EQ((riccati_gain_scratch_bytes<T, 4, 3>(scope::thread{})), int(21 * sizeof(T)));
  EXPECT_EQ((gn_step_scratch_bytes<T, 4, 3>(scope::thread{})), int(9 * sizeof(T)));
  EXPECT_EQ((lm_step_scratch_bytes<T, 4, 3>(scope::thread{})), int(15 * sizeof(T)));
}

}  // namespace
}  // namespace glass::test
