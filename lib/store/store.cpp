// The layers put together: memory over the overlay. A row lives in memory only when the overlay could not take it.
// Whatever goes wrong with the overlay is one warning per cause; damage is healed by row, or by setting the whole file
// aside.
#include "store/store.hpp"

#include <pthread.h>

#include <atomic>
#include <filesystem>
#include <mutex>

#include "base/text.hpp"
#include "glass/jit/error.hpp"
#include "store/place.hpp"
#include "store/schema.hpp"

namespace glass::jit {

namespace {

constexpr std::int64_t largest_bytes = std::int64_t(2)
                                       << 30;  // of the overlay; beyond it the images used longest ago go

class layered_store;

// SQLite's connections do not survive a fork: every store is closed before one, and opened again on both sides when it
// is next used.
class forks {
 public:
  static void enter(layered_store*);
  static void leave(layered_store*);

 private:
  static forks& all() {
    static auto* one = new forks;  // never destroyed: stores may outlive statics
    return *one;
  }
  forks() { ::pthread_atfork(before, after, after); }
  static void before();
  static void after();
  std::mutex mutex_;
  std::set<layered_store*> stores_;
};

class layered_store final : public store {
 public:
  layered_store(std::string folder, std::string trouble, std::shared_ptr<warner> warn)
      : where_{std::move(folder)}, trouble_(std::move(trouble)), warn_(std::move(warn)) {
    {
      const hold held(*this);
      open();
    }
    forks::enter(this);
  }
  ~layered_store() override { forks::leave(this); }

  std::optional<image_row> find_image(const std::string& key, const std::string& material) override {
    const hold held(*this);
    const auto find = [&](layer& l) { return l.find_image(key, material); };
    if (auto row = from_memory(find)) return row;
    if (dropped_images_.count(key)) return {};
    return from_overlay(find);
  }
  std::optional<image_row> find_family(const std::string& family, std::size_t nth) override {
    const hold held(*this);
    const auto find = [&](layer& l) { return l.find_family(family, nth); };
    auto row = from_overlay(find);
    return row ? row : from_memory(find);
  }
  void put_image(const image_row& row) override {
    const hold held(*this);
    dropped_images_.erase(row.key);
    const bool kept = to_overlay([&](layer& l) {
      l.put_image(row);
      if (l.used_bytes() > largest_bytes) l.evict(largest_bytes / 4 * 3);
    });
    if (!kept)
      memory().put_image(row);
    else if (memory_)
      memory_->drop_image(row.key);
  }
  void drop_image(const std::string& key, const std::string& why) override {
    const hold held(*this);
    ++healed_;
    say("dropped image", "the stored image " + key.substr(0, 12) + " is dropped: " + why);
    forget_image(key);
  }

  std::optional<decision_row> find_decision(const std::string& key, const std::string& material) override {
    const hold held(*this);
    const auto find = [&](layer& l) { return l.find_decision(key, material); };
    if (auto row = from_memory(find)) return row;
    return from_overlay(find);
  }
  std::vector<decision_row> find_related(const std::string& identity, const std::string& type,
                                         const std::string& options, const std::string& measure) override {
    const hold held(*this);
    return merged<decision_row>(
        [&](layer& l, auto& damaged) { return l.find_related(identity, type, options, measure, damaged); },
        [](const decision_row& d) { return d.key; });
  }
  void put_decision(const decision_row& row) override {
    const hold held(*this);
    put(row);
  }
  void mark_decision(const std::string& key, const std::string& state) override {
    const hold held(*this);
    const auto find = [&](layer& l) { return l.decision(key); };
    auto row = from_memory(find);
    if (!row) row = from_overlay(find);
    if (!row) return;
    row->state = state;
    put(*row);
  }

  std::vector<candidate_row> candidates(const std::string& decision_key) override {
    const hold held(*this);
    return merged<candidate_row>([&](layer& l, auto& damaged) { return l.candidates(decision_key, damaged); },
                                 [](const candidate_row& c) { return c.placement; });
  }
  void put_candidate(const candidate_row& row) override {
    const hold held(*this);
    if (!to_overlay([&](layer& l) { l.put_candidate(row); }))
      memory().put_candidate(row);
    else if (memory_)
      memory_->drop_candidate(row.decision_key, row.placement);
  }

