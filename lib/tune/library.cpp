// Bodies of NVIDIA's device libraries in a race, and who wins it. They cost seconds of compiling each (cuSOLVERDx 0.5 to
// 2.5, CUB 1.5 to 2.5, cuBLASDx 9 to 13 and gigabytes of memory), so that they come after all of ours, and only where
// they could be chosen: whoever computes a problem launches a kernel and moves its operands from memory and back, and
// where the best of ours is within the margin of that already, nothing is to be won.
#include <algorithm>

#include "base/log.hpp"
#include "tune/bench.hpp"
#include "tune/journal.hpp"
#include "tune/model.hpp"

namespace glass::jit {
namespace {

constexpr double product_seconds = 13, header_seconds = 2.5, solver_seconds = 0.5, solver_seconds_per_row = 0.03;

// What the library suggests comes first, then one problem a block, then twice the threads.
std::vector<block_shape> blocks_to_try(block_shape suggested, const bound_problem& p, const device_description& d) {
  const int threads = std::clamp((suggested.threads + 31) / 32 * 32, 32, d.max_threads_per_block);
  const int batches = std::clamp(suggested.batches, 1, std::min(32, p.batch_class));
  return {{threads, batches}, {threads, 1}, {2 * threads, batches}};
}

// Of CUB's warps and of its blocks the two that the model puts first.
std::vector<candidate> of_cub(const bound_problem& p, const device_description& d) {
  const auto best_two = [&](std::vector<std::string> shapes) {
    std::vector<candidate> list;
    for (const std::string& shape : shapes) {
      placement c = placement::parse(shape);
      c.body = library_body;
      if (candidate one = examine(p, d, std::move(c)); one.illegal.empty()) list.push_back(std::move(one));
    }
    const auto sooner = [](const candidate& a, const candidate& b) { return a.predicted_ns < b.predicted_ns; };
    std::stable_sort(list.begin(), list.end(), sooner);
    if (list.size() > 2) list.resize(2);
    return list;
  };
  std::vector<candidate> all =
      best_two({"scope=warp pack=1", "scope=warp pack=2", "scope=warp pack=4", "scope=warp pack=8"});
  for (candidate& c : best_two({"scope=block64", "scope=block128", "scope=block256"})) all.push_back(std::move(c));
  return all;
}
}  // namespace

double library_seconds(const bound_problem& p) {
  double seconds = 0;
  for (const library_call& c : p.description.calls)
    seconds += c.library == "cublasdx" ? product_seconds
               : c.library == "cub"    ? header_seconds
                                       : solver_seconds + solver_seconds_per_row * rows_of(p);
  return seconds;
}

std::vector<candidate> library_candidates(const bound_problem& p, backend& device, double best_ns) {
  const device_description& d = device.device();
  if (!has_library_body(p.description) || floor_ns(p, d) >= best_ns * (1 - library_margin)) return {};
  placement any;
  any.scope = "block32", any.home = uses_cub(p.description) ? "global" : "shared", any.body = library_body;
  if (!examine(p, d, any).illegal.empty()) {
    any.scope = "block256";  // what only small blocks refuse
    if (!examine(p, d, any).illegal.empty()) return {};
  }
  block_shape suggested;
  try {
    device.compiler_of(assemble(p, any));
    for (const library_function& f : library_functions(p, any)) {
      const block_shape one = device.suggested_block(f);
      suggested = {std::max(suggested.threads, one.threads), std::max(suggested.batches, one.batches)};
    }
  } catch (const error& e) {  // not there, or it does not have this: then there are no such candidates
    log(level::debug, p.text() + ": no body of NVIDIA's libraries: " + e.message());
    return {};
  }
  if (uses_cub(p.description)) return of_cub(p, d);
  std::vector<candidate> list;
  for (const block_shape& block : blocks_to_try(suggested, p, d)) {
    placement c = any;
    c.scope = "block" + std::to_string(block.threads), c.pack = block.batches;
    if (block.threads > d.max_threads_per_block) continue;
    candidate one = examine(p, d, c);
    const bool listed =
        std::any_of(list.begin(), list.end(), [&](const candidate& other) { return other.placement == one.placement; });
    if (one.illegal.empty() && !listed) list.push_back(std::move(one));
  }
  return list;
}

runner* best_of_ours(const std::vector<runner*>& ranked) {
  return *std::find_if(ranked.begin(), ranked.end(), [](runner* r) { return !from_library(r->what.placement); });
}

verdict judge(std::vector<runner>& all, const std::vector<runner*>& ranked, double margin) {
  const auto beats = [](const runner* r, const runner* other, double by) {
    const summary mine = r->time(), theirs = other->time();
    return mine.high < theirs.low && mine.median < theirs.median * (1 - by);
  };
  runner* const standard = &all.front();
  verdict v = {standard, nullptr};
  for (runner* r : ranked)
    if (v.winner == standard && r != standard && !from_library(r->what.placement) && beats(r, standard, margin))
      v.winner = r;
  if (from_library(ranked[0]->what.placement) && beats(ranked[0], best_of_ours(ranked), library_margin))
    v.winner = ranked[0];
  for (const runner& r : all)
    if (&r != v.winner && r.row.state == state::ok && !r.row.ns.empty() && !from_library(r.what.placement) &&
        (!v.runner_up || r.time().median < v.runner_up->time().median))
      v.runner_up = &r;
  return v;
}

}  // namespace glass::jit
