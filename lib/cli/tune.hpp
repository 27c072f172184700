// What `glass tune` and the process that it watches (--isolate) share.
#pragma once
#include "catalog/spec.hpp"
#include "cli/command.hpp"
#include "cli/shard.hpp"

namespace glass::jit::cli {

struct tune_arguments {
  std::string manifest, device, shard;
  tuning_arguments tuning;
  bool json = false, isolate = false, list = false;
  long long worker_from = -1;  // this process is the one that is watched, and begins with this problem
};

struct tune_task {
  manifest_entry entry;
  bound_problem problem;
};

// What is told about each problem as it ends, and in the end.
class tune_report {
 public:
  explicit tune_report(bool as_json) : as_json_(as_json) {}
  void device(const std::string& id) { device_ = id; }
  void add(json problem);                    // an object of tune_one()
  int finish(bool stopped, std::size_t of);  // the exit status: 0, 1: some failed, 130: stopped
 private:
  const bool as_json_;
  std::string device_;
  json problems_ = json::array();
  std::int64_t failed_ = 0, compiles_ = 0, launches_ = 0;
};

json failed_problem(const bound_problem&, const std::string& message);

// Asked to stop by SIGINT or SIGTERM; the second ends the process at once.
void catch_signals();
bool signalled();

// --isolate: tunes in a child process, and starts another one when it dies or does not come back (isolate.cpp).
int tune_isolated(const tune_arguments&, const std::vector<tune_task>&, tune_report&);

// The child's side: where its report goes, and what the parent may know at any time.
class worker {
 public:
  worker();  // takes over the descriptors that the parent left
  void apply(tuning_options&) const;
  void send(const json&) const;
};
inline constexpr int worker_starts_anew = 3;  // exit status: the device is lost to this process

}  // namespace glass::jit::cli
