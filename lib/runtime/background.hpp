// One thread of the runtime that works off a list of jobs, started by the first. Stopping drops those that wait and asks
// the one under way to end.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace glass::jit {

class background {
 public:
  background() = default;
  ~background() { stop(); }
  background(const background&) = delete;

  // False: stopped, in a child made by fork (which has no such thread), or no thread is to be had.
  bool post(std::function<void()> job);
  void finish();  // waits until nothing is left
  void stop() noexcept;
  const std::atomic<bool>& stopping() const { return stopping_; }
  std::size_t pending() const { return pending_; }

 private:
  void work();
  bool in_child() const { return getpid() != owner_; }

  const pid_t owner_ = getpid();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  std::atomic<std::size_t> pending_{0};  // waiting and under way
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace glass::jit
