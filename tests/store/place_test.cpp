// Places that cannot be used, or only read: one warning, the same answers, and what was put is still found in this
// process.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "store/place.hpp"
#include "store_fixture.hpp"

namespace glass::jit {
namespace {

using testing::HasSubstr;

class place_test : public store_test {
 protected:
  void expect_memory_with_one_warning(const std::string& where, const std::string& why) {
    const auto s = open(where);
    EXPECT_FALSE(s->persistent());
    EXPECT_EQ(s->lock_file(), "");
    s->put_image(an_image());
    s->put_decision(a_decision());
    EXPECT_TRUE(s->find_image(an_image().key, an_image().material));
    EXPECT_TRUE(s->find_decision(a_decision().key, a_decision().material));
    EXPECT_EQ(warnings.size(), 1u) << said();
    EXPECT_THAT(said(), HasSubstr(why));
    EXPECT_THAT(s->stats().trouble, HasSubstr(why));
    EXPECT_EQ(s->stats().images, 1);
  }
  // Runs `f` in a child, as user 65534 if we are root; the child's failures are told by its exit status.
  template <class F>
  void as_nobody(F f) {
    const pid_t child = ::fork();
    if (child == 0) {
      if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(3);
      f();
      if (HasFailure()) std::fputs(said().c_str(), stderr);
      ::_exit(HasFailure() ? 1 : 0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
};

TEST_F(place_test, a_new_folder_is_for_its_owner_only) {
  open(root + "/a/b/c")->put_image(an_image());
  struct stat s {};
  ASSERT_EQ(::stat((root + "/a/b/c").c_str(), &s), 0);
  EXPECT_EQ(s.st_mode & 0777, 0700u);
}

TEST_F(place_test, a_folder_that_others_may_write_is_not_used) {
  std::filesystem::create_directories(folder);
  ::chmod(folder.c_str(), 0777);
  expect_memory_with_one_warning(folder, "other users");
}

TEST_F(place_test, a_database_that_others_may_write_is_not_used) {
  open()->put_image(an_image());
  ::chmod(file().c_str(), 0666);
  expect_memory_with_one_warning(folder, "other users");
}

TEST_F(place_test, a_folder_of_another_user_is_not_used) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  std::filesystem::create_directories(folder);
  ASSERT_EQ(::chown(folder.c_str(), 65534, 65534), 0);
  expect_memory_with_one_warning(folder, "another user");
}

TEST_F(place_test, a_file_in_place_of_the_folder) {
  std::ofstream(folder) << "text";
  expect_memory_with_one_warning(folder, "folder");
}

TEST_F(place_test, a_folder_below_a_file_cannot_be_made) {
  std::ofstream(folder) << "text";
  expect_memory_with_one_warning(folder + "/below", "cannot make");
}

TEST_F(place_test, a_read_only_file_is_read_and_new_rows_live_in_memory) {
  open()->put_image(an_image("old"));
  ::chmod(root.c_str(), 0755);
  ::chmod(folder.c_str(), 0555);
  ::chmod(file().c_str(), 0444);
  as_nobody([this] {
    const auto s = open();
    EXPECT_TRUE(s->find_image(an_image("old").key, "old"));
    s->put_image(an_image("new"));
    EXPECT_TRUE(s->find_image(an_image("new").key, "new"));
    s->put_image([] {
      auto r = an_image("old");
      r.bytes = {1};
      return r;
    }());
    EXPECT_EQ(s->find_image(an_image("old").key, "old")->bytes.size(), 1u);
    s->drop_image(an_image("old").key, "refused");
    EXPECT_FALSE(s->find_image(an_image("old").key, "old"));
    EXPECT_FALSE(s->persistent());
    EXPECT_THROW(s->gc(0), jit::error);
    EXPECT_THAT(said(), HasSubstr("cannot be written"));
  });
  ::chmod(folder.c_str(), 0755);
}

TEST_F(place_test, an_empty_folder_that_cannot_be_written) {
  std::filesystem::create_directories(folder);
  ::chmod(root.c_str(), 0755);
  ::chmod(folder.c_str(), 0555);
  as_nobody([this] { expect_memory_with_one_warning(folder, "cannot be written"); });
}

TEST_F(place_test, a_full_disk_keeps_the_new_rows_in_memory_and_the_old_ones_readable) {
  open()->put_image(an_image("old"));
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const auto s = open();
    const rlimit limit{20000, 20000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    s->put_image(an_image("big", 500000));
    s->put_image(an_image("big2", 500000));
    const bool ok = s->find_image(an_image("big").key, "big") && s->find_image(an_image("big2").key, "big2") &&
                    s->find_image(an_image("old").key, "old") && warnings.size() == 1;
    if (!ok) std::fputs(said().c_str(), stderr);
    ::_exit(ok ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  const auto s = open();
  EXPECT_TRUE(s->find_image(an_image("old").key, "old"));
  EXPECT_FALSE(s->find_image(an_image("big").key, "big"));
}

TEST_F(place_test, a_disk_full_from_the_start) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{0, 0};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto s = open();
    s->put_image(an_image());
    const bool ok = s->find_image(an_image().key, an_image().material) && warnings.size() == 1;
    if (!ok) std::fputs(said().c_str(), stderr);
    ::_exit(ok ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(place_test, the_default_folder_follows_the_environment) {
  ::setenv("GLASS_CACHE", "/a", 1);
  ::setenv("XDG_CACHE_HOME", "/b", 1);
  ::setenv("HOME", "/c", 1);
  EXPECT_EQ(store::default_folder(), "/a");
  ::unsetenv("GLASS_CACHE");
  EXPECT_EQ(store::default_folder(), "/b/glass");
  ::setenv("XDG_CACHE_HOME", "relative", 1);  // to be ignored, says the specification
  EXPECT_EQ(store::default_folder(), "/c/.cache/glass");
  ::unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(store::default_folder(), "/c/.cache/glass");
  ::unsetenv("HOME");
  EXPECT_EQ(store::default_folder(), "memory");
}

TEST_F(place_test, the_log_is_ahead_of_the_file_on_local_disks_only) {
  open()->put_image(an_image());
  EXPECT_EQ(ask("PRAGMA journal_mode"), on_local_disk(folder) ? "wal" : "delete");
  EXPECT_TRUE(on_local_disk("/dev/shm"));
  EXPECT_FALSE(on_local_disk("/proc"));
}

}  // namespace
}  // namespace glass::jit
