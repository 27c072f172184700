// What is put is found again, by this process and the next, and only under the material it was made from.
#include <gmock/gmock.h>

#include "store_fixture.hpp"

namespace glass::jit {
namespace {

using testing::HasSubstr;
class rows_test : public store_test {};

TEST_F(rows_test, an_image_survives_the_process) {
  const image_row put = an_image();
  open()->put_image(put);
  const auto got = open()->find_image(put.key, put.material);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->bytes, put.bytes);
  EXPECT_EQ(got->compiler, "cc 1");
  EXPECT_EQ(got->label, "scope=thread");
  EXPECT_EQ(got->family, put.family);
  EXPECT_EQ(got->compile_seconds, 0.25);
  EXPECT_TRUE(warnings.empty()) << said();
}

TEST_F(rows_test, an_image_of_other_material_is_not_found_and_goes) {
  const auto s = open();
  image_row row = an_image();
  s->put_image(row);
  EXPECT_FALSE(s->find_image(row.key, row.material + " changed"));
  EXPECT_EQ(s->healed(), 1);
  EXPECT_FALSE(s->find_image(row.key, row.material));
}

TEST_F(rows_test, putting_again_replaces) {
  const auto s = open();
  image_row row = an_image();
  s->put_image(row);
  row.bytes = {1, 2, 3};
  s->put_image(row);
  EXPECT_EQ(s->find_image(row.key, row.material)->bytes.size(), 3u);
  EXPECT_EQ(s->stats().images, 1);
}

TEST_F(rows_test, a_family_lists_its_images_newest_first) {
  image_row old = an_image("a"), young = an_image("b");
  young.family = old.family;
  const auto s = open();
  s->put_image(young);
  s->put_image(old);
  sql("UPDATE image SET created = 1 WHERE key = '" + old.key + "'");
  EXPECT_EQ(s->find_family(old.family, 0)->key, young.key);
  EXPECT_EQ(s->find_family(old.family, 1)->key, old.key);
  EXPECT_FALSE(s->find_family(old.family, 2));
  EXPECT_FALSE(s->find_family(hash("another"), 0));
}

TEST_F(rows_test, a_decision_comes_back_to_the_last_bit) {
  const decision_row put = a_decision();
  open()->put_decision(put);
  const auto got = open()->find_decision(put.key, put.material);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->ns, put.ns);
  EXPECT_EQ(got->default_ns, put.default_ns);
  EXPECT_EQ(got->placement, put.placement);
  EXPECT_EQ(got->runner_up, put.runner_up);
  EXPECT_EQ(got->fingerprint, put.fingerprint);
  EXPECT_EQ(got->batch_class, 4096);
  EXPECT_EQ(got->samples, 40);
  EXPECT_TRUE(got->complete);
  EXPECT_EQ(got->created, put.created);
  EXPECT_FALSE(open()->find_decision(hash("another"), "another"));
}

TEST_F(rows_test, related_decisions_share_identity_type_options_and_measure) {
  const auto s = open();
  decision_row a = a_decision("a"), b = a_decision("b"), other_type = a_decision("c"), other_measure = a_decision("d"),
               bad = a_decision("e");
  b.sizes = "N=13 NRHS=1", b.fingerprint = "another", other_type.type = "f64", other_measure.measure = "latency";
  for (const decision_row& d : {a, b, other_type, other_measure, bad}) s->put_decision(d);
  s->mark_decision(bad.key, "winner no longer loads");
  EXPECT_EQ(s->find_related("posv/1", "f32", "", "throughput").size(), 2u);
  EXPECT_EQ(s->find_related("posv/1", "f64", "", "throughput").size(), 1u);
  EXPECT_TRUE(s->find_related("posv/2", "f32", "", "throughput").empty());
  EXPECT_EQ(open()->find_decision(bad.key, bad.material)->state, "winner no longer loads");
}

TEST_F(rows_test, every_sample_of_every_candidate_is_kept_with_those_that_failed_and_why) {
  candidate_row running = a_candidate("scope=warp", {}), failed = running;
  running.state = "running";
  failed.state = "wrong", failed.reason = "x differs by 3e-2 in problem 7";
  {
    const auto s = open();
    s->put_candidate(running);
    s->put_candidate(a_candidate("scope=thread"));
    s->put_candidate(failed);
  }
  const auto s = open();
  const auto all = s->candidates(a_decision().key);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].state, "wrong");
  EXPECT_EQ(all[0].reason, failed.reason);
  EXPECT_EQ(all[1].ns, (std::vector<double>{3.5, 0.1 + 0.2}));
  EXPECT_EQ(all[1].compile_seconds, 0.5);
  EXPECT_EQ(s->stats().samples, 2);
  EXPECT_EQ(s->stats().failed_candidates, 1);
}

TEST_F(rows_test, without_a_place_everything_works_in_memory) {
  const auto s = open("memory");
  s->put_image(an_image());
  s->put_decision(a_decision());
  s->put_candidate(a_candidate("scope=thread"));
  EXPECT_TRUE(s->find_image(an_image().key, an_image().material));
  EXPECT_TRUE(s->find_decision(a_decision().key, a_decision().material));
  EXPECT_EQ(s->find_related("posv/1", "f32", "", "throughput").size(), 1u);
  EXPECT_EQ(s->candidates(a_decision().key).size(), 1u);
  EXPECT_FALSE(s->persistent());
  EXPECT_EQ(s->lock_file(), "");
  EXPECT_EQ(s->stats().location, "memory");
  EXPECT_THAT(s->stats().trouble, HasSubstr("memory"));
  EXPECT_TRUE(warnings.empty()) << said();
}

TEST_F(rows_test, a_relative_folder_that_looks_like_a_uri_is_a_folder) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(root);
  const auto s = open("file:c?mode=memory#x");
  s->put_image(an_image());
  std::filesystem::current_path(before);
  EXPECT_TRUE(std::filesystem::exists(root + "/file:c?mode=memory#x/cache.sqlite"));
}

TEST_F(rows_test, names_that_are_not_ascii_are_kept) {
  decision_row d = a_decision("mögliche Größe 大小");
  d.identity = "schätzung/1";
  const auto s = open(root + "/größe 大小");
  s->put_decision(d);
  EXPECT_EQ(s->find_decision(d.key, d.material)->identity, "schätzung/1");
}

}  // namespace
}  // namespace glass::jit
