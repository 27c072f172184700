// Row fragments: matrices and vectors held in registers, dealt over the lanes of a thread, tile or warp scope.
//   (lane, item) -> row lane + item W;   v[item][j] is column j.   Rows past M - 1 hold zeros after a load and are
//   never stored.
// All indices into v must fold at compile time (unrolled loops), or the registers become local memory.
//
// load<Path>(scope, A) -> fragment               A: a view of constant sizes, any order and leading dimension.
// store<Path>(scope, fragment, A, wanted = true) wanted: whether to write, the same in every lane of the scope.
// load_lower, store_lower                        the lower triangle with its diagonal alone, directly
// get(scope, fragment, i, j)                     one element, i and j constants, in every lane
// path     direct (default): each lane its own elements, one by one
//          staged: the matrix as one run of memory, in pieces of 16 bytes whatever its alignment, through exchange memory
//          joined: the same for the matrices of all scopes of a warp at once, which lie back to back as those of a batch
//          do; where they do not, or one is not wanted, directly. Not to load what the kernel itself wrote before:
//          a scope's sync orders its own lanes only
//          Both go directly where A has gaps, or the scope is a thread or does not know how many the block holds, or
//          more than 16 KB of a block would be needed.
// lanes    every lane of the scope calls; with joined every lane of all scopes of the warp that have a problem (P of the
//          tiles in a kernel of kernels_src/batch.cuh, `present` of them in its last block). Neither orders memory for
//          the other lanes: sync does.
#pragma once
#include <glass/core/staging.cuh>
namespace glass {
template <class T, int M, int N, int W>
struct row_fragment {
  static constexpr int rows = M, cols = N, width = W, items = (M + W - 1) / W;
  T v[items > 0 ? items : 1][N > 0 ? N : 1];
  // The rows that item k can hold end at (k + 1) W - 1: the compile-time test that prunes work above the diagonal.
  GLASS_SCALAR static constexpr bool reaches(int item, int row) { return (item + 1) * W - 1 >= row; }
};
// The fragment that holds View in scope S.
template <class S, class View>
using fragment_of = row_fragment<value_of<View>, View::static_rows, View::static_cols, S::width>;

namespace detail {
template <class S, class View>
GLASS_SCALAR constexpr void check_fragment() {
  static_assert(can_shuffle<S>, "glass: a fragment lives in a thread, tile or warp scope; a block has no shuffle.");
  static_assert(View::is_static, "glass: a fragment needs sizes that are constants, but this view has run-time sizes.");
}
// Row lane + item W, column j of a view, by one pointer a lane and constant distances from it.
template <class S, class View>
struct lane_rows {
  static constexpr int W = S::width, N = View::static_rows;
  int lane;
  decltype(View::data) first;
  View view;
  GLASS_DEVICE lane_rows(S scope, View a) : lane(scope.rank()), first(a.data + a.offset(lane, 0)), view(a) {}
  GLASS_DEVICE auto& at(int item, int j) const { return first[view.offset(item * W, j)]; }
  GLASS_DEVICE bool holds(int item) const { return (item + 1) * W <= N || lane + item * W < N; }
  GLASS_DEVICE bool below(int item, int j) const { return item * W >= j || lane + item * W >= j; }
};
template <class S, class View>
GLASS_DEVICE fragment_of<S, View> load_rows(S scope, View a) {
  fragment_of<S, View> f;
  const lane_rows<S, View> rows(scope, a);
  GLASS_UNROLL
  for (int j = 0; j < f.cols; ++j) {
    GLASS_UNROLL
    for (int k = 0; k < f.items; ++k) f.v[k][j] = rows.holds(k) ? rows.at(k, j) : value_of<View>(0);
  }
  return f;
}
template <class S, class View>
GLASS_DEVICE void store_rows(S scope, const fragment_of<S, View>& f, View a) {
  const lane_rows<S, View> rows(scope, a);
  GLASS_UNROLL
  for (int j = 0; j < f.cols; ++j) {
    GLASS_UNROLL
    for (int k = 0; k < f.items; ++k)
      if (rows.holds(k)) rows.at(k, j) = f.v[k][j];
  }
}
// By which path it goes: direct where the view has gaps, or the scope no part of exchange memory for it.
template <class S, class View, auto... Options>
GLASS_SCALAR constexpr Path path_of() {
  static_assert(takes<types<Path>, Options...>, "glass: load and store of fragments take the option Path.");
  constexpr Path asked = chosen<Path::direct, 0, Options...>();
  if constexpr (asked == Path::direct || !can_exchange<S> || !can_shuffle<S>)
    return Path::direct;
  else
    return run<S, View, asked>::fits() ? asked : Path::direct;
}
}  // namespace detail
template <auto... Options, class S, class View>
GLASS_DEVICE fragment_of<S, View> load(S scope, View a) {
  detail::check_fragment<S, View>();
  constexpr Path path = detail::path_of<S, View, Options...>();
  if constexpr (path != Path::direct) {
    if (const detail::run<S, View, path> numbers(scope, a); numbers.open(true)) {
      numbers.read();
      const fragment_of<S, View> f = detail::load_rows(scope, numbers.part());
      numbers.leave();
      return f;
    }
  }
  return detail::load_rows(scope, a);
}
// The lower triangle with its diagonal; zeros above it, in the items that reach the diagonal (the others hold nothing).
template <class S, class View>
GLASS_DEVICE fragment_of<S, View> load_lower(S scope, View a) {
  detail::check_fragment<S, View>();
  fragment_of<S, View> f;
  const detail::lane_rows<S, View> rows(scope, a);
  GLASS_UNROLL
  for (int j = 0; j < f.cols; ++j) {
    GLASS_UNROLL
    for (int k = 0; k < f.items; ++k)
      if (f.reaches(k, j)) f.v[k][j] = rows.holds(k) && rows.below(k, j) ? rows.at(k, j) : value_of<View>(0);
  }
  return f;
}
template <auto... Options, class S, class View>
GLASS_DEVICE void store(S scope, const fragment_of<S, View>& f, View a, bool wanted = true) {
  detail::check_fragment<S, View>();
  constexpr Path path = detail::path_of<S, View, Options...>();
  if constexpr (path != Path::direct) {
    if (const detail::run<S, View, path> numbers(scope, a); numbers.open(wanted)) {
      detail::store_rows(scope, f, numbers.part());
      numbers.write();
      return;
    }
  }
  if (wanted) detail::store_rows(scope, f, a);
}
// Writes the lower triangle with its diagonal only.
template <class S, class View>
GLASS_DEVICE void store_lower(S scope, const fragment_of<S, View>& f, View a) {
  detail::check_fragment<S, View>();
  const detail::lane_rows<S, View> rows(scope, a);
  GLASS_UNROLL
  for (int j = 0; j < f.cols; ++j) {
    GLASS_UNROLL
    for (int k = 0; k < f.items; ++k)
      if (f.reaches(k, j) && rows.holds(k) && rows.below(k, j)) rows.at(k, j) = f.v[k][j];
  }
}
template <class S, class T, int M, int N>
GLASS_DEVICE T get(S scope, const row_fragment<T, M, N, S::width>& f, int i, int j,
                   glass::scope::site at = glass::scope::site::here()) {
  return scope.shuffle(f.v[i / S::width][j], i % S::width, at);
}
}  // namespace glass
