// What kernel.launch costs over the raw call: cuLaunchKernel of the same image with its parameter ready; on the host
// the image's own function. One problem of axpy, N = 4, in rounds that alternate between the two; prints the medians of
// a launch.
//   bench_launch_overhead [cuda:0|host]
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>

#include "backend/backend.hpp"
#include "backend/cuda/driver.hpp"
#include "base/text.hpp"
#include "build/build.hpp"
#include "catalog/catalog.hpp"
#include "glass/jit.hpp"
#include "tune/tune.hpp"

using namespace glass::jit;

namespace {

constexpr int launches = 64;  // of a round: few, so that the host never waits for the device
constexpr int rounds = 501;

double per_launch(const std::function<void()>& launch) {
  const double begin = seconds_now();
  for (int i = 0; i < launches; ++i) launch();
  return (seconds_now() - begin) / launches * 1e9;
}
double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
  return v[v.size() / 2];
}

struct arguments {  // glass::batch::arguments<3>
  long long count = 1;
  int size[8] = {};
  union {
    void* pointer;
    float f32;
  } at[3];
};

// The raw call for these bytes.
std::function<void()> raw_call(bool on_gpu, const std::vector<unsigned char>& bytes, const launch_shape& shape,
                               arguments& a) {
  if (on_gpu) {
    const auto api = cuda::load_driver();
    CUmod_st* module = nullptr;
    CUfunc_st* entry = nullptr;
    if (api.module_load(&module, bytes.data(), 0, nullptr, nullptr) != 0 ||
        api.module_function(&entry, module, "glass_entry") != 0)
      return {};
    return [=, &a] {
      void* parameters[] = {&a};
      api.launch_kernel(entry, shape.blocks, 1, 1, shape.threads, 1, 1, unsigned(shape.shared_bytes), nullptr,
                        parameters, nullptr);
    };
  }
  const int file = memfd_create("launch_overhead", 0);
  if (write(file, bytes.data(), bytes.size()) != ssize_t(bytes.size())) return {};
  void* library = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW);
  auto* range = library == nullptr
                    ? nullptr
                    : reinterpret_cast<int (*)(const void*, long long, long long)>(dlsym(library, "glass_range"));
  if (range == nullptr) return {};
  return [=, &a] { range(&a, 0, 1); };
}

}  // namespace

int main(int argc, char** argv) {
  const std::shared_ptr<backend> device = argc > 1 ? open_backend(argv[1]) : open_default_backend();
  runtime_options o;
  o.cache = "memory", o.tuning_from_environment = false, o.tuning.mode = tune_mode::off;
  runtime rt(device, o);
  const problem p{.sizes = {{"N", 4}}, .type = f32, .batch = 1};
  const bound_problem bound = bind(find_operation("axpy"), p, true);
  const kernel axpy = rt.operation("axpy", p);
  const launch_shape shape = shape_of(bound, axpy.placement(), 1);
  const auto x = rt.array(std::vector<float>(4, 1.0f)), y = rt.array(std::vector<float>(4, 1.0f));
  arguments a;
  a.at[0].f32 = 0.5f, a.at[1].pointer = x.get(), a.at[2].pointer = y.get();
  const auto raw =
      raw_call(device->device().backend == "cuda", device->compile(assemble(bound, axpy.placement())).bytes, shape, a);
  if (!raw) return std::fputs("bench_launch_overhead: the image cannot be called directly\n", stderr), 1;
  status last;
  const auto ours = [&] { last = axpy.launch(nullptr, 1, 0.5f, x.get(), y.get()); };
  std::vector<double> raw_ns, our_ns;
  for (int i = 0; i < rounds; ++i) {
    raw_ns.push_back(per_launch(raw)), rt.synchronize();
    our_ns.push_back(per_launch(ours)), rt.synchronize();
    last.check();
  }
  const double r = median(raw_ns), g = median(our_ns);
  std::printf("%s: raw %.1f ns, kernel.launch %.1f ns, difference %.1f ns, ratio %.3f\n", device->device().name.c_str(),
              r, g, g - r, g / r);
}
