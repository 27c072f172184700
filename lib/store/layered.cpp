// Lookups through the layers, and what is written to the overlay.
#include "store/layered.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"

namespace glass::jit {

namespace {

constexpr double between_tallies = 5;                                             // seconds
constexpr std::int64_t evicted_at_once = 32 << 20, given_back_at_once = 1 << 20;  // bytes: milliseconds

// GLASS_SHIPPED=off: without the decisions that come with glass.
const std::vector<shipped_file>& wanted_shipped() {
  static const std::vector<shipped_file> none;
  return environment("GLASS_SHIPPED") == "off" ? none : shipped_files();
}

bool same_verdict(const decision_row& a, const decision_row& b) {
  return a.placement == b.placement && a.image_key == b.image_key;
}

}  // namespace

layered_store::layered_store(store_options options, std::string trouble, std::shared_ptr<warner> warn)
    : options_(std::move(options)),
      where_{options_.folder},
      shipped_(wanted_shipped()),
      trouble_(std::move(trouble)),
      warn_(std::move(warn)) {
  {
    const hold held(*this);
    set_bound();
    open();
    mount();
  }
  watch_forks(this);
}
layered_store::~layered_store() {
  forget_forks(this);
  if (overlay_) tally_.write(*overlay_, 0);
}
// Of a store that nobody destroys; one that another thread is using keeps what it counted.
void layered_store::at_exit() {
  const std::unique_lock now(mutex_, std::try_to_lock);
  if (now && overlay_) tally_.write(*overlay_, 0);
}

// ---- images

std::optional<image_row> layered_store::find_image(const std::string& key, const std::string& material) {
  const hold held(*this);
  const auto find = [&](layer& l) { return l.find_image(key, material); };
  std::optional<image_row> row = from_memory(find);
  if (!row && !dropped_images_.count(key))
    from_each(find, [&](std::optional<image_row> r) { return (row = std::move(r)).has_value(); });
  row ? tally_.add(&cache_counts::image_hits) : tally_.add_miss(&cache_counts::image_misses, key);
  return row;
}

std::optional<image_row> layered_store::find_family(const std::string& family, std::size_t nth) {
  const hold held(*this);
  for (;;) {  // until the list holds no damaged one up to there
    std::set<std::string> seen;
    std::size_t left = nth;
    const std::int64_t healed_before = healed_;
    std::optional<image_row> row;
    // The image itself is read only where its turn has come.
    const auto look = [&](layer& l, const std::set<std::string>& damaged) -> std::optional<image_row> {
      for (const std::string& key : l.family(family)) {
        if ((&l != memory_.get() && dropped_images_.count(key)) || damaged.count(key) || !seen.insert(key).second)
          continue;
        if (left == 0) {
          std::optional<image_row> r = l.member(family, key);
          if (r) l.touch(key);
          return r;
        }
        --left;
      }
      return {};
    };
    row = from_overlay([&](layer& l) {
      seen.clear(), left = nth;  // it may be asked twice
      return look(l, {});
    });
    if (!row && healed_ == healed_before) row = from_memory([&](layer& l) { return look(l, {}); });
    for (mounted& m : below_) {
      if (row || healed_ != healed_before) break;
      row = from(m, [&](layer& l) { return look(l, m.damaged); });
    }
    if (row || healed_ == healed_before) return row;
  }
}

void layered_store::put_image(const image_row& row) {
  const hold held(*this);
  tally_.add(&cache_counts::compiles);
  tally_.add(&cache_counts::compile_milliseconds, std::int64_t(1e3 * row.compile_seconds + 0.5));
  dropped_images_.erase(row.key);
  const bool kept = to_overlay([&](layer& l) {
    l.put_image(row);
    if (l.used_bytes() > bound_) tally_.add(&cache_counts::evicted, l.evict(bound_, evicted_at_once));
    if (l.file_bytes() > bound_) l.give_back(given_back_at_once);  // after the bound was made smaller: a bit each time
    tally_.write(l, between_tallies);
  });
  if (!kept)
    memory().put_image(row);
  else if (memory_)
    memory_->drop_image(row.key);
}

void layered_store::drop_image(const std::string& key, const std::string& why) {
  const hold held(*this);
  ++healed_;
  say("dropped image", "the stored image " + key.substr(0, 12) + " is dropped: " + why);
  forget_image(key);
}

void layered_store::forget_image(const std::string& key) {
  if (memory_) memory_->drop_image(key);
  const bool gone = !overlay_ || to_overlay([&](layer& l) { l.drop_image(key); });
  if (!gone || !below_.empty()) dropped_images_.insert(key);
}

// ---- decisions

std::optional<decision_row> layered_store::find_decision(const std::string& key, const std::string& material) {
  const hold held(*this);
  std::optional<decision_row> best = best_decision(key, material);
  best && best->state.empty() ? tally_.add(&cache_counts::decision_hits)
                              : tally_.add_miss(&cache_counts::decision_misses, key);
  return best;
}

std::optional<decision_row> layered_store::best_decision(const std::string& key, const std::string& material) {
  std::optional<decision_row> best;  // a good one, else the highest that is marked
  from_each([&](layer& l) { return l.find_decision(key, material); },
            [&](std::optional<decision_row> row) {
              if (!row) return false;
              const bool good = row->state.empty() && !(best && same_verdict(*best, *row));
              if (good || !best) best = std::move(row);
              return good;
            });
  if (!best || !best->state.empty())
    if (auto row = from_shipped(key, material); row && !(best && same_verdict(*best, *row))) return row;
  return best;
}

std::optional<decision_row> layered_store::from_shipped(const std::string& key, const std::string& material) {
  auto row = named(find_shipped(shipped_, key, material), "shipped");
  if (row) shipped_material_[key] = material;
  return row;
}

std::vector<decision_row> layered_store::find_related(const std::string& identity, const std::string& type,
                                                      const std::string& options, const std::string& measure) {
  const hold held(*this);
  std::set<std::string> marked;  // above: they hide those of the layers below
  const auto note_marked = [&](layer& l) {
    for (std::string& key : l.marked(identity, type, options, measure)) marked.insert(std::move(key));
  };
  if (memory_) note_marked(*memory_);
  if (!below_.empty() || !shipped_.empty()) guarded(note_marked);
  auto all = merged<decision_row>(
      [&](layer& l, auto& damaged) { return l.find_related(identity, type, options, measure, damaged); },
      [](const decision_row& d) { return d.key; }, marked);
  for (const decision_row& d : all) marked.insert(d.key);
  for (decision_row& d : related_shipped(shipped_, identity, type, options, measure)) {
    if (marked.count(d.key)) continue;
    d.layer = "shipped";
    all.push_back(std::move(d));
  }
  return all;
}

void layered_store::put_decision(const decision_row& row) {
  const hold held(*this);
  tally_.add(&cache_counts::tuned);
  put(row);
}

void layered_store::put(const decision_row& row) {
  if (!to_overlay([&](layer& l) { l.put_decision(row); }))
    memory().put_decision(row);
  else if (memory_)
    memory_->drop_decision(row.key);
}

// Of a row that lies in a read-only layer a marked copy goes into the overlay.
void layered_store::mark_decision(const std::string& key, const std::string& state) {
  const hold held(*this);
  std::optional<decision_row> row, any;
  from_each([&](layer& l) { return l.decision(key); },
            [&](std::optional<decision_row> r) {
              if (!r) return false;
              if (!any) any = r;
              if (r->state.empty()) row = std::move(r);
              return row.has_value();
            });
  if (const auto asked = shipped_material_.find(key); !row && asked != shipped_material_.end())
    row = from_shipped(key, asked->second);
  if (!row) row = std::move(any);
  if (!row) return;
  row->state = state;
  put(*row);
}

// ---- candidates

std::vector<candidate_row> layered_store::candidates(const std::string& decision_key) {
  const hold held(*this);
  return merged<candidate_row>([&](layer& l, auto& damaged) { return l.candidates(decision_key, damaged); },
                               [](const candidate_row& c) { return c.placement; });
}

void layered_store::put_candidate(const candidate_row& row) {
  const hold held(*this);
  if (row.state == "wrong" || row.state == "failed" || row.state == "hang" || row.state == "killed")
    tally_.add(&cache_counts::failed_candidates);
  if (!to_overlay([&](layer& l) { l.put_candidate(row); }))
    memory().put_candidate(row);
  else if (memory_)
    memory_->drop_candidate(row.decision_key, row.placement);
}

template <class Row, class F, class Name>
std::vector<Row> layered_store::merged(F find, Name name, std::set<std::string> hidden) {
  std::vector<Row> all;
  std::vector<damaged_row> damaged;
  const auto take = [&](std::vector<Row> rows, const std::string& layer) {
    for (Row& row : rows) {
      if (!hidden.insert(name(row)).second) continue;
      if constexpr (requires { row.layer; }) row.layer = layer;
      all.push_back(std::move(row));
    }
  };
  if (memory_) take(find(*memory_, damaged), "memory");
  std::vector<Row> rows;
  guarded([&](layer& l) { rows = find(l, damaged); });
  take(std::move(rows), "overlay");
  for (const damaged_row& d : damaged) heal(d);
  for (mounted& m : below_) {
    damaged.clear();
    try {
      take(find(*m.rows, damaged), m.name);
    } catch (const database_error& e) { failed(m, e); }
    for (const damaged_row& d : damaged) note(m, d);
  }
  return all;
}

}  // namespace glass::jit
