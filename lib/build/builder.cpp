// memory -> store -> compiler, one compile per key in this process (the others wait for it) and across processes (a
// lock that the kernel releases when its holder dies).
#include <algorithm>
#include <condition_variable>
#include <exception>
#include <optional>
#include <sys/resource.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "base/range.hpp"
#include "base/text.hpp"
#include "build/assemble.hpp"
#include "build/explain.hpp"
#include "build/key.hpp"
#include "store/file_lock.hpp"

namespace glass::jit {

namespace {

constexpr std::size_t memory_bytes = 64u << 20;  // of images kept at hand

// The byte of the lock file that stands for a key; never the one for opening.
std::uint64_t lock_byte(const std::string& key) {
  return opening_byte + 1 + std::stoull(key.substr(0, 15), nullptr, 16);
}

struct flight {
  std::condition_variable ended;
  bool done = false;
  std::optional<built> result;
  std::optional<error> failure;
};

// A copy that shares nothing: each thread that waited throws its own.
error own(const error& e) {
  return error({e.code(), e.stage(), e.message(), e.hint(), e.attempted(), e.log(), e.versions()});
}

// The least priority there is, for the calling thread (on Linux a priority is a thread's own) and the processes it
// starts.
void give_way() noexcept { setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 19); }

}  // namespace

struct builder::implementation {
  std::shared_ptr<backend> device;
  std::shared_ptr<store> rows;
  std::shared_ptr<warner> warn;
  build_counters* counters;

  std::once_flag asked;
  std::string compiler;  // empty: none, and no_compiler says so
  std::optional<error> no_compiler;

  std::mutex mutex;
  std::map<std::string, std::shared_ptr<flight>> flights;
  std::map<std::string, std::vector<unsigned char>> memory;
  std::size_t in_memory = 0;

  const std::string& compiler_name() {
    std::call_once(asked, [this] {
      try {
        compiler = device->compiler();
      } catch (const error& e) { no_compiler = e; }
    });
    return compiler;
  }

  // The same for a source, and why there is none: the libraries whose functions it calls count as part of it.
  struct tools {
    std::string name;
    std::optional<error> none;
  };
  tools tools_for(const source& s) {
    if (s.is_plain() || compiler_name().empty()) return {compiler_name(), no_compiler};
    try {
      return {device->compiler_of(s), {}};
    } catch (const error& e) { return {{}, e}; }
  }

  std::optional<built> from_memory(const std::string& key) {
    const auto found = memory.find(key);
    if (found == memory.end()) return {};
    ++counters->from_memory;
    return built{key, found->second, false, 0};
  }
  void keep(const built& b) {
    if (in_memory + b.bytes.size() > memory_bytes) memory.clear(), in_memory = 0;
    if (memory.emplace(b.key, b.bytes).second) in_memory += b.bytes.size();
  }
  void drop(const std::string& key, const std::string& why) {
    rows->drop_image(key, why);
    const std::lock_guard hold(mutex);
    if (const auto found = memory.find(key); found != memory.end())
      in_memory -= found->second.size(), memory.erase(found);
  }

  std::optional<built> from_store(const image_key& k) {
    const auto row = rows->find_image(k.key, k.material);
    if (!row) return {};
    if (!device->plausible(row->bytes)) {
      drop(k.key, "not an image for this device");
      return {};
    }
    ++counters->from_cache;
    return built{k.key, row->bytes, false, 0};
  }

  // Where nothing can or may be compiled: the newest image that another version of the compiler made from the same
  // text.
  std::optional<built> from_family(const image_key& k) {
    for (std::size_t nth = 0; const auto row = rows->find_family(k.family, nth); ++nth) {
      if (!device->plausible(row->bytes)) continue;
      ++counters->from_cache;
      return built{row->key, row->bytes, false, 0};
    }
    return {};
  }
  built without_compiling(const image_key& k, const source& s, bool may_compile, const tools& with) {
    if (!with.name.empty())
      if (auto found = from_store(k)) return *found;
    if (auto found = from_family(k)) return *found;
    if (may_compile && with.none) throw own(*with.none);
    throw error(errc::refused, stage::compile,
                "the image of " + s.name + " (" + s.label + ") is not in the cache, and compiling is not allowed here",
                "run once in tuning mode first_use or off; then the cache has it");
  }

  built compile(const bound_problem& p, const image_key& k, const source& s, bool quick, const tools& with) {
    hint_missing_device(p);
    image made;
    const range seen("compile", p.text() + ", " + s.label);
    try {
      made = device->compile(s);
    } catch (const error& e) {
      const bool of_text = e.attempted().rfind("nvrtc", 0) == 0;  // else a library's words, or the linker's
      if (e.code() != errc::compile_failed || (!s.functions.empty() && !of_text)) throw;
      throw explain_compile_failure(e, p, s);
    }
    ++counters->compiles;
    counters->compile_seconds.fetch_add(made.compile_seconds);
    if (quick) return {k.key, std::move(made.bytes), true, made.compile_seconds, true};
    image_row row;
    row.key = k.key, row.material = k.material, row.family = k.family;
    row.backend = device->device().backend, row.target = device->device().target, row.compiler = with.name;
    row.name = s.name, row.label = s.label, row.bytes = made.bytes, row.compile_seconds = made.compile_seconds;
    rows->put_image(row);
    return {k.key, std::move(made.bytes), true, made.compile_seconds};
  }
  // In JIT text every function is a device function; nvcc asks for the word.
  void hint_missing_device(const bound_problem& p) {
    if (lacks_device(p)) (*warn)("build:device:" + p.description.name, missing_device_hint(p));
  }

