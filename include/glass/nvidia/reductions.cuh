// The pointer faces of CUB's reductions: glass::nvidia::warp::OP and glass::nvidia::block::OP. Contract: nvidia/cub.cuh.
#pragma once
#include <glass/nvidia/cub.cuh>
namespace glass::nvidia::warp {
template <class T, int N, auto... O>
GLASS_DEVICE auto dot(const just<T>* x, const just<T>* y) {
  return nvidia::dot<O...>(scope::warp{}, vector<const T, N>(x), vector<const T, N>(y));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto dot(int n, const just<T>* x, const just<T>* y) {
  return nvidia::dot<O...>(scope::warp{}, vector<const T, dynamic>(x, n), vector<const T, dynamic>(y, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto nrm1_diff(const just<T>* x, const just<T>* y) {
  return nvidia::nrm1_diff<O...>(scope::warp{}, vector<const T, N>(x), vector<const T, N>(y));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto nrm1_diff(int n, const just<T>* x, const just<T>* y) {
  return nvidia::nrm1_diff<O...>(scope::warp{}, vector<const T, dynamic>(x, n), vector<const T, dynamic>(y, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto reduce(const just<T>* x) {
  return nvidia::reduce<O...>(scope::warp{}, vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto reduce(int n, const just<T>* x) {
  return nvidia::reduce<O...>(scope::warp{}, vector<const T, dynamic>(x, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto asum(const just<T>* x) {
  return nvidia::asum<O...>(scope::warp{}, vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto asum(int n, const just<T>* x) {
  return nvidia::asum<O...>(scope::warp{}, vector<const T, dynamic>(x, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto nrm2(const just<T>* x) {
  return nvidia::nrm2<O...>(scope::warp{}, vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto nrm2(int n, const just<T>* x) {
  return nvidia::nrm2<O...>(scope::warp{}, vector<const T, dynamic>(x, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto reduce_min(const just<T>* x) {
  return nvidia::reduce_min<O...>(scope::warp{}, vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto reduce_min(int n, const just<T>* x) {
  return nvidia::reduce_min<O...>(scope::warp{}, vector<const T, dynamic>(x, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto reduce_max(const just<T>* x) {
  return nvidia::reduce_max<O...>(scope::warp{}, vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto reduce_max(int n, const just<T>* x) {
  return nvidia::reduce_max<O...>(scope::warp{}, vector<const T, dynamic>(x, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto infnorm(const just<T>* x) {
  return nvidia::infnorm<O...>(scope::warp{}, vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto infnorm(int n, const just<T>* x) {
  return nvidia::infnorm<O...>(scope::warp{}, vector<const T, dynamic>(x, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto argmax(const just<T>* x) {
  return nvidia::argmax<O...>(scope::warp{}, vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto argmax(int n, const just<T>* x) {
  return nvidia::argmax<O...>(scope::warp{}, vector<const T, dynamic>(x, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto argmin(const just<T>* x) {
  return nvidia::argmin<O...>(scope::warp{}, vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto argmin(int n, const just<T>* x) {
  return nvidia::argmin<O...>(scope::warp{}, vector<const T, dynamic>(x, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto iamax(const just<T>* x) {
  return nvidia::iamax<O...>(scope::warp{}, vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto iamax(int n, const just<T>* x) {
  return nvidia::iamax<O...>(scope::warp{}, vector<const T, dynamic>(x, n));
}
}  // namespace glass::nvidia::warp
namespace glass::nvidia::block {
template <class T, int N, auto... O>
GLASS_DEVICE auto dot(const just<T>* x, const just<T>* y) {
  return nvidia::dot<O...>(detail::calling_block<O...>(), vector<const T, N>(x), vector<const T, N>(y));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto dot(int n, const just<T>* x, const just<T>* y) {
  return nvidia::dot<O...>(detail::calling_block<O...>(), vector<const T, dynamic>(x, n),
                           vector<const T, dynamic>(y, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto nrm1_diff(const just<T>* x, const just<T>* y) {
  return nvidia::nrm1_diff<O...>(detail::calling_block<O...>(), vector<const T, N>(x), vector<const T, N>(y));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto nrm1_diff(int n, const just<T>* x, const just<T>* y) {
  return nvidia::nrm1_diff<O...>(detail::calling_block<O...>(), vector<const T, dynamic>(x, n),
                                 vector<const T, dynamic>(y, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto reduce(const just<T>* x) {
  return nvidia::reduce<O...>(detail::calling_block<O...>(), vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto reduce(int n, const just<T>* x) {
  return nvidia::reduce<O...>(detail::calling_block<O...>(), vector<const T, dynamic>(x, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto asum(const just<T>* x) {
  return nvidia::asum<O...>(detail::calling_block<O...>(), vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto asum(int n, const just<T>* x) {
  return nvidia::asum<O...>(detail::calling_block<O...>(), vector<const T, dynamic>(x, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto nrm2(const just<T>* x) {
  return nvidia::nrm2<O...>(detail::calling_block<O...>(), vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto nrm2(int n, const just<T>* x) {
  return nvidia::nrm2<O...>(detail::calling_block<O...>(), vector<const T, dynamic>(x, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto reduce_min(const just<T>* x) {
  return nvidia::reduce_min<O...>(detail::calling_block<O...>(), vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto reduce_min(int n, const just<T>* x) {
  return nvidia::reduce_min<O...>(detail::calling_block<O...>(), vector<const T, dynamic>(x, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto reduce_max(const just<T>* x) {
  return nvidia::reduce_max<O...>(detail::calling_block<O...>(), vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto reduce_max(int n, const just<T>* x) {
  return nvidia::reduce_max<O...>(detail::calling_block<O...>(), vector<const T, dynamic>(x, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto infnorm(const just<T>* x) {
  return nvidia::infnorm<O...>(detail::calling_block<O...>(), vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto infnorm(int n, const just<T>* x) {
  return nvidia::infnorm<O...>(detail::calling_block<O...>(), vector<const T, dynamic>(x, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto argmax(const just<T>* x) {
  return nvidia::argmax<O...>(detail::calling_block<O...>(), vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto argmax(int n, const just<T>* x) {
  return nvidia::argmax<O...>(detail::calling_block<O...>(), vector<const T, dynamic>(x, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto argmin(const just<T>* x) {
  return nvidia::argmin<O...>(detail::calling_block<O...>(), vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto argmin(int n, const just<T>* x) {
  return nvidia::argmin<O...>(detail::calling_block<O...>(), vector<const T, dynamic>(x, n));
}
template <class T, int N, auto... O>
GLASS_DEVICE auto iamax(const just<T>* x) {
  return nvidia::iamax<O...>(detail::calling_block<O...>(), vector<const T, N>(x));
}
template <class T, auto... O, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE auto iamax(int n, const just<T>* x) {
  return nvidia::iamax<O...>(detail::calling_block<O...>(), vector<const T, dynamic>(x, n));
}
}  // namespace glass::nvidia::block
namespace glass::nvidia::thread {
template <class T, auto..., class... A>
GLASS_DEVICE T dot(A...) {
  static_assert(detail::never<T>,
                "glass: CUB reduces in warps and blocks; for one thread there is glass::thread::dot.");
  return T();
}
template <class T, auto..., class... A>
GLASS_DEVICE T nrm1_diff(A...) {
  static_assert(detail::never<T>,
                "glass: CUB reduces in warps and blocks; for one thread there is glass::thread::nrm1_diff.");
  return T();
}
template <class T, auto..., class... A>
GLASS_DEVICE T reduce(A...) {
  static_assert(detail::never<T>,
                "glass: CUB reduces in warps and blocks; for one thread there is glass::thread::reduce.");
  return T();
}
template <class T, auto..., class... A>
GLASS_DEVICE T asum(A...) {
  static_assert(detail::never<T>,
                "glass: CUB reduces in warps and blocks; for one thread there is glass::thread::asum.");
  return T();
}
template <class T, auto..., class... A>
GLASS_DEVICE T nrm2(A...) {
  static_assert(detail::never<T>,
                "glass: CUB reduces in warps and blocks; for one thread there is glass::thread::nrm2.");
  return T();
}
template <class T, auto..., class... A>
GLASS_DEVICE T reduce_min(A...) {
  static_assert(detail::never<T>,
                "glass: CUB reduces in warps and blocks; for one thread there is glass::thread::reduce_min.");
  return T();
}
template <class T, auto..., class... A>
GLASS_DEVICE T reduce_max(A...) {
  static_assert(detail::never<T>,
                "glass: CUB reduces in warps and blocks; for one thread there is glass::thread::reduce_max.");
  return T();
}
template <class T, auto..., class... A>
GLASS_DEVICE T infnorm(A...) {
  static_assert(detail::never<T>,
                "glass: CUB reduces in warps and blocks; for one thread there is glass::thread::infnorm.");
  return T();
}
template <class T, auto..., class... A>
GLASS_DEVICE T argmax(A...) {
  static_assert(detail::never<T>,
                "glass: CUB reduces in warps and blocks; for one thread there is glass::thread::argmax.");
  return T();
}
template <class T, auto..., class... A>
GLASS_DEVICE T argmin(A...) {
  static_assert(detail::never<T>,
                "glass: CUB reduces in warps and blocks; for one thread there is glass::thread::argmin.");
  return T();
}
template <class T, auto..., class... A>
GLASS_DEVICE T iamax(A...) {
  static_assert(detail::never<T>,
                "glass: CUB reduces in warps and blocks; for one thread there is glass::thread::iamax.");
  return T();
}
}  // namespace glass::nvidia::thread
