// Fragments as a vocabulary: multiply, transposed, broadcast, cholesky and the four solves against the formulas; and
// the example of a filter's update, whose two forms, with views and with fragments, agree.
#include "glass/factor/fragments.cuh"
#include "glass/matrix/fragments.cuh"
#include "kernels_src/examples/ekf_update.cu"
#include "support/products.hpp"

namespace glass::test {
namespace {

constexpr int M = 6, N = 5, R = 3;
template <class F>
void fragment_scopes(F f) {
  f(scope_case<scope::thread>{{"thread", 1, {1}}});
  f(scope_case<scope::tile<4>>{{"tile4", 4, {8}}});
  f(scope_case<scope::warp>{{"warp", 32, {32}}});
}

// ---- products: A: M x N, B: N x R, C: M x R, and their transposes
template <class T>
struct products_of_fragments {
  dense<T> a0 = uniform<T>(M, N), b0 = uniform<T>(N, R), c0 = uniform<T>(M, R);
  operand<T> a{a0, layout::padded}, at{reference::transposed(a0), layout::padded}, b{b0, layout::padded},
      bt{reference::transposed(b0), layout::padded};
  std::vector<operand<T>> c = std::vector<operand<T>>(6, operand<T>(c0, layout::padded));
  operand<T> turned{dense<T>(N, M, T(7)), layout::padded};
};
template <class S, class T>
void act_products(products_of_fragments<T>& p) {
  const S scope;
  constexpr auto L = layout::padded;
  const auto a = load(scope, p.a.template matrix<L, M, N>());
  const auto at = load(scope, p.at.template matrix<L, N, M>());
  const auto b = load(scope, p.b.template matrix<L, N, R>());
  const auto bt = load(scope, p.bt.template matrix<L, R, N>());
  const auto go = [&](int which, auto act) {
    const auto view = p.c[static_cast<std::size_t>(which)].template matrix<L, M, R>();
    auto c = load(scope, view);
    act(c);
    store(scope, c, view);
  };
  go(0, [&](auto& c) { multiply(scope, T(1.5), a, b, c); });
  go(1, [&](auto& c) { multiply<Trans::yes>(scope, T(1.5), at, b, c); });
  go(2, [&](auto& c) { multiply<Trans::no, Trans::yes>(scope, T(1.5), a, bt, c); });
  go(3, [&](auto& c) { multiply<Trans::yes, Trans::yes>(scope, T(1.5), at, bt, c); });
  go(4, [&](auto& c) { multiply(scope, T(1.5), a, broadcast(scope, b), c); });
  go(5, [&](auto& c) { multiply<Trans::no, Trans::yes>(scope, T(1.5), a, p.bt.template matrix<L, R, N>(), c); });
  store(scope, transposed(scope, a), p.turned.template matrix<L, N, M>());
  scope.sync();
  for (auto& c : p.c) use_all(scope, c);
  use_all(scope, p.turned);
}
template <class T>
std::string judge_products(products_of_fragments<T>& p) {
  for (std::size_t k = 0; k < p.c.size(); ++k) {
    if (!p.c[k].untouched(everywhere)) return "memory outside C was written";
    const auto wrong = product_error(T(1.5), p.a0, p.b0, T(1), p.c0, p.c[k].result(), N + 2, everywhere);
    if (!wrong.empty()) return "product " + std::to_string(k) + ": " + wrong;
  }
  if (!p.turned.untouched(everywhere)) return "memory outside the transpose was written";
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < M; ++i)
      if (!same_bits(p.turned.result()(j, i), p.a0(i, j))) return "the transpose is wrong";
  return "";
}

// ---- solves: L of A: N x N, B: N x R and D: R x N
template <class T>
struct solves_of_fragments {
  dense<T> a0, b0 = uniform<T>(N, R), d0 = uniform<T>(R, N);
  int expected;
  operand<T> a, factor;
  operand<T> forward{b0, layout::padded}, backward{b0, layout::padded}, right{d0, layout::padded},
      right_turned{d0, layout::padded}, from_memory{b0, layout::padded};
  answers<int> info;
  explicit solves_of_fragments(const dense<T>& A)
      : a0(A), expected(expected_info(A)), a(reference::mirrored(A, true), layout::padded), factor(A, layout::padded) {}
};
template <class S, class T>
void act_solves(solves_of_fragments<T>& p) {
  const S scope;
  constexpr auto L = layout::padded;
  const auto f = cholesky(scope, load(scope, p.a.template matrix<L, N, N>()));
  p.info.set(scope, f.info);
  if (f.info == 0) {
    store_lower(scope, f.l, p.factor.template matrix<L, N, N>());
    scope.sync();
    const auto go = [&](auto view, auto act) {
      auto b = load(scope, view);
      act(b);
      store(scope, b, view);
    };
    go(p.forward.template matrix<L, N, R>(), [&](auto& b) { solve(scope, f, b); });
    go(p.backward.template matrix<L, N, R>(), [&](auto& b) { solve<Trans::yes>(scope, f, b); });
    go(p.right.template matrix<L, R, N>(), [&](auto& b) { solve<Side::right>(scope, f, b); });
    go(p.right_turned.template matrix<L, R, N>(), [&](auto& b) { solve<Trans::yes, Side::right>(scope, f, b); });
    go(p.from_memory.template matrix<L, N, R>(),
       [&](auto& b) { solve(scope, load_cholesky(scope, p.factor.template matrix<L, N, N>()), b); });
  }
  scope.sync();
  use_all(scope, p.a, p.factor, p.forward, p.backward, p.right, p.right_turned, p.from_memory);
}
template <class T>
std::string judge_solves(solves_of_fragments<T>& p) {
  if (!p.info.all(p.expected)) return "info " + std::to_string(p.info.one()) + ", not " + std::to_string(p.expected);
  if (p.expected) return "";
  if (!p.factor.untouched([](int i, int j) { return i >= j; })) return "memory outside L was written";
  if (auto wrong = factor_error(p.a0, p.factor.result()); !wrong.empty()) return wrong;
  const auto l = reference::triangle(p.factor.result(), true, false), lt = reference::transposed(l);
  const auto turn = [](const dense<T>& a) { return reference::transposed(a); };
  const std::string wrongs[] = {backward_error(l, p.forward.result(), p.b0, N + 4),
                                backward_error(lt, p.backward.result(), p.b0, N + 4),
                                backward_error(lt, turn(p.right.result()), turn(p.d0), N + 4),
                                backward_error(l, turn(p.right_turned.result()), turn(p.d0), N + 4),
                                backward_error(l, p.from_memory.result(), p.b0, N + 4)};
  for (const auto& wrong : wrongs)
    if (!wrong.empty()) return wrong;
  return "";
}

// ---- the example
constexpr int NX = 6, NY = 4;
template <class T>
struct update {
  operand<T> x, p, x2, p2, beacons, z, r, h, y, work;
  int expected;
  answers<int> info, info2;
  explicit update(int e)
      : x(uniform<T>(NX, 1), layout::natural),
        p(reference::mirrored(spd<T>(NX, 10), true), layout::natural),
        x2(x.result(), layout::natural),
        p2(p.result(), layout::natural),
        beacons(uniform<T>(3, NY), layout::natural),
        z(uniform<T>(NY, 1), layout::natural),
        r(reference::mirrored(spd<T>(NY, 10), true), layout::natural),
        h(dense<T>(NY, NX, poison<T>()), layout::natural),
        y(dense<T>(NY, 1, poison<T>()), layout::natural),
        work(dense<T>(NY * NY + NY * NX + NY, 1, poison<T>()), layout::natural),
        expected(e) {
    if (e > 0) r.at(e - 1, e - 1) = -100;
  }
};
template <class S, class T>
void act_update(update<T>& u) {
  const S scope;
  constexpr auto L = layout::natural;
  const glass::matrix<const T, 3, NY> beacons = u.beacons.template matrix<L, 3, NY>();
  const glass::vector<const T, NY> z = u.z.template vector<L, NY>();
  const glass::matrix<const T, NY, NY> r = u.r.template matrix<L, NY, NY>();
  u.info.set(scope, ekf_update(scope, u.x.template vector<L, NX>(), u.p.template matrix<L, NX, NX>(), beacons, z, r,
                               u.h.template matrix<L, NY, NX>(), u.y.template vector<L, NY>(),
                               u.work.template vector<L, NY * NY + NY * NX + NY>()));
  u.info2.set(scope, ekf_update_fragments(scope, u.x2.template vector<L, NX>(), u.p2.template matrix<L, NX, NX>(),
                                          beacons, z, r));
  use_all(scope, u.x2, u.p2);
  use_all(scope, u.x, u.p, u.h, u.y, u.work);
}
template <class T>
std::string judge_update(update<T>& u) {
  if (!u.info.all(u.expected) || !u.info2.all(u.expected)) return "info is wrong";
  if (!u.p2.untouched([&](int, int) { return u.expected == 0; })) return "a failure, or outside P, was written";
  for (int i = 0; i < NX; ++i) {
    if (!close(u.x2.result()(i), reference::wide<T>(u.x.result()(i)), reference::wide<T>(10), 100)) return "x differs";
    for (int j = 0; j < NX; ++j) {
      if (!close(u.p2.result()(i, j), reference::wide<T>(u.p.result()(i, j)), reference::wide<T>(1), 100))
        return "P differs";
      if (!same_bits(u.p2.result()(i, j), u.p2.result()(j, i))) return "P is not exactly symmetric";
    }
  }
  return "";
}

template <class T>
struct Fragments : testing::Test {};
TYPED_TEST_SUITE(Fragments, scalars, scalar_names);

TYPED_TEST(Fragments, Products) {
  using T = TypeParam;
  fragment_scopes([](auto c) {
    using S = typename decltype(c)::scope;
    in_every_order<products_of_fragments<T>>(
        c.how, "products", [] { return products_of_fragments<T>(); }, act_products<S, T>, judge_products<T>);
  });
}
TYPED_TEST(Fragments, CholeskyAndSolves) {
  using T = TypeParam;
  std::vector<dense<T>> matrices = failing<T, N>();
  matrices.push_back(spd<T>(N, 1e3)), matrices.push_back(spd<T>(N, 1e2, 0x1p-40));
  fragment_scopes([&](auto c) {
    using S = typename decltype(c)::scope;
    for (const auto& a : matrices)
      in_every_order<solves_of_fragments<T>>(
          c.how, "solves", [&] { return solves_of_fragments<T>(a); }, act_solves<S, T>, judge_solves<T>);
  });
}
TYPED_TEST(Fragments, TheTwoFormsOfTheFilterAgree) {
  using T = TypeParam;
  fragment_scopes([](auto c) {
    using S = typename decltype(c)::scope;
    for (const int expected : {0, 3})
      in_every_order<update<T>>(
          c.how, "update", [&] { return update<T>(expected); }, act_update<S, T>, judge_update<T>);
  });
}

}  // namespace
}  // namespace glass::test
