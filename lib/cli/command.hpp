// What the commands share: how a problem is named on the command line, the device and tuning options, and how results
// are printed.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "catalog/catalog.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit::cli {

using json = nlohmann::ordered_json;

// OP or --source/--spec, --size, --option, --type, --batch, --measure.
struct problem_arguments {
  std::string operation, source, spec, type, measure;
  std::vector<std::string> sizes, options;
  long long batch = 0;  // 0: not given
  void add_to(CLI::App&);
  operation_description description() const;
  bool built_in() const { return !operation.empty(); }
  problem read() const;  // a batch not given is 1
};

// --device, --placement.
struct device_arguments {
  std::string device, placement;
  void add_to(CLI::App&);
  std::optional<jit::placement> named() const;
};

// --tune, --budget, --progress.
struct tuning_arguments {
  std::string mode, budget;
  bool progress = false;
  void add_to(CLI::App&);
  void apply(runtime_options&) const;
};

std::shared_ptr<backend> open_device(const std::string& id);  // "": GLASS_DEVICE, else the default
kernel get_kernel(runtime&, const operation_description&, bool built_in, const problem&,
                  const std::optional<placement>&);

// "name=value", the name and the value not empty.
std::pair<std::string, std::string> named_value(const std::string& text, const std::string& option);
double number_of(const std::string& text, const std::string& what);
double seconds_of(const std::string& text);     // "2s", "500ms", "3m"
long long bytes_from(const std::string& text);  // "500M", "2G", "4096"

void print(const json&);                                              // to stdout, indented
void print_table(const std::vector<std::vector<std::string>>& rows);  // columns aligned; the first row is the heading
std::string size_text(std::int64_t bytes);                            // "1.5 MB"
std::string number_text(double v, int digits = 3);

// Each adds its command to the program; the returned action runs it and gives the exit status.
using action = std::function<int()>;
action add_info(CLI::App&);
action add_ops(CLI::App&);
action add_run(CLI::App&);
action add_eval(CLI::App&);
action add_tune(CLI::App&);
action add_prewarm(CLI::App&);
action add_cache(CLI::App&);
action add_cache_sql(CLI::App& cache);
action add_report(CLI::App&);
action add_table(CLI::App&);
action add_advise(CLI::App&);
action add_transfer(CLI::App&);

}  // namespace glass::jit::cli
