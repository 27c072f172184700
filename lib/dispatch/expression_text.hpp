// Expressions of the catalog as C++ of the static headers.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace glass::jit {

// `word_valued`: names whose values are words (options, body, scope …); what they are compared with is then written
// word::NAME. Every other name stays as it is. Throws errc::invalid_argument for what is no expression.
std::string expression_text(std::string_view expression, const std::function<bool(const std::string&)>& word_valued);

}  // namespace glass::jit
