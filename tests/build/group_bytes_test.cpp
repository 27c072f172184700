// The bytes of shared memory that the host computes for a launch are those that batch.cuh folds: for every row of the
// catalog and a description with every layout, every scope and home, with constant and run-time sizes. The device's
// side is a compiler's static_assert.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "build/assemble.hpp"
#include "catalog/check.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit {
namespace {

operation_description every_layout() {
  return {
      .name = "every_layout",
      .text = "x",
      .operands = {in("A", {"N", "M"}), in("B", {"N", "M"}).row_major(), in("C", {"N", 3}).row_major().leading("M+4"),
                   in("d", {"N"}).shared_by_batch(), in("e", {}), scalar("s", 1), inout("F", {"N", "M"}).leading("N+1"),
                   out("g", {"N"}).typed(f64), in("h", {"N"}).interleaved(), out("I", {"N", "M"}).every("N*M+5"),
                   scratch("j", {"N"}), scratch("K", {"N", 3}).leading("N+1"), scratch("L", {2, 3}), info()}};
}

class assertions {
 public:
  void add(const bound_problem& p, const placement& where) {
    const std::string text = tail(p, where);
    const std::size_t from = text.find("GLASS_BATCH("), comma = text.find(',', from), end = text.rfind(')');
    std::string sizes = "0";
    for (int n : p.slot_values(p.sizes)) sizes += ", " + std::to_string(n);
    text_ << "constexpr int size_" << count_ << "[9] = {" << sizes << "};\nstatic_assert(folded<"
          << text.substr(comma + 1, end - comma - 1) << ">(size_" << count_ << " + 1) == " << group_bytes(p, where)
          << ", \"" << p.text() << " " << where.text() << "\");\n";
    ++count_;
  }
  // "" if a compiler agrees with all of them, else what it says.
  std::string refuted(const std::string& more = {}) const {
    const auto folder = std::filesystem::path(GLASS_BINARY_DIR) / "tests";
    std::filesystem::create_directories(folder);
    const auto file = folder / "group_bytes.cpp", log = folder / "group_bytes.log";
    std::ofstream(file)
        << "#include <kernels_src/batch.cuh>\nstruct glass_body;\ntemplate <class Body, class S, int Pack, "
           "glass::batch::home H, class... O>\n"
           "constexpr int folded(const int* size) { return glass::batch::group_bytes<S, H, O...>(Pack, size); }\n"
        << text_.str() << more;
    const std::string command = std::string("c++ -std=c++17 -fsyntax-only -I'") + GLASS_SOURCE_DIR + "/include' -I'" +
                                GLASS_SOURCE_DIR + "' '" + file.string() + "' 2>'" + log.string() + "'";
    if (std::system(command.c_str()) == 0) return "";
    std::stringstream said;
    said << std::ifstream(log).rdbuf();
    return said.str().empty() ? command + " failed" : said.str();
  }
  int count() const { return count_; }

 private:
  std::ostringstream text_;
  int count_ = 0;
};

TEST(group_bytes, are_those_that_the_device_folds) {
  assertions all;
  const auto add = [&](const operation_description& op, bool built_in) {
    for (const bool at_run_time : {false, true})
      for (const scalar_type type : {f32, f64})
        for (const char* where : {"scope=thread pack=7", "scope=thread pack=7 home=shared", "scope=tile4 pack=3",
                                  "scope=tile4 pack=3 home=shared", "scope=warp pack=2 home=shared", "scope=block48",
                                  "scope=block48 home=shared"}) {
          problem request;
          request.type = type;
          int n = 5;
          for (const std::string& size : size_names(op))
            request.sizes[size] = at_run_time ? up_to(n) : size_value(n), n += 2;
          all.add(bind(op, request, built_in), placement::parse(where));
        }
  };
  for (const auto& op : operations()) add(op, true);
  // Exchange memory beyond a kernel's own, before the operands.
  const auto in_reserve = [&](const char* name, scalar_type type, const char* where, std::size_t bytes) {
    problem request;
    request.sizes["N"] = 128, request.type = type;
    const bound_problem p = bind(find_operation(name), request, true);
    EXPECT_EQ(group_bytes(p, placement::parse(where)), bytes) << name;
    all.add(p, placement::parse(where));
  };
  in_reserve("posv", f64, "scope=block256 body=whole", 69760);
  in_reserve("potrf", f64, "scope=block128 body=whole", 69760);
  in_reserve("posv", f64, "scope=block128 body=left", 0);
  in_reserve("gemm", f64, "scope=block256 pack=8 body=stream TILE=m64n32", 131072);
  in_reserve("gemm_to", f64, "scope=block256 pack=4 body=stream TILE=m64n32", 131072);
  add(every_layout(), false);
  EXPECT_GT(all.count(), 200);
  EXPECT_EQ(all.refuted(), "");
  EXPECT_NE(all.refuted("static_assert(folded<glass_body, glass::scope::warp, 2, glass::batch::home::shared>(size_0) "
                        "== 1, \"a wrong one\");\n"),
            "");
}

}  // namespace
}  // namespace glass::jit
