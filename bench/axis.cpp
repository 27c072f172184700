// What one axis of the placement is worth: for each problem the best time of each value of that axis (variant, scope,
// body, home, or a tunable), every legal candidate that the model finds worth trying measured. Shows where a winner
// flips over size, batch and type. One CSV row per problem and value, the winner first.
//   bench_axis OPERATION [--axis variant] [--device cuda:0] [--sizes 4,8,16] [--batches 1,64,8192] [--types f32,f64]
//   [--each 6]      candidates measured for each value       [--size NU=4]…   fixed sizes beside N
//   [--option SIDE=right]…   of the operation                [--cache FOLDER]
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "base/log.hpp"
#include "base/text.hpp"
#include "contender.hpp"
#include "glass/jit.hpp"

using namespace glass::jit;

namespace {

struct arguments {
  std::string operation, axis = "variant", device, cache = "memory";
  std::vector<std::string> sizes = {"4", "8", "16", "32", "64"}, batches = {"1", "64", "8192"}, types = {"f32", "f64"};
  std::map<std::string, int> fixed;
  std::map<std::string, std::string> options;
  std::size_t each = 6;
};

void add_to(CLI::App& app, arguments& a) {
  const auto list = [&](const char* name, std::vector<std::string>& values, const char* what) {
    app.add_option(name, values, what)->delimiter(',')->allow_extra_args(false)->capture_default_str();
  };
  app.add_option("OPERATION", a.operation, "of the catalog")->required();
  app.add_option("--axis", a.axis, "variant, scope, body, home, or a tunable")->capture_default_str();
  app.add_option("--device", a.device, "cuda:0, host; default: the first GPU, else the host");
  list("--sizes", a.sizes, "values of N");
  list("--batches", a.batches, "problems");
  list("--types", a.types, "f32, f64");
  app.add_option("--each", a.each, "candidates measured for each value")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--cache", a.cache, "folder of the cache, or memory")->capture_default_str();
  // One or more NAME=VALUE.
  const auto pairs = [&](const char* flag, auto take, const char* what) {
    app.add_option_function<std::vector<std::string>>(
           flag,
           [flag, take](const std::vector<std::string>& all) {
             for (const auto& one : all) {
               const std::vector<std::string> pair = split(one, '=');
               if (pair.size() != 2) throw CLI::ValidationError(flag, "takes NAME=VALUE, not " + one);
               take(pair[0], pair[1]);
             }
           },
           what)
        ->allow_extra_args(false);
  };
  pairs(
      "--size", [&a](const auto& name, const auto& value) { a.fixed[name] = std::atoi(value.c_str()); },
      "a fixed size beside N, as NU=4");
  pairs(
      "--option", [&a](const auto& name, const auto& value) { a.options[name] = value; },
      "an option of the operation, as SIDE=right");
}

// The value of an axis in a placement: as its text has it.
std::string value_of(const placement& p, const std::string& axis) {
  for (const auto& word : split(p.text(), ' '))
    if (word.compare(0, axis.size() + 1, axis + "=") == 0) return word.substr(axis.size() + 1);
  return "";
}

struct best {
  double ns = 1e300;
  placement where;
  int tried = 0;
};

}  // namespace

int main(int argc, char** argv) try {
  arguments a;
  CLI::App app("What one axis of the placement is worth, as CSV");
  add_to(app, a);
  CLI11_PARSE(app, argc, argv);
  const std::shared_ptr<backend> device = a.device.empty() ? open_default_backend() : open_backend(a.device);
  const auto warn = std::make_shared<warner>();
  builder images(device, store::open(a.cache, warn), warn);
  std::printf("operation,type,N,batch,%s,ns,of_best,tried,placement\n", a.axis.c_str());
  for (const auto& type : a.types)
    for (const auto& size : a.sizes)
      for (const auto& batch : a.batches) try {
          problem p;
          p.sizes.insert(a.fixed.begin(), a.fixed.end());
          p.options = a.options;
          p.sizes["N"] = std::atoi(size.c_str()), p.type = type == "f64" ? f64 : f32;
          p.batch = std::atoll(batch.c_str()), p.measure = measure::graph;
          const bound_problem bound = bind(find_operation(a.operation), p, true);
          std::map<std::string, std::vector<candidate>> alike;
          for (auto& c : candidates(bound, device->device()))
            if (c.illegal.empty()) alike[value_of(c.placement, a.axis)].push_back(c);
          std::vector<placement> all;
          for (auto& [value, list] : alike)
            for (const auto& c : shortlist(list, a.each)) all.push_back(c.placement);
          std::vector<bool> compiled(all.size());
          images.get_all(bound, all, [&](std::size_t i, const built* b, const error*) { compiled[i] = b != nullptr; });
          workload data(*device, bound, p.batch, 1, true);
          std::map<std::string, best> found;
          for (std::size_t i = 0; i < all.size(); ++i) {
            if (!compiled[i]) continue;
            bench::contender one(*device, images, bound, all[i], data);
            best& b = found[value_of(all[i], a.axis)];
            const double ns = one.best_of(7) * 1e9 / double(p.batch);
            ++b.tried;
            if (ns < b.ns) b.ns = ns, b.where = all[i];
          }
          std::vector<std::pair<std::string, best>> order(found.begin(), found.end());
          std::sort(order.begin(), order.end(), [](const auto& x, const auto& y) { return x.second.ns < y.second.ns; });
          for (const auto& [value, b] : order)
            std::printf("%s,%s,%s,%s,%s,%.4f,%.3f,%d,%s\n", a.operation.c_str(), type.c_str(), size.c_str(),
                        batch.c_str(), value.c_str(), b.ns, b.ns / order.front().second.ns, b.tried,
                        b.where.text().c_str());
          std::fflush(stdout);
        } catch (const error& e) {
          std::fprintf(stderr, "bench_axis: %s N=%s batch=%s: %s\n", type.c_str(), size.c_str(), batch.c_str(),
                       e.what());
        }
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_axis: %s\n", e.what());
  return 1;
}
