// gemv<Trans>(scope, alpha, A, x, beta, y)   y <- alpha op(A) x + beta y, op(A) = A or A^T. [GVL 1.1.3]
// gemv<Trans>(scope, alpha, A, x, y)         the same with beta = 0.
// data     A: M x N before op, any leading dimension and order; x: N (M if transposed); both read only.
//          y: M (N), overwritten; it overlaps neither. Pointer faces: A lies as Order says, column-major if it does not.
// lanes    every lane of the scope calls, with the same alpha and beta; ends synchronised unless Sync::no.
// scalars  beta == 0: y is not read. alpha == 0: A and x are not read. Empty A: y <- beta y.
// bodies   loop      every scope and size: lanes own rows of op(A)
//          fragment  constant sizes, tile, warp and block<32 k>: neighbouring lanes read neighbouring runs of 16 bytes
//                    of A, whatever its order; sums that several lanes share are gathered by shuffles, those of
//                    several warps in exchange memory (op(A) by columns). A that is not aligned to its runs goes
//                    through the loop.                                                     -> kernel notes, gemv
// cost     2 M N flops; reads M N + M + N, writes M.
#pragma once
#include <glass/core/blas.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/scope.cuh>
#include <glass/core/window.cuh>
#include <glass/vector/dot.cuh>
namespace glass {
namespace detail {
template <class S, class T, class A, class X, class Y>
GLASS_DEVICE void gemv_loop(S scope, T alpha, A a, X x, T beta, Y y) {
  each(scope, a.rows(), [&](int i) {
    T sum = 0;
    if (alpha != T(0)) {
      if constexpr (S::width == 1) {
        sum = partial_sum<T>(scope, a.cols(), [&](int j) { return a(i, j) * x(j); });
      } else {
        for (int j = 0; j < a.cols(); ++j) sum = fused(a(i, j), x(j), sum);
      }
    }
    blend(y(i), alpha * sum, beta);
  });
}

// How many neighbouring numbers of A one lane reads at once, if A is aligned: 16 bytes, or 8.
template <class A>
GLASS_SCALAR constexpr int numbers_at_once() {
  int n = 16 / int(sizeof(value_of<A>));
  while (n > 1 && !has_vectors<A>(n)) n /= 2;
  return n;
}
// A from the element (i, j) on; constant distances from one pointer cost no address arithmetic.
template <class A>
struct runs_of {
  decltype(A::data) first;
  A view;
  GLASS_DEVICE runs_of(A a, int i, int j) : first(a.data + a.offset(i, j)), view(a) {}
  GLASS_DEVICE auto at(int i, int j) const {
    return *reinterpret_cast<const run_of<value_of<A>, numbers_at_once<A>()>*>(first + view.offset(i, j));
  }
};

// Neighbouring lanes along a column of A, each with a few rows, and several columns side by side where a column is
// short; the part-th of `Parts` such groups of lanes takes its share of the columns. The lane that gets a group's sum i
// calls rest(i) first, so that what that reads is on its way early, and put(i, alpha times the sum + rest) last.
template <int Parts, class Lanes, class T, class A, class X, class Rest, class Put>
GLASS_DEVICE void gemv_columns(Lanes lanes, int part, T alpha, A a, X x, Rest rest, Put put) {
  constexpr int V = numbers_at_once<A>(), runs = A::static_rows / V, N = A::static_cols, W = Lanes::width;
  constexpr int along = runs < W ? runs : W, across = W / along, items = (runs + W - 1) / W;
  // Halving, where no lane idles: of two lanes with the same sums each keeps half of them, down to one.
  constexpr bool halves = along * across == W;
  constexpr int kept = !halves ? V : across < V ? V / across : 1, repeated = halves && across > V ? across / V : 1;
  const int lane = lanes.rank(), run = lane % along, column = lane / along;
  const int first = run * V + (halves ? column / repeated * kept : 0);
  const bool writer = halves ? column % repeated == 0 : column == 0;
  const auto holds = [&](int q) { return runs % W == 0 || run + q * W < runs; };
  const runs_of<A> mine(a, run * V, part * across + column);
  T sum[items][V] = {}, end[items][kept] = {};
  GLASS_UNROLL
  for (int q = 0; q < items; ++q) {
    GLASS_UNROLL
    for (int e = 0; e < kept; ++e) {
      if (writer && holds(q)) end[q][e] = rest(first + q * W * V + e);
    }
  }
  if (alpha != T(0) && column < across) {
    GLASS_UNROLL
    for (int j = 0; j < N; j += Parts * across) {
      const int k = j + part * across + column;
      if (N % (Parts * across) == 0 || k < N) {
        const T xk = x(k);
        GLASS_UNROLL
        for (int q = 0; q < items; ++q) {
          if (holds(q)) {
            const run_of<T, V> r = mine.at(q * W * V, j);
            GLASS_UNROLL
            for (int e = 0; e < V; ++e) sum[q][e] = fused(r.v[e], xk, sum[q][e]);
          }
        }
      }
    }
  }
  int count = V;
  GLASS_UNROLL
  for (int step = power_of_two_from(across) / 2; step > 0; step /= 2) {  // across > 1 only where items == 1
    if (halves && count > 1) {
      const bool upper = (column & step) != 0;
      count /= 2;
      GLASS_UNROLL
      for (int e = 0; e < count; ++e) {
        const T low = sum[0][e], high = sum[0][e + count];
        sum[0][e] = (upper ? high : low) + lanes.shuffle(upper ? low : high, lane ^ (step * along));
      }
    } else {
      GLASS_UNROLL
      for (int e = 0; e < count; ++e) {
        const T other = lanes.shuffle(sum[0][e], halves ? lane ^ (step * along) : (lane + step * along) % W);
        if (halves || column + step < across) sum[0][e] += other;
      }
    }
  }
  GLASS_UNROLL
  for (int q = 0; q < items; ++q) {
    GLASS_UNROLL
    for (int e = 0; e < kept; ++e) {
      if (writer && holds(q)) put(first + q * W * V + e, fused(alpha, sum[q][e], end[q][e]));
    }
  }
}

// Every lane has a part of each of `Count` sums. Of two lanes, `Step` apart, each takes half of the sums of both, down
// to one; put(i, x) for what a lane is left with. (A recursion: no compiler unrolls a loop whose length halves.)
template <int Count, int Step, class Lanes, class T, int Rows, class Put>
GLASS_DEVICE void halve_sums(Lanes lanes, T (&sum)[Rows], int first, int live, bool writer, Put put) {
  if constexpr (Step == 0) {
    GLASS_UNROLL
    for (int u = 0; u < Count; ++u) {
      if (writer && u < live) put(first + u, sum[u]);
    }
  } else if constexpr (Count > 1) {
    constexpr int half = (Count + 1) / 2;
    const bool upper = (lanes.rank() & Step) != 0;
    GLASS_UNROLL
    for (int u = 0; u < half; ++u) {
      const T low = sum[u], high = u + half < Count ? sum[u + half] : T(0);
      sum[u] = (upper ? high : low) + lanes.shuffle(upper ? low : high, lanes.rank() ^ Step);
    }
    halve_sums<half, Step / 2>(lanes, sum, upper ? first + half : first,
                               upper ? live - half : (live < half ? live : half), writer, put);
  } else {
    sum[0] += lanes.shuffle(sum[0], lanes.rank() ^ Step);
    halve_sums<1, Step / 2>(lanes, sum, first, live, writer && (lanes.rank() & Step) == 0, put);
  }
}
// Neighbouring lanes along a row of A, of which the part-th group takes `Rows`.
template <int Rows, class Lanes, class A, class X, class Put>
GLASS_DEVICE void gemv_rows(Lanes lanes, int part, bool any, A a, X x, Put put) {
  using T = value_of<A>;
  constexpr int M = A::static_rows, N = A::static_cols, V = numbers_at_once<A>(), W = Lanes::width;
  const int top = part * Rows;
  const runs_of<A> mine(a, top, lanes.rank() * V);
  T sum[Rows] = {};
  if (any) {
    GLASS_UNROLL
    for (int j0 = 0; j0 < N; j0 += W * V) {
      const int j = j0 + lanes.rank() * V;
      if (j < N) {
        T some[V];
        GLASS_UNROLL
        for (int e = 0; e < V; ++e) some[e] = x(j + e);
        GLASS_UNROLL
        for (int i = 0; i < Rows; ++i) {
          if (M % Rows == 0 || top + i < M) {
            const run_of<T, V> r = mine.at(i, j0);
            GLASS_UNROLL
            for (int e = 0; e < V; ++e) sum[i] = fused(r.v[e], some[e], sum[i]);
          }
        }
      }
    }
  }
  halve_sums<Rows, W / 2>(lanes, sum, 0, Rows, true, [&](int i, T value) {
    if (M % Rows == 0 || top + i < M) put(top + i, value);
  });
}
// The lanes that share by shuffles, and how many such groups a scope has.
template <class S, bool Block>
struct gemv_lanes {
  using type = S;
};
template <class S>
struct gemv_lanes<S, true> {
  using type = scope::warp;
};
template <class S, class T, class A, class X, class Y>
GLASS_DEVICE void gemv_fragment(S scope, T alpha, A a, X x, T beta, Y y) {
  constexpr int M = A::static_rows, warps = can_shuffle<S> ? 1 : S::width / 32;
  using lanes = typename gemv_lanes<S, !can_shuffle<S>>::type;
  const int part = warps == 1 ? 0 : scope.rank() / 32;
  if constexpr (A::order == Order::row) {
    gemv_rows<(M + warps - 1) / warps>(lanes{}, part, alpha != T(0), a, x,
                                       [&](int i, T sum) { blend(y(i), alpha * sum, beta); });
  } else if constexpr (warps == 1) {
    gemv_columns<1>(
        lanes{}, 0, alpha, a, x, [&](int i) { return beta == T(0) ? T(0) : beta * y(i); },
        [&](int i, T value) { y(i) = value; });
  } else {
    constexpr int W = S::width, items = (M + W - 1) / W;
    T* const sums = scope.template exchange<T, warps * M>();
    T total[items];
    GLASS_UNROLL
    for (int q = 0; q < items; ++q) {
      const int i = scope.rank() + q * W;
      total[q] = beta != T(0) && i < M ? beta * y(i) : T(0);
    }
    gemv_columns<warps>(
        lanes{}, part, alpha, a, x, [&](int) { return T(0); }, [&](int i, T value) { sums[part * M + i] = value; });
    scope.sync();
    GLASS_UNROLL
    for (int q = 0; q < items; ++q) {
      const int i = scope.rank() + q * W;
      if (i < M) {
        GLASS_UNROLL
        for (int w = 0; w < warps; ++w) total[q] += sums[w * M + i];
        y(i) = total[q];
      }
    }
  }
}
// Several warps leave their sums in exchange memory.
template <class S, class A>
GLASS_SCALAR constexpr int gemv_exchanged() {
  return can_shuffle<S> || A::order == Order::row || S::width <= 32 ? 0 : S::width / 32 * A::static_rows;
}
template <class S, class A>
GLASS_SCALAR constexpr bool gemv_fits_fragments() {
  if constexpr (!A::is_static || A::static_rows * A::static_cols == 0)
    return false;
  else
    return can_shuffle<S>
               ? S::width > 1
               : S::width > 0 && S::width % 32 == 0 && gemv_exchanged<S, A>() * int(sizeof(value_of<A>)) <= 48 << 10;
}
template <Body B, class S, class A>
inline constexpr bool gemv_in_fragments = (B == Body::fragment && gemv_fits_fragments<S, A>()) ||
                                          (B == Body::automatic && can_shuffle<S> && gemv_fits_fragments<S, A>() &&
                                           A::static_rows * A::static_cols <= 64 * S::width);
}  // namespace detail

template <auto... Options, class S, class A, class X, class Y, detail::when<is_view<A> && is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void gemv(S scope, just<value_of<Y>> alpha, A a, X x, just<value_of<Y>> beta, Y y) {
  constexpr bool known = takes<types<Trans, Order, Body, Sync>, Options...>;
  static_assert(known, "glass: gemv takes the options Trans, Order, Body and Sync, in any order.");
  constexpr bool lies = chosen<A::order, 0, Options...>() == A::order;
  static_assert(Y::writable, "glass: gemv writes y, but y is const.");
  static_assert(lies, "glass: gemv: the option Order is for the pointer faces: this view of A has another order.");
  if constexpr (known && Y::writable && lies) {
    constexpr Trans trans = chosen<Trans::no, 0, Options...>();
    constexpr Body body = chosen<Body::automatic, 0, Options...>();
    using Op = detail::op_of<trans, A>;
    constexpr bool fits = agree(Op::static_cols, X::static_rows) && agree(Op::static_rows, Y::static_rows);
    constexpr bool fragments = detail::gemv_in_fragments<body, S, Op>, legal = fragments || body != Body::fragment;
    static_assert(fits, "glass: gemv: the sizes do not fit: op(A) is M x N, x has N numbers, y has M.");
    static_assert(legal,
                  "glass: gemv<Body::fragment> needs constant sizes and a tile, a warp or a block<32 k> whose sums fit "
                  "48 KB.");
    if constexpr (fits && legal) {
      const auto op = detail::op<trans>(a);
      bool done = false;
      if constexpr (fragments) {
        if ((done = detail::aligned_for<detail::numbers_at_once<Op>()>(op)))
          detail::gemv_fragment(scope, alpha, op, x, beta, y);
      }
      if (!done) detail::gemv_loop(scope, alpha, op, x, beta, y);
      constexpr bool exchanged = fragments && detail::gemv_exchanged<S, Op>() > 0;
      if constexpr (exchanged || chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
    }
  }
}
template <auto... Options, class S, class A, class X, class Y, detail::when<is_view<A> && is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void gemv(S scope, just<value_of<Y>> alpha, A a, X x, Y y) {
  gemv<Options...>(scope, alpha, a, x, value_of<Y>(0), y);
}
GLASS_FACES_2(gemv, M, N, (just<T> alpha, const just<T>* A, const just<T>* x, just<T> beta, just<T>* y),
              (alpha, as_matrix_in<chosen<Order::col, 0, O...>()>(A, M, N),
               as_vector(x, either<chosen<Trans::no, 0, O...>() == Trans::yes>(M, N)), beta,
               as_vector(y, either<chosen<Trans::no, 0, O...>() == Trans::yes>(N, M))))
GLASS_FACES_2(gemv, M, N, (just<T> alpha, const just<T>* A, const just<T>* x, just<T>* y),
              (alpha, as_matrix_in<chosen<Order::col, 0, O...>()>(A, M, N),
               as_vector(x, either<chosen<Trans::no, 0, O...>() == Trans::yes>(M, N)),
               as_vector(y, either<chosen<Trans::no, 0, O...>() == Trans::yes>(N, M))))
}  // namespace glass