  built produce(const bound_problem& p, const image_key& k, const source& s, bool quick, double waiting_seconds,
                const tools& with) {
    if (quick) return compile(p, k, s, true, with);
    if (auto found = from_store(k)) return *found;
    file_lock lock;
    if (const std::string file = rows->lock_file(); !file.empty()) {
      if (lock.take(file, lock_byte(k.key), waiting_seconds) == file_lock::outcome::timed_out)
        log(level::info, "another process compiles " + s.name + " (" + s.label + ") for too long; compiling here too");
      else if (auto found = from_store(k))
        return *found;
    }
    return compile(p, k, s, false, with);
  }
};

builder::builder(std::shared_ptr<backend> device, std::shared_ptr<store> rows, std::shared_ptr<warner> warn)
    : self_(std::make_unique<implementation>()) {
  self_->device = std::move(device), self_->rows = std::move(rows), self_->warn = std::move(warn),
  self_->counters = &counters_;
  if (!self_->warn) self_->warn = std::make_shared<warner>();
}
builder::~builder() = default;

std::string builder::compiler(const bound_problem& p, const placement& where) {
  return self_->tools_for(assemble(p, where)).name;
}

std::string builder::key(const bound_problem& p, const placement& where) {
  const source s = assemble(p, where);
  const std::string compiler = self_->tools_for(s).name;
  return compiler.empty() ? std::string() : key_of(p, where, self_->device->device(), compiler, s).key;
}

built builder::get(const bound_problem& p, const placement& where, effort most) {
  implementation& me = *self_;
  source s = assemble(p, where);
  // What takes seconds is no quick answer.
  const bool may_compile = most == effort::full || (most == effort::quick && s.is_plain());
  const std::vector<std::string> hurry =
      most == effort::quick && may_compile ? me.device->quick_options() : std::vector<std::string>{};
  s.options.insert(s.options.end(), hurry.begin(), hurry.end());
  const implementation::tools with = me.tools_for(s);
  const image_key k = key_of(p, where, me.device->device(), with.name, s);
  std::shared_ptr<flight> mine;
  {
    std::unique_lock hold(me.mutex);
    if (auto found = me.from_memory(k.key)) return found->quick = !hurry.empty(), *found;
    if (may_compile && !with.name.empty()) {
      std::shared_ptr<flight>& in_air = me.flights[k.key];
      if (const std::shared_ptr<flight> other = in_air) {
        other->ended.wait(hold, [&] { return other->done; });
        if (other->failure) throw own(*other->failure);
        ++counters_.from_memory;
        return {k.key, other->result->bytes, false, 0, !hurry.empty()};
      }
      mine = in_air = std::make_shared<flight>();
    }
  }
  if (!mine) return me.without_compiling(k, s, may_compile, with);
  try {
    mine->result = me.produce(p, k, s, !hurry.empty(), waiting_seconds, with);
    if (compiled && mine->result->compiled) compiled(p, where, *mine->result);
  } catch (const error& e) {
    mine->failure = own(e);
  } catch (const std::exception& e) {  // memory, threads or files of this process ran out
    mine->failure = error(errc::out_of_memory, stage::compile, s.name + " (" + s.label + "): " + e.what());
  }
  const std::lock_guard hold(me.mutex);
  if (mine->result) me.keep(*mine->result);
  mine->done = true;
  me.flights.erase(k.key);
  mine->ended.notify_all();
  if (mine->failure) throw own(*mine->failure);
  return *mine->result;
}

void builder::get_all(const bound_problem& p, const std::vector<placement>& all, const ended& done,
                      const std::atomic<bool>* beside) {
  std::vector<job> jobs;
  for (const placement& where : all) jobs.push_back({&p, where});
  get_all(jobs, done, beside);
}

void builder::get_all(const std::vector<job>& all, const ended& done, const std::atomic<bool>* beside) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;  // of `done` itself
  const auto work = [&] {
    for (std::size_t i; (i = next++) < all.size() && !(beside && *beside);) {
      try {
        std::optional<built> made;
        std::optional<error> wrong;
        try {
          made = get(*all[i].problem, all[i].placement);
        } catch (const error& e) { wrong = e; }
        done(i, made ? &*made : nullptr, wrong ? &*wrong : nullptr);
      } catch (...) {
        const std::lock_guard hold(mutex);
        if (!failure) failure = std::current_exception();
        next = all.size();
      }
    }
  };
  const std::size_t slots = std::min<std::size_t>(all.size(), std::size_t(std::max(1, self_->device->compile_slots())));
  std::vector<std::thread> helpers;
  // Beside other work all of them in threads of their own, for a thread cannot raise its priority again.
  const auto gently = [&] { give_way(), work(); };
  try {
    for (std::size_t i = beside ? 0 : 1; i < slots; ++i)
      beside ? helpers.emplace_back(gently) : helpers.emplace_back(work);
  } catch (const std::system_error&) {  // no more threads for this process: those that did start do the work
  }
  if (!beside || helpers.empty()) work();
  for (std::thread& t : helpers) t.join();
  if (failure) std::rethrow_exception(failure);
}

void builder::forget(const std::string& key) { self_->drop(key, "refused by the device"); }

}  // namespace glass::jit
