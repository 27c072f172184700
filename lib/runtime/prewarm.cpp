// The tiers of a lookup, walked for a device that is described; then one queue of compiles. See prewarm.hpp.
#include "runtime/prewarm.hpp"

#include <algorithm>
#include <mutex>
#include <set>

#include "build/key.hpp"
#include "runtime/related.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

// NVRTC's own memory, and what a compile under way takes: 30 MB for most kernels, 90 for the largest (LU and Cholesky in
// f64 with N = 32 and 48: 191 MB with one compile at a time, 460 MB with four; `glass prewarm` prints its peak).
constexpr long long compiler_bytes = 100LL << 20, bytes_per_compile = 90LL << 20;

}  // namespace

int compiles_within(long long bytes) {
  return static_cast<int>(std::clamp((bytes - compiler_bytes) / bytes_per_compile, 1LL, 1024LL));
}

std::vector<wanted_image> wanted_images(const bound_problem& p, const device_description& d, store& rows,
                                        std::size_t model_best) {
  std::vector<wanted_image> list;
  const auto add = [&](const placement& named, const std::string& reason) {
    candidate c = examine(p, d, named);
    if (!c.illegal.empty()) return false;
    const bool there = std::any_of(list.begin(), list.end(), [&](const auto& w) { return w.placement == c.placement; });
    if (!there) list.push_back({std::move(c.placement), reason});
    return true;
  };
  // A placement that no longer reads or has a word that the operation lost is none.
  const auto add_text = [&](const std::string& text, const std::string& reason) {
    try {
      return !text.empty() && add(placement::parse(text), reason);
    } catch (const error&) { return false; }
  };
  const auto add_row = [&](const decision_row& row, const std::string& reason) {
    const bool winner = row.state.empty() && add_text(row.placement, reason);
    return add_text(row.runner_up, winner ? "runner-up" : reason) || winner;
  };
  const material m = decision_material(p, d);
  const auto row = rows.find_decision(m.key(), m.text());
  bool decided = row && add_row(*row, name(tier::exact));
  if (!decided) {
    std::size_t tried = 0;
    for (const auto& r :
         related(p, d, m.key(),
                 rows.find_related(p.identity, name(p.request.type), p.options_text(), name(p.request.measure)))) {
      if (decided || tried++ == most_related) break;
      decided = add_row(r.row, std::string(name(r.how)) + " (from " + r.origin + ")");
    }
  }
  add(default_placement(p, d), name(tier::fallback));
  if (!decided)
    for (const auto& c : shortlist(candidates(p, d), model_best)) add(c.placement, name(tier::model));
  return list;
}

prewarm_result prewarm(std::shared_ptr<backend> device, std::shared_ptr<store> rows, std::shared_ptr<warner> warn,
                       const std::vector<bound_problem>& problems, std::size_t model_best,
                       const std::function<void(const prewarm_progress&)>& progress) {
  device->compiler();
  builder images(device, rows, std::move(warn));
  std::vector<builder::job> jobs, of_the_model;
  std::set<std::string> seen;  // problems that differ in their batch alone share images
  for (const bound_problem& p : problems)
    for (auto& w : wanted_images(p, device->device(), *rows, model_best))
      if (seen.insert(images.key(p, w.placement)).second)
        (w.reason == name(tier::model) ? of_the_model : jobs).push_back({&p, std::move(w.placement)});
  jobs.insert(jobs.end(), of_the_model.begin(), of_the_model.end());

  prewarm_result result;
  result.images = jobs.size();
  std::mutex mutex;
  std::size_t done = 0;
  images.get_all(jobs, [&](std::size_t i, const built* made, const error* wrong) {
    const std::lock_guard lock(mutex);
    const std::string problem = jobs[i].problem->text(), where = jobs[i].placement.text();
    if (made)
      ++(made->compiled ? result.compiled : result.known), result.bytes += made->bytes.size(),
          result.made.push_back(jobs[i]);
    else
      result.failures.push_back({problem, where, wrong->message()});
    if (progress) progress({++done, jobs.size(), problem, where, made, wrong});
  });
  return result;
}

std::size_t count_missing(backend& device, store& rows, const std::vector<builder::job>& made) {
  const std::string compiler = device.compiler();
  return static_cast<std::size_t>(std::count_if(made.begin(), made.end(), [&](const builder::job& j) {
    const image_key k = key_of(*j.problem, j.placement, device.device(), compiler, assemble(*j.problem, j.placement));
    return !rows.find_image(k.key, k.material);
  }));
}

}  // namespace glass::jit
