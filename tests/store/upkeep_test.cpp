// What is listed, shown and counted, and how the cache is made smaller.
#include <gmock/gmock.h>

#include "store/layer.hpp"
#include "store/schema.hpp"
#include "store_fixture.hpp"

namespace glass::jit {
namespace {

using testing::HasSubstr;
class upkeep_test : public store_test {};

TEST_F(upkeep_test, statistics_count_what_is_there) {
  const auto s = open();
  s->put_image(an_image("a", 1000));
  s->put_image(an_image("b", 500));
  s->put_decision(a_decision());
  s->put_candidate(a_candidate("scope=thread", {1, 2, 3}));
  candidate_row failed = a_candidate("scope=warp", {});
  failed.state = "hang";
  s->put_candidate(failed);
  const cache_stats c = s->stats();
  EXPECT_EQ(c.location, file());
  EXPECT_EQ(c.trouble, "");
  EXPECT_EQ(c.images, 2);
  EXPECT_EQ(c.image_bytes, 1500);
  EXPECT_EQ(c.decisions, 1);
  EXPECT_EQ(c.samples, 3);
  EXPECT_EQ(c.failed_candidates, 1);
  EXPECT_GT(c.bytes, 1500);
  EXPECT_EQ(c.schema, schema_version());
}

TEST_F(upkeep_test, the_list_names_problem_placement_and_times) {
  const auto s = open();
  s->put_decision(a_decision());
  s->put_image(an_image());
  const auto all = s->list();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].what, "decision");
  EXPECT_EQ(all[0].id, a_decision().key.substr(0, 12));
  EXPECT_EQ(all[0].problem, "posv N=12 NRHS=1 f32 batch=4096");
  EXPECT_EQ(all[0].placement, "scope=tile8 pack=16");
  EXPECT_EQ(all[0].device, "fake sm_00 sm=1");
  EXPECT_EQ(all[0].samples, 40);
  EXPECT_EQ(all[0].created, "2026-01-02T03:04:05Z");
  EXPECT_EQ(all[1].what, "image");
  EXPECT_EQ(all[1].bytes, 1000);
  EXPECT_EQ(all[1].device, "sm_00");
  EXPECT_THAT(all[1].created, testing::MatchesRegex("20..-..-..T..:..:..Z"));
}

TEST_F(upkeep_test, show_tells_everything_about_the_key_that_begins_so) {
  const auto s = open();
  s->put_decision(a_decision());
  s->put_image(an_image());
  candidate_row wrong = a_candidate("scope=warp", {2.5});
  wrong.state = "wrong", wrong.reason = "x differs";
  s->put_candidate(wrong);
  const std::string decision = s->show(a_decision().key.substr(0, 8));
  EXPECT_THAT(decision, HasSubstr("decision: " + a_decision().key + "\n"));
  EXPECT_THAT(decision, HasSubstr("runner-up: scope=warp pack=4\n"));
  EXPECT_THAT(decision, HasSubstr("candidate: scope=warp | wrong (x differs) | 2.5"));
  EXPECT_THAT(s->show(an_image().key), HasSubstr("compiler: cc 1\n"));
  EXPECT_EQ(s->show("ffff0000ffff"), "");
  EXPECT_EQ(s->show(""), "");
  EXPECT_EQ(s->show("%"), "");
}

TEST_F(upkeep_test, gc_drops_the_images_used_longest_ago_and_keeps_decisions) {
  const auto s = open();
  for (const char* m : {"a", "b", "c", "d"}) s->put_image(an_image(m, 200000));
  s->put_decision(a_decision());
  sql("UPDATE image SET last_used = CASE material WHEN 'a' THEN 40 WHEN 'b' THEN 10 WHEN 'c' THEN 30 ELSE 20 END");
  EXPECT_GT(s->gc(500000), 300000);
  EXPECT_FALSE(s->find_image(an_image("b").key, "b"));
  EXPECT_FALSE(s->find_image(an_image("d").key, "d"));
  EXPECT_TRUE(s->find_image(an_image("a").key, "a"));
  EXPECT_TRUE(s->find_image(an_image("c").key, "c"));
  EXPECT_TRUE(s->find_decision(a_decision().key, a_decision().material));
  EXPECT_LT(std::filesystem::file_size(file()), 500000u);
}

