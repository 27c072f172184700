// Opening and describing a GPU, and wording what it refuses.
#include "gpu.hpp"

#include <chrono>
#include <fstream>
#include <thread>

#include "backend/power.hpp"
#include "base/text.hpp"

namespace glass::jit::cuda {
namespace {

int device_at(const driver& api, int index) {
  int count = 0, device = 0;
  if (const result r = api.device_count(&count); r != success) {
    throw error(errc::no_driver, stage::device, "the NVIDIA driver does not count its GPUs: " + describe(api, r) + ".",
                "Try `nvidia-smi`.");
  }
  const std::string id = "cuda:" + std::to_string(index);
  if (count == 0) {
    throw error(errc::no_device, stage::device, "the NVIDIA driver finds no GPU.",
                "Check `nvidia-smi -L` and CUDA_VISIBLE_DEVICES, or use the host backend (device \"host\", "
                "GLASS_DEVICE=host).");
  }
  if (index < 0 || index >= count) {
    throw error(errc::no_device, stage::device,
                "there is no device " + id + ": this process sees " + std::to_string(count) + " GPU" +
                    (count == 1 ? "" : "s") + ".",
                count == 1 ? "Use cuda:0." : "Use cuda:0 to cuda:" + std::to_string(count - 1) + ".");
  }
  if (const result r = api.device_get(&device, index); r != success) {
    throw error(errc::no_device, stage::device, "device " + id + " cannot be opened: " + describe(api, r) + ".",
                "Try `nvidia-smi`.");
  }
  return device;
}

std::string bus_id_of(const driver& api, int device) {
  char text[32] = {};
  return api.device_bus_id(text, sizeof text, device) == success ? text : "";
}

std::string first_line(const char* file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue …" -> "580.95.05"
std::string kernel_module_version() {
  for (const auto& word : split(first_line("/proc/driver/nvidia/version"), ' ')) {
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos) return word;
  }
  return "";
}

}  // namespace

gpu::gpu(int index) : api(load_driver()), device(device_at(api, index)), sensors(bus_id_of(api, device)) {
  const auto get = [&](attribute what) {
    int value = 0;
    api.device_attribute(&value, what, device);
    return value;
  };
  char name[256] = {};
  api.device_name(name, sizeof name, device);
  api.device_total_memory(&about.memory_bytes, device);
  architecture = get(capability_major) * 10 + get(capability_minor);
  about.id = "cuda:" + std::to_string(index), about.backend = "cuda", about.name = name;
  about.target = "sm_" + std::to_string(architecture);
  about.sm_count = get(multiprocessor_count), about.warp_size = get(attribute::warp_size);
  about.max_threads_per_block = get(attribute::max_threads_per_block),
  about.max_threads_per_sm = get(max_threads_per_multiprocessor);
  about.max_blocks_per_sm = get(max_blocks_per_multiprocessor);
  about.registers_per_sm = get(max_registers_per_multiprocessor),
  about.registers_per_block = get(max_registers_per_block);
  about.shared_per_block = std::size_t(get(max_shared_per_block)),
  about.shared_per_block_optin = std::size_t(get(max_shared_per_block_optin));
  about.shared_per_sm = std::size_t(get(max_shared_per_multiprocessor));
  about.l2_bytes = std::size_t(get(l2_cache_size)), about.memory_bus_bits = get(memory_bus_width);
  about.clock_khz = get(clock_rate), about.memory_clock_khz = get(memory_clock_rate);
  about.integrated = get(attribute::integrated) != 0;
  if (const auto at = about.name.find(" MIG "); at != std::string::npos) about.mig = about.name.substr(at + 5);
  const std::string board = about.integrated ? jetson_power_class() : "";
  about.power_class = power_class_or_unspecified(board.empty() ? sensors.power_class() : board);
  int version = 0;
  api.driver_version(&version);
  driver_major = version / 1000;
  const auto module = sensors.driver_version();
  about.driver = (module.empty() ? kernel_module_version() : module);
  about.driver += std::string(about.driver.empty() ? "" : " ") + "(CUDA " + std::to_string(driver_major) + "." +
                  std::to_string(version % 1000 / 10) + ")";
  check(api.primary_context_retain(&context, device), stage::device, errc::no_device,
        about.id + " (" + about.name + ") refuses a context; it may be used exclusively by another process");
}

void gpu::check(result r, jit::stage at, errc otherwise, const std::string& what) const {
  if (r == success) return;
  const status s = refused(r, otherwise, what.c_str());
  std::string hint;
  if (s.code() == errc::device_lost) hint = "Restart the process; compute-sanitizer finds the access that is wrong.";
  if (s.code() == errc::refused)
    hint = "A stream is being captured: do this before the capture begins or after it has ended.";
  if (s.code() == errc::out_of_memory)
    hint = "Use smaller batches, or free device memory that other programs hold (`nvidia-smi`).";
  throw error({s.code(),
               at,
               what + ": " + describe(api, r) +
                   (s.code() == errc::device_lost ? "; this process cannot use the GPU any more." : "."),
               hint,
               what,
               {},
               versions()});
}

status gpu::refused(result r, errc otherwise, const char* what) const noexcept {
  if (r == success) return {};
  const char* name = "an unknown error";
  api.error_name(r, &name);
  if (sticky(r)) {
    lost_.store(r, std::memory_order_relaxed);
    return {errc::device_lost, "%s: %s (%d); this process cannot use %s any more, restart it.", what, name, r,
            about.id.c_str()};
  }
  const errc code = r == error_out_of_memory                                ? errc::out_of_memory
                    : r >= capture_unsupported && r <= capture_wrong_thread ? errc::refused
                                                                            : otherwise;
  return {code, "%s: %s (%d).", what, name, r};
}

status gpu::usable() const noexcept {
  if (const result r = lost_.load(std::memory_order_relaxed); r != success)
    return refused(r, errc::device_lost, "an earlier launch failed");
  if (CUevent_st* event = hanging_.load(std::memory_order_relaxed); event != nullptr) {
    const result r = api.event_query(event);
    if (r == not_ready) {
      return {errc::device_lost, "a launch that passed its deadline still runs on %s; restart the process.",
              about.id.c_str()};
    }
    if (r != success) return refused(r, errc::device_lost, "a launch that passed its deadline failed");
    hanging_.store(nullptr, std::memory_order_relaxed);
  }
  return {};
}

void gpu::require_usable(jit::stage at) const {
  const status s = usable();
  if (!s.ok()) throw error({s.code(), at, s.message(), "", "", "", versions()});
}

status gpu::wait(CUevent_st* done, double deadline_seconds) const {
  const double begin = seconds_now();
  for (;;) {
    const result r = api.event_query(done);
    if (r != not_ready) return refused(r, errc::launch_failed, "a launch failed");
    const double waited = seconds_now() - begin;
    if (waited > deadline_seconds) {
      hanging_.store(done, std::memory_order_relaxed);
      return {errc::hang, "a launch on %s did not end within %.3g s.", about.id.c_str(), deadline_seconds};
    }
    // Short samples are waited for without sleep, so that the tuner loses no time; long ones leave the core to the
    // compiler.
    if (waited > 1e-3) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

entered::entered(const gpu& g) noexcept : gpu_(g) {
  gpu_.api.context_get_current(&before_);
  if (before_ != gpu_.context) gpu_.api.context_set_current(gpu_.context);
  gpu_.api.exchange_capture_mode(&mode_);
}
entered::~entered() {
  gpu_.api.exchange_capture_mode(&mode_);
  if (before_ != nullptr && before_ != gpu_.context) gpu_.api.context_set_current(before_);
}

}  // namespace glass::jit::cuda
