// The scripted device with a scripted library: its functions are there or not, and a kernel that calls them has the
// library's version in its key.
#pragma once
#include "scale.hpp"

namespace glass::jit::testing {

class library_backend : public fake_backend {
 public:
  bool installed = true, short_of_memory = false;
  std::string version = "libmathdx 0.4";
  block_shape suggested = {64, 2};
  int asked = 0;

  std::string compiler_of(const source& s) override {
    require(s.is_plain() || installed);
    return s.is_plain() ? compiler() : compiler() + ", " + version;
  }
  block_shape suggested_block(const library_function&) override {
    ++asked;
    require(installed);
    return suggested;
  }
  image compile(const source& s) override {
    require(s.is_plain() || installed);
    if (!s.is_plain() && short_of_memory) throw error(errc::out_of_memory, stage::compile, "the script has 1 MB left.");
    return fake_backend::compile(s);
  }

 private:
  static void require(bool there) {
    if (!there) throw error(errc::no_compiler, stage::compile, "the library is not in this script.");
  }
};

// scale, with a body of the library.
inline operation_description scale_with_calls(const std::string& library = "cusolverdx") {
  operation_description d = scale();
  library_call c;
  c.library = library, c.function = "scale", c.sizes = {"N"};
  d.calls = {c}, d.linked = "glass/linked/solver.cuh";
  return d;
}

}  // namespace glass::jit::testing
