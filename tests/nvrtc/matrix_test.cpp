// Every operation of the catalog compiles with every generation of NVRTC for the oldest and the newest architectures,
// without a warning, in every scope, body, type and home, and with sizes at run time; and so does a user's kernel with
// every layout.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>

#include "base/text.hpp"
#include "build/assemble.hpp"
#include "catalog/check.hpp"
#include "compiler.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit {
namespace {

const test::nvrtc* find(int major, int minor) {
  for (const auto& c : test::nvrtc::all())
    if (c.major == major && (minor < 0 || c.minor == minor)) return &c;
  return nullptr;
}

// Programs of several kernels each: one compile serves them all, and the tail of each is the one that a JIT source has.
struct program {
  std::string name, text;
};
class writer {
 public:
  void add(const bound_problem& p, const placement& where) {
    if (text_.empty()) text_ = prologue(p) + (p.built_in ? "" : p.description.text + "\n");
    const std::string k = std::to_string(kernels_++);
    text_ += "#define glass_body body_" + k + "\n#define glass_entry entry_" + k + "\n" + tail(p, where) +
             "#undef glass_body\n#undef glass_entry\n";
  }
  program finish(const std::string& name) const { return {name + ", " + std::to_string(kernels_) + " kernels", text_}; }
  int kernels() const { return kernels_; }

 private:
  std::string text_;
  int kernels_ = 0;
};

// Options by turns, so that all values of all options occur.
std::map<std::string, std::string> options_number(const operation_description& op, int turn) {
  std::map<std::string, std::string> chosen;
  for (const auto& o : op.options) {
    chosen[o.name] = last_name(o.values[turn % o.values.size()]);
    turn /= int(o.values.size());
  }
  return chosen;
}

const std::vector<placement>& places() {
  static const std::vector<placement> all = [] {
    std::vector<placement> list;
    for (const char* text : {"scope=thread pack=32", "scope=thread pack=64 home=shared", "scope=tile2 pack=16",
                             "scope=tile4 pack=8 home=shared", "scope=tile8 pack=16", "scope=tile16 pack=4 home=shared",
                             "scope=warp pack=2", "scope=block64 home=shared", "scope=block33"})
      list.push_back(placement::parse(text));
    return list;
  }();
  return all;
}

// What one target compiles of an operation: each `step`th place, beginning at its own.
struct share {
  std::size_t first, step;
};
void every_scope(writer& w, const operation_description& op, scalar_type type, int arch, share of) {
  int turn = int(of.first);
  std::vector<std::string> bodies = op.bodies;
  if (bodies.empty()) bodies = {""};
  for (const bool at_run_time : {false, true}) {
    problem request;
    request.type = type;
    for (const std::string& size : size_names(op)) {
      const int n = size == "N" ? 7 : size == "NRHS" ? 2 : size.rfind("LD", 0) == 0 ? 9 : 5;
      request.sizes[size] = at_run_time ? up_to(n) : size_value(n);
    }
    for (const std::string& body : bodies)
      for (std::size_t i = of.first; i < places().size(); i += at_run_time ? 2 * of.step : of.step) {
        request.options = options_number(op, turn++);
        const bound_problem p = bind(op, request, true);
        placement where = places()[i];
        where.body = body;
        if (broken_rule(p, where, "cuda", arch).empty()) w.add(p, where);
      }
  }
}
// Bodies for larger matrices: they use what only some GPUs have.
void larger_bodies(writer& w, const operation_description& op, scalar_type type, int arch) {
  for (const std::string& body : op.bodies) {
    if (body == "fragment" || body == "loop") continue;
    std::map<std::string, size_value> sizes = {{"N", 40}};
    const auto names = size_names(op);
    if (body == "direct" && std::find(names.begin(), names.end(), "NRHS") != names.end()) sizes["NRHS"] = 12;
    const bound_problem p = bind(op, {.sizes = sizes, .type = type}, true);
    for (placement where : places()) {
      where.body = body, where.home = "global";
      if (!broken_rule(p, where, "cuda", arch).empty()) continue;
      w.add(p, where);
      break;
    }
  }
}

// Each way in which an operand can lie in memory, through a body that takes any view.
program users_kernel() {
  const operation_description d = {
      .name = "lie_anywhere",
      .text = R"(
template <int TIMES, class Scope, class A, class B, class X, class W>
GLASS_DEVICE int lie_anywhere(Scope scope, A a, B b, X x, float l, glass::value_of<X> s, W w) {
  glass::gemm<glass::Trans::yes>(scope, TIMES, a, b, 0, w);
  glass::gemv(scope, s + l, w, x, 1, x);
  glass::axpy(scope, 1, a.column(0), x);
  return glass::posv(scope, w, x);
})",
      .operands = {in("a", {"N", "N"}), in("b", {"N", "N"}), inout("x", {"N"}), in("l", {}).typed(f32), scalar("s", 1),
                   scratch("w", {"N", "N"}), info()},
      .tunables = {{"TIMES", {1, 2}}}};
  writer w;
  const auto add = [&](std::vector<operand> operands, const char* where, bool at_run_time = false) {
    auto variant = d;
    for (std::size_t i = 0; i < operands.size(); ++i) variant.operands[i] = operands[i];
    w.add(bind(variant, {.sizes = {{"N", at_run_time ? up_to(4) : size_value(4)}}, .type = f64}, false),
          placement::parse(where));
  };
  const auto a = [] { return in("a", {"N", "N"}); };
  const auto b = [] { return in("b", {"N", "N"}); };
  const auto x = [] { return inout("x", {"N"}); };
  add({a(), b(), x()}, "scope=tile4 pack=8 TIMES=2");
  add({a().row_major(), b().shared_by_batch(), x()}, "scope=warp pack=2 home=shared");
  add({a().interleaved(), b().row_major(), x().interleaved()}, "scope=thread pack=32 home=shared");
  add({a(), b().leading("N+1"), x()}, "scope=tile8 pack=4 home=shared", true);
  add({a().leading("N+1"), b().every("N*N+4"), x().every(8)}, "scope=block64 home=shared");
  return w.finish("a user's kernel");
}

