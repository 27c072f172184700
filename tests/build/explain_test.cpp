// The mistakes people make in a kernel's text, each compiled with the real compilers of this machine: the message shows
// the user's own line, the hint says in one sentence what to change, the whole log is kept.
#include <gmock/gmock.h>

#include <regex>

#include "backend/cuda/nvrtc.hpp"
#include "backend/host/compiler.hpp"
#include "base/headers.hpp"
#include "base/text.hpp"
#include "problems.hpp"

namespace glass::jit {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// A compiler by name: g++, clang++ or nvrtc. Null where this machine has none.
std::function<image(const source&)> compiler(const std::string& name) {
  if (name == "nvrtc") {
    const auto found = cuda::nvrtc::find();
    if (found.empty()) return {};
    const auto nvrtc = std::make_shared<cuda::nvrtc>(found[0]);
    return [nvrtc](const source& s) { return nvrtc->compile(s, 90); };
  }
  host_options options;
  options.compiler = name;
  const auto host = std::make_shared<host_compiler>(options);
  try {
    host->identity();
  } catch (const error&) { return {}; }
  return [host](const source& s) { return host->compile(s); };
}

class explain_test : public ::testing::TestWithParam<std::string> {
 protected:
  // What a user is told; the compile must fail.
  error explained(const bound_problem& p, const placement& where = placement::parse("scope=thread")) {
    const source s = assemble(p, where);
    try {
      compile_(s);
    } catch (const error& e) {
      EXPECT_EQ(e.code(), errc::compile_failed);
      return explain_compile_failure(e, p, s);
    }
    ADD_FAILURE() << "it compiles";
    return error(errc::ok, stage::compile, "");
  }
  error explained(const std::string& what, const std::string& with) {
    return explained(lm_bound(replaced(lm_text, what, with)));
  }
  void SetUp() override {
    compile_ = compiler(GetParam());
    if (!compile_) GTEST_SKIP() << "no " << GetParam() << " here";
  }
  std::function<image(const source&)> compile_;
};

#define EXPECT_TOLD(e, at, expected_hint)                                                            \
  do {                                                                                               \
    const error answer = e;                                                                          \
    EXPECT_THAT(answer.message(), AllOf(HasSubstr("lm_step does not compile"), at)) << answer.log(); \
    EXPECT_THAT(answer.hint(), expected_hint) << answer.log();                                       \
    EXPECT_FALSE(answer.log().empty());                                                              \
  } while (false)

testing::Matcher<std::string> line(int n, const std::string& text) {
  const std::string at = std::to_string(n);
  return AllOf(HasSubstr("at line " + at + " of lm_step"), HasSubstr("\n    " + at + " | " + text));
}

TEST_P(explain_test, writing_to_an_in_operand) {
  EXPECT_TOLD(explained("  glass::gemv", "  J(0, 0) = 1;\n  glass::gemv"), line(6, "  J(0, 0) = 1;"),
              HasSubstr("J is an `in` operand, so its view is const: declare it inout(\"J\""));
}

TEST_P(explain_test, handing_an_in_operand_to_an_operation_that_writes_it) {
  EXPECT_TOLD(explained("syrk<glass::Trans::yes>(scope, 1, J, 0, H)", "posv(scope, H, r)"),
              HasSubstr("at line 4 of lm_step"), HasSubstr("sizes do not fit"));
  EXPECT_TOLD(explained("glass::gemv<glass::Trans::yes>(scope, 1, J, r, dq)", "glass::axpy(scope, 1, r, r)"),
              line(6, "  glass::axpy(scope, 1, r, r);"),
              AllOf(HasSubstr("axpy writes y, but y is const."), HasSubstr("r is an `in` operand")));
}

TEST_P(explain_test, taking_a_writable_view_of_an_in_operand) {
  EXPECT_TOLD(explained("glass::matrix<const T, NX, NU> J", "glass::matrix<T, NX, NU> J"),
              HasSubstr("J  glass::matrix<const float, 6, 7>"),
              HasSubstr("J is an `in` operand, so its view is const: write glass::matrix<const T, …> J"));
}

TEST_P(explain_test, taking_a_const_view_of_an_out_operand) {
  EXPECT_TOLD(explained("glass::vector<T, NU> dq", "glass::vector<const T, NU> dq"),
              HasSubstr("| glass::vector<const T, NU> dq"), HasSubstr("dq is out and its view is writable"));
}

TEST_P(explain_test, operands_in_another_order) {
  const error told = explained("glass::matrix<const T, NX, NU> J, glass::vector<const T, NX> r",
                               "glass::vector<const T, NX> r, glass::matrix<const T, NX, NU> J");
  EXPECT_TOLD(told,
              HasSubstr("\n    J  glass::matrix<const float, 6, 7>  | glass::vector<const T, NX> r\n    r  "
                        "glass::vector<const float, 6>     | glass::matrix<const T, NX, NU> J\n"),
              HasSubstr("the operands come in the order J, r, lambda, dq, H, but lm_step takes them in the order r, J, "
                        "lambda, dq, H: some are swapped"));
  EXPECT_THAT(told.hint(), Not(HasSubstr("candidate")));
}

TEST_P(explain_test, operands_in_another_order_under_other_names) {
  EXPECT_TOLD(
      explained(lm_bound(
          "template <class S, class T, int M, int N>\nGLASS_DEVICE int lm_step(S scope, glass::vector<const T, M> a, "
          "glass::matrix<const T, M, N> b, T c, glass::vector<T, N> d, glass::matrix<T, N, N> e) { return 0; }")),
      HasSubstr("| glass::vector<const T, M> a"), HasSubstr("J and r look swapped"));
}

TEST_P(explain_test, a_shape_that_cannot_be) {
  EXPECT_TOLD(explained("glass::vector<const T, NX> r", "glass::vector<const T, NU> r"),
              HasSubstr("r  glass::vector<const float, 6>"), HasSubstr("NU would have to be 7 (J) and 6 (r)"));
  EXPECT_TOLD(
      explained("glass::matrix<const T, NX, NU> J", "glass::matrix<const T, 7, 6> J"),
      HasSubstr("| glass::matrix<const T, 7, 6> J"),
      HasSubstr(
          "J is handed over as glass::matrix<const float, 6, 7>, but lm_step takes glass::matrix<const T, 7, 6> J"));
}

TEST_P(explain_test, a_vector_where_a_matrix_comes) {
  EXPECT_TOLD(explained("glass::matrix<T, NU, NU> H", "glass::vector<T, NU> H"), HasSubstr("| glass::vector<T, NU> H"),
              HasSubstr("H is a matrix (glass::matrix<float, 7, 7>), but lm_step takes a vector in its place"));
}

TEST_P(explain_test, too_few_and_too_many_parameters) {
  EXPECT_TOLD(explained(lm_bound("template <class S, class T, int M, int N>\nGLASS_DEVICE int lm_step(S, "
                                 "glass::matrix<const T, M, N> J, glass::vector<const T, M> r, "
                                 "T lambda, glass::vector<T, N> dq) { return 0; }")),
              HasSubstr("H  glass::matrix<float, 7, 7>"),
              HasSubstr("the operand list hands over 5 operands (J, r, lambda, dq, H), but lm_step takes 4 after the "
                        "scope (J, r, lambda, dq)"));
  // NVRTC looks at the call first, the others at the body.
  EXPECT_TOLD(explained(", glass::matrix<T, NU, NU> H", ""),
              AnyOf(HasSubstr("at line 4 of lm_step"), HasSubstr("H  glass::matrix<float, 7, 7>")),
              AnyOf(HasSubstr("H is in the operand list, but lm_step has no parameter of that name."),
                    HasSubstr("but lm_step takes 4 after the scope")));
  EXPECT_TOLD(explained("NU> H)", "NU> H, T more)"), HasSubstr("| T more"),
              HasSubstr("lm_step takes 6 after the scope (J, r, lambda, dq, H, more)"));
}

TEST_P(explain_test, elements_of_another_type) {
  EXPECT_TOLD(explained("glass::vector<const T, NX> r", "glass::vector<const double, NX> r"),
              HasSubstr("| glass::vector<const double, NX> r"),
              HasSubstr("r has float elements, but lm_step takes double"));
}

TEST_P(explain_test, a_row_major_operand_and_a_text_that_does_not_say_so) {
  operation_description d = lm_step();
  d.operands[0].order = order::row;
  EXPECT_TOLD(explained(bind(d, six_by_seven(), false)),
              HasSubstr("glass::matrix<const float, 6, 7, 7, glass::Order::row>"),
              HasSubstr("name that view in the text"));
}

TEST_P(explain_test, a_typo_in_the_functions_name) {
  EXPECT_TOLD(explained("int lm_step", "int lm_stp"), HasSubstr("lm_step"),
              HasSubstr("The text defines no function lm_step; did you mean lm_stp?"));
  EXPECT_TOLD(explained(lm_bound("namespace mine {\n" + lm_text + "}\n")), HasSubstr("lm_step"),
              HasSubstr("no function lm_step outside a namespace or class"));
}

TEST_P(explain_test, a_typo_in_an_operations_name) {
  EXPECT_TOLD(explained("glass::gemv<", "glass::gemvv<"),
              line(6, "  glass::gemvv<glass::Trans::yes>(scope, 1, J, r, dq);"),
              HasSubstr("did you mean glass::gemv?"));
  EXPECT_TOLD(explained("glass::Trans::yes>(scope, 1, J, 0", "glass::Tans::yes>(scope, 1, J, 0"),
              HasSubstr("at line 4 of lm_step"), HasSubstr("did you mean glass::Trans?"));
}

TEST_P(explain_test, an_operation_without_its_namespace) {
  EXPECT_TOLD(explained("glass::add_identity", "add_diagonal"), line(5, "  add_diagonal(scope, lambda, H);"),
              HasSubstr("Nothing is called add_diagonal here"));
  EXPECT_TOLD(explained("glass::gemv<glass::Trans::yes>(scope, 1, J, r, dq)", "lambda = greatst(lambda, lambda)"),
              line(6, "  lambda = greatst"), HasSubstr("did you mean greatest?"));
}

TEST_P(explain_test, a_typo_in_a_variables_name) {
  EXPECT_TOLD(explained("lambda, H);", "lambd, H);"), line(5, "  glass::add_identity(scope, lambd, H);"),
              HasSubstr("Nothing is called lambd here; did you mean lambda?"));
}

TEST_P(explain_test, the_standard_library) {
  EXPECT_TOLD(explained("  glass::gemv", "  lambda = std::max(lambda, T(0));\n  glass::gemv"),
              line(6, "  lambda = std::max(lambda, T(0));"),
              HasSubstr("Device code has no standard library: use glass::greatest instead of std::max."));
}

TEST_P(explain_test, a_file_that_is_not_there) {
  EXPECT_TOLD(explained(lm_bound("#include \"robot.h\"\n" + lm_text)), line(1, "#include \"robot.h\""),
              HasSubstr("put the text of robot.h into the kernel's text"));
}

TEST_P(explain_test, an_operation_called_with_too_few_arguments) {
  EXPECT_TOLD(explained("(scope, 1, J, r, dq)", "(scope, 1, J)"),
              line(6, "  glass::gemv<glass::Trans::yes>(scope, 1, J);"), HasSubstr("It is called as gemv"));
}

TEST_P(explain_test, sizes_that_do_not_fit_in_an_operation) {
  EXPECT_TOLD(explained("glass::gemv<glass::Trans::yes>", "glass::gemv<glass::Trans::no>"),
              HasSubstr("at line 6 of lm_step"), HasSubstr("the sizes do not fit"));
}

TEST_P(explain_test, info_without_an_int_and_an_int_without_info) {
  EXPECT_TOLD(explained(lm_bound(
                  replaced(replaced(lm_text, "int lm_step", "void lm_step"), "return glass::posv", "glass::posv"))),
              HasSubstr(""), HasSubstr("the operand list has an info operand, but the body returns nothing"));
  operation_description d = lm_step();
  d.operands.pop_back();
  EXPECT_TOLD(explained(bind(d, six_by_seven(), false)), HasSubstr(""),
              HasSubstr("the body returns int, so the operand list needs an info operand"));
}

TEST_P(explain_test, a_missing_brace_and_a_missing_semicolon) {
  EXPECT_TOLD(explained("dq);\n}", "dq);\n"), HasSubstr("lm_step"), HasSubstr("has not as many { as }"));
  EXPECT_TOLD(explained("J, 0, H);", "J, 0, H)"), ContainsRegex("at line [45] of lm_step: expected"), HasSubstr(""));
}

TEST_P(explain_test, tunables_that_the_template_does_not_take) {
  operation_description d = lm_step();
  d.tunables = {{"UNROLL", {1, 2}}};
  EXPECT_TOLD(
      explained(bind(d, six_by_seven(), false)), HasSubstr("lm_step takes"),
      HasSubstr("options, tunables and body are the leading template arguments of lm_step, before class Scope"));
}

TEST_P(explain_test, a_function_without_GLASS_DEVICE_compiles) {
  EXPECT_NO_THROW(compile_(assemble(
      lm_bound(replaced(replaced(lm_text, "GLASS_DEVICE ", ""), "return glass::posv(scope, H, dq)", "return 0")),
      placement::parse("scope=thread"))));
}

TEST_P(explain_test, lines_of_a_text_with_windows_line_ends) {
  std::string text;
  for (char c : replaced(lm_text, "glass::gemv<", "glass::gemvv<")) text += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_TOLD(explained(lm_bound(text)), line(6, "  glass::gemvv<glass::Trans::yes>(scope, 1, J, r, dq);"),
              HasSubstr("glass::gemv?"));
}

// Under a sanitizer one compiler's words will do: the sentences come from the same code.
#if (defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)) && !defined(GLASS_SLOW_TESTS)
const auto compilers = ::testing::Values("g++");
#else
const auto compilers = ::testing::Values("g++", "clang++", "nvrtc");
#endif
INSTANTIATE_TEST_SUITE_P(, explain_test, compilers, [](const auto& info) {
  return info.param == "g++" ? std::string("gcc") : info.param == "clang++" ? "clang" : info.param;
});

TEST(explain_log_test, the_names_given_for_the_standard_ones_exist) {
  for (const char* name : {"max", "min", "abs", "fabs", "sqrt", "exp", "fma", "isfinite"}) {
    const bound_problem p = lm_bound("auto x = std::" + std::string(name) + "(1);\n" + lm_text);
    const error told = explain_compile_failure(
        error({errc::compile_failed, stage::compile, "", "", "",
               "lm_step(1): error: namespace \"std\" has no member \"" + std::string(name) + "\"", ""}),
        p, assemble(p, tile8()));
    std::smatch ours;
    const std::string hint = told.hint();
    ASSERT_TRUE(std::regex_search(hint, ours, std::regex("use glass::(\\w+)"))) << hint;
    const bool declared =
        std::any_of(embedded_headers().begin(), embedded_headers().end(), [&](const embedded_header& h) {
          return std::regex_search(std::string(h.text), std::regex("GLASS_SCALAR[^;(]* " + ours.str(1) +
                                                                   "\\(|GLASS_DEVICE[^;(]* " + ours.str(1) + "\\("));
        });
    EXPECT_TRUE(declared) << hint;
  }
}

// As if a compiler had said this.
error told_from(const bound_problem& p, const std::string& log) {
  return explain_compile_failure(error({errc::compile_failed, stage::compile, "it failed", "", "cc -c", log, "cc 1"}),
                                 p, assemble(p, tile8()));
}

TEST(explain_log_test, an_error_of_a_built_in_is_no_fault_of_the_user) {
  problem sizes;
  sizes.sizes = {{"N", 4}};
  const error told =
      told_from(bind(find_operation("posv"), sizes, true), "glass/factor/posv.cuh(12): error: expected a ;");
  EXPECT_THAT(told.message(), HasSubstr("posv does not compile: in glass/factor/posv.cuh, line 12: expected a ;"));
  EXPECT_THAT(told.hint(), HasSubstr("fault of glass"));
  EXPECT_THAT(told.attempted(), HasSubstr(": cc -c"));
  EXPECT_EQ(told.versions(), "cc 1");
}

TEST(explain_log_test, an_error_in_a_header_with_no_frame_of_the_user_blames_nobody) {
  const error told = told_from(lm_bound(), "glass/factor/posv.cuh(12): error: expected a ;");
  EXPECT_THAT(told.message(), HasSubstr("in glass/factor/posv.cuh, line 12"));
  EXPECT_EQ(told.hint(), "");
}

TEST(explain_log_test, a_text_of_one_huge_line_is_shown_in_part) {
  const bound_problem p = lm_bound(replaced(lm_text, "{", "{ /* " + std::string(3'000'000, 'x') + " */ "));
  const error told = told_from(p, "lm_step:3:80: error: 'gemvv' is not a member of 'glass'");
  EXPECT_LT(told.message().size(), 1000u);
  EXPECT_THAT(told.hint(), HasSubstr("did you mean glass::gemv?"));
}

TEST(explain_log_test, a_log_that_is_no_compilers_keeps_the_message) {
  const source s = assemble(lm_bound(), tile8());
  const error told = explain_compile_failure(
      error({errc::compile_failed, stage::compile, "the compiler was killed", "", "", "out of memory", ""}), lm_bound(),
      s);
  EXPECT_THAT(told.message(), HasSubstr("the compiler was killed"));
  EXPECT_EQ(told.log(), "out of memory");
  EXPECT_EQ(told.attempted(), s.label);
}

}  // namespace
}  // namespace glass::jit
