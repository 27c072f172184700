// The host backend: the same device headers through the system's C++ compiler. Thread scope with home=global runs on a pool of workers; every
// other scope in a fiber emulator on the calling thread. Public to the CLI and tests, not installed.
#pragma once
#include <memory>
#include <string>

#include "../backend.hpp"

namespace glass::jit {

struct host_options {
  std::string compiler;                        // empty: $CXX, c++, g++, clang++ in this order
  int workers = 0;                             // 0: one per core this process may use
  enum class lanes { forward, reverse, shuffled } lanes = lanes::forward;   // order in which emulated lanes run
  unsigned seed = 1;                           // of the shuffle
  bool check_race = false;                     // compile with the memory hooks; races and stray accesses become errc::race
  bool emulate = false;                        // run thread scope in the emulator too (checks)
  std::string sanitize;                        // "", "address", "undefined", "address,undefined": extra compiler instrumentation (checks)
};
std::shared_ptr<backend> open_host_backend(const host_options& = {});

}  // namespace glass::jit
