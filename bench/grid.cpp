// The evaluation grid: six operations x sizes x batches x types through the runtime, as a user would call them. One CSV
// row per cell: the floor (a copy kernel that moves the operation's bytes), ours tuned, ours untuned (default), with
// --exhaustive the best of every legal candidate, with --vendor the batched calls of cuBLAS and cuSOLVER on the same
// buffers (plain launches; empty where the machine or the library has no such call). The contenders of a cell are timed
// in turn on the same device; the medians are printed.
//   bench_grid [--device cuda:0] [--ops posv,gemm] [--sizes 8,16] [--batches 1,64,8192] [--types f32,f64]
//   [--exhaustive] [--vendor] [--budget 2] [--cache FOLDER] > grid.csv
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <optional>

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
  std::string device, budget = "2", cache = "memory";
  std::vector<std::string> operations = {"dot", "gemv", "gemm", "potrf", "trsv", "posv"}, types = {"f32", "f64"};
  std::vector<std::string> sizes = {"4", "6", "8", "12", "16", "24", "32", "48", "64", "96", "128"},
                           batches = {"1", "64", "8192"};
  bool exhaustive = false, vendor = false;
};

arguments parse(int argc, char** argv) {
  arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 < argc) return argv[++i];
      std::fprintf(stderr, "bench_grid: %s needs a value\n", word.c_str());
      std::exit(2);
    };
    if (word == "--device")
      a.device = value();
    else if (word == "--ops")
      a.operations = split(value(), ',');
    else if (word == "--sizes")
      a.sizes = split(value(), ',');
    else if (word == "--batches")
      a.batches = split(value(), ',');
    else if (word == "--types")
      a.types = split(value(), ',');
    else if (word == "--budget")
      a.budget = value();
    else if (word == "--cache")
      a.cache = value();
    else if (word == "--exhaustive")
      a.exhaustive = true;
    else if (word == "--vendor")
      a.vendor = true;
    else {
      std::fprintf(stderr, "bench_grid: unknown argument '%s'\n", word.c_str());
      std::exit(2);
    }
  }
  return a;
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

double floor_ns(backend& device, builder& images, const bound_problem& of, int repeats) {
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
  const bound_problem moved = bind(move_description(), p, false);
  workload data(device, moved, p.batch, 1);
  double best = 1e30;
  for (const char* where :
       {"scope=thread pack=128", "scope=tile4 pack=32", "scope=tile8 pack=16", "scope=warp pack=4", "scope=block128"}) {
    const placement at = examine(moved, device.device(), placement::parse(where)).placement;
    if (!examine(moved, device.device(), at).illegal.empty()) continue;
    best = std::min(best, contender(device, images, moved, at, data).best_of(repeats));
  }
  return best * 1e9 / double(p.batch);
}

}  // namespace

int main(int argc, char** argv) try {
  const arguments a = parse(argc, argv);
  const std::shared_ptr<backend> device = a.device.empty() ? open_default_backend() : open_backend(a.device);
  runtime_options options;
  options.cache = a.cache;
  options.tuning.budget_seconds = std::atof(a.budget.c_str());
  options.tuning.process_budget_seconds = 1e9;
  runtime tuned(device, options);
  options.tuning.mode = tune_mode::exhaustive, options.tuning_from_environment = false;
  runtime exhaustive(device, options);
  const auto warn = std::make_shared<warner>();
  const std::shared_ptr<store> memory = store::open("memory", warn);
  builder images(device, memory, warn);
  std::optional<bench::vendor> vendor;
  if (a.vendor) std::fprintf(stderr, "bench_grid: %s\n", vendor.emplace(*device).found().c_str());
  const int repeats = 7;

  std::printf(
      "operation,type,N,batch,ns_tuned,ns_default,ns_best,ns_floor,ns_vendor,tuned_placement,default_placement,best_"
      "placement,"
      "gflops,gbytes_per_s,device\n");
  for (const auto& op : a.operations)
    for (const auto& type : a.types)
      for (const auto& size : a.sizes)
        for (const auto& batch : a.batches) try {
            problem p;
            p.sizes = {{"N", std::atoi(size.c_str())}}, p.type = type == "f64" ? f64 : f32,
            p.batch = std::atoll(batch.c_str()), p.measure = measure::graph;
            const bound_problem bound = bind(find_operation(op), p, true);
            const placement untuned = default_placement(bound, device->device());
            const placement chosen = tuned.operation(op, p).placement();
            const placement best = a.exhaustive ? exhaustive.operation(op, p).placement() : chosen;
            workload data(*device, bound, p.batch, 1, true);  // a launch follows the other on its own results
            contender c(*device, images, bound, chosen, data), d(*device, images, bound, untuned, data),
                e(*device, images, bound, best, data);
            std::vector<double> times[3];
            for (int r = 0; r < repeats; ++r) {
              times[0].push_back(c.seconds(20)), times[1].push_back(d.seconds(20));
              times[2].push_back(a.exhaustive ? e.seconds(20) : times[0].back());
            }
            const auto ns = [&](std::vector<double>& v) { return summarize(v).median * 1e9 / double(p.batch); };
            const double t = ns(times[0]), u = ns(times[1]), b = ns(times[2]);
            const double v = vendor ? vendor->ns(op, bound, data, repeats) : std::nan("");
            char others[32] = "";
            if (!std::isnan(v)) std::snprintf(others, sizeof others, "%.4f", v);
            std::printf("%s,%s,%s,%s,%.4f,%.4f,%.4f,%.4f,%s,%s,%s,%s,%.1f,%.1f,%s\n", op.c_str(), type.c_str(),
                        size.c_str(), batch.c_str(), t, u, b, floor_ns(*device, images, bound, 3), others,
                        chosen.text().c_str(), untuned.text().c_str(), best.text().c_str(), bound.flops / t,
                        bound.bytes / t, device->device().name.c_str());
            std::fflush(stdout);
          } catch (const error& e) {
            std::fprintf(stderr, "bench_grid: %s %s N=%s batch=%s: %s\n", op.c_str(), type.c_str(), size.c_str(),
                         batch.c_str(), e.what());
          }
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_grid: %s\n", e.what());
  return 1;
}
