// Exchange memory by the size: parts that the steps of a kernel use one after the other, and a problem's numbers moved
// through such a part in pieces of 16 bytes. Not here: which element a lane wants (core/fragment.cuh).
//   a part    a power of two of bytes a scope, so that all steps that need about as much share one array; at most
//             16 KB a block, so that parts of all sizes together leave a third of the 48 KB to others
//   a run     the M N numbers of a view without gaps, of one scope, or of all scopes of a warp one after the other. The
//             part holds them at the same distance from a multiple of 16 bytes as memory does, so that whole pieces move
//             whatever the alignment; numbers before the first and after the last whole piece move one by one
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
// One scope, or the scopes of a warp that have a problem: who they are, and where their part lies.
template <class S, Path How>
struct party {
  static constexpr int most = 1, parties = scopes_of<S>;  // problems that move together; such groups in the block
  S lanes;
  GLASS_DEVICE explicit party(S s) : lanes(s) {}
  GLASS_DEVICE int problems() const { return 1; }
  GLASS_DEVICE int mine() const { return 0; }
  GLASS_DEVICE int index() const { return S::index(); }
  template <class T>
  GLASS_DEVICE bool open(T*, bool wanted) const {
    return wanted;
  }
  GLASS_DEVICE void close() const {}
};
template <int W, int P, scope::others O>
struct party<scope::tile<W, P, O>, Path::joined> {
  static constexpr int most = 32 / W < P ? 32 / W : P, parties = (P + most - 1) / most;
  scope::detail::joined_lanes lanes;
  GLASS_DEVICE explicit party(scope::tile<W, P, O> s) : lanes{W * most} {
    const int left = s.present - index() * most;
    if (left < most) lanes.count = W * left;
  }
  GLASS_DEVICE int problems() const { return lanes.count / W; }
  GLASS_DEVICE int mine() const { return scope::tile<W, P>::index() % most; }
  GLASS_DEVICE int index() const { return scope::tile<W, P>::index() / most; }
  // first: where the first problem lies, if they lie back to back. False: they do not, or not all are wanted.
  template <class T>
  GLASS_DEVICE bool open(T* first, bool wanted) const {
    if (lanes.open(reinterpret_cast<unsigned long long>(first), !wanted)) return true;
    lanes.close();
    return false;
  }
  GLASS_DEVICE void close() const { lanes.close(); }
};
// The numbers of one view in each scope of a party.
template <class S, class View, Path How>
struct run {
  using T = value_of<View>;
  using people = party<S, How>;
  static constexpr int each = 16 / int(sizeof(T)), one = View::static_rows * View::static_cols;
  static constexpr int places = people::most * one + each - 1;  // numbers in the part
  GLASS_SCALAR static constexpr bool fits() {
    return is_run<View>() && one > 0 && people::parties * part_bytes<T, places>() <= 16 << 10;
  }
  people all;
  decltype(people::lanes) scope;  // their lanes
  View far;                       // this scope's numbers in memory
  decltype(View::data) begin;     // and those of the first of the party
  int count, head, pieces;        // numbers of all; those before the first whole piece; whole pieces
  T* near;                        // where the first number lies in the part
  GLASS_DEVICE run(S s, View a)
      : all(s), scope(all.lanes), far(a), begin(a.data - all.mine() * one), count(all.problems() * one) {
    const int off = int(reinterpret_cast<unsigned long long>(begin) % 16) / int(sizeof(T));
    head = (each - off) % each;
    head = head < count ? head : count;
    pieces = (count - head) / each;
    near = reinterpret_cast<T*>(
               scope::detail::exchange_memory<double, part_bytes<T, places>() / 8, people::parties>(all.index())) +
           off;
  }
  GLASS_DEVICE bool open(bool wanted) const { return all.open(begin, wanted); }
  // This scope's numbers in the part, as a view like that of memory.
  GLASS_DEVICE View part() const {
    View here = far;
    here.data = near + all.mine() * one;
    return here;
  }
  // f(first of `each` numbers) for whole pieces, g(number) for the others; where nobody is missing the rounds are known,
  // for accesses to overlap.
  template <class F, class G>
  GLASS_DEVICE void deal(F f, G g) const {
    constexpr int full = S::width * people::most, rounds = (one * people::most / each + full - 1) / full;
    const int rank = scope.rank(), size = scope.size();
    if (size == full) {
      GLASS_UNROLL
      for (int r = 0; r < rounds; ++r)
        if (rank + r * full < pieces) f(head + rank * each + r * full * each);
    } else {
      for (int p = rank; p < pieces; p += size) f(head + p * each);
    }
    for (int e = rank; e < 2 * each; e += size) {
      const int at = e < each ? e : head + pieces * each + e - each;
      if (e < each ? at < head : at < count) g(at);
    }
  }
  GLASS_DEVICE void read() const {
    if (in_global_memory(begin)) {  // that is what asynchronous copies read
      deal([&](int at) { copy_ahead(near + at, begin + at); }, [&](int at) { near[at] = begin[at]; });
      close_copies();
      wait_for_copies<0>();
    } else {
      deal([&](int at) { move(near + at, begin + at); }, [&](int at) { near[at] = begin[at]; });
    }
    scope.sync();
  }
  GLASS_DEVICE void write() const {
    scope.sync();
    deal([&](int at) { move(begin + at, near + at); }, [&](int at) { begin[at] = near[at]; });
    leave();
  }
  GLASS_DEVICE void leave() const {
    scope.sync();
    all.close();
  }

 private:
  template <class U>
  GLASS_DEVICE static void move(T* to, U* from) {
    *reinterpret_cast<piece*>(to) = *reinterpret_cast<const piece*>(from);
  }
};
}  // namespace glass::detail
