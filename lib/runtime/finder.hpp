// From a problem to a kernel that runs: the decision by tiers, over all layers of the cache, and what the background
// makes better later. The runtime is a thin face over this.
#pragma once
#include <atomic>
#include <map>
#include <mutex>

#include "runtime/background.hpp"
#include "runtime/loader.hpp"
#include "runtime/recorder.hpp"
#include "tune/tune.hpp"

namespace glass::jit {

class finder {
 public:
  using slot = std::shared_ptr<detail::kernel_slot>;
  finder(std::shared_ptr<backend>, std::shared_ptr<store>, std::shared_ptr<warner>, const tuning_options&, observer&,
         recorder&);
  ~finder() { stop(); }
  // The kernel for a problem; asked again, the same one. `named`: the caller's placement instead of a decision.
  slot find(bound_problem, const placement* named);
  void freeze();
  void stop() noexcept { background_.stop(); }
  void finish_background() { background_.finish(); }
  std::size_t pending() const { return background_.pending(); }

  loader& kernels() { return loader_; }
  std::atomic<std::int64_t> hits{0}, misses{0}, tuned{0}, measured{0}, failed{0}, skipped{0}, launches{0}, swaps{0};
  std::atomic<std::int64_t> by_tier[7] = {};

 private:
  using problem = loader::problem;
  using state = loader::state;
  struct entry {
    std::mutex mutex;  // single flight: held while the first asker finds the kernel
    slot found;
  };
  struct key {
    std::string hash, material;
  };
  // One way through the tiers: how much compiling it may do, and what was tried last and why it failed.
  struct attempt {
    effort most = effort::full;
    const std::atomic<bool>* beside = nullptr;  // the background's own
    std::exception_ptr reason = {};
  };

  key decision_key(const bound_problem&) const;
  slot answer(const problem&, const placement* named);
  state by_name(const problem&, const placement&, attempt&);
  state by_decision(const problem&, const key&, attempt&, bool& measured_now);
  state at_once(const problem&, const key&, const placement* named, attempt&, bool& final);
  state from_row(const problem&, const decision_row&, tier, const std::string& origin, attempt&);
  state by_tuning(const problem&, const key&, attempt&);
  decision_row measured_decision(const bound_problem&, const key&, const std::atomic<bool>* beside);
  state by_lower_tiers(const problem&, const key&, attempt&);
  state try_placement(const problem&, detail::verdict, attempt&);
  bool may_tune();
  bool unfinished(const bound_problem&, const key&);
  bool goes_on(const bound_problem&, const key&);
  void improve(const problem&, const key&, const slot&, bool named) noexcept;
  void exchange(const slot&, state better, double start);
  void watch_over(const bound_problem&, const detail::verdict&);
  void note_healed(const bound_problem&, std::int64_t before);
  [[noreturn]] void refuse(const bound_problem&, const error&, bool named);

  std::shared_ptr<backend> device_;
  std::shared_ptr<store> store_;
  std::shared_ptr<warner> warn_;
  const tuning_options options_;
  std::atomic<tune_mode> mode_;
  observer& observer_;
  recorder& recorder_;
  loader loader_;
  std::mutex mutex_;  // of the entries
  std::map<std::string, std::shared_ptr<entry>> entries_;
  std::atomic<double> spent_{0};  // seconds of tuning in this process
  background background_;         // the last: its jobs use all of the above
};

}  // namespace glass::jit
