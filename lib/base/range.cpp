#include "base/range.hpp"

#ifdef GLASS_HAS_NVTX
#include <nvtx3/nvToolsExt.h>

#include <mutex>
#endif

namespace glass::jit {

#ifdef GLASS_HAS_NVTX
range::range(const char* what, const std::string& of) {
  // NVTX fills its table of functions when it is first called, and other threads may read it meanwhile.
  static std::once_flag first;
  std::call_once(first, [] { nvtxInitialize(nullptr); });
  nvtxRangePushA((std::string("glass ") + what + ": " + of).c_str());
}
range::~range() { nvtxRangePop(); }
#else
range::range(const char*, const std::string&) {}
range::~range() = default;
#endif

}  // namespace glass::jit
