// variant=split: a chain of launches with its scratch in the caller's workspace computes what the one launch computes,
// on the fast path, in the emulator and with sizes at run time; and what is wrong with a workspace is said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "backend/backend.hpp"
#include "build/build.hpp"
#include "catalog/catalog.hpp"
#include "glass/jit.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

using ::testing::HasSubstr;

// z = A A' x with two temporaries: the chain forms S = A A' and t = x, then z = S t.
const char* const text = R"(
template <class Scope, class A, class S, class V>
GLASS_DEVICE void form(Scope scope, A a, S s, V t, glass::value_of<V> x) {
  glass::gemm<glass::Trans::no, glass::Trans::yes>(scope, 1, a, a, 0, s);
  glass::each(scope, t.rows(), [&](int i) { t(i) = x; });
  scope.sync();
}
template <class Scope, class A, class X, class S, class V, class Z>
GLASS_DEVICE int chain(Scope scope, A a, X x, S s, V t, Z z) {
  form(scope, a, s, t, x);
  glass::gemv(scope, 1, s, t, 0, z);
  return 3;
}
template <class Scope, class A, class X, class S, class V, class Z>
GLASS_DEVICE void chain_form(Scope scope, A a, X x, S s, V t, Z) { form(scope, a, s, t, x); }
template <class Scope, class A, class X, class S, class V, class Z>
GLASS_DEVICE int chain_apply(Scope scope, A, X, S s, V t, Z z) {
  glass::gemv(scope, 1, s, t, 0, z);
  return 3;
}
)";
operation_description chain() {
  operation_description d;
  d.name = "chain", d.text = text;
  d.operands = {in("a", {"N", "N"}), in("x", {}),     scratch("s", {"N", "N"}),
                scratch("t", {"N"}), out("z", {"N"}), info(),
                workspace()};
  d.stages = {"chain_form", "chain_apply"};
  return d;
}

class Split : public ::testing::Test {
 protected:
  static constexpr int count = 37;
  Split() : rt_(open_backend("host"), options()) {
    for (std::size_t i = 0; i < a_.size(); ++i) a_[i] = float(int(i * 7 % 11) - 5);
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = float(int(i % 5) - 2);
  }
  static runtime_options options() {
    runtime_options o;
    o.cache = "memory", o.tuning.mode = tune_mode::off, o.tuning_from_environment = false;
    return o;
  }
  kernel get(const char* where, size_value n = 5) {
    return rt_.compile(chain(), {.sizes = {{"N", n}}, .batch = count}, placement::parse(where));
  }
  // z of every problem, after a launch with `work` bytes of workspace.
  std::vector<float> run(const kernel& k, int n = 5) {
    std::vector<float> z(count * 5, -1);
    std::vector<int> codes(count, -1);
    const auto work = rt_.allocate(k.workspace_bytes(count));
    k.launch(nullptr, count, a_.data(), x_.data(), z.data(), codes.data(), work.get()).check();
    EXPECT_THAT(codes, ::testing::Each(3));
    if (k.workspace_bytes(count) > 0) {  // it really went that way: the second part holds t = x
      const auto* t = static_cast<const float*>(work.get()) + (k.workspace_bytes(count) - 768) / 4;
      EXPECT_EQ(t[n * (count - 1)], x_[count - 1]);
    }
    z.resize(static_cast<std::size_t>(count * n));
    return z;
  }
  std::vector<float> expected(int n = 5) const {
    std::vector<float> z;
    for (int p = 0; p < count; ++p)
      for (int i = 0; i < n; ++i) {
        float sum = 0;
        for (int j = 0; j < n; ++j)
          for (int k = 0; k < n; ++k) sum += at(p, n, i, k) * at(p, n, j, k) * x_[static_cast<std::size_t>(p)];
        z.push_back(sum);
      }
    return z;
  }
  float at(int p, int n, int i, int j) const { return a_[static_cast<std::size_t>(p * n * n + j * n + i)]; }

  std::vector<float> a_ = std::vector<float>(count * 25), x_ = std::vector<float>(count);
  runtime rt_;
};

