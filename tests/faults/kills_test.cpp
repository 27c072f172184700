// SIGKILL in place of every single system call that changes a file, in the middle of every write, and at random instants:
// what was acknowledged is there and equal, nothing is half written, the next process works and gives the same numbers.
#include <chrono>
#include <random>

#include "fault_fixture.hpp"
#include "store/database.hpp"
#include "store/schema.hpp"

namespace glass::faults {
namespace {

class kills_test : public fault_test {
 protected:
  void SetUp() override {
    expected = tuned();
    expected_warnings = warnings;
    warnings.clear();
  }
  // Kills `f`, run in a child on a folder that `prepare` fills, at each of its calls in turn, before it and (for a write)
  // in its middle; `audit` looks at what is left.
  template <class Prepare, class F, class Audit>
  int kill_everywhere(Prepare prepare, F f, Audit audit) {
    prepare();
    arm(root, {});
    f();
    const long calls = disarm();
    int kills = 0;
    for (long n = 0; n < calls && !HasFailure(); ++n) {
      for (const auto how : {plan::act::kill, plan::act::tear}) {
        prepare();
        all->acknowledged = 0;
        const int status = finish(start([&] {
          arm(root, {.what = how, .at = n});
          f();
          return true;
        }));
        kills += killed(status);
        EXPECT_TRUE(killed(status) || status == 0) << status;
        SCOPED_TRACE("killed at call " + std::to_string(n) + (how == plan::act::tear ? ", torn" : ""));
        warnings.clear();
        audit();
      }
    }
    return kills;
  }
  void fill(store& s, int from, int to) {
    for (int n = from; n < to; ++n) {
      s.put_image(an_image(n, 300 + 2500 * std::size_t(n % 4)));
      s.put_candidate(a_candidate(n));
      s.put_decision(a_decision(n));
      ++all->acknowledged;
    }
  }
  void expect_filled(store& s, int from, int to) {
    for (int n = from; n < to; ++n) {
      const image_row i = an_image(n, 300 + 2500 * std::size_t(n % 4));
      const auto image = s.find_image(i.key, i.material);
      ASSERT_TRUE(image && same(*image, i)) << n << " " << said();
      const auto decision = s.find_decision(a_decision(n).key, a_decision(n).material);
      ASSERT_TRUE(decision && same(*decision, a_decision(n))) << n << " " << said();
      const auto tried = s.candidates(a_decision(n).key);
      ASSERT_TRUE(tried.size() == 1 && same(tried[0], a_candidate(n))) << n << " " << said();
    }
  }
  void expect_sound() {
    EXPECT_EQ(integrity(), "ok");
    EXPECT_EQ(set_aside(), 0);
  }
  // After a killed tuning run: at most the candidate in the air is lost, and the next run finds what it would have found.
  void expect_tuning_goes_on() {
    const int acknowledged = all->acknowledged;
    if (std::filesystem::exists(file()) && std::filesystem::file_size(file()) > 0) {
      const auto kept = ask("SELECT count(*) FROM candidate WHERE state <> 'running'");
      EXPECT_TRUE(acknowledged == 0 || std::stoi(kept.at(0)) >= acknowledged) << kept.at(0);
    }
    const answer after = tuned();
    EXPECT_EQ(after.numbers, expected.numbers);
    for (const std::string& w : warnings) {
      const bool mark_found = w.find("the process ended while this candidate ran") != std::string::npos;
      EXPECT_TRUE(mark_found || std::count(expected_warnings.begin(), expected_warnings.end(), w) > 0)
          << "a warning that an undisturbed run does not give: " << w;
    }
    if (after.placement != expected.placement) {
      EXPECT_EQ(ask("SELECT state FROM candidate WHERE placement = '" + expected.placement + "'").at(0), "killed");
    }
    EXPECT_EQ(ask("SELECT count(*) FROM candidate WHERE state = 'running'").at(0), "0");
    EXPECT_EQ(ask("SELECT count(*) FROM decision").at(0), "1");
    expect_sound();
  }

