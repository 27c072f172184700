// A GPU that is not here, as a profile describes it: its images can be made, and nothing can be run on it.
#include <cstdlib>

#include "backend/cuda/cuda.hpp"
#include "backend/cuda/toolchain.hpp"

namespace glass::jit {
namespace {

// 12 of "540.4 (CUDA 12.6)"; 0: the profile does not say.
int driver_major(const std::string& driver) {
  const auto at = driver.find("CUDA ");
  return at == std::string::npos ? 0 : std::atoi(driver.c_str() + at + 5);
}

class absent_gpu final : public backend {
 public:
  absent_gpu(const device_description& d, int slots)
      : device_(d), tools_(d.arch(), driver_major(d.driver)), slots_(slots) {}

  const device_description& device() const noexcept override { return device_; }
  std::string compiler() override { return tools_.compiler(); }
  std::string compiler_of(const source& s) override { return tools_.compiler_of(s); }
  block_shape suggested_block(const library_function& f) override { return tools_.suggested_block(f); }
  image compile(const source& s) override { return tools_.compile(s); }
  int compile_slots() const override { return slots_; }
  bool plausible(const std::vector<unsigned char>& bytes) const override { return tools_.plausible(bytes); }

  std::shared_ptr<const loaded_image> load(const std::vector<unsigned char>&, const launch_shape&) override {
    absent();
  }
  void* allocate(std::size_t) override { absent(); }
  void free(void*) noexcept override {}
  void upload(void*, const void*, std::size_t) override { absent(); }
  void download(void*, const void*, std::size_t) override { absent(); }
  void synchronize() override { absent(); }
  std::size_t free_bytes() override { return 0; }
  status run(const loaded_image&, const launch_shape&, const void*, std::size_t, double) override { absent(); }
  timing time(const loaded_image&, const launch_shape&, const void*, std::size_t, measure, int, double) override {
    absent();
  }

 private:
  [[noreturn]] void absent() const {
    throw error(errc::no_device, stage::device,
                device_.id + " (" + device_.target + ") is described, not here: nothing can run on it.",
                "Run on a machine that has this GPU.");
  }
  const device_description device_;
  cuda::toolchain tools_;
  const int slots_;
};

}  // namespace

std::shared_ptr<backend> open_absent_gpu(const device_description& d, int compile_slots) {
  if (d.backend != "cuda")
    throw error(errc::no_device, stage::device,
                d.id + " describes a device of the backend '" + d.backend + "', not a GPU.",
                "Images for a GPU that is not here can be made, those for another machine's CPU cannot.");
  return std::make_shared<absent_gpu>(d, compile_slots);
}

}  // namespace glass::jit
