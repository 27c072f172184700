// Reductions whose exchange between lanes is CUB's: WarpReduce in a warp, BlockReduce in a block of known size. What a
// lane does with its own terms, and the rules for NaN, ties and empty vectors, are those of glass's own operations.
//   glass::nvidia::dot(scope, x, y), …                     the value face, in scope::warp and scope::block<N>
//   glass::nvidia::warp::dot<T, N>(x, y)                   as glass::warp::dot
//   glass::nvidia::block::dot<T, N, Threads{256}>(x, y)    as glass::block::dot, in a one-dimensional block of so many
//                                                          threads (without: 128)
// also with sizes at run time: dot<T>(n, x, y); and so: reduce, asum, nrm1_diff, nrm2, reduce_min, reduce_max, infnorm,
// argmax, argmin, iamax.
// options  Sync. Sum::fixed is refused: it fixes the order of the additions, and CUB has its own.
// memory   some static shared memory, at most 1 KB: nothing to be given. A vector lies anywhere.
// A thread has no exchange: glass::thread::dot is all there is.
#pragma once
#include <glass/nvidia/found.cuh>
#include <glass/nvidia/lanes.cuh>
#include <glass/reduce/argument.cuh>
#include <glass/reduce/extreme.cuh>
#include <glass/reduce/norm.cuh>
#include <glass/reduce/sum.cuh>
#include <glass/vector/dot.cuh>
#ifndef GLASS_CCCL_TROUBLE
#include <cub/block/block_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>
#endif
namespace glass::nvidia::detail {
template <class S>
inline constexpr bool reduces = S::width == 32 || is_block<S>;
#ifdef GLASS_CCCL_TROUBLE
template <class S>
GLASS_DEVICE S through_cub(S scope) {
  static_assert(never<S>, "glass: the headers of CUB " GLASS_CCCL_TROUBLE ".");
  return scope;
}
#else
// The result is in the first lane alone, or not yet in the others.
template <class Reduce, class T, class Op>
GLASS_DEVICE T join(Reduce lanes, T x, Op op) {
  return lanes.Reduce(x, op);
}
template <class Reduce, class T>
GLASS_DEVICE T join(Reduce lanes, T x, scope::detail::plus) {
  return lanes.Sum(x);
}
// S with the reductions of CUB.
template <class S>
struct with_cub : S {
  GLASS_DEVICE explicit with_cub(S scope) : S(scope) {}
  template <class T, class Op>
  GLASS_DEVICE T reduce(T x, Op op, scope::site = scope::site::here()) const {
    if constexpr (is_block<S>) {
      using lanes = cub::BlockReduce<T, S::width>;
      __shared__ typename lanes::TempStorage storage;  // free again: all uses end with the syncs of broadcast
      return this->broadcast(join(lanes(storage), x, op), 0);
    } else {
      using lanes = cub::WarpReduce<T>;
      __shared__ typename lanes::TempStorage storage[32];
      return this->broadcast(join(lanes(storage[scope::detail::linear_thread() / 32]), x, op), 0);
    }
  }
  template <class T>
  GLASS_DEVICE T sum(T x, scope::site = scope::site::here()) const {
    return reduce(x, scope::detail::plus{});
  }
};
template <class S>
GLASS_DEVICE auto through_cub(S scope) {
  if constexpr (reduces<S> && S::width > 0)
    return with_cub<S>(scope);
  else
    return scope;
}
#endif
// The scope that an operation then works in; one sentence where it cannot.
template <auto... Options, class S>
GLASS_DEVICE auto for_reduction(S scope) {
  constexpr bool known = takes<types<Threads, Sum, Sync>, Options...>;
  constexpr bool fast = chosen<Sum::fast, 0, Options...>() == Sum::fast;
  constexpr bool fits = reduces<S> && S::width > 0;
  static_assert(known, "glass: a reduction of CUB takes the options Threads, Sum and Sync, in any order.");
  static_assert(fast,
                "glass: Sum::fixed fixes the order of the additions, and CUB has its own: take glass's operation.");
  static_assert(fits, "glass: CUB reduces in scope::warp and scope::block<N>, N the threads of the block.");
  if constexpr (known && fast && fits)
    return through_cub(scope);
  else
    return scope;
}
template <auto... Options>
inline constexpr Sync end_of = chosen<Sync::yes, 0, Options...>();
}  // namespace glass::nvidia::detail
#ifndef GLASS_CCCL_TROUBLE
namespace glass {
template <class S>
inline constexpr bool is_scope<nvidia::detail::with_cub<S>> = true;
template <class S>
inline constexpr bool is_block<nvidia::detail::with_cub<S>> = is_block<S>;
template <class S>
inline constexpr bool can_shuffle<nvidia::detail::with_cub<S>> = can_shuffle<S>;
template <class S>
inline constexpr int scopes_of<nvidia::detail::with_cub<S>> = scopes_of<S>;
template <class S>
inline constexpr int reserve_of<nvidia::detail::with_cub<S>> = reserve_of<S>;
}  // namespace glass
#endif

