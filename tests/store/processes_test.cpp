// Many processes and threads on one cache, some of them killed.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "store/file_lock.hpp"
#include "store_fixture.hpp"

namespace glass::jit {
namespace {

class processes_test : public store_test {
 protected:
  // Forks; `f` tells by its result whether all was well.
  template <class F>
  pid_t start(F f) {
    const pid_t child = ::fork();
    if (child == 0) {
      const bool ok = f();
      if (!ok) std::fputs(said().c_str(), stderr);
      ::_exit(ok ? 0 : 1);
    }
    return child;
  }
  static int finish(pid_t child) {
    int status = -1;
    ::waitpid(child, &status, 0);
    return status;
  }
};

TEST_F(processes_test, sixteen_create_the_cache_at_once) {
  for (int round = 0; round < 5; ++round) {
    std::filesystem::remove_all(folder);
    int gate[2];
    ASSERT_EQ(::pipe(gate), 0);
    std::vector<pid_t> all;
    for (int i = 0; i < 16; ++i)
      all.push_back(start([&, i] {
        char c;
        ::close(gate[1]);
        if (::read(gate[0], &c, 1) != 0) return false;  // until all are there
        const auto s = open();
        s->put_image(an_image("m" + std::to_string(i)));
        return s->persistent() && warnings.empty();
      }));
    ::close(gate[0]);
    ::close(gate[1]);
    for (pid_t p : all) EXPECT_EQ(finish(p), 0);
    EXPECT_EQ(open()->stats().images, 16);
  }
}

TEST_F(processes_test, sixteen_write_and_read_two_hundred_keys) {
  std::vector<pid_t> all;
  for (int i = 0; i < 16; ++i)
    all.push_back(start([&, i] {
      const auto s = open();
      for (int k = 0; k < 200; ++k) {
        const std::string m = "m" + std::to_string((k * 37 + i * 11) % 200);
        if (const auto row = s->find_image(an_image(m).key, m)) {
          if (row->bytes != an_image(m).bytes) return false;
        } else {
          s->put_image(an_image(m));
        }
      }
      return warnings.empty();
    }));
  for (pid_t p : all) EXPECT_EQ(finish(p), 0);
  EXPECT_EQ(open()->stats().images, 200);
}

TEST_F(processes_test, what_was_acknowledged_before_a_kill_is_there_after_it) {
  int acknowledged_in_all = 0;
  for (int round = 0; round < 30; ++round) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const std::string name = "r" + std::to_string(round) + " ";
    const pid_t child = start([&] {
      const auto s = open();
      for (int n = 0;; ++n) {
        s->put_image(an_image(name + std::to_string(n), 100 + 977 * std::size_t(n % 40)));
        s->put_candidate(a_candidate(name + std::to_string(n)));
        if (::write(pipe[1], "x", 1) != 1) return false;
      }
    });
    ::close(pipe[1]);
    int seen = 0;
    for (char c; seen < 3 + round * 2 && ::read(pipe[0], &c, 1) == 1;) ++seen;
    ::kill(child, SIGKILL);
    for (char c; ::read(pipe[0], &c, 1) == 1;) ++seen;  // written, and not yet read when it died
    finish(child);
    ::close(pipe[0]);
    const auto s = open();
    for (int n = 0; n < seen; ++n) {
      const std::string m = name + std::to_string(n);
      EXPECT_TRUE(s->find_image(an_image(m).key, m)) << m;
    }
    acknowledged_in_all += seen;
    EXPECT_GE(int(s->candidates(a_decision().key).size()), acknowledged_in_all);
  }
  EXPECT_TRUE(warnings.empty()) << said();
  EXPECT_EQ(ask("PRAGMA integrity_check"), "ok");
}

TEST_F(processes_test, a_child_made_by_fork_has_a_connection_of_its_own) {
  const auto s = open();
  s->put_image(an_image("parent"));
  const pid_t child = start([&] {
    if (!s->find_image(an_image("parent").key, "parent")) return false;
    for (int i = 0; i < 50; ++i) s->put_image(an_image("child" + std::to_string(i)));
    return warnings.empty();
  });
  for (int i = 0; i < 50; ++i) s->put_image(an_image("more" + std::to_string(i)));
  EXPECT_EQ(finish(child), 0);
  EXPECT_TRUE(s->find_image(an_image("child49").key, "child49"));
  EXPECT_EQ(s->stats().images, 101);
  EXPECT_EQ(ask("PRAGMA integrity_check"), "ok");
}

TEST_F(processes_test, two_forks_in_a_row_leave_the_parent_its_overlay) {
  const auto s = open();
  for (int i = 0; i < 2; ++i) EXPECT_EQ(finish(start([] { return true; })), 0);
  s->put_image(an_image("kept"));
  EXPECT_EQ(ask("SELECT count(*) FROM image"), "1");
}

TEST_F(processes_test, a_fork_while_another_thread_writes_does_not_hang_the_child) {
  const auto s = open();
  std::atomic<bool> end{false};
  std::thread writer([&] {
    for (int i = 0; !end; ++i) s->put_image(an_image("w" + std::to_string(i % 10)));
  });
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(finish(start([&] {
                s->put_image(an_image("child"));
                return s->find_image(an_image("child").key, "child").has_value() && warnings.empty();
              })),
              0);
  }
  end = true;
  writer.join();
}

TEST_F(processes_test, many_threads_share_one_store) {
  const auto s = open();
  std::vector<std::thread> all;
  for (int t = 0; t < 16; ++t)
    all.emplace_back([&, t] {
      for (int i = 0; i < 30; ++i) {
        const std::string m = "m" + std::to_string((t + i) % 20);
        s->put_image(an_image(m));
        s->find_image(an_image(m).key, m);
        s->put_decision(a_decision(m));
        s->find_related("posv/1", "f32", "", "throughput");
        s->stats();
      }
    });
  for (std::thread& t : all) t.join();
  EXPECT_EQ(s->stats().images, 20);
  EXPECT_EQ(s->stats().decisions, 20);
  EXPECT_TRUE(warnings.empty()) << said();
}

TEST_F(processes_test, a_lock_ends_with_its_holder) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const std::string path = root + "/lock";
  const pid_t holder = start([&] {
    file_lock held;
    if (held.take(path, 7, 0) != file_lock::outcome::taken) return false;
    if (::write(ready[1], "x", 1) != 1) return false;
    for (;;) ::pause();
  });
  char c;
  ASSERT_EQ(::read(ready[0], &c, 1), 1);
  file_lock mine;
  EXPECT_EQ(mine.take(path, 7, 0), file_lock::outcome::timed_out);
  EXPECT_EQ(mine.take(path, 8, 0), file_lock::outcome::taken);
  ::kill(holder, SIGKILL);
  finish(holder);
  EXPECT_EQ(mine.take(path, 7, 0), file_lock::outcome::taken);
  EXPECT_EQ(mine.take(root + "/none/lock", 7, 0), file_lock::outcome::unavailable);
}

TEST_F(processes_test, two_processes_set_a_damaged_file_aside_once) {
  open()->put_image(an_image());
  std::ofstream(file(), std::ios::trunc) << std::string(10000, 'x');
  std::vector<pid_t> all;
  for (int i = 0; i < 8; ++i)
    all.push_back(start([&, i] {
      const auto s = open();
      s->put_image(an_image("m" + std::to_string(i)));
      return s->persistent();
    }));
  for (pid_t p : all) EXPECT_EQ(finish(p), 0);
  EXPECT_EQ(open()->stats().images, 8);
}

}  // namespace
}  // namespace glass::jit
