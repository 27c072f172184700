// The error that a call throws.
#pragma once
#include <gtest/gtest.h>

#include "glass/jit/error.hpp"

namespace glass::test {

template <class F>
jit::error thrown(F act) {
  try {
    act();
  } catch (const jit::error& e) { return e; }
  ADD_FAILURE() << "nothing was thrown";
  return {jit::errc::ok, jit::stage::source, ""};
}

}  // namespace glass::test
