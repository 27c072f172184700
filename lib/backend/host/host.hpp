// The host backend: the same device headers through the system's C++ compiler. Thread scope with home=global runs on a
// pool of workers; every other scope in a fiber emulator on the calling thread. Public to the CLI and tests, not
// installed.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "../backend.hpp"

namespace glass::jit {

struct host_options {
  std::string compiler;  // empty: $CXX, c++, g++, clang++ in this order
  int workers = 0;       // 0: one per core this process may use
  enum class lanes { forward, reverse, shuffled } lanes = lanes::forward;  // order in which emulated lanes run
  unsigned seed = 1;                                                       // of the shuffle
  bool check_race = false;  // compile with the memory hooks; races and stray accesses become errc::race
  bool emulate = false;     // run thread scope in the emulator too (checks)
  std::string sanitize;     // "", "address", "undefined", "address,undefined": extra compiler instrumentation (checks)
};
std::shared_ptr<backend> open_host_backend(const host_options& = {});

// What the race check may know of a launch: which memory belongs to a problem. In the order of the operand list,
// scratch included.
struct checked_operand {
  std::string name;
  const void* base = nullptr;  // of problem 0 in global memory; nullptr: none (scratch)
  std::size_t element_bytes = 4;
  std::size_t elements = 0;  // of one problem's storage
  std::size_t stride = 0;    // elements from one problem to the next; 0: one for the whole batch
  bool interleaved = false;
  bool writes = false;
  bool in_group = false;  // lies in the block's shared memory: staged operands and scratch that is not a lane's own
};
struct checked_launch {
  std::vector<checked_operand> operands;  // scalars left out; empty: look for races only
  int width = 1, pack = 1;                // of the placement
  long long count = 0;
  std::size_t reserve = 0;  // bytes of the block's memory, from its start on, that are exchange memory
};
// Holds for the launches that this thread makes from now on with a check_race backend.
void check_operands(checked_launch);
// All that the last failed launch of this thread in the emulator had to say (a status is short): lanes that did not
// meet, races, stray accesses.
std::string host_report();

}  // namespace glass::jit
