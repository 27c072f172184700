// The part of the CUDA Driver API that glass uses: declared here, so that no toolkit is needed to build, and loaded
// with dlopen, so that a machine without a GPU starts. Symbols are the ones cuda.h maps each name to;
// tests/backend/cuda_declarations_test.cpp compares them.
#pragma once
#include <cstddef>
#include <string>

struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;
struct CUgraph_st;
struct CUgraphExec_st;

namespace glass::jit::cuda {

using result = int;  // CUresult
using device_pointer = unsigned long long;

enum : result {
  success = 0,
  invalid_value = 1,
  error_out_of_memory = 2,
  deinitialized = 4,
  stub_library = 34,
  no_device = 100,
  invalid_image = 200,
  invalid_context = 201,
  no_binary_for_gpu = 209,
  unsupported_ptx_version = 222,
  invalid_handle = 400,
  not_ready = 600,
  launch_out_of_resources = 701,
  system_driver_mismatch = 803,
  capture_unsupported = 900,  // the first of those about stream capture
  capture_implicit = 906,     // by the default stream, which waits for streams that are being captured
  capture_wrong_thread = 908  // the last
};

enum attribute : int {
  max_threads_per_block = 1,
  max_shared_per_block = 8,
  warp_size = 10,
  max_registers_per_block = 12,
  clock_rate = 13,
  multiprocessor_count = 16,
  integrated = 18,
  memory_clock_rate = 36,
  memory_bus_width = 37,
  l2_cache_size = 38,
  max_threads_per_multiprocessor = 39,
  capability_major = 75,
  capability_minor = 76,
  max_shared_per_multiprocessor = 81,
  max_registers_per_multiprocessor = 82,
  max_shared_per_block_optin = 97,
  max_blocks_per_multiprocessor = 106
};
enum function_attribute : int {
  max_threads = 0,
  static_shared = 1,
  local_bytes = 3,
  registers = 4,
  max_dynamic_shared = 8
};
enum jit_option : int { info_log = 3, info_log_bytes = 4, error_log = 5, error_log_bytes = 6 };
enum : unsigned { stream_non_blocking = 1, event_default = 0 };
enum : int { capture_thread_local = 1, capture_relaxed = 2 };

struct driver {
  result (*init)(unsigned flags);
  result (*driver_version)(int*);
  result (*error_name)(result, const char**);
  result (*error_string)(result, const char**);
  result (*device_count)(int*);
  result (*device_get)(int* device, int ordinal);
  result (*device_name)(char*, int bytes, int device);
  result (*device_attribute)(int*, int attribute, int device);
  result (*device_total_memory)(std::size_t*, int device);
  result (*device_bus_id)(char*, int bytes, int device);
  result (*primary_context_retain)(CUctx_st**, int device);
  result (*context_get_current)(CUctx_st**);
  result (*context_set_current)(CUctx_st*);
  result (*context_synchronize)();
  result (*exchange_capture_mode)(int* mode);
  result (*module_load)(CUmod_st**, const void* image, unsigned options, int* option, void** value);
  result (*module_unload)(CUmod_st*);
  result (*module_function)(CUfunc_st**, CUmod_st*, const char* name);
  result (*function_attribute)(int*, int attribute, CUfunc_st*);
  result (*set_function_attribute)(CUfunc_st*, int attribute, int value);
  result (*memory_allocate)(device_pointer*, std::size_t);
  result (*memory_free)(device_pointer);
  result (*memory_upload)(device_pointer, const void*, std::size_t, CUstream_st*);
  result (*memory_download)(void*, device_pointer, std::size_t, CUstream_st*);
  result (*memory_info)(std::size_t* free, std::size_t* total);
  result (*stream_create)(CUstream_st**, unsigned flags);
  result (*stream_destroy)(CUstream_st*);
  result (*stream_synchronize)(CUstream_st*);
  result (*stream_context)(CUstream_st*, CUctx_st**);
  result (*stream_capturing)(CUstream_st*, int* state);
  result (*capture_begin)(CUstream_st*, int mode);
  result (*capture_end)(CUstream_st*, CUgraph_st**);
  result (*event_create)(CUevent_st**, unsigned flags);
  result (*event_destroy)(CUevent_st*);
  result (*event_record)(CUevent_st*, CUstream_st*);
  result (*event_query)(CUevent_st*);
  result (*event_elapsed)(float* milliseconds, CUevent_st*, CUevent_st*);
  result (*graph_instantiate)(CUgraphExec_st**, CUgraph_st*, unsigned long long flags);
  result (*graph_upload)(CUgraphExec_st*, CUstream_st*);
  result (*graph_launch)(CUgraphExec_st*, CUstream_st*);
  result (*graph_exec_destroy)(CUgraphExec_st*);
  result (*graph_destroy)(CUgraph_st*);
  result (*launch_kernel)(CUfunc_st*, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned shared, CUstream_st*, void** parameters, void** extra);

