// Start-up of a second process: opening the device (context creation), then from a runtime constructed to its first
// kernel ready and launched, on a warm cache; and the price of a cold first kernel, tuned and untuned. Each in this
// process, on a cache folder of its own.
//   bench_startup [DEVICE]
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "backend/backend.hpp"
#include "base/text.hpp"
#include "glass/jit.hpp"

using namespace glass::jit;

namespace {

const problem small{.sizes = {{"N", 12}}, .type = f32, .batch = 8192};

struct result {
  double milliseconds;
  counters did;
};
result first_kernel(const std::shared_ptr<backend>& device, const std::string& cache, tune_mode mode) {
  const double start = seconds_now();
  runtime_options options;
  options.cache = cache, options.tuning.mode = mode, options.tuning_from_environment = false;
  runtime rt(device, options);
  const kernel posv = rt.operation("posv", small);
  posv.launch(nullptr, 0, nullptr, nullptr, nullptr).check();
  return {1e3 * (seconds_now() - start), rt.counters()};
}
void print(const char* what, const result& r) {
  std::printf("%-34s %9.2f ms   %lld compiles, %lld tuning launches\n", what, r.milliseconds,
              static_cast<long long>(r.did.compiles), static_cast<long long>(r.did.tuning_launches));
}

}  // namespace

int main(int argc, char** argv) try {
  const double start = seconds_now();
  const std::shared_ptr<backend> device = argc > 1 ? open_backend(argv[1]) : open_default_backend();
  std::printf("%-34s %9.2f ms   %s\n", "device opened (context created)", 1e3 * (seconds_now() - start),
              device->device().name.c_str());
  const std::string folder = std::filesystem::temp_directory_path() / ("glass-startup-" + std::to_string(getpid()));
  print("cold, untuned", first_kernel(device, folder + "/untuned", tune_mode::off));
  print("cold, tuned (budget 2 s)", first_kernel(device, folder + "/tuned", tune_mode::first_use));
  for (int i = 0; i < 3; ++i) print("warm", first_kernel(device, folder + "/tuned", tune_mode::first_use));
  std::filesystem::remove_all(folder);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_startup: %s\n", e.what());
  return 1;
}
