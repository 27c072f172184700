// The evaluation grid: six operations x sizes x batches x types through the runtime, as a user would call them. One CSV
// row per cell, small sizes first: the floor (an empty launch, or a kernel that moves the operation's bytes, whichever
// takes longer), ours tuned, ours untuned (default), with --exhaustive the best of every legal candidate, with --vendor
// the batched calls of cuBLAS and cuSOLVER on the same buffers (plain launches; empty where the machine or the library
// has no such call), with --libraries the best body of NVIDIA's device libraries through glass, which compiles seconds to
// a minute a cell. The contenders of a cell are timed in turn on the same device; the medians are printed. While a
// cell is measured, the next one's candidates are compiled.
//   bench_grid [--device cuda:0] [--ops posv,gemm] [--sizes 8,16] [--batches 1,64,8192] [--types f32,f64]
//   [--exhaustive] [--vendor] [--libraries] [--budget 2] [--cache FOLDER] > grid.csv
//   bench_grid … --resume grid.csv >> grid.csv      without the cells that have their row already
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <optional>
#include <limits>
#include <set>

#include "backend/backend.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "contender.hpp"
#include "glass/jit.hpp"
#include "vendor.hpp"

using namespace glass::jit;
using bench::contender;

namespace {

struct arguments {
  std::string device, cache, resume;
  double budget = 2;
  std::vector<std::string> operations = {"dot", "gemv", "gemm_to", "potrf", "trsv", "posv"}, types = {"f32", "f64"};
  std::vector<std::string> sizes = {"4", "6", "8", "12", "16", "24", "32", "48", "64", "96", "128"},
                           batches = {"1", "64", "8192"};
  bool exhaustive = false, vendor = false, libraries = false;
};

void add_to(CLI::App& app, arguments& a) {
  const auto list = [&](const char* name, std::vector<std::string>& values, const char* what) {
    app.add_option(name, values, what)->delimiter(',')->allow_extra_args(false)->capture_default_str();
  };
  app.add_option("--device", a.device, "cuda:0, host; default: the first GPU, else the host");
  list("--ops", a.operations, "operations");
  list("--sizes", a.sizes, "values of N");
  list("--batches", a.batches, "problems");
  list("--types", a.types, "f32, f64");
  app.add_option("--budget", a.budget, "seconds of tuning a cell")->capture_default_str();
  app.add_option("--cache", a.cache, "folder of the cache; default: a new one");
  app.add_option("--resume", a.resume, "a CSV of this program: without the cells that have their row there");
  app.add_flag("--exhaustive", a.exhaustive, "also the best of every legal candidate");
  app.add_flag("--vendor", a.vendor, "also cuBLAS and cuSOLVER");
  app.add_flag("--libraries", a.libraries,
               "two columns more: the best body of NVIDIA's device libraries (ns_library, library_placement)");
}

// A kernel that reads R and writes W numbers a problem: the floor of anything that must move as much.
operation_description move_description() {
  operation_description d;
  d.name = "move_numbers";
  d.text = R"(template <class Scope, class X, class Y> GLASS_DEVICE void move_numbers(Scope scope, X x, Y y) {
  typename Y::value_type sum = 0;
  for (int i = scope.rank(); i < x.rows(); i += scope.size())
    if (i < y.rows()) y(i) = x(i); else sum += x(i);
  if (sum != sum) y(0) = sum;
}
)";
  d.operands = {in("x", {"R"}), out("y", {"W"})};
  return d;
}