  cache_stats stats() override {
    const hold held(*this);
    cache_stats all;
    all.location = overlay_ ? where_.file() : "memory";
    all.trouble = trouble_;
    all.schema = overlay_ ? overlay_->version() : schema_version();
    for (const char* side : {"", "-wal"}) {
      std::error_code none;
      const auto bytes = overlay_ ? std::filesystem::file_size(where_.file() + side, none) : 0;
      if (!none) all.bytes += std::int64_t(bytes);
    }
    guarded([&](layer& l) { l.add_to(all); });
    if (memory_) memory_->add_to(all);
    return all;
  }
  std::vector<cache_entry> list() override {
    const hold held(*this);
    std::vector<cache_entry> all;
    guarded([&](layer& l) { all = l.list(); });
    if (memory_)
      for (cache_entry& e : memory_->list()) all.push_back(std::move(e));
    return all;
  }
  std::string show(const std::string& id) override {
    const hold held(*this);
    std::string all;
    guarded([&](layer& l) { all = l.show(id); });
    return memory_ ? memory_->show(id) + all : all;
  }
  std::int64_t gc(std::int64_t largest) override {
    const hold held(*this);
    std::int64_t freed = 0;
    upkeep("gc", [&](layer& l) {
      const std::int64_t before = l.file_bytes();
      l.evict(largest);
      l.shrink();
      freed += before - l.file_bytes();
    });
    return freed;
  }
  void clear() override {
    const hold held(*this);
    upkeep("clear", [](layer& l) {
      l.clear();
      l.shrink();
    });
  }
  std::string lock_file() const override { return persistent() ? where_.lock_file() : std::string(); }
  std::int64_t healed() const override { return healed_; }
  bool persistent() const override { return persistent_; }

  // Around a fork, on the forking thread.
  void before_fork() {
    mutex_.lock();
    if (overlay_) overlay_->leave_log();
    parked_ = parked_ || overlay_;  // a second fork may come before the next use
    overlay_.reset();
  }
  void after_fork() { mutex_.unlock(); }

 private:
  // The mutex; what is to be said is said when it is free again, for a callback may do anything.
  class hold {
   public:
    explicit hold(layered_store& s) : s_(s), held_(s.mutex_) {
      if (s_.parked_) s_.open();
    }
    ~hold() {
      std::vector<std::pair<std::string, std::string>> lines;
      lines.swap(s_.to_say_);
      held_.unlock();
      try {
        for (const auto& [cause, line] : lines) (*s_.warn_)(cause, line);
      } catch (...) {  // of the user's own callback
      }
    }

   private:
    layered_store& s_;
    std::unique_lock<std::mutex> held_;
  };

  void open() {
    parked_ = false;
    if (where_.folder.empty()) return;
    opened o = open_overlay(where_);
    if (!o.set_aside.empty()) say_aside(o.set_aside);
    if (!o.trouble.empty())
      say("overlay", o.trouble + (o.overlay ? "" : "; keeping compiled kernels and decisions in memory only"));
    overlay_ = std::move(o.overlay), file_ = o.file, trouble_ = o.trouble;
    persistent_ = overlay_ && overlay_->writable();
  }
  layer& memory() {
    if (!memory_) memory_ = std::make_unique<layer>(":memory:", database::mode::read_write);
    return *memory_;
  }
  void say(const std::string& cause, const std::string& line) {
    to_say_.emplace_back("store: " + cause, "cache: " + line);
  }
  void say_aside(const std::string& to) {
    say("aside", "the cache was damaged; it lies now at " + to + " and a new one was begun");
  }

