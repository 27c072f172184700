// What the fault tests share: a folder in memory, children that may die, a program that tunes a kernel on the scripted
// device, and the audit of what a fault left behind.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <set>

#include "base/hash.hpp"
#include "glass/jit.hpp"
#include "store/store.hpp"
#include "support/scale.hpp"
#include "system_calls.hpp"

namespace glass::faults {

using namespace glass::jit;
using glass::jit::testing::behaviour;
using glass::jit::testing::fake_backend;
using glass::jit::testing::scale;
using glass::jit::testing::scale_code;
using glass::jit::testing::scale_problem;

// Numbers that a child leaves behind, however it ends.
struct board {
  std::atomic<int> acknowledged{0};
};
class shared_board {
 public:
  shared_board()
      : all_(new (::mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) board) {}
  ~shared_board() { ::munmap(all_, sizeof(board)); }
  shared_board(const shared_board&) = delete;
  board* operator->() const { return all_; }

 private:
  board* all_;
};

// What a program got from the library: the same after any fault.
struct answer {
  std::string placement;
  std::vector<float> numbers;
  friend bool operator==(const answer&, const answer&) = default;
  friend void PrintTo(const answer& a, std::ostream* to) { *to << a.placement; }
};

class fault_test : public ::testing::Test {
 protected:
  fault_test() {
    std::string name = ::access("/dev/shm", W_OK) == 0 ? "/dev/shm/glass-faults-XXXXXX" : "/tmp/glass-faults-XXXXXX";
    root = ::mkdtemp(name.data());
    folder = root + "/cache";
  }
  ~fault_test() override {
    no_ofd_locks = no_posix_locks = network_disk = false;
    clock_ahead = 0;
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }

  std::shared_ptr<warner> warn() {
    return std::make_shared<warner>([this](const std::string& line) { warnings.push_back(line); });
  }
  std::unique_ptr<store> open() { return store::open(folder, warn()); }
  std::string file() const { return folder + "/cache.sqlite"; }
  std::string said() const {
    std::string all;
    for (const std::string& w : warnings) all += w + "\n";
    return all;
  }
  void fresh_folder() { std::filesystem::remove_all(folder); }

  // The same race every time: one placement wins, one does not compile, one is wrong.
  std::shared_ptr<fake_backend> scripted() {
    auto d = std::make_shared<fake_backend>();
    d->slots = 1, d->yields = 0;
    d->compute = scale_code();
    d->script = [](const std::string& label) {
      const unsigned long n = std::stoul(hash(label).substr(0, 4), nullptr, 16);
      behaviour b{.ns = 10 + double(n % 1021) / 16};  // no two alike
      if (n % 7 == 3) b.compile_error = "error: as scripted";
      if (n % 7 == 5) b.compute = scale_code(8, 0.01f);
      return b;
    };
    return d;
  }
  runtime_options options() {
    runtime_options o;
    o.cache = folder;
    o.tuning_from_environment = false;
    o.tuning.budget_seconds = 1000;
    o.warning = [this](const std::string& w) { warnings.push_back(w); };
    return o;
  }
  // A program: tunes if nothing is known, launches, tells what came out.
  answer tuned(const std::function<void(int done)>& acknowledge = {}) {
    runtime_options o = options();
    if (acknowledge) o.tuning.progress = [&](const tuning_progress& p) { acknowledge(p.done); };
    runtime rt(scripted(), o);
    const kernel k = rt.compile(scale(), scale_problem());
    std::vector<float> x(64), y(64);
    for (int i = 0; i < 64; ++i) x[std::size_t(i)] = float(i), y[std::size_t(i)] = float(100 - i);
    k.launch(nullptr, 8, 0.5f, x.data(), y.data()).check();
    return {k.placement().text(), y};
  }

  // Runs `f` in a child; its wait status. A child whose test failed exits with 1.
  template <class F>
  pid_t start(F f) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    bool good = false;
    try {
      good = f();
    } catch (const std::exception& e) { std::fprintf(stderr, "child: %s\n", e.what()); }
    if (!good) std::fputs(said().c_str(), stderr);
    ::_exit(good && !HasFailure() ? 0 : 1);
  }
  static int finish(pid_t child) {
    int status = -1;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return status;
  }
  static bool killed(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL; }

