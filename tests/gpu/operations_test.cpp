// Every catalog row, in every placement that is legal on this device, against the host backend's thread scope: f32 and
// f64, square and odd shapes, all options. A new row is picked up from the catalog.
#include <algorithm>
#include <set>

#include "backend/host/host.hpp"
#include "build/build.hpp"
#include "catalog/catalog.hpp"
#include "gpu_fixture.hpp"
#include "rows.hpp"
#include "tune/tune.hpp"

using namespace glass::jit;
using namespace glass::test;

namespace {

std::vector<std::map<std::string, std::string>> option_choices(const operation_description& d) {
  std::vector<std::map<std::string, std::string>> all = {{}};
  for (const auto& o : d.options) {
    std::vector<std::map<std::string, std::string>> more;
    for (const auto& chosen : all) {
      for (const auto& value : o.values) more.push_back(chosen), more.back()[o.name] = last_name(value);
    }
    all = std::move(more);
  }
  return all;
}

// Square with default options in a few sizes, and all options with every size different.
std::vector<problem> problems_of(const operation_description& d) {
  std::vector<problem> all;
  const auto names = sizes_of(d);
  for (const scalar_type t : {f32, f64}) {
    for (const int n : {1, 8, 17, 32, 33}) {
      problem p;
      for (const auto& name : names) p.sizes[name] = name == "NRHS" ? 1 : n;
      p.type = t, p.batch = 67;  // no multiple of any pack
      all.push_back(p);
    }
    for (const auto& options : option_choices(d)) {
      problem p;
      for (std::size_t i = 0; i < names.size(); ++i) p.sizes[names[i]] = 6 + int(i);
      p.options = options, p.type = t, p.batch = 67;
      all.push_back(p);
    }
  }
  return all;
}

struct gpu_operations : on_gpu, testing::WithParamInterface<std::string> {};

TEST_P(gpu_operations, agrees_with_the_host_in_every_placement) {
  const operation_description& d = find_operation(GetParam());
  static const auto host = open_host_backend();
  struct job {
    std::shared_ptr<const bound_problem> problem;
    placement where;
  };
  std::vector<job> jobs;
  std::vector<source> sources;
  for (const auto& p : problems_of(d)) {
    const auto bound = std::make_shared<const bound_problem>(bind(d, p, true));
    for (const auto& c : candidates(*bound, device().device())) {
      if (c.illegal.empty()) jobs.push_back({bound, c.placement}), sources.push_back(assemble(*bound, c.placement));
    }
  }
  ASSERT_FALSE(jobs.empty());
  const auto images = compile_all(device(), sources);

  const bound_problem* last = nullptr;
  workload::outcome reference, perturbed;
  std::set<std::string> scopes;
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const job& j = jobs[k];
    SCOPED_TRACE(j.problem->text() + " " + j.problem->options_text() + " " + j.where.text());
    ASSERT_EQ(images[k].trouble, "");
    const long long count = j.problem->request.batch;
    if (j.problem.get() != last) {
      last = j.problem.get();
      workload data(*host, *last, count, 7);
      const placement plain = default_placement(*last, host->device());
      const launch_shape shape = shape_of(*last, plain, count);
      const auto image = host->load(host->compile(assemble(*last, plain)).bytes, shape);
      const auto solve = [&] {
        host->run(*image, shape, data.arguments().data(), data.arguments().size(), 60).check();
        return data.collect();
      };
      data.restore();
      reference = solve();
      data.restore(), data.perturb();
      perturbed = solve();
    }
    workload data(device(), *last, count, 7);
    data.restore();
    const launch_shape shape = shape_of(*last, j.where, count);
    const auto image = device().load(images[k].image, shape);
    const status s = device().run(*image, shape, data.arguments().data(), data.arguments().size(), 60);
    ASSERT_TRUE(s.ok()) << s.message();
    const auto got = data.collect();
    EXPECT_EQ(got.overrun, "");
    EXPECT_EQ(disagreement(*last, reference, perturbed, got), "");
    scopes.insert(j.where.scope);
  }
  RecordProperty("placements", int(jobs.size()));
  if (is_cuda()) { EXPECT_GE(scopes.size(), 4u) << "too few scopes were legal for this to mean much"; }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& d : operations()) all.push_back(d.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(catalog, gpu_operations, testing::ValuesIn(names()),
                         [](const auto& info) { return info.param; });

}  // namespace
