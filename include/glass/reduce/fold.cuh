// What the reductions share: how the lanes of a scope fold a sequence of n terms into one value, and how a result is
// handed out. The operations are in the other headers of this folder and in vector/dot.cuh.
#pragma once
#include <glass/core/each.cuh>
#include <glass/core/math.cuh>
#include <glass/core/view.cuh>
namespace glass::detail {
// part[0] <- op over the first 2 Half of them, as a tree. (A recursion: compilers keep no array of 32 in registers
// whose loop they do not unroll.)
template <int Half, class T, int N, class Op>
GLASS_DEVICE void halve(T (&part)[N], Op op) {
  if constexpr (Half > 0) {
    GLASS_UNROLL
    for (int c = 0; c < Half; ++c) part[c] = op(part[c], part[c + Half]);
    halve<Half / 2>(part, op);
  }
}
// step(...step(start, i)...) over i = first, first + lanes, ... < n: one lane's part. Several chains, joined by op,
// where one lane does all the work.
template <class T, class S, class Step, class Op>
GLASS_DEVICE T partial_fold(S scope, int n, T start, Step step, Op op) {
  constexpr int chains = S::width == 1 && sizeof(T) < 32 ? 32 / int(sizeof(T)) : 1;
  T part[chains];
  GLASS_UNROLL
  for (int c = 0; c < chains; ++c) part[c] = start;
  const int lanes = scope.size();
  int i = scope.rank();
  for (; i + (chains - 1) * lanes < n; i += chains * lanes) {
    GLASS_UNROLL
    for (int c = 0; c < chains; ++c) part[c] = step(part[c], i + c * lanes);
  }
  for (; chains > 1 && i < n; i += lanes) part[0] = step(part[0], i);
  halve<chains / 2>(part, op);
  return part[0];
}
// The same over all lanes, in every lane.
template <class T, class S, class Step, class Op>
GLASS_DEVICE T fold(S scope, int n, T start, Step step, Op op) {
  return scope.reduce(partial_fold(scope, n, start, step, op), op);
}
// One lane's part of the sum of f(i).
template <class T, class S, class F>
GLASS_DEVICE T partial_sum(S scope, int n, F f) {
  return partial_fold(
      scope, n, T(0), [&](T sum, int i) { return sum + f(i); }, scope::detail::plus{});
}
// 32 sums, number v of the terms v, v + 32, ..., joined by halving; of these a lane holds rank, rank + Lanes, ...
template <class T, int Lanes, class Add>
GLASS_DEVICE T partial_fixed_sum(int rank, int n, Add add) {
  constexpr int each = 32 / Lanes;
  T part[each] = {};
  int i = rank;
  for (; i + (each - 1) * Lanes < n; i += 32) {
    GLASS_UNROLL
    for (int c = 0; c < each; ++c) part[c] = add(part[c], i + c * Lanes);
  }
  GLASS_UNROLL
  for (int c = 0; c < each - 1; ++c)
    if (i + c * Lanes < n) part[c] = add(part[c], i + c * Lanes);
  halve<each / 2>(part, scope::detail::plus{});
  return part[0];
}
// add(...add(0, i)...) over i in [0, n), in every lane. Sum::fixed: the same additions in every scope; a block works
// with its first 32 lanes, and where it has fewer, each lane with all terms.
template <Sum How, class T, class S, class Add>
GLASS_DEVICE T total(S scope, int n, Add add) {
  if constexpr (How == Sum::fast) {
    return fold(scope, n, T(0), add, scope::detail::plus{});
  } else if constexpr (can_shuffle<S>) {
    return scope.sum(partial_fixed_sum<T, S::width>(scope.rank(), n, add));
  } else {
    if (scope.size() < 32) return partial_fixed_sum<T, 1>(0, n, add);
    return scope.sum(scope.rank() < 32 ? partial_fixed_sum<T, 32>(scope.rank(), n, add) : T(0));
  }
}
template <class T, class Out>
GLASS_DEVICE void store_parts(T found, Out out) {
  out(0) = found;
}
template <class Found, class A, class B>
GLASS_DEVICE void store_parts(Found found, A a, B b) {
  const auto [first, second] = found;
  a(0) = first, b(0) = second;
}
template <class Found, class A, class B, class C>
GLASS_DEVICE void store_parts(Found found, A a, B b, C c) {
  const auto [first, second, third] = found;
  a(0) = first, b(0) = second, c(0) = third;
}
// The end of a reduction: all lanes meet, so that what was read may be overwritten. With vectors of one for its parts,
// the form for the catalog, one lane stores the result; without, all return it.
template <auto... Options, class S, class T, class... Out>
GLASS_DEVICE auto deliver(S scope, T found, Out... out) {
  if constexpr (sizeof...(Out) > 0) {
    if (scope.rank() == 0) store_parts(found, out...);
  }
  if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  if constexpr (sizeof...(Out) == 0) return found;
}
// A vector of one number, to be written.
template <class Out>
inline constexpr bool holds_one = agree(Out::static_rows, 1) && Out::writable;
// None of these, or as many as a result has parts.
template <int Parts, class... Out>
inline constexpr bool hold_parts = sizeof...(Out) == 0 || (sizeof...(Out) == Parts && (true && ... && holds_one<Out>));
}  // namespace glass::detail
