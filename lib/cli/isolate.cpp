// glass tune --isolate: the tuning runs in a child, which tells in a shared page what runs on the device; what it
// measured is in the cache. When it dies or does not come back, the candidate that ran is written down, and another child
// goes on. The child is a new program (fork without exec is not allowed once CUDA has started).
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.hpp"
#include "cli/tune.hpp"
#include "store/store.hpp"
#include "tune/journal.hpp"

extern char** environ;

namespace glass::jit::cli {
namespace {

constexpr int stop_end = 0, report_end = 3, page_end = 4;  // the child's descriptors
constexpr double grace = 3;      // seconds beyond what a launch may take, for a machine under load
constexpr int most_lives = 64;   // children of one problem
constexpr int most_aimless = 3;  // of them those that died while nothing ran on the device

// Shared by both processes. The parent reads the names only when the child is dead.
struct page {
  std::atomic<double> until{0};  // of a monotonic clock; 0: nothing runs
  char key[80] = "", placement[400] = "";
  static page* map(int descriptor) {
    void* p = mmap(nullptr, sizeof(page), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return p == MAP_FAILED ? nullptr : static_cast<page*>(p);
  }
};
static_assert(std::atomic<double>::is_always_lock_free);

[[noreturn]] void no_child(const char* what) {
  throw error(errc::io, stage::tune, std::string("--isolate: ") + what + ": " + std::strerror(errno) + ".");
}

int high(int descriptor) {  // out of the way of the child's
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10);
  if (moved < 0) no_child("a descriptor");
  close(descriptor);
  return moved;
}

std::vector<std::string> child_command(const tune_arguments& a, std::size_t from) {
  std::vector<std::string> words = {"glass", "tune", a.manifest, "--worker-from", std::to_string(from)};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add("--device", a.device), add("--shard", a.shard), add("--tune", a.tuning.mode), add("--budget", a.tuning.budget);
  if (a.tuning.progress) words.push_back("--progress");
  return words;
}

// One child; the destructor ends it.
class child {
 public:
  explicit child(const std::vector<std::string>& command) {
    int stop[2], report[2];
    if (pipe2(stop, O_CLOEXEC) != 0 || pipe2(report, O_CLOEXEC) != 0) no_child("a pipe");
    const int memory = memfd_create("glass", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, sizeof(jit::cli::page)) != 0) no_child("shared memory");
    const int theirs[] = {high(stop[0]), high(report[1]), high(memory)};
    stop_ = high(stop[1]), report_ = high(report[0]);
    page_ = page::map(theirs[2]);
    if (!page_) no_child("shared memory");
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    for (int i = 0; i < 3; ++i)
      posix_spawn_file_actions_adddup2(&files, theirs[i], std::array{stop_end, report_end, page_end}[i]);
    std::vector<char*> words;
    for (const auto& w : command) words.push_back(const_cast<char*>(w.c_str()));
    words.push_back(nullptr);
    const int failed = posix_spawn(&pid_, "/proc/self/exe", &files, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    for (const int d : theirs) close(d);
    if (failed) errno = failed, no_child("starting a process");
  }
  ~child() {
    if (pid_ > 0) end(), wait(0);
    stop();
    close(report_);
    munmap(page_, sizeof *page_);
  }
  child(const child&) = delete;

  void stop() {
    if (stop_ >= 0) close(stop_);
    stop_ = -1;
  }
  void end() { kill(pid_, SIGKILL); }
  const jit::cli::page& page() const { return *page_; }
  // The lines that came, for at most 50 ms; none when there are none.
  std::vector<std::string> lines() {
    pollfd some{report_, POLLIN, 0};
    std::vector<std::string> all;
    if (poll(&some, 1, 50) <= 0) return all;
    char buffer[65536];
    const ssize_t n = read(report_, buffer, sizeof buffer);
    if (n == 0 && pid_ > 0) usleep(20000);  // closed before it ended
    if (n > 0) said_.append(buffer, static_cast<std::size_t>(n));
    for (std::size_t end; (end = said_.find('\n')) != std::string::npos; said_.erase(0, end + 1))
      all.push_back(said_.substr(0, end));
    return all;
  }
  // Whether it has ended; then how() tells the way.
  bool wait(int flags) {
    if (pid_ < 0) return true;
    pid_t done = 0;
    while ((done = waitpid(pid_, &how_, flags)) < 0 && errno == EINTR) {}
    if (done == 0) return false;
    pid_ = -1;
    return true;
  }
  int how() const { return how_; }

 private:
  pid_t pid_ = -1;
  int stop_ = -1, report_ = -1, how_ = 0;
  jit::cli::page* page_ = nullptr;
  std::string said_;
};

std::string how_it_ended(int how, bool late) {
  if (late) return "it did not come back and was ended";
  if (WIFSIGNALED(how))
    return "its process was ended by signal " + std::to_string(WTERMSIG(how)) + " (" + strsignal(WTERMSIG(how)) + ")";
  if (WEXITSTATUS(how) == worker_starts_anew) return "the device was lost to its process";
  return "its process ended with code " + std::to_string(WEXITSTATUS(how));
}

// The work, child after child.
class shift {
 public:
  shift(const tune_arguments& a, const std::vector<tune_task>& tasks, tune_report& report)
      : arguments_(a), tasks_(tasks), report_(report) {}

