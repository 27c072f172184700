// The catalog is complete: each row has its header, its test, its contract and its cost, binds in both types, and its
// rules can say no. And the shared memory that a placement takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "catalog/catalog.hpp"
#include "catalog/check.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit {
void PrintTo(const operation_description& d, std::ostream* out) { *out << d.name; }
namespace {

using ::testing::HasSubstr;

class Row : public ::testing::TestWithParam<operation_description> {};
INSTANTIATE_TEST_SUITE_P(All, Row, ::testing::ValuesIn(operations()), [](const auto& p) { return p.param.name; });

std::string contents(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST_P(Row, HasItsHeaderAndItsTest) {
  const operation_description& d = GetParam();
  const std::filesystem::path root = GLASS_SOURCE_DIR;
  const std::string function = d.function.empty() ? d.name : d.function;
  EXPECT_THAT(contents(root / "include" / d.header), HasSubstr(" " + function + "(")) << d.header;
  bool tested = false;  // in a file of its own, or in that of its family
  for (const auto& file : std::filesystem::directory_iterator(root / "tests" / "ops"))
    tested |= std::regex_search(contents(file.path()), std::regex("\\b" + function + "(<[^;{}]*>)?\\("));
  EXPECT_TRUE(tested) << "no test in tests/ops calls " << function;
}

// N, for the operations that have sizes; the others' are fixed (3 x 3).
std::map<std::string, size_value> sized(const operation_description& d, size_value n) {
  if (size_names(d).empty()) return {};
  return {{"N", n}};
}

TEST_P(Row, SaysWhatItDoesAndWhatItCosts) {
  const operation_description& d = GetParam();
  EXPECT_GT(d.contract.size(), 20u);
  EXPECT_FALSE(d.flops.empty() || d.bytes.empty());
  for (const auto type : {f32, f64}) {
    const bound_problem b = bind(d, {.sizes = sized(d, 12), .type = type, .batch = 64}, true);
    EXPECT_GE(b.flops, 0);  // 0: it only moves numbers
    EXPECT_GT(b.bytes, 0);
    EXPECT_EQ(b.bytes, static_cast<double>(bytes_of(type)) * std::floor(b.bytes / static_cast<double>(bytes_of(type))));
  }
}

TEST_P(Row, BindsWithEveryValueOfEveryOptionAndWithRunTimeSizes) {
  const operation_description& d = GetParam();
  for (const auto& o : d.options)
    for (const auto& v : o.values)
      EXPECT_NO_THROW(bind(d, {.sizes = sized(d, 7), .options = {{o.name, v}}}, true)) << o.name << v;
  const bound_problem b = bind(d, {.sizes = sized(d, up_to(7))}, true);
  const std::map<std::string, int> three = {{"N", 3}}, none;
  EXPECT_EQ(b.slot_values(size_names(d).empty() ? none : three).empty(), size_names(d).empty());
}

TEST_P(Row, SomeBodyTakesEveryScopeOnTheHost) {
  const operation_description& d = GetParam();
  const bound_problem b = bind(d, {.sizes = sized(d, 33)}, true);
  for (const char* scope : {"thread", "tile4", "warp", "block64"}) {
    std::vector<std::string> reasons;
    placement p;
    p.scope = scope;
    for (const auto& body : d.bodies.empty() ? std::vector<std::string>{""} : d.bodies) {
      p.body = body;
      reasons.push_back(broken_rule(b, p, "host", 0));
    }
    EXPECT_THAT(reasons, ::testing::Contains("")) << scope;
  }
}

TEST(Rules, SayWhyAFragmentDoesNotTakeAPlacement) {
  const auto reason = [](size_value n, scalar_type type, const char* text) {
    return broken_rule(bind(find_operation("posv"), {.sizes = {{"N", n}}, .type = type}, true), placement::parse(text),
                       "cuda", 90);
  };
  EXPECT_EQ(reason(16, f32, "scope=tile8 body=fragment"), "");
  EXPECT_EQ(reason(16, f32, "scope=tile8"), "");
  EXPECT_EQ(reason(64, f32, "scope=block64 body=loop"), "");
  EXPECT_THAT(reason(64, f32, "scope=block64 body=fragment"), HasSubstr("not over a block"));
  EXPECT_THAT(reason(64, f32, "scope=block64"), HasSubstr("not over a block"));
  EXPECT_THAT(reason(up_to(16), f32, "scope=tile8 body=fragment"), HasSubstr("no run-time sizes"));
  EXPECT_EQ(reason(up_to(16), f32, "scope=tile8 body=loop"), "");
  EXPECT_THAT(reason(128, f32, "scope=warp body=fragment"), HasSubstr("does not fit the registers"));
  EXPECT_THAT(reason(17, f32, "scope=thread body=loop"), HasSubstr("N <= 16"));
}

// The same sum that the header folds: per group of `width` rows the columns up to the group's last row, in 32-bit
// words.
TEST(Rules, CountTheRegistersOfATriangleAsTheHeaderDoes) {
  for (const auto type : {f32, f64})
    for (const char* scope : {"thread", "tile2", "tile8", "tile16", "warp"})
      for (int n = 1; n <= 70; ++n) {
        placement p;
        p.scope = scope, p.body = "fragment";
        const int width = p.width(), per = static_cast<int>(bytes_of(type)) / 4;
        int words = 0;
        for (int first = 0; first < n; first += width) words += std::min(first + width, n) * per;
        const auto fits = [&](const char* op) {
          return broken_rule(bind(find_operation(op), {.sizes = {{"N", n}}, .type = type}, true), p, "host", 0).empty();
        };
        const bool columns = width == 1;  // on the host: in the first cache, not in registers
        EXPECT_EQ(fits("potrf"), columns ? n <= 64 : words <= 192) << scope << " N=" << n;
        EXPECT_EQ(fits("posv"), columns ? n <= 64 : words <= 192 && words + (n + width - 1) / width * per <= 208)
            << scope << " N=" << n;
      }
}

TEST(Strided, LeadingDimensionsAreThoseGivenOrAsManyAsRows) {
  const auto ld = [](std::map<std::string, size_value> sizes, const char* trans) {
    sizes["N"] = 5, sizes["M"] = 3, sizes["K"] = 4;
    return bind(find_operation("gemm_strided"), {.sizes = sizes, .options = {{"TRANSA", trans}}}, true)
        .operands[1]
        .ld.value;
  };
  EXPECT_EQ(ld({}, "no"), 3);
  EXPECT_EQ(ld({}, "yes"), 4);
  EXPECT_EQ(ld({{"LDA", 6}}, "yes"), 6);
  EXPECT_THROW(ld({{"LDA", 2}}, "no"), error);
}

TEST(Strided, OffsetsOfSegmentsAreFilledInStepsOfASegment) {
  const bound_problem b =
      bind(find_operation("gemv_segmented_add"), {.sizes = {{"N", 5}, {"M", 3}, {"LDA", 7}, {"S", 2}}}, true);
  std::map<std::string, int> steps;
  for (const auto& o : b.operands) steps[o.what->name] = o.step;
  EXPECT_EQ(steps["aoff"], 35);
  EXPECT_EQ(steps["xoff"], 5);
  EXPECT_EQ(steps["yoff"], 3);
  EXPECT_EQ(steps["soff"], 3);
  EXPECT_EQ(steps["A"], 1);
}

// ---- shared memory
operation_description mixed() {
  return {.name = "mixed",
          .text = "x",
          .operands = {in("A", {"N", "N"}), in("b", {"N"}).shared_by_batch(), in("c", {}), scalar("s", 1),
                       inout("D", {"N", 3}).leading("N+1"), out("e", {"N"}).typed(f64), in("f", {"N"}).interleaved(),
                       scratch("g", {"N"}), info()}};
}

TEST(GroupBytes, CountsStagedOperandsInRoundsOfSixteen) {
  const bound_problem b = bind(mixed(), {.sizes = {{"N", 5}}}, false);
  // A 25, D 18, g 5 floats and e 5 doubles a problem; b once.
  EXPECT_EQ(group_bytes(b, placement::parse("scope=tile4 pack=3 home=shared")), 304u + 32 + 224 + 128 + 64);
  EXPECT_EQ(group_bytes(b, placement::parse("scope=thread pack=3 home=shared")), 304u + 32 + 224 + 128);
  EXPECT_EQ(group_bytes(b, placement::parse("scope=tile4 pack=3 home=global")), 64u);
  EXPECT_EQ(group_bytes(b, placement::parse("scope=thread pack=3 home=global")), 0u);
}

TEST(GroupBytes, ScratchOfRunTimeSizeIsSharedEvenForAThread) {
  const bound_problem b = bind(mixed(), {.sizes = {{"N", up_to(5)}}}, false);
  EXPECT_EQ(group_bytes(b, placement::parse("scope=thread pack=2 home=global")), 48u);
}

TEST(Evaluate, KnowsSizesOptionsAndWhatIsAdded) {
  const bound_problem b =
      bind(find_operation("gemv"), {.sizes = {{"N", 5}}, .type = f64, .options = {{"TRANS", "yes"}}}, true);
  EXPECT_EQ(evaluate("TRANS==yes ? N*bytes : 0", b), 40);
  EXPECT_EQ(evaluate("UNROLL*N + (BODY==fragment)", b, {{"UNROLL", "4"}, {"BODY", "glass::Body::fragment"}}), 21);
  EXPECT_EQ(evaluate("run_time_sizes", b), 0);
}

}  // namespace
}  // namespace glass::jit
