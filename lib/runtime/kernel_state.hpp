// What a kernel handle points to: an image loaded for one problem, how it was chosen, and what its launch expects.
// Immutable, so that any number of threads launch it; it keeps the device alive, so that a kernel may outlive its
// runtime.
#pragma once
#include <map>
#include <memory>
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
};

class kernel_state {
 public:
  kernel_state(std::shared_ptr<backend>, std::shared_ptr<const bound_problem>, verdict,
               std::shared_ptr<const loaded_image>);
  status launch(CUstream_st*, long long count, const argument* list, int n) const noexcept;
  std::shared_ptr<const kernel_state> with(const std::map<std::string, int>& sizes) const;
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
  void fix_sizes();

  std::shared_ptr<backend> device_;  // destroyed after the image
  std::shared_ptr<const bound_problem> problem_;
  verdict how_;
  std::shared_ptr<const loaded_image> image_;
  std::vector<expected> expected_;
  std::vector<workspace_part> parts_;  // of the workspace; none unless the placement is split
  std::size_t bytes_ = 0;              // of the kernel's parameter
  launch_shape shape_;                 // of a launch of no problems
  std::map<std::string, int> sizes_;   // run-time sizes that are fixed
  std::string missing_;                // one that is not, or ""
  int slots_[most_run_time_sizes] = {};
};

}  // namespace glass::jit::detail
