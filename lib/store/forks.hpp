// SQLite's connections do not survive a fork: every store is closed before one, and opened again on both sides when it
// is next used. Stores that are still there when the process ends are told, too.
#pragma once

namespace glass::jit {

class fork_guarded {
 public:
  virtual void before_fork() = 0;  // on the forking thread, which calls nothing else between the two
  virtual void after_fork() = 0;   // on both sides
  virtual void at_exit() = 0;      // of the process, when the store is still there

 protected:
  ~fork_guarded() = default;
};

void watch_forks(fork_guarded*);
void forget_forks(fork_guarded*);

}  // namespace glass::jit
