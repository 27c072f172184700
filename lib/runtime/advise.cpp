// The tiers of a lookup, walked without a device. See glass/jit/advice.hpp.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <tuple>

#include "base/text.hpp"
#include "build/build.hpp"
#include "catalog/check.hpp"
#include "catalog/profile.hpp"
#include "glass/dispatch/choose.cuh"
#include "glass/jit/advice.hpp"
#include "glass/jit/runtime.hpp"
#include "runtime/related.hpp"
#include "tune/model.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

// Of an architecture the profile with the fastest memory, else the nearest one's, as in the static headers.
device_description device_of_target(const std::string& target) {
  const std::string digits = target.substr(3);
  if (digits.empty() || digits.size() > 3 || digits.find_first_not_of("0123456789") != std::string::npos)
    throw error(errc::invalid_argument, stage::device, "'" + target + "' is no architecture.", "For example sm_87.");
  const int arch = std::stoi(digits);
  const auto rank = [&](const device_description& d) {
    return std::tuple(std::abs(d.arch() - arch), d.arch(), -1.0 * d.memory_bus_bits * d.memory_clock_khz);
  };
  const device_description* best = nullptr;
  for (const device_profile& p : shipped_profiles())
    if (!best || rank(p.device) < rank(*best)) best = &p.device;
  device_description d = *best;
  if (d.arch() == arch) return d;
  const dispatch::device limits = dispatch::device_of(arch);
  d.target = target, d.name = "as " + d.name;
  d.shared_per_block_optin = static_cast<std::size_t>(limits.shared_optin);
  d.shared_per_sm = static_cast<std::size_t>(limits.shared_per_sm), d.max_threads_per_sm = limits.threads_per_sm;
  return d;
}

bound_problem problem_of(const operation_description& o, const decision_row& row) {
  problem p;
  for (const auto& w : split(row.sizes, ' '))
    if (const std::size_t at = w.find('='); at != std::string::npos)
      p.sizes[w.substr(0, w.find_first_of("<="))] = std::atoi(w.c_str() + at + 1);
  for (const auto& w : split(row.options, ' ')) p.options[w.substr(0, w.find('='))] = w.substr(w.find('=') + 1);
  p.type = row.type == "f64" ? f64 : f32, p.batch = row.batch_class;
  return bind(o, p, true);
}

// What the model makes of a decision for another problem, or on another device.
double scale(const bound_problem& p, const placement& c, const device_description& d, const decision_row& row) {
  try {
    const device_description there = row.target == d.target ? d : device_of_target(row.target);
    return predict(p, c, d) / predict(problem_of(p.description, row), c, there);
  } catch (const error&) { return 1; }
}

std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", v);
  return text;
}

std::vector<decision_row> known_rows(const bound_problem& p, const device_description& d, bool whole_architecture,
                                     store& rows) {
  std::vector<decision_row> all;
  for (const measure m : {measure::throughput, measure::graph, measure::latency})
    for (auto& row : rows.find_related(p.identity, name(p.request.type), p.options_text(), name(m))) {
      if (whole_architecture && row.target == d.target)
        row.fingerprint = d.fingerprint(), row.power_class = d.power_class;
      all.push_back(std::move(row));
    }
  // Of a problem that was measured in several ways: as asked, where it is not the usual way, else what says the most.
  const auto worth = [&](const decision_row& r) {
    return p.request.measure != measure::throughput && r.measure == name(p.request.measure) ? -1 : rank_of_measure(r);
  };
  const auto same = [](const decision_row& a, const decision_row& b) {
    return a.sizes == b.sizes && a.batch_class == b.batch_class && a.fingerprint == b.fingerprint &&
           a.power_class == b.power_class;
  };
  for (auto it = all.begin(); it != all.end();) {
    const bool less = std::any_of(all.begin(), all.end(),
                                  [&](const decision_row& r) { return same(r, *it) && worth(r) < worth(*it); });
    it = less ? all.erase(it) : it + 1;
  }
  return all;
}

}  // namespace

