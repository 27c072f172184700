// gn_step<Shift>(scope, J, r, lambda, dq, scratch) -> info   Solves (J^T J + lambda D) dq = J^T r: a damped
//                                                            Gauss-Newton step. No hidden minus: with r = target -
//                                                            current, q + dq. [Nocedal, Wright 10.3]
// lm_step(scope, J, r, lambda, dq, scratch) -> {info, predicted}
//                                                            The same with D(i, i) = (J^T J)(i, i), or 1 where that is
//                                                            0 (a column of zeros), and predicted = 1/2 dq^T (lambda D
//                                                            dq
//                                                            + J^T r) >= 0, the decrease of 1/2 |r - J dq|^2 that the
//                                                            linear model promises. [Marquardt 1963]
// lm_step(scope, J, r, lambda, dq, predicted, scratch) -> info   predicted is stored to a vector of 1 by one lane.
// shift    diagonal (default): D = diag(J^T J); identity: D = I; none: lambda is not used.
// data     J: M x N, r: M, read only; dq: N, overwritten; any leading dimension, order and increments. dq overlaps
//          nothing else.
// scratch  N^2 numbers (lm_step N^2 + 2 N); contents before and after unspecified
// lanes    every lane of the scope calls, with the same lambda; every lane receives the result; ends synchronised
//          unless Sync::no.
// info     0, or k in 1..N: pivot k of the Cholesky factor is not in (0, Inf), NaN included; then dq is unchanged,
//          predicted 0 (in the last form: unchanged).
// cost     M N^2 + 2 M N + N^3/3 + 2 N^2 flops (lm_step 4 N more); reads M N + M, writes N.
#pragma once
#include <glass/control/parts.cuh>
namespace glass {
template <class T>
struct lm_result {
  int info;
  T predicted;
};
template <class T, int M, int N, class S>
GLASS_SCALAR constexpr int gn_step_scratch_bytes(S) {
  return N * N * int(sizeof(T));
}
template <class T, int M, int N, class S>
GLASS_SCALAR constexpr int lm_step_scratch_bytes(S) {
  return (N * N + 2 * N) * int(sizeof(T));
}
namespace detail {
template <class J, class R, class D>
GLASS_SCALAR constexpr bool step_fits() {
  return agree(R::static_rows, J::static_rows) && agree(D::static_rows, J::static_cols) && R::static_cols == 1 &&
         D::static_cols == 1;
}
template <class J, class D, class W, int Vectors>  // N^2 + `Vectors` N numbers
GLASS_SCALAR constexpr bool step_scratch_holds() {
  constexpr int n = J::static_cols;
  return holds_scratch < W, value_of<D>, n < 0 ? -1 : n * n + Vectors * n > ();
}
}  // namespace detail

// The two halves of gn_step and of lm_step, which are also the launches of variant=split: scratch <- J^T J + lambda D
// (and, for lm_step, D and J^T r), and the rest. Both end without a sync.
template <auto... Options, class S, class J, class R, class D, class W>
GLASS_DEVICE void gn_step_form(S scope, J jacobian, R, just<value_of<D>> lambda, D, W scratch) {
  using T = value_of<D>;
  constexpr int n = J::static_cols;
  const auto h = detail::cut<n, n>(scratch.data, jacobian.cols(), jacobian.cols());
  detail::symmetric_product<Fill::lower>(scope, true, jacobian.transposed(), jacobian, h, [&](int i, int j, T sum) {
    return i == j ? detail::shifted<chosen<Shift::diagonal, 0, Options...>()>(sum, T(lambda)) : sum;
  });
}
template <auto... Options, class S, class J, class R, class D, class W>
GLASS_DEVICE int gn_step_solve(S scope, J jacobian, R r, just<value_of<D>>, D dq, W scratch) {
  constexpr int n = J::static_cols;
  const auto h = detail::cut<n, n>(scratch.data, jacobian.cols(), jacobian.cols());
  const int info = potrf(scope, h);
  if (info == 0) {
    gemv<Trans::yes>(scope, 1, jacobian, r, dq);
    potrs<Sync::no>(scope, h, dq);
  }
  return info;
}
namespace detail {
template <class J, class T>
struct lm_scratch {
  static constexpr int n = J::static_cols;
  decltype(cut<n, n>(static_cast<T*>(nullptr), 0, 0)) h;
  decltype(cut<n>(static_cast<T*>(nullptr), 0)) damping, gradient;
  GLASS_DEVICE lm_scratch(T* p, int size)
      : h(cut<n, n>(p, size, size)),
        damping(cut<n>(p + size * size, size)),
        gradient(cut<n>(p + size * (size + 1), size)) {}
};
template <class S, class J, class D, class W>
GLASS_DEVICE lm_result<value_of<D>> lm_solve(S scope, J jacobian, just<value_of<D>> lambda, D dq, W scratch) {
  using T = value_of<D>;
  const int size = jacobian.cols();
  const lm_scratch<J, T> parts(scratch.data, size);
  lm_result<T> result = {potrf(scope, parts.h), 0};
  if (result.info == 0) {
    each(scope, size, [&](int i) { dq(i) = parts.gradient(i); });
    scope.sync();
    potrs<Sync::no>(scope, parts.h, dq);
    T part = 0;  // of twice the decrease: a lane reads the entries that it has just solved
    const share mine = deal(scope, size, 1);
    for (int i = mine.row; i < size && mine.col == 0; i += mine.row_step)
      part = fused(dq(i), fused(T(lambda) * parts.damping(i), dq(i), parts.gradient(i)), part);
    const T twice = scope.sum(part);
    result.predicted = twice < T(0) ? T(0) : twice / 2;  // below 0 by rounding only
  }
  return result;
}
}  // namespace detail
template <auto... Options, class S, class J, class R, class D, class P, class W>
GLASS_DEVICE void lm_step_form(S scope, J jacobian, R r, just<value_of<D>> lambda, D, P, W scratch) {
  using T = value_of<D>;
  const detail::lm_scratch<J, T> parts(scratch.data, jacobian.cols());
  detail::symmetric_product<Fill::lower>(scope, true, jacobian.transposed(), jacobian, parts.h,
                                         [&](int i, int j, T sum) {
                                           if (i != j) return sum;
                                           const T d = sum == T(0) ? T(1) : sum;
                                           parts.damping(i) = d;
                                           return fused(T(lambda), d, sum);
                                         });
  gemv<Trans::yes, Sync::no>(scope, 1, jacobian, r, parts.gradient);
}
template <auto... Options, class S, class J, class R, class D, class P, class W>
GLASS_DEVICE int lm_step_solve(S scope, J jacobian, R, just<value_of<D>> lambda, D dq, P predicted, W scratch) {
  const lm_result<value_of<D>> result = detail::lm_solve(scope, jacobian, lambda, dq, scratch);
  if (result.info == 0 && scope.rank() == 0) predicted(0) = result.predicted;
  return result.info;
}

template <auto... Options, class S, class J, class R, class D, class W,
          detail::when<is_view<J> && is_view<R> && is_view<D> && is_view<W>> = 0>
GLASS_DEVICE int gn_step(S scope, J jacobian, R r, just<value_of<D>> lambda, D dq, W scratch) {
  constexpr bool known = takes<types<Shift, Sync>, Options...>, fits = detail::step_fits<J, R, D>();
  constexpr bool holds = detail::step_scratch_holds<J, D, W, 0>();
  static_assert(known, "glass: gn_step takes the options Shift and Sync, in any order.");
  static_assert(fits, "glass: gn_step: the sizes do not fit: J is M x N, r has M numbers, dq has N.");
  static_assert(D::writable, "glass: gn_step writes dq, but dq is const.");
  static_assert(holds, "glass: gn_step: the scratch is a writable vector of N N numbers of dq's type.");
  int info = 0;
  if constexpr (known && fits && D::writable && holds) {
    gn_step_form<Options...>(scope, jacobian, r, lambda, dq, scratch);
    scope.sync();
    info = gn_step_solve(scope, jacobian, r, lambda, dq, scratch);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return info;
}

template <auto... Options, class S, class J, class R, class D, class W,
          detail::when<is_view<J> && is_view<R> && is_view<D> && is_view<W>> = 0>
GLASS_DEVICE lm_result<value_of<D>> lm_step(S scope, J jacobian, R r, just<value_of<D>> lambda, D dq, W scratch) {
  using T = value_of<D>;
  constexpr bool known = takes<types<Sync>, Options...>, fits = detail::step_fits<J, R, D>();
  constexpr bool holds = detail::step_scratch_holds<J, D, W, 2>();
  static_assert(known, "glass: lm_step takes the option Sync.");
  static_assert(fits, "glass: lm_step: the sizes do not fit: J is M x N, r has M numbers, dq has N.");
  static_assert(D::writable, "glass: lm_step writes dq, but dq is const.");
  static_assert(holds, "glass: lm_step: the scratch is a writable vector of N N + 2 N numbers of dq's type.");
  lm_result<T> result = {0, 0};
  if constexpr (known && fits && D::writable && holds) {
    lm_step_form(scope, jacobian, r, lambda, dq, dq, scratch);
    scope.sync();
    result = detail::lm_solve(scope, jacobian, lambda, dq, scratch);
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return result;
}
template <auto... Options, class S, class J, class R, class D, class P, class W,
          detail::when<is_view<J> && is_view<R> && is_view<D> && is_view<P> && is_view<W>> = 0>
GLASS_DEVICE int lm_step(S scope, J jacobian, R r, just<value_of<D>> lambda, D dq, P predicted, W scratch) {
  constexpr bool known = takes<types<Sync>, Options...>, holds = agree(P::static_rows, 1) && P::writable;
  static_assert(known, "glass: lm_step takes the option Sync.");
  static_assert(holds, "glass: lm_step: predicted is a writable vector of one number.");
  lm_result<value_of<D>> result = {0, 0};
  if constexpr (known && holds) {
    result = lm_step<Sync::no>(scope, jacobian, r, lambda, dq, scratch);
    if (result.info == 0 && scope.rank() == 0) predicted(0) = result.predicted;
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
  return result.info;
}
GLASS_FACES_2(gn_step, M, N, (const just<T>* J, const just<T>* r, just<T> lambda, just<T>* dq, just<T>* scratch),
              (as_matrix(J, M, N), as_vector(r, M), lambda, as_vector(dq, N), detail::as_scratch(scratch)))
GLASS_FACES_2(lm_step, M, N, (const just<T>* J, const just<T>* r, just<T> lambda, just<T>* dq, just<T>* scratch),
              (as_matrix(J, M, N), as_vector(r, M), lambda, as_vector(dq, N), detail::as_scratch(scratch)))
}  // namespace glass