  // The first column of the rows of a statement, by a connection of its own.
  std::vector<std::string> ask(const std::string& statement, const std::string& where = {}) const {
    sqlite3* db = nullptr;
    sqlite3_stmt* s = nullptr;
    std::vector<std::string> rows;
    sqlite3_open((where.empty() ? file() : where).c_str(), &db);
    int code = sqlite3_prepare_v2(db, statement.c_str(), -1, &s, nullptr);
    if (code == SQLITE_OK) {
      while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(s, 0));
        rows.emplace_back(text == nullptr ? "" : text);
      }
    }
    if (code != SQLITE_DONE) rows.emplace_back(sqlite3_errmsg(db));
    sqlite3_finalize(s);
    sqlite3_close(db);
    return rows;
  }
  std::string integrity(const std::string& where = {}) const {
    std::string all;
    for (const std::string& row : ask("PRAGMA integrity_check", where)) all += row;
    return all;
  }
  int set_aside() const {
    int n = 0;
    if (!std::filesystem::exists(folder)) return 0;
    for (const auto& e : std::filesystem::directory_iterator(folder)) {
      const std::string name = e.path().filename().string();
      n += name.find(".damaged-") != std::string::npos && !name.ends_with("-wal") && !name.ends_with("-shm") &&
           !name.ends_with("-journal");
    }
    return n;
  }

  // Rows to put; each number's contents differ.
  static image_row an_image(int n, std::size_t bytes = 700) {
    image_row r;
    r.material = "material " + std::to_string(n), r.key = hash(r.material);
    r.family = hash("family " + std::to_string(n));
    r.backend = "cuda", r.compiler = "fake 1.0", r.target = "sm_90", r.name = "posv";
    r.label = "scope=thread pack=" + std::to_string(n);
    for (std::size_t i = 0; i < bytes; ++i) r.bytes.push_back((unsigned char)(i * 31 + std::size_t(n) * 7 + 1));
    r.compile_seconds = 0.25;
    return r;
  }
  static decision_row a_decision(int n) {
    decision_row d;
    d.material = "problem " + std::to_string(n), d.key = hash(d.material);
    d.identity = "posv/1", d.sizes = "N=" + std::to_string(n), d.type = "f32", d.measure = "throughput";
    d.batch_class = 4096, d.backend = "cuda", d.target = "sm_90", d.fingerprint = "sm_90 sm=132";
    d.power_class = "unspecified", d.candidate_set = "1", d.placement = "scope=tile8 pack=" + std::to_string(n);
    d.image_key = an_image(n).key, d.runner_up = "scope=warp pack=4", d.ns = 0.1 + n, d.default_ns = 1.5 + n;
    d.samples = 40, d.complete = true, d.driver = "580", d.compiler = "fake 1.0", d.created = "2026-01-02T03:04:05Z";
    return d;
  }
  static candidate_row a_candidate(int n) {
    candidate_row c;
    c.decision_key = a_decision(n).key, c.placement = "scope=tile8 pack=" + std::to_string(n), c.state = "ok";
    c.ns = {3.5 + n, 0.1 + 0.2}, c.compile_seconds = 0.5, c.image_key = an_image(n).key;
    return c;
  }
  static bool same(const image_row& a, const image_row& b) {
    return a.key == b.key && a.material == b.material && a.family == b.family && a.backend == b.backend &&
           a.compiler == b.compiler && a.target == b.target && a.name == b.name && a.label == b.label &&
           a.bytes == b.bytes;
  }
  static bool same(const decision_row& a, const decision_row& b) {
    return a.key == b.key && a.material == b.material && a.identity == b.identity && a.sizes == b.sizes &&
           a.type == b.type && a.options == b.options && a.measure == b.measure && a.batch_class == b.batch_class &&
           a.backend == b.backend && a.target == b.target && a.fingerprint == b.fingerprint &&
           a.power_class == b.power_class && a.candidate_set == b.candidate_set && a.placement == b.placement &&
           a.image_key == b.image_key && a.runner_up == b.runner_up && a.ns == b.ns && a.default_ns == b.default_ns &&
           a.samples == b.samples && a.complete == b.complete && a.state == b.state && a.driver == b.driver &&
           a.compiler == b.compiler && a.created == b.created;
  }
  static bool same(const candidate_row& a, const candidate_row& b) {
    return a.decision_key == b.decision_key && a.placement == b.placement && a.state == b.state &&
           a.reason == b.reason && a.ns == b.ns && a.compile_seconds == b.compile_seconds && a.image_key == b.image_key;
  }

  std::string root, folder;
  std::vector<std::string> warnings;
};

}  // namespace glass::faults
