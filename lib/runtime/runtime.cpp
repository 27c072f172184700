// The public face: options and environment, errors with their versions, counters, device memory.
#include "glass/jit/runtime.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/text.hpp"
#include "catalog/spec.hpp"
#include "runtime/finder.hpp"

namespace glass::jit {
namespace {

tune_mode mode_from_environment(tune_mode otherwise) {
  const std::string word = environment("GLASS_TUNE");
  if (word.empty()) return otherwise;
  std::vector<std::string> known;
  for (const tune_mode m :
       {tune_mode::first_use, tune_mode::background, tune_mode::off, tune_mode::frozen, tune_mode::exhaustive}) {
    if (word == name(m)) return m;
    known.emplace_back(name(m));
  }
  throw error(errc::unknown_name, stage::tune, "GLASS_TUNE=" + word + " is no mode." + did_you_mean(word, known),
              "Modes are " + join(known, ", ") + ".");
}

std::shared_ptr<backend> open_device(const std::string& asked) {
  const std::string id = asked.empty() ? environment("GLASS_DEVICE") : asked;
  return id.empty() ? open_default_backend() : open_backend(id);
}

}  // namespace

struct runtime::implementation {
  implementation(std::shared_ptr<backend> opened, const runtime_options& options)
      : start(seconds_now()),
        device(opened ? std::move(opened) : open_device(options.device)),
        warn(std::make_shared<warner>(options.warning)),
        rows(store::open(layers(options), warn)),
        watcher(options, warn),
        record(options.record.empty() ? environment("GLASS_RECORD") : options.record, warn),
        kernels(device, rows, warn, tuning(options), watcher, record) {}

  static store_options layers(const runtime_options& o) {
    store_options s = store::from_environment();
    if (!o.cache.empty()) s.folder = o.cache;
    s.most_bytes = o.cache_bytes;
    if (!o.packs.empty()) s.packs = o.packs;
    if (!o.pack_keys.empty()) s.keys = o.pack_keys;
    return s;
  }

  static tuning_options tuning(const runtime_options& o) {
    tuning_options t = o.tuning;
    if (o.tuning_from_environment) t.mode = mode_from_environment(t.mode);
    return t;
  }

  finder::slot get(const operation_description& d, const problem& p, bool built_in, const placement* named) {
    try {
      finder::slot found = kernels.find(bind(d, p, built_in), named);
      double never = 0;
      startup.compare_exchange_strong(never, seconds_now() - start);
      return found;
    } catch (const error& e) {
      if (!e.versions().empty() || e.stage() == stage::source) throw;
      throw error(error::parts{e.code(), e.stage(), e.message(), e.hint(), e.attempted(), e.log(), versions()});
    }
  }

  std::string versions() {
    const device_description& d = device->device();
    std::string text = d.name + " " + d.target + (d.driver.empty() ? "" : ", driver " + d.driver);
    try {
      text += ", " + device->compiler();
    } catch (const error& e) { text += std::string(", no compiler: ") + e.message(); }
    return text;
  }

