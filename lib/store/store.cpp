// The layers put together: memory over the overlay. A row lives in memory only when the overlay could not take it. Whatever goes wrong with the
// overlay is one warning per cause; damage is healed by row, or by setting the whole file aside.
#include "store/store.hpp"

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <mutex>

#include "base/text.hpp"
#include "glass/jit/error.hpp"
#include "store/file_lock.hpp"
#include "store/place.hpp"
#include "store/schema.hpp"

namespace glass::jit {

namespace {

constexpr std::int64_t largest_bytes = std::int64_t(2) << 30;   // of the overlay; beyond it the images used longest ago go

// What one process has open. A child made by fork begins a new one: connections and mutexes do not survive a fork.
struct session {
  const pid_t process = ::getpid();
  session* parents = nullptr;                  // of the process before the fork: kept, never used or closed
  std::mutex mutex;
  std::unique_ptr<layer> overlay, memory;
  file_identity file;
  std::string trouble;
  std::set<std::string> dropped_images;        // that the overlay still holds, because it cannot be written
  int reopened = 0;
};

class layered_store final : public store {
 public:
  layered_store(std::string folder, std::string trouble, std::shared_ptr<warner> warn)
      : where_{std::move(folder)}, initial_trouble_(std::move(trouble)), warn_(std::move(warn)) {
    current_ = begin();
  }
  ~layered_store() override {
    session* s = current_.load();
    if (s->process == ::getpid()) delete s;
  }

  std::optional<image_row> find_image(const std::string& key, const std::string& material) override {
    const auto s = lock();
    if (s->memory) if (auto row = checked(*s, *s->memory, [&](layer& l) { return l.find_image(key, material); })) return row;
    if (s->dropped_images.count(key)) return {};
    return from_overlay<image_row>(*s, [&](layer& l) { return l.find_image(key, material); });
  }
  std::optional<image_row> find_family(const std::string& family, std::size_t nth) override {
    const auto s = lock();
    auto row = from_overlay<image_row>(*s, [&](layer& l) { return l.find_family(family, nth); });
    if (row || !s->memory) return row;
    return s->memory->find_family(family, nth);
  }
  void put_image(const image_row& row) override {
    const auto s = lock();
    const bool kept = to_overlay(*s, [&](layer& l) {
      l.put_image(row);
      if (l.used_bytes() > largest_bytes) l.evict(largest_bytes / 4 * 3);
    });
    s->dropped_images.erase(row.key);
    if (!kept) memory(*s).put_image(row);
    else if (s->memory) s->memory->drop_image(row.key);
  }
  void drop_image(const std::string& key, const std::string& why) override {
    const auto s = lock();
    ++healed_;
    drop(*s, "image", key, why);
  }

  std::optional<decision_row> find_decision(const std::string& key, const std::string& material) override {
    const auto s = lock();
    if (s->memory) if (auto row = checked(*s, *s->memory, [&](layer& l) { return l.find_decision(key, material); })) return row;
    return from_overlay<decision_row>(*s, [&](layer& l) { return l.find_decision(key, material); });
  }
  std::vector<decision_row> find_related(const std::string& identity, const std::string& type, const std::string& options,
                                         const std::string& measure) override {
    const auto s = lock();
    std::vector<damaged_row> damaged;
    const auto ask = [&](layer& l) { return std::optional(l.find_related(identity, type, options, measure, damaged)); };
    std::vector<decision_row> all = from_overlay<std::vector<decision_row>>(*s, ask).value_or(std::vector<decision_row>());
    if (s->memory) {
      const auto newer_rows = ask(*s->memory);
      for (const decision_row& newer : *newer_rows) {
        std::erase_if(all, [&](const decision_row& d) { return d.key == newer.key; });
        all.push_back(newer);
      }
    }
    for (const damaged_row& d : damaged) heal(*s, d);
    return all;
  }
  void put_decision(const decision_row& row) override {
    const auto s = lock();
    if (!to_overlay(*s, [&](layer& l) { l.put_decision(row); })) memory(*s).put_decision(row);
    else if (s->memory) s->memory->drop_decision(row.key);
  }
  void mark_decision(const std::string& key, const std::string& state) override {
    const auto s = lock();
    const auto mark = [&](layer& l) -> std::optional<decision_row> {
      std::optional<decision_row> row = l.decision(key);
      if (row) row->state = state;
      return row;
    };
    std::optional<decision_row> row = s->memory ? checked(*s, *s->memory, mark) : std::nullopt;
    if (!row) row = from_overlay<decision_row>(*s, mark);
    if (!row) return;
    if (!to_overlay(*s, [&](layer& l) { l.put_decision(*row); })) memory(*s).put_decision(*row);
    else if (s->memory) s->memory->drop_decision(key);
  }

