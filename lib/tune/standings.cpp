#include "tune/standings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"

namespace glass::jit {

standings::standings(store& rows, warner& warn, const bound_problem& problem, const tuning_options& options)
    : store_(rows),
      warn_(warn),
      problem_(problem),
      options_(options),
      start_(seconds_now()),
      budget_(options.mode == tune_mode::exhaustive ? std::numeric_limits<double>::infinity()
                                                    : options.budget_seconds) {}

runner& standings::add(candidate c) {
  runner r;
  r.what = std::move(c), r.row.decision_key = result.row.key, r.row.placement = r.what.placement.text();
  return runners.emplace_back(std::move(r));
}

double standings::best_ns() const {
  double best = runners.front().time().median;
  for (const auto& r : runners)
    if (r.racing && !r.row.ns.empty()) best = std::min(best, r.time().median);
  return best;
}

std::vector<runner*> standings::ranking() {
  std::vector<runner*> list;
  for (auto& r : runners)
    if (r.racing && !r.row.ns.empty()) list.push_back(&r);
  std::stable_sort(list.begin(), list.end(),
                   [](const runner* a, const runner* b) { return a->time().median < b->time().median; });
  return list;
}

double standings::elapsed() const { return seconds_now() - start_; }

bool standings::time_for(double seconds) const { return elapsed() + seconds < budget_; }

void standings::commit(runner& r, const char* state, const std::string& reason) {
  r.row.state = state, r.row.reason = reason;
  store_.put_candidate(r.row);
}

void standings::done(runner& r) {
  ++(r.row.state == state::ok ? result.measured : result.failed);
  if (r.row.state == state::killed) ++result.killed;
  if (!options_.progress) return;
  const auto ranked = ranking();
  tuning_progress p;
  p.problem = problem_.text(), p.done = std::min(result.measured + result.failed, result.total), p.total = result.total;
  if (!ranked.empty()) p.best = ranked[0]->row.placement, p.best_ns = ranked[0]->time().median;
  if (std::isfinite(budget_)) p.seconds_left = std::max(0.0, budget_ - elapsed());
  options_.progress(p);
}

void standings::drop(runner& r, const char* state, const std::string& reason) {
  r.racing = false;
  commit(r, state, reason);
  if (r.row.state == state::wrong) warn(state, r.row.placement, r.row.placement + " is disqualified: " + reason);
  done(r);
}

void standings::pass_over(runner& r, const std::string& reason) {
  r.row.state = state::failed, r.row.reason = reason;
  warn("memory", "", r.row.placement + " is passed over: " + reason);
  done(r);
}

void standings::warn(const std::string& kind, const std::string& placement, const std::string& sentence) {
  warn_(kind + " " + result.row.key + placement, problem_.text() + ": " + sentence);
}

decision standings::decide(builder& build) {
  const verdict judged = judge(runners, ranking(), options_.margin);
  const runner& winner = *judged.winner;
  decision_row& row = result.row;
  if (from_library(winner.what.placement))
    if (const std::string made_with = build.compiler(problem_, winner.what.placement); !made_with.empty())
      row.compiler = made_with;
  if (judged.runner_up) row.runner_up = judged.runner_up->row.placement;
  row.placement = winner.row.placement, row.image_key = winner.row.image_key;
  row.ns = winner.time().median, row.default_ns = standard().time().median;
  row.samples = static_cast<int>(winner.row.ns.size());
  store_.put_decision(row);
  return std::move(result);
}

}  // namespace glass::jit
