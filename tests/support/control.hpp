// What the tests of control and estimation share: their scopes, small linear algebra one precision wider, and how
// results are compared.
#pragma once
#include "products.hpp"

namespace glass::test {

// Every instantiation costs compile time, and the two types differ in nothing but width: f32 in each sort of scope, f64
// in two.
template <class T, class F>
void scopes_of(F f) {
  if constexpr (sizeof(T) == 4) {
    sorts_of_scope(f);
  } else {
    f(scope_case<scope::tile<4>>{{"tile4", 4, {8}}});
    f(scope_case<scope::block<>>{{"block", 0, {33}}});
  }
}
// One of them each, for what an option or a layout changes wherever it runs: registers where sizes are constants, and
// loops.
template <class T, class F>
void scope_of(F f) {
  if constexpr (sizeof(T) == 4)
    f(scope_case<scope::tile<4>>{{"tile4", 4, {8}}});
  else
    f(scope_case<scope::block<>>{{"block", 0, {33}}});
}

template <class W>
dense<W> times(const dense<W>& a, const dense<W>& b) {
  return reference::product<W>(1, a, b, 0, dense<W>(a.rows, b.cols));
}
template <class W>
dense<W> added(dense<W> a, const dense<W>& b, W factor = 1) {
  for (std::size_t e = 0; e < a.numbers.size(); ++e) a.numbers[e] += factor * b.numbers[e];
  return a;
}
template <class W>
dense<W> with_shift(dense<W> h, Shift how, W rho) {
  for (int i = 0; i < h.rows; ++i) h(i, i) += how == Shift::none ? W(0) : how == Shift::identity ? rho : rho * h(i, i);
  return h;
}
// S^-1 B for S symmetric positive definite.
template <class W>
dense<W> solved(dense<W> s, dense<W> b) {
  reference::potrf(s);
  for (int r = 0; r < b.cols; ++r) {
    for (int i = 0; i < b.rows; ++i) {
      for (int k = 0; k < i; ++k) b(i, r) -= s(i, k) * b(k, r);
      b(i, r) /= s(i, i);
    }
    for (int i = b.rows - 1; i >= 0; --i) {
      for (int k = i + 1; k < b.rows; ++k) b(i, r) -= s(k, i) * b(k, r);
      b(i, r) /= s(i, i);
    }
  }
  return b;
}
template <class T>
dense<T> whole_spd(int n, double kappa) {
  return reference::mirrored(spd<T>(n, kappa), true);
}
template <class T>
bool symmetric_bits(const dense<T>& a) {
  for (int j = 0; j < a.cols; ++j)
    for (int i = 0; i < j; ++i)
      if (!same_bits(a(i, j), a(j, i))) return false;
  return true;
}
template <class W>
W largest(const dense<W>& a) {
  W most = 0;
  for (const W x : a.numbers) most = std::max(most, std::abs(x));
  return most;
}
// |got - ref| <= c eps scale, every element.
template <class T, class W>
std::string far(const char* what, const dense<T>& got, const dense<W>& ref, W scale, double c) {
  for (int j = 0; j < ref.cols; ++j)
    for (int i = 0; i < ref.rows; ++i)
      if (!close(got(i, j), ref(i, j), scale, c))
        return what + (" is wrong at " + std::to_string(i)) + ", " + std::to_string(j) + ": " +
               std::to_string(double(got(i, j))) + ", not " + std::to_string(double(ref(i, j)));
  return "";
}

}  // namespace glass::test
