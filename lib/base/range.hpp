// A named stretch of time on the calling thread, for profilers (NVTX). Costs a branch where none listens; nothing where
// the library was built without the header nvtx3/nvToolsExt.h.
#pragma once
#include <string>

namespace glass::jit {

class range {
 public:
  // "glass compile: posv N=12 f32 batch=8192"
  range(const char* what, const std::string& of);
  ~range();
  range(const range&) = delete;
};

}  // namespace glass::jit
