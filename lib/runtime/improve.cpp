// What happens to a kernel after it was handed out: the background makes it better, freezing ends that, and a frozen
// runtime raises its alarm over what is not as it was tuned.
#include "base/text.hpp"
#include "runtime/finder.hpp"

namespace glass::jit {

// A job of the background: the decision if there is one by now, else the full build of what was compiled quickly, then
// a race.
void finder::improve(const problem& p, const key& k, const slot& kernel, bool named) noexcept {
  try {
    const double start = seconds_now();
    const std::int64_t healed = store_->healed();
    attempt last{effort::full, &background_.stopping(), {}};
    const auto row = named ? std::nullopt : store_->find_decision(k.hash, k.material);
    if (state better = row ? from_row(p, *row, tier::exact, {}, last) : nullptr) {
      exchange(kernel, std::move(better), start);
    } else {
      if (detail::verdict how = kernel->now().how(); how.quick)
        exchange(kernel, loader_.make(p, std::move(how), last.most, last.beside), start);
      if (!named && may_tune())
        if (state best = by_tuning(p, k, last)) exchange(kernel, std::move(best), start);
    }
    note_healed(*p, healed);
  } catch (const std::exception& e) {  // stopped, or the kernel stays what it is
    if (!background_.stopping()) try {
        (*warn_)("background " + k.hash, p->text() + ": the background made nothing better of it: " + e.what());
      } catch (...) {  // no memory for the words
      }
  }
  if (!background_.stopping()) kernel->expect_more(false);
}

void finder::exchange(const slot& kernel, state better, double start) {
  const detail::verdict& how = better->how();
  const event e{event_kind::swap, better->problem().text(), how.placement.text(),
                how.layer,        seconds_now() - start,    name(how.tier)};
  kernel->put(std::move(better));
  ++swaps;
  observer_.tell(e);
}

void finder::freeze() {
  mode_ = tune_mode::frozen;
  background_.stop();
  std::vector<std::shared_ptr<entry>> all;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [asked, e] : entries_) all.push_back(e);
  }
  for (const auto& e : all) {
    const std::lock_guard hold(e->mutex);
    if (e->found) e->found->expect_more(false);
  }
}

void finder::watch_over(const bound_problem& p, const detail::verdict& how) {
  if (how.tier == tier::named || (how.tier == tier::exact && how.origin.empty() && !how.quick)) return;
  observer_.alarm(p.text(), how.tier == tier::exact ? "its measured winner cannot be used; the runner-up is"
                            : how.tier == tier::model || how.tier == tier::fallback
                                ? "no decision is known; " + how.placement.text() + " is used, unmeasured"
                                : std::string("no decision of its own is known; one of tier ") + name(how.tier) +
                                      " is used, from " + how.origin);
}

void finder::note_healed(const bound_problem& p, std::int64_t before) {
  if (const std::int64_t more = store_->healed() - before; more > 0)
    observer_.tell({event_kind::heal, p.text(), {}, {}, 0, std::to_string(more) + " damaged records dropped"});
}

void finder::refuse(const bound_problem& p, const error& e, bool named) {
  observer_.alarm(p.text(), e.message());
  if (e.code() != errc::refused || named) throw e;
  throw error(
      errc::refused, stage::compile,
      p.text() + ": neither a decision nor the image of the default placement is in the cache, and the mode is frozen.",
      "Run it once with GLASS_TUNE=first_use or off, with the same cache, before freezing.");
}

}  // namespace glass::jit
