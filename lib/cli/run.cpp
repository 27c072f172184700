// glass run: one problem through the runtime as a user would, then checked against another placement and timed beside
// the default one.
#include <cmath>
#include <cstdio>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "tune/tune.hpp"

namespace glass::jit::cli {
namespace {

struct arguments {
  problem_arguments problem;
  device_arguments device;
  tuning_arguments tuning;
  bool json = false;
};

constexpr double longest_launch = 60, sample_seconds = 5e-3;
constexpr int rounds = 11;  // the first is dropped
constexpr unsigned seed = 7;

struct contender {
  placement where;
  std::shared_ptr<const loaded_image> image;
  launch_shape shape;
};

class bench {
 public:
  bench(std::shared_ptr<backend> device, const bound_problem& p)
      : device_(std::move(device)),
        problem_(p),
        warn_(std::make_shared<warner>([](const std::string&) {})),  // the runtime has said it
        images_(device_, store::open(store::from_environment(), warn_), warn_) {}

  contender ready(const placement& where) {
    const launch_shape shape = shape_of(problem_, where, problem_.request.batch);
    return {where, device_->load(images_.get(problem_, where).bytes, shape), shape};
  }

  // Another legal placement to compare with: the default one, else one that differs in body, in scope, in anything.
  // None: `chosen` itself.
  placement reference_for(const placement& chosen) const {
    if (const placement d = default_placement(problem_, device_->device()); d != chosen) return d;
    placement best = chosen;
    int most = 0;
    for (const auto& c : candidates(problem_, device_->device())) {
      const int differs = !c.illegal.empty()                  ? 0
                          : c.placement.body != chosen.body   ? 3
                          : c.placement.scope != chosen.scope ? 2
                          : c.placement != chosen             ? 1
                                                              : 0;
      if (differs > most) most = differs, best = c.placement;
    }
    return best;
  }

  // "" when both give the same numbers, within what a change of the inputs by one unit in the last place does.
  std::string compare(const contender& chosen, const contender& reference) {
    workload data(*device_, problem_, problem_.request.batch, seed);
    const auto outcome = [&](const contender& c) {
      device_->run(*c.image, c.shape, data.arguments().data(), data.arguments().size(), longest_launch).check();
      return data.collect();
    };
    data.restore();
    const auto expected = outcome(reference);
    data.restore();
    data.perturb();
    const auto moved = outcome(reference);
    data.restore();
    const auto got = outcome(chosen);
    return got.overrun.empty() ? disagreement(problem_, expected, moved, got) : got.overrun;
  }

  // Medians of interleaved samples, seconds per launch.
  std::vector<summary> race(const std::vector<const contender*>& all) {
    workload data(*device_, problem_, problem_.request.batch, seed, true);
    data.restore();
    const auto sample = [&](const contender& c, int launches) {
      const timing t = device_->time(*c.image, c.shape, data.arguments().data(), data.arguments().size(),
                                     problem_.request.measure, launches, longest_launch);
      t.status.check();
      return t.seconds;
    };
    std::vector<int> launches;
    for (const contender* c : all) {
      sample(*c, 1);
      launches.push_back(
          static_cast<int>(std::clamp(std::ceil(sample_seconds / std::max(sample(*c, 20), 1e-9)), 1.0, 5000.0)));
    }
    std::vector<std::vector<double>> samples(all.size());
    for (int r = 0; r < rounds; ++r)
      for (std::size_t i = 0; i < all.size(); ++i)
        if (const double s = sample(*all[i], launches[i]); r > 0) samples[i].push_back(s);
    std::vector<summary> result;
    for (auto& s : samples) result.push_back(summarize(std::move(s)));
    return result;
  }

 private:
  std::shared_ptr<backend> device_;
  const bound_problem& problem_;
  std::shared_ptr<warner> warn_;
  builder images_;
};

int run(const arguments& a) {
  const operation_description d = a.problem.description();
  const problem p = a.problem.read();
  const bound_problem b = bind(d, p, a.problem.built_in());
  const auto named = a.device.named();
  const std::shared_ptr<backend> device = open_device(a.device.device);
  runtime_options o;
  a.tuning.apply(o);
  runtime rt(device, o);
  const kernel k = get_kernel(rt, d, a.problem.built_in(), p, named);
  const std::string first_answer = k.why();  // of mode background, which goes on from there
  rt.finish_background();
  const counters c = rt.counters();

  bench bench(device, b);
  const placement by_default = default_placement(b, device->device());
  const contender chosen = bench.ready(k.placement()), reference = bench.ready(bench.reference_for(chosen.where));
  const std::string wrong = chosen.where == reference.where ? "" : bench.compare(chosen, reference);
  if (!wrong.empty())
    throw error(
        error::parts{errc::wrong_result,
                     stage::tune,
                     b.text() + ": " + chosen.where.text() + " disagrees with " + reference.where.text() + ": " + wrong,
                     {},
                     {},
                     {},
                     {}});
  const std::string check = chosen.where == reference.where ? "there is no other placement to compare with"
                                                            : "agrees with " + reference.where.text();

  std::vector<const contender*> racing = {&chosen};
  if (by_default == reference.where) racing.push_back(&reference);
  const auto times = bench.race(racing);
  const double per = 1e9 / static_cast<double>(p.batch), ns = times[0].median * per,
               default_ns = times.back().median * per;
  const json result = {{"problem", b.text()},
                       {"device", device->device().id},
                       {"device_name", device->device().name},
                       {"placement", chosen.where.text()},
                       {"tier", name(k.tier())},
                       {"first_answer", first_answer},
                       {"ns_per_problem", ns},
                       {"ns_low", times[0].low * per},
                       {"ns_high", times[0].high * per},
                       {"gflops", b.flops / ns},
                       {"gigabytes_per_second", b.bytes / ns},
                       {"default_placement", by_default.text()},
                       {"default_ns_per_problem", default_ns},
                       {"speedup_over_default", default_ns / ns},
                       {"measure", name(p.measure)},
                       {"check", check},
                       {"compiles", c.compiles},
                       {"tuning_launches", c.tuning_launches},
                       {"startup_ms", c.startup_seconds * 1e3}};
  if (a.json) {
    print(result);
    return 0;
  }
  std::printf("%s on %s (%s)\n", b.text().c_str(), device->device().id.c_str(), device->device().name.c_str());
  print_table({{"placement", chosen.where.text()},
               {"tier", name(k.tier())},
               {"first answer", first_answer == k.why() ? "the same" : first_answer},
               {"time", number_text(ns, 4) + " ns a problem, " + number_text(b.flops / ns) + " GFLOP/s, " +
                            number_text(b.bytes / ns) + " GB/s"},
               {"default", number_text(default_ns / ns) + " times its time: " + by_default.text()},
               {"check", check},
               {"compiles", std::to_string(c.compiles)},
               {"tuning", std::to_string(c.tuning_launches) + " launches"},
               {"start-up", number_text(c.startup_seconds * 1e3) + " ms"}});
  return 0;
}

}  // namespace

action add_run(CLI::App& app) {
  CLI::App* sub = app.add_subcommand("run", "tune one problem if needed, check it, time it");
  const auto a = std::make_shared<arguments>();
  a->problem.add_to(*sub);
  a->device.add_to(*sub);
  a->tuning.add_to(*sub);
  sub->add_flag("--json", a->json, "print JSON");
  return [a] { return run(*a); };
}

}  // namespace glass::jit::cli
