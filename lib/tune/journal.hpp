// What a race writes down about its candidates while it runs, and what an earlier one left: the rules by which
// interrupted work goes on (cache/README.md tells them to users).
#pragma once
#include <map>
#include <set>
#include <string>

#include "store/store.hpp"

namespace glass::jit {

// A candidate's states in the store. Only its first launches are made under `running`, one candidate at a time: what is
// found so later ended its process, or was running when something else did.
namespace state {
inline constexpr const char *running = "running", *timing = "timing", *ok = "ok", *wrong = "wrong", *failed = "failed",
                            *hang = "hang", *killed = "killed";
}

class journal {
 public:
  // `retry`: what was found running once is tried again (where a process watches this one).
  journal(store& rows, const std::string& decision_key, bool retry);

  enum class earlier {
    nothing,   // not seen, or it did not come to run: from the beginning
    alone,     // a process ended while it was timed beside others: from the beginning, but by itself
    measured,  // has samples
    settled,   // wrong, failed, hung, or killed a process: not tried again
    suspect    // a process ended while it ran; tried again, after all others
  };
  earlier of(const std::string& placement) const;
  bool risky(const std::string& placement) const;  // may end this process: by itself, after all others
  // The row that was left, with what was found out about it now; only for `measured` and `settled`.
  const candidate_row& row(const std::string& placement) const { return rows_.at(placement); }
  // What a candidate that is tried again carries while it runs, so that a second end of the process is known as that.
  std::string strike(const std::string& placement) const;
  bool resumed() const { return resumed_; }
  // Those that this run found to have ended a process, with what is said about each. The default runs in any case.
  std::map<std::string, std::string> found(const std::string& standard) const;

 private:
  bool retry_;
  bool resumed_ = false;
  std::map<std::string, candidate_row> rows_;  // by placement
  std::set<std::string> found_;
};

// A candidate of this decision waits to be tried again in a process that may end.
bool holds_suspect(store&, const std::string& decision_key);

}  // namespace glass::jit
