// What is counted at a cache, by whom it is written, and what that may cost: nothing that matters.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/layer.hpp"
#include "store/tally.hpp"
#include "store_fixture.hpp"

namespace glass::jit {
namespace {

class Counts : public store_test {};

TEST_F(Counts, HitsMissesCompilesAndFailuresOfAllProcessesAreSummed) {
  {
    const auto s = open();
    EXPECT_FALSE(s->find_decision(a_decision().key, a_decision().material));
    EXPECT_FALSE(s->find_decision(a_decision().key, a_decision().material)) << "asked again under the lock: one miss";
    EXPECT_FALSE(s->find_image(an_image().key, an_image().material));
    s->put_image(an_image());
    candidate_row failed = a_candidate("scope=warp", {});
    failed.state = "wrong";
    s->put_candidate(failed);
    s->put_decision(a_decision());
  }
  {
    const auto s = open();
    EXPECT_TRUE(s->find_decision(a_decision().key, a_decision().material));
    EXPECT_TRUE(s->find_image(an_image().key, an_image().material));
  }
  const cache_stats c = open()->stats();
  EXPECT_EQ(c.total.decision_hits, 1);
  EXPECT_EQ(c.total.decision_misses, 1);
  EXPECT_EQ(c.total.image_hits, 1);
  EXPECT_EQ(c.total.image_misses, 1);
  EXPECT_EQ(c.total.compiles, 1);
  EXPECT_EQ(c.total.compile_milliseconds, 250);
  EXPECT_EQ(c.total.tuned, 1);
  EXPECT_EQ(c.total.failed_candidates, 1);
  EXPECT_EQ(c.today.decision_hits, 1);
  EXPECT_EQ(c.month.image_hits, 1);
  EXPECT_THAT(c.since, testing::MatchesRegex("20..-..-.."));
}

TEST_F(Counts, HealedAndEvictedRowsCount) {
  open()->put_image(an_image());
  sql("UPDATE image SET hash = 'x'");
  EXPECT_FALSE(open()->find_image(an_image().key, an_image().material));
  EXPECT_EQ(open()->stats().total.healed, 1);
  open()->put_image(an_image());
  open()->gc(0);
  EXPECT_EQ(open()->stats().total.evicted, 1);
}

TEST_F(Counts, ZeroBeginsAnew) {
  const auto s = open();
  s->put_image(an_image());
  EXPECT_EQ(s->stats().total.compiles, 1);
  s->zero_counts();
  EXPECT_EQ(s->stats().total.compiles, 0);
  EXPECT_EQ(s->stats().since, "");
  EXPECT_EQ(s->stats().images, 1);
}

TEST_F(Counts, DaysAddUpAndOldOnesBecomeOne) {
  layer l((std::filesystem::create_directories(folder), file()), database::mode::read_write);
  cache_counts some;
  some.compiles = 1, some.decision_hits = 2;
  for (const char* day : {"2026-01-01", "2026-01-02", "2026-01-02", "2026-01-03"}) l.add_counts(some, day);
  l.add_counts(some, "2199-01-01");
  cache_stats c;
  l.add_to(c);
  EXPECT_EQ(c.total.compiles, 5);
  EXPECT_EQ(c.total.decision_hits, 10);
  EXPECT_EQ(c.since, "2026-01-01");
  if (ask("SELECT date('now', '-100 days') > '2026-01-03'") == "1") {
    EXPECT_EQ(ask("SELECT count(DISTINCT day) FROM counter"), "2");
  }
}

TEST_F(Counts, AStoreThatNobodyDestroysWritesWhenTheProcessEnds) {
  open()->put_decision(a_decision());
  const pid_t child = ::fork();
  if (child == 0) {
    store* const never_destroyed = open().release();
    never_destroyed->find_decision(a_decision().key, a_decision().material);
    std::exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(open()->stats().total.decision_hits, 1);
}

TEST_F(Counts, AForkCountsNothingTwice) {
  const auto s = open();
  s->put_decision(a_decision());
  s->find_decision(a_decision().key, a_decision().material);
  const pid_t child = ::fork();
  if (child == 0) std::exit(0);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(open()->stats().total.decision_hits, 1);
  EXPECT_EQ(s->stats().total.decision_hits, 1);
}

TEST_F(Counts, AReadOnlyCacheAndABusyOneCountNothingAndFailNothing) {
  open()->put_decision(a_decision());
  {
    const auto s = open();
    sqlite3* other = nullptr;
    sqlite3_open(file().c_str(), &other);
    sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
    EXPECT_TRUE(s->find_decision(a_decision().key, a_decision().material));
    s->stats();
    sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr);
    sqlite3_close(other);
  }
  EXPECT_EQ(open()->stats().total.decision_hits, 1) << "what could not be written waits";
  layer readable(file(), database::mode::read_only);
  tally t;
  t.add(&cache_counts::tuned);
  t.write(readable, 0);
  EXPECT_EQ(t.pending().tuned, 1);
  EXPECT_EQ(said(), "");
}

TEST_F(Counts, TheSizeComesFromTheEnvironmentUnlessItIsGiven) {
  EXPECT_EQ(open()->stats().most_bytes, std::int64_t(2) << 30);
  ::setenv("GLASS_CACHE_SIZE", "300K", 1);
  {
    const auto s = open();
    EXPECT_EQ(s->stats().most_bytes, 300 << 10);
    for (int i = 0; i < 20; ++i) s->put_image(an_image("m" + std::to_string(i), 50000));
    EXPECT_LE(s->stats().image_bytes, 300 << 10);
    EXPECT_GE(s->stats().images, 2);
    EXPECT_TRUE(s->find_image(an_image("m19", 50000).key, "m19")) << "the newest stays";
    EXPECT_GT(s->stats().total.evicted, 10);
  }
  EXPECT_EQ(store::open(store_options{folder, {}, {}, 1 << 20}, nullptr)->stats().most_bytes, 1 << 20);
  ::setenv("GLASS_CACHE_SIZE", "much", 1);
  EXPECT_EQ(open()->stats().most_bytes, std::int64_t(2) << 30);
  EXPECT_THAT(said(), testing::HasSubstr("GLASS_CACHE_SIZE=much is no size"));
  ::unsetenv("GLASS_CACHE_SIZE");
}

TEST_F(Counts, AFileBeyondABoundMadeSmallerShrinksWhileImagesArePut) {
  {
    const auto s = open();
    for (int i = 0; i < 40; ++i) s->put_image(an_image("m" + std::to_string(i), 200000));
  }
  const store_options small{folder, {}, {}, 1 << 20};
  const auto s = store::open(small, nullptr);
  for (int i = 0; i < 9; ++i) s->put_image(an_image("n" + std::to_string(i), 1000));
  EXPECT_LT(layer(file(), database::mode::read_only).file_bytes(), 1300000);
  EXPECT_TRUE(s->find_image(an_image("n8", 1000).key, "n8"));
}

}  // namespace
}  // namespace glass::jit
