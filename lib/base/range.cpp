#include "base/range.hpp"

#ifdef GLASS_HAS_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

namespace glass::jit {

#ifdef GLASS_HAS_NVTX
range::range(const char* what, const std::string& of) {
  nvtxRangePushA((std::string("glass ") + what + ": " + of).c_str());
}
range::~range() { nvtxRangePop(); }
#else
range::range(const char*, const std::string&) {}
range::~range() = default;
#endif

}  // namespace glass::jit