// All that fragments can do, in one body.
program kernel_of_fragments(scalar_type type) {
  const operation_description d = {.name = "all_in_registers",
                                   .text = R"(
template <class Scope, class A, class B>
GLASS_DEVICE int all_in_registers(Scope scope, A a, B b) {
  using namespace glass;
  auto f = load<Path::staged>(scope, a), g = load<Path::staged>(scope, b);
  multiply<Trans::yes>(scope, 1, transposed(scope, f), g, f);
  multiply(scope, 1, f, b, g);
  multiply<Trans::no, Trans::yes>(scope, 1, g, broadcast(scope, f), f);
  const auto l = cholesky(scope, f);
  solve(scope, l, g);
  solve<Trans::yes>(scope, l, g);
  solve<Side::right>(scope, load_cholesky(scope, a), g);
  auto lu = f;
  lu_pivots<value_of<A>, A::static_rows, Scope::width> pivots;
  const int info = factor_lu(scope, lu, pivots);
  solve_lu(scope, lu, pivots, g);
  const auto q = qr(scope, f);
  apply_q(scope, q, f);
  solve(scope, q, g);
  store<Path::staged>(scope, f, a);
  store<Path::joined>(scope, g, b);
  scope.sync();
  return l.info + info + q.info;
})",
                                   .operands = {inout("a", {"N", "N"}), inout("b", {"N", "N"}), info()}};
  writer w;
  for (const char* where : {"scope=thread pack=32", "scope=tile4 pack=8"})
    w.add(bind(d, {.sizes = {{"N", 3}}, .type = type}, false), placement::parse(where));
  return w.finish("fragments");
}

struct target {
  int major, minor;  // minor -1: any
  const char* architecture;
  int arch() const { return std::atoi(architecture + 3); }
};
void PrintTo(const target& t, std::ostream* out) { *out << "NVRTC " << t.major << " " << t.architecture; }

