#include "tune/data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace glass::jit {
namespace {

constexpr double condition = 100;  // of an spd operand
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// A = H2 H1 diag(1 … 1/condition) H1 H2 with two Householder reflections: dense, symmetric, its condition number known,
// N^2 work.
std::vector<double> spd(int n, const std::function<double(int)>& uniform) {
  std::vector<double> a(static_cast<std::size_t>(n) * n, 0.0), v(n), w(n);
  const auto at = [&](int i, int j) -> double& { return a[static_cast<std::size_t>(j) * n + i]; };
  for (int i = 0; i < n; ++i) at(i, i) = std::pow(condition, n == 1 ? 0 : -static_cast<double>(i) / (n - 1));
  for (int reflection = 0; reflection < 2; ++reflection) {
    double norm = 0, vw = 0;
    for (int i = 0; i < n; ++i) v[i] = uniform(reflection * n + i) + 1e-3, norm += v[i] * v[i];
    const double beta = 2 / norm;
    for (int i = 0; i < n; ++i) {
      w[i] = 0;
      for (int j = 0; j < n; ++j) w[i] += beta * at(i, j) * v[j];
      vw += v[i] * w[i];
    }
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) at(i, j) -= v[i] * w[j] + w[i] * v[j] - beta * vw * v[i] * v[j];
  }
  for (int j = 0; j < n; ++j)  // exactly symmetric
    for (int i = 0; i < j; ++i) at(i, j) = at(j, i);
  return a;
}

}  // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t x = seed;
  for (const std::uint64_t word : {a, b, c}) {  // splitmix64
    x += 0x9e3779b97f4a7c15u + word;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
  }
  return x;
}

extents extents_of(const bound_operand& o) {
  extents e;
  if (!o.shape.empty()) e.rows = o.shape[0].value;
  if (o.shape.size() == 2) e.columns = o.shape[1].value;
  return e;
}

std::vector<double> problem_data(const bound_operand& o, unsigned seed, unsigned operand, long long index,
                                 bool steady) {
  const auto [rows, columns] = extents_of(o);
  const auto unit = [&](std::uint64_t e) {
    return static_cast<double>(random_bits(seed, operand, static_cast<std::uint64_t>(index), e) >> 11) * 0x1p-53;
  };
  const auto uniform = [&](std::uint64_t e) { return 2 * unit(e) - 1; };
  const kind k = o.what->kind;
  std::vector<double> data(static_cast<std::size_t>(rows) * columns);
  if (k == kind::spd && !(steady && o.what->access == access::inout)) {
    const std::size_t square = static_cast<std::size_t>(rows) * rows;
    for (std::size_t first = 0; first < data.size(); first += square) {  // several side by side
      const auto one = spd(rows, [&](int e) { return uniform(first + static_cast<std::uint64_t>(e)); });
      std::copy(one.begin(), one.end(), data.begin() + static_cast<std::ptrdiff_t>(first));
    }
    return data;
  }
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) {
      const std::size_t e = static_cast<std::size_t>(j) * rows + i;
      const bool other = k == kind::lower ? i < j : i > j;
      switch (k) {
        case kind::general:
          data[e] = uniform(e);
          break;
        case kind::positive:
          data[e] = 0.5 + unit(e);
          break;
        case kind::index:
          data[e] = std::floor(unit(e) * 1001);
          break;
        case kind::spd:
          data[e] = i == j % rows;
          break;
        case kind::lower:
        case kind::upper:
          data[e] = i == j ? (steady ? 1 : 1 + unit(e)) : other ? nan : uniform(e) / rows;
          break;
        case kind::unit_quaternion:
          data[e] = uniform(e);
          break;
      }
    }
  if (k == kind::unit_quaternion)
    for (std::size_t q = 0; q + 4 <= data.size(); q += 4) {
      double norm = 0;
      for (int i = 0; i < 4; ++i) norm += data[q + i] * data[q + i];
      for (int i = 0; i < 4; ++i) data[q + i] /= std::sqrt(norm);
    }
  return data;
}

}  // namespace glass::jit
