// A cache on media that are really read-only: it is read, nothing is written, nothing is tuned twice in one process.
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "fault_fixture.hpp"

namespace glass::faults {
namespace {

class places_test : public fault_test {
 protected:
  // In a child with mounts of its own, so that nothing stays behind; false: not permitted here.
  static bool own_mounts() {
    return ::unshare(CLONE_NEWNS) == 0 && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  }
  static bool mount_read_only(const std::string& where) {
    return ::mount(where.c_str(), where.c_str(), nullptr, MS_BIND, nullptr) == 0 &&
           ::mount(nullptr, where.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) == 0;
  }
  static constexpr int not_permitted = 77;
  // Runs `f` in such a child and waits for it.
  template <class F>
  void with_mounts(F f) {
    const pid_t child = start([&] {
      if (!own_mounts() || !mount_read_only(folder)) ::_exit(not_permitted);
      return f();
    });
    const int status = finish(child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == not_permitted) GTEST_SKIP() << "mounts are not permitted here";
    EXPECT_EQ(status, 0);
  }
};

TEST_F(places_test, a_cache_mounted_read_only_serves_without_compiling) {
  const answer expected = tuned();
  warnings.clear();
  with_mounts([&] {
    EXPECT_EQ(::mkdir((folder + "/x").c_str(), 0700), -1);
    runtime rt(scripted(), options());
    const kernel k = rt.compile(scale(), scale_problem());
    EXPECT_EQ(k.placement().text(), expected.placement);
    EXPECT_EQ(rt.counters().compiles + rt.counters().tuned, 0);
    rt.compile(scale(), scale_problem(20));  // new: tuned once, kept in memory
    rt.compile(scale(), scale_problem(20));
    EXPECT_EQ(rt.counters().tuned, 1);
    std::set<std::string> of_the_cache;
    for (const std::string& w : warnings)
      if (w.find("cache") == 0) of_the_cache.insert(w);
    EXPECT_EQ(of_the_cache.size(), 1u) << said();
    EXPECT_THAT(said(), ::testing::HasSubstr("cannot be written"));
    return true;
  });
}

TEST_F(places_test, an_empty_folder_mounted_read_only_is_memory) {
  const answer expected = tuned();
  fresh_folder();
  ::mkdir(folder.c_str(), 0700);
  with_mounts([&] { return tuned() == expected && !std::filesystem::exists(file()); });
}

// What was being written when the medium became read-only is in the log beside the file.
TEST_F(places_test, a_log_that_was_left_on_a_read_only_medium_is_read) {
  const pid_t child = start([&] {
    open()->put_image(an_image(1));
    const auto s = open();
    s->put_image(an_image(2));
    ::kill(::getpid(), SIGKILL);
    return true;
  });
  EXPECT_TRUE(killed(finish(child)));
  ASSERT_TRUE(std::filesystem::exists(file() + "-wal"));
  with_mounts([&] {
    const auto s = open();
    EXPECT_TRUE(s->find_image(an_image(1).key, an_image(1).material)) << said();
    EXPECT_TRUE(s->find_image(an_image(2).key, an_image(2).material)) << said();
    return true;
  });
}

TEST_F(places_test, folders_with_any_name_are_used) {
  const answer expected = tuned();
  for (const std::string name : {"größe 大小", "with'quote\"and`more", "a?b#c%d;e&f", "line\nbreak", "-rf", "file:x"}) {
    folder = root + "/" + name;
    warnings.clear();
    EXPECT_EQ(tuned(), expected) << name;
    EXPECT_TRUE(std::filesystem::exists(file())) << name;
    runtime rt(scripted(), options());
    EXPECT_EQ(rt.compile(scale(), scale_problem()).tier(), tier::exact) << name;
  }
}

}  // namespace
}  // namespace glass::faults
