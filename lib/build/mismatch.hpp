// Why a user's function does not take what its operand list hands over.
#pragma once
#include <string>

#include "build/signature.hpp"
#include "catalog/catalog.hpp"

namespace glass::jit {

struct mismatch {
  std::string sentence;  // the cause, as far as the two lists show it
  std::string table;     // both lists side by side
};
mismatch compare(const bound_problem&, const placement&, const signature&);

}  // namespace glass::jit
