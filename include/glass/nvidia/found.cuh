// Which of NVIDIA's device libraries this compile can use, and the sentence of a static_assert where it cannot. The
// libraries are headers of their own, installed by whoever accepts their licences; nothing here needs them.
//   CUB         in the CUDA toolkit (CCCL), for nvcc and NVRTC
//   cuBLASDx    in MathDx: -I .../mathdx/include -I .../mathdx/external/cutlass/include; nvcc also takes
//               --expt-relaxed-constexpr, NVRTC -default-device and the CUDA headers of its own release
//   cuSOLVERDx  in MathDx, as cuBLASDx, with a library to link: -rdc=true -dlto and its fatbin (see its manual)
#pragma once
#include <glass/core/options.cuh>
namespace glass::nvidia {
// Threads{256}: threads of the block that calls; 128 where none are named. Such a block is one-dimensional.
enum class Threads : int { few = 128 };
// Whether a block face works on copies of its matrices in shared memory (yes), or in place: they lie in the block's
// shared memory already, each at a multiple of 16 bytes (no).
enum class Staged { yes, no };
}  // namespace glass::nvidia
namespace glass::nvidia::detail {
template <class...>
inline constexpr bool never = false;
template <auto... Options>
inline constexpr int threads_of = int(chosen<Threads::few, 0, Options...>());
template <auto... Options>
inline constexpr bool is_staged = chosen<Staged::yes, 0, Options...>() == Staged::yes;
}  // namespace glass::nvidia::detail

#if GLASS_CUDA && defined(__has_include)
#if __has_include(<cuda/std/__cccl/version.h>)
#include <cuda/std/__cccl/version.h>
#endif
// CCCL 3 refuses CUDA 11; NVRTC needs the part of it that stands for the standard library.
#if defined(CCCL_VERSION) && CCCL_VERSION >= 3000000 && __CUDACC_VER_MAJOR__ < 12
#define GLASS_CCCL_TROUBLE "are of CCCL 3, which needs CUDA 12 or later"
#elif defined(__CUDACC_RTC__) && !__has_include(<cuda/std/type_traits>)
#define GLASS_CCCL_TROUBLE "are not found (under NVRTC: -I to the folder of CCCL, which has cub and cuda/std)"
#elif !__has_include(<cub/block/block_reduce.cuh>)
#define GLASS_CCCL_TROUBLE "are not found (cub/block/block_reduce.cuh)"
#endif
#if !__has_include(<cublasdx.hpp>)
#define GLASS_CUBLASDX_TROUBLE "are not found (cublasdx.hpp): add MathDx to the include path"
#elif !__has_include(<cute/tensor.hpp>)
#define GLASS_CUBLASDX_TROUBLE "need CUTLASS (cute/tensor.hpp): add mathdx/external/cutlass/include to the include path"
#elif defined(GLASS_CCCL_TROUBLE)
#define GLASS_CUBLASDX_TROUBLE "need CCCL, whose headers " GLASS_CCCL_TROUBLE
#elif !defined(__CUDACC_RTC__) && !defined(__CUDACC_RELAXED_CONSTEXPR__)
#define GLASS_CUBLASDX_TROUBLE "need the option --expt-relaxed-constexpr of nvcc"
#endif
#if !__has_include(<cusolverdx.hpp>)
#define GLASS_CUSOLVERDX_TROUBLE "are not found (cusolverdx.hpp): add MathDx to the include path"
#elif !__has_include(<cusolverdx/database/cholesky.cuh>)
#define GLASS_CUSOLVERDX_TROUBLE \
  "are not whole (cusolverdx/database): the wheel nvidia-mathdx leaves them out, the MathDx archive has them"
#elif !__has_include(<cute/tensor.hpp>)
#define GLASS_CUSOLVERDX_TROUBLE \
  "need CUTLASS (cute/tensor.hpp): add mathdx/external/cutlass/include to the include path"
#elif __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ < 1207
#define GLASS_CUSOLVERDX_TROUBLE "need CUDA 12.7 or later"
#elif defined(GLASS_CCCL_TROUBLE)
#define GLASS_CUSOLVERDX_TROUBLE "need CCCL, whose headers " GLASS_CCCL_TROUBLE
#elif !defined(__CUDACC_RTC__) && !defined(__CUDACC_RELAXED_CONSTEXPR__)
#define GLASS_CUSOLVERDX_TROUBLE "need the option --expt-relaxed-constexpr of nvcc"
#endif
#else
#define GLASS_CCCL_TROUBLE "are for CUDA compilers: nvcc, or NVRTC"
#define GLASS_CUBLASDX_TROUBLE "are for CUDA compilers: nvcc, or NVRTC"
#define GLASS_CUSOLVERDX_TROUBLE "are for CUDA compilers: nvcc, or NVRTC"
#endif

namespace glass::nvidia {
// What this compile offers.
#ifdef GLASS_CCCL_TROUBLE
inline constexpr bool has_cub = false;
#else
inline constexpr bool has_cub = true;
#endif
#ifdef GLASS_CUBLASDX_TROUBLE
inline constexpr bool has_cublasdx = false;
#else
inline constexpr bool has_cublasdx = true;
#endif
#ifdef GLASS_CUSOLVERDX_TROUBLE
inline constexpr bool has_cusolverdx = false;
#else
inline constexpr bool has_cusolverdx = true;
#endif
namespace detail {
// The architecture as MathDx writes it. The host's pass of nvcc needs any.
#ifdef __CUDA_ARCH__
inline constexpr int architecture = __CUDA_ARCH__;
#else
inline constexpr int architecture = 800;
#endif
}  // namespace detail
}  // namespace glass::nvidia
