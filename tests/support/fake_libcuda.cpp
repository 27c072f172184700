// A libcuda (and libnvidia-ml) without a GPU: memory is malloc'ed, launches are recorded, and every entry point fails
// as scripted (fake_script.hpp). Names it knows beside its entry points:
//   devices, attribute.N (before the fake's own), capability (90), driver_version (13000), memory (bytes that can be allocated), parameter_bytes (that a
//   launch reads), never_ready (event queries say so), elapsed_us, registers, max_threads, sm_mhz, slowed_by, power_mw;
//   Stream capture has the rules of the real one: see `capture` below.
//   it keeps live.modules, live.events, live.streams, live.graphs, launches, graph.launches, captured.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "fake_cuda.hpp"
#include "fake_script.hpp"

GLASS_FAKE_CONTROL

namespace {
auto& told = fake::script::instance();
fake::launch_record last;
std::mutex guard;

constexpr std::uintptr_t context_base = 0x1000;
thread_local void* current = nullptr;
thread_local int capture_mode = 0;
struct stream {
  bool blocking = true;
  int captured = -1;  // launches; -1: not capturing
  int mode = 0;
  bool broken = false;
};
struct graph {
  int launches;
};

// What a hang leaves behind on purpose stays reachable, so that no leak checker stumbles over it.
auto& made = *new std::vector<void*>;

template <class T>
int make(T** out, const char* what, T value = {}) {
  *out = new T(value);
  const std::lock_guard lock(guard);
  made.push_back(*out);
  told.add(std::string("live.") + what, 1);
  return 0;
}
template <class T>
int drop(T* p, const char* what) {
  delete p;
  told.add(std::string("live.") + what, -1);
  return 0;
}
// What a call may not do while streams are captured; where it does so all the same, it fails and they are broken.
namespace capture {
std::vector<stream*> streams;
template <class F>
int broken_by(int code, F concerns) {
  const std::lock_guard lock(guard);
  int result = 0;
  for (stream* s : streams)
    if (concerns(*s)) s->broken = true, result = code;
  return result;
}
// A call that allocates, loads or frees, from a thread that has not said it means to.
int by_unsafe_call() {
  return capture_mode == 2 ? 0 : broken_by(900, [](const stream& s) { return s.mode == 0; });
}
// The default stream waits for every blocking stream.
int by_stream(const void* s) {
  return s == nullptr ? broken_by(906, [](const stream& other) { return other.blocking; }) : 0;
}
int by_context() {
  return broken_by(900, [](const stream&) { return true; });
}
}  // namespace capture
bool foreign(void* s) { return s == fake::foreign_stream; }
}  // namespace

// First in every entry point: the script may end the call here.
#define SCRIPTED \
  if (int r = told.call(__func__)) return r

extern "C" const void* fake_last_launch() { return &last; }

