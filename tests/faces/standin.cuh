// Stands for the part of cuSOLVERDx that is not in the wheel nvidia-mathdx (cusolverdx/database), so that the faces
// compile against the headers that are: the functions that those call, doing nothing. Own text; nothing runs with it.
#pragma once
namespace cusolverdx {
template <class T, auto...>
__host__ __device__ constexpr unsigned cholesky_suggested_batches() {
  return 1;
}
template <class T, auto...>
__host__ __device__ constexpr unsigned lu_np_suggested_batches() {
  return 1;
}
template <class T, auto...>
__host__ __device__ constexpr unsigned lu_pp_suggested_batches() {
  return 1;
}
template <class T, auto...>
__host__ __device__ constexpr unsigned qr_suggested_batches() {
  return 1;
}
template <class T, auto...>
__host__ __device__ constexpr dim3 cholesky_suggested_block_dim() {
  return 128;
}
template <class T, auto...>
__host__ __device__ constexpr dim3 lu_np_suggested_block_dim() {
  return 128;
}
template <class T, auto...>
__host__ __device__ constexpr dim3 lu_pp_suggested_block_dim() {
  return 128;
}
template <class T, auto...>
__host__ __device__ constexpr dim3 qr_suggested_block_dim() {
  return 128;
}
template <class T, auto... P, class... A>
__device__ void trsm_dispatch(A...) {}
template <class T, auto... P, class... A>
__device__ void cholesky_dispatch(A...) {}
template <class T, auto... P, class... A>
__device__ void potrs_dispatch(A...) {}
template <class T, auto... P, class... A>
__device__ void lu_np_dispatch(A...) {}
template <class T, auto... P, class... A>
__device__ void lu_pp_dispatch(A...) {}
template <class T, auto... P, class... A>
__device__ void getrs_no_pivot_dispatch(A...) {}
template <class T, auto... P, class... A>
__device__ void getrs_partial_pivot_dispatch(A...) {}
template <class T, auto... P, class... A>
__device__ void geqrf_dispatch(A...) {}
template <class T, auto... P, class... A>
__device__ void gelqf_dispatch(A...) {}
template <class T, auto... P, class... A>
__device__ void geqrs_dispatch(A...) {}
template <class T, auto... P, class... A>
__device__ void gelqs_dispatch(A...) {}
template <class T, auto... P, class... A>
__device__ void unmqr_dispatch(A...) {}
template <class T, auto... P, class... A>
__device__ void unmlq_dispatch(A...) {}
}  // namespace cusolverdx
