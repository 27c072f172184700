// What operations on several matrices at once return (potrf_each, inv_each): the info of each, in their order.
#pragma once
namespace glass {
template <int K>
struct infos {
  int at[K];
};
}  // namespace glass