  // Sets a malformed file aside and opens a new one; a few times at most, for a disk that damages whatever is written
  // does not end.
  bool begin_anew() {
    if (begun_anew_++ >= 3) return false;
    const bool writable = overlay_->writable();
    overlay_.reset();
    if (writable) {
      ++healed_;
      if (const std::string to = set_aside(where_, file_); !to.empty()) say_aside(to);
    }
    open();
    return overlay_ != nullptr;
  }
  // Runs `f` on the overlay; false (and one warning) when that fails.
  template <class F>
  bool guarded(F f) {
    for (int attempt = 0; overlay_ && attempt < 2; ++attempt) {
      try {
        f(*overlay_);
        return true;
      } catch (const database_error& e) {
        if (e.damaged() && attempt == 0 && begin_anew()) continue;
        trouble_ = e.what();
        say("sqlite " + std::to_string(e.code() & 0xff), where_.file() + ": " + e.what() + "; going on in memory");
        return false;
      }
    }
    return false;
  }
  template <class F>
  bool to_overlay(F f) {
    return overlay_ && overlay_->writable() && guarded(f);
  }
  // The row that `find` finds in a layer; a damaged one is dropped and not found.
  template <class F>
  auto checked(layer& l, F find) -> decltype(find(l)) {
    try {
      return find(l);
    } catch (const damaged_row& d) {
      heal(d);
      return {};
    }
  }
  template <class F>
  auto from_overlay(F find) -> decltype(find(std::declval<layer&>())) {
    decltype(find(std::declval<layer&>())) row;
    guarded([&](layer& l) { row = checked(l, find); });
    return row;
  }
  template <class F>
  auto from_memory(F find) -> decltype(find(std::declval<layer&>())) {
    if (!memory_) return {};
    return checked(*memory_, find);
  }
  // Rows of both layers; one in memory takes the place of one of the same name in the overlay.
  template <class Row, class F, class Name>
  std::vector<Row> merged(F find, Name name) {
    std::vector<damaged_row> damaged;
    std::vector<Row> all;
    guarded([&](layer& l) { all = find(l, damaged); });
    if (memory_) {
      for (Row& newer : find(*memory_, damaged)) {
        std::erase_if(all, [&](const Row& r) { return name(r) == name(newer); });
        all.push_back(std::move(newer));
      }
    }
    for (const damaged_row& d : damaged) heal(d);
    return all;
  }
  void put(const decision_row& row) {
    if (!to_overlay([&](layer& l) { l.put_decision(row); }))
      memory().put_decision(row);
    else if (memory_)
      memory_->drop_decision(row.key);
  }
  void heal(const damaged_row& d) {
    ++healed_;
    say("damaged " + d.table,
        "the stored " + d.table + " " + d.key.substr(0, 12) + " is damaged (" + d.why + ") and is made again");
    if (d.table == "image")
      forget_image(d.key);
    else
      to_overlay(
          [&](layer& l) { d.table == "decision" ? l.drop_decision(d.key) : l.drop_candidate(d.key, d.placement); });
  }
  void forget_image(const std::string& key) {
    if (memory_) memory_->drop_image(key);
    if (overlay_ && !to_overlay([&](layer& l) { l.drop_image(key); })) dropped_images_.insert(key);
  }
  // What a person asked for is an error when it cannot be done.
  template <class F>
  void upkeep(const char* what, F f) {
    if (overlay_ && !to_overlay(f)) throw error(errc::store, stage::store, std::string(what) + ": " + trouble_);
    if (memory_) f(*memory_);
  }

  const place where_;
  std::mutex mutex_;
  std::unique_ptr<layer> overlay_, memory_;
  file_identity file_;  // of the overlay
  std::string trouble_;
  std::set<std::string> dropped_images_;  // that the overlay still holds, because it cannot be written
  std::vector<std::pair<std::string, std::string>> to_say_;
  bool parked_ = false;  // closed for a fork
  int begun_anew_ = 0;
  const std::shared_ptr<warner> warn_;
  std::atomic<bool> persistent_{false};
  std::atomic<std::int64_t> healed_{0};
};

void forks::enter(layered_store* s) {
  const std::lock_guard hold(all().mutex_);
  all().stores_.insert(s);
}
void forks::leave(layered_store* s) {
  const std::lock_guard hold(all().mutex_);
  all().stores_.erase(s);
}
void forks::before() {
  all().mutex_.lock();
  for (layered_store* s : all().stores_) s->before_fork();
}
void forks::after() {
  for (layered_store* s : all().stores_) s->after_fork();
  all().mutex_.unlock();
}

}  // namespace

std::unique_ptr<store> store::open(const std::string& folder, std::shared_ptr<warner> warn) {
  if (!warn) warn = std::make_shared<warner>();
  if (folder == "memory" || folder.empty())
    return std::make_unique<layered_store>(
        "", "memory only: asked for, or none of GLASS_CACHE, XDG_CACHE_HOME and HOME is set", std::move(warn));
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
