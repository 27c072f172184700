// A runtime on the scripted device, with a cache in a folder of its own.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "glass/jit.hpp"
#include "support/scale.hpp"

namespace glass::jit::testing {

class Scripted : public ::testing::Test {
 protected:
  Scripted() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder = std::filesystem::temp_directory_path() / ("glass_jit_" + std::to_string(getpid()) + "_" + test->name());
    std::filesystem::remove_all(folder);
    device = fresh_device();
    options.cache = folder.string();
    options.tuning_from_environment = false;
    options.tuning.budget_seconds = 60;
    options.warning = [this](const std::string& w) { warnings.push_back(w); };
  }
  ~Scripted() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  std::shared_ptr<fake_backend> fresh_device() {
    auto d = std::make_shared<fake_backend>();
    d->compute = scale_code();
    d->script = [this](const std::string& label) {
      const auto it = ns.find(label);
      behaviour b = it == ns.end() ? behaviour{.ns = 20} : it->second;
      return b;
    };
    return d;
  }
  // A new process, as far as the library can tell: a new device object and a new runtime over the same folder.
  runtime start(tune_mode mode = tune_mode::first_use) {
    device = changed_device ? changed_device() : fresh_device();
    options.tuning.mode = mode;
    return runtime(device, options);
  }
  kernel get(runtime& rt, int n = 8, long long batch = 1024) { return rt.compile(scale(), scale_problem(n, batch)); }

  std::filesystem::path folder;
  std::map<std::string, behaviour> ns;  // by placement; the others take 20 ns
  std::vector<std::string> warnings;
  std::shared_ptr<fake_backend> device;
  std::function<std::shared_ptr<fake_backend>()> changed_device;
  runtime_options options;
};

}  // namespace glass::jit::testing
