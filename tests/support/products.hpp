// What the products (dot, axpy, gemv, gemm, syrk) are judged by: element by element against alpha A B + beta C, in eps
// times the sum of the terms.
#pragma once
#include "solves.hpp"

namespace glass::test {

// got against alpha op(a) op(b) + beta c, within k eps times the terms. `write(i, j)`: the elements that the operation
// writes.
template <class T, class Write>
std::string product_error(T alpha, const dense<T>& a, const dense<T>& b, T beta, const dense<T>& c, const dense<T>& got,
                          double k, Write write) {
  using W = reference::wide<T>;
  const auto ref = reference::product<W>(alpha, a.template as<W>(), b.template as<W>(), beta, c.template as<W>());
  const auto terms = reference::product<W>(std::abs(alpha), reference::magnitude(a.template as<W>()),
                                           reference::magnitude(b.template as<W>()), std::abs(beta),
                                           reference::magnitude(c.template as<W>()));
  for (int j = 0; j < c.cols; ++j)
    for (int i = 0; i < c.rows; ++i)
      if (write(i, j) && !close(got(i, j), ref(i, j), terms(i, j), k))
        return "element " + std::to_string(i) + ", " + std::to_string(j) + " is " + std::to_string(double(got(i, j))) +
               ", expected " + std::to_string(double(ref(i, j)));
  return "";
}
inline bool everywhere(int, int) { return true; }
// alpha and beta as they matter: ordinary, and the zeros that forbid reading.
template <class T>
struct scalars_of_product {
  T alpha, beta;
};
template <class T>
constexpr scalars_of_product<T> products[] = {
    {T(1.5), T(-0.5)}, {T(1), T(0)}, {T(0), T(0.5)}, {T(0), T(0)}, {T(-1), T(1)}};
// A destination that is read only if beta says so.
template <class T>
dense<T> destination(int m, int n, T beta) {
  return beta == 0 ? dense<T>(m, n, poison<T>()) : uniform<T>(m, n);
}
template <class T>
dense<T> source(int m, int n, T alpha) {
  return alpha == 0 ? dense<T>(m, n, poison<T>()) : uniform<T>(m, n);
}

}  // namespace glass::test
