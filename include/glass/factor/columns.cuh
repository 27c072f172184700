// The Cholesky factor and solve of one lane on the host: the matrix copied into columns that are padded to whole vector
// registers, and eliminated there. The steps are those of factor_in_fragments (potrf.cuh): right-looking, unscaled
// columns, the right-hand sides in the same sweep. Numbers above the diagonal are read and written back, never used.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/chunk.cuh>
namespace glass::detail {
template <class T, int N, int R>
struct columns {
  static constexpr int least = power_of_two_from(N),
                       wide = least < native_chunk<T> ? least : native_chunk<T>;  // numbers in a chunk
  static constexpr int chunks = (N + wide - 1) / wide, height = chunks * wide;    // of a column
  using part = chunk<T, wide>;
  alignas(64) T a[N][height];  // columns; rows above the diagonal hold whatever
  alignas(64) T b[R > 0 ? R : 1][height];
  // rows[j][k]: element (k, j) of the upper factor, for the backward solve. Zeros elsewhere: denormals would be slow.
  alignas(64) T rows[R > 0 ? N : 1][height] = {};
  alignas(64) T solution[R > 0 ? R : 1][height];
  T inverse[N];  // 1 / pivot

  template <class View>
  GLASS_DEVICE static void fetch(T* to, View x, int j, int first) {  // column j from the chunk that holds row `first`
    if constexpr (has_runs<View>) {
      const T* from = &x(0, j);
      for (int c = first / wide; c < N / wide; ++c) part::load(from + c * wide).store(to + c * wide);
      if constexpr (N % wide != 0) {
        part::all(T(0)).store(to + height - wide);
        __builtin_memcpy(to + height - wide, from + height - wide, (N % wide) * sizeof(T));
      }
    } else {
      for (int i = first; i < N; ++i) to[i] = x(i, j);
      for (int i = N; i < height; ++i) to[i] = T(0);
    }
  }
  // Column k of L: the eliminated column times d. Above the diagonal the numbers that were there go back.
  template <class View>
  GLASS_DEVICE void put_column(View x, int k, T pivot, T d) {
    const T root = pivot * d;
    if constexpr (has_runs<View>) {
      T* to = &x(0, k);
      for (int c = k / wide; c < N / wide; ++c) {
        const part scaled = part::load(a[k] + c * wide) * part::all(d);
        (c == k / wide ? scaled.from(k % wide, part::load(to + c * wide)) : scaled).store(to + c * wide);
      }
      if constexpr (N % wide != 0) {
        alignas(64) T last[wide];
        (part::load(a[k] + height - wide) * part::all(d)).store(last);
        if (k < height - wide)
          __builtin_memcpy(to + height - wide, last, (N % wide) * sizeof(T));
        else
          for (int i = k; i < N; ++i) to[i] = last[i - (height - wide)];
      }
    } else {
      for (int i = k; i < N; ++i) x(i, k) = a[k][i] * d;
    }
    x(k, k) = root;
  }
  // A = L L^T, L into x where it is kept, and the forward solve of b. 0, or the first bad pivot (then the columns before
  // it are in x).
  template <Factor F, class View>
  GLASS_DEVICE int factor(View x) {
    T pivot = a[0][0];
    for (int k = 0; k < N; ++k) {
      if (!is_positive_finite(pivot)) return k + 1;
      const T inv = T(1) / pivot;
      const T here = pivot;
      inverse[k] = inv;
      part multiplier[chunks] = {};
      for (int c = 0; c < chunks; ++c)
        if (c >= k / wide) multiplier[c] = part::load(a[k] + c * wide) * part::all(inv);
      multiplier[k / wide] = multiplier[k / wide].from(k % wide + 1, part::all(T(0)));
      if (k + 1 < N)
        pivot = fused(-(a[k][k + 1] * inv), a[k][k + 1], a[k + 1][k + 1]);  // ahead of its column: it is the chain
      for (int j = k + 1; j < N; ++j) {
        const T s = a[k][j];
        if constexpr (R > 0) rows[j][k] = s;
        for (int c = 0; c < chunks; ++c)
          if (c >= j / wide) less(part::load(a[j] + c * wide), multiplier[c], part::all(s)).store(a[j] + c * wide);
      }
      for (int r = 0; r < R; ++r) {
        const part s = part::all(b[r][k]);
        for (int c = 0; c < chunks; ++c)
          if (c >= k / wide) less(part::load(b[r] + c * wide), multiplier[c], s).store(b[r] + c * wide);
      }
      if constexpr (F == Factor::keep) put_column(x, k, here, reciprocal_square_root(here));
    }
    return 0;
  }
  // L^T X = Y by the rows and pivots of the elimination, without their scaling; one axpy a step.
  GLASS_DEVICE void backward() {
    for (int r = 0; r < R; ++r)
      for (int k = N - 1; k >= 0; --k) {
        const T known = b[r][k] * inverse[k];
        const part s = part::all(known);
        for (int c = 0; c < chunks; ++c)
          if (c <= k / wide)
            less(part::load(b[r] + c * wide), part::load(rows[k] + c * wide), s).store(b[r] + c * wide);
        solution[r][k] = known;  // not into b: a vector load right after the store of one number stalls
      }
  }
};
}  // namespace glass::detail
