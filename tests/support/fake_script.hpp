// What the fake driver and the fake NVRTC are told and tell: numbers by name. An entry point's own name is what it
// returns ("cuInit" = 100), with
// ".skip" how many calls go well before that and ".times" how many then do not. $GLASS_FAKE sets names from outside: "cuInit=100,devices=2".
#pragma once
#include <cstdlib>
#include <map>
#include <mutex>
#include <sstream>
#include <string>

namespace fake {
namespace {  // each library's own, even where two are loaded

class script {
 public:
  static script& instance() {
    static script s;
    return s;
  }
  void reset() {
    const std::lock_guard lock(mutex_);
    values_.clear();
    const char* outside = std::getenv("GLASS_FAKE");
    std::istringstream words(outside == nullptr ? "" : outside);
    for (std::string word; std::getline(words, word, ',');) {
      const auto at = word.find('=');
      if (at != std::string::npos) values_[word.substr(0, at)] = std::atoll(word.c_str() + at + 1);
    }
  }
  void set(const std::string& name, long long value) {
    const std::lock_guard lock(mutex_);
    values_[name] = value;
  }
  long long get(const std::string& name, long long otherwise = 0) {
    const std::lock_guard lock(mutex_);
    const auto at = values_.find(name);
    return at == values_.end() ? otherwise : at->second;
  }
  void add(const std::string& name, long long more) {
    const std::lock_guard lock(mutex_);
    values_[name] += more;
  }
  // Counts the call as "NAME.calls" and says what it is to return.
  int call(const std::string& name) {
    const std::lock_guard lock(mutex_);
    ++values_[name + ".calls"];
    const auto at = values_.find(name);
    if (at == values_.end() || at->second == 0) return 0;
    if (auto skip = values_.find(name + ".skip"); skip != values_.end() && skip->second > 0) {
      --skip->second;
      return 0;
    }
    if (auto times = values_.find(name + ".times"); times != values_.end() && times->second-- <= 0) return 0;
    return int(at->second);
  }

 private:
  script() { reset(); }
  std::mutex mutex_;
  std::map<std::string, long long> values_;
};

}  // namespace
}  // namespace fake

// Every fake library exports these two; tests find them with dlsym.
#define GLASS_FAKE_CONTROL                                        \
  extern "C" void fake_set(const char* name, long long value) {   \
    if (name == nullptr) return fake::script::instance().reset(); \
    fake::script::instance().set(name, value);                    \
  }                                                               \
  extern "C" long long fake_get(const char* name) { return fake::script::instance().get(name); }
