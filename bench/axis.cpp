// What one axis of the placement is worth: for each problem the best time of each value of that axis (variant, scope,
// body, home, or a tunable), every legal candidate that the model finds worth trying measured. Shows where a winner
// flips over size, batch and type. One CSV row per problem and value, the winner first.
//   bench_axis OPERATION [--axis variant] [--device cuda:0] [--sizes 4,8,16] [--batches 1,64,8192] [--types f32,f64]
//   [--each 6]      candidates measured for each value       [--size NU=4]…   fixed sizes beside N       [--cache
//   FOLDER]
#include <cstdio>
#include <cstdlib>
#include <cstring>
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
  std::size_t each = 6;
};

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "bench_axis: %s\n", why.c_str());
  std::exit(2);
}

arguments parse(int argc, char** argv) {
  arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 < argc) return argv[++i];
      refuse(word + " needs a value");
    };
    if (word == "--axis")
      a.axis = value();
    else if (word == "--device")
      a.device = value();
    else if (word == "--sizes")
      a.sizes = split(value(), ',');
    else if (word == "--batches")
      a.batches = split(value(), ',');
    else if (word == "--types")
      a.types = split(value(), ',');
    else if (word == "--each")
      a.each = std::size_t(std::max(1, std::atoi(value().c_str())));
    else if (word == "--cache")
      a.cache = value();
    else if (word == "--size") {
      const std::vector<std::string> pair = split(value(), '=');
      if (pair.size() != 2) refuse("--size takes NAME=NUMBER");
      a.fixed[pair[0]] = std::atoi(pair[1].c_str());
    } else if (a.operation.empty() && word.compare(0, 1, "-") != 0)
      a.operation = word;
    else
      refuse("unknown argument '" + word + "'");
  }
  if (a.operation.empty()) refuse("which operation?");
  return a;
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
  const arguments a = parse(argc, argv);
  const std::shared_ptr<backend> device = a.device.empty() ? open_default_backend() : open_backend(a.device);
  const auto warn = std::make_shared<warner>();
  builder images(device, store::open(a.cache, warn), warn);
  std::printf("operation,type,N,batch,%s,ns,of_best,tried,placement\n", a.axis.c_str());
  for (const auto& type : a.types)
    for (const auto& size : a.sizes)
      for (const auto& batch : a.batches) try {
          problem p;
          p.sizes.insert(a.fixed.begin(), a.fixed.end());
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
