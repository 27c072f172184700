// elementwise(scope, f, x..., y)           y(i) <- f(x(i)...): one to three inputs, f any function object of numbers.
// elementwise_{add, sub, mult, max, min}(scope, a, b, c)                    c <- a + b, a - b, a b, max, min
// elementwise_abs(scope, a, c);  elementwise_{mult, max, min}_scalar(scope, a, s, c)     the same with a number s
// elementwise_{less_than, more_than, less_than_or_eq, and}(scope, a, b, c)  c <- 1 or 0: a < b, a > b, a <= b, a and b
// elementwise_less_than_scalar(scope, a, s, c), elementwise_not(scope, a, c)             c <- 1 or 0: a < s, not a
// clip(scope, x, l, u)                     x <- x limited to [l, u], in place.
// data     vectors of N, constant or run-time size, any increment; inputs are read only. The output may be exactly an
//          input.
// lanes    every lane of the scope calls; lane r owns elements r, r + W, ...; ends synchronised unless Sync::no.
// NaN      max and min give the other number (both NaN: NaN), a comparison with NaN is 0, and NaN counts as true.
//          clip: t = x < l ? l : x, then x = t > u ? u : t. So NaN in x stays, a NaN bound does not limit, and l > u
//          gives u.
// cost     N flops (clip: 2 N); reads N an input, writes N.
#pragma once
#include <glass/core/each.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/math.cuh>
#include <glass/core/view.cuh>
namespace glass {
namespace detail {
template <auto... Options, class S, class F, class Y, class... X>
GLASS_DEVICE void map(S scope, F f, Y y, X... x) {
  constexpr bool known = takes<types<Sync>, Options...>;
  constexpr bool fits = (true && ... && agree(X::static_rows, Y::static_rows));
  static_assert(known, "glass: an element-wise operation takes the option Sync.");
  static_assert(fits, "glass: an element-wise operation: the vectors have different sizes.");
  static_assert(Y::writable, "glass: an element-wise operation writes its last vector (clip: x), but that is const.");
  if constexpr (known && fits && Y::writable) {
    each(scope, y.rows(), [&](int i) { y(i) = f(x(i)...); });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
}  // namespace detail

template <auto... Options, class S, class F, class X, class Y, detail::when<detail::are_views<X, Y>> = 0>
GLASS_DEVICE void elementwise(S scope, F f, X x, Y y) {
  detail::map<Options...>(scope, f, y, x);
}
template <auto... Options, class S, class F, class X, class V, class Y, detail::when<detail::are_views<X, V, Y>> = 0>
GLASS_DEVICE void elementwise(S scope, F f, X x, V v, Y y) {
  detail::map<Options...>(scope, f, y, x, v);
}
template <auto... Options, class S, class F, class X, class V, class W, class Y,
          detail::when<detail::are_views<X, V, W, Y>> = 0>
GLASS_DEVICE void elementwise(S scope, F f, X x, V v, W w, Y y) {
  detail::map<Options...>(scope, f, y, x, v, w);
}
template <auto... Options, class S, class X, class L, class U, detail::when<detail::are_views<X, L, U>> = 0>
GLASS_DEVICE void clip(S scope, X x, L l, U u) {
  using T = value_of<X>;
  const auto limited = [](T v, T low, T high) {
    const T t = v < low ? low : v;
    return t > high ? high : t;
  };
  detail::map<Options...>(scope, limited, x, x, l, u);
}

// ---- c <- f(a, b)
template <auto... Options, class S, class A, class B, class C, detail::when<detail::are_views<A, B, C>> = 0>
GLASS_DEVICE void elementwise_add(S scope, A a, B b, C c) {
  using T = value_of<C>;
  detail::map<Options...>(
      scope, [](T x, T y) { return x + y; }, c, a, b);
}
template <auto... Options, class S, class A, class B, class C, detail::when<detail::are_views<A, B, C>> = 0>
GLASS_DEVICE void elementwise_sub(S scope, A a, B b, C c) {
  using T = value_of<C>;
  detail::map<Options...>(
      scope, [](T x, T y) { return x - y; }, c, a, b);
}
template <auto... Options, class S, class A, class B, class C, detail::when<detail::are_views<A, B, C>> = 0>
GLASS_DEVICE void elementwise_mult(S scope, A a, B b, C c) {
  using T = value_of<C>;
  detail::map<Options...>(
      scope, [](T x, T y) { return x * y; }, c, a, b);
}
template <auto... Options, class S, class A, class B, class C, detail::when<detail::are_views<A, B, C>> = 0>
GLASS_DEVICE void elementwise_max(S scope, A a, B b, C c) {
  using T = value_of<C>;
  detail::map<Options...>(
      scope, [](T x, T y) { return greatest(x, y); }, c, a, b);
}
template <auto... Options, class S, class A, class B, class C, detail::when<detail::are_views<A, B, C>> = 0>
GLASS_DEVICE void elementwise_min(S scope, A a, B b, C c) {
  using T = value_of<C>;
  detail::map<Options...>(
      scope, [](T x, T y) { return least(x, y); }, c, a, b);
}
template <auto... Options, class S, class A, class B, class C, detail::when<detail::are_views<A, B, C>> = 0>
GLASS_DEVICE void elementwise_less_than(S scope, A a, B b, C c) {
  using T = value_of<C>;
  detail::map<Options...>(
      scope, [](T x, T y) { return x < y ? T(1) : T(0); }, c, a, b);
}
template <auto... Options, class S, class A, class B, class C, detail::when<detail::are_views<A, B, C>> = 0>
GLASS_DEVICE void elementwise_more_than(S scope, A a, B b, C c) {
  using T = value_of<C>;
  detail::map<Options...>(
      scope, [](T x, T y) { return x > y ? T(1) : T(0); }, c, a, b);
}
template <auto... Options, class S, class A, class B, class C, detail::when<detail::are_views<A, B, C>> = 0>
GLASS_DEVICE void elementwise_less_than_or_eq(S scope, A a, B b, C c) {
  using T = value_of<C>;
  detail::map<Options...>(
      scope, [](T x, T y) { return x <= y ? T(1) : T(0); }, c, a, b);
}
template <auto... Options, class S, class A, class B, class C, detail::when<detail::are_views<A, B, C>> = 0>
GLASS_DEVICE void elementwise_and(S scope, A a, B b, C c) {
  using T = value_of<C>;
  detail::map<Options...>(
      scope, [](T x, T y) { return ((x != 0) & (y != 0)) ? T(1) : T(0); }, c, a, b);
}

// ---- c <- f(a), c <- f(a, s)
template <auto... Options, class S, class A, class C, detail::when<detail::are_views<A, C>> = 0>
GLASS_DEVICE void elementwise_abs(S scope, A a, C c) {
  using T = value_of<C>;
  detail::map<Options...>(
      scope, [](T x) { return absolute(x); }, c, a);
}
template <auto... Options, class S, class A, class C, detail::when<detail::are_views<A, C>> = 0>
GLASS_DEVICE void elementwise_not(S scope, A a, C c) {
  using T = value_of<C>;
  detail::map<Options...>(
      scope, [](T x) { return x == 0 ? T(1) : T(0); }, c, a);
}
template <auto... Options, class S, class A, class C, detail::when<detail::are_views<A, C>> = 0>
GLASS_DEVICE void elementwise_mult_scalar(S scope, A a, just<value_of<C>> s, C c) {
  using T = value_of<C>;
  detail::map<Options...>(
      scope, [s](T x) { return x * s; }, c, a);
}
template <auto... Options, class S, class A, class C, detail::when<detail::are_views<A, C>> = 0>
GLASS_DEVICE void elementwise_max_scalar(S scope, A a, just<value_of<C>> s, C c) {
  using T = value_of<C>;
  detail::map<Options...>(
      scope, [s](T x) { return greatest(x, s); }, c, a);
}
template <auto... Options, class S, class A, class C, detail::when<detail::are_views<A, C>> = 0>
GLASS_DEVICE void elementwise_min_scalar(S scope, A a, just<value_of<C>> s, C c) {
  using T = value_of<C>;
  detail::map<Options...>(
      scope, [s](T x) { return least(x, s); }, c, a);
}
template <auto... Options, class S, class A, class C, detail::when<detail::are_views<A, C>> = 0>
GLASS_DEVICE void elementwise_less_than_scalar(S scope, A a, just<value_of<C>> s, C c) {
  using T = value_of<C>;
  detail::map<Options...>(
      scope, [s](T x) { return x < s ? T(1) : T(0); }, c, a);
}

// ---- pointer faces
// elementwise<T, N, options...>(f, x..., y) and, with the size at run time, elementwise<T, options...>(n, f, x..., y).
#define GLASS_ELEMENTWISE_FACE(OP, SCOPE)                                                                 \
  template <class T, int N, auto... O, class F, class... P, detail::when<detail::only_options<O...>> = 0> \
  GLASS_DEVICE void OP(F f, P*... p) {                                                                    \
    static_assert((true && ... && detail::same<typename detail::no_const<P>::type, T>),                   \
                  "glass: elementwise<T, N>(f, x..., y): the pointers are to T.");                        \
    ::glass::OP<O...>(SCOPE{}, f, vector<P, N>(p)...);                                                    \
  }                                                                                                       \
  template <class T, auto... O, class F, class... P, detail::when<detail::only_options<O...>> = 0>        \
  GLASS_DEVICE void OP(int n, F f, P*... p) {                                                             \
    static_assert((true && ... && detail::same<typename detail::no_const<P>::type, T>),                   \
                  "glass: elementwise<T>(n, f, x..., y): the pointers are to T.");                        \
    ::glass::OP<O...>(SCOPE{}, f, vector<P, dynamic>(p, n)...);                                           \
  }
GLASS_EVERYWHERE(GLASS_ELEMENTWISE_FACE, elementwise)
#define GLASS_FACES_OF_TWO(OP)                                           \
  GLASS_FACES_1(OP, N, (const just<T>* a, const just<T>* b, just<T>* c), \
                (as_vector(a, N), as_vector(b, N), as_vector(c, N)))
#define GLASS_FACES_OF_ONE(OP) GLASS_FACES_1(OP, N, (const just<T>* a, just<T>* c), (as_vector(a, N), as_vector(c, N)))
#define GLASS_FACES_OF_SCALAR(OP) \
  GLASS_FACES_1(OP, N, (const just<T>* a, just<T> s, just<T>* c), (as_vector(a, N), s, as_vector(c, N)))
GLASS_FACES_OF_TWO(elementwise_add)
GLASS_FACES_OF_TWO(elementwise_sub)
GLASS_FACES_OF_TWO(elementwise_mult)
GLASS_FACES_OF_TWO(elementwise_max)
GLASS_FACES_OF_TWO(elementwise_min)
GLASS_FACES_OF_TWO(elementwise_less_than)
GLASS_FACES_OF_TWO(elementwise_more_than)
GLASS_FACES_OF_TWO(elementwise_less_than_or_eq)
GLASS_FACES_OF_TWO(elementwise_and)
GLASS_FACES_OF_ONE(elementwise_abs)
GLASS_FACES_OF_ONE(elementwise_not)
GLASS_FACES_OF_SCALAR(elementwise_mult_scalar)
GLASS_FACES_OF_SCALAR(elementwise_max_scalar)
GLASS_FACES_OF_SCALAR(elementwise_min_scalar)
GLASS_FACES_OF_SCALAR(elementwise_less_than_scalar)
GLASS_FACES_1(clip, N, (just<T> * x, const just<T>* l, const just<T>* u),
              (as_vector(x, N), as_vector(l, N), as_vector(u, N)))
}  // namespace glass
