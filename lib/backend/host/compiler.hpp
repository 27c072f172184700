// The system's C++ compiler: finds it, says which it is, turns a source into the bytes of a shared object. Source goes
// in by descriptor 0 with the embedded headers already in it, the object comes back in a memory file: no folder,
// nothing left behind by an interrupt.
#pragma once
#include <mutex>
#include <string>
#include <vector>

#include "backend/host/host.hpp"

namespace glass::jit {

// "x86-64-v3": what every image of this machine may use, and no more, so that a cache moves between machines of the
// same level.
std::string host_target();
std::string
host_target_mark();  // a string that each image carries, so that one made for another CPU is told before it runs

class host_compiler {
 public:
  explicit host_compiler(const host_options& options) : options_(options) {}
  std::string identity();        // banner and flags; throws errc::no_compiler
  image compile(const source&);  // throws errc::compile_failed, no_compiler

 private:
  void find();
  std::vector<std::string> flags() const;
  host_options options_;
  std::once_flag once_;
  std::vector<std::string> command_;
  std::string banner_;
};

// `text` with the embedded headers in the place of their #include lines; every line keeps its name and number. Exposed
// for tests.
std::string with_headers(const std::string& text, const std::string& name);

}  // namespace glass::jit
