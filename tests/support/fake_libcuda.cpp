// A libcuda (and libnvidia-ml) without a GPU: memory is malloc'ed, launches are recorded, and every entry point fails
// as scripted (fake_script.hpp). Names it knows beside its entry points:
//   devices, capability (90), driver_version (13000), memory (bytes that can be allocated), parameter_bytes (that a
//   launch reads), never_ready (event queries say so), elapsed_us, registers, max_threads, sm_mhz, slowed_by, power_mw;
//   it keeps live.modules, live.events, live.streams, live.graphs, launches, graph.launches, captured.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
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
  int captured = -1;  // launches; -1: not capturing
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
bool foreign(void* s) { return s == fake::foreign_stream; }
}  // namespace

#define ENTRY(name, ...)             \
  extern "C" int name(__VA_ARGS__) { \
    if (int r = told.call(#name)) return r;

extern "C" const void* fake_last_launch() { return &last; }

ENTRY(cuInit, unsigned) return 0;
}
ENTRY(cuDriverGetVersion, int* v) return * v = int(told.get("driver_version", 13000)), 0;
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
ENTRY(cuDeviceGetCount, int* n) return * n = int(told.get("devices", 1)), 0;
}
ENTRY(cuDeviceGet, int* d, int i) return * d = i, 0;
}
ENTRY(cuDeviceGetName, char* name, int n, int)
std::strncpy(name, told.get("mig") ? "Fake GPU MIG 1g.10gb" : "Fake GPU", std::size_t(n));
return 0;
}
ENTRY(cuDeviceGetAttribute, int* v, int what, int)
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
ENTRY(cuDeviceTotalMem_v2, std::size_t* n, int) return * n = std::size_t(told.get("memory", 1 << 30)), 0;
}
ENTRY(cuDeviceGetPCIBusId, char* text, int n, int) std::strncpy(text, "0000:01:00.0", std::size_t(n));
return 0;
}
ENTRY(cuDevicePrimaryCtxRetain, void** c, int d)
return *c = reinterpret_cast<void*>(context_base + std::uintptr_t(d)), 0;
}
ENTRY(cuCtxGetCurrent, void** c) return * c = current, 0;
}
ENTRY(cuCtxSetCurrent, void* c) return current = c, 0;
}
ENTRY(cuCtxSynchronize) return 0;
}
ENTRY(cuThreadExchangeStreamCaptureMode, int* mode) std::swap(*mode, capture_mode);
return 0;
}
extern "C" int fake_capture_mode() { return capture_mode; }
extern "C" int cuModuleLoadDataEx(void** m, const void*, unsigned n, int* options, void** values) {
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
ENTRY(cuModuleUnload, int* m) return drop(m, "modules");
}
ENTRY(cuModuleGetFunction, void** f, void* m, const char* name)
return std::strcmp(name, "glass_entry") ? 500 : (*f = m, 0);
}
ENTRY(cuFuncGetAttribute, int* v, int what, void*)
*v = what == 0   ? int(told.get("max_threads", 1024))
     : what == 4 ? int(told.get("registers", 40))
     : what == 3 ? 8
     : what == 1 ? 16
                 : -1;
return 0;
}
ENTRY(cuFuncSetAttribute, void*, int what, int value) told.set("function_attribute." + std::to_string(what), value);
return 0;
}
ENTRY(cuMemAlloc_v2, unsigned long long* p, std::size_t n)
if (n > std::size_t(told.get("memory", 1 << 30))) return 2;
*p = reinterpret_cast<unsigned long long>(std::malloc(n));
told.add("live.memory", 1);
return 0;
}
ENTRY(cuMemFree_v2, unsigned long long p) std::free(reinterpret_cast<void*>(p));
told.add("live.memory", -1);
return 0;
}
ENTRY(cuMemcpyHtoD_v2, unsigned long long to, const void* from, std::size_t n)
std::memcpy(reinterpret_cast<void*>(to), from, n);
return 0;
}
ENTRY(cuMemcpyDtoH_v2, void* to, unsigned long long from, std::size_t n)
std::memcpy(to, reinterpret_cast<void*>(from), n);
return 0;
}
ENTRY(cuMemGetInfo_v2, std::size_t* f, std::size_t* t) * f = *t = std::size_t(told.get("memory", 1 << 30));
return 0;
}
ENTRY(cuStreamCreate, stream** s, unsigned) return make(s, "streams");
}
ENTRY(cuStreamDestroy_v2, stream* s) return drop(s, "streams");
}
ENTRY(cuStreamSynchronize, stream*) return 0;
}
ENTRY(cuStreamGetCtx, stream* s, void** c)
return *c = foreign(s) ? reinterpret_cast<void*>(context_base + 7) : current, 0;
}
ENTRY(cuStreamBeginCapture_v2, stream* s, int) return s->captured = 0;
}
ENTRY(cuStreamEndCapture, stream* s, graph** g)
const int n = s->captured;
s->captured = -1;
told.set("captured", n);
return make(g, "graphs", graph{n});
}
ENTRY(cuEventCreate, int** e, unsigned) return make(e, "events");
}
ENTRY(cuEventDestroy_v2, int* e) return drop(e, "events");
}
ENTRY(cuEventRecord, int*, void*) return 0;
}
ENTRY(cuEventQuery, int*) return told.get("never_ready") ? 600 : 0;
}
ENTRY(cuEventElapsedTime, float* ms, int*, int*) return * ms = float(told.get("elapsed_us", 1000)) / 1000, 0;
}
ENTRY(cuGraphInstantiateWithFlags, graph** e, graph* g, unsigned long long) return make(e, "graphs", *g);
}
ENTRY(cuGraphUpload, graph*, void*) return 0;
}
ENTRY(cuGraphLaunch, graph* g, void*) told.add("graph.launches", g->launches);
return 0;
}
ENTRY(cuGraphExecDestroy, graph* g) return drop(g, "graphs");
}
ENTRY(cuGraphDestroy, graph* g) return drop(g, "graphs");
}
ENTRY(cuLaunchKernel, void* f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
      unsigned shared, stream* s, void** parameters, void**)
if (foreign(s)) return 400;
if (s != nullptr && s->captured >= 0) ++s->captured;
told.add("launches", 1);
const std::lock_guard lock(guard);
last = {f, {gx, gy, gz}, {bx, by, bz}, shared, s, current, {}};
std::memcpy(last.bytes, parameters[0], std::size_t(told.get("parameter_bytes", 40)));
return 0;
}

ENTRY(nvmlInit_v2) return 0;
}
ENTRY(nvmlDeviceGetHandleByPciBusId_v2, const char*, void** d) return * d = &last, 0;
}
ENTRY(nvmlSystemGetDriverVersion, char* text, unsigned n) std::strncpy(text, "580.95.05", n);
return 0;
}
ENTRY(nvmlDeviceGetEnforcedPowerLimit, void*, unsigned* mw) return * mw = unsigned(told.get("power_mw", 700000)), 0;
}
// Each reading moves both by what "…_step" says.
ENTRY(nvmlDeviceGetClockInfo, void*, int, unsigned* mhz)
*mhz = unsigned(told.get("sm_mhz", 1980));
if (told.get("sm_mhz_step")) told.set("sm_mhz", *mhz + told.get("sm_mhz_step"));
return 0;
}
ENTRY(nvmlDeviceGetCurrentClocksThrottleReasons, void*, unsigned long long* bits)
*bits = static_cast<unsigned long long>(told.get("slowed_by"));
if (told.get("slowed_by_step")) told.set("slowed_by", told.get("slowed_by_step"));
return 0;
}
