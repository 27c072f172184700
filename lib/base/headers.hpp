// The embedded header set: every file below include/glass that device code includes, and kernels_src/batch.cuh, as
// text, made at build time.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace glass::jit {
struct embedded_header {
  std::string_view name;  // as included: "glass/core/scope.cuh", "kernels_src/batch.cuh"
  std::string_view text;
};
const std::vector<embedded_header>& embedded_headers();
const std::string& embedded_headers_hash();
}  // namespace glass::jit
