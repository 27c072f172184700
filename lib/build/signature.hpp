// A light scan of a user's text: which functions it defines and what one of them takes. No parser: comments and strings
// are blanked, brackets are counted. Good enough to say what differs from an operand list.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace glass::jit {

struct parameter {
  std::string text;                    // "glass::matrix<const T, NX, NU> J"
  std::string name;                    // "J"
  std::string view;                    // "matrix", "vector", or "" for anything else
  std::vector<std::string> arguments;  // of the view's template: {"const T", "NX", "NU"}
  std::string type;                    // without the name
};

struct signature {
  std::string before;  // from the end of what precedes to the name: "template <…> GLASS_DEVICE int"
  std::vector<std::string> template_parameters;
  std::vector<parameter> parameters;
};

std::string blanked(const std::string& text);  // comments, strings and preprocessor lines as spaces; same length
std::optional<signature> find_function(const std::string& text, const std::string& name);
std::vector<std::string> functions_in(const std::string& text);  // names defined outside any braces
bool balanced(const std::string& text);                          // as many { as }

}  // namespace glass::jit
