// Where MathDx has no face: sizes at run time, warps and threads. Each is one sentence.
#pragma once
#include <glass/nvidia/blas.cuh>
#include <glass/nvidia/solvers.cuh>
#include <glass/nvidia/spectrum.cuh>
namespace glass::nvidia::detail::other_scopes {
template <class T, auto..., class... A>
GLASS_DEVICE int gemm(A...) {
  static_assert(never<T>, "glass: gemm of MathDx is for blocks: glass::nvidia::block::gemm.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int gemv(A...) {
  static_assert(never<T>, "glass: gemv of MathDx is for blocks: glass::nvidia::block::gemv.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int potrf(A...) {
  static_assert(never<T>, "glass: potrf of MathDx is for blocks: glass::nvidia::block::potrf.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int potrs(A...) {
  static_assert(never<T>, "glass: potrs of MathDx is for blocks: glass::nvidia::block::potrs.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int posv(A...) {
  static_assert(never<T>, "glass: posv of MathDx is for blocks: glass::nvidia::block::posv.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int getrf(A...) {
  static_assert(never<T>, "glass: getrf of MathDx is for blocks: glass::nvidia::block::getrf.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int getrf_no_pivot(A...) {
  static_assert(never<T>, "glass: getrf_no_pivot of MathDx is for blocks: glass::nvidia::block::getrf_no_pivot.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int getrs(A...) {
  static_assert(never<T>, "glass: getrs of MathDx is for blocks: glass::nvidia::block::getrs.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int getrs_no_pivot(A...) {
  static_assert(never<T>, "glass: getrs_no_pivot of MathDx is for blocks: glass::nvidia::block::getrs_no_pivot.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int gesv(A...) {
  static_assert(never<T>, "glass: gesv of MathDx is for blocks: glass::nvidia::block::gesv.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int gesv_no_pivot(A...) {
  static_assert(never<T>, "glass: gesv_no_pivot of MathDx is for blocks: glass::nvidia::block::gesv_no_pivot.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int trsm(A...) {
  static_assert(never<T>, "glass: trsm of MathDx is for blocks: glass::nvidia::block::trsm.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int trsv(A...) {
  static_assert(never<T>, "glass: trsv of MathDx is for blocks: glass::nvidia::block::trsv.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int geqrf(A...) {
  static_assert(never<T>, "glass: geqrf of MathDx is for blocks: glass::nvidia::block::geqrf.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int ormqr(A...) {
  static_assert(never<T>, "glass: ormqr of MathDx is for blocks: glass::nvidia::block::ormqr.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int unmqr(A...) {
  static_assert(never<T>, "glass: unmqr of MathDx is for blocks: glass::nvidia::block::unmqr.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int gels(A...) {
  static_assert(never<T>, "glass: gels of MathDx is for blocks: glass::nvidia::block::gels.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int syev(A...) {
  static_assert(never<T>, "glass: syev of MathDx is for blocks: glass::nvidia::block::syev.");
  return 0;
}
template <class T, auto..., class... A>
GLASS_DEVICE int heev(A...) {
  static_assert(never<T>, "glass: heev of MathDx is for blocks: glass::nvidia::block::heev.");
  return 0;
}
}  // namespace glass::nvidia::detail::other_scopes
namespace glass::nvidia::thread {
using namespace detail::other_scopes;
}  // namespace glass::nvidia::thread
namespace glass::nvidia::warp {
using namespace detail::other_scopes;
}  // namespace glass::nvidia::warp
namespace glass::nvidia::block {
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int gemm(int, A...) {
  static_assert(detail::never<T>, "glass: nvidia::block::gemm takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int gemv(int, A...) {
  static_assert(detail::never<T>, "glass: nvidia::block::gemv takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int potrf(int, A...) {
  static_assert(detail::never<T>, "glass: nvidia::block::potrf takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int potrs(int, A...) {
  static_assert(detail::never<T>, "glass: nvidia::block::potrs takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int posv(int, A...) {
  static_assert(detail::never<T>, "glass: nvidia::block::posv takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int getrf(int, A...) {
  static_assert(detail::never<T>, "glass: nvidia::block::getrf takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int getrf_no_pivot(int, A...) {
  static_assert(detail::never<T>,
                "glass: nvidia::block::getrf_no_pivot takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int getrs(int, A...) {
  static_assert(detail::never<T>, "glass: nvidia::block::getrs takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int getrs_no_pivot(int, A...) {
  static_assert(detail::never<T>,
                "glass: nvidia::block::getrs_no_pivot takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int gesv(int, A...) {
  static_assert(detail::never<T>, "glass: nvidia::block::gesv takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int gesv_no_pivot(int, A...) {
  static_assert(detail::never<T>, "glass: nvidia::block::gesv_no_pivot takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int trsm(int, A...) {
  static_assert(detail::never<T>, "glass: nvidia::block::trsm takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int trsv(int, A...) {
  static_assert(detail::never<T>, "glass: nvidia::block::trsv takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int geqrf(int, A...) {
  static_assert(detail::never<T>, "glass: nvidia::block::geqrf takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int ormqr(int, A...) {
  static_assert(detail::never<T>, "glass: nvidia::block::ormqr takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int unmqr(int, A...) {
  static_assert(detail::never<T>, "glass: nvidia::block::unmqr takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int gels(int, A...) {
  static_assert(detail::never<T>, "glass: nvidia::block::gels takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int syev(int, A...) {
  static_assert(detail::never<T>, "glass: nvidia::block::syev takes its sizes as constants, in the brackets.");
  return 0;
}
template <class T, auto... O, class... A, glass::detail::when<glass::detail::only_options<O...>> = 0>
GLASS_DEVICE int heev(int, A...) {
  static_assert(detail::never<T>, "glass: nvidia::block::heev takes its sizes as constants, in the brackets.");
  return 0;
}
}  // namespace glass::nvidia::block
