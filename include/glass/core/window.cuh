// Parts of a view in registers, moved by vectors where the view's runs allow it: what the bodies of products read and
// write with.
#pragma once
#include <glass/core/view.cuh>
namespace glass::detail {
template <class T>
inline constexpr int numbers_in_vector = 16 / int(sizeof(T));
// n neighbouring numbers, moved by one instruction.
template <class T, int n>
struct alignas(n * sizeof(T)) run_of {
  T v[n];
};
// Whether runs of n numbers are whole and aligned, if the view's first element is.
template <class View>
GLASS_SCALAR constexpr bool has_vectors(int n) {
  const int along = View::order == Order::col ? View::static_rows : View::static_cols;
  return View::static_inc == 1 && along % n == 0 && View::static_ld > 0 && View::static_ld % n == 0;
}
// A view from the element (i, j) on; edges says in which directions it may end within what is asked of it.
template <class View, bool EdgeRows, bool EdgeCols>
struct window {
  using T = value_of<View>;
  decltype(View::data) first;
  View view;
  int i, j;
  GLASS_DEVICE window(View a, int row, int col) : first(a.data + a.offset(row, col)), view(a), i(row), j(col) {}
  GLASS_DEVICE bool holds(int u, int v) const {
    return (!EdgeRows || i + u < View::static_rows) && (!EdgeCols || j + v < View::static_cols);
  }
  GLASS_DEVICE auto* at(int u, int v) const { return first + view.offset(u, v); }
  // Rows u .. u + R - 1, columns v .. v + Q - 1; zeros beyond the view.
  template <int R, int Q>
  GLASS_DEVICE void load(T (&part)[Q][R], int u, int v) const {
    constexpr bool down = View::order == Order::col;
    constexpr int along = down ? R : Q, n = has_vectors<View>(along) ? along : 1;
    GLASS_UNROLL
    for (int x = 0; x < (down ? Q : R); ++x) {
      GLASS_UNROLL
      for (int y = 0; y < along; y += n) {
        const int row = down ? y : x, col = down ? x : y;
        run_of<T, n> r = {};
        if (holds(u + row, v + col)) r = *reinterpret_cast<const run_of<T, n>*>(at(u + row, v + col));
        GLASS_UNROLL
        for (int e = 0; e < n; ++e) part[down ? col : col + e][down ? row + e : row] = r.v[e];
      }
    }
  }
  // One column of R rows.
  template <int R>
  GLASS_DEVICE void store(const T (&part)[R], int u, int v) const {
    constexpr int n = View::order == Order::col && has_vectors<View>(R) ? R : 1;
    GLASS_UNROLL
    for (int x = 0; x < R; x += n) {
      run_of<T, n> r;
      GLASS_UNROLL
      for (int e = 0; e < n; ++e) r.v[e] = part[x + e];
      if (holds(u + x, v)) *reinterpret_cast<run_of<T, n>*>(at(u + x, v)) = r;
    }
  }
};
// The address bits in which a view is not where its vectors, of at most n numbers, may be read.
template <int n, class View>
GLASS_DEVICE unsigned misaligned_bits(View a) {
  if constexpr (n > 1 && has_vectors<View>(n))
    return unsigned(reinterpret_cast<unsigned long long>(a.data)) % (n * sizeof(value_of<View>));
  else if constexpr (n > 2)
    return misaligned_bits<n / 2>(a);
  else
    return 0;
}
// All at once, so that what the views share is tested once, and the same for all lanes where the compiler can see it.
template <int n, class... View>
GLASS_DEVICE bool aligned_for(View... a) {
  return (0u | ... | misaligned_bits<n>(a)) == 0;
}
}  // namespace glass::detail
