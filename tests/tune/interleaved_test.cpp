// Every row of the catalog on interleaved operands: the same answers as on operands that lie problem by problem. One
// source holds all rows, a thread a problem, so that one compile serves them all.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "backend/host/host.hpp"
#include "build/assemble.hpp"
#include "catalog/check.hpp"
#include "glass/jit/runtime.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

constexpr long long count = 33;

// What can be interleaved is; interleaved operands become packed.
operation_description turned(operation_description d) {
  for (auto& o : d.operands)
    if (!o.shape.empty() && o.access != access::scratch && o.ld.empty() && o.stride.empty() && !o.broadcast && !o.fill)
      o.order = o.order == order::interleaved ? order::col : order::interleaved;
  return d;
}
struct pair {
  bound_problem packed, interleaved;
};
std::vector<pair> all_rows() {
  std::vector<pair> all;
  for (const auto& d : operations()) {
    problem p;
    if (!size_names(d).empty()) p.sizes["N"] = 6;
    p.batch = count;
    all.push_back({bind(d, p, true), bind(turned(d), p, true)});
  }
  return all;
}
placement a_thread_each(const bound_problem& p) {
  placement where = placement::parse("scope=thread pack=1");
  const auto& bodies = p.description.bodies;
  if (!bodies.empty())
    where.body = std::find(bodies.begin(), bodies.end(), "loop") != bodies.end() ? "loop" : bodies.front();
  return where;
}
std::string renamed(const bound_problem& p, const std::string& suffix) {
  std::string text, undo;
  for (const char* name : {"glass_body", "glass_entry", "glass_range", "glass_lane"}) {
    text += std::string("#define ") + name + " " + name + suffix + "\n";
    undo += std::string("#undef ") + name + "\n";
  }
  return text + tail(p, a_thread_each(p)) + undo;
}

struct compiled {
  void* library = nullptr;
  std::filesystem::path folder;
  explicit compiled(const std::string& text) {
    std::string name = (std::filesystem::temp_directory_path() / "glass-rows-XXXXXX").string();
    folder = mkdtemp(name.data());
    std::ofstream(folder / "rows.cpp") << text;
    const char* cxx = std::getenv("CXX");
    const std::string root = GLASS_SOURCE_DIR;
    const std::string command = std::string(cxx && *cxx ? cxx : "c++") + " -std=c++17 -O0 -fPIC -shared -I" + root +
                                "/include -I" + root + " -o " + (folder / "rows.so").string() + " " +
                                (folder / "rows.cpp").string();
    if (std::system(command.c_str()) == 0) library = dlopen((folder / "rows.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  ~compiled() {
    if (library) dlclose(library);
    std::filesystem::remove_all(folder);
  }
  int range(const std::string& suffix, const void* arguments) const {
    const auto f =
        reinterpret_cast<int (*)(const void*, long long, long long)>(dlsym(library, ("glass_range" + suffix).c_str()));
    return f ? f(arguments, 0, count) : -1;
  }
};

TEST(Interleaved, EveryRowGivesTheSameAnswers) {
  const std::vector<pair> rows = all_rows();
  std::string text = "#include <glass/glass.cuh>\n#include <kernels_src/batch.cuh>\n";
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += renamed(rows[i].packed, "_p" + std::to_string(i)) + renamed(rows[i].interleaved, "_i" + std::to_string(i));
  const compiled code(text);
  ASSERT_NE(code.library, nullptr) << "a row does not compile with interleaved operands";
  const std::shared_ptr<backend> host = open_host_backend();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(rows[i].packed.description.name);
    const std::string p = "_p" + std::to_string(i), t = "_i" + std::to_string(i);
    workload packed(*host, rows[i].packed, count, 7), interleaved(*host, rows[i].interleaved, count, 7);
    packed.restore(), interleaved.restore();
    ASSERT_EQ(code.range(p, packed.arguments().data()), 0);
    ASSERT_EQ(code.range(t, interleaved.arguments().data()), 0);
    const auto reference = packed.collect(), got = interleaved.collect();
    packed.restore(), packed.perturb();
    ASSERT_EQ(code.range(p, packed.arguments().data()), 0);
    EXPECT_EQ(got.overrun, "");
    EXPECT_EQ(disagreement(rows[i].packed, reference, packed.collect(), got), "");
  }
}

}  // namespace
}  // namespace glass::jit
