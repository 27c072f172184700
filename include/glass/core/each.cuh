// Strided loops: how the lanes of a scope share indices. Lanes own rows, columns or whole tiles, never flat element
// indices e % m.
#pragma once
#include <glass/core/scope.cuh>
namespace glass {
// f(i) for i in [0, n): lane r takes r, r + size, ...
template <class S, class F>
GLASS_DEVICE void each(S scope, int n, F f) {
  for (int i = scope.rank(); i < n; i += scope.size()) f(i);
}
// How the lanes share a rows x cols grid: a lane takes rows row, row + row_step, ... of columns col, col + col_step,
// ... Neighbouring lanes hold neighbouring rows (one run of memory in a column-major matrix); spare lanes go to further
// columns.
struct share {
  int row, row_step, col, col_step;
};
template <class S>
GLASS_DEVICE share deal(S scope, int rows, int cols) {
  if constexpr (S::width == 1) {
    return {0, 1, 0, 1};
  } else {
    int along = 1;  // lanes along a column: a power of two, at most 32
    while (along < rows && along < 32 && 2 * along <= scope.size()) along *= 2;
    const int across = scope.size() / along, col = scope.rank() / along;
    return {scope.rank() % along, along, col < across ? col : cols, across};
  }
}
// f(i, j) for all elements of a rows x cols grid.
template <class S, class F>
GLASS_DEVICE void each(S scope, int rows, int cols, F f) {
  const share mine = deal(scope, rows, cols);
  for (int j = mine.col; j < cols; j += mine.col_step)
    for (int i = mine.row; i < rows; i += mine.row_step) f(i, j);
}
}  // namespace glass
