// The cuda backend: compiles through NVRTC (looked for at the first compile, so that a warm cache needs none), loads,
// moves memory, and times launches on a stream of its own, one measurement at a time.
#include "backend/backend.hpp"

#include <algorithm>
#include <limits>
#include <mutex>

#include "backend/host/device.hpp"
#include "base/text.hpp"
#include "cuda.hpp"
#include "image.hpp"
#include "toolchain.hpp"

namespace glass::jit::cuda {
namespace {

class cuda_backend final : public backend {
 public:
  explicit cuda_backend(int index);
  ~cuda_backend() override;

  const device_description& device() const noexcept override { return gpu_->about; }
  std::string compiler() override { return tools_.compiler(); }
  std::string compiler_of(const source& s) override { return tools_.compiler_of(s); }
  block_shape suggested_block(const library_function& f) override { return tools_.suggested_block(f); }
  image compile(const source& s) override { return tools_.compile(s); }
  std::vector<std::string> quick_options() override { return tools_.quick_options(); }
  int compile_slots() const override {
    return std::clamp(allowed_cores(), 1, 16);  // a further compile costs 20 MB on top of 100
  }
  bool plausible(const std::vector<unsigned char>& bytes) const override { return tools_.plausible(bytes); }
  std::shared_ptr<const loaded_image> load(const std::vector<unsigned char>& bytes,
                                           const launch_shape& largest) override;

  void* allocate(std::size_t bytes) override;
  void free(void*) noexcept override;
  void upload(void* to, const void* from, std::size_t bytes) override;
  void download(void* to, const void* from, std::size_t bytes) override;
  void settle() override;
  void synchronize() override;
  std::size_t free_bytes() override;

  status run(const loaded_image&, const launch_shape&, const void* arguments, std::size_t bytes,
             double deadline_seconds) override;
  timing time(const loaded_image&, const launch_shape&, const void* arguments, std::size_t bytes, measure, int launches,
              double deadline_seconds) override;

 private:
  status launch_and_wait(const loaded_image&, const launch_shape&, const void* arguments, std::size_t bytes,
                         double deadline_seconds);
  timing between_events(const std::function<status()>& enqueue, int launches, double deadline_seconds);
  timing time_graph(const std::function<status()>& enqueue, int launches, double deadline_seconds);
  void check(result r, const char* what) const { gpu_->check(r, stage::device, errc::device_lost, what); }

