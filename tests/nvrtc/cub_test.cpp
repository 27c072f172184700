// The bodies of CUB (body=nvidia) compile under NVRTC as the runtime assembles them: every operation that has one, in a
// warp and in blocks, for the oldest, a usual and the newest architecture.
#include <gtest/gtest.h>

#include "backend/cuda/cccl.hpp"
#include "build/assemble.hpp"
#include "catalog/catalog.hpp"
#include "compiler.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit {
namespace {

// All kernels in one program, for its headers are most of the work.
// `share`: every third operation, beginning at this one; -1: all.
std::string program(scalar_type type, int share, int& kernels) {
  std::string text = "#include <glass/glass.cuh>\n#include <kernels_src/batch.cuh>\n";
  int count = 0;
  for (const operation_description& op : operations()) {
    if (!uses_cub(op) || (share >= 0 && count++ % 3 != share)) continue;
    const bound_problem p = bind(op, {.sizes = {{"N", 100}}, .type = type}, true);
    const bound_problem open = bind(op, {.sizes = {{"N", up_to(100)}}, .type = type}, true);
    const auto add = [&](const bound_problem& q, const char* where) {
      placement c = placement::parse(where);
      c.body = library_body;
      EXPECT_EQ(no_library_body(q, c, "cuda"), "") << op.name << " " << where;
      const std::string k = std::to_string(kernels++);
      text += "#define glass_body body_" + k + "\n#define glass_entry entry_" + k + "\n" + tail(q, c) +
              "#undef glass_body\n#undef glass_entry\n";
    };
    add(p, kernels % 2 ? "scope=warp pack=4" : "scope=warp pack=1 home=shared");
    add(p, kernels % 3 ? "scope=block128" : "scope=block64 home=shared");
    if (kernels % 4 == 0) add(open, "scope=warp pack=2");
  }
  return text;
}

class Cub : public testing::TestWithParam<std::pair<std::string, int>> {};
TEST_P(Cub, EveryBodyCompilesForThisArchitecture) {
  const test::nvrtc* compiler = nullptr;
  for (const auto& c : test::nvrtc::all())
    if (c.major == 13 && !compiler) compiler = &c;
  if (!compiler) GTEST_SKIP() << "no NVRTC 13 on this machine";
  std::string folder;
  try {
    folder = cuda::cccl::choose(cuda::nvrtc(compiler->path)).folder;
  } catch (const error& e) { GTEST_SKIP() << e.message(); }
#ifdef GLASS_SLOW_TESTS
  const int share = -1;
#else
  const int share = GetParam().second;
#endif
  for (const scalar_type type : {f32, f64}) {
    if (share >= 0 && (type == f64) != (share == 1)) continue;
    int kernels = 0;
    const std::string text = program(type, share, kernels);
    EXPECT_GE(kernels, share < 0 ? 28 : 8);
    const auto r = compiler->compile(text, GetParam().first, false, {"-I" + folder});
    EXPECT_TRUE(r.compiled) << r.log;
  }
}
INSTANTIATE_TEST_SUITE_P(Nvrtc, Cub,
                         testing::Values(std::pair("sm_80", 0), std::pair("sm_90", 1), std::pair("sm_120", 2)),
                         [](const auto& of) { return std::string(of.param.first); });

}  // namespace
}  // namespace glass::jit
