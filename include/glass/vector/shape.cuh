// set_identity(scope, A)                A <- I: ones on the diagonal, zeros elsewhere; A need not be square.
// symmetrize<Fill>(scope, A)            Fill::full (the default): A <- (A + A^T) / 2, exactly symmetric; Fill::lower or
//                                       upper: that triangle is mirrored into the other.
// transpose(scope, A, B)                B <- A^T; B is N x M for A: M x N.
// transpose(scope, A)                   A <- A^T in place, A square.
// copy_strided(scope, alpha, X, Y)      Y <- alpha X, blocks of larger matrices: M x N, each with a leading dimension.
// axpy_strided(scope, alpha, X, Y)      Y <- alpha X + Y, likewise.
// data     matrices of constant or run-time size, any leading dimension and order. What is only read may be const. B
//          overlaps A nowhere, Y may be exactly X; storage between the columns of a view is not touched.
// lanes    every lane of the scope calls, with the same alpha; neighbouring lanes own neighbouring rows; in place, a
//          lane owns both elements of a pair; ends synchronised unless Sync::no.
// scalars  copy_strided always multiplies (0 times NaN is NaN); axpy_strided with alpha == 0 reads and writes nothing.
// cost     symmetrize N^2 flops, copy_strided M N, axpy_strided 2 M N, the others none; reads and writes each element
//          once.
#pragma once
#include <glass/core/each.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/math.cuh>
#include <glass/core/view.cuh>
namespace glass {
namespace detail {
// (a + b) / 2; halves first only where the sum overflows, so that small numbers keep their last bit.
template <class T>
GLASS_SCALAR T middle(T a, T b) {
  const T sum = a + b;
  return is_finite(sum) ? T(0.5) * sum : fused(T(0.5), a, T(0.5) * b);
}
template <class A, class B>
inline constexpr bool same_shape = agree(A::static_rows, B::static_rows) && agree(A::static_cols, B::static_cols);
}  // namespace detail

template <auto... Options, class S, class A, detail::when<is_view<A>> = 0>
GLASS_DEVICE void set_identity(S scope, A a) {
  constexpr bool known = takes<types<Sync>, Options...>;
  static_assert(known, "glass: set_identity takes the option Sync.");
  static_assert(A::writable, "glass: set_identity writes A, but A is const.");
  if constexpr (known && A::writable) {
    using T = value_of<A>;
    each(scope, a.rows(), a.cols(), [&](int i, int j) { a(i, j) = i == j ? T(1) : T(0); });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class A, detail::when<is_view<A>> = 0>
GLASS_DEVICE void symmetrize(S scope, A a) {
  constexpr bool known = takes<types<Fill, Sync>, Options...>, square = agree(A::static_rows, A::static_cols);
  static_assert(known, "glass: symmetrize takes the options Fill and Sync, in any order.");
  static_assert(square, "glass: symmetrize(scope, A): A is not square.");
  static_assert(A::writable, "glass: symmetrize writes A, but A is const.");
  if constexpr (known && square && A::writable) {
    constexpr Fill fill = chosen<Fill::full, 0, Options...>();
    each(scope, a.rows(), a.rows(), [&](int i, int j) {
      if (i > j) {
        if constexpr (fill == Fill::full)
          a(i, j) = a(j, i) = detail::middle(a(i, j), a(j, i));
        else if constexpr (fill == Fill::lower)
          a(j, i) = a(i, j);
        else
          a(i, j) = a(j, i);
      }
    });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class A, class B, detail::when<is_view<A> && is_view<B>> = 0>
GLASS_DEVICE void transpose(S scope, A a, B b) {
  constexpr bool known = takes<types<Sync>, Options...>;
  constexpr bool fits = agree(A::static_rows, B::static_cols) && agree(A::static_cols, B::static_rows);
  static_assert(known, "glass: transpose takes the option Sync.");
  static_assert(fits, "glass: transpose(scope, A, B): A is M x N and B must be N x M.");
  static_assert(B::writable, "glass: transpose writes B, but B is const.");
  if constexpr (known && fits && B::writable) {
    each(scope, a.rows(), a.cols(), [&](int i, int j) { b(j, i) = a(i, j); });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class A, detail::when<is_view<A>> = 0>
GLASS_DEVICE void transpose(S scope, A a) {
  constexpr bool known = takes<types<Sync>, Options...>, square = agree(A::static_rows, A::static_cols);
  static_assert(known, "glass: transpose takes the option Sync.");
  static_assert(square, "glass: transpose(scope, A) is in place: A must be square.");
  static_assert(A::writable, "glass: transpose(scope, A) writes A, but A is const.");
  if constexpr (known && square && A::writable) {
    each(scope, a.rows(), a.rows(), [&](int i, int j) {
      if (i > j) {
        const value_of<A> old = a(i, j);
        a(i, j) = a(j, i);
        a(j, i) = old;
      }
    });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class X, class Y, detail::when<is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void copy_strided(S scope, just<value_of<Y>> alpha, X x, Y y) {
  constexpr bool known = takes<types<Sync>, Options...>, fits = detail::same_shape<X, Y>;
  static_assert(known, "glass: copy_strided takes the option Sync.");
  static_assert(fits, "glass: copy_strided(scope, alpha, X, Y): X and Y have different sizes.");
  static_assert(Y::writable, "glass: copy_strided writes Y, but Y is const.");
  if constexpr (known && fits && Y::writable) {
    each(scope, y.rows(), y.cols(), [&](int i, int j) { y(i, j) = alpha * x(i, j); });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
template <auto... Options, class S, class X, class Y, detail::when<is_view<X> && is_view<Y>> = 0>
GLASS_DEVICE void axpy_strided(S scope, just<value_of<Y>> alpha, X x, Y y) {
  constexpr bool known = takes<types<Sync>, Options...>, fits = detail::same_shape<X, Y>;
  static_assert(known, "glass: axpy_strided takes the option Sync.");
  static_assert(fits, "glass: axpy_strided(scope, alpha, X, Y): X and Y have different sizes.");
  static_assert(Y::writable, "glass: axpy_strided writes Y, but Y is const.");
  if constexpr (known && fits && Y::writable) {
    if (alpha != 0) each(scope, y.rows(), y.cols(), [&](int i, int j) { y(i, j) = fused(alpha, x(i, j), y(i, j)); });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
GLASS_FACES_1(set_identity, N, (just<T> * A), (as_matrix(A, N, N)))
GLASS_FACES_1(symmetrize, N, (just<T> * A), (as_matrix(A, N, N)))
GLASS_FACES_2(transpose, M, N, (const just<T>* A, just<T>* B), (as_matrix(A, M, N), as_matrix(B, N, M)))
GLASS_FACES_1(transpose, N, (just<T> * A), (as_matrix(A, N, N)))
GLASS_FACES_4(copy_strided, M, N, LDY, LDX, (just<T> alpha, const just<T>* X, just<T>* Y),
              (alpha, as_matrix(X, M, N, LDX), as_matrix(Y, M, N, LDY)))
GLASS_FACES_4(axpy_strided, M, N, LDY, LDX, (just<T> alpha, const just<T>* X, just<T>* Y),
              (alpha, as_matrix(X, M, N, LDX), as_matrix(Y, M, N, LDY)))
}  // namespace glass
