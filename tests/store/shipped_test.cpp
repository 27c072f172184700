// The decisions that come with glass: the text, what the build makes of it, and the lowest layer.
#include "store/shipped.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>

#include "store/store_fixture.hpp"

namespace glass::jit {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Shipped : public store_test {
 protected:
  static decision_row measured(const std::string& sizes, double ns,
                               const std::string& fingerprint = "fake sm_00 sm=1") {
    decision_row d = a_decision("posv " + sizes + fingerprint);
    d.sizes = sizes, d.ns = ns, d.fingerprint = fingerprint;
    return d;
  }
  static std::vector<std::string> lines(const std::string& text, const std::string& start) {
    std::vector<std::string> all;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
      if (line.starts_with(start)) all.push_back(line);
    return all;
  }
  // What the build does with a file of this content; its complaint, or the C++ text.
  std::pair<int, std::string> embed(const std::string& content) const {
    std::filesystem::create_directories(root + "/shipped");
    std::ofstream(root + "/shipped/sm_00.sql") << content;
    const int status = std::system(("cmake -DFILES=" + root + "/shipped/sm_00.sql -DOUT=" + root +
                                    "/out.cpp -P " GLASS_SOURCE_DIR "/lib/store/shipped.cmake >" + root + "/said 2>&1")
                                       .c_str());
    std::ostringstream text;
    text << std::ifstream(root + (status == 0 ? "/out.cpp" : "/said")).rdbuf();
    return {WEXITSTATUS(status), text.str()};
  }
};

TEST_F(Shipped, TheTextHasALineADecisionInTheOrderOfSizes) {
  const std::string text =
      shipped_text({measured("N=16", 0.58123456), measured("N=8", 0.31), measured("N=8", 9, "other")});
  EXPECT_THAT(text, StartsWith("-- "));
  EXPECT_EQ(lines(text, "INSERT INTO origin").size(), 2u);
  const auto rows = lines(text, "INSERT INTO decision");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_THAT(rows[2], HasSubstr("'posv/1', 'N=16', 'f32', '', 'throughput', 4096, 'scope=tile8 pack=16', 'scope=warp "
                                 "pack=4', 0.5812, 1.5, 40, '2026-01-02', '"));
  EXPECT_EQ(text, shipped_text({measured("N=8", 9, "other"), measured("N=8", 0.31), measured("N=16", 0.58123456)}))
      << "the order in the cache does not matter";
}

TEST_F(Shipped, TheTextIsSqlWithTheSameRows) {
  const std::string text = shipped_text({measured("N=16", 0.5), measured("N=8", 0.25)});
  std::filesystem::create_directories(folder);
  sql(text);
  EXPECT_EQ(ask("SELECT count(*) FROM decision JOIN origin ON origin = number WHERE target = 'sm_00'"), "2");
  EXPECT_EQ(ask("SELECT key FROM decision WHERE sizes = 'N=16'"), measured("N=16", 0.5).key);
  EXPECT_EQ(ask("SELECT ns FROM decision WHERE sizes = 'N=8'"), "0.25");
}

TEST_F(Shipped, WhatTheFormCannotHoldIsRefused) {
  decision_row d = measured("N=8", 1);
  d.driver = "it's";
  EXPECT_THROW(shipped_text({d}), error);
  EXPECT_THROW(shipped_text({}), error);
}

TEST_F(Shipped, TheBuildTakesTheTextAndStopsAtABrokenLine) {
  const std::string text = shipped_text({measured("N=16", 0.5), measured("N=8", 0.25)});
  const auto [status, code] = embed(text);
  ASSERT_EQ(status, 0) << code;
  EXPECT_THAT(code, HasSubstr("{1, \"posv/1\", \"N=8\", \"f32\", \"\", \"throughput\", 4096, \"scope=tile8 pack=16\", "
                              "\"scope=warp pack=4\", 0.25, 1.5, 40, \"2026-01-02\", \"" +
                              measured("N=8", 1).key + "\"},"));
  const auto broken = [&](const std::string& what, const std::string& with) {
    std::string t = text;
    t.replace(t.find(what), what.size(), with);
    return embed(t);
  };
  for (const auto& [what, with] :
       std::vector<std::pair<std::string, std::string>>{{"4096,", "many,"},
                                                        {"'N=8',", ""},
                                                        {"INSERT INTO decision", "DELETE FROM decision"},
                                                        {"0.25", "'0.25'"},
                                                        {"'posv/1'", "'posv\\/1'"},
                                                        {"'posv/1'", "posv/1"}}) {
    const auto [failed, said] = broken(what, with);
    EXPECT_NE(failed, 0) << what << " -> " << with;
    EXPECT_THAT(said, HasSubstr("sm_00.sql"));
  }
  EXPECT_NE(embed("-- nothing\n").first, 0);
}

TEST_F(Shipped, AreFoundByKeyAndByProblem) {
  const shipped_origin origins[] = {{1, "cuda", "sm_90", "one", "unspecified", "2", "580", "nvrtc"},
                                    {2, "cuda", "sm_90", "two", "300 W", "2", "580", "nvrtc"}};
  const shipped_row rows[] = {
      {1, "posv/1", "N=8", "f32", "", "throughput", 4096, "scope=warp", "scope=thread", 0.5, 1, 9, "2026-01-02", "aa"},
      {2, "posv/1", "N=8", "f32", "", "throughput", 4096, "scope=tile8", "", 0.25, 1, 9, "2026-01-02", "bb"},
      {2, "posv/1", "N=8", "f64", "", "throughput", 4096, "scope=tile4", "", 0.25, 1, 9, "2026-01-02", "cc"}};
  const std::vector<shipped_file> files = {{"sm_90.sql", origins, rows}};
  const auto found = find_shipped(files, "bb", "material");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->placement, "scope=tile8");
  EXPECT_EQ(found->power_class, "300 W");
  EXPECT_EQ(found->material, "material");
  EXPECT_EQ(found->state, "");
  EXPECT_FALSE(find_shipped(files, "dd", "material"));
  EXPECT_EQ(related_shipped(files, "posv/1", "f32", "", "throughput").size(), 2u);
  EXPECT_EQ(related_shipped(files, "posv/2", "f32", "", "throughput").size(), 0u);
}

