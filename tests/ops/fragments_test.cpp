// Fragments as a vocabulary: load and store by both paths, multiply, transposed, broadcast, cholesky and the four
// solves, Q R and least squares, against the formulas; and the example of a filter's update, whose two forms, with views
// and with fragments, agree.
#include <list>

#include "glass/factor/fragments.cuh"
#include "glass/matrix/fragments.cuh"
#include "glass/spectrum/fragments.cuh"
#include "kernels_src/examples/ekf_update.cu"
#include "support/spectra.hpp"

namespace glass::test {
namespace {

constexpr int M = 6, N = 5, R = 3;
template <class F>
void fragment_scopes(F f) {
  f(scope_case<scope::thread>{{"thread", 1, {1}}});
  f(scope_case<scope::tile<4, 2>>{{"tile4 of a kernel", 4, {8}}});  // with exchange memory
  if constexpr (!covering_sample) f(scope_case<scope::tile<32, 1>>{{"warp of a kernel", 32, {32}}});
}

// ---- paths: numbers at any distance from a multiple of 16 bytes, in, and out to a place at another distance
template <class T>
struct journey {
  int from, to;  // where in memory the matrix begins
  operand<T> a{uniform<T>(M * N + 4, 1), layout::natural}, b{dense<T>(M * N + 4, 1, T(7)), layout::natural},
      c{a.result(), layout::natural}, padded{uniform<T>(M, N), layout::padded};
};
template <class S, class T>
void act_journey(journey<T>& p) {
  const S scope;
  store<Path::staged>(scope, load<Path::staged>(scope, glass::matrix<const T, M, N>(&p.a.at(p.from))),
                      glass::matrix<T, M, N>(&p.b.at(p.to)));
  scope.sync();  // store orders nothing
  use_all(scope, p.a, p.b);
  scope.sync();
  const glass::matrix<T, M, N, N, Order::row> whole(&p.b.at(p.to));
  auto f = load<Path::staged>(scope, whole);
  for (auto& row : f.v)
    for (T& x : row) x = -x;
  store<Path::staged>(scope, f, whole);
  // With gaps, or where the neighbour's numbers are elsewhere, it goes directly.
  store<Path::joined>(scope, load<Path::joined>(scope, glass::matrix<const T, M, N>(&p.a.at(p.from))),
                      glass::matrix<T, M, N>(&p.c.at(p.from)));
  store<Path::staged>(scope, load<Path::staged>(scope, p.padded.template matrix<layout::padded, M, N>()),
                      p.padded.template matrix<layout::padded, M, N>());
  scope.sync();
  use_all(scope, p.b, p.c, p.padded);
}
template <class T>
std::string judge_journey(journey<T>& p) {
  if (!p.a.untouched() || !p.c.untouched() || !p.padded.untouched()) return "memory that keeps its numbers was written";
  if (!p.b.untouched([&](int i, int) { return i >= p.to && i < p.to + M * N; })) return "memory outside was written";
  for (int e = 0; e < M * N; ++e)
    if (!same_bits(p.b.result()(p.to + e), T(-p.a.result()(p.from + e)))) return "number " + std::to_string(e);
  return "";
}

// ---- joined: the matrices of a block's tiles back to back, beginning at `from`; the last tile has no problem, and
// the second, if so asked, does not want its result
template <class T>
struct companions {
  static constexpr int size = M * N;
  operand<T>*in, *out;
  int from, mine;
  bool all_want;
  std::vector<T> seen = std::vector<T>(size);
};
template <class S, class T>
void act_companions(companions<T>& p) {
  S scope;
  scope.present = scopes_of<S> - 1;
  if (S::index() >= scope.present) return;
  auto f = load<Path::joined>(scope, glass::matrix<const T, M, N>(&p.in->at(p.from + p.mine * p.size)));
  for (auto& row : f.v)
    for (T& x : row) x = -x;
  const glass::matrix<T, M, N> to(&p.out->at(p.from + 1 + p.mine * p.size));
  store<Path::joined>(scope, f, to, p.all_want || p.mine != 1);
  scope.sync();
  for (int e = (scope.rank() + 1) % S::width; e < p.size; e += S::width) p.seen[std::size_t(e)] = to.data[e];
}
template <class T>
std::string judge_companions(companions<T>& p) {
  const int tiles = (p.in->rows() - 4) / p.size;
  const bool wanted = p.mine < tiles - 1 && (p.all_want || p.mine != 1);
  const auto may = [&](int i, int) {
    const int k = (i - p.from - 1) / p.size;
    return i > p.from && k < tiles - 1 && (p.all_want || k != 1);
  };
  if (!p.in->untouched() || !p.out->untouched(may)) return "memory outside was written";
  for (int e = 0; e < p.size; ++e)
    if (wanted && !same_bits(p.seen[std::size_t(e)], T(-p.in->result()(p.from + p.mine * p.size + e))))
      return "number " + std::to_string(e) + " of problem " + std::to_string(p.mine);
  return "";
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

// ---- Q R: A: m x n, B: m x R
template <class T, int m, int n>
struct reflections {
  dense<T> a0, b0 = uniform<T>(m, R);
  int expected;
  operand<T> a, q{identity<T>(m), layout::padded}, product{dense<T>(m, n, T(7)), layout::padded}, x{b0, layout::padded};
  answers<int> info;
  answers<T> tau;  // of column 0
  reflections(const dense<T>& A, int e) : a0(A), expected(e), a(A, layout::padded) {}
};
template <class S, class T, int m, int n>
void act_reflections(reflections<T, m, n>& p) {
  const S scope;
  constexpr auto L = layout::padded;
  const auto a = p.a.template matrix<L, m, n>();
  const auto f = qr(scope, load(scope, a));
  p.info.set(scope, f.info), p.tau.set(scope, f.tau[0]);
  auto q = load(scope, p.q.template matrix<L, m, m>());
  apply_q(scope, f, q);
  store(scope, q, p.q.template matrix<L, m, m>());
  auto r = load(scope, a);
  apply_q<Trans::yes>(scope, f, r);
  store(scope, r, p.product.template matrix<L, m, n>());
  if constexpr (m >= n) {
    auto x = load(scope, p.x.template matrix<L, m, R>());
    solve(scope, f, x);
    store(scope, x, p.x.template matrix<L, m, R>());
  }
  store(scope, f.a, a);
  scope.sync();
  use_all(scope, p.a, p.q, p.product, p.x);
}
template <class T, int m, int n>
std::string judge_reflections(reflections<T, m, n>& p) {
  using W = reference::wide<T>;
  constexpr int k = m < n ? m : n;
  constexpr W eps = W(std::numeric_limits<T>::epsilon());
  if (!p.info.all(p.expected)) return "info " + std::to_string(p.info.one()) + ", not " + std::to_string(p.expected);
  if (!p.a.untouched(everywhere) || !p.q.untouched(everywhere) || !p.x.untouched(everywhere) ||
      !p.product.untouched(everywhere))
    return "memory outside the operands was written";
  if (std::isnan(p.a0(0, 0))) return all_nan(p.q.result()) || m == n ? "" : "NaN did not spread";
  if (auto wrong = not_orthogonal(p.q.result(), 8.0 * m); !wrong.empty()) return wrong;
  const auto a = p.a0.template as<W>(), q = p.q.result().template as<W>();
  dense<W> r(m, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= std::min(j, k - 1); ++i) r(i, j) = p.a.result()(i, j);
  const W unit = 8 * m * eps * frobenius(a);
  if (!(frobenius(difference(times(q, r), a)) <= unit)) return "Q R is not A";
  if (!(frobenius(difference(p.product.result().template as<W>(), r)) <= unit)) return "Q^T A is not R";
  if (p.tau.one() != 0 && std::signbit(p.a.result()(0, 0)) == (p.a0(0, 0) < 0)) return "the sign of R";
  if (p.expected != 0 || m < n) return "";
  for (int c = 0; c < R; ++c) {
    dense<W> x(n, 1), b(m, 1), rest(m - n, 1);
    for (int i = 0; i < m; ++i) b(i) = p.b0(i, c), (i < n ? x(i) : rest(i - n)) = p.x.result()(i, c);
    const auto residual = difference(times(a, x), b);
    const W size = frobenius(a) * frobenius(x) + frobenius(b);
    if (!(frobenius(times(reference::transposed(a), residual)) <= unit * size)) return "the normal residual";
    if (!(std::abs(frobenius(residual) - frobenius(rest)) <= 8 * m * eps * size)) return "the norm of the residual";
  }
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
  u.info2.set(scope, ekf_update_fragments<Path::joined>(scope, u.x2.template vector<L, NX>(),
                                                        u.p2.template matrix<L, NX, NX>(), beacons, z, r));
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

TYPED_TEST(Fragments, AStagedPathMovesTheSameNumbers) {
  using T = TypeParam;
  fragment_scopes([](auto c) {
    using S = typename decltype(c)::scope;
    for (const auto& [from, to] : {std::pair{0, 0}, std::pair{1, 2}, std::pair{3, 1}})
      in_every_order<journey<T>>(
          c.how, "from " + std::to_string(from) + " to " + std::to_string(to),
          [&] {
            return journey<T>{from, to};
          },
          act_journey<S, T>, judge_journey<T>);
  });
}
template <class T, class S>
void joins(const scope_case<S>& c, int from, bool all_want) {
  constexpr int tiles = scopes_of<S>;
  std::list<operand<T>> kept;
  int n = 0;
  in_every_order<companions<T>>(
      c.how, "joined",
      [&] {
        if (n % tiles == 0) {
          kept.emplace_back(uniform<T>(tiles * M * N + 4, 1), layout::natural);
          kept.emplace_back(dense<T>(tiles * M * N + 4, 1, T(7)), layout::natural);
        }
        return companions<T>{&*std::prev(kept.end(), 2), &kept.back(), from, n++ % tiles, all_want};
      },
      act_companions<S, T>, judge_companions<T>);
}
TYPED_TEST(Fragments, AJoinedPathMovesTheProblemsOfAWarp) {
  using T = TypeParam;
  const scope_case<scope::tile<8, 6>> two_warps{{"tile8, 6 of them", 8, {48}}};
  for (const int from : {0, 1, 2}) joins<T>(two_warps, from, true);
  joins<T>(two_warps, 0, false);
}
TYPED_TEST(Fragments, Products) {
  using T = TypeParam;
  const auto multiplies = [](auto c) {
    using S = typename decltype(c)::scope;
    in_every_order<products_of_fragments<T>>(
        c.how, "products", [] { return products_of_fragments<T>(); }, act_products<S, T>, judge_products<T>);
  };
  fragment_scopes(multiplies);
  multiplies(scope_case<scope::tile<4>>{{"tile4", 4, {8}}});  // by shuffles
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
// What Body::automatic is in a kernel's scopes, and that it is what runs: the bits are those of the body named.
template <class S, int n, class T>
constexpr Body automatic_body() {
  using A = glass::matrix<T, n, n>;
  using B = glass::vector<T, n>;
  return glass::detail::cholesky_body<glass::detail::posv_fits_fragments<S, A, B>(), S, A, B>(Body::automatic);
}
TEST(AutomaticBody, FollowsLanesSizeAndType) {
  EXPECT_EQ((automatic_body<scope::tile<8, 8>, 16, float>()), Body::rows);
  EXPECT_EQ((automatic_body<scope::tile<8, 16>, 24, float>()), Body::fragment) << "43 KB of exchange memory";
  EXPECT_EQ((automatic_body<scope::tile<8, 8>, 4, float>()), Body::fragment) << "lanes without a row";
  EXPECT_EQ((automatic_body<scope::tile<8, 8>, 4, double>()), Body::rows);
  EXPECT_EQ((automatic_body<scope::tile<8>, 16, float>()), Body::fragment) << "no exchange memory";
  EXPECT_EQ((automatic_body<scope::warp, 128, double>()), Body::loop) << "no registers";
  EXPECT_EQ((automatic_body<scope::thread, 8, double>()), Body::fragment);
  EXPECT_EQ((automatic_body<scope::block<>, 8, float>()), Body::loop);
}
template <class T>
struct solved_twice {
  operand<T> a{spd<T>(N, 10), layout::natural}, b{uniform<T>(N, 1), layout::natural}, c{a}, d{b};
};
template <class T>
void act_twice(solved_twice<T>& p) {
  const scope::tile<4, 2> scope;
  constexpr auto L = layout::natural;
  posv(scope, p.a.template matrix<L, N, N>(), p.b.template vector<L, N>());
  posv<Body::rows>(scope, p.c.template matrix<L, N, N>(), p.d.template vector<L, N>());
  use_all(scope, p.a, p.b, p.c, p.d);
}
template <class T>
std::string judge_twice(solved_twice<T>& p) {
  for (int i = 0; i < N; ++i)
    if (!same_bits(p.b.result()(i), p.d.result()(i))) return "another body than rows";
  return "";
}
TEST(AutomaticBody, IsWhatRuns) {
  in_every_order<solved_twice<float>>(
      {"tile4 of a kernel", 4, {8}}, "posv", [] { return solved_twice<float>(); }, act_twice<float>,
      judge_twice<float>);
}
template <int m, int n, class S, class T>
void reflects(const scope_case<S>& c, const dense<T>& a, int expected = 0) {
  in_every_order<reflections<T, m, n>>(
      c.how, "Q R", [&] { return reflections<T, m, n>(a, expected); }, act_reflections<S, T, m, n>,
      judge_reflections<T, m, n>);
}
TYPED_TEST(Fragments, ReflectionsAndLeastSquares) {
  using T = TypeParam;
  fragment_scopes([](auto c) {
    const dense<T> a = uniform<T>(7, 4);
    reflects<7, 4>(c, a);
    for (const double power : {sizeof(T) == 4 ? 0x1p120 : 0x1p1000, sizeof(T) == 4 ? 0x1p-100 : 0x1p-1000}) {
      dense<T> scaled = a;
      for (T& x : scaled.numbers) x *= T(power);
      reflects<7, 4>(c, scaled);
    }
    dense<T> upper = a, dependent = a, bad = a;
    for (int j = 0; j < 4; ++j)
      for (int i = j + 1; i < 7; ++i) upper(i, j) = 0;
    for (int i = 0; i < 7; ++i) dependent(i, 2) = 0;
    bad(0, 0) = std::numeric_limits<T>::quiet_NaN();
    reflects<7, 4>(c, upper);
    reflects<7, 4>(c, dependent, 3);
    reflects<7, 4>(c, bad, 1);
    if constexpr (decltype(c)::scope::width == 4) reflects<3, 5>(c, uniform<T>(3, 5));
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
