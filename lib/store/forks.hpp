// SQLite's connections do not survive a fork: every store is closed before one, and opened again on both sides when it
// is next used.
#pragma once

namespace glass::jit {

class fork_guarded {
 public:
  virtual void before_fork() = 0;  // on the forking thread, which calls nothing else between the two
  virtual void after_fork() = 0;   // on both sides

 protected:
  ~fork_guarded() = default;
};

void watch_forks(fork_guarded*);
void forget_forks(fork_guarded*);

}  // namespace glass::jit
