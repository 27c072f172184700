// libmathdx by dlopen: generates functions of cuSOLVERDx and cuBLASDx for one shape, architecture and block, as code
// that nvJitLink links into a kernel. Optional; nothing of it is part of glass.
#pragma once
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backend/cuda/linker.hpp"
#include "backend/cuda/nvrtc.hpp"

namespace glass::jit::cuda {

// Memory that may still be taken on this machine, in bytes; tests put another function there.
extern std::size_t (*available_memory)();

class mathdx {
 public:
  // $GLASS_LIBMATHDX alone if set; else where NVRTC is looked for.
  static std::vector<std::string> find();
  // One that goes with `compiler`, which is loaded: of its CUDA major. Throws errc::no_compiler with one sentence.
  static std::shared_ptr<const mathdx> choose(const nvrtc& compiler);

  explicit mathdx(const std::string& file);  // throws errc::no_compiler
  const std::string& file() const { return file_; }
  const std::string& version() const { return version_; }    // "0.4.2"
  const std::string& contents() const { return contents_; }  // "cuSOLVERDx 0.6.0, cuBLASDx 0.8.0"

  // The parts to link. One call at a time in this process: memory, and nobody promises more. Throws errc::compile_failed
  // with the library's words, errc::out_of_memory when the machine has too little left for it.
  std::vector<linker::part> generate(const library_function&, int architecture) const;
  block_shape suggest(const library_function&, int architecture) const;

 private:
  using id = long long;
  class descriptor;
  struct interface {  // of one of its libraries
    int (*create)(id*);
    int (*destroy)(id);
    int (*set)(id, int, id);
    int (*set_list)(id, int, std::size_t, const id*);
    int (*set_text)(id, int, const char*);
    int (*get)(id, int, id*);
    int (*get_list)(id, int, std::size_t, id*);
    int (*finalize)(id code, id);
    int (*fatbin_size)(id, std::size_t*);
    int (*fatbin)(id, std::size_t, void*);
  };
  interface solver_ = {}, blas_ = {};
  int (*code_create_)(id*);
  int (*code_destroy_)(id);
  int (*code_set_)(id, int, id);
  int (*code_size_)(id, std::size_t*);
  int (*code_)(id, std::size_t, void*);
  int (*error_size_)(std::size_t*);
  int (*error_)(int*, std::size_t, char*);
  std::string file_, version_, contents_;
};

}  // namespace glass::jit::cuda
