// A device that can compile, load, launch and time. The only inheritance in the library; cuda, host and the tests'
// fakes implement it. Thread-safe: every member may be called from any thread; compile() calls really run at the same
// time.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "glass/jit/device.hpp"
#include "glass/jit/error.hpp"
#include "glass/jit/problem.hpp"

struct CUstream_st;

namespace glass::jit {

// A function of a library that the text of a source calls by its symbol: generated for these sizes, and linked in.
struct library_function {
  std::string library;     // "cusolverdx", "cublasdx"
  std::string name;        // as the library calls it: "posv"
  std::string symbol;      // as the text does
  std::vector<int> sizes;  // as the library counts them: M, N, K
  scalar_type type = scalar_type::f32;
  int threads = 0, batches = 1;                     // of the block that calls it
  bool upper = false, right = false, unit = false;  // the triangle, its side, its diagonal
  bool transposed = false, transposed_b = false;    // A, and B of a product
  int workspace = 0;                                // numbers that the text has for it to work in

  std::string text() const;  // canonical: part of the image key, and for messages
};
// One translation unit that defines `glass_entry`, and glass_entry_1 … for further stages (kernels_src/batch.cuh).
// Includes of <glass/…> and <kernels_src/batch.cuh> are served from the embedded header set (lib/base/headers.hpp).
struct source {
  std::string text;
  std::string name;                  // of the operation, for messages: "lm_step"
  std::string label;                 // placement text, for messages
  std::vector<std::string> options;  // extra compiler options, in order; canonical: part of the image key
  std::vector<library_function> functions = {};
  bool cub = false;  // includes the headers of CUB, from CCCL as it is found on the machine
  bool is_plain() const { return functions.empty() && !cub; }  // of the compiler and glass alone
};

struct block_shape {
  int threads = 0, batches = 0;  // problems
};

struct image {
  std::vector<unsigned char> bytes;  // cubin; on the host an ELF shared object
  double compile_seconds = 0;
  std::string log;  // compiler warnings, may be empty
};

struct launch_shape {
  unsigned blocks = 0;           // ceil(count / pack)
  unsigned threads = 0;          // of a block: width * pack. Host, thread scope: problems per task of the pool
  std::size_t shared_bytes = 0;  // dynamic
  long long count = 0;           // problems
  unsigned stages = 1;           // kernels, launched one after the other: glass_entry, glass_entry_1 …
};

struct usage {  // of a loaded image, per thread and block; zeros on the host
  int registers = 0, local_bytes = 0, static_shared_bytes = 0, max_threads = 1024;
};

// Immutable; the destructor unloads.
class loaded_image {
 public:
  virtual ~loaded_image() = default;
  virtual jit::usage usage() const noexcept = 0;
  // `arguments` is the glass::batch::arguments struct of the launch, copied before return.
  virtual status launch(CUstream_st* stream, const launch_shape&, const void* arguments,
                        std::size_t bytes) const noexcept = 0;
};

struct timing {
  jit::status status;      // hang: the deadline passed; launch_failed, device_lost
  double seconds = 0;      // per launch
  bool disturbed = false;  // clock or throttle state changed: discard the round
};

class backend {
 public:
  virtual ~backend() = default;
  virtual const device_description& device() const noexcept = 0;

  // Compiler identity and full version ("nvrtc 13.0.88", the host compiler's banner and ISA flags); part of every image
  // key. Throws errc::no_compiler (says what to install) or compiler_too_old.
  virtual std::string compiler() = 0;
  // The same for a source that calls functions of libraries: with those that they come from, as they are part of its
  // key too. Throws also errc::no_compiler for a library that is not there or does not suit.
  virtual std::string compiler_of(const source& s) {
    if (s.cub) throw error(errc::no_compiler, stage::compile, "CUB is for NVIDIA GPUs.");
    return compiler();
  }
  // The block that the library suggests for such a function (whose threads and batches are left open). Throws as
  // compiler_of, and errc::compile_failed where the library does not have the function.
  virtual block_shape suggested_block(const library_function& f) {
    throw error(errc::no_compiler, stage::compile, f.library + " is for NVIDIA GPUs.");
  }
  virtual image compile(const source&) = 0;  // throws errc::compile_failed with the raw compiler log in error::log()
  // Options for source::options with which compile() takes less time and makes slower code; none: there is no such way.
  virtual std::vector<std::string> quick_options() { return {}; }
  virtual int compile_slots() const = 0;  // how many compiles at once are sensible (cores, memory)
  virtual bool plausible(
      const std::vector<unsigned char>& bytes) const = 0;  // header, length, machine and target fit this device
  // Loads, opts in to `shape.shared_bytes`, and launches once with count 0 so that nothing lazy is left. Throws
  // errc::load_failed, too_large.
  virtual std::shared_ptr<const loaded_image> load(const std::vector<unsigned char>& bytes,
                                                   const launch_shape& largest) = 0;

  virtual void* allocate(std::size_t bytes) = 0;  // throws errc::out_of_memory; 0 bytes: nullptr
  virtual void free(void*) noexcept = 0;
  // Both wait for nothing but what they copy: run() and time() have ended by themselves, launches of the caller's are
  // what settle() is for.
  virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
  virtual void download(void* to, const void* from, std::size_t bytes) = 0;
  // Waits for what was launched on the default stream and the streams that it waits for. Throws errc::refused while one
  // of those is being captured.
  virtual void settle() {}
  virtual void synchronize() = 0;  // throws errc::device_lost
  virtual std::size_t free_bytes() = 0;

  // Runs one launch and waits for it, at most `deadline_seconds`.
  virtual status run(const loaded_image&, const launch_shape&, const void* arguments, std::size_t bytes,
                     double deadline_seconds) = 0;
  // One sample: throughput = `launches` back to back; graph = the same in a graph; latency = one launch and wait,
  // `launches` times.
  virtual timing time(const loaded_image&, const launch_shape&, const void* arguments, std::size_t bytes, measure,
                      int launches, double deadline_seconds) = 0;
};

// "cuda:N" or "host". Throws errc::no_driver, no_device with what to install or choose.
std::shared_ptr<backend> open_backend(const std::string& id);
// The first CUDA device, else the host.
std::shared_ptr<backend> open_default_backend();

}  // namespace glass::jit