// Each kernel takes a fifth of a second. So a header is compiled once by each generation, for its targets by turns, in a
// fourth of the places by the newest and a sixth by the others, the next ones each time, and in one type.
// GLASS_SLOW_TESTS: all for all.
#ifdef GLASS_SLOW_TESTS
constexpr bool everything = true;
#else
constexpr bool everything = false;
#endif
const std::vector<target> targets = {{11, 8, "sm_72"},  {12, 9, "sm_72"},  {12, 9, "sm_87"},  {13, -1, "sm_75"},
                                     {13, -1, "sm_87"}, {13, -1, "sm_90"}, {13, -1, "sm_120"}};
// The share of a target in the header of that number, if it has one.
std::optional<share> share_of(const target& t, std::size_t header) {
  if (everything) return share{0, 1};
  std::vector<const char*> generation;
  for (const target& other : targets)
    if (other.major == t.major) generation.push_back(other.architecture);
  if (generation[header % generation.size()] != std::string(t.architecture)) return {};
  const std::size_t step = t.major == 13 ? 4 : 6;
  return share{(header + header / step + std::size_t(t.major)) % step, step};
}
class nvrtc_matrix : public testing::TestWithParam<target> {};

TEST_P(nvrtc_matrix, compiles_every_operation) {
  const target t = GetParam();
  const test::nvrtc* compiler = find(t.major, t.minor);
  if (!compiler) {
    const std::string missing = "NVRTC " + std::to_string(t.major) +
                                (t.minor < 0 ? "" : "." + std::to_string(t.minor)) +
                                " is not on this machine: name its libnvrtc.so in GLASS_NVRTC_LIBRARIES.";
    if (const char* ci = std::getenv("CI"); ci && *ci) FAIL() << missing;
    GTEST_SKIP() << missing;
  }
  std::map<std::string, writer> by_header;  // one compile of all rows of a header: most of a small one is starting up
  for (const auto& op : operations()) by_header[op.header];
  std::size_t number = 0, row = 0;
  for (auto& [name, w] : by_header) {
    const std::optional<share> of = share_of(t, number++);
    for (const auto& op : operations()) {
      if (op.header != name) continue;
      const bool turn = (number / 2 + std::size_t(t.major) + row++) % 2 != 0;
      for (const scalar_type type : {f32, f64}) {
        const bool its_turn = everything || turn == (type == f64);
        if (of && its_turn) every_scope(w, op, type, t.arch(), *of);
        if (its_turn || t.arch() == 90) larger_bodies(w, op, type, t.arch());
      }
    }
  }
  std::vector<program> programs = {users_kernel(), kernel_of_fragments(t.arch() % 2 ? f64 : f32)};
  for (const auto& [header, w] : by_header)
    if (w.kernels() > 0) programs.push_back(w.finish(header));
  std::vector<test::nvrtc::result> results(programs.size());
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (int k = 0; k < 2; ++k)
    threads.emplace_back([&] {
      for (std::size_t i; (i = next++) < programs.size();)
        results[i] = compiler->compile(programs[i].text, t.architecture, false);
    });
  for (auto& thread : threads) thread.join();
  for (std::size_t i = 0; i < programs.size(); ++i) {
    EXPECT_TRUE(results[i].compiled && results[i].bytes > 0) << programs[i].name << "\n"
                                                             << results[i].log.substr(0, 3000);
    EXPECT_TRUE(!results[i].compiled || results[i].log.empty()) << programs[i].name << "\n"
                                                                << results[i].log.substr(0, 3000);
  }
}
INSTANTIATE_TEST_SUITE_P(generations, nvrtc_matrix, testing::ValuesIn(targets), [](const auto& info) {
  return "nvrtc" + std::to_string(info.param.major) + "_" + info.param.architecture;
});

