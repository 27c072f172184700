// The library's log: level and file from GLASS_LOG ("off|error|warn|info|debug[:FILE]"), default warn to stderr. spdlog
// behind it, in log.cpp only. A runtime's own `warning` callback takes the place of warnings when set.
#pragma once
#include <functional>
#include <mutex>
#include <set>
#include <string>

namespace glass::jit {
enum class level { debug, info, warn, error };
void log(level, const std::string& line);
bool logs(level);

// One warning per cause: the same `cause` warns once in the life of this object.
class warner {
 public:
  explicit warner(std::function<void(const std::string&)> to = {});  // empty: log(level::warn, …)
  void operator()(const std::string& cause, const std::string& line);

 private:
  std::function<void(const std::string&)> to_;
  std::mutex mutex_;
  std::set<std::string> said_;
};
}  // namespace glass::jit
