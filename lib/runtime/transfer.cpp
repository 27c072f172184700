#include "runtime/transfer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "runtime/related.hpp"
#include "store/pack_rows.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

// What must be equal for two decisions to be of one problem; without sizes and batch, for one to be a neighbour.
using family_name = std::tuple<std::string, std::string, std::string, std::string>;
family_name family_of(const decision_row& d) { return {d.identity, d.type, d.options, d.measure}; }
using problem_name = std::tuple<family_name, std::string, int>;
problem_name name_of(const decision_row& d) { return {family_of(d), d.sizes, d.batch_class}; }

std::string text_of(const decision_row& d) { return problem_of(d) + " " + d.measure; }

bool newer(const decision_row& a, const decision_row& b) {
  const auto set = [](const decision_row& d) { return std::atoi(d.candidate_set.c_str()); };
  return std::make_tuple(set(a), a.created, a.key) > std::make_tuple(set(b), b.created, b.key);
}

// As from_row of the runtime: a winner that no longer runs is replaced by the runner-up.
const std::string& verdict_of(const decision_row& d) { return d.state.empty() ? d.placement : d.runner_up; }

void time_on(const measured_device::decided& b, transfer_cell& cell) {
  for (const candidate_row& c : b.candidates) {
    if (c.placement != cell.placement) continue;
    if (c.state == "ok" && !c.ns.empty()) {
      cell.ns = summarize(c.ns).median;
      return;
    }
    cell.why = c.state == "running" || c.state == "timing" ? "its measurement was interrupted"
                                                           : c.state + (c.reason.empty() ? "" : ": " + c.reason);
    if (cell.why == "ok") cell.why = "no sample of it was kept";
    return;
  }
  cell.why = b.candidates.empty() ? "no candidates are kept with this decision" : "not measured";
}

void add_up(transfer_cost& sum, std::vector<double> costs) {
  sum.compared = costs.size();
  if (costs.empty()) return;
  std::sort(costs.begin(), costs.end());
  double logs = 0;
  for (const double c : costs) logs += std::log(c);
  sum.geometric_mean = std::exp(logs / double(costs.size()));
  sum.percentile_95 = costs[(costs.size() * 95 + 99) / 100 - 1];
  sum.worst = costs.back();
}

transfer_cost cost_of(const std::vector<transfer_cell>& cells, tier how) {
  transfer_cost sum;
  std::vector<double> costs;
  for (const transfer_cell& c : cells) {
    if (c.how != how) continue;
    ++sum.problems;
    sum.differ += c.differs();
    if (c.why.empty()) costs.push_back(c.cost());
  }
  add_up(sum, std::move(costs));
  return sum;
}

}  // namespace

std::string measured_device::text() const { return fingerprint + ", power class " + power_class; }

std::vector<measured_device> devices_of(std::vector<measured_device::decided> all) {
  std::map<std::pair<std::string, std::string>, std::map<problem_name, measured_device::decided>> by_device;
  for (auto& d : all) {
    if ((!d.row.state.empty() && d.row.runner_up.empty()) || !(d.row.ns > 0)) continue;
    auto& there = by_device[{d.row.fingerprint, d.row.power_class}];
    const auto [at, fresh] = there.try_emplace(name_of(d.row), d);
    if (!fresh && newer(d.row, at->second.row)) at->second = std::move(d);
  }
  std::vector<measured_device> devices;
  for (auto& [key, problems] : by_device) {
    const decision_row& first = problems.begin()->second.row;
    measured_device& m = devices.emplace_back();
    m.backend = first.backend, m.target = first.target, m.fingerprint = key.first, m.power_class = key.second;
    for (auto& [name, d] : problems) m.decisions.push_back(std::move(d));
  }
  std::stable_sort(devices.begin(), devices.end(),
                   [](const auto& x, const auto& y) { return x.decisions.size() > y.decisions.size(); });
  return devices;
}

transfer transfer_between(const measured_device& a, const measured_device& b) {
  std::map<problem_name, const decision_row*> exact;
  std::map<family_name, std::vector<decision_row>> families;
  for (const auto& d : a.decisions) exact[name_of(d.row)] = &d.row, families[family_of(d.row)].push_back(d.row);

  transfer t;
  for (const auto& d : b.decisions) {
    if (!d.row.state.empty()) continue;  // its own time is no longer one that it could have
    transfer_cell cell;
    cell.problem = text_of(d.row);
    cell.own_placement = d.row.placement, cell.own_ns = d.row.ns, cell.default_ns = d.row.default_ns;
    if (const auto at = exact.find(name_of(d.row)); at != exact.end()) {
      cell.placement = verdict_of(*at->second);
    } else {
      // As if it were A's own lookup, so that the tier tells by what A answers: on B all of A's rows are another device's.
      const auto family = families.find(family_of(d.row));
      const auto near = related({d.row.sizes, d.row.batch_class, a.backend, a.target, a.fingerprint, a.power_class}, "",
                                family == families.end() ? std::vector<decision_row>{} : family->second);
      if (near.empty()) {
        t.unserved.push_back(cell.problem);
        continue;
      }
      cell.how = near[0].how, cell.origin = near[0].origin, cell.placement = verdict_of(near[0].row);
    }
    if (cell.differs())
      time_on(d, cell);
    else
      cell.ns = cell.own_ns;
    t.cells.push_back(std::move(cell));
  }
  std::stable_sort(t.cells.begin(), t.cells.end(), [](const transfer_cell& x, const transfer_cell& y) {
    if (x.why.empty() != y.why.empty()) return x.why.empty();
    return x.why.empty() ? x.cost() > y.cost() : x.problem < y.problem;
  });
  t.exact = cost_of(t.cells, tier::exact);
  t.nearby_batch = cost_of(t.cells, tier::nearby_batch);
  t.nearby_shape = cost_of(t.cells, tier::nearby_shape);
  std::vector<double> untuned;
  for (const transfer_cell& c : t.cells) {
    if (c.how != tier::exact || !c.why.empty()) continue;
    ++t.untuned.problems;
    if (c.default_ns > 0) untuned.push_back(c.default_ns / c.own_ns);
  }
  add_up(t.untuned, std::move(untuned));
  return t;
}

}  // namespace glass::jit
