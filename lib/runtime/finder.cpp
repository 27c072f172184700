#include "runtime/finder.hpp"

#include <algorithm>
#include <optional>

#include "base/range.hpp"
#include "base/text.hpp"
#include "runtime/related.hpp"
#include "store/file_lock.hpp"
#include "tune/journal.hpp"

namespace glass::jit {
namespace {

constexpr const char* runner_up = "the runner-up";
// Seconds beyond the budget that another process may take to tune the same problem, and between two looks whether to
// stop waiting for it.
constexpr double lock_patience = 60, look_again = 0.1;

// Failures that say something about the placement, not about the moment (no memory, no compiler, a lost device).
bool blames_placement(errc c) {
  return c == errc::compile_failed || c == errc::load_failed || c == errc::too_large || c == errc::launch_failed ||
         c == errc::invalid_argument || c == errc::unknown_name;
}

std::uint64_t lock_byte(const std::string& key) {
  return (1ull << 62) | (std::stoull(key.substr(0, 15), nullptr, 16) >> 1);
}

}  // namespace

finder::finder(std::shared_ptr<backend> device, std::shared_ptr<store> rows, std::shared_ptr<warner> warn,
               const tuning_options& options, observer& watcher, recorder& record)
    : device_(std::move(device)),
      store_(std::move(rows)),
      warn_(std::move(warn)),
      options_(options),
      mode_(options.mode),
      observer_(watcher),
      recorder_(record),
      loader_(device_, store_, warn_, observer_) {}

finder::key finder::decision_key(const bound_problem& p) const {
  const material m = decision_material(p, device_->device());
  return {m.key(), m.text()};
}

finder::slot finder::find(bound_problem bound, const placement* named) {
  const auto p = std::make_shared<const bound_problem>(std::move(bound));
  const std::string asked =
      decision_key(*p).material + std::to_string(p->request.batch) + (named ? " " + named->text() : "");
  std::shared_ptr<entry> e;
  {
    const std::lock_guard lock(mutex_);
    auto& at = entries_[asked];
    if (!at) at = std::make_shared<entry>();
    e = at;
  }
  const std::lock_guard lock(e->mutex);
  if (!e->found) {
    const std::int64_t healed = store_->healed();
    try {
      e->found = answer(p, named);
    } catch (const error& x) {
      if (mode_ != tune_mode::frozen) throw;
      recorder_.note(*p, named);  // what the next tuning run has to bring
      refuse(*p, x, named != nullptr);
    }
    recorder_.note(*p, named);
    note_healed(*p, healed);
  }
  if (mode_ == tune_mode::frozen) watch_over(*p, e->found->now().how());
  return e->found;
}

finder::slot finder::answer(const problem& p, const placement* named) {
  const double start = seconds_now();
  const key k = decision_key(*p);
  attempt last{mode_ == tune_mode::frozen ? effort::none : effort::full, nullptr, {}};
  bool measured_now = false, final = true;
  state first = mode_ == tune_mode::background ? at_once(p, k, named, last, final)
                : named                        ? by_name(p, *named, last)
                                               : by_decision(p, k, last, measured_now);
  const detail::verdict& how = first->how();
  ++by_tier[static_cast<int>(how.tier)];
  if (!named) {
    const bool known = !measured_now && how.tier != tier::model && how.tier != tier::fallback;
    ++(known ? hits : misses);
    observer_.tell({known ? event_kind::hit : event_kind::miss, p->text(), how.placement.text(), how.layer,
                    seconds_now() - start, name(how.tier)});
  }
  const auto found = std::make_shared<detail::kernel_slot>(std::move(first));
  if (final) return found;
  found->expect_more(true);
  if (!background_.post([this, p, k, found, by_name = named != nullptr] { improve(p, k, found, by_name); })) {
    found->expect_more(false);
    (*warn_)("background", "the background has no thread; kernels stay as they are first found");
  }
  return found;
}

finder::state finder::by_name(const problem& p, const placement& named, attempt& a) {
  candidate c = examine(*p, device_->device(), named);
  if (!c.illegal.empty())
    throw error(errc::invalid_argument, stage::tune,
                p->text() + ": the placement " + c.placement.text() + " is not legal here: " + c.illegal);
  return loader_.make(p, {std::move(c.placement), tier::named, {}, 0, 0, 0}, a.most, a.beside);
}

finder::state finder::by_decision(const problem& p, const key& k, attempt& last, bool& measured_now) {
  if (const auto row = store_->find_decision(k.hash, k.material); row && !goes_on(*p, k))
    if (state found = from_row(p, *row, tier::exact, {}, last)) return found;
  if (may_tune())
    if (state found = by_tuning(p, k, last)) return measured_now = true, found;
  if (state found = by_lower_tiers(p, k, last)) return found;
  std::rethrow_exception(last.reason);
}

// The best known whose image is at hand; else the best known, compiled quickly. `final`: nothing better can come.
finder::state finder::at_once(const problem& p, const key& k, const placement* named, attempt& last, bool& final) {
  const auto row = named ? std::nullopt : store_->find_decision(k.hash, k.material);
  const auto settled = [&](const state& s) {
    const detail::verdict& how = s->how();
    const bool best =
        how.tier == tier::named || (how.tier == tier::exact && (how.origin.empty() || !row->state.empty()));
    final = best && !how.quick;
    return s;
  };
  for (const effort most : {effort::none, effort::quick}) {
    last = {most, nullptr, {}};
    try {
      if (named) return settled(by_name(p, *named, last));
      if (row)
        if (const state found = from_row(p, *row, tier::exact, {}, last)) return settled(found);
      if (const state found = by_lower_tiers(p, k, last)) return settled(found);
      if (most == effort::quick) std::rethrow_exception(last.reason);
    } catch (const error& e) {
      if (most == effort::quick || e.code() == errc::device_lost || e.code() == errc::invalid_argument) throw;
    }
  }
  throw error(errc::refused, stage::compile, p->text() + ": no placement is left.");
}

bool finder::may_tune() {
  const tune_mode m = mode_;
  return m == tune_mode::exhaustive ||
         ((m == tune_mode::first_use || m == tune_mode::background) && spent_ < options_.process_budget_seconds);
}

// A placement that is legal on this device has no row yet.
bool finder::unfinished(const bound_problem& p, const key& k) {
  std::vector<std::string> known;
  for (auto& row : store_->candidates(k.hash)) known.push_back(std::move(row.placement));
  const auto open = [&](const std::vector<candidate>& all) {
    return std::any_of(all.begin(), all.end(), [&](const candidate& c) {
      return c.illegal.empty() && std::find(known.begin(), known.end(), c.placement.text()) == known.end();
    });
  };
  if (open(candidates(p, device_->device()))) return true;
  // A library may have been installed since.
  const auto row = store_->find_decision(k.hash, k.material);
  return row && open(library_candidates(p, *device_, row->ns));
}

// A decision is there, and yet there is something to measure.
bool finder::goes_on(const bound_problem& p, const key& k) {
  return (mode_ == tune_mode::exhaustive && unfinished(p, k)) ||
         (options_.retry_killed && may_tune() && holds_suspect(*store_, k.hash));
}

// Another thread or process may have tuned the same problem while this one waited for its turn; then its decision is
// used.
finder::state finder::by_tuning(const problem& p, const key& k, attempt& last) {
  file_lock across_processes;
  if (const std::string file = store_->lock_file(); !file.empty()) {
    const double until = seconds_now() + options_.budget_seconds + lock_patience;
    while (across_processes.take(file, lock_byte(k.hash), last.beside ? look_again : until - seconds_now()) ==
               file_lock::outcome::timed_out &&
           seconds_now() < until)
      if (last.beside && *last.beside) return nullptr;
  }
  std::optional<decision_row> row;
  try {
    // The background shares its clock with compiles elsewhere sample by sample, so that a first answer need not wait.
    const auto alone =
        last.beside ? std::unique_lock<std::shared_mutex>() : std::unique_lock<std::shared_mutex>(loader_.quiet);
    if (!may_tune()) return nullptr;
    if (mode_ != tune_mode::exhaustive && !goes_on(*p, k)) row = store_->find_decision(k.hash, k.material);
    if (!row || !row->state.empty()) row = measured_decision(*p, k, last.beside);
  } catch (const error& e) {
    if (e.code() != errc::out_of_memory) throw;
    (*warn_)("memory " + k.hash, e.message());
    return nullptr;
  }
  return from_row(p, *row, tier::exact, {}, last);
}

decision_row finder::measured_decision(const bound_problem& p, const key& k, const std::atomic<bool>* beside) {
  tuning_options options = options_;
  options.budget_seconds = std::min(options.budget_seconds, options.process_budget_seconds - spent_);
  const double start = seconds_now();
  const range seen("tune", p.text());
  const auto account = [&] { spent_ = spent_ + (seconds_now() - start); };
  try {
    std::optional<company> others;
    if (beside) {
      others.emplace(*beside, loader_.quiet);
      options.stop = [beside, asked = options.stop] { return *beside || (asked && asked()); };
    }
    const decision d =
        tune(*device_, loader_.images(), *store_, *warn_, p, options, k.hash, k.material, others ? &*others : nullptr);
    account();
    ++tuned;
    measured += d.measured, failed += d.failed, skipped += d.killed, launches += d.launches;
    observer_.tell({event_kind::tune,
                    p.text(),
                    d.row.placement,
                    {},
                    seconds_now() - start,
                    std::to_string(d.measured) + " candidates measured"});
    return d.row;
  } catch (...) {
    account();
    throw;
  }
}

finder::state finder::from_row(const problem& p, const decision_row& row, tier how, const std::string& origin,
                               attempt& last) {
  if (row.state.empty()) {
    attempt now{last.most, last.beside, {}};
    if (how != tier::exact && from_library(placement::parse(row.placement)))
      now.most = effort::none;  // another problem's verdict is not worth seconds of compiling
    try {
      if (state found = try_placement(
              p, {placement::parse(row.placement), how, origin, row.ns, row.default_ns, row.samples, row.layer}, now))
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
    return try_placement(
        p, {placement::parse(row.runner_up), how, origin.empty() ? runner_up : origin, 0, 0, 0, row.layer}, last);
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
    return loader_.make(p, std::move(v), last.most, last.beside);
  } catch (const error& e) {
    if (e.code() == errc::device_lost) throw;
    last.reason = std::current_exception();
    return nullptr;
  }
}

}  // namespace glass::jit