  std::vector<candidate_row> candidates(const std::string& decision_key) override {
    const auto s = lock();
    std::vector<damaged_row> damaged;
    const auto ask = [&](layer& l) { return std::optional(l.candidates(decision_key, damaged)); };
    std::vector<candidate_row> all = from_overlay<std::vector<candidate_row>>(*s, ask).value_or(std::vector<candidate_row>());
    if (s->memory) {
      const auto newer_rows = ask(*s->memory);
      for (const candidate_row& newer : *newer_rows) {
        std::erase_if(all, [&](const candidate_row& c) { return c.placement == newer.placement; });
        all.push_back(newer);
      }
    }
    for (const damaged_row& d : damaged) heal(*s, d);
    return all;
  }
  void put_candidate(const candidate_row& row) override {
    const auto s = lock();
    if (!to_overlay(*s, [&](layer& l) { l.put_candidate(row); })) memory(*s).put_candidate(row);
    else if (s->memory) s->memory->drop_candidate(row.decision_key, row.placement);
  }

  cache_stats stats() override {
    const auto s = lock();
    cache_stats all;
    all.location = s->overlay ? where_.file() : "memory";
    all.trouble = s->trouble;
    if (s->overlay) {
      for (const char* side : {"", "-wal"}) {
        std::error_code none;
        const auto bytes = std::filesystem::file_size(where_.file() + side, none);
        if (!none) all.bytes += std::int64_t(bytes);
      }
      all.schema = s->overlay->version();
      from_overlay<bool>(*s, [&](layer& l) { return l.add_to(all), std::optional(true); });
    } else {
      all.schema = schema_version();
    }
    if (s->memory) s->memory->add_to(all);
    return all;
  }
  std::vector<cache_entry> list() override {
    const auto s = lock();
    auto all = from_overlay<std::vector<cache_entry>>(*s, [&](layer& l) { return std::optional(l.list()); }).value_or(std::vector<cache_entry>());
    if (s->memory) {
      auto more = s->memory->list();
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }
  std::string show(const std::string& id) override {
    const auto s = lock();
    const std::string first = s->memory ? s->memory->show(id) : std::string();
    return first + from_overlay<std::string>(*s, [&](layer& l) { return std::optional(l.show(id)); }).value_or(std::string());
  }
  std::int64_t gc(std::int64_t largest) override {
    const auto s = lock();
    std::int64_t freed = 0;
    upkeep(*s, "gc", [&](layer& l) {
      const std::int64_t before = l.file_bytes();
      l.evict(largest);
      l.shrink();
      freed += before - l.file_bytes();
    });
    return freed;
  }
  void clear() override {
    const auto s = lock();
    upkeep(*s, "clear", [&](layer& l) {
      l.clear();
      l.shrink();
    });
  }
  std::string lock_file() const override {
    const auto s = lock();
    return s->overlay && s->overlay->writable() ? where_.lock_file() : std::string();
  }
  std::int64_t healed() const override { return healed_; }
  bool persistent() const override {
    const auto s = lock();
    return s->overlay && s->overlay->writable();
  }

 private:
  // The session of this process, locked.
  struct locked {
    session* s;
    std::unique_lock<std::mutex> held;
    session* operator->() const { return s; }
    session& operator*() const { return *s; }
  };
  locked lock() const {
    session* s = current_.load();
    if (s->process != ::getpid()) {
      session* fresh = begin();
      fresh->parents = s;
      if (!current_.compare_exchange_strong(s, fresh)) {   // another thread of the child was first
        delete fresh;
      } else {
        s = fresh;
      }
    }
    return {s, std::unique_lock(s->mutex)};
  }
  session* begin() const {
    auto s = std::make_unique<session>();
    s->trouble = initial_trouble_;
    if (!where_.folder.empty()) open(*s);
    return s.release();
  }
  void open(session& s) const {
    opened o = open_overlay(where_);
    if (!o.set_aside.empty()) say("aside", "the cache was damaged; it lies now at " + o.set_aside + " and a new one was begun");
    if (!o.trouble.empty()) say("overlay", o.trouble + (o.overlay ? "" : "; keeping compiled kernels and decisions in memory only"));
    s.overlay = std::move(o.overlay), s.file = o.file, s.trouble = o.trouble;
  }
  static layer& memory(session& s) {
    if (!s.memory) s.memory = std::make_unique<layer>(":memory:", database::mode::read_write);
    return *s.memory;
  }
  void say(const std::string& cause, const std::string& line) const { (*warn_)("store:" + cause, "cache: " + line); }

  // Sets a malformed file aside and opens a new one; a few times at most, for a disk that damages whatever is written does not end.
  bool begin_anew(session& s) {
    if (s.reopened++ >= 3) return false;
    const bool writable = s.overlay->writable();
    s.overlay.reset();
    if (writable) {
      const std::string to = set_aside(where_, s.file);
      if (!to.empty()) say("aside", "the cache was damaged; it lies now at " + to + " and a new one was begun");
      ++healed_;
    }
    open(s);
    return s.overlay != nullptr;
  }
  // Runs `f` on the overlay; false (and one warning) when that fails.
  template <class F> bool guarded(session& s, F f) {
    for (int attempt = 0; s.overlay && attempt < 2; ++attempt) {
      try {
        f(*s.overlay);
        return true;
      } catch (const database_error& e) {
        if (e.damaged() && attempt == 0 && begin_anew(s)) continue;
        s.trouble = e.what();
        say("sqlite " + std::to_string(e.code() & 0xff), where_.file() + ": " + e.what() + "; going on in memory");
        return false;
      }
    }
    return false;
  }
  template <class Row, class F> std::optional<Row> from_overlay(session& s, F f) {
    std::optional<Row> row;
    guarded(s, [&](layer& l) { row = checked(s, l, f); });
    return row;
  }
  template <class F> bool to_overlay(session& s, F f) { return s.overlay && s.overlay->writable() && guarded(s, f); }
  template <class F> auto checked(session& s, layer& l, F f) -> decltype(f(l)) {
    try {
      return f(l);
    } catch (const damaged_row& d) {
      heal(s, d);
      return {};
    }
  }
  void heal(session& s, const damaged_row& d) {
    ++healed_;
    say("damaged " + d.table, "the stored " + d.table + " " + d.key.substr(0, 12) + " is damaged (" + d.why + ") and is made again");
    if (d.table == "candidate") to_overlay(s, [&](layer& l) { l.drop_candidate(d.key, d.why); });
    else if (d.table == "decision") to_overlay(s, [&](layer& l) { l.drop_decision(d.key); });
    else drop(s, d.table, d.key, {});
  }
  void drop(session& s, const std::string& table, const std::string& key, const std::string& why) {
    if (!why.empty()) say("dropped " + table, "the stored " + table + " " + key.substr(0, 12) + " is dropped: " + why);
    if (s.memory) s.memory->drop_image(key);
    if (s.overlay && !to_overlay(s, [&](layer& l) { l.drop_image(key); })) s.dropped_images.insert(key);
  }
  // What a person asked for is an error when it cannot be done.
  template <class F> void upkeep(session& s, const char* what, F f) {
    if (s.overlay && !s.overlay->writable()) throw error(errc::store, stage::store, std::string(what) + ": " + s.trouble);
    if (s.overlay && !guarded(s, f)) throw error(errc::store, stage::store, std::string(what) + ": " + s.trouble);
    if (s.memory) f(*s.memory);
  }

  place where_;
  std::string initial_trouble_;
  std::shared_ptr<warner> warn_;
  mutable std::atomic<session*> current_{nullptr};
  std::atomic<std::int64_t> healed_{0};
};

}  // namespace

std::unique_ptr<store> store::open(const std::string& folder, std::shared_ptr<warner> warn) {
  if (!warn) warn = std::make_shared<warner>();
  if (folder == "memory" || folder.empty())
    return std::make_unique<layered_store>("", "memory only: asked for, or none of GLASS_CACHE, XDG_CACHE_HOME and HOME is set", std::move(warn));
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(folder, failed);
  return std::make_unique<layered_store>(failed ? folder : absolute.lexically_normal().string(), "", std::move(warn));
}

std::string store::default_folder() {
  if (const std::string own = environment("GLASS_CACHE"); !own.empty()) return own;
  if (const std::string xdg = environment("XDG_CACHE_HOME"); xdg.starts_with('/')) return xdg + "/glass";
  if (const std::string home = environment("HOME"); home.starts_with('/')) return home + "/.cache/glass";
  return "memory";
}

}  // namespace glass::jit
