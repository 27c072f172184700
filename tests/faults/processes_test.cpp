// Holders of locks that die, file systems without locks, forks, and clocks that jump. (Sixteen cold processes on one key
// and on two hundred are in tests/build/builder_test.cpp.)
#include <thread>

#include "build/build.hpp"
#include "fault_fixture.hpp"

namespace glass::faults {
namespace {

// Counts the compiles of all processes.
class counting_backend : public fake_backend {
 public:
  explicit counting_backend(const shared_board& b) : all(b) {}
  image compile(const source& s) override {
    ++all->acknowledged;
    ::usleep(2000);
    return fake_backend::compile(s);
  }
  const shared_board& all;
};

class processes_fault : public fault_test {
 protected:
  // The image that this process makes or finds.
  std::string image_bytes() {
    const auto device = std::make_shared<counting_backend>(all);
    const auto w = warn();
    builder b(device, std::shared_ptr<store>(store::open(folder, w)), w);
    const built made = b.get(bind(scale(), scale_problem(12), false), placement::parse("scope=warp"));
    return {made.bytes.begin(), made.bytes.end()};
  }
  // Holds all children back until they are all there.
  struct gate {
    gate() { EXPECT_EQ(::pipe(ends), 0); }
    void wait() {
      char c;
      ::close(ends[1]);
      while (::read(ends[0], &c, 1) < 0) {}
    }
    void open() {
      ::close(ends[0]);
      ::close(ends[1]);
    }
    int ends[2];
  };
  void expect_all_good(const std::vector<pid_t>& children) {
    for (const pid_t p : children) EXPECT_EQ(finish(p), 0);
  }
  shared_board all;
};

TEST_F(processes_fault, a_killed_tuner_lets_the_next_one_tune) {
  const answer expected = tuned();
  fresh_folder();
  const pid_t holder = start([&] {
    tuned([&](int done) {
      all->acknowledged = done;
      if (done == 3) ::pause();
    });
    return true;
  });
  while (all->acknowledged < 3) std::this_thread::yield();
  const pid_t waiter = start([&] { return tuned() == expected; });
  ::usleep(20000);
  ::kill(holder, SIGKILL);
  EXPECT_TRUE(killed(finish(holder)));
  EXPECT_EQ(finish(waiter), 0);
  EXPECT_EQ(tuned(), expected);
}

TEST_F(processes_fault, without_locks_work_is_done_twice_and_the_answer_is_the_same) {
  no_ofd_locks = true;
  gate start_line;
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i)
    children.push_back(start([&] {
      start_line.wait();
      return image_bytes().find("scope=warp") != std::string::npos;
    }));
  start_line.open();
  expect_all_good(children);
  EXPECT_GE(all->acknowledged, 1);
  EXPECT_LE(all->acknowledged, 4);
  EXPECT_FALSE(image_bytes().empty());
  EXPECT_EQ(open()->stats().images, 1);
}

// Neither our locks nor SQLite's: a network disk whose lock server is gone.
TEST_F(processes_fault, without_any_locks_the_answer_is_the_same_with_one_warning) {
  const answer expected = tuned();
  const auto usual = warnings;
  fresh_folder();
  no_ofd_locks = no_posix_locks = network_disk = true;
  warnings.clear();
  EXPECT_EQ(tuned(), expected);
  EXPECT_EQ(tuned(), expected);
  EXPECT_THAT(said(), ::testing::HasSubstr("without locks"));
  std::set<std::string> further(warnings.begin(), warnings.end());
  for (const std::string& w : usual) further.erase(w);
  EXPECT_EQ(further.size(), 1u) << said();
}

TEST_F(processes_fault, a_child_made_by_fork_works_on_and_so_does_its_parent) {
  const answer expected = tuned();
  runtime rt(scripted(), options());
  const kernel before = rt.compile(scale(), scale_problem());
  const pid_t child = start([&] {
    const kernel k = rt.compile(scale(), scale_problem(9));  // tuned in the child
    return rt.compile(scale(), scale_problem()).placement().text() == expected.placement && k.placement().text() != "";
  });
  EXPECT_EQ(finish(child), 0);
  const std::int64_t tuned_here = rt.counters().tuned;
  rt.compile(scale(), scale_problem(9));
  EXPECT_EQ(rt.counters().tuned, tuned_here) << "what the child tuned is found";
  EXPECT_EQ(integrity(), "ok");
}

TEST_F(processes_fault, a_clock_that_jumps_changes_nothing) {
  const answer expected = tuned();
  const auto usual = warnings;
  for (const long jump : {-10L * 365 * 86400, 10L * 365 * 86400, -1700000000L}) {
    // Before the run, and between any two steps of it.
    for (const bool meanwhile : {false, true}) {
      fresh_folder();
      warnings.clear();
      clock_ahead = meanwhile ? 0 : jump;
      EXPECT_EQ(tuned([&](int done) { clock_ahead = meanwhile && done % 2 ? jump : long(clock_ahead); }), expected);
      EXPECT_EQ(warnings, usual);
      clock_ahead = -jump;
      warnings.clear();
      {
        runtime rt(scripted(), options());
        EXPECT_EQ(rt.compile(scale(), scale_problem()).tier(), tier::exact);
        EXPECT_EQ(rt.counters().compiles, 0);
      }
      open()->gc(std::int64_t(1) << 40);
      EXPECT_TRUE(warnings.empty()) << said();
      clock_ahead = 0;
      EXPECT_EQ(tuned(), expected);
    }
  }
}

}  // namespace
}  // namespace glass::faults
