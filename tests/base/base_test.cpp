// Text, hash, status and warnings: the helpers that every layer leans on.
#include <gtest/gtest.h>

#include "base/hash.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "glass/jit/error.hpp"
#include "glass/jit/problem.hpp"

using namespace glass::jit;

TEST(text, nearest_finds_a_slip_of_the_pen_and_not_a_stranger) {
  const std::vector<std::string> ops = {"dot", "gemv", "gemm", "potrf", "posv"};
  EXPECT_EQ(nearest("possv", ops), "posv");
  EXPECT_EQ(nearest("GEMM", ops), "gemm");
  EXPECT_EQ(nearest("quaternion", ops), "");
  EXPECT_EQ(did_you_mean("ptrf", ops), " Did you mean 'potrf'?");
}
TEST(text, split_drops_empty_parts) { EXPECT_EQ(split(" a  b ", ' '), (std::vector<std::string>{"a", "b"})); }
TEST(text, join_keeps_empty_parts) { EXPECT_EQ(join({"", "a", ""}, ","), ",a,"); }
TEST(text, last_name_strips_namespaces) {
  EXPECT_EQ(last_name("glass::Trans::yes"), "yes");
  EXPECT_EQ(last_name("4"), "4");
}
TEST(hash, is_blake2b_256) {  // RFC 7693's function with a 32-byte digest
  EXPECT_EQ(hash(""), "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
}
TEST(hash, fields_cannot_run_into_each_other) {
  EXPECT_NE(material().add("a", "bc").key(), material().add("ab", "c").key());
  EXPECT_NE(material().add("a", "b").add("c", "").key(), material().add("a", "b\nc 0\n").key());
}
TEST(status, carries_its_text_and_throws_on_check) {
  const status s(errc::invalid_argument, "operand %s is %d", "A", 3);
  EXPECT_FALSE(s.ok());
  EXPECT_STREQ(s.message(), "operand A is 3");
  try {
    s.check();
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::invalid_argument);
    EXPECT_EQ(std::string(e.what()), "glass: launch: operand A is 3");
  }
  EXPECT_NO_THROW(status().check());
}
TEST(status, cuts_a_long_text) {
  const std::string name(1000, 'x');
  EXPECT_EQ(std::string(status(errc::io, "%s", name.c_str()).message()).size(), 251u);
}
TEST(error, shows_stage_message_and_hint) {
  const error e(errc::no_compiler, stage::compile, "no NVRTC", "install it");
  EXPECT_STREQ(e.what(), "glass: compile: no NVRTC\n  install it");
}
TEST(warner, warns_once_per_cause) {
  std::vector<std::string> lines;
  warner warn([&](const std::string& s) { lines.push_back(s); });
  warn("disk", "one");
  warn("disk", "two");
  warn("rights", "three");
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "three"}));
}
TEST(names, cover_every_enumerator) {
  EXPECT_STREQ(name(errc::store), "store");
  EXPECT_STREQ(name(stage::launch), "launch");
  EXPECT_STREQ(name(measure::graph), "graph");
  EXPECT_STREQ(name(kind::unit_quaternion), "unit_quaternion");
}
