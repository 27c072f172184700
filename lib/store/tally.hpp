// What happened to this store since it was last written down: counted in memory, kept by day in the overlay's table
// `counter` when something else is written, at the end of the store and at the end of the process. Losing some of it is
// no fault.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "glass/jit/cache.hpp"

namespace glass::jit {

class layer;

// The fields of cache_counts by the names under which they are kept.
inline constexpr std::pair<std::string_view, std::int64_t cache_counts::*> count_names[] = {
    {"decision hit", &cache_counts::decision_hits},
    {"decision miss", &cache_counts::decision_misses},
    {"image hit", &cache_counts::image_hits},
    {"image miss", &cache_counts::image_misses},
    {"compile", &cache_counts::compiles},
    {"compile ms", &cache_counts::compile_milliseconds},
    {"tuned", &cache_counts::tuned},
    {"candidate failed", &cache_counts::failed_candidates},
    {"healed", &cache_counts::healed},
    {"evicted", &cache_counts::evicted}};

class tally {
 public:
  void add(std::int64_t cache_counts::*what, std::int64_t n = 1) {
    since_.*what += n;
    empty_ = empty_ && n == 0;
  }
  // A key that is asked for again is the same miss.
  void add_miss(std::int64_t cache_counts::*what, const std::string& key) {
    if (missed_.insert(key).second) add(what);
  }
  // Writes and forgets what there is, at most every `pause` seconds; when another process is writing, it waits for the
  // next time.
  void write(layer&, double pause);
  const cache_counts& pending() const { return since_; }

 private:
  cache_counts since_;
  bool empty_ = true;
  double written_ = 0;  // when, on the monotonic clock
  std::set<std::string> missed_;
};

}  // namespace glass::jit
