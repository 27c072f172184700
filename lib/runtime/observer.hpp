// What a runtime tells of itself: the event callback, and the alarm, once per problem. Never throws.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "base/log.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit {

class observer {
 public:
  observer(const runtime_options&, std::shared_ptr<warner>);
  bool listens() const { return static_cast<bool>(event_); }
  void tell(const event&) const noexcept;
  void alarm(const std::string& problem, const std::string& reason) noexcept;
  std::atomic<std::int64_t> alarms{0};

 private:
  const std::function<void(const event&)> event_;
  const std::function<void(const std::string&, const std::string&)> alarm_;
  const std::shared_ptr<warner> warn_;
  std::mutex mutex_;
  std::set<std::string> alarmed_;
};

}  // namespace glass::jit
