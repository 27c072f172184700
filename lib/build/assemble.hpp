// The parts of a JIT source: what the key is made of, and what the assembled text is.
#pragma once
#include <string>

#include "build/build.hpp"

namespace glass::jit {

inline constexpr char tail_name[] = "glass_tail";  // how compilers name the generated part in their messages

std::string prologue(const bound_problem&);  // constant includes, and for a user's text the #line that names it
std::string tail(const bound_problem&, const placement&);  // from its own #line on
std::string type_text(scalar_type);                        // "float"
// What the body is handed for an operand, as a person would write it: "glass::matrix<const float, 6, 7>".
std::string handed_over(const bound_operand&);

}  // namespace glass::jit