// The value face: views as those of the operation of the same name, and vectors of one for its results where they are to
// be stored.
namespace glass::nvidia {
template <auto... Options, class S, class... Views, glass::detail::when<is_scope<S>> = 0>
GLASS_DEVICE auto dot(S scope, Views... views) {
  return glass::dot<detail::end_of<Options...>>(detail::for_reduction<Options...>(scope), views...);
}
template <auto... Options, class S, class... Views, glass::detail::when<is_scope<S>> = 0>
GLASS_DEVICE auto nrm1_diff(S scope, Views... views) {
  return glass::nrm1_diff<detail::end_of<Options...>>(detail::for_reduction<Options...>(scope), views...);
}
template <auto... Options, class S, class... Views, glass::detail::when<is_scope<S>> = 0>
GLASS_DEVICE auto reduce(S scope, Views... views) {
  return glass::reduce<detail::end_of<Options...>>(detail::for_reduction<Options...>(scope), views...);
}
template <auto... Options, class S, class... Views, glass::detail::when<is_scope<S>> = 0>
GLASS_DEVICE auto asum(S scope, Views... views) {
  return glass::asum<detail::end_of<Options...>>(detail::for_reduction<Options...>(scope), views...);
}
template <auto... Options, class S, class... Views, glass::detail::when<is_scope<S>> = 0>
GLASS_DEVICE auto nrm2(S scope, Views... views) {
  return glass::nrm2<detail::end_of<Options...>>(detail::for_reduction<Options...>(scope), views...);
}
template <auto... Options, class S, class... Views, glass::detail::when<is_scope<S>> = 0>
GLASS_DEVICE auto vector_norm(S scope, Views... views) {
  return nvidia::nrm2<Options...>(scope, views...);
}
template <auto... Options, class S, class... Views, glass::detail::when<is_scope<S>> = 0>
GLASS_DEVICE auto reduce_min(S scope, Views... views) {
  return glass::reduce_min<detail::end_of<Options...>>(detail::for_reduction<Options...>(scope), views...);
}
template <auto... Options, class S, class... Views, glass::detail::when<is_scope<S>> = 0>
GLASS_DEVICE auto reduce_max(S scope, Views... views) {
  return glass::reduce_max<detail::end_of<Options...>>(detail::for_reduction<Options...>(scope), views...);
}
template <auto... Options, class S, class... Views, glass::detail::when<is_scope<S>> = 0>
GLASS_DEVICE auto infnorm(S scope, Views... views) {
  return glass::infnorm<detail::end_of<Options...>>(detail::for_reduction<Options...>(scope), views...);
}
template <auto... Options, class S, class... Views, glass::detail::when<is_scope<S>> = 0>
GLASS_DEVICE auto argmax(S scope, Views... views) {
  return glass::argmax<detail::end_of<Options...>>(detail::for_reduction<Options...>(scope), views...);
}
template <auto... Options, class S, class... Views, glass::detail::when<is_scope<S>> = 0>
GLASS_DEVICE auto argmin(S scope, Views... views) {
  return glass::argmin<detail::end_of<Options...>>(detail::for_reduction<Options...>(scope), views...);
}
template <auto... Options, class S, class... Views, glass::detail::when<is_scope<S>> = 0>
GLASS_DEVICE auto iamax(S scope, Views... views) {
  return glass::iamax<detail::end_of<Options...>>(detail::for_reduction<Options...>(scope), views...);
}
template <auto... Options, class S, class... Views, glass::detail::when<is_scope<S>> = 0>
GLASS_DEVICE auto argmax_pair(S scope, Views... views) {
  return glass::argmax_pair<detail::end_of<Options...>>(detail::for_reduction<Options...>(scope), views...);
}
template <auto... Options, class S, class... Views, glass::detail::when<is_scope<S>> = 0>
GLASS_DEVICE auto argmin_pair(S scope, Views... views) {
  return glass::argmin_pair<detail::end_of<Options...>>(detail::for_reduction<Options...>(scope), views...);
}
}  // namespace glass::nvidia
