// Opening and closing of the layers, what is done about trouble with them, and what people ask of the whole.
#include <filesystem>

#include "base/text.hpp"
#include "glass/jit/error.hpp"
#include "store/layered.hpp"
#include "store/schema.hpp"

namespace glass::jit {

// ---- opening and trouble

layered_store::hold::hold(layered_store& s) : s_(s), held_(s.mutex_) {
  if (s_.parked_) {
    s_.open();
    s_.mount();
  }
}
layered_store::hold::~hold() {
  std::vector<std::pair<std::string, std::string>> lines;
  lines.swap(s_.to_say_);
  held_.unlock();
  try {
    for (const auto& [cause, line] : lines) (*s_.warn_)(cause, line);
  } catch (...) {  // of the user's own callback
  }
}

void layered_store::before_fork() {
  mutex_.lock();
  if (overlay_) {
    tally_.write(*overlay_, 0);  // else both sides would
    overlay_->leave_log();
  }
  tally_ = {};
  parked_ = parked_ || overlay_ || !below_.empty();  // a second fork may come before the next use
  overlay_.reset();
  below_.clear();
}

void layered_store::open() {
  parked_ = false;
  if (where_.folder.empty()) return;
  opened o = open_overlay(where_);
  if (!o.set_aside.empty()) say_aside(o.set_aside);
  if (!o.trouble.empty())
    say("overlay", o.trouble + (o.overlay ? "" : "; keeping compiled kernels and decisions in memory only"));
  overlay_ = std::move(o.overlay), file_ = o.file, trouble_ = o.trouble;
  persistent_ = overlay_ && overlay_->writable();
}

// A pack that cannot be mounted is one warning, and the layers go on without it.
void layered_store::mount() {
  below_.clear(), packs_.clear();
  std::vector<public_key> keys;
  try {
    keys = read_public_keys(options_.keys);
  } catch (const error& e) { say("keys", e.message() + "; no pack is mounted"); }
  for (const pack_source& from : options_.packs) {
    const std::string name = "pack " + from.name();
    pack_info info;
    try {
      pack p = pack::open(from, options_.keys.empty() ? nullptr : &keys);
      for (const std::string& remark : p.remarks) say("remark " + from.path, name + ": " + remark);
      info = p.info;
      below_.push_back({name, std::move(p.rows), {}});
    } catch (const error& e) {
      info.name = from.name(), info.path = from.path, info.trouble = e.message();
      say("mounting " + from.path, "the pack " + (from.path.empty() ? "in memory" : from.path) + " is not used: " +
                                       e.message() + (e.hint().empty() ? "" : " (" + e.hint() + ")"));
    }
    packs_.push_back(std::move(info));
  }
}

void layered_store::set_bound() {
  if (options_.most_bytes > 0) return void(bound_ = options_.most_bytes);
  const std::string text = environment("GLASS_CACHE_SIZE");
  if (text.empty()) return;
  if (const auto n = bytes_in(text); n && *n > 0)
    bound_ = *n;
  else
    say("size", "GLASS_CACHE_SIZE=" + text + " is no size; write for example 500M or 2G; it is " +
                    std::to_string(bound_ >> 20) + "M");
}

layer& layered_store::memory() {
  if (!memory_) memory_ = std::make_unique<layer>(":memory:", database::mode::read_write);
  return *memory_;
}

void layered_store::say(const std::string& cause, const std::string& line) {
  to_say_.emplace_back("store: " + cause, "cache: " + line);
}
void layered_store::say_aside(const std::string& to) {
  say("aside", "the cache was damaged; it lies now at " + to + " and a new one was begun");
}

// Sets a malformed file aside and opens a new one; a few times at most, for a disk that damages whatever is written does
// not end.
bool layered_store::begin_anew() {
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

bool layered_store::look_again() {
  overlay_.reset();
  open();
  return overlay_ != nullptr;
}

void layered_store::heal(const damaged_row& d) {
  ++healed_;
  tally_.add(&cache_counts::healed);
  say("damaged " + d.table,
      "the stored " + d.table + " " + d.key.substr(0, 12) + " is damaged (" + d.why + ") and is made again");
  if (d.table == "image")
    forget_image(d.key);
  else
    to_overlay(
        [&](layer& l) { d.table == "decision" ? l.drop_decision(d.key) : l.drop_candidate(d.key, d.placement); });
}

void layered_store::note(mounted& m, const damaged_row& d) {
  ++healed_;
  say("row of " + m.name, m.name + ": its " + d.table + " " + d.key.substr(0, 12) + " is not used: " + d.why +
                              "; 'glass cache verify' lists all");
  if (d.table == "image") m.damaged.insert(d.key);
}

void layered_store::failed(const mounted& m, const database_error& e) {
  say("reading " + m.name, m.name + ": " + e.what() + "; going on with the other layers");
}

// ---- what people ask

cache_stats layered_store::stats() {
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
  all.most_bytes = bound_;
  guarded([&](layer& l) {
    tally_.write(l, 0);
    l.add_to(all);
  });
  if (memory_) memory_->add_to(all);
  all.packs = packs_;
  return all;
}

std::vector<cache_entry> layered_store::list() {
  const hold held(*this);
  std::vector<cache_entry> all;
  const auto add = [&](layer& l, const std::string& name) {
    for (cache_entry& e : l.list()) {
      e.layer = name;
      all.push_back(std::move(e));
    }
  };
  guarded([&](layer& l) { add(l, "overlay"); });
  if (memory_) add(*memory_, "memory");
  for (mounted& m : below_) {
    try {
      add(*m.rows, m.name);
    } catch (const database_error& e) { failed(m, e); }
  }
  return all;
}

std::string layered_store::show(const std::string& id) {
  const hold held(*this);
  std::string all;
  const auto add = [&](const std::string& text, const std::string& name) {
    if (!text.empty()) all += "layer: " + name + "\n" + text;
  };
  if (memory_) add(memory_->show(id), "memory");
  guarded([&](layer& l) { add(l.show(id), "overlay"); });
  for (mounted& m : below_) {
    try {
      add(m.rows->show(id), m.name);
    } catch (const database_error& e) { failed(m, e); }
  }
  return all;
}

// What a person asked for is an error when it cannot be done.
template <class F>
void layered_store::upkeep(const char* what, F f) {
  if (overlay_ && !to_overlay(f)) throw error(errc::store, stage::store, std::string(what) + ": " + trouble_);
  if (memory_) f(*memory_);
}

std::int64_t layered_store::gc(std::int64_t largest, std::int64_t unused_since) {
  const hold held(*this);
  std::int64_t freed = 0;
  upkeep("gc", [&](layer& l) {
    const std::int64_t before = l.file_bytes();
    tally_.add(&cache_counts::evicted, l.drop_unused(unused_since));
    for (int dropped = 1; dropped > 0; tally_.add(&cache_counts::evicted, dropped))
      dropped = l.evict(largest, std::int64_t(64) << 20);  // others get their turns
    l.shrink();
    freed += before - l.file_bytes();
  });
  return freed;
}

void layered_store::zero_counts() {
  const hold held(*this);
  tally_ = {};
  upkeep("stats --zero", [](layer& l) { l.zero_counts(); });
}

void layered_store::clear() {
  const hold held(*this);
  upkeep("clear", [](layer& l) {
    l.clear();
    l.shrink();
  });
}

// ---- store

std::string pack_source::name() const { return path.empty() ? "flat" : std::filesystem::path(path).stem().string(); }

// Packs are opened again after a fork, when the working directory may be another and a key's file gone.
static void settle(store_options& o) {
  for (pack_source& p : o.packs) {
    std::error_code failed;
    const auto absolute = std::filesystem::absolute(p.path, failed);
    if (!p.path.empty() && !failed) p.path = absolute.lexically_normal().string();
  }
  std::vector<std::string> keys;
  for (const std::string& given : o.keys) {
    try {
      for (const public_key& k : read_public_keys({given})) keys.push_back(k.line());
    } catch (const error&) { keys.push_back(given); }  // said when it is mounted
  }
  o.keys = std::move(keys);
}

std::unique_ptr<store> store::open(const store_options& asked, std::shared_ptr<warner> warn) {
  if (!warn) warn = std::make_shared<warner>();
  store_options o = asked;
  settle(o);
  if (o.folder == "memory" || o.folder.empty()) {
    o.folder.clear();
    return std::make_unique<layered_store>(
        std::move(o), "memory only: asked for, or none of GLASS_CACHE, XDG_CACHE_HOME and HOME is set",
        std::move(warn));
  }
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(o.folder, failed);
  if (!failed) o.folder = absolute.lexically_normal().string();
  return std::make_unique<layered_store>(std::move(o), "", std::move(warn));
}

std::unique_ptr<store> store::open(const std::string& folder, std::shared_ptr<warner> warn) {
  return open(store_options{folder, {}, {}, 0}, std::move(warn));
}

store_options store::from_environment() {
  store_options o;
  o.folder = default_folder();
  for (std::string& path : split(environment("GLASS_PACKS"), ':')) o.packs.emplace_back(std::move(path));
  o.keys = split(environment("GLASS_PACK_KEYS"), ':');
  return o;
}

std::string store::default_folder() {
  if (const std::string own = environment("GLASS_CACHE"); !own.empty()) return own;
  if (const std::string xdg = environment("XDG_CACHE_HOME"); xdg.starts_with('/')) return xdg + "/glass";
  if (const std::string home = environment("HOME"); home.starts_with('/')) return home + "/.cache/glass";
  return "memory";
}

}  // namespace glass::jit
