// What reductions are expected to give on one vector, each by its formula, one precision wider than the data: the
// numbers, places and vectors of a call of all of them, in the order of the call, and the judge of what came out.
#pragma once
#include <sstream>

#include "products.hpp"

namespace glass::test {

template <class T>
inline const T nan_of = std::numeric_limits<T>::quiet_NaN();
template <class T>
inline const T inf_of = std::numeric_limits<T>::infinity();
template <class T>
std::string text(T x) {
  std::ostringstream s;
  s.precision(20);
  s << x;
  return s.str();
}

// A number that every lane gets, and that one lane stores where the operation has that form.
template <class T>
struct number {
  const char* name;
  reference::wide<T> expected, terms;
  double c;
  answers<T> got = {};
  operand<T> out{dense<T>(1, 1, poison<T>()), layout::natural};
  bool stored = true;
};
// Likewise an index.
struct place {
  const char* name;
  int expected;
  answers<int> got = {};
  operand<int> out{dense<int>(1, 1, poison<int>()), layout::natural};
  bool stored = true;
};
// A vector that is written, judged element by element, or by the norm of the error.
template <class T>
struct row {
  using W = reference::wide<T>;
  const char* name;
  dense<W> expected, terms;
  double c;
  bool by_norm;
  operand<T> o;
};
template <class T>
struct reductions {
  using W = reference::wide<T>;
  T alpha, lambda;
  dense<T> x0, y0;
  operand<T> x, y;
  operand<int> indices;
  std::vector<number<T>> numbers = {};
  std::vector<place> places = {};
  std::vector<row<T>> rows = {};
  reductions(const dense<T>& X, T a, layout how)
      : alpha(a),
        lambda(T(0.5)),
        x0(X),
        y0(uniform<T>(X.rows, 1)),
        x(X, how),
        y(y0, how),
        indices(shuffled_indices(X.rows), how) {
    const int n = x0.rows;
    sums(n), extremes(n), softly(n, how), prefixes(n, how);
  }
  static dense<int> shuffled_indices(int n) {  // 7 i + 3 mod n, and now and then an empty lane
    dense<int> d(n, 1);
    for (int i = 0; i < n; ++i) d(i) = i % 5 == 4 ? -1 : (7 * i + 3) % (n + 1);
    return d;
  }
  void add(const char* name, W expected, W terms, double c) {
    if (std::abs(expected) > W(std::numeric_limits<T>::max())) expected = expected < 0 ? -inf_of<W> : inf_of<W>;
    numbers.push_back({name, expected, terms, c});
    for (const char* alone : {"reduce a lane", "reduce_min a lane", "reduce_max a lane", "reduce with an operator"})
      if (name == std::string(alone)) numbers.back().stored = false;
  }
  void sums(int n) {
    W sum = 0, size = 0, distance = 0, inner = 0, inner_size = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
      const W u = x0(i), v = y0(i);
      sum += u, size += std::abs(u), distance += std::abs(u - v), inner += u * v, inner_size += std::abs(u * v);
      squares += u * u;
    }
    // A product or a norm that underflows is off by half of the least number.
    const W step = W(std::numeric_limits<T>::denorm_min()) / W(std::numeric_limits<T>::epsilon());
    inner_size += n * step;
    for (const char* name : {"reduce", "reduce fixed", "reduce a lane"}) add(name, sum, size, n);
    add("asum", size, size, n), add("asum fixed", size, size, n);
    add("nrm1_diff", distance, distance, n), add("nrm1_diff fixed", distance, distance, n);
    for (const char* name : {"dot fixed", "dot_fast", "dot_strided"}) add(name, inner, inner_size, n);
    const W norm = std::sqrt(squares);
    add("nrm2", norm, norm + step, n / 2 + 2), add("vector_norm", norm, norm + step, n / 2 + 2);
  }
  void extremes(int n) {
    W least = n == 0 ? inf_of<W> : nan_of<W>, most = n == 0 ? -inf_of<W> : nan_of<W>, size = 0;
    for (int i = 0; i < n; ++i) {
      least = std::fmin(least, W(x0(i))), most = std::fmax(most, W(x0(i)));
      size = std::isnan(size) || std::isnan(x0(i)) ? nan_of<W> : std::max(size, W(std::abs(x0(i))));
    }
    add("infnorm", size, 0, 0);
    add("reduce_min", least, 0, 0), add("reduce_min a lane", least, 0, 0);
    add("reduce_max", most, 0, 0), add("reduce_max a lane", most, 0, 0);
    add("reduce with an operator", n == 0 || std::isnan(most) ? -inf_of<W> : most, 0, 0);
    // The first of the best, NaN skipped.
    const auto where = [&](const char* name, W sign, bool magnitude) {
      int at = 0;
      W best = nan_of<W>;
      for (int i = 0; i < n; ++i) {
        const W v = magnitude ? std::abs(W(x0(i))) : sign * W(x0(i));
        if (!std::isnan(v) && !(v <= best)) best = v, at = i;
      }
      places.push_back({name, at});
      add(name, n == 0 ? (magnitude ? 0 : -sign * inf_of<W>) : magnitude ? best : sign * best, 0, 0);
    };
    where("argmax", 1, false), where("argmin", -1, false), where("iamax", 1, true);
    const auto pair = [&](const char* name, W sign) {
      unsigned at = ~0u;
      W best = -inf_of<W>;
      for (int i = 0; i < n; ++i) {
        const W v = sign * W(x0(i));
        const unsigned k = unsigned(indices.at(i));
        if (k != ~0u && (v > best || (v == best && k < at))) best = v, at = k;
      }
      for (int form = 0; form < 2; ++form) {
        places.push_back({name, int(at)});
        places.back().stored = form == 0, add(name, sign * best, 0, 0);
        numbers.back().stored = form == 0;
      }
    };
    pair("argmax_pair", 1), pair("argmin_pair", -1);
  }
  void softly(int n, layout how) {
    W most = -inf_of<W>, sum = 0, least = inf_of<W>, weights = 0, squares = 0;
    bool bad = n == 0, nan = false;
    for (int i = 0; i < n; ++i) {
      const W t = W(alpha) * W(x0(i));
      nan |= std::isnan(t), most = std::fmax(most, t), least = std::fmin(least, W(x0(i)));
    }
    bad |= nan || std::isinf(most);
    dense<W> soft(n, 1, nan_of<W>), path(n, 1);
    for (int i = 0; i < n; ++i) sum += soft(i) = std::exp(W(alpha) * W(x0(i)) - most);
    W norm = 0, path_norm = 0;
    for (W& v : soft.numbers) v = bad ? nan_of<W> : v / sum, norm += v * v;
    for (int i = 0; i < n; ++i) {
      path(i) = x0(i) < inf_of<T> ? std::exp(-(W(x0(i)) - least) / W(lambda)) : 0;
      weights += path(i), squares += path(i) * path(i), path_norm += std::isnan(path(i)) ? 0 : path(i) * path(i);
    }
    path_norm = std::sqrt(path_norm), norm = std::sqrt(norm);
    const W log = nan ? nan_of<W> : std::isinf(most) ? most : most + std::log(sum);
    add("logsumexp", log, std::max(W(1), std::abs(log)), n + 8);
    if (n > 0 && !bad) add("softmax's max", most, std::abs(most), 1), add("softmax's sum", sum, sum, n + 8);
    const bool none = least == inf_of<W>;
    add("baseline", none ? 0 : least, 0, 0), add("normaliser", weights, weights, n + 8);
    add("ess", none ? 0 : weights * weights / squares, none ? 0 : weights * weights / squares, n + 8);
    const dense<T> blank(n, 1, poison<T>());
    const dense<W> size(n, 1, norm), path_size(n, 1, path_norm);
    for (const auto& before : {blank, x0}) rows.push_back({"softmax", soft, size, n + 8.0, true, {before, how}});
    for (const auto& before : {blank, x0})
      rows.push_back({"path_weights", path, path_size, n + 8.0, true, {before, how}});
  }
  void prefixes(int n, layout how) {
    dense<W> after(n, 1), before(n, 1), terms(n, 1), terms_before(n, 1);
    W sum = 0, size = 0;
    for (int i = 0; i < n; ++i) {
      before(i) = sum, terms_before(i) = size, after(i) = sum += W(x0(i)), terms(i) = size += std::abs(W(x0(i)));
    }
    const dense<T> blank(n, 1, poison<T>());
    for (const auto& y : {blank, x0}) {
      rows.push_back({"prefix_sum_inclusive", after, terms, double(n), false, {y, how}});
      rows.push_back({"prefix_sum_exclusive", before, terms_before, double(n), false, {y, how}});
    }
  }
};