  int run() {
    catch_signals();
    while (next_ < tasks_.size()) {
      child c(child_command(arguments_, next_));
      const bool late = attend(c);
      if (stopping_) return report_.finish(next_ < tasks_.size(), tasks_.size());
      if (WIFEXITED(c.how()) && WEXITSTATUS(c.how()) == 0) break;
      if (!opened_) return WIFEXITED(c.how()) ? WEXITSTATUS(c.how()) : 1;  // it said why
      if (next_ < tasks_.size()) lost(c, late);
    }
    return report_.finish(false, tasks_.size());
  }

 private:
  // Until the child has ended. True: it was ended because something of a candidate ran too long.
  bool attend(child& c) {
    bool late = false, ended = false;
    for (;;) {
      const auto lines = c.lines();
      for (const auto& line : lines) take(line);
      if (ended && lines.empty()) return late;
      if (ended || (ended = c.wait(WNOHANG))) continue;
      if (signalled() && !stopping_) stopping_ = true, c.stop();
      const double until = c.page().until.load(std::memory_order_acquire);
      if (!late && until > 0 && seconds_now() > until + grace) late = true, c.end();
    }
  }

  void take(const std::string& line) {
    json j = json::parse(line, nullptr, false);
    if (!j.is_object()) return;
    if (j.contains("device")) opened_ = true, report_.device(j["device"]);
    if (!j.contains("index")) return;
    next_ = j["index"].get<std::size_t>() + 1, lives_ = aimless_ = 0;
    report_.add(std::move(j));
  }

  // What ran is written down, unless it is down already or nobody knows whose fault it was; then the next child goes on.
  void lost(const child& c, bool late) {
    const std::string how = how_it_ended(c.how(), late), problem = tasks_[next_].problem.text();
    const bool ran = c.page().until.load() > 0, foreign = !late && WIFSIGNALED(c.how()) && WTERMSIG(c.how()) == SIGKILL;
    const bool by_itself = WIFEXITED(c.how()) && WEXITSTATUS(c.how()) == worker_starts_anew;
    const std::string what = ran || by_itself ? c.page().placement : "";
    if (ran && !foreign && !by_itself) {
      candidate_row row;
      row.decision_key = c.page().key, row.placement = what;
      row.state = late ? state::hang : state::killed, row.reason = how + ".";
      store::open(store::default_folder(), std::make_shared<warner>())->put_candidate(row);
    }
    std::fprintf(stderr, "glass: %s%s%s: %s. Going on in another process.\n", problem.c_str(), ran ? ": " : "",
                 ran ? what.c_str() : "", how.c_str());  // a child that gives up by itself has said of what
    aimless_ += what.empty();
    if (++lives_ < most_lives && aimless_ < most_aimless && (what.empty() || what != last_ || foreign)) {
      last_ = what;
      return;
    }
    json failed =
        failed_problem(tasks_[next_].problem, "given up: " + (what.empty() ? "" : what + ": ") + how + ", again.");
    std::fprintf(stderr, "%s: %s\n", problem.c_str(), failed["error"].get<std::string>().c_str());
    report_.add(std::move(failed));
    ++next_, lives_ = aimless_ = 0, last_.clear();
  }

  const tune_arguments& arguments_;
  const std::vector<tune_task>& tasks_;
  tune_report& report_;
  std::size_t next_ = 0;
  int lives_ = 0, aimless_ = 0;
  std::string last_;  // the placement that the last child died of
  bool opened_ = false, stopping_ = false;
};

jit::cli::page* shared = nullptr;

}  // namespace

int tune_isolated(const tune_arguments& a, const std::vector<tune_task>& tasks, tune_report& report) {
  if (!store::open(store::default_folder(), std::make_shared<warner>())->persistent())
    throw error(errc::store, stage::tune,
                "--isolate needs a cache on a disk: its processes hand on what they measured.",
                "Set GLASS_CACHE to a folder that can be written.");
  return shift(a, tasks, report).run();
}

worker::worker() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int s : {SIGINT, SIGTERM}) signal(s, SIG_IGN);  // the parent says when to stop; compilers end in peace
  signal(SIGPIPE, SIG_IGN);
  for (const int d : {report_end, page_end}) fcntl(d, F_SETFD, FD_CLOEXEC);
  shared = page::map(page_end);
  if (!shared) throw error(errc::io, stage::tune, "--worker-from belongs to --isolate.");
}

void worker::apply(tuning_options& o) const {
  o.retry_killed = true;
  o.stop = [] {
    pollfd parent{stop_end, POLLIN, 0};
    return poll(&parent, 1, 0) > 0;
  };
  o.watch = [](const running_candidate& r) {
    if (r.placement.empty()) return shared->until.store(0, std::memory_order_release);
    std::snprintf(shared->key, sizeof shared->key, "%s", r.decision_key.c_str());
    std::snprintf(shared->placement, sizeof shared->placement, "%s", r.placement.c_str());
    shared->until.store(seconds_now() + r.seconds, std::memory_order_release);
  };
}

void worker::send(const json& j) const {
  const std::string line = j.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t n = write(report_end, line.data() + at, line.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    at += static_cast<std::size_t>(n);
  }
}

}  // namespace glass::jit::cli
