// Descriptions, problems and manifests as JSON: round trips, and one sentence with file, place and nearest key per
// mistake.
#include "catalog/spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "glass/jit/error.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const char* const lm = R"({
  "name": "lm_step", "text": "template <class S> void lm_step(S);",
  "operands": [
    {"name": "J", "access": "in", "shape": ["NX", "NU"], "order": "row", "ld": "NU+1", "stride": 64, "type": "f64"},
    {"name": "x", "access": "inout", "shape": [4], "kind": "unit_quaternion"},
    {"name": "g", "access": "in", "shape": [3], "broadcast": true, "when": "GRAVITY==yes"},
    {"name": "lambda", "access": "scalar", "example": 1e-3},
    {"name": "info", "access": "info"}],
  "sizes": [{"name": "NX", "fallback": 6, "least": 1, "most": 16}, {"name": "NU", "fallback_size": "NX"}],
  "options": [{"name": "GRAVITY", "values": ["mine::Gravity::no", "mine::Gravity::yes"]}],
  "tunables": [{"name": "UNROLL", "values": [1, 2, "mine::all"]}],
  "bodies": ["fragment", "loop"], "in_step": ["fragment"],
  "rules": [{"when": "UNROLL==2", "require": "NX>=2", "reason": "Nothing to unroll."}],
  "flops": "2*NX*NU", "bytes": "bytes*NX", "bound": 32.5, "revision": 3, "contract": "A step."
})";

TEST(DescriptionJson, ReadsEveryField) {
  const operation_description d = description_from_json(lm, "k.json");
  ASSERT_EQ(d.operands.size(), 5u);
  EXPECT_EQ(d.name, "lm_step");
  EXPECT_EQ(d.operands[0].shape[1].text(), "NU");
  EXPECT_EQ(d.operands[0].order, order::row);
  EXPECT_EQ(d.operands[0].ld, "NU+1");
  EXPECT_EQ(d.operands[0].stride, "64");
  EXPECT_EQ(d.operands[0].type, "f64");
  EXPECT_EQ(d.operands[1].kind, kind::unit_quaternion);
  EXPECT_EQ(d.operands[1].shape[0].text(), "4");
  EXPECT_TRUE(d.operands[2].broadcast);
  EXPECT_EQ(d.operands[2].when, "GRAVITY==yes");
  EXPECT_EQ(d.operands[3].example, 1e-3);
  EXPECT_EQ(d.sizes[0].most, 16);
  EXPECT_EQ(d.sizes[1].fallback_size, "NX");
  EXPECT_EQ(d.options[0].values.at(1), "mine::Gravity::yes");
  EXPECT_EQ(d.tunables[0].values.at(2).text, "mine::all");
  EXPECT_EQ(d.tunables[0].values.at(1).text, "2");
  EXPECT_EQ(d.rules[0].require, "NX>=2");
  EXPECT_EQ(d.bound, 32.5);
  EXPECT_EQ(d.revision, 3);
}

TEST(DescriptionJson, RoundTrips) {
  std::vector<operation_description> all = operations();
  all.push_back(description_from_json(lm, "k.json"));
  for (const auto& d : all) {
    const std::string text = to_json(d);
    EXPECT_EQ(to_json(description_from_json(text, "again.json")), text) << d.name;
  }
}

TEST(ProblemJson, RoundTrips) {
  const problem p = problem_from_json(
      R"({"sizes": {"N": 12, "M": {"up_to": 32}}, "type": "f64", "batch": 8192, "options": {"TRANS": "yes"}, "measure": "latency"})",
      "p.json");
  EXPECT_EQ(p.sizes.at("N").value, 12);
  EXPECT_TRUE(p.sizes.at("M").bound);
  EXPECT_EQ(p.sizes.at("M").value, 32);
  EXPECT_EQ(p.type, f64);
  EXPECT_EQ(p.batch, 8192);
  EXPECT_EQ(p.options.at("TRANS"), "yes");
  EXPECT_EQ(p.measure, measure::latency);
  EXPECT_EQ(to_json(problem_from_json(to_json(p), "again.json")), to_json(p));
}

