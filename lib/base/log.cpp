// The log behind spdlog, set up once from GLASS_LOG.
#include "base/log.hpp"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "base/text.hpp"

namespace glass::jit {
namespace {
spdlog::level::level_enum to_spdlog(level l) {
  switch (l) {
    case level::debug:
      return spdlog::level::debug;
    case level::info:
      return spdlog::level::info;
    case level::warn:
      return spdlog::level::warn;
    default:
      return spdlog::level::err;
  }
}
// "LEVEL[:FILE]"; what cannot be read or opened becomes the default, said in the log itself.
std::shared_ptr<spdlog::logger> make_logger() {
  const std::string setting = environment("GLASS_LOG");
  const std::size_t colon = setting.find(':');
  const std::string word = setting.substr(0, colon), file = colon == std::string::npos ? "" : setting.substr(colon + 1);
  std::string trouble;
  std::shared_ptr<spdlog::logger> made;
  if (!file.empty()) try {
      made = std::make_shared<spdlog::logger>("glass", std::make_shared<spdlog::sinks::basic_file_sink_mt>(file));
    } catch (const spdlog::spdlog_ex& e) { trouble = std::string("GLASS_LOG: ") + e.what() + "; logging to stderr."; }
  if (!made) made = std::make_shared<spdlog::logger>("glass", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  made->set_pattern(file.empty() ? "glass: %l: %v" : "%Y-%m-%dT%H:%M:%S.%e %P %l: %v");
  made->flush_on(spdlog::level::warn);
  made->set_level(spdlog::level::warn);
  if (word == "off")
    made->set_level(spdlog::level::off);
  else if (word == "error")
    made->set_level(spdlog::level::err);
  else if (word == "info")
    made->set_level(spdlog::level::info);
  else if (word == "debug")
    made->set_level(spdlog::level::debug);
  else if (!word.empty() && word != "warn")
    trouble =
        "GLASS_LOG: unknown level '" + word + "'." + did_you_mean(word, {"off", "error", "warn", "info", "debug"});
  if (!trouble.empty()) made->warn(trouble);
  return made;
}
spdlog::logger& logger() {
  static const auto one = make_logger();  // not in spdlog's registry: a program's own use of spdlog is left alone
  return *one;
}
}  // namespace

void log(level l, const std::string& line) { logger().log(to_spdlog(l), "{}", line); }
bool logs(level l) { return logger().should_log(to_spdlog(l)); }

warner::warner(std::function<void(const std::string&)> to) : to_(std::move(to)) {}
void warner::operator()(const std::string& cause, const std::string& line) {
  {
    const std::lock_guard lock(mutex_);
    if (!said_.insert(cause).second) return;
  }
  if (to_)
    to_(line);
  else
    log(level::warn, line);
}

}  // namespace glass::jit
