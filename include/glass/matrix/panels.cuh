// The product of one lane on the host: register tiles of whole vectors, rows and columns that are left over in smaller
// ones. The sums are those of gemm_tiles (gemm.cuh), in the same order.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/chunk.cuh>
namespace glass::detail {
template <class T, class B, class C>
struct panels {
  const T* a;  // op(A), column-major
  int lda, depth;
  B b;
  C c;
  T alpha, beta;

  // Rows i .. i + wide Tall - 1, columns j .. j + Across - 1.
  template <int wide, int Tall, int Across>
  GLASS_DEVICE void tile(int i, int j) const {
    using part = chunk<T, wide>;
    part sum[Across][Tall];
    GLASS_UNROLL_CHUNKS
    for (int v = 0; v < Across; ++v) {
      GLASS_UNROLL_CHUNKS
      for (int u = 0; u < Tall; ++u) sum[v][u] = part::all(T(0));
    }
    for (int k = 0; k < depth; ++k) {
      part left[Tall];
      GLASS_UNROLL_CHUNKS
      for (int u = 0; u < Tall; ++u) left[u] = part::load(a + i + u * wide + k * lda);
      GLASS_UNROLL_CHUNKS
      for (int v = 0; v < Across; ++v) {
        const part right = part::all(b(k, j + v));
        GLASS_UNROLL_CHUNKS
        for (int u = 0; u < Tall; ++u) sum[v][u] = more(sum[v][u], left[u], right);
      }
    }
    GLASS_UNROLL_CHUNKS
    for (int v = 0; v < Across; ++v) {
      GLASS_UNROLL_CHUNKS
      for (int u = 0; u < Tall; ++u) {
        T* to = &c(i + u * wide, j + v);
        part value = sum[v][u] * part::all(alpha);
        if (beta != T(0)) value = more(value, part::all(beta), part::load(to));
        value.store(to);
      }
    }
  }
  template <int wide, int Tall, int Across>
  GLASS_DEVICE void columns(int i, int j) const {
    for (; j + Across <= c.cols(); j += Across) tile<wide, Tall, Across>(i, j);
    if constexpr (Across > 1) {
      if (j < c.cols()) columns<wide, Tall, (Across > 4 ? Across / 2 : 1)>(i, j);
    }
  }
  template <int wide, int Tall>
  GLASS_DEVICE void rows(int i) const {
    constexpr int across = Tall == 2 && vector_bytes < 64 ? 4 : 8;
    for (; i + wide * Tall <= c.rows(); i += wide * Tall) columns<wide, Tall, across>(i, 0);
    if (i < c.rows()) {
      if constexpr (Tall == 2)
        rows<wide, 1>(i);
      else if constexpr (wide > 1)
        rows<(wide > 4 ? wide / 2 : 1), 1>(i);
    }
  }
};
// C is written in runs; op(A) is read in runs, where it lies or from a copy.
template <class S, class A, class C>
inline constexpr bool multiplies_in_panels = S::width == 1 && vector_bytes > 0 && has_runs<C> &&
                                             (has_runs<A> || (A::is_static && A::static_rows * A::static_cols <= 4096));
template <class T, class A, class B, class C>
GLASS_DEVICE void gemm_in_panels(T alpha, A a, B b, T beta, C c) {
  const int depth = alpha == T(0) ? 0 : a.cols();
  if constexpr (has_runs<A>) {
    if (c.rows() > 0) panels<T, B, C>{a.data, a.ld(), depth, b, c, alpha, beta}.template rows<native_chunk<T>, 2>(0);
  } else {
    constexpr int size = A::static_rows * A::static_cols;
    alignas(64) T copy[size > 0 ? size : 1];
    for (int k = 0; k < depth; ++k)
      for (int i = 0; i < a.rows(); ++i) copy[i + k * a.rows()] = a(i, k);
    panels<T, B, C>{copy, a.rows(), depth, b, c, alpha, beta}.template rows<native_chunk<T>, 2>(0);
  }
}
}  // namespace glass::detail
