// glass::nvidia::block::potrf, potrs, posv, getrf, getrs, gesv (and _no_pivot), trsm, trsv over cuSOLVERDx: names,
// argument order, layouts, info and failure rules of glass::block's (factor/*.cuh, matrix/trsm.cuh); results differ by
// rounding, and pivots where candidates tie within it.
//   potrf<T, N>(A) -> info        potrs<T, N, NRHS = 1>(L, B)      posv<T, N, NRHS = 1>(A, B) -> info
//   posv<T, N, NRHS, Shift::…>(A, B, rho) -> info
//   getrf<T, N>(A, piv) -> info   getrs<T, N, NRHS = 1>(LU, piv, B) gesv<T, N, NRHS = 1>(A, piv, B) -> info
//   getrf_no_pivot<T, N>(A) -> info, getrs_no_pivot<T, N, NRHS>(LU, B), gesv_no_pivot<T, N, NRHS>(A, B) -> info
//   trsm<T, M, N>(alpha, A, B)    trsv<T, N>(A, x)
// each with a pointer to shared memory as one more argument at the end, or without.
// sizes    constants, T float or double.
// options  after the sizes, in any order: those of glass::block's (Trans, Fill, Side, Diag, Shift), Threads{…} of the
//          calling block, Staged, Sync (Sync::no is taken and changes nothing).
// memory   Staged::yes: OP_shared_bytes<T, sizes…>() bytes of shared memory at a multiple of 16, for copies of the
//          operands; left at the end. Without the pointer, and up to 48 KB, it is static shared memory of the kernel.
//          Staged::no: A, B and piv lie in shared memory and are worked on in place.
// faults   getrf, gesv: where a number is not finite, the pivot search of cuSOLVERDx 0.6.0 was seen to leave the matrix
//          on an H200 and to write to what lies beside it in shared memory: for finite, regular matrices only.
// lanes    every thread of a one-dimensional block of Threads{…} (128 unless given); ends synchronised.
#pragma once
#include <glass/core/faces.cuh>
#include <glass/nvidia/solver.cuh>
namespace glass::nvidia::detail {
// What all faces of cuSOLVERDx ask: options, type, sizes. `Known` are the types of the options.
template <class Known, class T, int Least, auto... P>
GLASS_SCALAR constexpr bool solver_takes() {
  constexpr bool known = takes<Known, P...>;
  constexpr bool real = glass::detail::same<T, float> || glass::detail::same<T, double>;
  constexpr bool lanes = threads_of<P...> >= 32 && threads_of<P...> <= 1024;
  static_assert(known,
                "glass: this face of cuSOLVERDx does not take one of the options, or not twice (nvidia/factor.cuh).");
  static_assert(real, "glass: the faces of cuSOLVERDx take float and double.");
  static_assert(Least >= 0, "glass: the faces of cuSOLVERDx take sizes of at least 0, as constants.");
  static_assert(lanes, "glass: cuSOLVERDx works in blocks of 32 to 1024 threads: Threads{128}.");
  return known && real && Least >= 0 && lanes;
}
template <auto... P>
inline constexpr int columns_of = chosen<1, 0, P...>();  // the right-hand sides among sizes and options
GLASS_SCALAR constexpr int least_of(int a, int b) { return a < b ? a : b; }

struct is_pivot_of_cholesky {
  template <class T>
  GLASS_DEVICE bool operator()(T d) const {
    return glass::is_positive_finite(d);
  }
};
struct is_pivot_of_lu {
  template <class T>
  GLASS_DEVICE bool operator()(T d) const {
    return d == d && d != T(0);
  }
};
GLASS_DEVICE int* status_of_call() { return scope::detail::exchange_memory<int, 1, 1>(0); }

// Factors a and gives info; both in shared memory, written before the last sync.
template <int N, class S, class T>
GLASS_DEVICE int cholesky_info(S block, T* a) {
  int* const status = status_of_call();
  if (block.rank() == 0) *status = 0;
  block.sync();
  solver::cholesky<S::width, N>(a, status);
  block.sync();
  return info_of(block, N, a, N, *status, is_pivot_of_cholesky{});
}
template <int N, Pivot How, class S, class T>
GLASS_DEVICE int lu_info(S block, T* a, int* pivots) {
  int* const status = status_of_call();
  if (block.rank() == 0) *status = 0;
  block.sync();
  solver::lu<S::width, N, How>(a, pivots, status);
  block.sync();
  return info_of(block, N, a, N, *status, is_pivot_of_lu{});
}
// Pivots counted from 0, as glass has them, and from 1.
template <class S>
GLASS_DEVICE void count_pivots_from(int first, S block, int n, const int* from, int* to) {
  for (int k = block.rank(); k < n; k += block.size()) to[k] = from[k] + (first == 0 ? -1 : 1);
}
// A <- A + rho I, or A + rho diag(A).
template <Shift How, class S, class T>
GLASS_DEVICE void shift_diagonal(S block, int n, T rho, T* a) {
  for (int k = block.rank(); k < n; k += block.size())
    if constexpr (How != Shift::none) a[k + k * n] += How == Shift::identity ? rho : rho * a[k + k * n];
}
using of_cholesky = types<int, Shift, Threads, Staged, Sync>;
using of_lu = types<int, Trans, Threads, Staged, Sync>;

template <int N, auto... P, class T, class... Memory>
GLASS_DEVICE int factor_cholesky(T* a, Memory*... memory) {
  if constexpr (N > 0 && solver_takes<types<Threads, Staged, Sync>, T, N, P...>()) {
    const auto block = calling_block<P...>();
    int info = 0;
    if constexpr (is_staged<P...>) {
      T* const as = cutter{memory_of_call<room_for<T>(N * N)>(memory...)}.template take<T>(N * N);
      copy_numbers(block, N * N, a, as);
      info = cholesky_info<N>(block, as);
      copy_lower(block, N, as, a);
    } else {
      info = cholesky_info<N>(block, a);
    }
    block.sync();
    return info;
  } else {
    return 0;
  }
}
template <int N, auto... P, class T, class... Memory>
GLASS_DEVICE void solve_cholesky(const T* l, T* b, Memory*... memory) {
  constexpr int R = columns_of<P...>;
  if constexpr (N > 0 && R > 0 && solver_takes<types<int, Threads, Staged, Sync>, T, least_of(N, R), P...>()) {
    const auto block = calling_block<P...>();
    if constexpr (is_staged<P...>) {
      cutter cut{memory_of_call<room_for<T>(N * N) + room_for<T>(N * R)>(memory...)};
      T* const ls = cut.take<T>(N * N);
      T* const bs = cut.take<T>(N * R);
      copy_numbers(block, N * N, l, ls);
      copy_numbers(block, N * R, b, bs);
      block.sync();
      solver::cholesky_solve<threads_of<P...>, N, R>(ls, bs);
      block.sync();
      copy_numbers(block, N * R, bs, b);
    } else {
      block.sync();
      solver::cholesky_solve<threads_of<P...>, N, R>(l, b);
    }
    block.sync();
  }
}
template <int N, auto... P, class T, class... Memory>
GLASS_DEVICE int factor_and_solve_cholesky(T* a, T* b, T rho, Memory*... memory) {
  constexpr int R = columns_of<P...>;
  constexpr Shift how = chosen<Shift::none, 0, P...>();
  if constexpr (N > 0 && solver_takes<of_cholesky, T, least_of(N, R), P...>()) {
    const auto block = calling_block<P...>();
    T* as = a;
    T* bs = b;
    if constexpr (is_staged<P...>) {
      cutter cut{memory_of_call<room_for<T>(N * N) + room_for<T>(N * R)>(memory...)};
      as = cut.take<T>(N * N), bs = cut.take<T>(N * R);
      copy_numbers(block, N * N, a, as);
      copy_numbers(block, N * R, b, bs);
      block.sync();
    }
    shift_diagonal<how>(block, N, rho, as);
    const int info = cholesky_info<N>(block, as);
    if constexpr (R > 0)
      if (info == 0) solver::cholesky_solve<threads_of<P...>, N, R>(as, bs);
    block.sync();
    if constexpr (is_staged<P...>) {
      copy_lower(block, N, as, a);
      if (info == 0) copy_numbers(block, N * R, bs, b);
      block.sync();
    }
    return info;
  } else {
    return 0;
  }
}
template <int N, Pivot How, auto... P, class T, class... Memory>
GLASS_DEVICE int factor_lu_of(T* a, int* piv, Memory*... memory) {
  if constexpr (N > 0 && solver_takes<types<Threads, Staged, Sync>, T, N, P...>()) {
    const auto block = calling_block<P...>();
    T* as = a;
    int* ps = piv;
    if constexpr (is_staged<P...>) {
      cutter cut{memory_of_call<room_for<T>(N * N) + room_for<int>(N)>(memory...)};
      as = cut.take<T>(N * N), ps = cut.take<int>(N);
      copy_numbers(block, N * N, a, as);
    }
    const int info = lu_info<N, How>(block, as, ps);
    if constexpr (is_staged<P...>) copy_numbers(block, N * N, as, a);
    if constexpr (How == Pivot::partial) count_pivots_from(0, block, N, ps, piv);
    block.sync();
    return info;
  } else {
    return 0;
  }
}
template <int N, Pivot How, auto... P, class T, class... Memory>
GLASS_DEVICE void solve_lu_of(const T* lu, const int* piv, T* b, Memory*... memory) {
  constexpr int R = columns_of<P...>;
  constexpr Trans trans = chosen<Trans::no, 0, P...>();
  if constexpr (N > 0 && R > 0 && solver_takes<of_lu, T, least_of(N, R), P...>()) {
    const auto block = calling_block<P...>();
    constexpr int matrices = is_staged<P...> ? room_for<T>(N * N) + room_for<T>(N * R) : 0;
    cutter cut{memory_of_call<matrices + room_for<int>(N)>(memory...)};
    int* const ps = cut.take<int>(N);  // a copy always: piv is read only
    if constexpr (How == Pivot::partial) count_pivots_from(1, block, N, piv, ps);
    if constexpr (is_staged<P...>) {
      T* const as = cut.take<T>(N * N);
      T* const bs = cut.take<T>(N * R);
      copy_numbers(block, N * N, lu, as);
      copy_numbers(block, N * R, b, bs);
      block.sync();
      solver::lu_solve<threads_of<P...>, N, R, How, trans>(as, ps, bs);
      block.sync();
      copy_numbers(block, N * R, bs, b);
    } else {
      block.sync();
      solver::lu_solve<threads_of<P...>, N, R, How, trans>(lu, ps, b);
    }
    block.sync();
  }
}
template <int N, Pivot How, auto... P, class T, class... Memory>
GLASS_DEVICE int factor_and_solve_lu(T* a, int* piv, T* b, Memory*... memory) {
  constexpr int R = columns_of<P...>;
  if constexpr (N > 0 && solver_takes<types<int, Threads, Staged, Sync>, T, least_of(N, R), P...>()) {
    const auto block = calling_block<P...>();
    constexpr int matrices = is_staged<P...> ? room_for<T>(N * N) + room_for<T>(N * R) : 0;
    T* as = a;
    T* bs = b;
    cutter cut{memory_of_call<matrices + room_for<int>(N)>(memory...)};
    int* const ps = cut.take<int>(N);
    if constexpr (is_staged<P...>) {
      as = cut.take<T>(N * N), bs = cut.take<T>(N * R);
      copy_numbers(block, N * N, a, as);
      copy_numbers(block, N * R, b, bs);
    }
    const int info = lu_info<N, How>(block, as, ps);
    if constexpr (R > 0)
      if (info == 0) solver::lu_solve<threads_of<P...>, N, R, How, Trans::no>(as, ps, bs);
    block.sync();
    if constexpr (is_staged<P...>) {
      copy_numbers(block, N * N, as, a);
      if (info == 0) copy_numbers(block, N * R, bs, b);
    }
    if constexpr (How == Pivot::partial) count_pivots_from(0, block, N, ps, piv);
    block.sync();
    return info;
  } else {
    return 0;
  }
}
template <int M, int N, auto... P, class T, class... Memory>
GLASS_DEVICE void solve_triangle(T alpha, const T* a, T* b, Memory*... memory) {
  using known = types<Side, Fill, Trans, Diag, Threads, Staged, Sync>;
  constexpr Fill fill = chosen<Fill::lower, 0, P...>();
  static_assert(fill != Fill::full,
                "glass: nvidia::block::trsm reads the lower or the upper triangle: Fill::lower or upper.");
  if constexpr (M > 0 && N > 0 && fill != Fill::full && solver_takes<known, T, least_of(M, N), P...>()) {
    constexpr Side where = chosen<Side::left, 0, P...>();
    constexpr int order = where == Side::left ? M : N;
    const auto block = calling_block<P...>();
    if (alpha == T(0)) {  // neither is read
      for (int i = block.rank(); i < M * N; i += block.size()) b[i] = T(0);
    } else if constexpr (is_staged<P...>) {
      cutter cut{memory_of_call<room_for<T>(order * order) + room_for<T>(M * N)>(memory...)};
      T* const as = cut.take<T>(order * order);
      T* const bs = cut.take<T>(M * N);
      copy_numbers(block, order * order, a, as);
      for (int i = block.rank(); i < M * N; i += block.size()) bs[i] = alpha * b[i];
      block.sync();
      solver::triangle_solve<threads_of<P...>, M, N, where, fill, chosen<Trans::no, 0, P...>(),
                             chosen<Diag::nonunit, 0, P...>()>(as, bs);
      block.sync();
      copy_numbers(block, M * N, bs, b);
    } else {
      for (int i = block.rank(); i < M * N; i += block.size()) b[i] = alpha * b[i];
      block.sync();
      solver::triangle_solve<threads_of<P...>, M, N, where, fill, chosen<Trans::no, 0, P...>(),
                             chosen<Diag::nonunit, 0, P...>()>(a, b);
    }
    block.sync();
  }
}
}  // namespace glass::nvidia::detail
