// A user's kernel for the scripted device: y = alpha x + y for vectors of N, with what that device computes when it is
// launched.
#pragma once
#include "fake_backend.hpp"
#include "glass/jit/problem.hpp"

namespace glass::jit::testing {

inline operation_description scale() {
  return {.name = "scale",
          .text = "template <class S, class X, class Y> GLASS_DEVICE void scale(S, float, X, Y) {}",
          .operands = {scalar("alpha", 0.5), in("x", {"N"}), inout("y", {"N"})}};
}
inline problem scale_problem(int n = 8, long long batch = 1024) { return {.sizes = {{"N", n}}, .batch = batch}; }

// `error` is added to every result, relative to it.
inline std::function<void(const argument_block&, const launch_shape&)> scale_code(int n = 8, float error = 0) {
  return [n, error](const argument_block& a, const launch_shape& s) {
    const auto* x = static_cast<const float*>(a.at[1].pointer);
    auto* y = static_cast<float*>(const_cast<void*>(a.at[2].pointer));
    for (long long e = 0; e < s.count * n; ++e) y[e] = (a.at[0].f32 * x[e] + y[e]) * (1 + error);
  };
}

}  // namespace glass::jit::testing
