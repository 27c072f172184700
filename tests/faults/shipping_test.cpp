// From bench to robot under faults: export, import, merge and sign, killed at each of their system calls, in the middle of
// each write, and with each call failing. What is at the end of it is what was there before or the whole new thing.
#include <sys/stat.h>

#include "fault_fixture.hpp"

namespace glass::faults {
namespace {

class shipping_test : public fault_test {
 protected:
  void SetUp() override {
    bench = root + "/bench", other = root + "/other", robot = root + "/robot", out = root + "/out";
    for (const std::string& f : {bench, other, robot, out}) ::mkdir(f.c_str(), 0700);
    path = out + "/robot.pack", older = root + "/older.pack", key = root + "/key";
    make_pack_key(key);
    fill(bench, 1, 5);
    fill(other, 4, 8);
    fill(robot, 7, 9);
    export_pack(other, older);
  }
  void fill(const std::string& where, int from, int to) {
    const auto s = store::open(where, warn());
    for (int n = from; n < to; ++n) {
      decision_row d = a_decision(n);
      d.ns += where == other ? 10 : 0;  // slower there
      s->put_image(an_image(n)), s->put_candidate(a_candidate(n)), s->put_decision(d);
    }
  }
  // What a pack holds; "": it is not sound.
  std::string content(const std::string& pack) {
    const pack_check c = verify_pack(pack);
    EXPECT_THAT(c.faults, ::testing::IsEmpty());
    return c.faults.empty() ? c.pack.content + " " + (c.pack.signer.empty() ? "unsigned" : "signed") : "";
  }
  // `f` makes the file at `path` in place of an older pack; killed and failed everywhere.
  void under_faults(const std::string& before, const std::function<void()>& f) {
    const auto prepare = [&] {
      std::filesystem::remove_all(out);
      ::mkdir(out.c_str(), 0700);
      std::filesystem::copy_file(before, path);
    };
    prepare();
    const std::string old = content(path);
    arm(out, {.which = everything});
    f();
    const long calls = disarm();
    const std::string made = content(path);
    ASSERT_NE(old, made);
    std::map<std::string, int> found;
    int kills = 0;
    for (long n = 0; n < calls && !HasFailure(); ++n) {
      SCOPED_TRACE("call " + std::to_string(n));
      for (const auto how : {plan::act::kill, plan::act::tear}) {
        prepare();
        kills += killed(finish(start([&] {
          arm(out, {.what = how, .at = n});
          f();
          return true;
        })));
        const std::string now = content(path);
        EXPECT_TRUE(now == old || now == made) << now;
        ++found[now];
      }
      for (const int code : {EIO, ENOSPC}) {
        prepare();
        bool done = true;
        try {
          const armed on(out, {plan::act::fail, everything, n, code});
          f();
        } catch (const jit::error& e) {
          done = false;
          EXPECT_THAT(e.what(), ::testing::HasSubstr(path)) << "the message names the file";
        }
        EXPECT_EQ(content(path), done ? made : old);
      }
    }
    EXPECT_GT(kills, 20);
    EXPECT_GT(found[old], 20);
    f();
    EXPECT_EQ(content(path), made) << "and once more, undisturbed";
    int files = 0;
    for (const auto& e : std::filesystem::directory_iterator(out)) files += e.is_regular_file();
    EXPECT_EQ(files, 1) << "nothing is left beside it";
    RecordProperty("kills", kills);
  }
  // All that is in a cache, without times of use.
  std::vector<std::string> rows_of(const std::string& where) {
    std::vector<std::string> all;
    for (const char* q : {"SELECT key || hash FROM image ORDER BY key", "SELECT key || hash FROM decision ORDER BY key",
                          "SELECT decision_key || hash FROM candidate ORDER BY decision_key, placement"})
      for (std::string& row : ask(q, where + "/cache.sqlite")) all.push_back(std::move(row));
    return all;
  }
  std::string bench, other, robot, out, path, older, key;
};

TEST_F(shipping_test, an_export_is_whole_or_what_was_there_before) {
  const auto before = rows_of(bench);
  under_faults(older, [&] { export_pack(bench, path, {.key = key}); });
  EXPECT_EQ(rows_of(bench), before);
}

TEST_F(shipping_test, a_merge_is_whole_or_what_was_there_before) {
  under_faults(older, [&] { merge_packs(path, {bench, other}, key); });
}

TEST_F(shipping_test, a_signature_is_put_on_or_not) {
  under_faults(older, [&] { sign_pack(path, key); });
}

TEST_F(shipping_test, an_import_goes_on_where_it_was_killed) {
  export_pack(bench, path);
  folder = root + "/cache";
  const auto prepare = [&] {
    fresh_folder();
    std::filesystem::copy(robot, folder, std::filesystem::copy_options::recursive);
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
  };
  prepare();
  const auto before = rows_of(folder);
  arm(folder, {});
  import_pack(path, folder);
  const long calls = disarm();
  const auto imported = rows_of(folder);
  EXPECT_GT(imported.size(), before.size());
  int kills = 0;
  for (long n = 0; n < calls && !HasFailure(); ++n)
    for (const auto how : {plan::act::kill, plan::act::tear}) {
      SCOPED_TRACE("killed at call " + std::to_string(n));
      prepare();
      kills += killed(finish(start([&] {
        arm(folder, {.what = how, .at = n});
        import_pack(path, folder);
        return true;
      })));
      const auto now = rows_of(folder);
      for (const std::string& row : before) EXPECT_THAT(now, ::testing::Contains(row)) << "nothing of before is lost";
      for (const std::string& row : now) EXPECT_THAT(imported, ::testing::Contains(row)) << "nothing half is there";
      EXPECT_EQ(integrity(), "ok");
      import_pack(path, folder);
      EXPECT_EQ(rows_of(folder), imported);
      EXPECT_EQ(set_aside(), 0);
    }
  RecordProperty("kills", kills);
  EXPECT_GT(kills, 40);
}

}  // namespace
}  // namespace glass::faults
