// nvJitLink by dlopen: links code for link-time optimization (LTO-IR) of several origins to one cubin. Needed only where
// a kernel calls functions of NVIDIA's device libraries.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "backend/cuda/nvrtc.hpp"

namespace glass::jit::cuda {

class linker {
 public:
  // One that links what `compiler` makes: of its major, and not older. Those in the folder `beside` first. Throws
  // errc::no_compiler with one sentence that says why none suits.
  static std::shared_ptr<const linker> choose(const nvrtc& compiler, const std::string& beside);

  explicit linker(const std::string& file);  // throws errc::no_compiler
  const std::string& file() const { return file_; }
  const std::string& version() const { return version_; }  // "13.0.88"
  int major() const { return major_; }
  int minor() const { return minor_; }

  struct part {
    std::string name;
    std::vector<unsigned char> bytes;
    bool fatbin = false;  // else LTO-IR
  };
  // The cubin. Throws errc::compile_failed with the linker's log.
  std::vector<unsigned char> link(const std::vector<part>&, int architecture, const source& whose) const;

 private:
  struct handle;
  int (*create_)(handle**, unsigned, const char**);
  int (*destroy_)(handle**);
  int (*add_)(handle*, int kind, const void*, std::size_t, const char* name);
  int (*complete_)(handle*);
  int (*cubin_size_)(handle*, std::size_t*);
  int (*cubin_)(handle*, void*);
  int (*error_size_)(handle*, std::size_t*);
  int (*error_)(handle*, char*);
  std::string file_, version_;
  int major_ = 0, minor_ = 0;
};

}  // namespace glass::jit::cuda
