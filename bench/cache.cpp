// What the cache costs in place and time: a synthetic one of 10,000 decisions (16 candidates each, with their samples) and
// 2,000 images of real sizes; how big it is, how long looking up, starting, mounting it as a signed pack, evicting and
// giving pages back take; and a cold storm: 16 processes that ask for the same kernel at once.
//   bench_cache [DEVICE] [--decisions 10000] [--images 2000] [--keep FOLDER]
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>

#include "backend/backend.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "glass/jit.hpp"
#include "store/layer.hpp"
#include "store/pack_writer.hpp"

using namespace glass::jit;

namespace {

const problem small{.sizes = {{"N", 12}}, .type = f32, .batch = 8192};
constexpr int processes = 16;

void line(const char* what, double value, const char* unit, const std::string& more = {}) {
  std::printf("%-52s %10.3f %-3s %s\n", what, value, unit, more.c_str());
  std::fflush(stdout);
}
double megabytes(const std::string& folder) {
  double sum = 0;
  for (const char* side : {"/cache.sqlite", "/cache.sqlite-wal"}) {
    std::error_code none;
    const auto n = std::filesystem::file_size(folder + side, none);
    if (!none) sum += double(n);
  }
  return sum / (1 << 20);
}
// The median of what `f` takes, in microseconds; `after` is not in it.
template <class F, class After>
double microseconds(int repeats, F f, After after) {
  std::vector<double> all;
  for (int i = 0; i < repeats; ++i) {
    const double start = seconds_now();
    f(i);
    all.push_back(1e6 * (seconds_now() - start));
    after();
  }
  std::nth_element(all.begin(), all.begin() + repeats / 2, all.end());
  return all[std::size_t(repeats / 2)];
}
template <class F>
double microseconds(int repeats, F f) {
  return microseconds(repeats, f, [] {});
}

// Rows of the form and length that tuning leaves.
std::string material_of(int i) {
  material m;
  m.add("identity", "posv/1").add("sizes", "N=" + std::to_string(i) + " NRHS=1").add("run time", "").add("type", "f32");
  m.add("options", "").add("batch class", "16384").add("measure", "throughput");
  m.add("device", "cuda sm_90 sm=132 shared=233472/232448 l2=62914560 bus=6144 mig=- integrated=0");
  m.add("power class", "700 W").add("candidates", "2");
  return m.text();
}
const char* const scopes[] = {"thread", "tile2", "tile4", "tile8", "tile16", "warp", "block64", "block128"};
std::string placement_of(int c) {
  return std::string("variant=fused scope=") + scopes[c % 8] + " pack=" + std::to_string(4 << (c / 8)) +
         " home=shared body=fragment";
}
decision_row decision_of(int i) {
  decision_row d;
  d.material = material_of(i), d.key = hash(d.material);
  d.identity = i % 100 ? "posv/1" : "rare/1", d.sizes = "N=" + std::to_string(i) + " NRHS=1", d.type = "f32";
  d.measure = "throughput", d.batch_class = 16384, d.backend = "cuda", d.target = "sm_90";
  d.fingerprint = "cuda sm_90 sm=132 shared=233472/232448 l2=62914560 bus=6144 mig=- integrated=0";
  d.power_class = "700 W", d.candidate_set = "2", d.placement = placement_of(i % 16), d.runner_up = placement_of(1);
  d.image_key = hash("image of " + d.material), d.ns = 0.5 + i, d.default_ns = 0.7 + i, d.samples = 41;
  d.complete = true, d.driver = "580.159 (CUDA 13.0)", d.compiler = "NVRTC 13.0", d.created = utc_now();
  return d;
}
image_row image_of(int i, std::mt19937& random) {
  image_row r;
  r.material = material_of(i) + std::string(900, 'o'), r.key = hash(r.material),
  r.family = hash("family " + r.material);
  r.backend = "cuda", r.compiler = "NVRTC 13.0", r.target = "sm_90", r.name = "posv", r.label = placement_of(i % 16);
  r.bytes.resize(std::uniform_int_distribution<std::size_t>(40 << 10, 110 << 10)(random));
  for (std::size_t at = 0; at + 4 <= r.bytes.size(); at += 4) {
    const auto word = std::uint32_t(random());
    std::memcpy(&r.bytes[at], &word, 4);
  }
  return r;
}
void fill(const std::string& folder, int decisions, int images) {
  const auto rows = store::open(folder, nullptr);
  std::mt19937 random(1);
  double start = seconds_now();
  for (int i = 0; i < decisions; ++i) rows->put_decision(decision_of(i));
  line("decisions: put", 1e6 * (seconds_now() - start) / decisions, "us", "each, " + std::to_string(decisions));
  line("  the file then", megabytes(folder), "MB");
  start = seconds_now();
  for (int i = 0; i < decisions; ++i)
    for (int c = 0; c < 16; ++c)
      rows->put_candidate({decision_of(i).key, placement_of(c), "ok", "", std::vector<double>(c < 3 ? 41 : 3, 0.5 + c),
                           0.2, hash(placement_of(c))});
  line("candidates: put", 1e6 * (seconds_now() - start) / decisions / 16, "us", "each, 16 a decision");
  line("  the file then", megabytes(folder), "MB");
  start = seconds_now();
  for (int i = 0; i < images; ++i) rows->put_image(image_of(i, random));
  line("images of 40 to 110 KB: put", 1e6 * (seconds_now() - start) / images, "us", "each, " + std::to_string(images));
  line("  the file then", megabytes(folder), "MB");
}

void look_up(const store_options& from, int decisions, int images) {
  const auto found = [](bool there) {
    if (!there) throw std::runtime_error("a row that was put is not found");
  };
  std::vector<std::string> materials, keys;
  for (int i = 0; i < 1000; ++i) {
    materials.push_back(material_of(i * 7919 % decisions)), keys.push_back(hash(materials.back()));
  }
  std::unique_ptr<store> opened;
  double closing = 0;
  const double opening = microseconds(
      50,
      [&](int i) {
        opened = store::open(from, nullptr);
        found(opened->find_decision(keys[std::size_t(i)], materials[std::size_t(i)]).has_value());
      },
      [&] { closing = microseconds(1, [&](int) { opened.reset(); }); });
  line("open, then the first decision", opening, "us");
  line("  closing: counters written, the log put into the file", closing, "us");
  const auto rows = store::open(from, nullptr);
  line("a decision among all",
       microseconds(
           1000,
           [&](int i) { found(rows->find_decision(keys[std::size_t(i)], materials[std::size_t(i)]).has_value()); }),
       "us", "goal 50");
  line("a decision that is not there",
       microseconds(1000, [&](int i) { rows->find_decision(hash(std::to_string(i)), "nothing"); }), "us");
  line("an image, its hash checked",
       microseconds(200,
                    [&](int i) {
                      const std::string m = material_of(i * 97 % images) + std::string(900, 'o');
                      found(rows->find_image(hash(m), m).has_value());
                    }),
       "us");
  line("the related decisions of an operation",
       microseconds(20, [&](int) { found(!rows->find_related("rare/1", "f32", "", "throughput").empty()); }), "us",
       std::to_string(decisions / 100) + " rows");
}

kernel first_kernel(runtime& rt) {
  kernel posv = rt.operation("posv", small);
  posv.launch(nullptr, 0, nullptr, nullptr, nullptr).check();
  return posv;
}
runtime_options options_of(const std::string& folder, tune_mode mode) {
  runtime_options o;
  o.cache = folder, o.tuning.mode = mode, o.tuning_from_environment = false;
  return o;
}
double warm_start(const std::shared_ptr<backend>& device, const runtime_options& o) {
  std::optional<runtime> rt;
  const double us = microseconds(
      9,
      [&](int) {
        rt.emplace(device, o);
        first_kernel(*rt);
      },
      [&] {
        if (rt->counters().compiles != 0) throw std::runtime_error("the warm start compiled");
        rt.reset();
      });
  return us / 1e3;
}
void start_up(const std::shared_ptr<backend>& device, const std::string& folder) {
  const runtime_options o = options_of(folder, tune_mode::off);
  {
    runtime rt(device, o);
    first_kernel(rt);
  }
  line("warm: runtime constructed to first kernel launched", warm_start(device, o), "ms",
       "beyond context creation, goal 10");
}
// The whole cache as one signed pack.
void packed(const std::shared_ptr<backend>& device, const std::string& folder, const std::string& root, int decisions,
            int images) {
  const std::string key = root + "/key", file = root + "/robot.pack";
  const public_key signer = make_key(key);
  double start = seconds_now();
  {
    layer rows(folder + "/cache.sqlite", database::mode::read_only);
    pack_writer writer;
    std::vector<damaged_row> damaged;
    for (const decision_row& d : rows.decisions(damaged)) writer.add(d, rows.candidates(d.key, damaged));
    for (const std::string& k : rows.image_keys()) writer.add(*rows.image(k));
    writer.finish(file, key);
  }
  line("pack: written and signed", seconds_now() - start, "s");
  line("  its size", double(std::filesystem::file_size(file)) / (1 << 20), "MB");
  const std::vector<public_key> required = {signer};
  line("  mounted: signature and manifest verified",
       microseconds(9, [&](int) { pack::open(pack_source(file), &required); }) / 1e3, "ms");
  runtime_options o = options_of("memory", tune_mode::off);
  o.packs = {file}, o.pack_keys = {signer.line()};
  line("  runtime constructed to first kernel launched", warm_start(device, o), "ms", "from the pack alone");
  look_up({"memory", o.packs, o.pack_keys, 0}, decisions, images);
  start = seconds_now();
  pack p = pack::open(pack_source(file), &required);
  if (!faults_of(p).empty()) throw std::runtime_error("the pack is not sound");
  line("  every row verified (glass cache verify)", seconds_now() - start, "s");
}
void shrink(const std::string& folder) {
  layer rows(folder + "/cache.sqlite", database::mode::read_write);
  const std::int64_t before = rows.file_bytes();
  double start = seconds_now(), longest = 0;
  rows.evict(before / 2);
  line("gc: half of it evicted", seconds_now() - start, "s");
  start = seconds_now();
  for (bool more = true; more;) {
    const double step = seconds_now();
    more = rows.give_back(4 << 20);
    longest = std::max(longest, seconds_now() - step);
  }
  line("  pages given back", seconds_now() - start, "s", "in steps of 4 MB");
  line("  the longest step: what another process may wait", 1e3 * longest, "ms");
  line("  the file then", double(rows.file_bytes()) / (1 << 20), "MB");
}

// 16 processes at once on an empty folder. Each tells by its exit status how often it compiled.
int child(const std::string& device, const std::string& folder) {
  runtime_options o = options_of(folder, tune_mode::off);
  o.device = device;
  runtime rt(o);
  first_kernel(rt);
  return int(std::min<std::int64_t>(100, rt.counters().compiles));
}
void storm(const char* self, const std::string& device, const std::string& folder, int count) {
  const double start = seconds_now();
  std::vector<pid_t> all;
  for (int i = 0; i < count; ++i) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::execl(self, self, "--child", device.c_str(), folder.c_str(), static_cast<char*>(nullptr));
      ::_exit(127);
    }
    all.push_back(pid);
  }
  int compiles = 0;
  for (const pid_t pid : all) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 100) throw std::runtime_error("a process of the storm failed");
    compiles += WEXITSTATUS(status);
  }
  line(count == 1 ? "cold: one process, first kernel" : "cold: 16 processes, the same kernel", seconds_now() - start,
       "s", std::to_string(compiles) + " compiles");
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 4 && std::string(argv[1]) == "--child") return child(argv[2], argv[3]);
  std::string device, keep;
  int decisions = 10000, images = 2000;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--decisions" && i + 1 < argc)
      decisions = std::max(100, std::atoi(argv[++i]));
    else if (word == "--images" && i + 1 < argc)
      images = std::max(1, std::atoi(argv[++i]));
    else if (word == "--keep" && i + 1 < argc)
      keep = argv[++i];
    else
      device = word;
  }
  const std::string root = std::filesystem::temp_directory_path() / ("glass-bench-cache-" + std::to_string(getpid()));
  const std::string folder = keep.empty() ? root + "/cache" : keep;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  for (const int count : {1, processes}) storm(self.c_str(), device, root + "/storm" + std::to_string(count), count);
  fill(folder, decisions, images);
  look_up({folder, {}, {}, 0}, decisions, images);
  const std::shared_ptr<backend> opened = device.empty() ? open_default_backend() : open_backend(device);
  start_up(opened, folder);
  std::filesystem::create_directories(root);
  packed(opened, folder, root, decisions, images);
  shrink(folder);
  std::filesystem::remove_all(root);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_cache: %s\n", e.what());
  return 1;
}
