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

// What happened at a cache, over all processes that used it. A process counts in memory and adds when it ends, or beside
// something else that it stores; one that is killed before that is missing.
struct cache_counts {
  std::int64_t decision_hits = 0, decision_misses = 0;  // a miss: tuned, or served by a lower tier
  std::int64_t image_hits = 0, image_misses = 0;
  std::int64_t compiles = 0, compile_milliseconds = 0;
  std::int64_t tuned = 0;  // problems
  std::int64_t failed_candidates = 0;
  std::int64_t healed = 0;   // damaged rows dropped
  std::int64_t evicted = 0;  // images dropped to stay within the size
};

struct cache_stats {
  std::string location;    // file, or "memory" with the reason in `trouble`
  std::string trouble;     // empty, or why the overlay is not used
  std::int64_t bytes = 0;  // of the file
  std::int64_t image_bytes = 0;
  std::int64_t images = 0, decisions = 0, samples = 0, failed_candidates = 0;
  std::int64_t schema = 0;
  std::int64_t most_bytes = 0;       // the bound: beyond it the images used longest ago go
  std::string since;                 // day of the first count, or of the first after `glass cache stats --zero`
  cache_counts total, month, today;  // month: the last 30 days
  std::vector<pack_info> packs;      // mounted, in order; not part of the numbers above
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

// ---- packs: made on the bench, mounted on the robot. The same as `glass cache export`, merge, import, … A "cache" is a
// folder as GLASS_CACHE names it, or a pack. All throw glass::jit::error: errc::io for files, errc::store for packs that
// may not be used, errc::invalid_argument for keys and problems that cannot be understood.

struct export_options {
  std::vector<std::string> targets = {};  // of the images, e.g. "sm_90", "sm_87"; empty: all there are
  std::string manifest = {};              // a JSON file of problems, as for `glass tune`: only these; empty: all
  std::string key = {};  // signs: an OpenSSH private key (an agent's by its .pub), or a raw key made by make_pack_key
};

struct pack_report {
  pack_info pack;
  std::vector<std::string> notes;  // a line for each thing that was left out or is missing
};

// Packs what a cache has decided: each decision with its samples, the images of its winner, its runner-up and the default
// placement, and those that were compiled without tuning. The file at `pack` is replaced as a whole or not at all. Equal
// rows give an equal pack.content.
pack_report export_pack(const std::string& cache, const std::string& pack, const export_options& = {});

// One pack of several caches. Of two decisions of one problem the faster is taken where their times lie on different
// rungs of a ladder of 5 % steps, else the newer: so the result does not depend on the order of `caches`, nor on how they
// were merged before.
pack_report merge_packs(const std::string& pack, const std::vector<std::string>& caches, const std::string& key = {});

struct import_report {
  std::int64_t decisions = 0, images = 0;  // taken
  std::int64_t kept = 0;                   // decisions of the cache that were as good, or better by the rule of merge
  std::vector<std::string> notes;          // a line for each decision taken, and for what could not be
};
// Copies the rows of a pack into a cache folder, from where they are used like measurements of this machine. `keys` as
// runtime_options::pack_keys.
import_report import_pack(const pack_source&, const std::string& cache, const std::vector<std::string>& keys = {});

struct pack_difference {
  std::string what, id, problem;  // "decision" or "image"; of an image: operation and placement
  std::string left, right;        // what each says: placement and time; empty where it is missing
};
std::vector<pack_difference> diff_packs(const std::string& left, const std::string& right);

struct pack_check {
  pack_info pack;
  std::vector<std::string> faults;  // a sentence each, with the row's table and key; none: it is sound
};
// Reads and compares everything. With `keys` it must be signed by one of them.
pack_check verify_pack(const pack_source&, const std::vector<std::string>& keys = {});

// Puts a signature on a pack, in place of the one it has. The pack must be sound.
pack_info sign_pack(const std::string& pack, const std::string& key);

// Makes a raw Ed25519 key: `file` (mode 0600) and `file`.pub, whose line it returns.
std::string make_pack_key(const std::string& file);

}  // namespace glass::jit