  std::shared_ptr<const gpu> gpu_;
  // Of our own, and not ones that the default stream waits for: whatever the program captures meanwhile, what we do on
  // them neither breaks it nor ends up in it.
  CUstream_st *stream_ = nullptr, *copies_ = nullptr;
  CUevent_st *start_ = nullptr, *stop_ = nullptr, *settled_ = nullptr;
  std::mutex measuring_, settling_;
  toolchain tools_;
};

cuda_backend::cuda_backend(int index)
    : gpu_(std::make_shared<const gpu>(index)), tools_(gpu_->architecture, gpu_->driver_major) {
  const entered here(*gpu_);
  check(gpu_->api.stream_create(&stream_, stream_non_blocking), "no stream can be made");
  check(gpu_->api.stream_create(&copies_, stream_non_blocking), "no stream can be made");
  check(gpu_->api.event_create(&settled_, event_default), "no event can be made");
  check(gpu_->api.event_create(&start_, event_default), "no event can be made");
  check(gpu_->api.event_create(&stop_, event_default), "no event can be made");
}

cuda_backend::~cuda_backend() {
  if (!gpu_->usable().ok()) return;
  const entered here(*gpu_);
  for (CUevent_st* event : {start_, stop_, settled_}) gpu_->api.event_destroy(event);
  gpu_->api.stream_destroy(stream_), gpu_->api.stream_destroy(copies_);
}

std::shared_ptr<const loaded_image> cuda_backend::load(const std::vector<unsigned char>& bytes,
                                                       const launch_shape& largest) {
  const entered here(*gpu_);
  gpu_->require_usable(stage::load);
  auto loaded = std::make_shared<module_image>(gpu_, bytes, largest);
  // count = 0: every lane leaves at once. The driver reads as many bytes as the kernel's parameter has, 232 at most.
  constexpr std::size_t largest_arguments = 256;
  const unsigned char nothing[largest_arguments] = {};
  const launch_shape once{1, largest.threads, largest.shared_bytes, 0};
  const std::lock_guard lock(measuring_);
  if (const status s = launch_and_wait(*loaded, once, nothing, sizeof nothing, 10); !s.ok()) {
    throw error({s.code() == errc::launch_failed ? errc::load_failed : s.code(), stage::load, s.message(), "",
                 "launch with count 0", "", gpu_->versions()});
  }
  return loaded;
}

void* cuda_backend::allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  const entered here(*gpu_);
  gpu_->require_usable(stage::device);
  device_pointer p = 0;
  gpu_->check(gpu_->api.memory_allocate(&p, bytes), stage::device, errc::out_of_memory,
              std::to_string(bytes) + " bytes of device memory are not to be had");
  return reinterpret_cast<void*>(p);
}

void cuda_backend::free(void* p) noexcept {
  if (p == nullptr || !gpu_->usable().ok()) return;  // freeing would wait for the launch that hangs
  const entered here(*gpu_);
  gpu_->api.memory_free(reinterpret_cast<device_pointer>(p));
}

void cuda_backend::upload(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const entered here(*gpu_);
  gpu_->require_usable(stage::device);
  check(gpu_->api.memory_upload(reinterpret_cast<device_pointer>(to), from, bytes, copies_), "an upload failed");
  check(gpu_->api.stream_synchronize(copies_), "an upload failed");
}

void cuda_backend::download(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const entered here(*gpu_);
  gpu_->require_usable(stage::device);
  check(gpu_->api.memory_download(to, reinterpret_cast<device_pointer>(from), bytes, copies_), "a download failed");
  check(gpu_->api.stream_synchronize(copies_), "a download failed");
}

// An event on the default stream comes after what is on the streams that it waits for. To record one while such a stream
// is being captured would break the capture, so that is asked for first.
void cuda_backend::settle() {
  const entered here(*gpu_);
  gpu_->require_usable(stage::device);
  const std::lock_guard lock(settling_);
  int state = 0;
  check(gpu_->api.stream_capturing(nullptr, &state), "a copy between host and device must wait for earlier launches");
  check(gpu_->api.event_record(settled_, nullptr), "an event is refused");
  gpu_->wait(settled_, std::numeric_limits<double>::infinity()).check();
}

void cuda_backend::synchronize() {
  const entered here(*gpu_);
  gpu_->require_usable(stage::device);
  check(gpu_->api.context_synchronize(), "the device failed");
}

std::size_t cuda_backend::free_bytes() {
  const entered here(*gpu_);
  gpu_->require_usable(stage::device);
  std::size_t free = 0, total = 0;
  check(gpu_->api.memory_info(&free, &total), "the device does not say how much memory is free");
  return free;
}

status cuda_backend::launch_and_wait(const loaded_image& what, const launch_shape& shape, const void* arguments,
                                     std::size_t bytes, double deadline_seconds) {
  if (status s = what.launch(stream_, shape, arguments, bytes); !s.ok()) return s;
  if (const result r = gpu_->api.event_record(stop_, stream_); r != success)
    return gpu_->refused(r, errc::launch_failed, "a launch failed");
  return gpu_->wait(stop_, deadline_seconds);
}

status cuda_backend::run(const loaded_image& what, const launch_shape& shape, const void* arguments, std::size_t bytes,
                         double deadline_seconds) {
  const entered here(*gpu_);
  if (status s = gpu_->usable(); !s.ok()) return s;
  const std::lock_guard lock(measuring_);
  return launch_and_wait(what, shape, arguments, bytes, deadline_seconds);
}

timing cuda_backend::time(const loaded_image& what, const launch_shape& shape, const void* arguments, std::size_t bytes,
                          measure how, int launches, double deadline_seconds) {
  const entered here(*gpu_);
  timing t;
  if (t.status = gpu_->usable(); !t.status.ok()) return t;
  const std::lock_guard lock(measuring_);
  launches = std::max(launches, 1);
  const auto before = gpu_->sensors.read();
  const auto enqueue = [&] {
    for (int i = 0; i < launches; ++i) {
      if (status s = what.launch(stream_, shape, arguments, bytes); !s.ok()) return s;
    }
    return status();
  };
  if (how == measure::throughput) {
    t = between_events(enqueue, launches, deadline_seconds);
  } else if (how == measure::graph) {
    t = time_graph(enqueue, launches, deadline_seconds);
  } else {
    std::vector<double> each;
    for (int i = 0; i < launches && t.status.ok(); ++i) {
      const double begin = seconds_now();
      t.status = launch_and_wait(what, shape, arguments, bytes, deadline_seconds);
      each.push_back(seconds_now() - begin);
    }
    std::nth_element(each.begin(), each.begin() + each.size() / 2, each.end());
    t.seconds = each[each.size() / 2];
  }
  t.disturbed = t.status.ok() && disturbed(before, gpu_->sensors.read());
  return t;
}

timing cuda_backend::between_events(const std::function<status()>& enqueue, int launches, double deadline_seconds) {
  const driver& api = gpu_->api;
  timing t;
  if (const result r = api.event_record(start_, stream_); r != success) {
    t.status = gpu_->refused(r, errc::launch_failed, "an event is refused");
    return t;
  }
  t.status = enqueue();
  // The stop event is recorded after a failure too: whatever was enqueued is waited for before the arguments go away.
  if (const result r = api.event_record(stop_, stream_); r != success && t.status.ok())
    t.status = gpu_->refused(r, errc::launch_failed, "an event is refused");
  const status waited = gpu_->wait(stop_, deadline_seconds);
  if (t.status.ok()) t.status = waited;
  float milliseconds = 0;
  if (t.status.ok())
    t.status = gpu_->refused(api.event_elapsed(&milliseconds, start_, stop_), errc::launch_failed,
                             "the launches were not timed");
  t.seconds = milliseconds * 1e-3 / launches;
  return t;
}

timing cuda_backend::time_graph(const std::function<status()>& enqueue, int launches, double deadline_seconds) {
  const driver& api = gpu_->api;
  timing t;
  CUgraph_st* graph = nullptr;
  CUgraphExec_st* ready = nullptr;
  const auto step = [&](result r, const char* what) {
    if (t.status.ok()) t.status = gpu_->refused(r, errc::launch_failed, what);
    return t.status.ok();
  };
  if (step(api.capture_begin(stream_, capture_thread_local), "a stream capture is refused")) {
    t.status = enqueue();
    step(api.capture_end(stream_, &graph), "a stream capture failed");
  }
  if (t.status.ok() && step(api.graph_instantiate(&ready, graph, 0), "the graph is refused") &&
      step(api.graph_upload(ready, stream_), "the graph cannot be uploaded")) {
    t = between_events(
        [&] {
          return gpu_->refused(api.graph_launch(ready, stream_), errc::launch_failed, "the graph is not launched");
        },
        launches, deadline_seconds);
  }
  if (t.status.code() == errc::hang) return t;  // destroying a graph that runs would wait for it
  if (ready != nullptr) api.graph_exec_destroy(ready);
  if (graph != nullptr) api.graph_destroy(graph);
  return t;
}

}  // namespace
}  // namespace glass::jit::cuda

namespace glass::jit {
std::shared_ptr<backend> open_cuda_backend(int index) { return std::make_shared<cuda::cuda_backend>(index); }
}  // namespace glass::jit
