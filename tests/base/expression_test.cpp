// Expressions of sizes and options: values, precedence, branches not taken, and one clear sentence per mistake.
#include "base/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "glass/jit/error.hpp"

namespace glass::jit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

const std::vector<std::string> known = {"N", "M", "TRANS"};

bool look_up(std::string_view name, expression_value& v) {
  static const std::map<std::string_view, expression_value> values = {{"N", {6, {}}},        {"M", {4, {}}},
                                                                      {"zero", {0, {}}},     {"big", {INT64_MAX, {}}},
                                                                      {"TRANS", {0, "yes"}}, {"BODY", {0, "fragment"}}};
  const auto it = values.find(name);
  if (it != values.end()) v = it->second;
  return it != values.end();
}
long long value_of(std::string_view text) { return evaluate(text, look_up, known); }

struct valued {
  const char* text;
  long long value;
};
class Expression : public ::testing::TestWithParam<valued> {};
TEST_P(Expression, HasTheValueOfSchool) { EXPECT_EQ(value_of(GetParam().text), GetParam().value) << GetParam().text; }
INSTANTIATE_TEST_SUITE_P(
    All, Expression,
    ::testing::Values(valued{"7", 7}, valued{"N", 6}, valued{" N + M*2 ", 14}, valued{"(N+M)*2", 20},
                      valued{"N-M-1", 1}, valued{"-N+M", -2}, valued{"--N", 6}, valued{"N*(N+1)/2", 21},
                      valued{"-7/2", -3}, valued{"24/2/3", 4}, valued{"N==6", 1}, valued{"N!=6", 0}, valued{"N<M", 0},
                      valued{"N<=6", 1}, valued{"N>M", 1}, valued{"N>=7", 0}, valued{"N==M+2", 1}, valued{"!zero", 1},
                      valued{"!N", 0}, valued{"N>5 && M>5", 0}, valued{"N>5 || M>5", 1}, valued{"0||0&&1", 0},
                      valued{"1 || 0 && 0", 1}, valued{"TRANS==yes", 1}, valued{"TRANS==no", 0}, valued{"TRANS!=no", 1},
                      valued{"TRANS==glass::Trans::yes", 1}, valued{"TRANS==yes ? N : M", 6},
                      valued{"TRANS==no ? N : M", 4}, valued{"N<5 ? 1 : N<7 ? 2 : 3", 2}, valued{"N==M ? 1 : 2", 2},
                      valued{"(TRANS==yes)*N", 6}, valued{"zero!=0 && N/zero>1", 0}, valued{"zero==0 || N/zero>1", 1},
                      valued{"zero==0 ? N : N/zero", 6}, valued{"zero==0 ? 1 : big+big", 1},
                      valued{"BODY==fragment && N<=(TRANS==yes ? 8 : 4)", 1},
                      valued{"9223372036854775807", INT64_MAX}));

struct refused {
  const char* text;
  const char* says;
};
class Mistake : public ::testing::TestWithParam<refused> {};
TEST_P(Mistake, IsOneSentenceWithThePlace) {
  try {
    const long long v = value_of(GetParam().text);
    FAIL() << GetParam().text << " gave " << v;
  } catch (const error& e) {
    EXPECT_THAT(e.message(), HasSubstr(GetParam().says));
    EXPECT_THAT(e.message(), HasSubstr("the expression '" + std::string(GetParam().text) + "', at character "));
  }
}
INSTANTIATE_TEST_SUITE_P(
    All, Mistake,
    ::testing::Values(
        refused{"", "nothing is written"}, refused{"   ", "nothing is written"},
        refused{"N+", "at character 3: it ends where a number"}, refused{"N M", "at character 3: 'M' is one too many"},
        refused{"(N", "')' is expected"}, refused{"N)", "')' is one too many"}, refused{"N ? 1", "':' is expected"},
        refused{"N ? 1 ; 2", "';' is not understood"}, refused{"NN", "'NN' is not known. Did you mean 'N'?"},
        refused{"TRNS==yes", "'TRNS' is not known. Did you mean 'TRANS'?"}, refused{"TRANS+1", "the word 'yes'"},
        refused{"TRANS", "the word 'yes'"}, refused{"TRANS==1", "a word is compared with a number"},
        refused{"TRANS<yes", "the word 'yes'"}, refused{"N/zero", "a division by zero"}, refused{"big+1", "too large"},
        refused{"big*2", "too large"}, refused{"-big-2", "too large"}, refused{"9223372036854775808", "too large"},
        refused{"2N", "'2N' is neither a number nor a name"}, refused{"1.5", "'.' is not understood"},
        refused{"N=6", "'=' is not understood"}, refused{"N & M", "'&' is not understood"},
        refused{"N==6==1", "'==' is one too many"}, refused{"* N", "'*' stands where a number"},
        refused{"zero==0 ? N : nope", "'nope' is not known"}));

TEST(Expression, RefusesDepthThatWouldEndTheStack) {
  for (const char* opening : {"(", "-", "!"}) {
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += opening;
    EXPECT_THROW(value_of(deep + "1"), error);
  }
}

TEST(NamesIn, LeavesOutTheWordsThatOptionsAreComparedWith) {
  EXPECT_THAT(names_in("TRANS==yes ? M : N*(M+1)"), ElementsAre("TRANS", "M", "N", "M"));
  EXPECT_THAT(names_in("12"), ElementsAre());
}

TEST(WordsIn, PairsAnOptionWithTheLastNameOfItsWord) {
  EXPECT_THAT(words_in("TRANS==glass::Trans::yes && FILL != lower && N==3"),
              ElementsAre(Pair("TRANS", "yes"), Pair("FILL", "lower")));
}

}  // namespace
}  // namespace glass::jit
