// bind(): what it works out, and one sentence with the place and the nearest valid choice for everything that cannot be
// right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "catalog/catalog.hpp"
#include "glass/jit/error.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

operation_description lm_step() {
  return {.name = "lm_step",
          .text = "template <class Scope> void lm_step(Scope);",
          .operands = {in("J", {"NX", "NU"}), in("r", {"NX"}), scalar("lambda", 1e-3), out("dq", {"NU"}),
                       scratch("H", {"NU", "NU"}), info()}};
}
problem lm_problem() { return {.sizes = {{"NX", 6}, {"NU", 7}}, .type = f32, .batch = 4096}; }

TEST(Bind, WorksOutTheExtentsOfAUsersKernel) {
  const bound_problem b = bind(lm_step(), lm_problem(), false);
  ASSERT_EQ(b.operands.size(), 6u);
  EXPECT_EQ(b.operands[0].elements(), 42);
  EXPECT_EQ(b.operands[0].ld.value, 6);
  EXPECT_EQ(b.operands[0].stride.value, 42);
  EXPECT_TRUE(b.operands[0].natural_ld && b.operands[0].natural_stride);
  EXPECT_EQ(b.operands[5].type, i32);
  EXPECT_FALSE(b.operands[4].in_launch());
  EXPECT_TRUE(b.has_info());
  EXPECT_TRUE(b.slots.empty());
  EXPECT_EQ(b.text(), "lm_step NU=7 NX=6 f32 batch=4096");
  EXPECT_EQ(b.batch_class, 4096);
  EXPECT_EQ(b.bytes, 4 * (42 + 6 + 7 + 1));
}

TEST(Bind, FillsInDefaultsAndNamesTheRow) {
  const bound_problem b = bind(find_operation("posv"), {.sizes = {{"N", 12}}, .type = f64, .batch = 8192}, true);
  EXPECT_EQ(b.text(), "posv N=12 NRHS=1 FACTOR=keep SHIFT=none f64 batch=8192");
  EXPECT_EQ(b.identity, "posv/" + std::to_string(find_operation("posv").revision));
  EXPECT_EQ(b.flops, 12 * 12 * 12 / 3 + 2 * 12 * 12);
  EXPECT_EQ(b.bytes, 8 * (12 * 13 + 2 * 12));
  const bound_problem g =
      bind(find_operation("gemv"), {.sizes = {{"N", 5}, {"M", 3}}, .options = {{"TRANS", "glass::Trans::yes"}}}, true);
  EXPECT_EQ(g.operands[2].elements(), 3);
  EXPECT_EQ(g.operands[4].elements(), 5);
  EXPECT_EQ(g.options_text(), "TRANS=yes");
  EXPECT_EQ(bind(find_operation("gemm"), {.sizes = {{"N", 5}}}, true).sizes_text(), "K=5 M=5 N=5");
}

TEST(Bind, RoundsTheBatchUpToAPowerOfFour) {
  const std::pair<long long, int> classes[] = {{1, 1},    {2, 4},        {4, 4},         {5, 16},         {64, 64},
                                               {65, 256}, {8192, 16384}, {16384, 16384}, {1000000, 16384}};
  for (const auto& [batch, expected] : classes)
    EXPECT_EQ(bind(find_operation("dot"), {.sizes = {{"N", 3}}, .batch = batch}, true).batch_class, expected) << batch;
}

TEST(Bind, CopiesStayValid) {
  auto b = std::make_unique<bound_problem>(bind(lm_step(), lm_problem(), false));
  const bound_problem copy = *b;
  b.reset();
  EXPECT_EQ(copy.operands[0].what->name, "J");
}