template <class T>
std::string judge_number(number<T>& m) {
  const T got = m.got.one();
  if (!close(got, m.expected, m.terms, m.c)) return m.name + (" is " + text(got)) + ", expected " + text(m.expected);
  if (!m.got.all(got) && !std::isnan(m.expected)) return m.name + std::string(": the lanes have different results");
  if (!m.out.untouched(everywhere)) return m.name + std::string(": memory outside the result was written");
  if (m.stored && !same_bits(m.out.result()(0), got) && !std::isnan(m.expected))
    return m.name + (" stored is " + text(m.out.result()(0)));
  return "";
}
template <class T>
std::string judge_row(row<T>& r) {
  using W = reference::wide<T>;
  if (!r.o.untouched(everywhere)) return r.name + std::string(": memory outside the result was written");
  W error = 0;
  const int n = r.expected.rows;
  for (int i = 0; i < n; ++i) {
    const T got = r.o.result()(i);
    if (!close(got, r.expected(i), r.terms(i), r.c))
      return r.name + (": element " + std::to_string(i)) + " is " + text(got) + ", expected " + text(r.expected(i));
    error += (W(got) - r.expected(i)) * (W(got) - r.expected(i));
  }
  if (r.by_norm && n > 0 && std::sqrt(error) > r.c * std::numeric_limits<T>::epsilon() * r.terms(0))
    return r.name + std::string(": the error is ") + text(std::sqrt(error));
  return "";
}
template <class T>
std::string judge(reductions<T>& p) {
  if (!p.x.untouched() || !p.y.untouched() || !p.indices.untouched()) return "an input was written";
  std::string wrong;
  for (auto& m : p.numbers)
    if (wrong.empty()) wrong = judge_number(m);
  for (auto& m : p.places) {
    if (wrong.empty() && !m.got.all(m.expected)) wrong = m.name + (": index " + text(m.got.one()));
    if (wrong.empty() && m.stored && m.out.result()(0) != m.expected) wrong = m.name + std::string(": stored index");
  }
  for (auto& r : p.rows)
    if (wrong.empty()) wrong = judge_row(r);
  return wrong;
}

}  // namespace glass::test
