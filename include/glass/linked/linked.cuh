// Functions of NVIDIA's device libraries, which the runtime generates for a kernel's sizes and links into it: the body
// `nvidia` of an operation (Body names ours; this one is not written in it). They work on one or several problems of a
// block in shared memory, back to back. Here: how they are declared, and what the operations share. Not here: who
// generates them (lib/backend/cuda/mathdx.hpp), and which function an operation wants (its catalog row).
// Only in a kernel that the runtime makes: it defines GLASS_LINKED. In a static build include <glass/nvidia.cuh>.
#pragma once
#include <glass/core/each.cuh>
#include <glass/core/math.cuh>
#include <glass/core/options.cuh>
#include <glass/core/view.cuh>
#if defined(GLASS_LINKED)
#if GLASS_CUDA
#define GLASS_FOREIGN __device__
#else  // a test that stands in for the library
#define GLASS_FOREIGN
#endif
// GLASS_LINKED_FUNCTION(potrf, (T* A, int* info), (A, info)): linked::function::potrf(A, info) for float and double,
// whose symbols are glass_potrf_f32 and glass_potrf_f64.
#define GLASS_LINKED_FUNCTION(NAME, PARAMETERS, ARGUMENTS)                    \
  namespace glass::linked::single {                                           \
  extern "C" GLASS_FOREIGN void glass_##NAME##_f32 PARAMETERS;                \
  }                                                                           \
  namespace glass::linked::twice {                                            \
  extern "C" GLASS_FOREIGN void glass_##NAME##_f64 PARAMETERS;                \
  }                                                                           \
  namespace glass::linked::function {                                         \
  namespace f32 {                                                             \
  using T = float;                                                            \
  GLASS_DEVICE void NAME PARAMETERS { single::glass_##NAME##_f32 ARGUMENTS; } \
  }                                                                           \
  namespace f64 {                                                             \
  using T = double;                                                           \
  GLASS_DEVICE void NAME PARAMETERS { twice::glass_##NAME##_f64 ARGUMENTS; }  \
  }                                                                           \
  using f32::NAME;                                                            \
  using f64::NAME;                                                            \
  }
namespace glass::linked::single {
using T = float;
}
namespace glass::linked::twice {
using T = double;
}
namespace glass::linked::detail {
// A view, or the views of several problems: always as many as the library works on. Where the batch has fewer, the last
// ones are copies of the first (view.cuh), and what is done to one problem's numbers here must be done to all: a copy's
// pivots that are not counted as the library counts swap rows of its neighbour.
template <class V>
struct problems {
  using view = V;
  static constexpr int most = 1;
  GLASS_DEVICE static V at(V v, int) { return v; }
};
template <class V, int Most>
struct problems<several<V, Most>> {
  using view = V;
  static constexpr int most = Most;
  GLASS_DEVICE static V at(several<V, Most> v, int k) { return v[k]; }
};
template <class V>
inline constexpr int most_of = problems<V>::most;
template <class V>
using view_of = typename problems<V>::view;
template <class V>
GLASS_DEVICE auto at(V v, int k) {
  return problems<V>::at(v, k);
}
// All numbers of all problems, one after the other.
template <class V>
GLASS_DEVICE auto numbers_of(V v) {
  return at(v, 0).data;
}
template <class V>
inline constexpr int elements_of = view_of<V>::static_rows* view_of<V>::static_cols;
template <class V>
inline constexpr int all_elements_of = most_of<V>* elements_of<V>;
// f(number) for every number of every problem.
template <class S, class V, class F>
GLASS_DEVICE void each_number(S scope, V v, F f) {
  auto* at = numbers_of(v);
  each(scope, all_elements_of<V>, [&](int e) { f(at[e]); });
}

// The library's info codes of all problems, in the block's memory.
template <class V, class S>
GLASS_DEVICE int* codes_of(S scope) {
  return scope.template exchange<int, most_of<V>>();
}
// codes[k]: the library's code, or the first pivot of problem k that is not good, whichever comes first. Whether all
// problems went well; ends synchronised.
template <class S, class A, class F>
GLASS_DEVICE bool all_pivots(S scope, A a, int n, int* codes, F good) {
  constexpr int count = most_of<A>;
  bool fine = true;
  each(scope, n * count, [&](int e) { fine = fine && good(at(a, e / n)(e % n, e % n)); });
  each(scope, count, [&](int k) { fine = fine && codes[k] == 0; });
  if (!scope.any(!fine)) return true;
  each(scope, count, [&](int k) {
    const auto one = at(a, k);
    int code = codes[k] > 0 ? codes[k] : n + 1;
    for (int i = code - 1; i-- > 0;)
      if (!good(one(i, i))) code = i + 1;
    codes[k] = code > n ? 0 : code;
  });
  scope.sync();
  return false;
}
// What an operation returns: the code of its problem, or where those of several are.
template <class V>
GLASS_DEVICE auto answer(const int* codes) {
  if constexpr (most_of<V> == 1)
    return codes[0];
  else
    return codes;
}
// The right-hand sides as they were, kept in registers until it is known that they are not wanted.
template <class S, class B>
struct kept {
  using T = value_of<view_of<B>>;
  static constexpr int items = (all_elements_of<B> + S::width - 1) / S::width;
  T v[items > 0 ? items : 1];
  GLASS_DEVICE kept(S scope, B b) {
    const T* from = numbers_of(b);
    GLASS_UNROLL
    for (int q = 0; q < items; ++q)
      if (const int e = scope.rank() + q * S::width; e < all_elements_of<B>) v[q] = from[e];
    scope.sync();  // who calls the function first must not change what others still read
  }
  // Back for the problems whose code is not 0.
  GLASS_DEVICE void restore(S scope, B b, const int* codes) const {
    T* to = numbers_of(b);
    GLASS_UNROLL
    for (int q = 0; q < items; ++q)
      if (const int e = scope.rank() + q * S::width; e < all_elements_of<B> && codes[e / elements_of<B>] != 0)
        to[e] = v[q];
    scope.sync();
  }
};
}  // namespace glass::linked::detail
#endif
