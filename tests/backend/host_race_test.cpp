// The race check: pairs of accesses without a sync between, and accesses outside the problem's own operands, with
// source lines.
#include <gmock/gmock.h>

#include "host_fixture.hpp"

namespace glass::jit {
namespace {
using namespace host_test;
using ::testing::AllOf;
using ::testing::HasSubstr;

host_options checking(enum host_options::lanes order = host_options::lanes::forward) {
  host_options o;
  o.check_race = true;
  o.lanes = order;
  return o;
}
const std::string vector8 = "glass::batch::inout<float, glass::batch::layout<>, 8>";
source tile8(const std::string& text, const std::string& home = "global", int pack = 2) {
  return make_source(text, "1, glass_body, glass::scope::tile<8>, " + std::to_string(pack) +
                               ", glass::batch::home::" + home + ", " + vector8);
}
checked_launch operands_of(const void* base, long long count, bool shared = false) {
  checked_launch c;
  c.width = 8, c.pack = 2, c.count = count;
  c.operands.push_back({"y", base, 4, 8, 8, false, true, shared});
  return c;
}
status launch(const launched& k, float* y) {
  arguments a;
  a.at[0].pointer = y;
  return k.launch(a);
}

// Three steps, each reading what the one before wrote: $1 and $2 stand for the syncs between them.
std::string three_steps(bool first, bool second, bool third) {
  const auto sync = [](bool there) { return std::string(there ? "  scope.sync();\n" : "  ;\n"); };
  return "template <class S, class Y>\nGLASS_DEVICE void body(S scope, Y y) {\n  const int i = scope.rank();\n  y(i) = "
         "i;\n" +
         sync(first) + "  const float next = y((i + 1) % 8);\n" + sync(second) + "  y(i) = next;\n" + sync(third) +
         "  if (i == 0) y(7) = y(6) + 1;\n}";
}

TEST(exchange_memory, is_a_scopes_own_and_needs_syncs) {
  for (const bool synced : {true, false}) {
    const std::string text =
        std::string(
            "template <class S, class Y>\nGLASS_DEVICE void body(S scope, Y y) {\n  float* all = scope.template "
            "exchange<float, 8>();\n  all[scope.rank()] = y(scope.rank());\n") +
        (synced ? "  scope.sync();\n" : "") + "  y(scope.rank()) = all[7 - scope.rank()];\n}";
    const launched k(tile8(text), 8, 2, 5, checking());
    const auto y = array<float>(*k.device, 40);
    for (int i = 0; i < 40; ++i) y.get()[i] = float(i);
    check_operands(operands_of(y.get(), 5));
    const status s = launch(k, y.get());
    EXPECT_EQ(s.code(), synced ? errc::ok : errc::race) << s.message();
    if (synced) {
      for (int i = 0; i < 40; ++i) EXPECT_EQ(y.get()[i], float(i / 8 * 8 + 7 - i % 8));
    } else {
      EXPECT_THAT(s.message(), HasSubstr("of the block's exchange memory"));
    }
  }
}

struct removed_sync : ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(each, removed_sync, ::testing::Range(-1, 3));

TEST_P(removed_sync, is_found_in_every_lane_order) {
  for (const auto order : {host_options::lanes::forward, host_options::lanes::reverse, host_options::lanes::shuffled}) {
    const int removed = GetParam();
    const launched k(tile8(three_steps(removed != 0, removed != 1, removed != 2)), 8, 2, 5, checking(order));
    const auto y = array<float>(*k.device, 40);
    check_operands(operands_of(y.get(), 5));
    const status s = launch(k, y.get());
    EXPECT_EQ(s.code(), removed < 0 ? errc::ok : errc::race) << s.message();
    if (removed == 0) {
      EXPECT_THAT(host_report(),
                  AllOf(HasSubstr("body (body:4)"), HasSubstr("body (body:6)"), HasSubstr("without a sync")));
      EXPECT_THAT(s.message(), AllOf(HasSubstr("body:4"), HasSubstr("body:6"), HasSubstr("y[")));
    }
  }
  check_operands({});
}

TEST(host_race, is_named_by_the_order_in_which_it_was_seen) {
  const source s = tile8(
      "template <class S, class Y>\nGLASS_DEVICE void body(S scope, Y y) {\n  if (scope.rank() == 0) y(0) = 1;\n  if "
      "(scope.rank() == 3) y(3) = y(0);\n}");
  for (const auto& [order, what] : {std::pair(host_options::lanes::forward, "a read after a write"),
                                    std::pair(host_options::lanes::reverse, "a write after a read")}) {
    const launched k(s, 8, 2, 1, checking(order));
    const auto y = array<float>(*k.device, 8);
    EXPECT_THAT(launch(k, y.get()).message(), AllOf(HasSubstr(what), HasSubstr("body:3"), HasSubstr("body:4")));
  }
}

TEST(host_race, staging_through_shared_memory_is_no_race) {
  const launched k(tile8(three_steps(true, true, true), "shared"), 8, 2, 5, checking(), 64);
  const auto y = array<float>(*k.device, 40);
  check_operands(operands_of(y.get(), 5, true));
  EXPECT_EQ(launch(k, y.get()).code(), errc::ok) << host_report();
  check_operands({});
}

TEST(host_race, a_race_in_shared_memory_is_found_without_knowing_the_operands) {
  const launched k(tile8(three_steps(false, true, true), "shared"), 8, 2, 5, checking(), 64);
  const auto y = array<float>(*k.device, 40);
  EXPECT_EQ(launch(k, y.get()).code(), errc::race);
}

TEST(host_race, shuffles_order_no_memory) {
  const launched k(tile8("template <class S, class Y>\nGLASS_DEVICE void body(S scope, Y y) {\n  y(scope.rank()) = "
                         "1;\n  scope.shuffle(1, 0);\n"
                         "  if (scope.rank() == 0) y(1) = 2;\n}"),
                   8, 2, 2, checking());
  const auto y = array<float>(*k.device, 16);
  EXPECT_EQ(launch(k, y.get()).code(), errc::race);
}

TEST(host_race, a_write_into_a_neighbours_problem_is_found_and_not_made) {
  const launched k(tile8("template <class S, class Y>\nGLASS_DEVICE void body(S scope, Y y) {\n  if (scope.rank() == "
                         "2)\n    y.data[8] = 1;\n}"),
                   8, 2, 2, checking());
  const auto y = array<float>(*k.device, 16);
  check_operands(operands_of(y.get(), 2));
  const status s = launch(k, y.get());
  EXPECT_EQ(s.code(), errc::race);
  EXPECT_THAT(s.message(), AllOf(HasSubstr("body:4"), HasSubstr("writes outside"), HasSubstr("y[0] of problem 1")));
  EXPECT_EQ(y.get()[8], 0);
  check_operands({});
}

TEST(host_race, in_shared_memory_too_where_the_neighbours_problem_is_staged) {
  const launched k(tile8("template <class S, class Y>\nGLASS_DEVICE void body(S scope, Y y) {\n  if (scope.rank() == "
                         "2)\n    y.data[8] = 1;\n}",
                         "shared"),
                   8, 2, 2, checking(), 64);
  const auto y = array<float>(*k.device, 16);
  check_operands(operands_of(y.get(), 2, true));
  EXPECT_THAT(launch(k, y.get()).message(), AllOf(HasSubstr("body:4"), HasSubstr("y[0] of problem 1")));
  check_operands({});
}

TEST(host_race, a_write_to_an_input_and_to_memory_of_nobody) {
  const launched k(
      tile8("template <class S, class Y>\nGLASS_DEVICE void body(S scope, Y y) {\n  y.data[scope.rank()] = 1;\n}"), 8,
      2, 2, checking());
  const auto y = array<float>(*k.device, 16);
  checked_launch c = operands_of(y.get(), 2);
  c.operands[0].writes = false;
  check_operands(c);
  EXPECT_THAT(launch(k, y.get()).message(), HasSubstr("an input"));
  c.operands[0].base = y.get() + 16;
  check_operands(c);
  EXPECT_THAT(launch(k, y.get()).message(), HasSubstr("memory that belongs to no operand"));
  check_operands({});
}

TEST(host_race, two_blocks_whose_problems_overlap) {
  const source s = make_source(
      "template <class S, class Y>\nGLASS_DEVICE void body(S scope, Y y) {\n  if (scope.rank() == 0) y(0) = y.data[4] "
      "= 1;\n}",
      "1, glass_body, glass::scope::tile<8>, 1, glass::batch::home::global, glass::batch::out<float, "
      "glass::batch::layout<glass::Order::col, -1, 4>, 8>");
  const launched k(s, 8, 1, 2, checking());
  const auto y = array<float>(*k.device, 12);
  EXPECT_THAT(launch(k, y.get()).message(), HasSubstr("two writes"));
}

TEST(host_race, copies_that_the_compiler_turns_into_calls_are_seen) {
  const launched k(tile8("template <class S, class Y>\nGLASS_DEVICE void body(S scope, Y y) {\n  y(scope.rank()) = 1;\n"
                         "  if (scope.rank() == 0) __builtin_memset(y.data, 0, 4 * scope.size());\n}"),
                   8, 2, 2, checking());
  const auto y = array<float>(*k.device, 16);
  EXPECT_EQ(launch(k, y.get()).code(), errc::race);
}

TEST(host_race, thread_scope_and_runs_in_a_child_are_checked_too) {
  const source s = make_source(
      "template <class S, class Y>\nGLASS_DEVICE void body(S, Y y) {\n  float local[4] = {1, 2, 3, 4};\n"
      "  for (int i = 0; i < 8; ++i) y(i) = local[i % 4];\n  y.data[-1] = 0;\n}",
      "1, glass_body, glass::scope::thread, 2, glass::batch::home::global, " + vector8);
  const launched k(s, 1, 2, 2, checking());
  const auto y = array<float>(*k.device, 24);
  checked_launch c = operands_of(y.get() + 8, 2);
  c.width = 1;
  check_operands(c);
  arguments a;
  a.at[0].pointer = y.get() + 8;
  const status st = k.run(a);
  EXPECT_EQ(st.code(), errc::race);
  EXPECT_THAT(host_report(), HasSubstr("body:5"));
  check_operands({});
}

TEST(host_sanitize, address_checks_need_a_program_that_has_them_and_see_the_end_of_an_array) {
  host_options o;
  o.sanitize = "address";
  const source s = make_source("template <class S, class Y>\nGLASS_DEVICE void body(S, Y y) {\n  y.data[8] = 1;\n}",
                               "1, glass_body, glass::scope::thread, 2, glass::batch::home::global, " + vector8);
#if defined(__SANITIZE_ADDRESS__)
  const launched k(s, 1, 2, 1, o);
  const auto y = array<float>(*k.device, 8);
  arguments a;
  a.at[0].pointer = y.get();
  EXPECT_EQ(k.run(a).code(), errc::launch_failed);
#else
  try {
    launched(s, 1, 2, 1, o);
    ADD_FAILURE() << "loaded";
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::load_failed);
    EXPECT_THAT(e.message(), HasSubstr("-fsanitize=address"));
  }
#endif
}

TEST(host_sanitize, an_overflow_of_a_local_array_ends_the_run) {
  host_options o;
  o.sanitize = "undefined";
  const source s = make_source(
      "template <class S, class Y>\nGLASS_DEVICE void body(S, Y y) {\n  int n = int(y(0));\n  int a[4] = {};\n  y(1) = "
      "float(a[n] + (n << 30) * 8);\n}",
      "1, glass_body, glass::scope::thread, 2, glass::batch::home::global, " + vector8);
  const launched k(s, 1, 2, 1, o);
  const auto y = array<float>(*k.device, 8);
  arguments a;
  a.at[0].pointer = y.get();
  EXPECT_EQ(k.run(a).code(), errc::ok);
  y.get()[0] = 5;
  EXPECT_EQ(k.run(a).code(), errc::launch_failed);
}

}  // namespace
}  // namespace glass::jit
