// Exchange memory by the size: parts that the steps of a kernel use one after the other, and a problem's numbers moved
// through such a part in pieces of 16 bytes. Not here: which element a lane wants (core/fragment.cuh).
//   a part    a power of two of bytes a scope, so that all steps that need about as much share one array; at most
//             16 KB a block, so that parts of all sizes together leave a third of the 48 KB to others
//   a run     the M N numbers of a view without gaps. The part holds them at the same distance from a multiple of 16
//             bytes as memory does, so that whole pieces move whatever the alignment; numbers before the first and
//             after the last whole piece move one by one
#pragma once
#include <glass/core/copy.cuh>
#include <glass/core/view.cuh>
namespace glass::detail {
template <class T, int Count>
GLASS_SCALAR constexpr int part_bytes() {
  int bytes = 16;
  while (bytes < Count * int(sizeof(T))) bytes *= 2;
  return bytes;
}
template <class S, class T, int Count>
GLASS_SCALAR constexpr bool has_part() {
  return can_exchange<S> && can_shuffle<S> && scopes_of<S> * part_bytes<T, Count>() <= 16 << 10;
}
// Whoever takes a part leaves it with a sync.
template <class T, int Count, class S>
GLASS_DEVICE T* part_of(S scope) {
  return reinterpret_cast<T*>(scope.template exchange<double, part_bytes<T, Count>() / 8>());
}
template <class T>
struct alignas(16) line {  // one access to shared memory
  T v[16 / sizeof(T)];
};
// No gaps between the numbers, whose order is that of memory.
template <class View>
GLASS_SCALAR constexpr bool is_run() {
  if constexpr (!View::is_static || View::static_inc != 1)
    return false;
  else if constexpr (View::static_cols == 1)
    return true;
  else
    return View::static_ld == (View::order == Order::col ? View::static_rows : View::static_cols);
}
template <class S, class View>
struct run {
  using T = value_of<View>;
  static constexpr int each = 16 / int(sizeof(T)), count = View::static_rows * View::static_cols;
  static constexpr int places = count + each - 1;  // numbers in the part
  GLASS_SCALAR static constexpr bool fits() { return is_run<View>() && count > 0 && has_part<S, T, places>(); }
  S scope;
  View far;
  int head, pieces;  // numbers before the first whole piece; whole pieces
  T* near;           // where the first number lies in the part
  GLASS_DEVICE run(S s, View a) : scope(s), far(a) {
    const int off = int(reinterpret_cast<unsigned long long>(a.data) % 16) / int(sizeof(T));
    head = (each - off) % each;
    head = head < count ? head : count;
    pieces = (count - head) / each;
    near = part_of<T, places>(s) + off;
  }
  // The numbers in the part, as a view like that of memory.
  GLASS_DEVICE View part() const {
    View here = far;
    here.data = near;
    return here;
  }
  // f(first of `each` numbers) for whole pieces, g(number) for the others; the rounds are known, for loads to overlap.
  template <class F, class G>
  GLASS_DEVICE void deal(F f, G g) const {
    constexpr int W = S::width, rounds = (count / each + W - 1) / W;
    GLASS_UNROLL
    for (int r = 0; r < rounds; ++r)
      if (const int p = scope.rank() + r * W; p < pieces) f(head + p * each);
    for (int e = scope.rank(); e < 2 * each; e += W) {
      const int at = e < each ? e : head + pieces * each + e - each;
      if (e < each ? at < head : at < count) g(at);
    }
  }
  // Only from global memory: that is what asynchronous copies read.
  GLASS_DEVICE bool read() const {
    if (!in_global_memory(far.data)) return false;
    deal([&](int at) { copy_ahead(near + at, far.data + at); }, [&](int at) { near[at] = far.data[at]; });
    close_copies();
    wait_for_copies<0>();
    return true;
  }
  GLASS_DEVICE void write() const {
    deal([&](int at) { *reinterpret_cast<piece*>(far.data + at) = *reinterpret_cast<const piece*>(near + at); },
         [&](int at) { far.data[at] = near[at]; });
  }
};
}  // namespace glass::detail
