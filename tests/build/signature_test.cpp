// The light scan of a user's text.
#include "build/signature.hpp"

#include <gmock/gmock.h>

namespace glass::jit {
namespace {

using ::testing::ElementsAre;

TEST(signature_test, parameters_by_name_type_and_view) {
  const auto s = find_function(
      "template <int U, class S, class T = float>\nGLASS_DEVICE int f(S scope, glass::matrix<const T, N + 1, g(2, 3)> "
      "A, const T x = T(1), auto y) {}",
      "f");
  ASSERT_TRUE(s);
  EXPECT_THAT(s->template_parameters, ElementsAre("int U", "class S", "class T = float"));
  ASSERT_EQ(s->parameters.size(), 4u);
  EXPECT_EQ(s->parameters[0].name, "scope");
  EXPECT_EQ(s->parameters[1].name, "A");
  EXPECT_EQ(s->parameters[1].view, "matrix");
  EXPECT_THAT(s->parameters[1].arguments, ElementsAre("const T", "N + 1", "g(2, 3)"));
  EXPECT_EQ(s->parameters[2].name, "x");
  EXPECT_EQ(s->parameters[2].type, "const T");
  EXPECT_EQ(s->parameters[3].name, "y");
}

TEST(signature_test, comments_strings_and_calls_are_no_functions) {
  const std::string text =
      "// int f(int a) {\n/* f(x) { */ #define f(x) {\n#define f(x) \\\n  {\nconst char* s = \"f(int b) {\";\nvoid g() "
      "{ "
      "f(1); if (x) {} }\nvoid f(int right) { }\nvoid h();\n";
  EXPECT_EQ(find_function(text, "f")->parameters[0].name, "right");
  EXPECT_THAT(functions_in(text), ElementsAre("g", "f"));
}

TEST(signature_test, functions_inside_braces_are_not_found) {
  EXPECT_FALSE(find_function("namespace n { void f(int a) {} }", "f"));
  EXPECT_FALSE(find_function("void g(int a) {}", "f"));
}

TEST(signature_test, no_parameters_and_no_end) {
  EXPECT_TRUE(find_function("void f() {}", "f")->parameters.empty());
  EXPECT_FALSE(find_function("void f(int a", "f"));
}

TEST(signature_test, braces_in_comments_and_strings_do_not_count) {
  EXPECT_TRUE(balanced("void f() { /* { */ g(\"{\"); } // {"));
  EXPECT_FALSE(balanced("void f() {"));
  EXPECT_FALSE(balanced("} "));
}

}  // namespace
}  // namespace glass::jit
