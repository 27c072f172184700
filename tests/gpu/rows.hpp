// What a test that walks over the catalog asks of a row.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "base/expression.hpp"
#include "glass/jit/problem.hpp"

namespace glass::test {

// The sizes of a row, in the order in which its shapes name them.
inline std::vector<std::string> sizes_of(const jit::operation_description& d) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    const bool an_option =
        std::any_of(d.options.begin(), d.options.end(), [&](const jit::option& o) { return o.name == name; });
    if (!an_option && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const auto& o : d.operands) {
    for (const auto& e : o.shape) {
      for (const auto& name : jit::names_in(e.text())) add(name);
    }
  }
  return names;
}

}  // namespace glass::test