// Where lanes without a row were told apart in every step, the compiler split the warp once and for all and put the
// whole solve, shuffles included, on both sides: four times the code, and the slow path of every shuffle.
TEST(nvrtc_size, a_solve_with_fewer_rows_than_lanes_is_not_split) {
  const test::nvrtc* compiler = find(13, -1);
  if (!compiler) GTEST_SKIP() << "NVRTC 13 is not on this machine: name its libnvrtc.so in GLASS_NVRTC_LIBRARIES.";
  writer one, many;
  const auto solve = [](int right_hand_sides) {
    return bind(find_operation("posv"), {.sizes = {{"N", 4}, {"NRHS", right_hand_sides}}}, true);
  };
  one.add(solve(1), placement::parse("scope=warp pack=4 body=fragment"));
  many.add(solve(12), placement::parse("scope=warp pack=4 body=fragment"));
  const auto small = compiler->compile(one.finish("one").text, "sm_90", true),
             large = compiler->compile(many.finish("twelve").text, "sm_90", true);
  ASSERT_TRUE(small.compiled && large.compiled) << small.log << large.log;
  EXPECT_LT(large.bytes, 5 * small.bytes);
}

// The tiles of a warp go in step, and no second copy of the code waits for a warp that is not together: that copy would
// be half of the code.
TEST(nvrtc_size, tiles_that_go_in_step_are_compiled_once) {
  const test::nvrtc* compiler = find(13, -1);
  if (!compiler) GTEST_SKIP() << "NVRTC 13 is not on this machine: name its libnvrtc.so in GLASS_NVRTC_LIBRARIES.";
  const problem p = {.sizes = {{"N", 16}}, .type = f32};
  operation_description parted = find_operation("posv");
  parted.in_step.clear();
  for (const char* where : {"scope=tile8 pack=8 body=rows", "scope=tile8 pack=8 body=rows home=shared"}) {
    writer in_step, apart;
    in_step.add(bind(find_operation("posv"), p, true), placement::parse(where));
    apart.add(bind(parted, p, true), placement::parse(where));
    const auto small = compiler->compile(in_step.finish("in step").text, "sm_90", true),
               large = compiler->compile(apart.finish("apart").text, "sm_90", true);
    ASSERT_TRUE(small.compiled && large.compiled) << small.log << large.log;
    EXPECT_LT(4 * small.bytes, 3 * large.bytes) << where;
  }
}

// The image of a default placement is to stay below 100 KB: one branch in the search for a pivot, or lanes that are
// not known to be together, cost several times that.
TEST(nvrtc_size, an_elimination_with_pivoting_is_compiled_once_and_without_branches) {
  const test::nvrtc* compiler = find(13, -1);
  if (!compiler) GTEST_SKIP() << "NVRTC 13 is not on this machine: name its libnvrtc.so in GLASS_NVRTC_LIBRARIES.";
  writer warps, tiles, groups;
  warps.add(bind(find_operation("gesv"), {.sizes = {{"N", 32}}, .type = f32}, true),
            placement::parse("scope=warp pack=4 body=fragment"));
  tiles.add(bind(find_operation("inv"), {.sizes = {{"N", 16}}, .type = f32}, true),
            placement::parse("scope=tile16 pack=8 body=fragment"));
  groups.add(bind(find_operation("inv"), {.sizes = {{"N", 32}}, .type = f64}, true),
             placement::parse("scope=warp pack=4 body=rolled"));
  const auto warp = compiler->compile(warps.finish("warp").text, "sm_90", true),
             tile = compiler->compile(tiles.finish("tile").text, "sm_90", true),
             group = compiler->compile(groups.finish("groups").text, "sm_90", true);
  ASSERT_TRUE(warp.compiled && tile.compiled && group.compiled) << warp.log << tile.log << group.log;
  EXPECT_LT(warp.bytes, 80 << 10);
  EXPECT_LT(group.bytes, 48 << 10);
  EXPECT_LT(tile.bytes, 56 << 10);
}

}  // namespace
}  // namespace glass::jit
