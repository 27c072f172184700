// rotg(a, b) -> {c, s, r}          The plane rotation that takes (a, b) to (r, 0): r = sigma sqrt(a^2 + b^2), c = a /
//                                  r, s = b / r, sigma the sign of the larger magnitude (b's on a tie). [GVL 5.1.8]
// rotg(scope, a, b, c, s, r)       the same for N pairs.
// rot(scope, x, y, c, s)           (x, y) <- (c x + s y, c y - s x), both from the old values.
// data     vectors of N, constant or run-time size, any increment; a and b are read only, x and y overwritten; an
//          output of rotg may be exactly an input.
// lanes    every lane of the scope calls rot and the second form of rotg, with the same c and s; lane r owns elements
//          r, r + W, ...; ends synchronised unless Sync::no.
// range    rotg scales by the larger magnitude: it neither overflows nor underflows where r does not. (0, 0) gives
//          c = 1, s = 0, r = 0; NaN and Inf give what the formula does.
// cost     rot: 6 N flops, reads and writes 2 N; rotg: 8 N, reads 2 N, writes 3 N.
#pragma once
#include <glass/core/each.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/math.cuh>
#include <glass/core/view.cuh>
namespace glass {
template <class T>
struct rotation {
  T c, s, r;
};
template <class T>
GLASS_DEVICE rotation<T> rotg(just<T> a, just<T> b) {
  const bool a_leads = absolute(a) > absolute(b);
  const T larger = a_leads ? absolute(a) : absolute(b);
  if (a == T(0) && b == T(0)) return {1, 0, 0};
  const T sigma = (a_leads ? a : b) < T(0) ? T(-1) : T(1);
  if (larger - larger != T(0)) {  // not finite: nothing to scale
    const T r = sigma * (larger + absolute(a) + absolute(b));
    return {a / r, b / r, r};
  }
  const T u = a / larger, v = b / larger, length = sigma * square_root(fused(u, u, v * v));
  return {u / length, v / length, larger * length};
}
template <auto... Options, class S, class A, class B, class C, class D, class R,
          detail::when<is_view<A> && is_view<B> && is_view<C> && is_view<D> && is_view<R>> = 0>
GLASS_DEVICE void rotg(S scope, A a, B b, C c, D s, R r) {
  constexpr bool known = takes<types<Sync>, Options...>, writable = C::writable && D::writable && R::writable;
  constexpr bool fits = agree(A::static_rows, B::static_rows) && agree(A::static_rows, C::static_rows) &&
                        agree(A::static_rows, D::static_rows) && agree(A::static_rows, R::static_rows);
  static_assert(known, "glass: rotg takes the option Sync.");
  static_assert(fits, "glass: rotg(scope, a, b, c, s, r): the vectors have different sizes.");
  static_assert(writable, "glass: rotg writes c, s and r, but one of them is const.");
  if constexpr (known && fits && writable) {
    each(scope, r.rows(), [&](int i) {
      const rotation<value_of<R>> g = rotg<value_of<R>>(a(i), b(i));
      c(i) = g.c, s(i) = g.s, r(i) = g.r;
    });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class X, class Y, detail::when<is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void rot(S scope, X x, Y y, just<value_of<X>> c, just<value_of<X>> s) {
  constexpr bool known = takes<types<Sync>, Options...>, fits = agree(X::static_rows, Y::static_rows);
  constexpr bool writable = X::writable && Y::writable;
  static_assert(known, "glass: rot takes the option Sync.");
  static_assert(fits, "glass: rot(scope, x, y, c, s): x and y have different sizes.");
  static_assert(writable, "glass: rot writes x and y, but one of them is const.");
  if constexpr (known && fits && writable) {
    each(scope, y.rows(), [&](int i) {
      const value_of<X> u = x(i), v = y(i);
      x(i) = fused(c, u, s * v);
      y(i) = fused(c, v, -s * u);
    });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_1(rotg, N, (const just<T>* a, const just<T>* b, just<T>* c, just<T>* s, just<T>* r),
              (as_vector(a, N), as_vector(b, N), as_vector(c, N), as_vector(s, N), as_vector(r, N)))
GLASS_FACES_1(rot, N, (just<T> * x, just<T>* y, just<T> c, just<T> s), (as_vector(x, N), as_vector(y, N), c, s))
}  // namespace glass