  const double start;
  std::shared_ptr<backend> device;
  std::shared_ptr<warner> warn;
  std::shared_ptr<store> rows;
  observer watcher;
  recorder record;
  finder kernels;
  std::atomic<double> startup{0};
};

runtime::runtime() : runtime(runtime_options{}) {}
runtime::runtime(const runtime_options& o) : runtime(nullptr, o) {}
runtime::runtime(std::shared_ptr<backend> device, const runtime_options& o)
    : self_(std::make_unique<implementation>(std::move(device), o)) {}
runtime::~runtime() = default;
runtime::runtime(runtime&&) noexcept = default;
runtime& runtime::operator=(runtime&&) noexcept = default;

kernel runtime::get(const operation_description& d, const problem& p, bool built_in, const placement* named) {
  kernel k;
  k.slot_ = self_->get(d, p, built_in, named);
  k.sizes_ = k.slot_->open_sizes();
  return k;
}
kernel runtime::operation(const std::string& name, const problem& p) {
  return get(find_operation(name), p, true, nullptr);
}
kernel runtime::operation(const std::string& name, const problem& p, const placement& named) {
  return get(find_operation(name), p, true, &named);
}
kernel runtime::compile(const operation_description& d, const problem& p) { return get(d, p, false, nullptr); }
kernel runtime::compile(const operation_description& d, const problem& p, const placement& named) {
  return get(d, p, false, &named);
}

preload_report runtime::preload(const std::string& manifest) {
  const std::size_t start = manifest.find_first_not_of(" \t\r\n");
  const bool text = start != std::string::npos && manifest[start] == '{';
  const std::string where = text ? "the manifest" : manifest,
                    folder = text ? "" : std::filesystem::path(manifest).parent_path().string();
  preload_report report;
  for (const auto& e : manifest_from_json(text ? manifest : read_text(manifest), where, folder)) {
    preload_report::entry one;
    one.problem = e.description.name;
    try {
      one.problem = bind(e.description, e.problem, e.built_in).text();
      const placement named = placement::parse(e.placement);
      const auto found = self_->get(e.description, e.problem, e.built_in, e.placement.empty() ? nullptr : &named);
      const detail::verdict& how = found->now().how();
      one.placement = how.placement.text(), one.tier = how.tier, one.layer = how.layer, one.compiled = how.compiled;
    } catch (const error& x) { one.error = x.message(); }
    report.problems.push_back(std::move(one));
  }
  return report;
}

bool preload_report::ready() const {
  return std::all_of(problems.begin(), problems.end(), [](const entry& e) { return e.error.empty(); });
}
std::string preload_report::text() const {
  std::string all;
  for (const entry& e : problems) {
    const std::string what = e.error.empty()
                                 ? e.placement + ", " + name(e.tier) + (e.layer.empty() ? "" : " from " + e.layer) +
                                       (e.compiled ? ", compiled" : "")
                                 : e.error;
    all += (what.rfind(e.problem, 0) == 0 ? what : e.problem + ": " + what) + "\n";
  }
  return all;
}

void runtime::freeze() { self_->kernels.freeze(); }
std::string runtime::manifest() const { return self_->record.manifest(); }
void runtime::finish_background() { self_->kernels.finish_background(); }

const device_description& runtime::device() const { return self_->device->device(); }
cache_stats runtime::cache() const { return self_->rows->stats(); }
counters runtime::counters() const {
  finder& f = self_->kernels;
  const build_counters& b = f.kernels().images().counters();
  jit::counters c;
  c.hits = f.hits, c.misses = f.misses, c.loads = f.kernels().loads;
  std::copy(std::begin(f.by_tier), std::end(f.by_tier), c.by_tier);
  c.compiles = b.compiles, c.images_from_cache = b.from_cache, c.compile_seconds = b.compile_seconds;
  c.tuned = f.tuned, c.candidates_measured = f.measured, c.candidates_failed = f.failed,
  c.candidates_skipped = f.skipped, c.tuning_launches = f.launches;
  c.healed = self_->rows->healed(), c.alarms = self_->watcher.alarms;
  c.swaps = f.swaps, c.background = static_cast<std::int64_t>(f.pending());
  c.startup_seconds = self_->startup;
  return c;
}

std::shared_ptr<void> runtime::allocate(std::size_t bytes) {
  void* memory = self_->device->allocate(bytes);
  if (!memory) return nullptr;
  return {memory, [device = self_->device](void* p) { device->free(p); }};
}
void runtime::upload(void* to_device, const void* from, std::size_t bytes) {
  self_->device->settle();
  self_->device->upload(to_device, from, bytes);
}
void runtime::download(void* to, const void* from_device, std::size_t bytes) {
  self_->device->settle();
  self_->device->download(to, from_device, bytes);
}
void runtime::synchronize() { self_->device->synchronize(); }

// Never destroyed: kernels of static storage may be launched until the very end of the process. Its background ends
// before what it uses does.
runtime& default_runtime() {
  static runtime* const one = [] {
    auto* made = new runtime;
    std::atexit([] { default_runtime().self_->kernels.stop(); });
    return made;
  }();
  return *one;
}
kernel compile(const operation_description& d, const problem& p) { return default_runtime().compile(d, p); }

}  // namespace glass::jit
