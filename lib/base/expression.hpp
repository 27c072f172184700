// Integer expressions of named values, as extents, `when` conditions and legality rules use them: + - * / ( ) numbers
// names, comparisons, && || !, a ? b : c, and OPTION==word. No floating point, no state.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glass::jit {

// What a name stands for: a number, or a word (options, scope, home, body). Returns false when the name is unknown.
struct expression_value {
  long long number = 0;
  std::string word;  // non-empty: a word; only == and != accept it
};
using expression_scope = std::function<bool(std::string_view name, expression_value& out)>;

// Evaluates; throws errc::invalid_argument that quotes the expression and points at the place (syntax, unknown name
// with the nearest known one out of `known`, overflow, division by zero).
long long evaluate(std::string_view expression, const expression_scope&, const std::vector<std::string>& known = {});
// The names an expression mentions, in order, without those on the right of == and !=.
std::vector<std::string> names_in(std::string_view expression);

// The comparisons with a word that an expression makes: {"TRANS", "yes"} of TRANS==glass::Trans::yes (words are
// compared by last name).
std::vector<std::pair<std::string, std::string>> words_in(std::string_view expression);

}  // namespace glass::jit
