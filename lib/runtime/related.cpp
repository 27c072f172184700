#include "runtime/related.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "base/text.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

// "N=12 NRHS<=4" -> values; a bound counts as its value.
std::map<std::string, double> sizes_in(const std::string& text) {
  std::map<std::string, double> sizes;
  for (const auto& word : split(text, ' ')) {
    const std::size_t end = word.find_first_of("<="), digits = word.find_last_of("<=");
    if (end != std::string::npos) sizes[word.substr(0, end)] = std::atof(word.c_str() + digits + 1);
  }
  return sizes;
}

// Sum of |log2| of the ratios; nothing when the sizes have other names.
std::optional<double> log_distance(const std::string& a, const std::string& b) {
  const auto x = sizes_in(a), y = sizes_in(b);
  if (x.size() != y.size()) return std::nullopt;
  double sum = 0;
  for (const auto& [name, value] : x) {
    const auto it = y.find(name);
    if (it == y.end()) return std::nullopt;
    sum += std::abs(std::log2((value + 1) / (it->second + 1)));
  }
  return sum;
}

// How far two targets are: "sm_90" and "sm_87" by number, others by being equal.
double target_distance(const std::string& a, const std::string& b) {
  if (a == b) return 0;
  const auto number = [](const std::string& t) { return t.rfind("sm_", 0) == 0 ? std::atof(t.c_str() + 3) : 0; };
  return number(a) > 0 && number(b) > 0 ? std::abs(number(a) - number(b)) : 1000;
}

}  // namespace

material decision_material(const bound_problem& p, const device_description& d) {
  material m;
  m.add("identity", p.identity)
      .add("sizes", p.sizes_text())
      .add("run time", join(p.slots, " "))
      .add("type", name(p.request.type));
  m.add("options", p.options_text())
      .add("batch class", std::to_string(p.batch_class))
      .add("measure", name(p.request.measure));
  m.add("device", d.fingerprint())
      .add("power class", d.power_class)
      .add("candidates", std::to_string(candidate_set_revision));
  return m;
}

std::vector<related_decision> related(const bound_problem& p, const device_description& d, const std::string& own_key,
                                      std::vector<decision_row> rows) {
  return related({p.sizes_text(), p.batch_class, d.backend, d.target, d.fingerprint(), d.power_class}, own_key,
                 std::move(rows));
}

std::vector<related_decision> related(const wanted_decision& w, const std::string& own_key,
                                      std::vector<decision_row> rows) {
  using rank = std::tuple<tier, double, double, double>;  // tier, target, shape, batch class
  std::vector<std::pair<rank, related_decision>> list;
  for (auto& row : rows) {
    const auto shape = log_distance(w.sizes, row.sizes);
    if (row.key == own_key || row.backend != w.backend || !shape || (!row.state.empty() && row.runner_up.empty()))
      continue;
    const bool here = row.fingerprint == w.fingerprint && row.power_class == w.power_class;
    const double batch = std::abs(std::log2(static_cast<double>(w.batch_class) / std::max(1, row.batch_class)));
    related_decision r;
    r.how = !here ? tier::other_device : row.sizes == w.sizes ? tier::nearby_batch : tier::nearby_shape;
    r.origin = r.how == tier::other_device
                   ? row.target + (row.power_class == "unspecified" ? "" : " " + row.power_class)
               : r.how == tier::nearby_batch ? "batch=" + std::to_string(row.batch_class)
                                             : row.sizes;
    // The same device in another power class lies nearer than another device of its architecture.
    const double other = row.fingerprint == w.fingerprint ? 0 : 0.5;
    const rank key{r.how, here ? 0 : target_distance(w.target, row.target) + other, *shape, batch};
    r.row = std::move(row);
    list.emplace_back(key, std::move(r));
  }
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<related_decision> sorted;
  for (auto& entry : list) sorted.push_back(std::move(entry.second));
  return sorted;
}

}  // namespace glass::jit
