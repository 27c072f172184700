#include "runtime/observer.hpp"

namespace glass::jit {

observer::observer(const runtime_options& o, std::shared_ptr<warner> warn)
    : event_(o.event), alarm_(o.alarm), warn_(std::move(warn)) {}

void observer::tell(const event& e) const noexcept {
  try {
    if (event_) event_(e);
  } catch (...) {  // the user's own callback
  }
}

void observer::alarm(const std::string& problem, const std::string& reason) noexcept {
  try {
    {
      const std::lock_guard lock(mutex_);
      if (!alarmed_.insert(problem).second) return;
    }
    ++alarms;
    tell({event_kind::alarm, problem, {}, {}, 0, reason});
    if (alarm_)
      alarm_(problem, reason);
    else
      (*warn_)("alarm " + problem, "alarm: " + problem + ": " + reason);
  } catch (...) {  // the user's own callback, or no memory
  }
}

}  // namespace glass::jit
