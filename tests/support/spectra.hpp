// Matrices with a known spectrum, and the errors that decompositions are judged by: what they multiply to, and how
// orthogonal their factors are. Together these bound the values too (Weyl), so no other decomposition is needed here.
#pragma once
#include "products.hpp"

namespace glass::test {

template <class W>
dense<W> times(const dense<W>& a, const dense<W>& b) {
  return reference::product<W>(1, a, b, 0, dense<W>(a.rows, b.cols));
}
template <class W>
W frobenius(const dense<W>& a) {
  W most = 0, sum = 0;
  for (const W x : a.numbers) most = std::max(most, std::abs(x));
  for (const W x : a.numbers) sum += most > 0 ? x / most * (x / most) : 0;
  return most * std::sqrt(sum);
}
template <class W>
dense<W> difference(dense<W> a, const dense<W>& b) {
  for (std::size_t e = 0; e < a.numbers.size(); ++e) a.numbers[e] -= b.numbers[e];
  return a;
}
template <class W>
dense<W> identity(int n) {
  dense<W> d(n, n);
  for (int i = 0; i < n; ++i) d(i, i) = 1;
  return d;
}
// Columns times numbers.
template <class W>
dense<W> scaled_columns(dense<W> a, const dense<W>& by) {
  for (int j = 0; j < a.cols; ++j)
    for (int i = 0; i < a.rows; ++i) a(i, j) *= by(j);
  return a;
}
template <class T>
dense<T> with_values(const dense<reference::wide<T>>& u, const std::vector<double>& s,
                     const dense<reference::wide<T>>& v) {
  using W = reference::wide<T>;
  dense<W> values(static_cast<int>(s.size()), 1);
  std::copy(s.begin(), s.end(), values.numbers.begin());
  return times(scaled_columns(u, values), reference::transposed(v)).template as<T>();
}
// Symmetric to the last bit.
template <class T>
dense<T> symmetric_with(const std::vector<double>& w) {
  const int n = static_cast<int>(w.size());
  const auto v = orthonormal<reference::wide<T>>(n, n);
  return reference::mirrored(with_values<T>(v, w, v), true);
}
// The strict upper triangle is not for reading.
template <class T>
dense<T> lower_only(dense<T> a) {
  for (int j = 0; j < a.cols; ++j)
    for (int i = 0; i < j; ++i) a(i, j) = poison<T>();
  return a;
}
template <class T>
bool all_nan(const dense<T>& a) {
  for (const T x : a.numbers)
    if (!std::isnan(x)) return false;
  return true;
}

// ||U S V^T - A||_F <= c eps size and ||Q^T Q - I||_F <= q eps for both factors.
template <class T>
std::string not_orthogonal(const dense<T>& q, double c) {
  using W = reference::wide<T>;
  const auto w = q.template as<W>();
  const W error = frobenius(difference(times(reference::transposed(w), w), identity<W>(q.cols)));
  if (error <= W(c) * W(std::numeric_limits<T>::epsilon())) return "";
  return "Q^T Q - I is " + std::to_string(double(error / W(std::numeric_limits<T>::epsilon()))) + " eps";
}
template <class T>
std::string not_product(const dense<T>& a, const dense<T>& u, const dense<T>& s, const dense<T>& v,
                        reference::wide<T> size, double c) {
  using W = reference::wide<T>;
  const auto usv =
      times(scaled_columns(u.template as<W>(), s.template as<W>()), reference::transposed(v.template as<W>()));
  const W error = frobenius(difference(usv, a.template as<W>())), unit = W(std::numeric_limits<T>::epsilon()) * size;
  if (error <= W(c) * unit) return "";
  return "the factors miss A by " + std::to_string(double(error / unit)) + " eps";
}

}  // namespace glass::test
