// Sums, extremes, norms, arguments of extremes, soft maxima and prefix sums: each against its formula, all of them in
// one call, so that one instantiation a scope reaches them; on ordinary, whole, extreme and non-finite numbers.
#include "glass/reduce/argument.cuh"
#include "glass/reduce/norm.cuh"
#include "glass/reduce/prefix_sum.cuh"
#include "glass/reduce/softmax.cuh"
#include "glass/reduce/sum.cuh"
#include "glass/vector/dot.cuh"

#include "support/reductions.hpp"

namespace glass::test {
namespace {

struct greater_of_two {
  template <class T>
  T operator()(T a, T b) const {
    return std::fmax(a, b) + T(0);  // +0 of both zeros: the order of the arguments does not matter
  }
};
// Hands out what a problem expects, by name and in order.
template <class S, class T>
struct taker {
  S scope;
  reductions<T>& p;
  std::size_t number = 0, place = 0, row = 0;
  static auto view(operand<T>& o) { return o.template vector<layout::natural, 1>(); }
  auto out() { return view(p.numbers[number].out); }
  auto out_again(std::size_t k) { return view(p.numbers[number + k].out); }
  auto index() { return p.places[place].out.template vector<layout::natural, 1>(); }
  template <layout L, int N>
  auto vector() {
    return p.rows[row++].o.template vector<L, N>();
  }
  void got(T value) { p.numbers[number++].got.set(scope, value); }
  void got(index_value<T> v) { p.places[place++].got.set(scope, v.index), got(v.value); }
  void got(index_key<T> v) { p.places[place++].got.set(scope, v.index), got(v.key); }
};
template <class S, layout L, int N, class T>
void act_sums(taker<S, T>& t, reductions<T>& p) {
  const S scope;
  const auto x = p.x.template vector<L, N>(), y = p.y.template vector<L, N>();
  reduce(scope, x, t.out()), t.got(reduce(scope, x));
  reduce<Sum::fixed>(scope, x, t.out()), t.got(reduce<Sum::fixed>(scope, x));
  T own = 0;
  for (int i = scope.rank(); i < x.rows(); i += scope.size()) own += x(i);
  t.got(reduce(scope, own));
  asum(scope, x, t.out()), t.got(asum(scope, x));
  asum<Sum::fixed>(scope, x, t.out()), t.got(asum<Sum::fixed>(scope, x));
  nrm1_diff(scope, x, y, t.out()), t.got(nrm1_diff(scope, x, y));
  nrm1_diff<Sum::fixed>(scope, x, y, t.out()), t.got(nrm1_diff<Sum::fixed>(scope, x, y));
  dot<Sum::fixed>(scope, x, y, t.out()), t.got(dot<Sum::fixed, Sync::yes>(scope, x, y));
  t.got(dot_fast(scope, x, y, t.out(), nullptr));
  dot_strided(scope, x, y, t.out()), t.got(dot_strided_coalesced(scope, x, y));
  nrm2(scope, x, t.out()), t.got(nrm2(scope, x));
  vector_norm(scope, x, t.out()), t.got(vector_norm(scope, x));
}
template <class S, layout L, int N, class T>
void act_extremes(taker<S, T>& t, reductions<T>& p) {
  const S scope;
  const auto x = p.x.template vector<L, N>();
  const auto k = p.indices.template vector<L, N>();
  T least = inf_of<T>, most = -inf_of<T>;
  int first = -1, last = -1;  // where the lane's largest and smallest are, among its pairs
  bool any = false;
  for (int i = scope.rank(); i < x.rows(); i += scope.size()) {
    if (x(i) == x(i)) any = true;
    least = std::fmin(least, x(i)), most = std::fmax(most, x(i));
    const auto better = [&](int other, bool larger) {
      if (k(i) == -1 || x(i) != x(i)) return false;
      if (other < 0) return true;
      return (larger ? x(i) > x(other) : x(i) < x(other)) || (x(i) == x(other) && k(i) < k(other));
    };
    if (better(last, true)) last = i;
    if (better(first, false)) first = i;
  }
  if (!any && x.rows() > 0) least = most = nan_of<T>;
  infnorm(scope, x, t.out()), t.got(infnorm(scope, x));
  reduce_min(scope, x, t.out()), t.got(reduce_min(scope, x));
  t.got(reduce_min(scope, least));
  reduce_max(scope, x, t.out()), t.got(reduce_max(scope, x));
  t.got(reduce_max(scope, most));
  t.got(reduce(scope, greater_of_two{}, -inf_of<T>, x));
  argmax(scope, x, t.index(), t.out()), t.got(argmax(scope, x));
  argmin(scope, x, t.index(), t.out()), t.got(argmin(scope, x));
  iamax(scope, x, t.index(), t.out()), t.got(iamax(scope, x));
  argmax_pair(scope, x, k, t.index(), t.out());
  const auto pick = [&](int i) { return i < 0 ? nan_of<T> : x(i); };  // a lane without a pair: no key, or no index
  t.got(argmax_pair(scope, pick(last), last < 0 ? 0 : k(last)));
  t.got(argmax_pair(scope, last < 0 ? T(0) : x(last), last < 0 ? -1 : k(last)));
  argmin_pair(scope, x, k, t.index(), t.out());
  t.got(argmin_pair(scope, pick(first), first < 0 ? 0 : k(first)));
  t.got(argmin_pair(scope, first < 0 ? T(0) : x(first), first < 0 ? -1 : k(first)));
}
template <class S, layout L, int N, class T>
void act_softly(taker<S, T>& t, reductions<T>& p) {
  const S scope;
  const auto x = p.x.template vector<L, N>();
  logsumexp(scope, p.alpha, x, t.out()), t.got(logsumexp(scope, p.alpha, x));
  const auto soft = t.template vector<L, N>(), onto = t.template vector<L, N>();
  if (p.numbers.size() > t.number + 3) {  // with numbers to compare
    softmax(scope, p.alpha, x, soft, t.out(), t.out_again(1));
    const auto sums = softmax(scope, p.alpha, onto, onto);
    t.got(sums.max), t.got(sums.sum);
  } else {
    softmax(scope, p.alpha, x, soft), softmax(scope, p.alpha, onto, onto);
  }
  const auto w = t.template vector<L, N>(), w_onto = t.template vector<L, N>();
  path_weights(scope, p.lambda, x, w, t.out(), t.out_again(1), t.out_again(2));
  const auto sums = path_weights(scope, p.lambda, w_onto, w_onto);
  t.got(sums.baseline), t.got(sums.normaliser), t.got(sums.ess);
  prefix_sum_inclusive(scope, x, t.template vector<L, N>());
  prefix_sum_exclusive(scope, x, t.template vector<L, N>());
  const auto inclusive = t.template vector<L, N>(), exclusive = t.template vector<L, N>();
  prefix_sum_inclusive(scope, inclusive, inclusive);
  prefix_sum_exclusive(scope, exclusive, exclusive);
}
template <class S, layout L, int N, class T>
void act(reductions<T>& p) {
  const S scope;
  taker<S, T> t{scope, p};
  act_sums<S, L, N>(t, p), act_extremes<S, L, N>(t, p), act_softly<S, L, N>(t, p);
  use_all(scope, p.x, p.y, p.indices);
  for (auto& m : p.numbers)
    if (m.stored) use_all(scope, m.out);
  for (auto& m : p.places)
    if (m.stored) use_all(scope, m.out);
  for (auto& r : p.rows) use_all(scope, r.o);
}

// Run-time sizes back to back, and a constant one above the lanes of a warp, interleaved.
template <class T>
void everywhere_on(const dense<T>& x, T alpha) {
  sorts_of_scope<T>([&](auto c) {
    using S = typename decltype(c)::scope;
    in_every_order<reductions<T>>(
        c.how, "N=" + std::to_string(x.rows), [&] { return reductions<T>(x, alpha, layout::natural); },
        act<S, layout::natural, -1, T>, judge<T>);
    if (x.rows == 40)
      in_every_order<reductions<T>>(
          c.how, "N=40, interleaved", [&] { return reductions<T>(x, alpha, layout::interleaved); },
          act<S, layout::interleaved, 40, T>, judge<T>);
  });
}

template <class T>
struct Reduce : testing::Test {};
TYPED_TEST_SUITE(Reduce, scalars, scalar_names);

TYPED_TEST(Reduce, OfAnySizeIsWhatTheFormulaSays) {
  using T = TypeParam;
  for (const int n : {0, 1, 2, 3, 5, 7, 31, 33, 40, 63, 65, 127, 129, 1001})
    everywhere_on(uniform<T>(n, 1), n % 2 ? T(1.5) : T(-2));
}
// 0, 1, ..., n - 2, -1: every sum is exact, the last entry is the smallest.
TYPED_TEST(Reduce, OfWholeNumbersIsExact) {
  using T = TypeParam;
  for (const int n : {1, 2, 33, 1000}) {
    dense<T> x(n, 1);
    for (int i = 0; i < n; ++i) x(i) = T(i == n - 1 ? -1 : i);
    everywhere_on(x, T(0));
    const T sum = T(double(n - 1) * (n - 2) / 2 - 1);
    EXPECT_EQ(thread::reduce<T>(n, x.numbers.data()), n == 1 ? T(-1) : sum);
    std::vector<T> y(static_cast<std::size_t>(n), poison<T>());
    thread::prefix_sum_inclusive<T>(n, x.numbers.data(), y.data());
    EXPECT_EQ(y.back(), n == 1 ? T(-1) : sum);
    EXPECT_EQ(thread::argmin<T>(n, x.numbers.data()).index, n - 1);
  }
}
// NaN, infinities, ties and zeros of both signs, in every position that matters.
TYPED_TEST(Reduce, OfHardNumbersIsWhatTheContractSays) {
  using T = TypeParam;
  const T nan = nan_of<T>, inf = inf_of<T>;
  const std::initializer_list<T> lists[] = {{nan, 1, 3, nan, 3},
                                            {nan},
                                            {nan, nan, nan},
                                            {-3, 3},
                                            {-1, -2},
                                            {-3},
                                            {inf, 1},
                                            {nan, inf},
                                            {-inf, 0},
                                            {-inf, -inf},
                                            {inf, 0},
                                            {inf, -inf},
                                            {T(-0.0), 0},
                                            {0, T(-0.0), 0},
                                            {2, 2, 2, 2, 2, 1, 1, 1, 1},
                                            {1, 2, nan, 3, 4, inf, inf}};
  for (const auto& x : lists) everywhere_on(column(x), T(1));
  everywhere_on(column({-inf, T(2), T(3)}), T(-1));  // costs: -Inf is the best
  everywhere_on(column({inf, T(2), T(3)}), T(-1));
  everywhere_on(column({inf, T(2)}), T(0));
  for (const int at : {0, 13, 39})
    for (const T bad : {nan, inf, -inf}) {
      auto x = uniform<T>(40, 1);
      x(at) = bad;
      everywhere_on(x, T(1));
    }
}
TYPED_TEST(Reduce, KeepsTheDigitsOfLargeAndSmallNumbers) {
  using T = TypeParam;
  const T big = std::numeric_limits<T>::max() / 16, tiny = std::numeric_limits<T>::denorm_min() * 700;
  for (const T scale : {big, tiny, std::numeric_limits<T>::min()}) {
    auto x = uniform<T>(40, 1);
    for (T& v : x.numbers) v *= scale;
    if (scale == big)  // sums would overflow on the way: one entry counts
      for (int i = 1; i < 40; ++i) x(i) /= 64;
    everywhere_on(x, T(1) / std::max(scale, T(1)));
  }
  const T four[] = {tiny, tiny, tiny, tiny};
  EXPECT_EQ((thread::nrm2<T, 4>(four)), 2 * tiny);
}

// Sum::fixed: the bits of the thread, in every scope and block.
template <class T>
struct fixed {
  operand<T> x, y;
  T sum, inner;
  answers<T> sums = {}, inners = {};
};
TYPED_TEST(Reduce, FixedSumsAreTheSameBitsInEveryScope) {
  using T = TypeParam;
  for (const int n : {0, 1, 31, 33, 100, 1001}) {
    const auto x = uniform<T>(n, 1), y = uniform<T>(n, 1);
    const T sum = thread::reduce<T, Sum::fixed>(n, x.numbers.data());
    const T inner = thread::dot<T, Sum::fixed>(n, x.numbers.data(), y.numbers.data());
    every_scope<TypeParam>([&](auto c) {
      using S = typename decltype(c)::scope;
      in_every_order<fixed<T>>(
          c.how, "N=" + std::to_string(n),
          [&] {
            return fixed<T>{{x, layout::natural}, {y, layout::natural}, sum, inner};
          },
          [](fixed<T>& p) {
            const auto u = p.x.template vector<layout::natural, -1>(), v = p.y.template vector<layout::natural, -1>();
            p.sums.set(S{}, reduce<Sum::fixed>(S{}, u)), p.inners.set(S{}, dot<Sum::fixed>(S{}, u, v));
          },
          [](fixed<T>& p) -> std::string {
            return p.sums.all(p.sum) && p.inners.all(p.inner) ? "" : "other bits than a thread's";
          });
    });
  }
}

// The cases that the design pins with numbers, through the pointer faces.
TEST(ReducePinned, SoftMaximaHaveTheirPrintedDigits) {
  double y[2];
  const auto soft = [&](double a, double b) {
    const double x[] = {a, b};
    return thread::softmax<double, 2>(1, x, y);
  };
  soft(-2e30, -2e30);
  EXPECT_EQ(y[0], 0.5);
  EXPECT_EQ(y[1], 0.5);
  soft(-2e30, -3e30);
  EXPECT_EQ(y[0], 1);
  EXPECT_EQ(y[1], 0);
  soft(1e4, 9999);
  EXPECT_NEAR(y[0], 0.731058579, 1e-9);
  EXPECT_NEAR(y[1], 0.268941421, 1e-9);
  const double thousand[] = {1000, 1000};
  EXPECT_NEAR((thread::logsumexp<double, 2>(1, thousand)), 1000.69315, 1e-5);
  EXPECT_EQ((thread::logsumexp<double>(0, 1, nullptr)), -inf_of<double>);
  const double one = 1 / 3.0 * 7;  // alpha x is not representable: the largest still weighs exactly 1
  const double equal[] = {one * 1e300, one * 1e300};
  thread::softmax<double, 2>(1 / 3.0, equal, y);
  EXPECT_EQ(y[0], 0.5);
}
TEST(ReducePinned, NormsAndExtremes) {
  const float big[] = {1e20f, 1e20f}, small[] = {1e-30f, 1e-30f, 1e-30f, 1e-30f}, three[] = {-3};
  EXPECT_FLOAT_EQ((thread::nrm2<float, 2>(big)), 1.41421356e20f);
  EXPECT_FLOAT_EQ((thread::vector_norm<float, 4>(small)), 2e-30f);
  EXPECT_EQ((thread::infnorm<float, 1>(three)), 3);
  EXPECT_EQ((thread::reduce_min<float>(0, nullptr)), inf_of<float>);
  EXPECT_EQ((thread::reduce_max<float>(0, nullptr)), -inf_of<float>);
  EXPECT_EQ(thread::reduce<float>(2.5f) + thread::reduce_min<float>(1) + thread::reduce_max<float>(1), 4.5f);
  const auto none = thread::argmin_pair<float>(1, -1);
  EXPECT_EQ(unsigned(none.index), 0xffffffff);
}
TEST(ReducePinned, StridedVectorsAndRows) {
  const float x[] = {1, 9, 2, 9, 3, 9}, y[] = {4, 9, 9, 5, 9, 9, 6, 9, 9};
  EXPECT_EQ((thread::dot_strided<float, 3, 2, 3>(x, y)), 32);
  EXPECT_EQ(thread::dot_strided<float>(3, 2, 3, x, y), 32);
  EXPECT_EQ((dot_strided(scope::thread{}, matrix<const float, 1, 3, 2>(x), matrix<const float, 1, 3, 3>(y))), 32);
  EXPECT_EQ((dot_strided(scope::thread{}, matrix<const float, 1, 1, 2>(x), vector<const float, 1>(y))), 4);
  float out = 0;
  EXPECT_EQ((thread::dot_fast<float, 3>(x, y, &out, nullptr)), out);
}

}  // namespace
}  // namespace glass::test