extern "C" int cuInit(unsigned) {
  SCRIPTED;
  return 0;
}
extern "C" int cuDriverGetVersion(int* v) {
  SCRIPTED;
  return *v = int(told.get("driver_version", 13000)), 0;
}
extern "C" int cuGetErrorName(int r, const char** text) {
  switch (r) {
    case 2:
      return *text = "CUDA_ERROR_OUT_OF_MEMORY", 0;
    case 100:
      return *text = "CUDA_ERROR_NO_DEVICE", 0;
    case 222:
      return *text = "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", 0;
    case 700:
      return *text = "CUDA_ERROR_ILLEGAL_ADDRESS", 0;
    case 803:
      return *text = "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", 0;
    default:
      return *text = "CUDA_ERROR_OF_THE_FAKE", 0;
  }
}
extern "C" int cuGetErrorString(int, const char** text) { return *text = "as scripted", 0; }
extern "C" int cuDeviceGetCount(int* n) {
  SCRIPTED;
  return *n = int(told.get("devices", 1)), 0;
}
extern "C" int cuDeviceGet(int* d, int i) {
  SCRIPTED;
  return *d = i, 0;
}
extern "C" int cuDeviceGetName(char* name, int n, int) {
  SCRIPTED;
  std::strncpy(name, told.get("mig") ? "Fake GPU MIG 1g.10gb" : "Fake GPU", std::size_t(n));
  return 0;
}
extern "C" int cuDeviceGetAttribute(int* v, int what, int) {
  SCRIPTED;
  if (*v = int(told.get("attribute." + std::to_string(what), -1)); *v >= 0) return 0;
  switch (what) {
    case 1:
      *v = 1024;
      break;
    case 8:
      *v = 48 << 10;
      break;
    case 10:
      *v = 32;
      break;
    case 12:
    case 82:
      *v = 65536;
      break;
    case 16:
      *v = 132;
      break;
    case 39:
      *v = 2048;
      break;
    case 75:
      *v = int(told.get("capability", 90)) / 10;
      break;
    case 76:
      *v = int(told.get("capability", 90)) % 10;
      break;
    case 81:
      *v = 228 << 10;
      break;
    case 97:
      *v = 227 << 10;
      break;
    case 106:
      *v = 32;
      break;
    default:
      *v = 0;
  }
  return 0;
}
extern "C" int cuDeviceTotalMem_v2(std::size_t* n, int) {
  SCRIPTED;
  return *n = std::size_t(told.get("memory", 1 << 30)), 0;
}
extern "C" int cuDeviceGetPCIBusId(char* text, int n, int) {
  SCRIPTED;
  std::strncpy(text, "0000:01:00.0", std::size_t(n));
  return 0;
}
extern "C" int cuDevicePrimaryCtxRetain(void** c, int d) {
  SCRIPTED;
  return *c = reinterpret_cast<void*>(context_base + std::uintptr_t(d)), 0;
}
extern "C" int cuCtxGetCurrent(void** c) {
  SCRIPTED;
  return *c = current, 0;
}
extern "C" int cuCtxSetCurrent(void* c) {
  SCRIPTED;
  return current = c, 0;
}
extern "C" int cuCtxSynchronize() {
  SCRIPTED;
  if (const int r = capture::by_context()) return r;
  return 0;
}
extern "C" int cuThreadExchangeStreamCaptureMode(int* mode) {
  SCRIPTED;
  std::swap(*mode, capture_mode);
  return 0;
}
extern "C" int fake_capture_mode() { return capture_mode; }
extern "C" int cuModuleLoadDataEx(void** m, const void*, unsigned n, int* options, void** values) {
  if (const int r = capture::by_unsafe_call()) return r;
  if (int r = told.call("cuModuleLoadDataEx")) {
    for (unsigned i = 0; i < n; ++i) {
      if (options[i] == 5) std::strcpy(static_cast<char*>(values[i]), "the fake's log");
    }
    return r;
  }
  int* made;
  make(&made, "modules");
  return *m = made, 0;
}
extern "C" int cuModuleUnload(int* m) {
  SCRIPTED;
  if (const int r = capture::by_unsafe_call()) return r;
  return drop(m, "modules");
}
extern "C" int cuModuleGetFunction(void** f, void* m, const char* name) {
  SCRIPTED;
  return std::strcmp(name, "glass_entry") ? 500 : (*f = m, 0);
}
extern "C" int cuFuncGetAttribute(int* v, int what, void*) {
  SCRIPTED;
  *v = what == 0   ? int(told.get("max_threads", 1024))
       : what == 4 ? int(told.get("registers", 40))
       : what == 3 ? 8
       : what == 1 ? 16
                   : -1;
  return 0;
}
extern "C" int cuFuncSetAttribute(void*, int what, int value) {
  SCRIPTED;
  told.set("function_attribute." + std::to_string(what), value);
  return 0;
}
extern "C" int cuMemAlloc_v2(unsigned long long* p, std::size_t n) {
  SCRIPTED;
  if (const int r = capture::by_unsafe_call()) return r;
  if (n > std::size_t(told.get("memory", 1 << 30))) return 2;
  void* memory = std::malloc(n);
  *p = reinterpret_cast<unsigned long long>(memory);
  const std::lock_guard lock(guard);
  made.push_back(memory);
  told.add("live.memory", 1);
  return 0;
}
extern "C" int cuMemFree_v2(unsigned long long p) {
  SCRIPTED;
  if (const int r = capture::by_unsafe_call()) return r;
  std::free(reinterpret_cast<void*>(p));
  told.add("live.memory", -1);
  return 0;
}
extern "C" int cuMemcpyHtoDAsync_v2(unsigned long long to, const void* from, std::size_t n, void* s) {
  SCRIPTED;
  if (const int r = capture::by_stream(s)) return r;
  std::memcpy(reinterpret_cast<void*>(to), from, n);
  return 0;
}
extern "C" int cuMemcpyDtoHAsync_v2(void* to, unsigned long long from, std::size_t n, void* s) {
  SCRIPTED;
  if (const int r = capture::by_stream(s)) return r;
  std::memcpy(to, reinterpret_cast<void*>(from), n);
  return 0;
}
extern "C" int cuMemGetInfo_v2(std::size_t* f, std::size_t* t) {
  SCRIPTED;
  *f = *t = std::size_t(told.get("memory", 1 << 30));
  return 0;
}
extern "C" int cuStreamCreate(stream** s, unsigned flags) {
  SCRIPTED;
  if (const int r = capture::by_unsafe_call()) return r;
  return make(s, "streams", stream{flags == 0});
}
extern "C" int cuStreamDestroy_v2(stream* s) {
  SCRIPTED;
  if (const int r = capture::by_unsafe_call()) return r;
  return drop(s, "streams");
}
extern "C" int cuStreamSynchronize(stream* s) {
  SCRIPTED;
  return capture::by_stream(s);
}
extern "C" int cuStreamIsCapturing(stream* s, int* state) {
  SCRIPTED;
  const std::lock_guard lock(guard);
  if (s != nullptr) return *state = s->captured >= 0, 0;
  for (const stream* other : capture::streams)
    if (other->blocking) return 906;
  return *state = 0, 0;
}
extern "C" int cuStreamGetCtx(stream* s, void** c) {
  SCRIPTED;
  return *c = foreign(s) ? reinterpret_cast<void*>(context_base + 7) : current, 0;
}
extern "C" int cuStreamBeginCapture_v2(stream* s, int mode) {
  SCRIPTED;
  const std::lock_guard lock(guard);
  capture::streams.push_back(s);
  s->mode = mode, s->broken = false;
  return s->captured = 0;
}
extern "C" int cuStreamEndCapture(stream* s, graph** g) {
  SCRIPTED;
  const int n = s->captured;
  {
    const std::lock_guard lock(guard);
    s->captured = -1;
    std::erase(capture::streams, s);
    if (s->broken) return *g = nullptr, 901;
  }
  told.set("captured", n);
  return make(g, "graphs", graph{n});
}
extern "C" int cuEventCreate(int** e, unsigned) {
  SCRIPTED;
  if (const int r = capture::by_unsafe_call()) return r;
  return make(e, "events");
}
extern "C" int cuEventDestroy_v2(int* e) {
  SCRIPTED;
  if (const int r = capture::by_unsafe_call()) return r;
  return drop(e, "events");
}
extern "C" int cuEventRecord(int*, void* s) {
  SCRIPTED;
  return capture::by_stream(s);
}
extern "C" int cuEventQuery(int*) {
  SCRIPTED;
  return told.get("never_ready") ? 600 : 0;
}
extern "C" int cuEventElapsedTime(float* ms, int*, int*) {
  SCRIPTED;
  return *ms = float(told.get("elapsed_us", 1000)) / 1000, 0;
}
extern "C" int cuGraphInstantiateWithFlags(graph** e, graph* g, unsigned long long) {
  SCRIPTED;
  if (const int r = capture::by_unsafe_call()) return r;
  return make(e, "graphs", *g);
}
extern "C" int cuGraphUpload(graph*, void*) {
  SCRIPTED;
  return 0;
}
extern "C" int cuGraphLaunch(graph* g, void*) {
  SCRIPTED;
  told.add("graph.launches", g->launches);
  return 0;
}
extern "C" int cuGraphExecDestroy(graph* g) {
  SCRIPTED;
  return drop(g, "graphs");
}
extern "C" int cuGraphDestroy(graph* g) {
  SCRIPTED;
  return drop(g, "graphs");
}
extern "C" int cuLaunchKernel(void* f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                              unsigned shared, stream* s, void** parameters, void**) {
  SCRIPTED;
  if (foreign(s)) return 400;
  if (s != nullptr && s->captured >= 0) ++s->captured;
  told.add("launches", 1);
  const std::lock_guard lock(guard);
  last = {f, {gx, gy, gz}, {bx, by, bz}, shared, s, current, {}};
  std::memcpy(last.bytes, parameters[0], std::size_t(told.get("parameter_bytes", 40)));
  return 0;
}

