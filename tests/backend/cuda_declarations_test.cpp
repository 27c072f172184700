// Our declarations of the Driver API against cuda.h, where this machine has one.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "backend/cuda/driver.hpp"

#if __has_include(<cuda.h>)
#include <cuda.h>

namespace cuda = glass::jit::cuda;

namespace {

// Whether two types are passed alike: the same handle, pointers to such, numbers and enums of one size.
template <class A, class B>
constexpr bool alike() {
  using P = std::remove_cv_t<std::remove_pointer_t<A>>;
  using Q = std::remove_cv_t<std::remove_pointer_t<B>>;
  if constexpr (std::is_pointer_v<A> != std::is_pointer_v<B>) {
    return false;
  } else if constexpr (std::is_pointer_v<A>) {
    if constexpr (std::is_class_v<P> || std::is_void_v<P> || std::is_class_v<Q> || std::is_void_v<Q>) {
      return std::is_same_v<P, Q>;
    } else {
      return alike<P, Q>();
    }
  } else if constexpr (std::is_floating_point_v<A> || std::is_floating_point_v<B>) {
    return std::is_same_v<A, B>;
  } else {
    return sizeof(A) == sizeof(B);
  }
}
template <class R, class... A, class S, class... B>
constexpr bool called_alike(R (*)(A...), S (*)(B...)) {
  if constexpr (sizeof...(A) != sizeof...(B)) {
    return false;
  } else {
    return alike<R, S>() && (alike<A, B>() && ...);
  }
}
template <class F, class G>
constexpr bool called_alike_as = called_alike(F{}, static_cast<G*>(nullptr));

#define TEXT_OF(name) #name
#define MAPPED(name) TEXT_OF(name)
// A line of this list: the member, and cuda.h's own name, which its macros map to a symbol.
#define FUNCTIONS(line)                                                                                               \
  line(init, cuInit) line(driver_version, cuDriverGetVersion) line(error_name, cuGetErrorName)                        \
      line(error_string, cuGetErrorString) line(device_count, cuDeviceGetCount) line(device_get, cuDeviceGet)         \
          line(device_name, cuDeviceGetName) line(device_attribute, cuDeviceGetAttribute)                             \
              line(device_total_memory, cuDeviceTotalMem) line(device_bus_id, cuDeviceGetPCIBusId) line(              \
                  primary_context_retain, cuDevicePrimaryCtxRetain) line(context_get_current, cuCtxGetCurrent)        \
                  line(context_set_current, cuCtxSetCurrent) line(context_synchronize, cuCtxSynchronize) line(        \
                      exchange_capture_mode, cuThreadExchangeStreamCaptureMode) line(module_load, cuModuleLoadDataEx) \
                      line(module_unload, cuModuleUnload) line(module_function, cuModuleGetFunction) line(            \
                          function_attribute, cuFuncGetAttribute) line(set_function_attribute, cuFuncSetAttribute)    \
                          line(memory_allocate, cuMemAlloc) line(memory_free, cuMemFree) line(                        \
                              memory_upload, cuMemcpyHtoDAsync) line(memory_download, cuMemcpyDtoHAsync)              \
                              line(memory_info, cuMemGetInfo) line(stream_create, cuStreamCreate) line(               \
                                  stream_destroy, cuStreamDestroy) line(stream_synchronize, cuStreamSynchronize)      \
                                  line(stream_context, cuStreamGetCtx) line(stream_capturing, cuStreamIsCapturing)    \
                                      line(capture_begin, cuStreamBeginCapture) line(capture_end, cuStreamEndCapture) \
                                          line(event_create, cuEventCreate) line(event_destroy, cuEventDestroy)       \
                                              line(event_record, cuEventRecord) line(event_query, cuEventQuery)       \
                                                  line(event_elapsed, cuEventElapsedTime)                             \
                                                      line(graph_instantiate, cuGraphInstantiate)                     \
                                                          line(graph_upload, cuGraphUpload)                           \
                                                              line(graph_launch, cuGraphLaunch)                       \
                                                                  line(graph_exec_destroy, cuGraphExecDestroy)        \
                                                                      line(graph_destroy, cuGraphDestroy)             \
                                                                          line(launch_kernel, cuLaunchKernel)

#define SAME_CALL(member, name)                                                    \
  static_assert(called_alike_as<decltype(cuda::driver::member), decltype(::name)>, \
                #member " is not declared as " #name " in cuda.h");
#if CUDA_VERSION >= 11040
FUNCTIONS(SAME_CALL)
#endif

#define SAME_NUMBER(ours, theirs) static_assert(int(cuda::ours) == int(theirs), #ours " is not " #theirs);
SAME_NUMBER(success, CUDA_SUCCESS)
SAME_NUMBER(invalid_value, CUDA_ERROR_INVALID_VALUE)
SAME_NUMBER(error_out_of_memory, CUDA_ERROR_OUT_OF_MEMORY)
SAME_NUMBER(stub_library, CUDA_ERROR_STUB_LIBRARY)
SAME_NUMBER(no_device, CUDA_ERROR_NO_DEVICE)
SAME_NUMBER(invalid_image, CUDA_ERROR_INVALID_IMAGE)
SAME_NUMBER(invalid_context, CUDA_ERROR_INVALID_CONTEXT)
SAME_NUMBER(no_binary_for_gpu, CUDA_ERROR_NO_BINARY_FOR_GPU)
SAME_NUMBER(unsupported_ptx_version, CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
SAME_NUMBER(invalid_handle, CUDA_ERROR_INVALID_HANDLE)
SAME_NUMBER(not_ready, CUDA_ERROR_NOT_READY)
SAME_NUMBER(launch_out_of_resources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)
SAME_NUMBER(system_driver_mismatch, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)
SAME_NUMBER(capture_unsupported, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED)
SAME_NUMBER(capture_implicit, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT)
SAME_NUMBER(capture_wrong_thread, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD)
SAME_NUMBER(max_threads_per_block, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
SAME_NUMBER(max_shared_per_block, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)
SAME_NUMBER(warp_size, CU_DEVICE_ATTRIBUTE_WARP_SIZE)
SAME_NUMBER(max_registers_per_block, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK)
SAME_NUMBER(clock_rate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE)
SAME_NUMBER(multiprocessor_count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
SAME_NUMBER(integrated, CU_DEVICE_ATTRIBUTE_INTEGRATED)
SAME_NUMBER(memory_clock_rate, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)
SAME_NUMBER(memory_bus_width, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)
SAME_NUMBER(l2_cache_size, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)
SAME_NUMBER(max_threads_per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)
SAME_NUMBER(capability_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
SAME_NUMBER(capability_minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
SAME_NUMBER(max_shared_per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)
SAME_NUMBER(max_registers_per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR)
SAME_NUMBER(max_shared_per_block_optin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
SAME_NUMBER(max_blocks_per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR)
SAME_NUMBER(max_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
SAME_NUMBER(static_shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
SAME_NUMBER(local_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)
SAME_NUMBER(registers, CU_FUNC_ATTRIBUTE_NUM_REGS)
SAME_NUMBER(max_dynamic_shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
SAME_NUMBER(info_log, CU_JIT_INFO_LOG_BUFFER)
SAME_NUMBER(info_log_bytes, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES)
SAME_NUMBER(error_log, CU_JIT_ERROR_LOG_BUFFER)
SAME_NUMBER(error_log_bytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
SAME_NUMBER(stream_non_blocking, CU_STREAM_NON_BLOCKING)
SAME_NUMBER(event_default, CU_EVENT_DEFAULT)
SAME_NUMBER(capture_thread_local, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)
SAME_NUMBER(capture_relaxed, CU_STREAM_CAPTURE_MODE_RELAXED)

TEST(cuda_declarations, every_symbol_is_the_one_that_cuda_h_maps_its_name_to) {
  std::set<std::string> theirs;
#define ADD_NAME(member, name) theirs.insert(MAPPED(name));
  FUNCTIONS(ADD_NAME)
  theirs.erase("cuEventElapsedTime_v2"), theirs.insert("cuEventElapsedTime");  // see driver.hpp
  std::set<std::string> ours;
  cuda::driver d{};
  cuda::driver::each(d, [&](const char* symbol, auto&) { ours.insert(symbol); });
  EXPECT_EQ(ours, theirs);
}

TEST(cuda_declarations, the_errors_that_end_a_process_are_known_by_their_numbers) {
  for (int e : {CUDA_ERROR_ECC_UNCORRECTABLE, CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_LAUNCH_TIMEOUT, CUDA_ERROR_ASSERT,
                CUDA_ERROR_HARDWARE_STACK_ERROR, CUDA_ERROR_ILLEGAL_INSTRUCTION, CUDA_ERROR_MISALIGNED_ADDRESS,
                CUDA_ERROR_INVALID_ADDRESS_SPACE, CUDA_ERROR_INVALID_PC, CUDA_ERROR_LAUNCH_FAILED}) {
    EXPECT_TRUE(cuda::sticky(e)) << e;
  }
  for (int e : {CUDA_SUCCESS, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_NOT_READY, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                CUDA_ERROR_INVALID_VALUE}) {
    EXPECT_FALSE(cuda::sticky(e)) << e;
  }
}

}  // namespace
#else
TEST(cuda_declarations, agree_with_cuda_h) { GTEST_SKIP() << "This machine has no cuda.h."; }
#endif

TEST(cuda_declarations_table, names_every_member_once) {
  glass::jit::cuda::driver d{};
  std::set<const void*> members;
  std::set<std::string> symbols;
  glass::jit::cuda::driver::each(
      d, [&](const char* symbol, auto& member) { members.insert(&member), symbols.insert(symbol); });
  EXPECT_EQ(members.size() * sizeof(void*), sizeof d);
  EXPECT_EQ(symbols.size(), members.size());
}
