// The exact text that is compiled: constant includes, the user's text unchanged, the generated tail.
#include <gmock/gmock.h>

#include "problems.hpp"

namespace glass::jit {
namespace {

using testing::HasSubstr;

TEST(assemble_test, the_whole_text_of_a_users_kernel) {
  const std::string expected =
      "#define GLASS_DISPATCH 0\n"
      "#include <glass/glass.cuh>\n"
      "#include <kernels_src/batch.cuh>\n"
      "#line 1 \"lm_step\"\n" +
      lm_text +
      "\n"
      "#line 1 \"glass_tail\"\n"
      "struct glass_body {\n"
      "  template <class... A> GLASS_DEVICE static auto run(A... a) { return ::lm_step(a...); }\n"
      "};\n"
      "GLASS_BATCH(6, glass_body, glass::scope::tile<8>, 16, glass::batch::home::global,\n"
      "  glass::batch::in<float, glass::batch::layout<>, 6, 7>,\n"
      "  glass::batch::in<float, glass::batch::layout<>, 6>,\n"
      "  glass::batch::scalar<float>,\n"
      "  glass::batch::out<float, glass::batch::layout<>, 7>,\n"
      "  glass::batch::scratch<float, glass::batch::layout<>, 7, 7>,\n"
      "  glass::batch::info)\n";
  const source s = assemble(lm_bound(), tile8());
  EXPECT_EQ(s.text, expected);
  EXPECT_EQ(s.name, "lm_step");
  EXPECT_EQ(placement::parse(s.label), tile8());
}

TEST(assemble_test, a_built_in_includes_its_own_header_only_and_lies_in_glass) {
  problem p;
  p.sizes = {{"N", 12}};
  p.type = f64;
  const bound_problem b = bind(find_operation("posv"), p, true);
  placement where = tile8();
  where.body = "fragment", where.home = "shared", where.scope = "warp";
  const std::string text = assemble(b, where).text;
  EXPECT_TRUE(
      text.starts_with("#define GLASS_DISPATCH 0\n#include <glass/factor/posv.cuh>\n#include "
                       "<kernels_src/batch.cuh>\n#line 1 \"glass_tail\"\n"))
      << text;
  EXPECT_THAT(text,
              HasSubstr("return ::glass::posv<glass::Factor::keep, glass::Shift::none, glass::Body::fragment>(a...);"));
  EXPECT_THAT(text, HasSubstr("struct glass_body : glass::batch::goes_in_step {\n"));
  EXPECT_THAT(text, HasSubstr("GLASS_BATCH(3, glass_body, glass::scope::warp, 16, glass::batch::home::shared,\n"
                              "  glass::batch::inout<double, glass::batch::layout<>, 12, 12>,\n"));
  EXPECT_THAT(text, HasSubstr("glass::batch::info)\n"));
  where.body = "loop";
  EXPECT_THAT(assemble(b, where).text, HasSubstr("struct glass_body {\n"));
}

TEST(assemble_test, options_then_tunables_then_the_body_are_template_arguments) {
  operation_description d = lm_step();
  d.options = {{"TRANS", {"glass::Trans::no", "glass::Trans::yes"}}, {"FAST", {"0", "1"}}};
  d.tunables = {{"UNROLL", {1, 2, 4}}, {"INNER", {"glass::Body::loop", "glass::Body::fragment"}}};
  d.bodies = {"loop", "fragment"};
  problem p = six_by_seven();
  p.options = {{"TRANS", "yes"}};
  const bound_problem b = bind(d, p, false);
  placement where = tile8();
  where.tunables = {{"UNROLL", "4"}, {"INNER", "fragment"}};
  where.body = "loop";
  EXPECT_THAT(assemble(b, where).text,
              HasSubstr("return ::lm_step<glass::Trans::yes, 0, 4, glass::Body::fragment, glass::Body::loop>(a...);"));
  where.tunables.clear(), where.body.clear();
  EXPECT_THAT(assemble(b, where).text, HasSubstr("<glass::Trans::yes, 0, 1, glass::Body::loop, glass::Body::loop>"));
  where.tunables = {{"UNROLL", "3"}};
  EXPECT_THROW(assemble(b, where), jit::error);
}

TEST(assemble_test, layouts_and_run_time_sizes_are_codes) {
  operation_description d = lm_step();
  d.operands = {in("A", {"M", "N"}).row_major().leading("N + 2"),
                in("B", {"M", "N"}).interleaved(),
                in("c", {"N"}).shared_by_batch(),
                in("w", {"N"}).every("2 * N"),
                in("s", {}),
                out("y", {"M"}).typed(f64),
                in("k", {"N"}).typed(i32)};
  problem p;
  p.sizes = {{"M", 6}, {"N", up_to(8)}};
  const std::string text = assemble(bind(d, p, false), tile8()).text;
  EXPECT_THAT(text, HasSubstr("in<float, glass::batch::layout<glass::Order::row, glass::batch::run_time(1), -1>, 6, "
                              "glass::batch::run_time(0)>,\n"));
  EXPECT_THAT(
      text,
      HasSubstr("in<float, glass::batch::layout<glass::Order::interleaved, -1, -1>, 6, glass::batch::run_time(0)>,\n"));
  EXPECT_THAT(text,
              HasSubstr("in<float, glass::batch::layout<glass::Order::col, -1, 0>, glass::batch::run_time(0)>,\n"));
  EXPECT_THAT(text, HasSubstr("in<float, glass::batch::layout<glass::Order::col, -1, glass::batch::run_time(2)>, "
                              "glass::batch::run_time(0)>,\n"));
  EXPECT_THAT(text, HasSubstr("in<float, glass::batch::layout<>>,\n"));
  EXPECT_THAT(text, HasSubstr("out<double, glass::batch::layout<>, 6>,\n"));
  EXPECT_THAT(text, HasSubstr("in<int, glass::batch::layout<>, glass::batch::run_time(0)>)\n"));
}

TEST(assemble_test, every_scope_has_its_type) {
  for (const auto& [name, type] : std::map<std::string, std::string>{{"thread", "thread"},
                                                                     {"tile2", "tile<2>"},
                                                                     {"tile16", "tile<16>"},
                                                                     {"warp", "warp"},
                                                                     {"block64", "block<64>"}}) {
    placement p;
    p.scope = name;
    EXPECT_THAT(assemble(lm_bound(), p).text, HasSubstr("glass_body, glass::scope::" + type + ", 1,"));
  }
  placement wrong;
  wrong.scope = "cluster";
  EXPECT_THROW(assemble(lm_bound(), wrong), jit::error);
}

TEST(assemble_test, the_users_text_is_never_changed) {
  std::string large = lm_text;
  while (large.size() < 10'000'000) large += "// " + std::string(997, 'x') + "\n";
  for (const std::string& text :
       {lm_text, lm_text.substr(0, lm_text.size() - 1), replaced(lm_text, "\n", "\r\n"), "// größe 大小\n" + lm_text,
        lm_text + "// ends with a backslash \\", std::string(large)}) {
    const std::string all = assemble(lm_bound(text), tile8()).text;
    EXPECT_NE(all.find("#line 1 \"lm_step\"\n" + text + "\n#line 1 \"glass_tail\"\n"), std::string::npos);
  }
  EXPECT_THROW(assemble(lm_bound(lm_text + std::string(1, '\0')), tile8()), jit::error);
}

}  // namespace
}  // namespace glass::jit