struct mistake {
  const char* json;
  const char* says;
};
void PrintTo(const mistake& m, std::ostream* out) { *out << m.json; }
std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const error& e) { return e.message(); }
  return "accepted";
}

class SpecMistake : public ::testing::TestWithParam<mistake> {};
TEST_P(SpecMistake, IsOneSentence) {
  const std::string said = refusal([] { description_from_json(GetParam().json, "k.json"); });
  EXPECT_THAT(said, AllOf(HasSubstr("k.json"), HasSubstr(GetParam().says), Not(HasSubstr("\n"))));
}
INSTANTIATE_TEST_SUITE_P(
    All, SpecMistake,
    ::testing::Values(
        mistake{"", "line 1, column 1"}, mistake{"{\n  \"name\": \"x\",\n  oops\n}", "line 3, column 3"},
        mistake{"{\"name\": \"x\"", "line 1, column 13"}, mistake{"\"name\": \"\xff\"", "line 1"},
        mistake{"[]", "an object {…} is expected, not a list"},
        mistake{"{\"operands\": []}", "the key 'name' is missing"},
        mistake{R"({"name": "x"})", "the key 'operands' is missing"},
        mistake{R"({"name": "x", "operands": [], "flop": "N"})", "'flop' is not a key here. Did you mean 'flops'?"},
        mistake{R"({"name": "x", "name": "y", "operands": []})", "the key 'name' is given twice"},
        mistake{R"({"name": 3, "operands": []})", "k.json: name: a string is expected, not the number 3"},
        mistake{R"({"name": "x", "operands": {}})", "k.json: operands: a list […] is expected, not an object"},
        mistake{R"({"name": "x", "operands": [{"name": "A", "access": "inn"}]})",
                "k.json: operands[0].access: 'inn' is not a choice. Did you mean 'in'?"},
        mistake{R"({"name": "x", "operands": [{"name": "A", "acces": "in"}]})",
                "k.json: operands[0]: 'acces' is not a key here. Did you mean 'access'?"},
        mistake{R"({"name": "x", "operands": [{"name": "A"}]})", "k.json: operands[0]: the key 'access' is missing"},
        mistake{R"({"name": "x", "operands": [{"name": "A", "access": "in", "shape": [1.5]}]})",
                "operands[0].shape[0]: an integer or an expression"},
        mistake{R"({"name": "x", "operands": [{"name": "A", "access": "in", "broadcast": 1}]})",
                "operands[0].broadcast: true or false is expected, not the number 1"},
        mistake{R"({"name": "x", "operands": [{"name": "a", "access": "scalar"}]})", "the scalar 'a' has no 'example'"},
        mistake{R"({"name": "x", "operands": [{"name": "a", "access": "scalar", "example": "1"}]})",
                "operands[0].example: a number is expected, not a string"},
        mistake{R"({"name": "x", "operands": [{"name": "a", "access": "in", "kind": "sdp"}]})", "Did you mean 'spd'?"},
        mistake{R"({"name": "x", "operands": [], "sizes": [{"fallback": 1}]})", "sizes[0]: the key 'name' is missing"},
        mistake{R"({"name": "x", "operands": [], "sizes": [{"name": "N", "least": 99999999999}]})",
                "sizes[0].least: 99999999999 is too large"},
        mistake{R"({"name": "x", "operands": [], "tunables": [{"name": "U", "values": [true]}]})",
                "tunables[0].values[0]: an integer or an expression"},
        mistake{R"({"name": "x", "operands": [], "rules": [{"require": "N>1"}]})",
                "rules[0]: the key 'reason' is missing"},
        mistake{R"({"name": "x", "operands": [], "bodies": ["loop", null]})",
                "bodies[1]: a string is expected, not null"}));

