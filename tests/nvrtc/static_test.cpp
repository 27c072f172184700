// Static programs under each generation of NVRTC: every face, the bare names with their table, glass::recommend, and the
// device part of the example. (With nvcc: examples.static_launch and package.static_sample.) And what the tables cost:
// nothing in a source of glass::jit.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "build/assemble.hpp"
#include "compiler.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::test {
namespace {

std::string file(const char* name) {
  std::ifstream in(std::string(GLASS_SOURCE_DIR) + name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}
const nvrtc* of_major(int major) {
  for (const auto& c : nvrtc::all())
    if (c.major == major) return &c;
  return nullptr;
}
const std::vector<std::string> with_tables = {"-I" GLASS_SOURCE_DIR "/include"};

class StaticPrograms : public testing::TestWithParam<std::pair<int, const char*>> {};

TEST_P(StaticPrograms, CompileWithoutAWarning) {
  const nvrtc* compiler = of_major(GetParam().first);
  if (!compiler) GTEST_SKIP() << "no NVRTC " << GetParam().first << " on this machine";
  const auto sample = compiler->compile(file("/tests/nvrtc/static_sample.cu"), GetParam().second, false, with_tables);
  EXPECT_TRUE(sample.compiled && sample.log.empty()) << sample.log;
}
INSTANTIATE_TEST_SUITE_P(Generations, StaticPrograms,
                         testing::Values(std::pair(11, "sm_75"), std::pair(12, "sm_87"), std::pair(13, "sm_90")),
                         [](const auto& i) {
                           return "nvrtc" + std::to_string(i.param.first) + "_" + std::string(i.param.second);
                         });

TEST(StaticExample, CompilesForAnArchitectureWithoutATable) {
  const nvrtc* compiler = of_major(13);
  if (!compiler) GTEST_SKIP() << "no NVRTC 13 on this machine";
  const auto r = compiler->compile(file("/kernels_src/examples/static_launch.cu"), "sm_120", false, with_tables);
  EXPECT_TRUE(r.compiled && r.log.empty()) << r.log;
}

// Bare names there are the block's: the JIT has no tables among its headers and says so in its first line.
TEST(StaticTables, AreNotInTheSourcesOfTheJit) {
  jit::problem request;
  request.sizes = {{"N", 12}};
  const jit::bound_problem p = jit::bind(jit::find_operation("posv"), request, true);
  EXPECT_EQ(jit::prologue(p).rfind("#define GLASS_DISPATCH 0\n", 0), 0u);
  for (const auto& h : jit::embedded_headers()) EXPECT_EQ(h.name.find("/dispatch/"), std::string_view::npos) << h.name;
}

}  // namespace
}  // namespace glass::test