  template <class Self, class Visit>
  static void each(Self& d, Visit&& visit) {
    visit("cuInit", d.init), visit("cuDriverGetVersion", d.driver_version);
    visit("cuGetErrorName", d.error_name), visit("cuGetErrorString", d.error_string);
    visit("cuDeviceGetCount", d.device_count), visit("cuDeviceGet", d.device_get),
        visit("cuDeviceGetName", d.device_name);
    visit("cuDeviceGetAttribute", d.device_attribute), visit("cuDeviceTotalMem_v2", d.device_total_memory);
    visit("cuDeviceGetPCIBusId", d.device_bus_id);
    visit("cuDevicePrimaryCtxRetain", d.primary_context_retain), visit("cuCtxGetCurrent", d.context_get_current);
    visit("cuCtxSetCurrent", d.context_set_current), visit("cuCtxSynchronize", d.context_synchronize);
    visit("cuThreadExchangeStreamCaptureMode", d.exchange_capture_mode);
    visit("cuModuleLoadDataEx", d.module_load), visit("cuModuleUnload", d.module_unload);
    visit("cuModuleGetFunction", d.module_function);
    visit("cuFuncGetAttribute", d.function_attribute), visit("cuFuncSetAttribute", d.set_function_attribute);
    visit("cuMemAlloc_v2", d.memory_allocate), visit("cuMemFree_v2", d.memory_free);
    visit("cuMemcpyHtoDAsync_v2", d.memory_upload), visit("cuMemcpyDtoHAsync_v2", d.memory_download),
        visit("cuMemGetInfo_v2", d.memory_info);
    visit("cuStreamCreate", d.stream_create), visit("cuStreamDestroy_v2", d.stream_destroy);
    visit("cuStreamSynchronize", d.stream_synchronize), visit("cuStreamGetCtx", d.stream_context);
    visit("cuStreamIsCapturing", d.stream_capturing);
    visit("cuStreamBeginCapture_v2", d.capture_begin), visit("cuStreamEndCapture", d.capture_end);
    visit("cuEventCreate", d.event_create), visit("cuEventDestroy_v2", d.event_destroy),
        visit("cuEventRecord", d.event_record);
    visit("cuEventQuery", d.event_query);
    visit("cuEventElapsedTime",
          d.event_elapsed);  // 12.8 and later map it to _v2, which older drivers lack; the two are called alike
    visit("cuGraphInstantiateWithFlags", d.graph_instantiate), visit("cuGraphUpload", d.graph_upload);
    visit("cuGraphLaunch", d.graph_launch), visit("cuGraphExecDestroy", d.graph_exec_destroy),
        visit("cuGraphDestroy", d.graph_destroy);
    visit("cuLaunchKernel", d.launch_kernel);
  }
};

// libcuda.so.1 ($GLASS_LIBCUDA names another file, for unusual installs and tests), initialised. Throws
// errc::no_driver, or no_device where the driver itself says so. Never unloaded.
driver load_driver();

// Errors after which no call of this process can use the device any more (an illegal address, for example).
bool sticky(result) noexcept;
// "CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory access was encountered"
std::string describe(const driver&, result);

}  // namespace glass::jit::cuda