// The same traffic as an operation's, and the placements that may be the fastest for it.
struct traffic {
  bound_problem moved;
  std::vector<placement> places;
};
traffic traffic_of(const bound_problem& of, const device_description& device) {
  double read = 0, written = 0;
  for (const auto& o : of.operands) {
    const double n = double(o.elements()) * bytes_of(o.type);
    if (o.what->access == access::in || o.what->access == access::inout) read += n;
    if (o.what->access == access::out || o.what->access == access::inout) written += n;
  }
  const double unit = double(bytes_of(of.request.type));
  problem p;
  p.type = of.request.type, p.batch = of.request.batch, p.measure = measure::graph;
  p.sizes = {{"R", std::max(1, int(read / unit))}, {"W", std::max(1, int(written / unit))}};
  traffic t{bind(move_description(), p, false), {}};
  for (const char* where :
       {"scope=thread pack=128", "scope=tile4 pack=32", "scope=tile8 pack=16", "scope=warp pack=4", "scope=block128"}) {
    const candidate c = examine(t.moved, device, placement::parse(where));
    if (c.illegal.empty()) t.places.push_back(c.placement);
  }
  return t;
}
double copy_seconds(backend& device, builder& images, const traffic& t, int repeats) {
  workload data(device, t.moved, t.moved.request.batch, 1);
  double best = 1e30;
  for (const placement& at : t.places)
    best = std::min(best, contender(device, images, t.moved, at, data).best_of(repeats));
  return best;
}
// A launch of a graph's node that does nothing.
double launch_seconds(backend& device, builder& images, int repeats) {
  operation_description d;
  d.name = "nothing";
  d.text = "template <class Scope, class X> GLASS_DEVICE void nothing(Scope, X) {}\n";
  d.operands = {in("x", {"R"})};
  problem p;
  p.sizes = {{"R", 1}}, p.type = f32, p.batch = 1, p.measure = measure::graph;
  const bound_problem bound = bind(d, p, false);
  workload data(device, bound, 1, 1);
  return contender(device, images, bound, default_placement(bound, device.device()), data).best_of(repeats);
}

struct cell {
  std::string operation, type, size, batch;
  std::string name() const { return operation + "," + type + "," + size + "," + batch + ","; }
  problem request() const {
    problem p;
    p.sizes = {{"N", std::atoi(size.c_str())}}, p.type = type == "f64" ? f64 : f32;
    p.batch = std::atoll(batch.c_str()), p.measure = measure::graph;
    return p;
  }
  bound_problem bound() const { return bind(find_operation(operation), request(), true); }
};
// All that are asked for and have no row yet, those that compile and run fast first.
std::vector<cell> cells_of(const arguments& a) {
  std::set<std::string> done;
  std::ifstream rows(a.resume);
  for (std::string line; std::getline(rows, line);) {
    const auto parts = split(line, ',');
    if (parts.size() > 4) done.insert(cell{parts[0], parts[1], parts[2], parts[3]}.name());
  }
  std::vector<cell> all;
  for (const auto& size : a.sizes)
    for (const auto& op : a.operations)
      for (const auto& type : a.types)
        for (const auto& batch : a.batches)
          if (const cell c{op, type, size, batch}; !done.count(c.name())) all.push_back(c);
  return all;
}
// What the cell will ask for, compiled into the cache. What fails here fails again where it is wanted, and says why.
void compile_ahead(backend& device, builder& images, const cell& c) try {
  const bound_problem bound = c.bound();
  std::vector<placement> list = {default_placement(bound, device.device())};
  std::vector<candidate> all = candidates(bound, device.device());
  for (const candidate& one : shortlist(std::move(all), 16)) list.push_back(one.placement);
  const auto ignore = [](std::size_t, const built*, const error*) {};
  images.get_all(bound, list, ignore);
  const traffic t = traffic_of(bound, device.device());
  images.get_all(t.moved, t.places, ignore);
} catch (const error&) {}

// The best body of NVIDIA's libraries on the same data, whatever the tuner thinks of it; none: 0, and an empty text.
std::pair<double, std::string> best_of_libraries(backend& device, builder& images, const bound_problem& bound,
                                                 workload& data, int repeats) {
  std::pair<double, std::string> best = {0, ""};
  for (const candidate& one : library_candidates(bound, device, std::numeric_limits<double>::infinity())) try {
      const double seconds = contender(device, images, bound, one.placement, data).best_of(repeats);
      if (best.second.empty() || seconds < best.first) best = {seconds, one.placement.text()};
    } catch (const error& e) {
      std::fprintf(stderr, "bench_grid: %s %s: %s\n", bound.text().c_str(), one.placement.text().c_str(), e.what());
    }
  return best;
}

// A folder that lives as long as this.
struct temporary_folder {
  std::string path = std::filesystem::temp_directory_path() / "bench_grid_XXXXXX";
  temporary_folder() {
    if (!::mkdtemp(path.data())) throw std::runtime_error("no temporary folder: " + path);
  }
  ~temporary_folder() { std::filesystem::remove_all(path); }
};

}  // namespace

