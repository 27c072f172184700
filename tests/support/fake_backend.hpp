// A scripted device: what each placement compiles to, computes and costs is told by the test, by the placement's text.
// Memory is the process's own and no clock runs: `time` answers what the script says.
#pragma once
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "backend/backend.hpp"
#include "tune/arguments.hpp"

namespace glass::jit::testing {

struct behaviour {
  double ns = 10;                  // per problem
  double jitter = 0;               // relative, uniform
  std::string compile_error = {};  // not empty: does not compile, and the compiler says this
  bool loads = true;
  jit::status run = {}, time = {};  // what run and time answer
  jit::usage usage = {};
  // Instead of fake_backend::compute.
  std::function<void(const argument_block&, const launch_shape&)> compute = {};
};

class fake_backend : public backend {
 public:
  // ---- the script
  device_description description = gpu();
  std::string compiler_version = "fake 1.0";
  bool has_compiler = true;
  int slots = 4;
  int yields = 50;                      // of a compile; on a busy machine each may cost a slice of everybody's time
  std::vector<std::string> quick = {};  // quick_options
  std::function<void(const source&)> before_compile = {};  // called as each begins
  std::size_t memory = std::size_t(8) << 30;
  std::function<behaviour(const std::string& label)> script = [](const std::string&) { return behaviour{}; };
  std::function<void(const argument_block&, const launch_shape&)> compute = [](const argument_block&,
                                                                               const launch_shape&) {};
  // Samples during which the clock changes: they take three times as long.
  std::function<bool(int sample)> disturbed = [](int) { return false; };

  // ---- what happened
  std::atomic<int> quick_compiles{0}, compiles{0}, loads{0}, runs{0}, samples{0}, launches{0}, compiling{0},
      timed_while_compiling{0};
  std::atomic<long long> allocated{0};
  std::vector<std::string> order() const {  // labels in the order in which they were run
    const std::lock_guard lock(mutex_);
    return order_;
  }

  static device_description gpu() {
    device_description d;
    d.id = "cuda:0", d.backend = "cuda", d.name = "scripted device", d.target = "sm_90", d.sm_count = 132;
    d.shared_per_block_optin = 227 << 10, d.shared_per_sm = 228 << 10, d.l2_bytes = 50 << 20;
    d.memory_bytes = std::size_t(80) << 30, d.memory_bus_bits = 5120, d.clock_khz = 1785000,
    d.memory_clock_khz = 2619000;
    d.driver = "1.0";
    return d;
  }
  static device_description cpu() {
    device_description d;
    d.id = "host", d.backend = "host", d.name = "scripted cpu", d.target = "x86-64-v3", d.sm_count = 4,
    d.warp_size = 32;
    d.shared_per_block_optin = 1 << 20, d.shared_per_sm = 1 << 20;
    return d;
  }

  // ---- the device
  const device_description& device() const noexcept override { return description; }
  std::string compiler() override {
    if (!has_compiler) throw error(errc::no_compiler, stage::compile, "no compiler in this script.");
    return compiler_version;
  }
  image compile(const source& s) override {
    if (!has_compiler) throw error(errc::no_compiler, stage::compile, "no compiler in this script.");
    if (before_compile) before_compile(s);
    ++compiling;
    ++compiles;
    quick_compiles += !s.options.empty();
    const behaviour b = script(s.label);
    for (int i = 0; i < yields; ++i) std::this_thread::yield();  // time for others to do what they should not
    --compiling;
    if (!b.compile_error.empty())
      throw error(
          error::parts{errc::compile_failed, stage::compile, b.compile_error, "", s.label, b.compile_error, ""});
    const std::string text = prefix() + s.label + '\0' + s.text;
    return {{text.begin(), text.end()}, 0.01, ""};
  }
  std::vector<std::string> quick_options() override { return quick; }
  int compile_slots() const override { return slots; }
  bool plausible(const std::vector<unsigned char>& bytes) const override {
    const std::string p = prefix();
    return bytes.size() > p.size() && std::memcmp(bytes.data(), p.data(), p.size()) == 0;
  }
  std::shared_ptr<const loaded_image> load(const std::vector<unsigned char>& bytes, const launch_shape&) override {
    ++loads;
    const std::string label(reinterpret_cast<const char*>(bytes.data()) + prefix().size());
    if (!script(label).loads) throw error(errc::load_failed, stage::load, label + ": refused by the script.");
    return std::make_shared<code>(*this, label);
  }
  void* allocate(std::size_t bytes) override {
    if (bytes == 0) return nullptr;
    if (bytes > memory) throw error(errc::out_of_memory, stage::device, "the script has too little memory.");
    ++allocated;
    return std::malloc(bytes);
  }
  void free(void* p) noexcept override {
    if (p) --allocated;
    std::free(p);
  }
  void upload(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void download(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void synchronize() override {}
  std::size_t free_bytes() override { return memory; }
  status run(const loaded_image& i, const launch_shape& s, const void* arguments, std::size_t bytes, double) override {
    const auto& c = static_cast<const code&>(i);
    ++runs;
    {
      const std::lock_guard lock(mutex_);
      order_.push_back(c.label);
    }
    if (const behaviour b = script(c.label); !b.run.ok()) return b.run;
    return i.launch(nullptr, s, arguments, bytes);
  }
  timing time(const loaded_image& i, const launch_shape& s, const void*, std::size_t, measure, int n,
              double deadline) override {
    const auto& c = static_cast<const code&>(i);
    const behaviour b = script(c.label);
    timed_while_compiling += compiling > 0;
    launches += n;
    const int sample = samples++;
    const bool slow = disturbed(sample);
    const double noise = double((unsigned(sample) * 2654435761u) >> 8) / (1 << 23) - 1;  // in [-1, 1)
    const double seconds = b.ns * 1e-9 * double(s.count) * (1 + b.jitter * noise) * (slow ? 3 : 1);
    if (!b.time.ok()) return {b.time, 0, false};
    if (seconds > deadline) return {status(errc::hang, "still running after %.3g s.", deadline), seconds, false};
    return {{}, seconds, slow};
  }

 private:
  struct code final : loaded_image {
    code(fake_backend& d, std::string l) : device(d), label(std::move(l)), how(device.script(label)) {}
    jit::usage usage() const noexcept override { return how.usage; }
    status launch(CUstream_st*, const launch_shape& s, const void* arguments,
                  std::size_t bytes) const noexcept override {
      argument_block block;
      std::memcpy(&block, arguments, bytes);
      (how.compute ? how.compute : device.compute)(block, s);
      return {};
    }
    fake_backend& device;
    const std::string label;
    const behaviour how;
  };
  std::string prefix() const { return "scripted image for " + description.target + ": "; }

  mutable std::mutex mutex_;
  std::vector<std::string> order_;
};

}  // namespace glass::jit::testing
