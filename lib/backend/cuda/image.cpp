// Loading a cubin and the launch path. A launch is cuCtxGetCurrent and cuLaunchKernel; everything else happens after a
// refusal.
#include "image.hpp"

#include <algorithm>
#include <cstdint>

#include "base/text.hpp"
#include "cubin.hpp"

namespace glass::jit::cuda {

module_image::module_image(std::shared_ptr<const gpu> g, const std::vector<unsigned char>& bytes,
                           const launch_shape& largest)
    : gpu_(std::move(g)) {
  const driver& api = gpu_->api;
  std::string errors(4096, '\0'), infos(4096, '\0');
  int options[] = {info_log, info_log_bytes, error_log, error_log_bytes};
  const auto number = [](std::size_t n) { return reinterpret_cast<void*>(std::uintptr_t(n)); };
  void* values[] = {infos.data(), number(infos.size()), errors.data(), number(errors.size())};
  const result r = api.module_load(&module_, bytes.data(), 4, options, values);
  if (r != success) {
    module_ = nullptr;
    const int made_for = cubin_architecture(bytes);
    if (r == unsupported_ptx_version ||
        ((r == invalid_image || r == no_binary_for_gpu) && runs_on(made_for, gpu_->architecture))) {
      throw error({errc::driver_too_old, stage::load, "the driver does not take this image: " + describe(api, r) + ".",
                   "The driver (" + gpu_->about.driver +
                       ") is older than the NVRTC that made the image: update the driver, or use an NVRTC of CUDA " +
                       std::to_string(gpu_->driver_major) + " (GLASS_NVRTC).",
                   "cuModuleLoadDataEx", errors.c_str(), gpu_->versions()});
    }
    if (r == invalid_image || r == no_binary_for_gpu) {
      throw error({errc::load_failed, stage::load,
                   (made_for == 0 ? std::string("these bytes are no image for a GPU")
                                  : "this image is for sm_" + std::to_string(made_for)) +
                       ", and this GPU is " + gpu_->about.target + ".",
                   "", "cuModuleLoadDataEx", errors.c_str(), gpu_->versions()});
    }
    gpu_->check(r, stage::load, errc::load_failed, "the driver refuses the image");
  }
  try {
    for (unsigned k = 0; k < largest.stages; ++k) add_entry(k, largest);
  } catch (...) {
    api.module_unload(module_);
    throw;
  }
}

void module_image::add_entry(unsigned k, const launch_shape& largest) {
  const driver& api = gpu_->api;
  const std::string name = k == 0 ? "glass_entry" : "glass_entry_" + std::to_string(k);
  CUfunc_st* entry = nullptr;
  gpu_->check(api.module_function(&entry, module_, name.c_str()), stage::load, errc::load_failed,
              "the image has no " + name);
  const auto get = [&](function_attribute what) {
    int value = 0;
    gpu_->check(api.function_attribute(&value, what, entry), stage::load, errc::load_failed,
                "the image does not say what it uses");
    return value;
  };
  const jit::usage one = {get(registers), get(local_bytes), get(static_shared), get(max_threads)};
  usage_ = {std::max(usage_.registers, one.registers), std::max(usage_.local_bytes, one.local_bytes),
            std::max(usage_.static_shared_bytes, one.static_shared_bytes),
            std::min(usage_.max_threads, one.max_threads)};
  if (largest.threads > unsigned(one.max_threads)) {
    throw error(errc::too_large, stage::load,
                "a block of " + std::to_string(largest.threads) + " threads is asked for, and with " +
                    std::to_string(one.registers) + " registers a thread this image takes " +
                    std::to_string(one.max_threads) + ".");
  }
  if (largest.shared_bytes + std::size_t(one.static_shared_bytes) > gpu_->about.shared_per_block_optin) {
    throw error(errc::too_large, stage::load,
                std::to_string(largest.shared_bytes) + " bytes of shared memory for a block's operands and the " +
                    std::to_string(one.static_shared_bytes) + " of this kernel's own are more than the " +
                    std::to_string(gpu_->about.shared_per_block_optin) + " there are.");
  }
  if (largest.shared_bytes > 0) {
    gpu_->check(api.set_function_attribute(entry, max_dynamic_shared, int(largest.shared_bytes)), stage::load,
                errc::too_large,
                std::to_string(largest.shared_bytes) + " bytes of shared memory a block are refused (" +
                    std::to_string(gpu_->about.shared_per_block_optin) + " are there)");
  }
  entries_.push_back(entry);
}

module_image::~module_image() {
  if (!gpu_->usable().ok()) return;  // unloading would wait for the launch that hangs
  const entered here(*gpu_);
  gpu_->api.module_unload(module_);
}

status module_image::launch(CUstream_st* stream, const launch_shape& shape, const void* arguments,
                            std::size_t) const noexcept {
  if (shape.blocks == 0) return {};
  CUctx_st* current = nullptr;
  gpu_->api.context_get_current(&current);
  if (current != gpu_->context) {
    if (status s = other_context(current); !s.ok()) return s;
  }
  void* parameters[] = {const_cast<void*>(arguments)};
  for (CUfunc_st* entry : entries_)
    if (const result r = gpu_->api.launch_kernel(entry, shape.blocks, 1, 1, shape.threads, 1, 1,
                                                 unsigned(shape.shared_bytes), stream, parameters, nullptr);
        r != success)
      return not_launched(r, stream, shape);
  return {};
}

status module_image::other_context(CUctx_st* current) const noexcept {
  if (current != nullptr) {
    return {errc::launch_failed,
            "this kernel was loaded on %s, and the calling thread has another device or context current; call "
            "cudaSetDevice first.",
            gpu_->about.id.c_str()};
  }
  return gpu_->refused(gpu_->api.context_set_current(gpu_->context), errc::launch_failed,
                       "the primary context cannot be made current");
}

status module_image::not_launched(result r, CUstream_st* stream, const launch_shape& shape) const noexcept {
  if (r == invalid_handle || r == invalid_context || r == invalid_value) {
    CUctx_st* owner = nullptr;
    if (gpu_->api.stream_context(stream, &owner) == success && owner != gpu_->context) {
      return {errc::launch_failed, "this kernel was loaded on %s, and the stream belongs to another device or context.",
              gpu_->about.id.c_str()};
    }
    return {errc::launch_failed,
            "the driver refuses the launch (%d): %u blocks of %u threads with %zu bytes of shared memory, stream %p.",
            r,
            shape.blocks,
            shape.threads,
            shape.shared_bytes,
            static_cast<void*>(stream)};
  }
  if (r == launch_out_of_resources) {
    return {errc::too_large,
            "a block of %u threads with %d registers each and %zu bytes of shared memory does not fit this GPU.",
            shape.threads, usage_.registers, shape.shared_bytes};
  }
  return gpu_->refused(r, errc::launch_failed, "the driver refuses the launch");
}

}  // namespace glass::jit::cuda