extern "C" int nvmlInit_v2() {
  SCRIPTED;
  return 0;
}
extern "C" int nvmlDeviceGetHandleByPciBusId_v2(const char*, void** d) {
  SCRIPTED;
  return *d = &last, 0;
}
extern "C" int nvmlSystemGetDriverVersion(char* text, unsigned n) {
  SCRIPTED;
  std::strncpy(text, "580.95.05", n);
  return 0;
}
extern "C" int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* mw) {
  SCRIPTED;
  return *mw = unsigned(told.get("power_mw", 700000)), 0;
}
// Default 1980 MHz; "application_mhz" is what was set.
extern "C" int nvmlDeviceGetApplicationsClock(void*, int, unsigned* mhz) {
  SCRIPTED;
  return *mhz = unsigned(told.get("application_mhz", 1980)), 0;
}
extern "C" int nvmlDeviceGetDefaultApplicationsClock(void*, int, unsigned* mhz) {
  SCRIPTED;
  return *mhz = 1980, 0;
}
// Each reading moves both by what "…_step" says.
extern "C" int nvmlDeviceGetClockInfo(void*, int, unsigned* mhz) {
  SCRIPTED;
  *mhz = unsigned(told.get("sm_mhz", 1980));
  if (told.get("sm_mhz_step")) told.set("sm_mhz", *mhz + told.get("sm_mhz_step"));
  return 0;
}
extern "C" int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* bits) {
  SCRIPTED;
  *bits = static_cast<unsigned long long>(told.get("slowed_by"));
  if (told.get("slowed_by_step")) told.set("slowed_by", told.get("slowed_by_step"));
  return 0;
}
