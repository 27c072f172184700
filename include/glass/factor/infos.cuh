// What operations on several matrices at once return (potrf_each, inv_each): the info of each, in their order.
#pragma once
#include <glass/core/faces.cuh>
namespace glass {
template <int K>
struct infos {
  int at[K];
};
namespace detail {
template <class T, int>
using pointer_to = T*;
}
}  // namespace glass
// glass::block::OP<T, N1, ..., NK>(A1, ..., AK), likewise for thread and warp: packed matrices of constant sizes.
#define GLASS_FACE_EACH(OP, SCOPE)                                          \
  template <class T, int... N, detail::when<(sizeof...(N) > 0)> = 0>        \
  GLASS_DEVICE infos<int(sizeof...(N))> OP(detail::pointer_to<T, N>... A) { \
    return ::glass::OP(SCOPE{}, matrix<T, N, N>(A)...);                     \
  }