TEST_F(Split, ComputesWhatTheOneLaunchComputes) {
  for (const char* where : {"scope=thread pack=16", "variant=split scope=thread pack=16", "scope=tile4 pack=8",
                            "variant=split scope=tile4 pack=8", "variant=split scope=block64"})
    EXPECT_EQ(run(get(where)), expected()) << where;
}
TEST_F(Split, NeedsAWorkspaceOfItsScratchAndTheFusedOneNone) {
  EXPECT_EQ(get("scope=thread pack=16").workspace_bytes(count), 0u);
  const kernel k = get("variant=split scope=thread pack=16");
  EXPECT_EQ(k.workspace_bytes(count), (count * 25 * 4 + 255) / 256 * 256u + (count * 5 * 4 + 255) / 256 * 256u);
  EXPECT_EQ(k.workspace_bytes(0), 0u);
  std::vector<float> z(count * 5);
  const auto work = rt_.allocate(k.workspace_bytes(count) + 256);
  const auto launch = [&](void* w) { return k.launch(nullptr, count, a_.data(), x_.data(), z.data(), nullptr, w); };
  EXPECT_THAT(launch(nullptr).message(), HasSubstr("needs a workspace of 4608 bytes"));
  EXPECT_THAT(launch(static_cast<char*>(work.get()) + 4).message(), HasSubstr("16-byte aligned"));
  EXPECT_TRUE(launch(work.get()).ok());
  EXPECT_EQ(k.launch(nullptr, count, a_.data(), x_.data(), z.data(), nullptr).code(), errc::invalid_argument);
}
TEST_F(Split, SizesMayBeGivenAtRunTime) {
  const kernel k = get("variant=split scope=thread pack=16", up_to(5));
  EXPECT_EQ(run(k.with({{"N", 3}}), 3), expected(3));
}
TEST_F(Split, IsACandidateWhereThereIsAChain) {
  const auto variants = [&](const operation_description& d) {
    const bound_problem p = bind(d, {.sizes = {{"N", 5}}, .batch = count}, false);
    std::set<std::string> seen;
    for (const auto& c : candidates(p, rt_.device())) {
      if (c.illegal.empty()) seen.insert(c.placement.variant);
      EXPECT_FALSE(c.placement.variant == "split" && c.placement.home == "shared");
    }
    return seen;
  };
  EXPECT_EQ(variants(chain()), (std::set<std::string>{"fused", "split"}));
  operation_description without = chain();
  without.stages.clear(), without.operands.pop_back();
  EXPECT_EQ(variants(without), (std::set<std::string>{"fused"}));
}
TEST_F(Split, IsRacedAndCheckedAgainstTheFusedOne) {
  runtime_options o = options();
  o.tuning.mode = tune_mode::exhaustive, o.tuning.budget_seconds = 60;
  runtime rt(open_backend("host"), o);
  EXPECT_EQ(rt.compile(chain(), {.sizes = {{"N", 5}}, .batch = count}).tier(), tier::exact);
}
TEST_F(Split, AWrongDescriptionIsRefused) {
  const auto refused = [](operation_description d) {
    try {
      bind(d, {.sizes = {{"N", 5}}}, false);
    } catch (const error& e) { return std::string(e.what()); }
    return std::string("accepted");
  };
  operation_description d = chain();
  d.stages.clear();
  EXPECT_THAT(refused(d), HasSubstr("a workspace but no stages"));
  d = chain(), d.operands.pop_back();
  EXPECT_THAT(refused(d), HasSubstr("stages but no workspace"));
  d = chain(), std::swap(d.operands[0], d.operands.back());
  EXPECT_THAT(refused(d), HasSubstr("is not the last operand"));
  d = chain(), d.stages.pop_back();
  EXPECT_THAT(refused(d), HasSubstr("one stage is no chain"));
}

// The rows of the catalog that offer a chain: each computes what its one launch computes, on the emulator, where lanes
// of one launch are far apart.
class Chain : public ::testing::TestWithParam<std::string> {};
TEST_P(Chain, OfTheCatalogAgreesWithItsOneLaunch) {
  const auto warn = std::make_shared<warner>();
  const std::shared_ptr<backend> host = open_backend("host");
  builder images(host, store::open("memory", warn), warn);
  const bound_problem p = bind(find_operation(GetParam()), {.sizes = {{"N", 3}}, .type = f64, .batch = 5}, true);
  workload data(*host, p, 5, 7);
  const auto outcome = [&](const char* where) {
    const launch_shape shape = shape_of(p, placement::parse(where), 5);
    const auto image = host->load(images.get(p, placement::parse(where)).bytes, shape);
    host->run(*image, shape, data.arguments().data(), data.arguments().size(), 60).check();
    return data.collect();
  };
  const auto one = outcome("scope=tile4 pack=2");
  data.restore(), data.perturb();
  const auto moved = outcome("scope=tile4 pack=2");
  data.restore();
  const auto chain = outcome("variant=split scope=tile4 pack=2");
  EXPECT_TRUE(any_comparable(p, one));
  EXPECT_EQ(disagreement(p, one, moved, chain), "");
}
std::vector<std::string> chains() {
  std::vector<std::string> names;
  for (const auto& d : operations())
    if (!d.stages.empty()) names.push_back(d.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Catalog, Chain, ::testing::ValuesIn(chains()), [](const auto& p) { return p.param; });

}  // namespace
}  // namespace glass::jit
