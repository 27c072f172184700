// What a profiler sees of the library.
#include "base/range.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace glass::jit {
namespace {

TEST(Range, IsSeenByAProfilerWhereTheLibraryWasBuiltForOne) {
#ifdef GLASS_HAS_NVTX
  const std::string profiler = GLASS_BINARY_DIR "/tests/libfake_profiler.so";
  setenv("NVTX_INJECTION64_PATH", profiler.c_str(), 1);
  {
    const range outer("tune", "posv N=12");
    const range inner("compile", "posv N=12, scope=warp");
  }
  void* library = dlopen(profiler.c_str(), RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr) << "NVTX has not loaded it";
  const auto seen = reinterpret_cast<const char* (*)()>(dlsym(library, "fake_seen"));
  EXPECT_STREQ(seen(), "[glass tune: posv N=12][glass compile: posv N=12, scope=warp]end;end;");
#else
  const range nothing("tune", "posv");
  GTEST_SKIP() << "Built without nvtx3/nvToolsExt.h.";
#endif
}

}  // namespace
}  // namespace glass::jit
