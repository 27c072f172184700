// The cache as a user sees it: where it is, what is in it, how to make it smaller. The rules are in cache/README.md.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace glass::jit {

struct cache_stats {
  std::string location;    // file, or "memory" with the reason in `trouble`
  std::string trouble;     // empty, or why the overlay is not used
  std::int64_t bytes = 0;  // of the file
  std::int64_t image_bytes = 0;
  std::int64_t images = 0, decisions = 0, samples = 0, failed_candidates = 0;
  std::int64_t schema = 0;
};

struct cache_entry {
  std::string id;       // first 12 hex digits of the key
  std::string what;     // "decision" or "image"
  std::string problem;  // "posv N=12 NRHS=1 f32 batch=16384"
  std::string placement;
  std::string device;  // fingerprint or target
  double ns_per_problem = 0, default_ns = 0;
  std::int64_t samples = 0, bytes = 0;
  std::string created, last_used;  // ISO 8601, UTC
};

}  // namespace glass::jit