int main(int argc, char** argv) try {
  arguments a;
  CLI::App app("The evaluation grid, as CSV");
  add_to(app, a);
  CLI11_PARSE(app, argc, argv);
  const std::shared_ptr<backend> device = a.device.empty() ? open_default_backend() : open_backend(a.device);
  std::optional<temporary_folder> folder;
  runtime_options options;
  options.cache = a.cache.empty() ? folder.emplace().path : a.cache;  // tuner and benchmark share the images
  options.tuning.budget_seconds = a.budget;
  options.tuning.process_budget_seconds = 1e9;
  runtime tuned(device, options);
  const auto warn = std::make_shared<warner>();
  builder images(device, store::open(options.cache, warn), warn);
  options.tuning.mode = tune_mode::exhaustive, options.tuning_from_environment = false;
  options.cache += "/exhaustive";  // a verdict of the one is no verdict of the other
  std::optional<runtime> exhaustive;
  if (a.exhaustive) exhaustive.emplace(device, options);
  std::optional<bench::vendor> vendor;
  if (a.vendor) std::fprintf(stderr, "bench_grid: %s\n", vendor.emplace(*device).found().c_str());
  const int repeats = 7;
  const double launch = launch_seconds(*device, images, repeats);

  const std::vector<cell> cells = cells_of(a);
  if (a.resume.empty() || !std::filesystem::exists(a.resume) || std::filesystem::file_size(a.resume) == 0)
    std::printf(
        "operation,type,N,batch,ns_tuned,ns_default,ns_best,ns_floor,ns_vendor,tuned_placement,default_placement,best_"
        "placement,gflops,gbytes_per_s,device%s\n",
        a.libraries ? ",ns_library,library_placement" : "");
  std::future<void> next;
  for (std::size_t i = 0; i < cells.size(); ++i) try {
      const cell& now = cells[i];
      if (next.valid()) next.get();
      const bound_problem bound = now.bound();
      const placement untuned = default_placement(bound, device->device());
      const placement chosen = tuned.operation(now.operation, now.request()).placement();
      const placement best = exhaustive ? exhaustive->operation(now.operation, now.request()).placement() : chosen;
      if (i + 1 < cells.size())
        next = std::async(std::launch::async, [&, i] { compile_ahead(*device, images, cells[i + 1]); });
      const double problems = double(bound.request.batch);
      std::vector<double> times[3];
      double v = std::nan("");
      std::pair<double, std::string> library;
      {
        workload data(*device, bound, bound.request.batch, 1, true);  // a launch follows the other on its own results
        contender c(*device, images, bound, chosen, data), d(*device, images, bound, untuned, data),
            e(*device, images, bound, best, data);
        for (int r = 0; r < repeats; ++r) {
          times[0].push_back(c.seconds()), times[1].push_back(d.seconds());
          times[2].push_back(exhaustive ? e.seconds() : times[0].back());
        }
        if (vendor) v = vendor->ns(now.operation, bound, data, repeats);
        if (a.libraries) library = best_of_libraries(*device, images, bound, data, repeats);
      }
      const auto ns = [&](std::vector<double>& of) { return summarize(of).median * 1e9 / problems; };
      const double t = ns(times[0]), u = ns(times[1]), b = ns(times[2]);
      const double copy = copy_seconds(*device, images, traffic_of(bound, device->device()), 3);
      char others[32] = "";
      if (!std::isnan(v)) std::snprintf(others, sizeof others, "%.4f", v);
      std::string theirs = a.libraries ? ",," : "";
      if (!library.second.empty()) theirs = "," + std::to_string(library.first * 1e9 / problems) + "," + library.second;
      std::printf("%s%.4f,%.4f,%.4f,%.4f,%s,%s,%s,%s,%.1f,%.1f,%s%s\n", now.name().c_str(), t, u, b,
                  std::max(launch, copy) * 1e9 / problems, others, chosen.text().c_str(), untuned.text().c_str(),
                  best.text().c_str(), bound.flops / t, bound.bytes / t, device->device().name.c_str(), theirs.c_str());
      std::fflush(stdout);
    } catch (const error& e) { std::fprintf(stderr, "bench_grid: %s %s\n", cells[i].name().c_str(), e.what()); }
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_grid: %s\n", e.what());
  return 1;
}
