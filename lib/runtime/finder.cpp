#include "runtime/finder.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "runtime/related.hpp"
#include "store/file_lock.hpp"
#include "tune/journal.hpp"

namespace glass::jit {
namespace {

constexpr double lock_patience =
    60;  // seconds beyond the budget that another process may take to tune the same problem

// Failures that say something about the placement, not about the moment (no memory, no compiler, a lost device).
bool blames_placement(errc c) {
  return c == errc::compile_failed || c == errc::load_failed || c == errc::launch_failed ||
         c == errc::invalid_argument || c == errc::unknown_name;
}

std::uint64_t lock_byte(const std::string& key) {
  return (1ull << 62) | (std::stoull(key.substr(0, 15), nullptr, 16) >> 1);
}

}  // namespace

finder::finder(std::shared_ptr<backend> device, std::shared_ptr<store> rows, std::shared_ptr<warner> warn,
               const tuning_options& options)
    : device_(std::move(device)),
      store_(std::move(rows)),
      warn_(std::move(warn)),
      options_(options),
      builder_(device_, store_, warn_) {}

finder::key finder::decision_key(const bound_problem& p) const {
  const material m = decision_material(p, device_->device());
  return {m.key(), m.text()};
}

finder::state finder::find(bound_problem bound, const placement* named) {
  const auto p = std::make_shared<const bound_problem>(std::move(bound));
  const std::string asked =
      decision_key(*p).material + std::to_string(p->request.batch) + (named ? " " + named->text() : "");
  std::shared_ptr<entry> e;
  {
    const std::lock_guard lock(mutex_);
    auto& slot = entries_[asked];
    if (!slot) slot = std::make_shared<entry>();
    e = slot;
  }
  const std::lock_guard lock(e->mutex);
  if (!e->found) e->found = named ? by_name(p, *named) : by_decision(p);
  return e->found;
}

finder::state finder::by_name(const problem& p, const placement& named) {
  candidate c = examine(*p, device_->device(), named);
  if (!c.illegal.empty())
    throw error(errc::invalid_argument, stage::tune,
                p->text() + ": the placement " + c.placement.text() + " is not legal here: " + c.illegal);
  return make(p, {std::move(c.placement), tier::named, {}, 0, 0, 0});
}

finder::state finder::by_decision(const problem& p) {
  const key k = decision_key(*p);
  attempt last;
  if (const auto row = store_->find_decision(k.hash, k.material); row && !goes_on(*p, k))
    if (state found = from_row(p, *row, tier::exact, {}, last)) return ++hits, found;
  ++misses;
  if (may_tune())
    if (state found = by_tuning(p, k, last)) return found;
  if (state found = by_lower_tiers(p, k, last)) return found;
  try {
    std::rethrow_exception(last.reason);
  } catch (const error& e) {
    if (options_.mode != tune_mode::frozen || e.code() != errc::refused) throw;
    throw error(
        errc::refused, stage::compile,
        p->text() +
            ": neither a decision nor the image of the default placement is in the cache, and the mode is frozen.",
        "Run it once with GLASS_TUNE=first_use or off, with the same cache, before freezing.");
  }
}

bool finder::may_tune() {
  return options_.mode == tune_mode::exhaustive ||
         (options_.mode == tune_mode::first_use && spent_ < options_.process_budget_seconds);
}

// A placement that is legal on this device has no row yet.
bool finder::unfinished(const bound_problem& p, const key& k) {
  std::vector<std::string> known;
  for (auto& row : store_->candidates(k.hash)) known.push_back(std::move(row.placement));
  const auto all = candidates(p, device_->device());
  return std::any_of(all.begin(), all.end(), [&](const candidate& c) {
    return c.illegal.empty() && std::find(known.begin(), known.end(), c.placement.text()) == known.end();
  });
}

// A decision is there, and yet there is something to measure.
bool finder::goes_on(const bound_problem& p, const key& k) {
  return (options_.mode == tune_mode::exhaustive && unfinished(p, k)) ||
         (options_.retry_killed && may_tune() && holds_suspect(*store_, k.hash));
}

// Another thread or process may have tuned the same problem while this one waited for its turn; then its decision is
// used.
finder::state finder::by_tuning(const problem& p, const key& k, attempt& last) {
  file_lock across_processes;
  if (!store_->lock_file().empty())
    across_processes.take(store_->lock_file(), lock_byte(k.hash), options_.budget_seconds + lock_patience);
  std::optional<decision_row> row;
  try {
    const std::unique_lock alone(quiet_);
    if (!may_tune()) return nullptr;
    if (options_.mode != tune_mode::exhaustive && !goes_on(*p, k)) row = store_->find_decision(k.hash, k.material);
    if (!row || !row->state.empty()) row = measured_decision(*p, k);
  } catch (const error& e) {
    if (e.code() != errc::out_of_memory) throw;
    (*warn_)("memory " + k.hash, e.message());
    return nullptr;
  }
  return from_row(p, *row, tier::exact, {}, last);
}

decision_row finder::measured_decision(const bound_problem& p, const key& k) {
  tuning_options options = options_;
  options.budget_seconds = std::min(options.budget_seconds, options.process_budget_seconds - spent_);
  const double start = seconds_now();
  const auto account = [&] { spent_ = spent_ + (seconds_now() - start); };
  try {
    const decision d = tune(*device_, builder_, *store_, *warn_, p, options, k.hash, k.material);
    account();
    ++tuned;
    measured += d.measured, failed += d.failed, skipped += d.killed, launches += d.launches;
    return d.row;
  } catch (...) {
    account();
    throw;
  }
}

finder::state finder::from_row(const problem& p, const decision_row& row, tier how, const std::string& origin,
                               attempt& last) {
  if (row.state.empty()) {
    attempt now;
    try {
      if (state found = try_placement(
              p, {placement::parse(row.placement), how, origin, row.ns, row.default_ns, row.samples}, now))
        return found;
      std::rethrow_exception(now.reason);
    } catch (const error& e) {
      last.reason = std::current_exception();
      if (blames_placement(e.code()) && how == tier::exact) {
        store_->mark_decision(row.key, "winner no longer runs: " + e.message());
        (*warn_)("winner " + row.key, p->text() + ": the stored winner " + row.placement +
                                          " no longer runs, the runner-up is used: " + e.message());
      }
    }
  }
  if (row.runner_up.empty()) return nullptr;
  try {
    return try_placement(p, {placement::parse(row.runner_up), how, origin.empty() ? "the runner-up" : origin, 0, 0, 0},
                         last);
  } catch (const error&) {
    last.reason = std::current_exception();
    return nullptr;
  }
}

finder::state finder::by_lower_tiers(const problem& p, const key& k, attempt& last) {
  std::size_t tried = 0;
  for (const auto& r :
       related(*p, device_->device(), k.hash,
               store_->find_related(p->identity, name(p->request.type), p->options_text(), name(p->request.measure)))) {
    if (tried++ == most_related) break;
    if (state found = from_row(p, r.row, r.how, r.origin, last)) return found;
  }
  const device_description& d = device_->device();
  if (const auto all = candidates(*p, d); !all.empty() && all.front().illegal.empty())
    if (state found = try_placement(p, {all.front().placement, tier::model, {}, 0, 0, 0}, last)) return found;
  return try_placement(p, {default_placement(*p, d), tier::fallback, {}, 0, 0, 0}, last);
}

finder::state finder::try_placement(const problem& p, detail::verdict v, attempt& last) {
  try {
    candidate c = examine(*p, device_->device(), v.placement);
    if (!c.illegal.empty())
      throw error(errc::invalid_argument, stage::tune, c.placement.text() + " is not legal here: " + c.illegal);
    v.placement = std::move(c.placement);
    return make(p, std::move(v));
  } catch (const error& e) {
    if (e.code() == errc::device_lost) throw;
    last.reason = std::current_exception();
    return nullptr;
  }
}

built finder::image(const bound_problem& p, const placement& where) {
  try {
    return builder_.get(p, where, false);
  } catch (const error& e) {
    if (e.code() != errc::refused || options_.mode == tune_mode::frozen) throw;
  }
  const std::shared_lock beside_no_clock(quiet_);
  return builder_.get(p, where, true);
}

// An image that the device refuses is forgotten and, where compiling is allowed, made again once.
finder::state finder::make(const problem& p, detail::verdict v) {
  const launch_shape largest = shape_of(*p, v.placement, p->request.batch);
  const auto load = [&](const built& b) {
    const std::string id = b.key + " " + std::to_string(largest.threads) + " " + std::to_string(largest.shared_bytes);
    {
      const std::lock_guard lock(mutex_);
      if (const auto it = loaded_.find(id); it != loaded_.end()) return it->second;
    }
    auto fresh = device_->load(b.bytes, largest);
    ++loads;
    const std::string reason = examine_usage(fresh->usage(), {v.placement, {}, 0}, device_->device());
    if (!reason.empty()) throw error(errc::load_failed, stage::load, v.placement.text() + ": " + reason);
    const std::lock_guard lock(mutex_);
    return loaded_.emplace(id, std::move(fresh)).first->second;
  };
  const built b = image(*p, v.placement);
  std::shared_ptr<const loaded_image> code;
  try {
    code = load(b);
  } catch (const error& e) {
    if (b.compiled || options_.mode == tune_mode::frozen) throw;
    // A driver refuses a damaged image with the words that it has for one that is too new for it. Without a compiler such
    // an image stays: another driver may take it.
    const bool make_again =
        e.code() == errc::load_failed || (e.code() == errc::driver_too_old && !builder_.key(*p, v.placement).empty());
    if (!make_again) throw;
    builder_.forget(b.key);
    code = load(image(*p, v.placement));
  }
  return std::make_shared<const detail::kernel_state>(device_, p, std::move(v), std::move(code));
}

}  // namespace glass::jit
