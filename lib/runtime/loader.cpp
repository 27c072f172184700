#include "runtime/loader.hpp"

#include <optional>

#include "base/range.hpp"
#include "base/text.hpp"
#include "tune/tune.hpp"

namespace glass::jit {

loader::loader(std::shared_ptr<backend> device, std::shared_ptr<store> rows, const std::shared_ptr<warner>& warn,
               observer& watcher)
    : device_(std::move(device)), observer_(watcher), builder_(device_, std::move(rows), warn) {
  if (observer_.listens())
    builder_.compiled = [this](const bound_problem& p, const placement& where, const built& b) {
      observer_.tell({event_kind::compile, p.text(), where.text(), {}, b.compile_seconds, b.quick ? "quick" : ""});
    };
}

// In threads of low priority; the clock is the caller's own and stands still meanwhile.
built loader::compile_beside(const bound_problem& p, const placement& where, const std::atomic<bool>& stop) {
  std::optional<built> made;
  std::optional<error> failure;
  builder_.get_all(
      p, {where},
      [&](std::size_t, const built* b, const error* e) {
        if (b) made = *b;
        if (e) failure = *e;
      },
      &stop);
  if (failure) throw *failure;
  if (!made) throw error(errc::refused, stage::compile, p.text() + ": the background was stopped.");
  return *made;
}

built loader::image(const bound_problem& p, const placement& where, effort most, const std::atomic<bool>* beside) {
  try {
    return builder_.get(p, where, effort::none);
  } catch (const error& e) {
    if (e.code() != errc::refused || most == effort::none) throw;
  }
  if (beside) return compile_beside(p, where, *beside);
  const std::shared_lock beside_no_clock(quiet);
  return builder_.get(p, where, most);
}

loader::code loader::load(const bound_problem& p, const detail::verdict& v, const built& b) {
  const launch_shape largest = shape_of(p, v.placement, p.request.batch);
  const std::string id = b.key + " " + std::to_string(largest.threads) + " " + std::to_string(largest.shared_bytes);
  {
    const std::lock_guard lock(mutex_);
    if (const auto it = loaded_.find(id); it != loaded_.end()) return it->second;
  }
  const double start = seconds_now();
  const range seen("load", p.text() + ", " + v.placement.text());
  code fresh = device_->load(b.bytes, largest);
  ++loads;
  observer_.tell({event_kind::load, p.text(), v.placement.text(), {}, seconds_now() - start, {}});
  const std::string reason = examine_usage(fresh->usage(), {v.placement, {}, 0}, device_->device());
  if (!reason.empty()) throw error(errc::too_large, stage::load, v.placement.text() + ": " + reason);
  const std::lock_guard lock(mutex_);
  return loaded_.emplace(id, std::move(fresh)).first->second;
}

loader::state loader::make(const problem& p, detail::verdict v, effort most, const std::atomic<bool>* beside) {
  built b = image(*p, v.placement, most, beside);
  code loaded;
  try {
    loaded = load(*p, v, b);
  } catch (const error& e) {
    if (b.compiled || most == effort::none) throw;
    // A driver refuses a damaged image with the words that it has for one that is too new for it. Without a compiler such
    // an image stays: another driver may take it.
    const bool make_again =
        e.code() == errc::load_failed || (e.code() == errc::driver_too_old && !builder_.key(*p, v.placement).empty());
    if (!make_again) throw;
    builder_.forget(b.key);
    b = image(*p, v.placement, most, beside);
    loaded = load(*p, v, b);
  }
  v.compiled = b.compiled, v.quick = b.quick;
  return std::make_shared<const detail::kernel_state>(device_, p, std::move(v), std::move(loaded));
}

}  // namespace glass::jit
