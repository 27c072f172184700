// The operations as their formulas say, one problem at a time: the specification that every body is tested against.
// Computed one precision wider than the data. Nothing here is fast, clever, or shared with the device headers.
#pragma once
#include <cmath>
#include <vector>

namespace glass::reference {

template <class T>
struct wider;
template <>
struct wider<float> {
  using type = double;
};
template <>
struct wider<double> {
  using type = long double;
};
template <class T>
using wide = typename wider<T>::type;

template <class T>
struct dense {
  int rows = 0, cols = 0;
  std::vector<T> numbers;
  dense() = default;
  dense(int m, int n, T fill = 0)
      : rows(m), cols(n), numbers(static_cast<std::size_t>(m) * static_cast<std::size_t>(n), fill) {}
  T& operator()(int i, int j = 0) { return numbers[static_cast<std::size_t>(i + j * rows)]; }
  const T& operator()(int i, int j = 0) const { return numbers[static_cast<std::size_t>(i + j * rows)]; }
  template <class U>
  dense<U> as() const {
    dense<U> d(rows, cols);
    for (std::size_t e = 0; e < numbers.size(); ++e) d.numbers[e] = static_cast<U>(numbers[e]);
    return d;
  }
  dense map(T (*f)(T)) const {
    dense d = *this;
    for (T& x : d.numbers) x = f(x);
    return d;
  }
};
template <class T>
dense<T> transposed(const dense<T>& a) {
  dense<T> t(a.cols, a.rows);
  for (int j = 0; j < a.cols; ++j)
    for (int i = 0; i < a.rows; ++i) t(j, i) = a(i, j);
  return t;
}
template <class T>
dense<T> magnitude(const dense<T>& a) {
  return a.map([](T x) { return std::abs(x); });
}

// alpha A B + beta C; every L1 … L3 operation is a case of it. beta == 0: C is not read. alpha == 0: A and B are not
// read.
template <class T>
dense<T> product(T alpha, const dense<T>& a, const dense<T>& b, T beta, const dense<T>& c) {
  dense<T> r(c.rows, c.cols);
  for (int i = 0; i < c.rows; ++i)
    for (int j = 0; j < c.cols; ++j) {
      T sum = 0;
      for (int k = 0; k < a.cols && alpha != 0; ++k) sum += a(i, k) * b(k, j);
      r(i, j) = (alpha != 0 ? alpha * sum : 0) + (beta != 0 ? beta * c(i, j) : 0);
    }
  return r;
}

// A = L L^T, lower triangle in place. 0, or the first k whose pivot is not in (0, Inf).
template <class T>
int potrf(dense<T>& a) {
  for (int k = 0; k < a.cols; ++k) {
    T pivot = a(k, k);
    for (int p = 0; p < k; ++p) pivot -= a(k, p) * a(k, p);
    if (!(pivot > 0) || std::isinf(pivot)) return k + 1;
    a(k, k) = std::sqrt(pivot);
    for (int i = k + 1; i < a.rows; ++i) {
      T s = a(i, k);
      for (int p = 0; p < k; ++p) s -= a(i, p) * a(k, p);
      a(i, k) = s / a(k, k);
    }
  }
  return 0;
}

// The triangle of A that an operation may read, as a full matrix.
template <class T>
dense<T> triangle(const dense<T>& a, bool lower, bool unit) {
  dense<T> t(a.rows, a.cols);
  for (int j = 0; j < a.cols; ++j)
    for (int i = 0; i < a.rows; ++i)
      if (i == j)
        t(i, j) = unit ? 1 : a(i, j);
      else if ((i > j) == lower)
        t(i, j) = a(i, j);
  return t;
}
template <class T>
dense<T> mirrored(const dense<T>& a, bool from_lower) {  // symmetric, from one triangle
  dense<T> s = a;
  for (int j = 0; j < a.cols; ++j)
    for (int i = 0; i < j; ++i) from_lower ? s(i, j) = a(j, i) : s(j, i) = a(i, j);
  return s;
}

}  // namespace glass::reference
