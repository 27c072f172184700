// Workers that share the problems of a launch. They start once, sleep when there is nothing to do, and never own a
// launch: the caller takes part and would finish alone. Several launches may run at once. run() allocates nothing.
#pragma once
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace glass::jit {

class pool {
 public:
  using range = int (*)(const void* arguments, long long first, long long last);
  // `workers`: threads that work on a launch, the caller included. In a child made by fork, launches run on the calling
  // thread alone.
  static std::shared_ptr<pool> make(int workers);
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;
  int workers() const { return workers_; }
  void start();  // idempotent; run() works without, alone
  // Problems [0, count) in tasks of `grain`; one task or less runs in the caller without touching a lock.
  // What a body throws comes out here, after all tasks have ended.
  void run(range body, const void* arguments, long long count, long long grain);

 private:
  explicit pool(int workers) : workers_(workers) {}
  ~pool();
  struct job {
    range body;
    const void* arguments;
    long long count, grain;
    std::atomic<long long> next{0};
    std::exception_ptr thrown{};  // under mutex_
    int inside = 0;               // workers, under mutex_
    job* newer = nullptr;
    void work(std::mutex&);
  };
  void worker();
  const int workers_;
  std::mutex mutex_;
  std::condition_variable work_, done_;
  job* jobs_ = nullptr;  // with tasks left, the newest first
  bool stop_ = false;
  std::vector<std::thread> threads_;
  std::atomic<bool> started_{false};
};

}  // namespace glass::jit
