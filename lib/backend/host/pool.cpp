// A list of jobs on their callers' stacks behind one mutex; tasks are dealt by an atomic counter.
#include "backend/host/pool.hpp"

#include <csignal>
#include <exception>
#include <pthread.h>
#include <system_error>

namespace glass::jit {
namespace {
// In a child made by fork there are no workers, and the mutex may be locked by one: no lock, no wait, no destruction
// there.
std::atomic<bool> forked{false};
void watch_for_forks() {
  static const int once = pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });
  static_cast<void>(once);
}
}  // namespace

std::shared_ptr<pool> pool::make(int workers) {
  watch_for_forks();
  return {new pool(workers), [](pool* p) {
            if (!forked) delete p;
          }};
}
pool::~pool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  work_.notify_all();
  for (auto& t : threads_) t.join();
}

void pool::start() {
  if (forked) return;
  const std::lock_guard lock(mutex_);
  if (started_) return;
  sigset_t all, before;  // signals are the program's own threads' business
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    for (int i = 1; i < workers_; ++i) {
      threads_.emplace_back([this] { worker(); });
      pthread_setname_np(threads_.back().native_handle(), "glass");
    }
  } catch (const std::system_error&) {
    // No more threads for this process: the callers and those that did start do the work.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  started_.store(!threads_.empty(), std::memory_order_release);
}

void pool::job::work(std::mutex& mutex) {
  try {
    for (;;) {
      const long long first = next.fetch_add(grain, std::memory_order_relaxed);
      if (first >= count) return;
      body(arguments, first, first + grain < count ? first + grain : count);
    }
  } catch (...) {
    next.store(count, std::memory_order_relaxed);
    const std::lock_guard lock(mutex);
    thrown = std::current_exception();
  }
}

void pool::worker() {
  std::unique_lock lock(mutex_);
  for (;;) {
    job* j = nullptr;
    work_.wait(lock, [&] {
      for (j = jobs_; j && j->next.load(std::memory_order_relaxed) >= j->count; j = j->newer) {}
      return stop_ || j;
    });
    if (!j) return;
    ++j->inside;
    lock.unlock();
    j->work(mutex_);
    lock.lock();
    if (--j->inside == 0) done_.notify_all();
  }
}

void pool::run(range body, const void* arguments, long long count, long long grain) {
  if (count <= grain || !started_.load(std::memory_order_acquire) || forked.load(std::memory_order_relaxed)) {
    if (count > 0) body(arguments, 0, count);
    return;
  }
  job j{body, arguments, count, grain};
  {
    const std::lock_guard lock(mutex_);
    j.newer = jobs_, jobs_ = &j;
  }
  const long long others = (count - 1) / grain;
  for (long long i = 0; i < others && i < workers_ - 1; ++i) work_.notify_one();
  j.work(mutex_);
  std::unique_lock lock(mutex_);
  job** link = &jobs_;
  while (*link != &j) link = &(*link)->newer;
  *link = j.newer;
  done_.wait(lock, [&] { return j.inside == 0; });
  if (j.thrown) std::rethrow_exception(j.thrown);
}

}  // namespace glass::jit
