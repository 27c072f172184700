// From a problem to a kernel that runs: the decision by tiers, the image, the load. The runtime is a thin face over
// this.
#pragma once
#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>

#include "runtime/kernel_state.hpp"
#include "tune/tune.hpp"

namespace glass::jit {

class finder {
 public:
  using state = std::shared_ptr<const detail::kernel_state>;
  finder(std::shared_ptr<backend>, std::shared_ptr<store>, std::shared_ptr<warner>, const tuning_options&);
  // The kernel for a problem; asked again, the same one. `named`: the caller's placement instead of a decision.
  state find(bound_problem, const placement* named);

  builder& images() { return builder_; }
  std::atomic<std::int64_t> hits{0}, misses{0}, loads{0}, tuned{0}, measured{0}, failed{0}, skipped{0}, launches{0};

 private:
  using problem = std::shared_ptr<const bound_problem>;
  struct entry {
    std::mutex mutex;  // single flight: held while the first asker finds the kernel
    state found;
  };
  struct key {
    std::string hash, material;
  };
  struct attempt {  // what was tried last and why it failed
    std::exception_ptr reason;
  };

  key decision_key(const bound_problem&) const;
  state by_name(const problem&, const placement&);
  state by_decision(const problem&);
  state from_row(const problem&, const decision_row&, tier, const std::string& origin, attempt&);
  state by_tuning(const problem&, const key&, attempt&);
  decision_row measured_decision(const bound_problem&, const key&);
  state by_lower_tiers(const problem&, const key&, attempt&);
  state try_placement(const problem&, detail::verdict, attempt&);
  bool may_tune();
  bool unfinished(const bound_problem&, const key&);
  bool goes_on(const bound_problem&, const key&);
  state make(const problem&, detail::verdict);
  built image(const bound_problem&, const placement&);

  std::shared_ptr<backend> device_;
  std::shared_ptr<store> store_;
  std::shared_ptr<warner> warn_;
  tuning_options options_;
  builder builder_;
  std::mutex mutex_;  // of the two maps
  std::map<std::string, std::shared_ptr<entry>> entries_;
  std::map<std::string, std::shared_ptr<const loaded_image>> loaded_;  // by image key and shape
  std::shared_mutex quiet_;       // tuning holds it alone, compiling shares it: nothing is timed beside a compile
  std::atomic<double> spent_{0};  // seconds of tuning in this process
};

}  // namespace glass::jit
