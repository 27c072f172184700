// One GPU as this process holds it: the driver, its primary context, its description, and whether it is lost. Shared by
// the backend and its images.
#pragma once
#include <atomic>
#include <string>

#include "driver.hpp"
#include "glass/jit/device.hpp"
#include "glass/jit/error.hpp"
#include "nvml.hpp"

namespace glass::jit::cuda {

class gpu {
 public:
  // Retains the primary context, which the CUDA runtime, PyTorch and JAX use too, and never releases it: threads may
  // have it current, and memory of others may live in it. Throws errc::no_driver, no_device.
  explicit gpu(int index);
  gpu(const gpu&) = delete;

  driver api;
  int device = 0;  // CUdevice
  nvml sensors;
  CUctx_st* context = nullptr;
  device_description about;
  int architecture = 0;  // 90
  int driver_major = 0;  // of the CUDA version that the driver speaks

  // Throws unless `r` is success: device_lost, out_of_memory, else `otherwise`. `what` is the sentence before the
  // driver's own words.
  void check(result r, jit::stage, errc otherwise, const std::string& what) const;
  status refused(result r, errc otherwise, const char* what) const noexcept;
  // Not ok once a sticky error was seen, or while a launch that passed its deadline still runs.
  status usable() const noexcept;
  void require_usable(jit::stage) const;
  // Waits for `done`, at most that long; past it the device counts as hanging until the event comes after all.
  status wait(CUevent_st* done, double deadline_seconds) const;
  std::string versions() const { return "driver " + about.driver + ", " + about.name + " (" + about.target + ")"; }

 private:
  mutable std::atomic<result> lost_{success};
  mutable std::atomic<CUevent_st*> hanging_{nullptr};
};

// For set-up calls: the context current, and calls that a stream capture elsewhere in the process would forbid allowed,
// for this scope.
class entered {
 public:
  explicit entered(const gpu&) noexcept;
  ~entered();
  entered(const entered&) = delete;

 private:
  const gpu& gpu_;
  CUctx_st* before_ = nullptr;
  int mode_ = capture_relaxed;
};

}  // namespace glass::jit::cuda
