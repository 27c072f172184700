// Bytes and rows: the SQLite cache of this machine (the overlay), and memory under it when there is none. Knows no
// compiler and no device. A store never fails for damage, a full disk or missing rights: one warning per cause, and it
// goes on with what it can (at worst in memory). Below them, read-only: packs in the order in which they are mounted.
// Thread-safe. No transaction stays open between calls.
//
// A row is looked for in memory, the overlay, the packs (the first mounted first) and what is shipped with glass; the
// first layer that has it wins. A decision that was marked as no longer usable hides only the same verdict (placement
// and image) of the layers below. Nothing of a lower layer is copied into the overlay but such a mark.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "glass/jit/cache.hpp"
#include "../base/log.hpp"

namespace glass::jit {

struct image_row {
  std::string key, material;  // hash and what was hashed: compared on a hit
  std::string backend, compiler, target, name, label;
  std::vector<unsigned char> bytes;  // length and hash are kept and checked
  double compile_seconds = 0;
  std::string family;        // hash of the material without the compiler
  std::int64_t created = 0;  // seconds since 1970; 0 when put: now
  std::string layer;         // found in: "overlay", "memory", "pack NAME", "shipped"; not stored
};

struct decision_row {
  std::string key, material;
  // What the nearby tiers look through, as text (catalog.hpp, device.hpp).
  std::string identity, sizes, type, options, measure;
  int batch_class = 1;
  std::string backend, target, fingerprint, power_class, candidate_set;
  // The verdict and its evidence.
  std::string placement, image_key;
  std::string runner_up;          // used when the winner no longer compiles, loads or launches
  double ns = 0, default_ns = 0;  // per problem, medians
  int samples = 0;                // of the winner
  bool complete = false;          // all candidates the budget named were measured
  std::string state;              // "" good; else why it may not be used ("winner no longer loads: …")
  std::string driver, compiler, created;
  std::string layer;  // found in: "overlay", "memory", "pack NAME", "shipped"; not stored
};

// For a kernel without a runtime: which of two ways to measure the same problem says more, 0 the most. Launches as
// programs make them, but of one problem in a graph: else the launch hides what the kernel takes.
inline int rank_of_measure(const decision_row& d) {
  const std::string best = d.batch_class == 1 ? "graph" : "throughput";
  return d.measure == best ? 0 : d.measure == "latency" ? 2 : 1;
}

struct candidate_row {
  std::string decision_key, placement;
  std::string state;  // running, timing, ok, wrong, failed, hang, killed (tune/journal.hpp)
  std::string reason;
  std::vector<double> ns;  // samples, per problem
  double compile_seconds = 0;
  std::string image_key;
};

struct store_options {
  std::string folder;              // where cache.sqlite lives; "memory": nothing is kept
  std::vector<pack_source> packs;  // read-only layers, the first mounted first
  std::vector<std::string> keys;   // public keys, or files of them; when given, only packs signed by one are mounted
  std::int64_t most_bytes = 0;     // of the overlay; 0: GLASS_CACHE_SIZE, else 2 GiB
};

class store {
 public:
  // `folder`: where cache.sqlite lives; "memory" or an unusable place: nothing is kept. Never throws.
  static std::unique_ptr<store> open(const store_options&, std::shared_ptr<warner>);
  static std::unique_ptr<store> open(const std::string& folder, std::shared_ptr<warner>);  // without packs
  static store_options from_environment();  // default_folder, GLASS_PACKS, GLASS_PACK_KEYS
  // $GLASS_CACHE, else $XDG_CACHE_HOME/glass, else ~/.cache/glass, else "memory".
  static std::string default_folder();
  virtual ~store() = default;

  // Images. find: only with equal material, right length and hash; a damaged row is dropped, counted, warned about, and
  // not found.
  virtual std::optional<image_row> find_image(const std::string& key, const std::string& material) = 0;
  // The images of one family, layer by layer, newest first in each, by position: for a machine without a compiler.
  virtual std::optional<image_row> find_family(const std::string& family, std::size_t nth) = 0;
  virtual void put_image(const image_row&) = 0;
  virtual void drop_image(const std::string& key, const std::string& why) = 0;

  // Decisions.
  virtual std::optional<decision_row> find_decision(const std::string& key, const std::string& material) = 0;
  // All usable decisions of one operation (identity, type, options, measure equal), any sizes, batch, device; for the
  // nearby tiers.
  virtual std::vector<decision_row> find_related(const std::string& identity, const std::string& type,
                                                 const std::string& options, const std::string& measure) = 0;
  virtual void put_decision(const decision_row&) = 0;
  virtual void mark_decision(const std::string& key, const std::string& state) = 0;

  // Candidates of a decision: one row each, replaced on put. A row is put as "running" before the candidate runs.
  virtual std::vector<candidate_row> candidates(const std::string& decision_key) = 0;
  virtual void put_candidate(const candidate_row&) = 0;

  // Upkeep.
  virtual cache_stats stats() = 0;
  virtual std::vector<cache_entry> list() = 0;
  // One entry by (the start of) its key, with everything kept about it, as text lines "name: value"; empty when there
  // is none.
  virtual std::string show(const std::string& id) = 0;
  // Drops images last used before a time (seconds since 1970), then the least recently used beyond a size; returns the
  // bytes freed.
  virtual std::int64_t gc(std::int64_t largest_bytes, std::int64_t unused_since = 0) = 0;
  virtual void zero_counts() = 0;
  virtual void clear() = 0;
  virtual std::string lock_file() const = 0;  // for single flight between processes; "" in memory
  virtual std::int64_t healed() const = 0;    // rows dropped as damaged by this object
  virtual bool persistent() const = 0;
};

}  // namespace glass::jit
