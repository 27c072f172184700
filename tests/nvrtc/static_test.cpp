// Static programs under each generation of NVRTC: every face, the bare names with their table, glass::recommend, and the
// device part of the example. (With nvcc: examples.static_launch and package.static_sample.) And what the tables cost:
// nothing in a source of glass::jit.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
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

class StaticPrograms : public testing::TestWithParam<std::pair<int, std::string>> {};

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

// A table of one's own lies in the include path under its architecture's name, and comes before the nearest one.
TEST(StaticTables, OfOnesOwnAreFound) {
  const nvrtc* compiler = of_major(13);
  if (!compiler) GTEST_SKIP() << "no NVRTC 13 on this machine";
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("glass_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "glass" / "dispatch");
  std::string table = file("/include/glass/dispatch/sm_90.cuh");
  for (std::size_t at = 0; (at = table.find("<90", at)) != std::string::npos;) table.replace(at, 3, "<87");
  std::ofstream(folder / "glass" / "dispatch" / "sm_87.cuh") << table;
  auto options = with_tables;
  options.push_back("-I" + folder.string());
  const auto r = compiler->compile(
      "#include <glass/recommend.cuh>\n"
      "constexpr auto own = glass::recommend<glass::op::posv, float, 16, 16384>(87);\n"
      "constexpr auto near = glass::recommend<glass::op::posv, float, 16, 16384>(89);\n"
      "static_assert(own.arch == 87 && own.how == glass::dispatch::tier::exact, \"\");\n"
      "static_assert(near.arch == 90 && near.how == glass::dispatch::tier::other_device, \"\");\n"
      "extern \"C\" __global__ void take(int* x) { *x = own.width + near.width; }\n",
      "sm_87", false, options);
  std::filesystem::remove_all(folder);
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
