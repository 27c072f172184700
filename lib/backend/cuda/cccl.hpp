// The headers of CCCL (CUB, and the standard library's stand-in that it needs): found on the machine, shown to NVRTC for
// the sources that ask for them, nothing of them in glass.
#pragma once
#include <string>
#include <vector>

#include "backend/cuda/nvrtc.hpp"

namespace glass::jit::cuda {

struct cccl {
  std::string folder;   // for -I
  std::string version;  // "3.0.1"

  // $GLASS_CCCL alone if set; else beside NVRTC, in the folders where NVRTC is looked for, and in toolkits.
  static std::vector<std::string> find(const nvrtc& compiler);
  // The newest that goes with `compiler`. Throws errc::no_compiler with one sentence.
  static cccl choose(const nvrtc& compiler);
};

}  // namespace glass::jit::cuda
