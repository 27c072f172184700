// The layers put together: memory over the overlay over read-only ones. A row lives in memory only when the overlay
// could not take it. Whatever goes wrong with a layer is one warning per cause; damage in the overlay is healed by row,
// or by setting the whole file aside; a damaged row of a read-only layer is not found.
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "store/forks.hpp"
#include "store/layer.hpp"
#include "store/pack.hpp"
#include "store/place.hpp"
#include "store/shipped.hpp"
#include "store/tally.hpp"

namespace glass::jit {

class layered_store final : public store, fork_guarded {
 public:
  layered_store(store_options, std::string trouble, std::shared_ptr<warner>);
  ~layered_store() override;

  std::optional<image_row> find_image(const std::string& key, const std::string& material) override;
  std::optional<image_row> find_family(const std::string& family, std::size_t nth) override;
  void put_image(const image_row&) override;
  void drop_image(const std::string& key, const std::string& why) override;
  std::optional<decision_row> find_decision(const std::string& key, const std::string& material) override;
  std::vector<decision_row> find_related(const std::string& identity, const std::string& type,
                                         const std::string& options, const std::string& measure) override;
  void put_decision(const decision_row&) override;
  void mark_decision(const std::string& key, const std::string& state) override;
  std::vector<candidate_row> candidates(const std::string& decision_key) override;
  void put_candidate(const candidate_row&) override;

  cache_stats stats() override;
  std::vector<cache_entry> list() override;
  std::string show(const std::string& id) override;
  std::int64_t gc(std::int64_t largest_bytes, std::int64_t unused_since) override;
  void zero_counts() override;
  void clear() override;
  std::string lock_file() const override { return persistent() ? where_.lock_file() : std::string(); }
  std::int64_t healed() const override { return healed_; }
  bool persistent() const override { return persistent_; }

 private:
  // A layer that is never written, by the name that its rows carry.
  struct mounted {
    std::string name;
    std::unique_ptr<layer> rows;
    std::set<std::string> damaged;  // images that were found so
  };
  // The mutex; what is to be said is said when it is free again, for a callback may do anything.
  class hold {
   public:
    explicit hold(layered_store& s);
    ~hold();

   private:
    layered_store& s_;
    std::unique_lock<std::mutex> held_;
  };

  void before_fork() override;
  void after_fork() override { mutex_.unlock(); }
  void at_exit() override;
  void set_bound();
  void open();
  bool look_again();  // a read that failed once looks like damage too
  void mount();
  bool begin_anew();
  layer& memory();
  void say(const std::string& cause, const std::string& line);
  void say_aside(const std::string& to);
  std::optional<decision_row> best_decision(const std::string& key, const std::string& material);
  std::optional<decision_row> from_shipped(const std::string& key, const std::string& material);
  void put(const decision_row&);
  void heal(const damaged_row&);
  void note(mounted&, const damaged_row&);
  void forget_image(const std::string& key);
  void failed(const mounted&, const database_error&);
  template <class F>
  void upkeep(const char* what, F);

  // Runs `f` on the overlay; false (and one warning) when that fails.
  template <class F>
  bool guarded(F f) {
    for (int attempt = 0; overlay_ && attempt < 3; ++attempt) {
      try {
        f(*overlay_);
        return true;
      } catch (const database_error& e) {
        if (e.damaged() && (attempt == 0 ? look_again() : attempt == 1 && begin_anew())) continue;
        trouble_ = e.what();
        say("overlay", where_.file() + ": " + e.what() + "; going on in memory");
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
  auto from_overlay(F find) -> decltype(find(std::declval<layer&>())) {
    decltype(find(std::declval<layer&>())) row;
    guarded([&](layer& l) {
      try {
        row = find(l);
      } catch (const damaged_row& d) { heal(d); }
    });
    return named(std::move(row), "overlay");
  }
  template <class F>
  auto from_memory(F find) -> decltype(find(std::declval<layer&>())) {
    if (!memory_) return {};
    try {
      return named(find(*memory_), "memory");
    } catch (const damaged_row& d) { heal(d); }
    return {};
  }
  template <class F>
  auto from(mounted& m, F find) -> decltype(find(std::declval<layer&>())) {
    try {
      return named(find(*m.rows), m.name);
    } catch (const damaged_row& d) { note(m, d); } catch (const database_error& e) {
      failed(m, e);
    }
    return {};
  }
  template <class Row>
  static std::optional<Row> named(std::optional<Row> row, const std::string& layer) {
    if (row) row->layer = layer;
    return row;
  }
  // Asks memory, the overlay and the layers below in turn, until `found` is content with a row.
  template <class F, class Found>
  void from_each(F find, Found found) {
    if (found(from_memory(find)) || found(from_overlay(find))) return;
    for (mounted& m : below_)
      if (found(from(m, find))) return;
  }
  // Rows of all layers; of those of one name the highest. `find` lists the damaged ones.
  template <class Row, class F, class Name>
  std::vector<Row> merged(F find, Name name, std::set<std::string> hidden = {});

  const store_options options_;
  const place where_;
  std::mutex mutex_;
  std::unique_ptr<layer> overlay_, memory_;
  std::vector<mounted> below_;    // packs in the order in which they were mounted
  std::vector<pack_info> packs_;  // those that were to be mounted
  const std::vector<shipped_file>& shipped_;
  std::map<std::string, std::string> shipped_material_;  // of those that were asked for, by key
  file_identity file_;                                   // of the overlay
  std::int64_t bound_ = std::int64_t(2) << 30;  // bytes of the overlay; beyond it the images used longest ago go
  tally tally_;
  std::string trouble_;
  std::set<std::string> dropped_images_;  // that a layer which cannot be written still holds
  std::vector<std::pair<std::string, std::string>> to_say_;
  bool parked_ = false;  // closed for a fork
  int begun_anew_ = 0;
  const std::shared_ptr<warner> warn_;
  std::atomic<bool> persistent_{false};
  std::atomic<std::int64_t> healed_{0};
};

}  // namespace glass::jit