  shared_board all;
  answer expected;
  std::vector<std::string> expected_warnings;
};

TEST_F(kills_test, at_every_write_of_a_tuning_run) {
  const int kills =
      kill_everywhere([&] { fresh_folder(); }, [&] { tuned([&](int done) { all->acknowledged = done; }); },
                      [&] { expect_tuning_goes_on(); });
  RecordProperty("kills", kills);
  EXPECT_GT(kills, 400);
}

TEST_F(kills_test, at_every_write_of_the_store_with_either_journal) {
  int kills = 0;
  for (const bool network : {false, true}) {
    network_disk = network;
    kills += kill_everywhere(
        [&] {
          fresh_folder();
          fill(*open(), 0, 3);
        },
        [&] {
          const auto s = open();
          fill(*s, 3, 9);
          s->drop_image(an_image(0).key, "as scripted");
          s->mark_decision(a_decision(0).key, "as scripted");
          s->gc(std::int64_t(1) << 40);
          ++all->acknowledged;
        },
        [&] {
          const auto s = open();
          const int filled = std::min(all->acknowledged.load(), 6);
          expect_filled(*s, 1, 3 + filled);
          EXPECT_FALSE(all->acknowledged > 6 && s->find_image(an_image(0).key, an_image(0).material));
          fill(*s, 9, 10);
          expect_filled(*s, 9, 10);
          EXPECT_TRUE(warnings.empty()) << said();
          expect_sound();
        });
  }
  RecordProperty("kills", kills);
  EXPECT_GT(kills, 300);
}

// From every version that was ever released, made by its own migrations, with rows that the newest must still find.
TEST_F(kills_test, at_every_write_of_a_migration) {
  const auto steps = migrations(schema_text());
  int kills = 0;
  for (std::size_t version = 0; version < steps.size(); ++version) {
    kills += kill_everywhere(
        [&] {
          fresh_folder();
          std::filesystem::create_directories(folder);
          std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
          if (version == 0) return;
          database db(file(), database::mode::read_write);
          migrate(db, std::vector<std::string>(steps.begin(), steps.begin() + long(version)));
          const auto i = an_image(1);
          db.change(
              "INSERT INTO image (key, material, family, backend, compiler, target, name, label, bytes, length, hash, "
              "compile_seconds, created, last_used) VALUES (?, ?, ?, 'cuda', 'c', 'sm_90', 'posv', 'l', ?, ?, ?, 1, 1, "
              "1)",
              i.key, i.material, i.family, std::span<const unsigned char>(i.bytes), int(i.bytes.size()),
              hash({reinterpret_cast<const char*>(i.bytes.data()), i.bytes.size()}));
        },
        [&] {
          const auto s = open();
          fill(*s, 2, 3);
        },
        [&] {
          const auto s = open();
          EXPECT_TRUE(version == 0 || s->find_image(an_image(1).key, an_image(1).material)) << said();
          expect_filled(*s, 2, 2 + all->acknowledged);
          fill(*s, 4, 5);
          expect_filled(*s, 4, 5);
          EXPECT_EQ(s->stats().schema, schema_version());
          EXPECT_TRUE(warnings.empty()) << said();
          expect_sound();
        });
  }
  RecordProperty("kills", kills);
  EXPECT_GT(kills, 20);
}

TEST_F(kills_test, at_random_instants_of_tuning_runs) {
  std::mt19937 random(20261130);
  fresh_folder();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(finish(start([&] { return tuned() == expected; })), 0);
  const auto whole =
      unsigned(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  int kills = 0;
  for (int round = 0; round < 200 && !HasFailure(); ++round) {
    fresh_folder();
    all->acknowledged = 0;
    const pid_t child = start([&] {
      tuned([&](int done) { all->acknowledged = done; });
      return true;
    });
    ::usleep(random() % whole);
    ::kill(child, SIGKILL);
    kills += killed(finish(child));
    SCOPED_TRACE("round " + std::to_string(round));
    warnings.clear();
    expect_tuning_goes_on();
  }
  RecordProperty("kills", kills);
  EXPECT_GT(kills, 20);
}

}  // namespace
}  // namespace glass::faults
