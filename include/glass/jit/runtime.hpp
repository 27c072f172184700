// The runtime: finds the decision, gets the image, hands out the kernel. One per device; thread-safe.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "glass/jit/cache.hpp"
#include "glass/jit/device.hpp"
#include "glass/jit/event.hpp"
#include "glass/jit/kernel.hpp"
#include "glass/jit/problem.hpp"
#include "glass/jit/tuning.hpp"

namespace glass::jit {

class runtime;
runtime& default_runtime();

// What is empty takes the environment (GLASS_DEVICE, GLASS_CACHE, GLASS_CACHE_SIZE, GLASS_PACKS, GLASS_PACK_KEYS,
// GLASS_TUNE, GLASS_RECORD, GLASS_LOG), then the defaults. The callbacks are called from any thread, the runtime's own
// included; they must not call the runtime, and what they throw is dropped.
struct runtime_options {
  std::string device = {};  // "cuda:0", "host"; default: the first CUDA device, else the host
  std::string cache = {};   // a folder; "memory": keep nothing; default: $XDG_CACHE_HOME/glass, else ~/.cache/glass
  // The cache's size in bytes, beyond which the images used longest ago go; default: GLASS_CACHE_SIZE ("500M"), else 2 GiB.
  std::int64_t cache_bytes = 0;
  // Packs, mounted read-only below the cache, the first one first. Each is a path, or the bytes of one in memory.
  std::vector<pack_source> packs = {};
  // Public keys of Ed25519, or files of them. When there are any, a pack must be signed by one of them, or it is not used.
  std::vector<std::string> pack_keys = {};
  tuning_options tuning;
  bool tuning_from_environment = true;  // GLASS_TUNE overrides tuning.mode
  std::function<void(const std::string&)> warning =
      {};  // one line per cause; default: the log (GLASS_LOG, else stderr at level warn)
  // Mode `frozen`: a problem had no decision of its own, or could not be served. Once per problem; default: a warning.
  std::function<void(const std::string& problem, const std::string& reason)> alarm = {};
  std::function<void(const jit::event&)> event = {};
  // A manifest file to which every problem asked for is added, for `glass tune FILE` and preload(FILE). Programs may
  // share one: each adds to what is there. FILE.lock beside it keeps them apart.
  std::string record = {};
};

// What this runtime did so far.
struct counters {
  std::int64_t hits = 0;         // kernels served from decisions in the cache, of whatever tier
  std::int64_t misses = 0;       // measured, or chosen by the model or by default
  std::int64_t by_tier[7] = {};  // kernels handed out first by this tier; index: int(tier)
  std::int64_t compiles = 0;
  std::int64_t images_from_cache = 0;
  std::int64_t loads = 0;
  std::int64_t tuned = 0;  // problems tuned
  std::int64_t candidates_measured = 0, candidates_failed = 0;
  std::int64_t candidates_skipped = 0;  // of the failed ones: a process ended while they ran
  std::int64_t tuning_launches = 0;
  std::int64_t healed = 0;      // damaged records dropped and made again
  std::int64_t alarms = 0;      // problems for which the alarm went off
  std::int64_t swaps = 0;       // kernels whose code the background exchanged
  std::int64_t background = 0;  // problems that the background has still to do
  double compile_seconds = 0;
  double startup_seconds = 0;  // from construction to the first kernel ready
};

// What preload() readied.
struct preload_report {
  struct entry {
    std::string problem, placement;
    jit::tier tier = jit::tier::fallback;
    std::string layer;      // of the cache that the decision came from
    bool compiled = false;  // here and now: the image was in no layer
    std::string error;      // empty: a kernel is ready
  };
  std::vector<entry> problems;
  bool ready() const;        // every problem has a kernel
  std::string text() const;  // a line for each
};

class backend;

class runtime {
 public:
  runtime();
  explicit runtime(const runtime_options&);
  runtime(std::shared_ptr<backend>, const runtime_options&);  // a device of one's own, e.g. a scripted one
  ~runtime();
  runtime(runtime&&) noexcept;
  runtime& operator=(runtime&&) noexcept;

  // A built-in operation for one problem. Tunes it first if nothing is known and tuning is allowed.
  kernel operation(const std::string& name, const problem&);
  kernel operation(const std::string& name, const problem&, const placement& named);
  // A user's own kernel: compiled, tuned and cached exactly like a built-in.
  kernel compile(const operation_description&, const problem&);
  kernel compile(const operation_description&, const problem&, const placement& named);

  // Readies every problem of a manifest (a file's name, or the JSON itself) as `operation` and `compile` would in this
  // mode; kernels and decisions then stay in memory, and asking for one of them touches no cache. A problem that cannot
  // be served is an entry with an error; a manifest that cannot be read is thrown.
  preload_report preload(const std::string& manifest);
  // From now on as in mode `frozen`: background work is dropped, nothing is compiled or measured any more.
  void freeze();
  // The problems this runtime was asked for, as a manifest: `glass tune` and preload read it. Users' kernels carry
  // their text. (An operand's own filling function is code and cannot be kept: tuning then fills by kind.)
  std::string manifest() const;
  // Waits until the background has nothing left to do. Returns at once in the other modes.
  void finish_background();

  const device_description& device() const;
  jit::counters counters() const;
  cache_stats cache() const;

  // Device memory for programs that have no other source of it. Freed by the deleter; zero bytes give null. Copies wait,
  // as those of the CUDA runtime do, for what was launched on the default stream and the streams that it waits for.
  //
  // While a stream is being captured: `operation`, `compile`, `preload` and `allocate` may be called, from the capturing
  // thread too, and leave the capture whole; upload, download and synchronize throw errc::refused where they would have
  // to wait for a captured stream (synchronize breaks the capture all the same, as cudaDeviceSynchronize does).
  std::shared_ptr<void> allocate(std::size_t bytes);
  void upload(void* to_device, const void* from, std::size_t bytes);
  void download(void* to, const void* from_device, std::size_t bytes);
  void synchronize();
  template <class T>
  std::shared_ptr<T> array(const std::vector<T>& values) {
    auto p = std::static_pointer_cast<T>(allocate(values.size() * sizeof(T)));
    upload(p.get(), values.data(), values.size() * sizeof(T));
    return p;
  }
  template <class T>
  std::shared_ptr<T> array(std::size_t n) {
    return std::static_pointer_cast<T>(allocate(n * sizeof(T)));
  }
  template <class T>
  std::vector<T> values(const std::shared_ptr<T>& p, std::size_t n) {
    std::vector<T> v(n);
    download(v.data(), p.get(), n * sizeof(T));
    return v;
  }

 private:
  friend runtime& default_runtime();
  kernel get(const operation_description&, const problem&, bool built_in, const placement* named);
  struct implementation;
  std::unique_ptr<implementation> self_;
};

// The runtime that `compile` uses; made on first use from the environment.
runtime& default_runtime();
kernel compile(const operation_description&, const problem&);

// The catalog's built-in operations, for listing.
const std::vector<operation_description>& operations();
const operation_description& find_operation(const std::string& name);  // throws errc::unknown_name with the nearest

}  // namespace glass::jit
