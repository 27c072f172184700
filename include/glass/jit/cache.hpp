// The cache as a user sees it: where it is, what is in it, how to make it smaller; and packs, the files that a robot is
// shipped with. The rules are in cache/README.md.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace glass::jit {

// A pack to mount: a file, or the bytes of one that lie in memory already (a robot without a file system). The bytes are
// not copied: they must stay as they are for as long as the runtime lives.
struct pack_source {
  std::string path;  // empty: `data`
  const void* data = nullptr;
  std::size_t size = 0;

  pack_source(std::string file) : path(std::move(file)) {}
  pack_source(const char* file) : path(file) {}
  pack_source(const void* bytes, std::size_t count) : data(bytes), size(count) {}
  std::string name() const;  // the file's name without folder and extension; "flat" for bytes
};

// What a pack says of itself.
struct pack_info {
  std::string name, path;
  std::string content;               // the manifest hash: equal for equal rows, whenever and by whom they were packed
  std::string made, made_by, glass;  // when (ISO 8601, UTC), user@host, version
  std::vector<std::string> targets;  // of the images: "sm_90"
  std::vector<std::string> devices;  // on which was measured: fingerprint, power class, driver
  std::string signer;                // "SHA256:…" as ssh-keygen -l prints it; empty: not signed
  std::int64_t decisions = 0, images = 0, candidates = 0, bytes = 0;
  std::string trouble;  // empty, or why it is not mounted
};

struct cache_stats {
  std::string location;    // file, or "memory" with the reason in `trouble`
  std::string trouble;     // empty, or why the overlay is not used
  std::int64_t bytes = 0;  // of the file
  std::int64_t image_bytes = 0;
  std::int64_t images = 0, decisions = 0, samples = 0, failed_candidates = 0;
  std::int64_t schema = 0;
  std::vector<pack_info> packs;  // mounted, in order; not part of the numbers above
};

struct cache_entry {
  std::string id;       // first 12 hex digits of the key
  std::string what;     // "decision" or "image"
  std::string problem;  // "posv N=12 NRHS=1 f32 batch=16384"
  std::string placement;
  std::string device;  // fingerprint or target
  std::string layer;   // "overlay", "memory", "pack NAME", "shipped"
  double ns_per_problem = 0, default_ns = 0;
  std::int64_t samples = 0, bytes = 0;
  std::string created, last_used;  // ISO 8601, UTC
};

}  // namespace glass::jit
