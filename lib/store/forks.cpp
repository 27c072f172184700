// One list of stores for pthread_atfork, whose handlers cannot be taken back.
#include "store/forks.hpp"

#include <pthread.h>

#include <cstdlib>
#include <mutex>
#include <set>

namespace glass::jit {
namespace {

class forks {
 public:
  static forks& all() {
    static auto* one = new forks;  // never destroyed: stores may outlive statics
    return *one;
  }
  void enter(fork_guarded* s) {
    const std::lock_guard hold(mutex_);
    stores_.insert(s);
  }
  void leave(fork_guarded* s) {
    const std::lock_guard hold(mutex_);
    stores_.erase(s);
  }

 private:
  forks() {
    ::pthread_atfork(before, after, after);
    std::atexit([] {
      const std::unique_lock now(all().mutex_, std::try_to_lock);
      if (now)
        for (fork_guarded* s : all().stores_) s->at_exit();
    });
  }
  static void before() {
    all().mutex_.lock();
    for (fork_guarded* s : all().stores_) s->before_fork();
  }
  static void after() {
    for (fork_guarded* s : all().stores_) s->after_fork();
    all().mutex_.unlock();
  }
  std::mutex mutex_;
  std::set<fork_guarded*> stores_;
};

}  // namespace

void watch_forks(fork_guarded* s) { forks::all().enter(s); }
void forget_forks(fork_guarded* s) { forks::all().leave(s); }

}  // namespace glass::jit
