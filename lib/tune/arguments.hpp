// The kernel's one parameter as the host fills it: glass::batch::arguments of kernels_src/batch.cuh, byte for byte (a
// test compares).
#pragma once
#include <cstddef>
#include <cstdint>

namespace glass::jit {

inline constexpr int most_operands = 24, most_run_time_sizes = 8;

union argument_slot {
  const void* pointer;
  double f64;
  float f32;
  std::int32_t i32;
  std::uint64_t bits;
};

struct argument_block {
  long long count = 0;
  std::int32_t size[most_run_time_sizes] = {};
  argument_slot at[most_operands] = {};
  // Bytes that a kernel of n operands takes.
  static constexpr std::size_t bytes(std::size_t n) { return offsetof(argument_block, at) + n * sizeof(argument_slot); }
};
static_assert(argument_block::bytes(0) == 40 && sizeof(argument_slot) == 8);

}  // namespace glass::jit
