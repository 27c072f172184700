// How much the runtime may measure, and what it tells meanwhile.
#pragma once
#include <functional>
#include <string>

namespace glass::jit {

enum class tune_mode {
  first_use,   // measure the first time a problem appears (blocking)
  background,  // answer at once with the best that is known; measure on a thread of the runtime, and exchange the code
               // under the kernel when better is known
  off,         // never measure; use what is known, else the model
  frozen,      // neither measure nor compile: what the cache holds, else the default placement's image, else an error
  exhaustive   // measure every legal candidate, without a budget
};
const char* name(tune_mode) noexcept;

struct tuning_progress {
  std::string problem = {};  // "posv N=12 NRHS=1 f32 batch=8192"
  int done = 0, total = 0;   // candidates
  std::string best = {};     // placement so far
  double best_ns = 0;        // per problem
  double seconds_left = 0;   // of the budget
};

// What runs on the device right now; all empty: nothing of a candidate.
struct running_candidate {
  std::string decision_key = {}, placement = {};
  double seconds = 0;  // it should not run longer
};

struct tuning_options {
  tune_mode mode = tune_mode::first_use;
  double budget_seconds = 2;            // wall clock per problem, compiling included
  double process_budget_seconds = 600;  // all problems of this process
  double margin = 0.05;                 // a challenger must be this much faster than the default placement
  double deadline_factor = 100;  // a launch longer than this × the best so far (at least 1 s) is a failed candidate
  std::function<void(const tuning_progress&)> progress = {};
  // Asked between candidates; true ends the run there, with errc::interrupted. A later one goes on from what is kept.
  std::function<bool()> stop = {};
  // For a program that tunes in a child process and watches it, as `glass tune --isolate` does: told before and after
  // every launch, and candidates during which a process ended once are tried again instead of skipped.
  std::function<void(const running_candidate&)> watch = {};
  bool retry_killed = false;
};

}  // namespace glass::jit
