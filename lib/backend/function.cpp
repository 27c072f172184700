// A library's function as text: what tells one from another.
#include "backend/backend.hpp"

namespace glass::jit {

std::string library_function::text() const {
  std::string s = library + " " + name + " ";
  for (std::size_t i = 0; i < sizes.size(); ++i) s += (i > 0 ? "x" : "") + std::to_string(sizes[i]);
  s += std::string(" ") + jit::name(type) + " threads=" + std::to_string(threads) +
       " batches=" + std::to_string(batches);
  for (const auto& [on, word] : {std::pair(upper, " upper"), std::pair(right, " right"), std::pair(unit, " unit"),
                                 std::pair(transposed, " transposed"), std::pair(transposed_b, " transposed_b")})
    if (on) s += word;
  return s + " as " + symbol;
}

}  // namespace glass::jit