TEST(Bind, IdentityFollowsWhatTheKernelIsAndNothingElse) {
  const std::string first = bind(lm_step(), lm_problem(), false).identity;
  EXPECT_THAT(first, ::testing::StartsWith("lm_step/"));
  EXPECT_EQ(first.size(), 8 + 64u);
  problem other = lm_problem();
  other.batch = 1, other.type = f64, other.sizes["NX"] = 3;
  EXPECT_EQ(bind(lm_step(), other, false).identity, first);
  const std::vector<std::function<void(operation_description&)>> changes = {
      [](auto& d) { d.text += " "; },
      [](auto& d) { d.operands[0].kind = kind::positive; },
      [](auto& d) { d.operands[0].order = order::row; },
      [](auto& d) { d.operands[0].ld = "NX+1"; },
      [](auto& d) { d.operands[0].stride = "NX*NU+2"; },
      [](auto& d) { d.operands[0].type = "f64"; },
      [](auto& d) { d.operands[0].broadcast = true; },
      [](auto& d) { d.operands[2].example = 1; },
      [](auto& d) { d.operands[1].shape = {"NU-1"}; },
      [](auto& d) { d.operands[1].name = "rr"; },
      [](auto& d) {
        d.options = {{"TRANS", {"glass::Trans::no"}}};
      },
      [](auto& d) {
        d.options = {{"TRANS", {"glass::Trans::no"}}};
        d.operands[1].when = "TRANS==no";
      },
      [](auto& d) { d.operands[1].access = access::inout; },
      [](auto& d) {
        d.tunables = {{"UNROLL", {1, 2}}};
      },
      [](auto& d) { d.bodies = {"fragment"}; },
      [](auto& d) { d.bodies = d.in_step = {"fragment"}; },
  };
  std::vector<std::string> seen = {first};
  for (const auto& change : changes) {
    operation_description d = lm_step();
    change(d);
    const std::string identity = bind(d, lm_problem(), false).identity;
    EXPECT_THAT(seen, ::testing::Not(::testing::Contains(identity))) << "change " << seen.size();
    seen.push_back(identity);
  }
}

TEST(Bind, OperandsWhoseConditionFailsAreLeftOut) {
  operation_description d = lm_step();
  d.options = {{"SIGNS", {"mine::Signs::no", "mine::Signs::yes"}}};
  d.operands[1].when = "SIGNS==yes";
  EXPECT_EQ(bind(d, lm_problem(), false).operands.size(), 5u);
  problem p = lm_problem();
  p.options["SIGNS"] = "yes";
  EXPECT_EQ(bind(d, p, false).operands.size(), 6u);
}

TEST(Bind, RunTimeSizesBecomeSlotsSharedByEqualExpressions) {
  problem p = lm_problem();
  p.sizes["NX"] = up_to(9);
  operation_description d = lm_step();
  d.operands[1].shape = {"NX * 2"};
  d.operands.push_back(in("s", {"NX*2"}));
  const bound_problem b = bind(d, p, false);
  EXPECT_THAT(b.slots, ElementsAre("NX", "NX*2"));
  EXPECT_EQ(b.operands[0].shape[0].slot, 0);
  EXPECT_EQ(b.operands[0].shape[0].value, 9);
  EXPECT_EQ(b.operands[0].ld.slot, 0);
  EXPECT_EQ(b.operands[1].shape[0].slot, b.operands[6].shape[0].slot);
  EXPECT_THAT(b.sizes_text(), "NU=7 NX<=9");
  EXPECT_THAT(b.slot_values({{"NX", 5}}), ElementsAre(5, 10));
  EXPECT_THAT(b.slot_values({{"NX", 9}, {"NU", 7}}), ElementsAre(9, 18));
}

TEST(Bind, TakesEightRunTimeExtents) {
  operation_description d = lm_step();
  for (int i = 1; i <= 7; ++i) d.operands.push_back(in("x" + std::to_string(i), {"NX+" + std::to_string(i)}));
  EXPECT_EQ(bind(d, {.sizes = {{"NX", up_to(9)}, {"NU", 7}}}, false).slots.size(), 8u);
}

TEST(Bind, ASizeThatFollowsARunTimeSizeFollowsItsValue) {
  const bound_problem b = bind(find_operation("gemv"), {.sizes = {{"N", up_to(16)}}}, true);
  EXPECT_EQ(b.sizes_text(), "M<=16 N<=16");
  EXPECT_THAT(b.slots, ElementsAre("M", "N", "TRANS==yes?M:N", "TRANS==yes?N:M"));
  EXPECT_THAT(b.slot_values({{"N", 5}}), ElementsAre(5, 5, 5, 5));
  EXPECT_THAT(b.slot_values({{"N", 5}, {"M", 3}}), ElementsAre(3, 5, 5, 3));
}

TEST(SlotValues, RefuseWhatTheImageWasNotMadeFor) {
  operation_description d = lm_step();
  d.operands.push_back(in("y", {"NX*(NX+NU)"}));
  const bound_problem b = bind(d, {.sizes = {{"NX", up_to(9)}, {"NU", 7}}}, false);
  const std::pair<std::map<std::string, int>, const char*> mistakes[] = {
      {{}, "the run-time size NX has no value yet"},
      {{{"NX", 10}}, "NX=10 is above the bound 9"},
      {{{"NX", -1}}, "NX=-1 is negative"},
      {{{"NX", 5}, {"NU", 6}}, "NU=6, but it was compiled for NU=7"},
      {{{"NY", 5}}, "no size 'NY'. Did you mean 'NX'?"}};
  for (const auto& [sizes, says] : mistakes) {
    try {
      b.slot_values(sizes);
      ADD_FAILURE() << says;
    } catch (const error& e) { EXPECT_THAT(e.message(), HasSubstr(says)); }
  }
}

