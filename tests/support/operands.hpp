// Numbers of one operand of one problem, in any layout that a view can describe, in memory that is poisoned everywhere
// else: an access outside the operand, or to a part that the contract leaves alone, changes a result or is seen by
// untouched(); one before or behind it is seen by the guards.
#pragma once
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "glass/core/view.cuh"
#include "guards.hpp"
#include "reference.hpp"

namespace glass::test {
using reference::dense;

enum class layout { natural, padded, by_rows, interleaved };

template <class T>
T poison() {  // a NaN that no arithmetic makes
  const unsigned long long bits = sizeof(T) == 4 ? 0x7fc0dead : 0x7ff8dead0000dead;
  T x;
  std::memcpy(&x, &bits, sizeof(T));
  return x;
}
template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T>
class operand {
 public:
  operand(const dense<T>& values, layout how) : rows_(values.rows), cols_(values.cols), how_(how) {
    ld_ = (how == layout::by_rows ? cols_ : rows_) + (how == layout::padded || how == layout::by_rows ? 3 : 0);
    inc_ = how == layout::interleaved ? 3 : 1;
    const std::size_t end = rows_ > 0 && cols_ > 0 ? index(rows_ - 1, cols_ - 1) + 1 : guard;
    memory_.assign(end + guard, poison<T>());
    for (int j = 0; j < cols_; ++j)
      for (int i = 0; i < rows_; ++i) at(i, j) = values(i, j);
    before_ = memory_;
    after_ = values;
  }
  T& at(int i, int j = 0) { return memory_[index(i, j)]; }
  // The view of layout L with extents M x N; -1: at run time.
  template <layout L, int M, int N>
  auto matrix() {
    constexpr auto m = extent<M>();
    constexpr auto n = extent<N>();
    T* p = memory_.data() + guard;
    if constexpr (L == layout::natural)
      return glass::matrix<T, m, n>(p, rows_, cols_);
    else if constexpr (L == layout::padded)
      return glass::matrix<T, m, n, dynamic>(p, rows_, cols_, ld_);
    else if constexpr (L == layout::by_rows)
      return glass::matrix<T, m, n, dynamic, Order::row>(p, rows_, cols_, ld_);
    else
      return glass::matrix<T, m, n, m, Order::col, dynamic>(p, rows_, cols_, ld_, inc_);
  }
  template <layout L, int N>
  auto vector() {
    T* p = memory_.data() + guard;
    if constexpr (L == layout::natural || L == layout::padded)
      return glass::vector<T, extent<N>()>(p, rows_);
    else
      return glass::vector<T, extent<N>(), dynamic>(p, rows_, L == layout::by_rows ? ld_ : inc_);
  }
  // What a lane that did not write an element saw of it after the operation.
  T& seen(int i, int j = 0) { return after_(i, j); }
  const dense<T>& result() const { return after_; }
  // All memory but the elements that `may` allows has its old bits.
  template <class May>
  bool untouched(May may) {
    auto expected = before_;
    for (int j = 0; j < cols_; ++j)
      for (int i = 0; i < rows_; ++i)
        if (may(i, j)) expected[index(i, j)] = at(i, j);
    return std::memcmp(expected.data(), memory_.data(), memory_.size() * sizeof(T)) == 0;
  }
  bool untouched() {
    return untouched([](int, int) { return false; });
  }
  int rows() const { return rows_; }
  int cols() const { return cols_; }

 private:
  static constexpr int guard = 8;
  template <int N>
  static constexpr auto extent() {
    if constexpr (N < 0)
      return dynamic;
    else
      return N;
  }
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(guard + (how_ == layout::by_rows ? i * ld_ + j : i + j * ld_) * inc_);
  }
  int rows_, cols_, ld_, inc_;
  layout how_;
  std::vector<T, guarded<T, guard>> memory_, before_;
  dense<T> after_;
};

// ---- data ----
inline std::mt19937_64& random() {
  static std::mt19937_64 engine(7);
  return engine;
}
template <class T>
dense<T> uniform(int m, int n) {
  dense<T> d(m, n);
  std::uniform_real_distribution<double> u(-1, 1);
  for (T& x : d.numbers) x = static_cast<T>(u(random()));
  return d;
}
// M x N with orthonormal columns (M >= N), by Gram and Schmidt, twice.
template <class W>
dense<W> orthonormal(int m, int n) {
  dense<W> q(m, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) q(i, j) = std::normal_distribution<double>()(random());
    for (int pass = 0; pass < 2; ++pass)
      for (int k = 0; k <= j; ++k) {
        W along = 0;
        for (int i = 0; i < m; ++i) along += q(i, k) * q(i, j);
        for (int i = 0; i < m; ++i) k < j ? q(i, j) -= along * q(i, k) : q(i, j) /= std::sqrt(along);
      }
  }
  return q;
}
// U diag(1 … 1/kappa, geometric) U^T, scaled; the strict upper triangle poisoned, for no operation on it may read that.
// (Without Eigen: its templates would be most of what each test's source compiles.)
template <class T>
dense<T> spd(int n, double kappa, double scale = 1) {
  const auto u = orthonormal<double>(n, n);
  dense<T> a(n, n, poison<T>());
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      double s = 0;
      for (int k = 0; k < n; ++k) s += u(i, k) * u(j, k) * scale * std::pow(kappa, n == 1 ? 0.0 : -double(k) / (n - 1));
      a(i, j) = std::abs(s) < 1e-14 * scale ? T(0) : static_cast<T>(s);
    }
  return a;
}
// Well away from singular; the other triangle (and a unit diagonal) poisoned.
template <class T>
dense<T> triangular(int n, bool lower, bool unit) {
  dense<T> a = uniform<T>(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (i == j)
        a(i, j) = unit ? poison<T>() : a(i, j) + (a(i, j) < 0 ? T(-2) : T(2));
      else if ((i > j) != lower)
        a(i, j) = poison<T>();
      else
        a(i, j) /= T(n);
  return a;
}

// ---- comparison ----
// |got - ref| <= c eps terms; NaN matches NaN and an infinity itself.
template <class T, class W>
bool close(T got, W ref, W terms, double c) {
  if (std::isnan(ref)) return std::isnan(got);
  if (std::isinf(ref)) return static_cast<W>(got) == ref;
  return std::abs(static_cast<W>(got) - ref) <=
         static_cast<W>(c) * static_cast<W>(std::numeric_limits<T>::epsilon()) * terms;
}

}  // namespace glass::test