class ProblemMistake : public ::testing::TestWithParam<mistake> {};
TEST_P(ProblemMistake, IsOneSentence) {
  EXPECT_THAT(refusal([] { problem_from_json(GetParam().json, "p.json"); }),
              AllOf(HasSubstr("p.json"), HasSubstr(GetParam().says)));
}
INSTANTIATE_TEST_SUITE_P(
    All, ProblemMistake,
    ::testing::Values(mistake{R"({"size": {}})", "Did you mean 'sizes'?"},
                      mistake{R"({"sizes": {"N": "12"}})", "sizes.N: an integer is expected, not a string"},
                      mistake{R"({"sizes": {"N": 1.5}})", "sizes.N: an integer is expected, not the number 1.5"},
                      mistake{R"({"sizes": {"N": {"upto": 3}}})",
                              "sizes.N: 'upto' is not a key here. Did you mean 'up_to'?"},
                      mistake{R"({"type": "f16"})", "type: 'f16' is not a choice"},
                      mistake{R"({"measure": "latncy"})", "Did you mean 'latency'?"},
                      mistake{R"({"options": {"TRANS": true}})", "options.TRANS: a string is expected"}));

class Manifest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / ("glass_manifest_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const char* file, const std::string& text) { std::ofstream(folder_ / file) << text; }
  std::vector<manifest_entry> read(const std::string& text) {
    return manifest_from_json(text, "m.json", folder_.string());
  }
  std::filesystem::path folder_;
};

TEST_F(Manifest, ListsBuiltInsAndFilesBesideIt) {
  write("k.cu", "the text");
  write("k.json", R"({"name": "k", "operands": [{"name": "x", "access": "inout", "shape": ["N"]}]})");
  write("whole.json", lm);
  const auto entries = read(R"({"problems": [{"operation": "posv", "sizes": {"N": 12}, "type": "f64", "batch": 64},
                                             {"source": "k.cu", "spec": "k.json", "sizes": {"N": 3}}, {"spec": "whole.json"}]})");
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_TRUE(entries[0].built_in);
  EXPECT_EQ(entries[0].description.name, "posv");
  EXPECT_EQ(entries[0].problem.batch, 64);
  EXPECT_FALSE(entries[1].built_in);
  EXPECT_EQ(entries[1].description.text, "the text");
  EXPECT_EQ(entries[1].problem.sizes.at("N").value, 3);
  EXPECT_EQ(entries[2].description.name, "lm_step");
}

TEST_F(Manifest, NamesTheEntryThatIsWrong) {
  write("k.json", R"({"name": "k", "operands": []})");
  write("whole.json", lm);
  write("k.cu", "the text");
  const mistake mistakes[] = {
      {R"({})", "m.json: the key 'problems' is missing"},
      {R"({"problems": [{"operation": "psov"}]})",
       "m.json: problems[0]: there is no operation 'psov'. Did you mean 'posv'?"},
      {R"({"problems": [{"operation": "posv"}, {"sizes": {}}]})", "m.json: problems[1]: either 'operation' or 'spec'"},
      {R"({"problems": [{"operation": "posv", "spec": "k.json"}]})", "problems[0]: either 'operation' or 'spec'"},
      {R"({"problems": [{"operation": "posv", "source": "k.cu"}]})", "problems[0]: a 'source' goes with a 'spec'"},
      {R"({"problems": [{"spec": "k.json"}]})", "neither a 'text' in the spec nor a source file"},
      {R"({"problems": [{"spec": "whole.json", "source": "k.cu"}]})", "is given too"},
      {R"({"problems": [{"spec": "nothing.json", "source": "k.cu"}]})", "nothing.json: No such file"},
      {R"({"problems": [{"spec": "k.json", "source": "nothing.cu"}]})", "nothing.cu: No such file"},
      {R"({"problems": [{"operation": "posv", "batches": 3}]})", "Did you mean 'batch'?"}};
  for (const auto& m : mistakes) EXPECT_THAT(refusal([&] { read(m.json); }), HasSubstr(m.says)) << m.json;
}

}  // namespace
}  // namespace glass::jit
