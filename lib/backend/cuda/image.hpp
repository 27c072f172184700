// A cubin loaded into the primary context of one GPU, and its launch.
#pragma once
#include <memory>
#include <vector>

#include "backend/backend.hpp"
#include "gpu.hpp"

namespace glass::jit::cuda {

class module_image final : public loaded_image {
 public:
  // Resolves the entries and opts in to the shared memory; launches nothing. Throws errc::load_failed, too_large,
  // driver_too_old, out_of_memory.
  module_image(std::shared_ptr<const gpu>, const std::vector<unsigned char>& bytes, const launch_shape& largest);
  ~module_image() override;
  module_image(const module_image&) = delete;

  jit::usage usage() const noexcept override { return usage_; }
  status launch(CUstream_st*, const launch_shape&, const void* arguments, std::size_t bytes) const noexcept override;

 private:
  void add_entry(unsigned stage, const launch_shape& largest);
  status not_launched(result, CUstream_st*, const launch_shape&) const noexcept;
  status other_context(CUctx_st* current) const noexcept;
  std::shared_ptr<const gpu> gpu_;
  CUmod_st* module_ = nullptr;
  std::vector<CUfunc_st*> entries_;  // the stages, in order
  jit::usage usage_;
};

}  // namespace glass::jit::cuda
