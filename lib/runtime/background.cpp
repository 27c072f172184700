#include "runtime/background.hpp"

#include <csignal>
#include <pthread.h>
#include <system_error>

namespace glass::jit {

bool background::post(std::function<void()> job) {
  if (in_child()) return false;
  const std::lock_guard lock(mutex_);
  if (stopping_) return false;
  if (!thread_.joinable()) {
    sigset_t all, before;  // signals are the program's own threads' business
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      thread_ = std::thread([this] { work(); });
      pthread_setname_np(thread_.native_handle(), "glass tuning");
    } catch (const std::system_error&) {}
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (!thread_.joinable()) return false;
  }
  jobs_.push_back(std::move(job));
  ++pending_;
  changed_.notify_all();
  return true;
}

void background::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || !jobs_.empty(); });
    if (stopping_) return;
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    lock.lock();
    --pending_;
    changed_.notify_all();
  }
}

void background::finish() {
  if (in_child()) return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopping_ || pending_ == 0; });
}

void background::stop() noexcept {
  if (in_child()) {  // neither the thread nor, perhaps, the mutex's owner is in this process
    if (thread_.joinable()) thread_.detach();
    return;
  }
  std::thread last;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    jobs_.clear();
    last.swap(thread_);
    changed_.notify_all();
  }
  if (last.joinable()) last.join();
  pending_ = 0;
}

}  // namespace glass::jit
