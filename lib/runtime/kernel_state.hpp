// What a kernel handle points to: an image loaded for one problem, how it was chosen, and what its launch expects; and
// the slot in which the background puts a better one in its place.
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "catalog/catalog.hpp"
#include "glass/jit/kernel.hpp"
#include "tune/arguments.hpp"

namespace glass::jit::detail {

// How a placement was found, and the evidence for it.
struct verdict {
  jit::placement placement;
  jit::tier tier = jit::tier::fallback;
  std::string origin;             // the problem or device that a lower tier took it from
  double ns = 0, default_ns = 0;  // per problem; 0: not measured
  int samples = 0;
  std::string layer = {};  // of the cache that the decision came from
  bool compiled = false;   // the image was in no layer: compiled for this
  bool quick = false;      // with options that save time at the cost of the code's speed
};

// Run-time sizes as kernel::with fixed them. Whatever the placement, they go to the same slots of a launch.
struct fixed_sizes {
  fixed_sizes(const bound_problem&, std::map<std::string, int>);
  std::map<std::string, int> values;
  std::string missing;  // one that is not fixed, or ""
  int slots[most_run_time_sizes] = {};
};

// Immutable, so that any number of threads launch it; keeps the device alive, so that a kernel may outlive its runtime.
class kernel_state {
 public:
  kernel_state(std::shared_ptr<backend>, std::shared_ptr<const bound_problem>, verdict,
               std::shared_ptr<const loaded_image>);
  status launch(CUstream_st*, long long count, const argument* list, int n, const fixed_sizes&) const noexcept;
  const verdict& how() const { return how_; }
  const bound_problem& problem() const { return *problem_; }
  std::size_t workspace_bytes(long long count) const noexcept;
  std::string why() const;

 private:
  // One argument of a launch.
  struct expected {
    const char* name;
    argument::tag pointer, value;  // one of them is `null`: not accepted
    bool writes, may_be_null;
    int slot;
  };
  status check(const expected&, const argument&, bool empty) const noexcept;
  status wrong_count(int n) const noexcept;
  status place_scratch(const argument& workspace, long long count, argument_block&) const noexcept;

  std::shared_ptr<backend> device_;  // destroyed after the image
  std::shared_ptr<const bound_problem> problem_;
  verdict how_;
  std::shared_ptr<const loaded_image> image_;
  std::vector<expected> expected_;
  std::vector<workspace_part> parts_;  // of the workspace; none unless the placement is split
  std::size_t bytes_ = 0;              // of the kernel's parameter
  launch_shape shape_;                 // of a launch of no problems
};

// The one place that all kernels of a problem look at when they launch. What was in it stays loaded as long as the slot:
// a launch under way in another thread, or a captured graph, may still use it.
class kernel_slot {
 public:
  explicit kernel_slot(std::shared_ptr<const kernel_state> first);
  const kernel_state& now() const noexcept { return *now_.load(std::memory_order_acquire); }
  void put(std::shared_ptr<const kernel_state> better);
  const std::shared_ptr<const fixed_sizes>& open_sizes() const { return open_sizes_; }

  // While a placement of another variant may still come, a launch is to bring the workspace that one would need.
  void expect_more(bool more) noexcept { more_.store(more, std::memory_order_release); }
  std::size_t workspace_bytes(long long count) const noexcept;

 private:
  std::atomic<const kernel_state*> now_;
  std::atomic<bool> more_{false};
  std::vector<workspace_part> parts_;  // of variant=split
  std::shared_ptr<const fixed_sizes> open_sizes_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<const kernel_state>> all_;
};

}  // namespace glass::jit::detail
