// The vendor's batched calls on the buffers of a workload: cuBLAS and cuSOLVER, loaded with dlopen where the machine
// has them (CUDA toolkit or its wheels on the library path), as a column of the grid and nothing else. Declared here as
// in cublas_v2.h and cusolverDn.h.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cuda/driver.hpp"
#include "backend/cuda/shared_library.hpp"
#include "catalog/catalog.hpp"
#include "tune/arguments.hpp"
#include "tune/tune.hpp"

namespace glass::jit::bench {

class vendor {
 public:
  explicit vendor(backend& device) : device_(device) {
    if (device.device().backend != "cuda") return;
    driver_ = cuda::load_driver();
    for (const char* file : {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"})
      if (blas_ = cuda::shared_library(file); blas_) break;
    for (const char* file : {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"})
      if (solver_ = cuda::shared_library(file); solver_) break;
    if (blas_ && blas_.find<int(handle*)>("cublasCreate_v2")(&blas_handle_) != 0) blas_ = {};
    if (solver_ && solver_.find<int(handle*)>("cusolverDnCreate")(&solver_handle_) != 0) solver_ = {};
  }
  // "cuBLAS, cuSOLVER", or what is missing.
  std::string found() const { return !blas_ ? "no cuBLAS" : !solver_ ? "cuBLAS, no cuSOLVER" : "cuBLAS, cuSOLVER"; }
  // ns per problem, the median of `repeats` runs of 20 calls; NaN where there is no such call.
  double ns(const std::string& op, const bound_problem& p, workload& data, int repeats) {
    const std::function<int()> call =
        p.request.type == f64 ? call_for<double>(op, p, data) : call_for<float>(op, p, data);
    if (!call || call() != 0) return release(), std::nan("");
    CUevent_st *start, *stop;
    driver_.event_create(&start, cuda::event_default), driver_.event_create(&stop, cuda::event_default);
    std::vector<double> all;
    for (int r = 0; r < repeats; ++r) {
      data.restore();
      device_.synchronize();
      driver_.event_record(start, nullptr);
      for (int i = 0; i < 20; ++i) call();
      driver_.event_record(stop, nullptr);
      driver_.context_synchronize();
      float milliseconds = 0;
      driver_.event_elapsed(&milliseconds, start, stop);
      all.push_back(milliseconds * 1e6 / 20 / double(data.count()));
    }
    driver_.event_destroy(start), driver_.event_destroy(stop);
    release();
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
  }

 private:
  using handle = void*;
  // An array of pointers to the problems of operand `base`, on the device.
  template <class T>
  T** pointers(void* base, long long stride, long long count) {
    std::vector<T*> list(static_cast<std::size_t>(count));
    for (long long i = 0; i < count; ++i) list[static_cast<std::size_t>(i)] = static_cast<T*>(base) + i * stride;
    owned_.push_back(device_.allocate(list.size() * sizeof(T*)));
    device_.upload(owned_.back(), list.data(), list.size() * sizeof(T*));
    return static_cast<T**>(owned_.back());
  }
  void release() {
    for (void* p : owned_) device_.free(p);
    owned_.clear();
  }

  template <class T>
  std::function<int()> call_for(const std::string& op, const bound_problem& p, workload& data) {
    constexpr bool d = sizeof(T) == 8;
    const auto* block = reinterpret_cast<const argument_block*>(data.arguments().data());
    const auto at = [&](int k) { return const_cast<void*>(block->at[k].pointer); };
    const auto size = [&](const char* name) { return p.sizes.at(name); };
    const int count = static_cast<int>(data.count());
    static const T half = T(0.5), quarter = T(0.25), one = T(1), zero = T(0);  // the examples of alpha and beta
    constexpr int lower = 0, left = 0, nonunit = 0, plain = 0;
    if (!blas_) return {};
    if (op == "gemv") {
      using f = int(handle, int, int, int, const T*, const T*, int, long long, const T*, int, long long, const T*, T*,
                    int, long long, int);
      f* go = blas_.find<f>(d ? "cublasDgemvStridedBatched" : "cublasSgemvStridedBatched");
      const int m = size("M"), n = size("N");
      T *a = static_cast<T*>(at(1)), *x = static_cast<T*>(at(2)), *y = static_cast<T*>(at(4));
      if (go == nullptr) return {};
      return [=, this] {
        return go(blas_handle_, plain, m, n, &half, a, m, (long long)m * n, x, 1, n, &quarter, y, 1, m, count);
      };
    }
    if (op == "gemm" || op == "gemm_to") {
      using f = int(handle, int, int, int, int, int, const T*, const T*, int, long long, const T*, int, long long,
                    const T*, T*, int, long long, int);
      f* go = blas_.find<f>(d ? "cublasDgemmStridedBatched" : "cublasSgemmStridedBatched");
      const int m = size("M"), n = size("N"), k = size("K");
      T *a = static_cast<T*>(at(1)), *b = static_cast<T*>(at(2)), *c = static_cast<T*>(at(op == "gemm" ? 4 : 3));
      const T* beta = op == "gemm" ? &quarter : &zero;
      if (go == nullptr) return {};
      return [=, this] {
        return go(blas_handle_, plain, plain, m, n, k, &half, a, m, (long long)m * k, b, k, (long long)k * n, beta, c,
                  m, (long long)m * n, count);
      };
    }
    const int n = size("N");
    const long long square = (long long)n * n;
    if (op == "trsv") {
      using f = int(handle, int, int, int, int, int, int, const T*, const T* const*, int, T* const*, int, int);
      f* go = blas_.find<f>(d ? "cublasDtrsmBatched" : "cublasStrsmBatched");
      T **a = pointers<T>(at(0), square, count), **x = pointers<T>(at(1), n, count);
      if (go == nullptr) return {};
      return [=, this] { return go(blas_handle_, left, lower, plain, nonunit, n, 1, &one, a, n, x, n, count); };
    }
    if (!solver_ || (op != "potrf" && op != "posv")) return {};
    using factor = int(handle, int, int, T*[], int, int*, int);
    using solve = int(handle, int, int, int, T*[], int, T*[], int, int*, int);
    factor* potrf = solver_.find<factor>(d ? "cusolverDnDpotrfBatched" : "cusolverDnSpotrfBatched");
    solve* potrs = solver_.find<solve>(d ? "cusolverDnDpotrsBatched" : "cusolverDnSpotrsBatched");
    if (potrf == nullptr || potrs == nullptr) return {};
    T** a = pointers<T>(at(0), square, count);
    owned_.push_back(device_.allocate(std::size_t(count) * sizeof(int)));
    int* info = static_cast<int*>(owned_.back());
    if (op == "potrf") return [=, this] { return potrf(solver_handle_, lower, n, a, n, info, count); };
    T** b = pointers<T>(at(1), n, count);
    return [=, this] {
      const int r = potrf(solver_handle_, lower, n, a, n, info, count);
      return r != 0 ? r : potrs(solver_handle_, lower, n, 1, a, n, b, n, info, count);
    };
  }

  backend& device_;
  cuda::driver driver_ = {};
  cuda::shared_library blas_, solver_;
  handle blas_handle_ = nullptr, solver_handle_ = nullptr;
  std::vector<void*> owned_;
};

}  // namespace glass::jit::bench