TEST_F(upkeep_test, a_layer_evicts_to_its_bound) {
  layer l(root + "/bound.sqlite", database::mode::read_write);
  for (int i = 0; i < 20; ++i) l.put_image(an_image("m" + std::to_string(i), 50000));
  EXPECT_GT(l.evict(300000), 10);
  EXPECT_LE(l.used_bytes(), 330000);
  EXPECT_GT(l.used_bytes(), 150000);
}

TEST_F(upkeep_test, free_pages_go_back_in_steps) {
  const auto s = open();
  layer l(file(), database::mode::read_write);
  for (int i = 0; i < 20; ++i) l.put_image(an_image("m" + std::to_string(i), 100000));
  const std::int64_t full = l.file_bytes();
  l.evict(0);
  EXPECT_EQ(l.file_bytes(), full) << "pages wait to be used again";
  EXPECT_TRUE(l.give_back(500000));
  EXPECT_NEAR(double(l.file_bytes()), double(full - 500000), 9000);
  l.shrink();
  EXPECT_LT(l.file_bytes(), 200000);
  EXPECT_FALSE(l.give_back(500000));
}

TEST_F(upkeep_test, a_file_without_that_is_rewritten_once) {
  std::filesystem::create_directories(folder);
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
  sql("PRAGMA journal_mode = WAL");  // as files were begun before
  open()->put_image(an_image("a", 400000));
  EXPECT_EQ(ask("PRAGMA auto_vacuum"), "0");
  open()->gc(0);
  EXPECT_EQ(ask("PRAGMA auto_vacuum"), "2");
  EXPECT_LT(std::filesystem::file_size(file()), 200000u);
  EXPECT_EQ(open()->stats().images, 0);
}

TEST_F(upkeep_test, what_was_not_used_for_long_goes_with_what_an_abandoned_run_left) {
  layer l(root + "/old.sqlite", database::mode::read_write);
  l.put_image(an_image("a")), l.put_image(an_image("b"));
  l.put_decision(a_decision());
  candidate_row kept = a_candidate("scope=warp"), resumable = kept, abandoned = kept;
  resumable.decision_key = hash("another"), resumable.image_key = an_image("b").key;
  abandoned.decision_key = hash("a third"), abandoned.image_key = an_image("a").key;
  for (const auto& c : {kept, resumable, abandoned}) l.put_candidate(c);
  database(root + "/old.sqlite", database::mode::read_write).run("UPDATE image SET last_used = 5 WHERE material = 'a'");
  EXPECT_EQ(l.drop_unused(1000000000), 1);
  EXPECT_FALSE(l.find_image(an_image("a").key, "a"));
  EXPECT_TRUE(l.find_image(an_image("b").key, "b"));
  std::vector<damaged_row> none;
  EXPECT_EQ(l.candidates(kept.decision_key, none).size(), 1u);
  EXPECT_EQ(l.candidates(resumable.decision_key, none).size(), 1u);
  EXPECT_EQ(l.candidates(abandoned.decision_key, none).size(), 0u);
  EXPECT_TRUE(l.decision(a_decision().key));
}

TEST_F(upkeep_test, clear_leaves_nothing_in_the_file_or_in_memory) {
  for (const std::string& where : {folder, std::string("memory")}) {
    const auto s = open(where);
    s->put_image(an_image("a", 300000));
    s->put_decision(a_decision());
    s->put_candidate(a_candidate("scope=thread"));
    s->clear();
    EXPECT_TRUE(s->list().empty());
    EXPECT_EQ(s->stats().samples, 0);
    EXPECT_FALSE(s->find_image(an_image("a").key, "a"));
  }
  EXPECT_LT(std::filesystem::file_size(file()), 100000u);
}

TEST_F(upkeep_test, last_used_is_written_once_per_process_and_image) {
  open()->put_image(an_image());
  sql("UPDATE image SET last_used = 5");
  const auto s = open();
  s->find_image(an_image().key, an_image().material);
  EXPECT_GT(std::stoll(ask("SELECT last_used FROM image")), 1000000000);
  sql("UPDATE image SET last_used = 5");
  s->find_image(an_image().key, an_image().material);
  EXPECT_EQ(ask("SELECT last_used FROM image"), "5");
  open()->find_image(an_image().key, an_image().material);
  EXPECT_NE(ask("SELECT last_used FROM image"), "5");
}

}  // namespace
}  // namespace glass::jit