// What is built in serves below everything else, and gives way to what this machine measured.
TEST_F(Shipped, AreTheLowestLayer) {
  if (shipped_files().empty()) GTEST_SKIP() << "cache/shipped is empty";
  const shipped_row& one = shipped_files().front().rows.front();
  EXPECT_FALSE(open()->find_decision(one.key, "m")) << "GLASS_SHIPPED=off";
  ::setenv("GLASS_SHIPPED", "", 1);
  const auto s = open();
  ::setenv("GLASS_SHIPPED", "off", 1);
  ASSERT_TRUE(s->find_decision(one.key, "m"));
  EXPECT_EQ(s->find_decision(one.key, "m")->placement, one.placement);
  EXPECT_FALSE(s->find_related(one.identity, one.type, one.options, one.measure).empty());
  EXPECT_EQ(s->stats().decisions, 0);

  s->mark_decision(one.key, "winner no longer loads");
  EXPECT_EQ(s->find_decision(one.key, "m")->state, "winner no longer loads");
  EXPECT_EQ(s->stats().decisions, 1);
  decision_row better = *s->find_decision(one.key, "m");
  better.placement = "scope=block96", better.state.clear();
  s->put_decision(better);
  EXPECT_EQ(s->find_decision(one.key, "m")->placement, "scope=block96");
  int times = 0;
  for (const auto& d : s->find_related(one.identity, one.type, one.options, one.measure)) times += d.key == one.key;
  EXPECT_EQ(times, 1);
}

}  // namespace
}  // namespace glass::jit
