// The shared memory that device code folds at compile time is what the host computes, for every row of the catalog and
// every placement.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "catalog/check.hpp"
#include "build/assemble.hpp"
#include "glass/jit/runtime.hpp"
#include "support/fake_backend.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

std::vector<bound_problem> problems() {
  std::vector<bound_problem> list;
  for (const auto& d : operations())
    for (const scalar_type t : {f32, f64}) {
      problem fixed = {.type = t, .batch = 4096}, open = fixed;
      for (const auto& name : size_names(d)) fixed.sizes[name] = 7, open.sizes[name] = up_to(12);
      list.push_back(bind(d, fixed, true));
      list.push_back(bind(d, open, true));
    }
  operation_description every = {
      .name = "every",
      .text = "GLASS_DEVICE",
      .operands = {in("a", {"N", 3}).row_major().leading(5), in("b", {"N"}).interleaved(),
                   in("c", {"N"}).shared_by_batch(), in("d", {}), in("e", {3}).every(9),
                   in("f", {"N", "N"}).leading("N+1"), inout("g", {2}).typed(f64), scratch("h", {"N"}),
                   scratch("i", {3}), scratch("j", {"N", 2}).typed(i32), scalar("k", 1), out("l", {"N", "N"}), info()}};
  for (const size_value n : {size_value(6), up_to(6)})
    list.push_back(bind(every, {.sizes = {{"N", n}}, .batch = 4096}, false));
  return list;
}

TEST(GroupBytes, DeviceAndHostAgree) {
  struct asked {
    std::string what;
    std::size_t host;
  };
  std::vector<asked> list;
  std::string lines;
  int problem = 0;
  std::set<std::string> seen;
  for (const bound_problem& p : problems()) {
    std::map<std::string, int> bounds;
    for (const auto& [name, value] : p.request.sizes)
      if (value.bound) bounds[name] = value.value;
    const std::string size = "size" + std::to_string(++problem);
    lines += "const int " + size + "[] = {";
    for (const int slot : p.slot_values(bounds)) lines += std::to_string(slot) + ", ";
    lines += "0};\n";
    for (const auto& c : candidates(p, testing::fake_backend::gpu())) {
      const std::string tail = glass::jit::tail(p, c.placement), head = "GLASS_BATCH(";
      const std::string line = "FOLD(" + size + ", " + tail.substr(tail.find(head) + head.size());
      if (c.placement.variant == "split") continue;  // several kernels, and no scratch in any block
      if (!seen.insert(line).second) continue;       // bodies do not matter
      lines += line.substr(0, line.find_last_of(')') + 1) + "\n";
      list.push_back({p.text() + ": " + c.placement.text(), group_bytes(p, c.placement)});
    }
  }
  const std::filesystem::path stem =
      std::filesystem::temp_directory_path() / ("glass_fold_" + std::to_string(getpid()));
  std::ofstream(stem.string() + ".cpp")
      << "#include <cstdio>\n#include <kernels_src/batch.cuh>\n"
      << "#define FOLD(size, n, body, scope, pack, home, ...) \\\n"
      << "  std::printf(\"%d\\n\", glass::batch::group_bytes<scope, home, __VA_ARGS__>(pack, size));\n"
      << "int main() {\n"
      << lines << "}\n";
  const char* cxx = std::getenv("CXX");
  const std::string source = GLASS_SOURCE_DIR, command = std::string(cxx ? cxx : "c++") + " -std=c++17 -O0 -w -I" +
                                                         source + "/include -I" + source + " -o " + stem.string() +
                                                         " " + stem.string() + ".cpp && " + stem.string() + " > " +
                                                         stem.string() + ".out";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream out(stem.string() + ".out");
  std::size_t shared = 0;
  for (const auto& [what, host] : list) {
    std::size_t device = 0;
    ASSERT_TRUE(out >> device) << what;
    EXPECT_EQ(device, host) << what;
    shared += device > 0;
  }
  EXPECT_GT(list.size(), 500u);
  EXPECT_GT(shared, 200u);
  for (const char* end : {"", ".cpp", ".out"}) std::filesystem::remove(stem.string() + end);
}

}  // namespace
}  // namespace glass::jit
