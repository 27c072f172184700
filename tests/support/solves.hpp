// Matrices that solves are tested on, the errors that they are judged by, and the lists of sizes that tests sweep.
#pragma once
#include "scopes.hpp"

namespace glass::test {

struct scalar_names {
  template <class T>
  static std::string GetName(int) {
    return sizeof(T) == 4 ? "f32" : "f64";
  }
};

template <int... N>
struct sizes {};
using fragment_sizes = sizes<1, 2, 3, 5, 8, 12, 17, 32, 33>;
// Run-time sizes: all small ones, and those around the widths of scopes.
inline const std::vector<int> any_size = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 24, 31, 32, 33};
template <int N>
struct constant {
  static constexpr int value = N;
};
// f(constant<N>) for every N of the list.
template <int... N, class F>
void every_size(sizes<N...>, F f) {
  (f(constant<N>{}), ...);
}
template <class T>
dense<T> column(std::initializer_list<T> x) {
  dense<T> d(static_cast<int>(x.size()), 1);
  std::copy(x.begin(), x.end(), d.numbers.begin());
  return d;
}
// Symmetric matrices of order N without a Cholesky factor, and some that have one only just.
template <class T, int N>
std::vector<dense<T>> failing() {
  const T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  std::vector<dense<T>> all;
  const auto change = [&](int i, int j, T x) {
    dense<T> a = spd<T>(N, 10);
    a(i, j) = x;
    all.push_back(a);
  };
  for (const T x : {T(0), T(-1), nan, inf}) change(0, 0, x), change(N - 1, N - 1, x), change(N / 2, N / 2, x);
  for (const T x : {nan, inf, -inf, T(2)}) change(N - 1, 0, x), change(N / 2, N / 2 - 1, x);
  return all;
}
template <class T>
int expected_info(const dense<T>& a) {
  auto w = a.template as<reference::wide<T>>();
  return reference::potrf(w);
}

// |L L^T - A| <= (n + 2) eps |L| |L^T|, lower triangle.
template <class T>
std::string factor_error(const dense<T>& a, const dense<T>& factor) {
  using W = reference::wide<T>;
  const auto l = reference::triangle(factor.template as<W>(), true, false);
  const auto size = reference::magnitude(l), zero = dense<W>(a.rows, a.cols);
  const auto back = reference::product<W>(1, l, reference::transposed(l), 0, zero);
  const auto terms = reference::product<W>(1, size, reference::transposed(size), 0, zero);
  for (int j = 0; j < a.cols; ++j)
    for (int i = j; i < a.rows; ++i)
      if (!close(a(i, j), back(i, j), terms(i, j), a.rows + 2))
        return "L L^T is not A at " + std::to_string(i) + ", " + std::to_string(j);
  return "";
}
// ||b - A x|| <= c eps (||A|| ||x|| + ||b||), every column, maximum norms.
template <class T>
std::string backward_error(const dense<T>& a, const dense<T>& x, const dense<T>& b, double c) {
  using W = reference::wide<T>;
  const auto wa = a.template as<W>(), wx = x.template as<W>(), wb = b.template as<W>();
  const auto ax = reference::product<W>(1, wa, wx, 0, dense<W>(b.rows, b.cols));
  W norm_a = 0;
  for (int i = 0; i < a.rows; ++i) {
    W row = 0;
    for (int j = 0; j < a.cols; ++j) row += std::abs(wa(i, j));
    norm_a = std::max(norm_a, row);
  }
  for (int r = 0; r < b.cols; ++r) {
    W norm_x = 0, norm_b = 0, residual = 0;
    for (int i = 0; i < b.rows; ++i) {
      norm_x = std::max(norm_x, std::abs(wx(i, r))), norm_b = std::max(norm_b, std::abs(wb(i, r)));
      residual = std::max(residual, std::abs(wb(i, r) - ax(i, r)));
      if (std::isnan(wx(i, r))) return "x is NaN";
    }
    if (!(residual <= W(c) * W(std::numeric_limits<T>::epsilon()) * (norm_a * norm_x + norm_b)))
      return "the residual of column " + std::to_string(r) + " is " + std::to_string(double(residual));
  }
  return "";
}

}  // namespace glass::test