std::string advice::text() const {
  std::string s = problem + " on " + device + "\n  " + placement.text() + "\n  " + std::to_string(threads) +
                  " threads and " + std::to_string(problems) + " problem" + (problems == 1 ? "" : "s") + " a block, " +
                  std::to_string(shared_bytes) + " bytes of dynamic shared memory\n  about " + number(ns) +
                  " ns a problem" + (gain > 1.005 ? ", " + number(gain) + "x over the untuned placement" : "") +
                  "\n  " + name(how) + (layer.empty() ? "" : " (" + layer + ")") + ": " + reason + "\n";
  if (!runner_up.empty())
    s += "  runner-up: " + runner_up + (runner_up_ns > 0 ? ", about " + number(runner_up_ns) + " ns" : "") + "\n";
  return s;
}

advice advise(const std::string& operation, const problem& asked, const std::string& where) {
  const bool whole_architecture = where.rfind("sm_", 0) == 0 && where.find('/') == std::string::npos;
  const device_description d = whole_architecture ? device_of_target(where) : find_profile(where).device;
  const bound_problem p = bind(find_operation(operation), asked, true);
  const auto rows = store::open(store::from_environment(), std::make_shared<warner>());

  advice a;
  a.problem = p.text();
  a.device = d.target + " (" + d.name + ")";
  std::size_t tried = 0;
  bool found = false;
  for (const auto& r : related(p, d, "", known_rows(p, d, whole_architecture, *rows))) {
    if (found || tried++ == most_related) break;
    if (!r.row.state.empty() || r.row.ns <= 0) continue;
    candidate c;
    try {
      c = examine(p, d, placement::parse(r.row.placement));
    } catch (const error&) { continue; }  // a word that the operation lost
    if (!c.illegal.empty()) continue;
    found = true;
    a.placement = c.placement, a.layer = r.row.layer;
    const bool same = r.row.sizes == p.sizes_text(), same_batch = r.row.batch_class == p.batch_class;
    a.how = r.how == tier::nearby_batch && same && same_batch ? tier::exact : r.how;
    const std::string measured = r.row.sizes + " batch " + std::to_string(r.row.batch_class) + " on " + r.row.target +
                                 " (" + r.row.measure + ", " + std::to_string(r.row.samples) + " samples, " +
                                 r.row.created.substr(0, 10) + ")";
    if (a.how == tier::exact) {
      a.ns = r.row.ns, a.reason = "measured for this problem: " + measured + ".";
    } else {
      a.ns = r.row.ns * scale(p, c.placement, d, r.row);
      a.reason = "nobody measured this problem" + std::string(a.how == tier::other_device ? " on such a GPU" : "") +
                 "; the nearest that was: " + measured + ". The time is scaled by the model.";
    }
    a.gain = r.row.default_ns > r.row.ns ? r.row.default_ns / r.row.ns : 1;
    a.runner_up = r.row.runner_up;
    for (const candidate_row& k : rows->candidates(r.row.key))
      if (k.placement == r.row.runner_up && !k.ns.empty()) a.runner_up_ns = summarize(k.ns).median * a.ns / r.row.ns;
  }
  if (!found) {
    a.placement = default_placement(p, d);
    a.ns = predict(p, a.placement, d);
    a.reason = "nothing like it was measured; the rule for untuned problems and the model say so.";
    for (const candidate& c : candidates(p, d))
      if (c.illegal.empty() && !(c.placement == a.placement)) {
        a.runner_up = c.placement.text(), a.runner_up_ns = predict(p, c.placement, d);
        break;
      }
  }
  const launch_shape s = shape_of(p, a.placement, asked.batch);
  a.threads = static_cast<int>(s.threads), a.problems = a.placement.pack, a.shared_bytes = s.shared_bytes;
  return a;
}

}  // namespace glass::jit
