// A race of `scale` on the scripted device: what each placement costs and does is told by its text.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scale.hpp"
#include "tune/tune.hpp"

namespace glass::jit {

using testing::behaviour;
using testing::fake_backend;

class Search : public ::testing::Test {
 protected:
  Search() {
    device->compute = testing::scale_code();
    options.budget_seconds = 60;
    standard = default_placement(problem, device->description).text();
    for (const auto& c : candidates(problem, device->description))
      if (c.illegal.empty() && c.placement.text() != standard) others.push_back(c.placement.text());
  }
  // The default takes 10 ns, every other placement 20, those named what is said of them.
  void script(std::map<std::string, behaviour> named) {
    device->script = [this, named = std::move(named)](const std::string& label) {
      if (const auto it = named.find(label); it != named.end()) return it->second;
      return behaviour{.ns = label == standard ? 10.0 : 20.0};
    };
  }
  decision run() {
    builder build(device, rows, warn);
    return tune(*device, build, *rows, *warn, problem, options, "key", "material");
  }
  std::map<std::string, candidate_row> kept() {
    std::map<std::string, candidate_row> by_placement;
    for (auto& r : rows->candidates("key")) by_placement[r.placement] = r;
    return by_placement;
  }

  std::vector<std::string> warnings;
  std::shared_ptr<fake_backend> device = std::make_shared<fake_backend>();
  std::shared_ptr<warner> warn = std::make_shared<warner>([this](const std::string& w) { warnings.push_back(w); });
  std::shared_ptr<store> rows = store::open("memory", warn);
  bound_problem problem = bind(testing::scale(), testing::scale_problem(), false);
  tuning_options options;
  std::string standard;
  std::vector<std::string> others;  // by the model, best first
};

}  // namespace glass::jit