TEST(Bind, LayoutsAreDeclaredPerOperand) {
  operation_description d = lm_step();
  d.operands[0] = in("J", {"NX", "NU"}).row_major().leading("NU+1");
  d.operands[1] = in("r", {"NX"}).every("NX+2");
  const bound_problem b = bind(d, lm_problem(), false);
  EXPECT_EQ(b.operands[0].ld.value, 8);
  EXPECT_FALSE(b.operands[0].natural_ld);
  EXPECT_EQ(b.operands[0].elements(), 48);
  EXPECT_EQ(b.operands[0].stride.value, 48);
  EXPECT_EQ(b.operands[1].elements(), 6);
  EXPECT_EQ(b.operands[1].stride.value, 8);
  EXPECT_FALSE(b.operands[1].natural_stride);
  d.operands[1] = in("r", {"NX"}).shared_by_batch();
  EXPECT_EQ(bind(d, lm_problem(), false).operands[1].stride.value, 0);
}

// ---- everything that cannot be right
struct mistake {
  const char* says;
  std::function<void(operation_description&, problem&)> change;
  errc code = errc::invalid_argument;
};
void PrintTo(const mistake& m, std::ostream* out) { *out << m.says; }
class Refused : public ::testing::TestWithParam<mistake> {};
TEST_P(Refused, WithOneSentence) {
  operation_description d = lm_step();
  problem p = lm_problem();
  GetParam().change(d, p);
  try {
    bind(d, p, false);
    FAIL() << "accepted; expected: " << GetParam().says;
  } catch (const error& e) {
    EXPECT_THAT(e.message(), HasSubstr(GetParam().says));
    EXPECT_EQ(e.code(), GetParam().code);
    EXPECT_EQ(e.message().find('\n'), std::string::npos);
  }
}
constexpr auto unknown = errc::unknown_name;
INSTANTIATE_TEST_SUITE_P(
    All, Refused,
    ::testing::Values(
        // the description
        mistake{"'lm step' is not the name of a function", [](auto& d, auto&) { d.name = "lm step"; }},
        mistake{"'' is not the name", [](auto& d, auto&) { d.name = ""; }},
        mistake{"the text is empty", [](auto& d, auto&) { d.text = " \n"; }},
        mistake{"it has no operands", [](auto& d, auto&) { d.operands.clear(); }},
        mistake{"25 operands; a launch passes at most 24", [](auto& d, auto&) {
                  d.operands.clear();
                  for (int i = 0; i < 25; ++i) d.operands.push_back(in("x" + std::to_string(i), {"NX*NU"}));
                }},
        mistake{"two operands are called 'r'", [](auto& d, auto&) { d.operands[0].name = "r"; }},
        mistake{"'2r' is not a name for an operand", [](auto& d, auto&) { d.operands[1].name = "2r"; }},
        mistake{"several info operands", [](auto& d, auto&) { d.operands.push_back(jit::info("again")); }},
        mistake{"operand 'dq' is out and needs a shape", [](auto& d, auto&) { d.operands[3].shape.clear(); }},
        mistake{"operand 'J' has 3 extents", [](auto& d, auto&) { d.operands[0].shape.push_back(3); }},
        mistake{"operand 'lambda' is scalar and has no shape", [](auto& d, auto&) { d.operands[2].shape = {"NX"}; }},
        mistake{"operand 'lambda' needs an example value", [](auto& d, auto&) { d.operands[2].example = std::nan(""); }},
        mistake{"operand 'lambda' is scalar and has no layout", [](auto& d, auto&) { d.operands[2].stride = "3"; }},
        mistake{"operand 'info' is info and always i32", [](auto& d, auto&) { d.operands[5].type = "f32"; }},
        mistake{"operand 'J' has the type 'f23'. Did you mean 'f32'?", [](auto& d, auto&) { d.operands[0].type = "f23"; }, unknown},
        mistake{"operand 'r' has a leading dimension but is not a matrix", [](auto& d, auto&) { d.operands[1].ld = "8"; }},
        mistake{"operand 'J' has ld=5, less than its 6 rows", [](auto& d, auto&) { d.operands[0].ld = "5"; }},
        mistake{"operand 'J' has ld=6, less than its 7 columns", [](auto& d, auto&) { d.operands[0].ld = "6", d.operands[0].order = order::row; }},
        mistake{"operand 'r' is row-major but is not a matrix", [](auto& d, auto&) { d.operands[1].order = order::row; }},
        mistake{"operand 'J' has stride=41, so that problems of 42 elements overlap", [](auto& d, auto&) { d.operands[0].stride = "41"; }},
        mistake{"operand 'J' is interleaved", [](auto& d, auto&) { d.operands[0].order = order::interleaved, d.operands[0].ld = "8"; }},
        mistake{"operand 'J' is interleaved", [](auto& d, auto&) { d.operands[0].order = order::interleaved, d.operands[0].stride = "64"; }},
        mistake{"operand 'J' is broadcast and has no stride", [](auto& d, auto&) { d.operands[0].broadcast = true, d.operands[0].stride = "64"; }},
        mistake{"operand 'dq' is out and broadcast", [](auto& d, auto&) { d.operands[3].broadcast = true; }},
        mistake{"operand 'H' is scratch", [](auto& d, auto&) { d.operands[4].order = order::interleaved; }},
        mistake{"operand 'J' comes in any order of 'dp', which is no vector that the operation writes. Did you mean 'dq'?",
                [](auto& d, auto&) { d.operands[0].order_of = "dp"; }, unknown},
        mistake{"operand 'dq' comes in any order of 'J', which is no vector that the operation writes.", [](auto& d, auto&) { d.operands[3].order_of = "J"; }, unknown},
        mistake{"operand 'J' is spd but not a square matrix", [](auto& d, auto&) { d.operands[0].kind = kind::spd; }},
        mistake{"operand 'r' is lower but not a square matrix", [](auto& d, auto&) { d.operands[1].kind = kind::lower; }},
        mistake{"operand 'r' is a unit quaternion but its first extent is not 4", [](auto& d, auto&) { d.operands[1].kind = kind::unit_quaternion; }},
        mistake{"operand 'r' extent: the expression 'NX+', at character 4", [](auto& d, auto&) { d.operands[1].shape = {"NX+"}; }},
        mistake{"operand 'r' extent NX-NU is -1, which is negative", [](auto& d, auto&) { d.operands[1].shape = {"NX-NU"}; }},
        mistake{"operand 'r' extent: the expression 'NX/0', at character 3: a division by zero", [](auto& d, auto&) { d.operands[1].shape = {"NX/0"}; }},
        mistake{"too large", [](auto& d, auto&) { d.operands[0].shape = {"NX*100000000", "NU*100000000"}; }},
        mistake{"which is too large", [](auto& d, auto&) { d.operands[1].shape = {"NX*1000000000"}; }},
        mistake{"'TRNS' is compared with a word but is no option. Did you mean 'TRANS'?",
                [](auto& d, auto&) { d.options = {{"TRANS", {"no", "yes"}}}, d.operands[1].shape = {"TRNS==yes ? NX : NU"}; }, unknown},
        mistake{"TRANS is never 'yess'. Did you mean 'yes'?",
                [](auto& d, auto&) { d.options = {{"TRANS", {"no", "yes"}}}, d.operands[1].shape = {"TRANS==yess ? NX : NU"}; }, unknown},
        mistake{"operand 'r' when: 'TRNS' is not known", [](auto& d, auto&) { d.options = {{"TRANS", {"no", "yes"}}}, d.operands[1].when = "TRNS==yes"; }, unknown},
        mistake{"operand 'r' when: TRANS is never 'ye'", [](auto& d, auto&) { d.options = {{"TRANS", {"no", "yes"}}}, d.operands[1].when = "TRANS==ye"; }, unknown},
        mistake{"'NX NY' is not a name for an option", [](auto& d, auto&) { d.options = {{"NX NY", {"a"}}}; }, errc::invalid_argument},
        mistake{"option TRANS has no values", [](auto& d, auto&) { d.options = {{"TRANS", {}}}; }},
        mistake{"option TRANS lists the value 'no' twice", [](auto& d, auto&) { d.options = {{"TRANS", {"a::no", "b::no"}}}; }},
        mistake{"a tunable 'pack' has a name that rules use", [](auto& d, auto&) { d.tunables = {{"pack", {1, 2}}}; }},
        mistake{"a tunable 'TRANS' has a name that is taken", [](auto& d, auto&) { d.options = {{"TRANS", {"no"}}}, d.tunables = {{"TRANS", {1}}}; }},
        mistake{"a shape uses 'UNROLL', which belongs to the placement", [](auto& d, auto&) { d.tunables = {{"UNROLL", {1, 2}}}, d.operands[1].shape = {"UNROLL*NX"}; }},
        mistake{"a shape uses 'width'", [](auto& d, auto&) { d.operands[1].shape = {"width"}; }},
        mistake{"size NX falls back to 'NY', which is no size. Did you mean 'NX'?", [](auto& d, auto&) { d.sizes = {{.name = "NX", .fallback_size = "NY"}}; }, unknown},
        mistake{"size NX has an empty range", [](auto& d, auto&) { d.sizes = {{.name = "NX", .least = 5, .most = 4}}; }},
        mistake{"the default of size NX is outside", [](auto& d, auto&) { d.sizes = {{.name = "NX", .fallback = 9, .most = 4}}; }},
        mistake{"flops: 'NY' is not known. Did you mean 'NX'?", [](auto& d, auto&) { d.flops = "2*NY"; }, unknown},
        mistake{"rule 'too big': 'widht' is not known. Did you mean 'width'?", [](auto& d, auto&) { d.rules = {{"", "widht<=32", "too big"}}; }, unknown},
        mistake{"rule 'too big': body is never 'fragmnt'", [](auto& d, auto&) { d.bodies = {"fragment", "loop"}, d.rules = {{"body==fragmnt", "NX<=32", "too big"}}; }, unknown},
        mistake{"has no reason", [](auto& d, auto&) { d.rules = {{"", "NX<=32", ""}}; }},
        mistake{"a rule requires nothing", [](auto& d, auto&) { d.rules = {{"", "", "too big"}}; }},
        mistake{"'loops', which is to go in step, is no body. Did you mean 'loop'?", [](auto& d, auto&) { d.bodies = {"loop", "fragment"}, d.in_step = {"loops"}; }, unknown},
        mistake{"lists the value 'loop' twice", [](auto& d, auto&) { d.bodies = {"loop", "loop"}; }},
        // the problem
        mistake{"the size NU is not given", [](auto&, auto& p) { p.sizes.erase("NU"); }},
        mistake{"has no size 'NZ'. Did you mean 'NX'?", [](auto&, auto& p) { p.sizes["NZ"] = 3; }, unknown},
        mistake{"NX=-1 is negative", [](auto&, auto& p) { p.sizes["NX"] = -1; }},
        mistake{"NX=2000000 is too large", [](auto&, auto& p) { p.sizes["NX"] = 2000000; }},
        mistake{"NX=2 is too small; the least is 3", [](auto& d, auto& p) { d.sizes = {{.name = "NX", .least = 3}}, p.sizes["NX"] = 2; }},
        mistake{"NX=9 is too large; the most is 8", [](auto& d, auto& p) { d.sizes = {{.name = "NX", .most = 8}}, p.sizes["NX"] = 9; }},
        mistake{"NX<=9 is too large; the most is 8", [](auto& d, auto& p) { d.sizes = {{.name = "NX", .most = 8}}, p.sizes["NX"] = up_to(9); }},
        mistake{"the size NX is not given",
                [](auto& d, auto& p) { d.sizes = {{.name = "NX", .fallback_size = "NU"}, {.name = "NU", .fallback_size = "NX"}}, p.sizes.clear(); }},
        mistake{"batch=0 is not at least 1", [](auto&, auto& p) { p.batch = 0; }},
        mistake{"has no option 'TRANS'", [](auto&, auto& p) { p.options["TRANS"] = "yes"; }, unknown},
        mistake{"the option TRANS has no value 'yess'. Did you mean 'yes'?", [](auto& d, auto& p) { d.options = {{"TRANS", {"no", "yes"}}}, p.options["TRANS"] = "yess"; }, unknown},
        mistake{"extent 20-NX grows when NX shrinks", [](auto& d, auto& p) { d.operands[1].shape = {"20-NX"}, p.sizes["NX"] = up_to(9); }},
        mistake{"more than 8 different run-time extents", [](auto& d, auto& p) {
                  for (int i = 1; i <= 8; ++i) d.operands.push_back(in("x" + std::to_string(i), {"NX+" + std::to_string(i)}));
                  p.sizes["NX"] = up_to(9);
                }}));

TEST(FindOperation, NamesTheNearest) {
  try {
    find_operation("psov");
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::unknown_name);
    EXPECT_THAT(e.message(), HasSubstr("no operation 'psov'. Did you mean 'posv'?"));
  }
  EXPECT_THROW(bind(find_operation("posv"), {.sizes = {{"N", 4}}, .type = i32}, true), error);
}

}  // namespace
}  // namespace glass::jit
