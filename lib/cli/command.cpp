// Reading of problems, devices, numbers; printing of tables. One sentence for everything that cannot be read.
#include "cli/command.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <unistd.h>

#include "base/text.hpp"
#include "catalog/spec.hpp"
#include "cli/progress.hpp"

namespace glass::jit::cli {
namespace {

[[noreturn]] void refuse(errc code, const std::string& message, const std::string& hint = {}) {
  throw error(code, stage::source, message, hint);
}

template <class E>
E choice(const std::string& word, std::initializer_list<E> all, const std::string& what) {
  std::vector<std::string> known;
  for (const E e : all) {
    if (word == name(e)) return e;
    known.emplace_back(name(e));
  }
  refuse(errc::unknown_name, what + " " + word + " does not exist." + did_you_mean(word, known),
         "Choices are " + join(known, ", ") + ".");
}

int integer_of(const std::string& text, const std::string& what) {
  int n = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (problem == std::errc::result_out_of_range) refuse(errc::invalid_argument, what + ": " + text + " is too large.");
  if (problem != std::errc() || end != text.data() + text.size())
    refuse(errc::invalid_argument, what + ": '" + text + "' is not an integer.");
  return n;
}

// A number and its unit, one of `units` (name, factor).
double with_unit(const std::string& text, const std::vector<std::pair<std::string, double>>& units,
                 const std::string& what) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  std::vector<std::string> known;
  for (const auto& [unit, factor] : units) {
    if (digits > 0 && text.substr(digits) == unit) return number_of(text.substr(0, digits), what) * factor;
    if (!unit.empty()) known.push_back("1" + unit);
  }
  refuse(errc::invalid_argument, what + ": '" + text + "' is not understood.",
         "Write for example " + join(known, ", ") + ".");
}

}  // namespace

void problem_arguments::add_to(CLI::App& app) {
  app.add_option("OP", operation, "operation of the catalog (glass ops)");
  app.add_option("--source", source, "device source of a kernel of one's own");
  app.add_option("--spec", spec, "its description as JSON");
  app.add_option("--size", sizes, "a size: N=12, or N<=32 for any value up to 32")->allow_extra_args(false);
  app.add_option("--option", options, "an option: TRANS=yes")->allow_extra_args(false);
  app.add_option("--type", type, "f32, f64");
  app.add_option("--batch", batch, "number of problems");
  app.add_option("--measure", measure, "throughput, latency, graph");
}

operation_description problem_arguments::description() const {
  if (operation.empty() == spec.empty())
    refuse(errc::invalid_argument, "either an operation or --spec (with --source) says what to solve.",
           "'glass ops' lists the operations.");
  if (!operation.empty() && !source.empty())
    refuse(errc::invalid_argument, "--source goes with --spec, not with an operation.");
  return spec.empty() ? find_operation(operation) : description_from_files(source, spec);
}

problem problem_arguments::read() const {
  problem p;
  for (const auto& s : sizes) {
    const std::size_t bound = s.find("<=");
    const auto [n, v] =
        named_value(bound == std::string::npos ? s : s.substr(0, bound) + s.substr(bound + 1), "--size");
    if (p.sizes.count(n)) refuse(errc::invalid_argument, "--size " + n + " is given twice.");
    const int value = integer_of(v, "--size " + n);
    p.sizes[n] = bound == std::string::npos ? size_value(value) : up_to(value);
  }
  for (const auto& o : options) {
    const auto [n, v] = named_value(o, "--option");
    if (!p.options.insert({n, v}).second) refuse(errc::invalid_argument, "--option " + n + " is given twice.");
  }
  if (!type.empty()) p.type = choice(type, {f32, f64, i32}, "the type");
  if (!measure.empty())
    p.measure = choice(measure, {measure::throughput, measure::latency, measure::graph}, "the measurement mode");
  if (batch != 0) p.batch = batch;
  return p;
}

void device_arguments::add_to(CLI::App& app) {
  app.add_option("--device", device, "host, cuda:0 … (default: GLASS_DEVICE, else the first GPU, else the host)");
  app.add_option("--placement", placement, "run this one: \"scope=tile8 pack=16 home=shared\"");
}

std::optional<placement> device_arguments::named() const {
  if (placement.empty()) return std::nullopt;
  return placement::parse(placement);
}

void tuning_arguments::add_to(CLI::App& app) {
  app.add_option("--tune", mode,
                 "off, first_use, background, exhaustive, frozen (default: GLASS_TUNE, else first_use)");
  app.add_option("--budget", budget, "wall-clock time for tuning: 2s, 500ms");
  app.add_flag("--progress", progress, "draw the progress line even if stderr is no terminal");
}

void tuning_arguments::apply(runtime_options& o) const {
  if (!mode.empty()) {
    o.tuning.mode = choice(
        mode, {tune_mode::first_use, tune_mode::background, tune_mode::off, tune_mode::frozen, tune_mode::exhaustive},
        "the tuning mode");
    o.tuning_from_environment = false;
  }
  if (!budget.empty()) {
    o.tuning.budget_seconds = seconds_of(budget);
    o.tuning.process_budget_seconds = std::max(o.tuning.process_budget_seconds, o.tuning.budget_seconds);
  }
  if (progress || isatty(STDERR_FILENO)) o.tuning.progress = progress_line();
}

std::shared_ptr<backend> open_device(const std::string& id) {
  const std::string which = id.empty() ? environment("GLASS_DEVICE") : id;
  return which.empty() ? open_default_backend() : open_backend(which);
}

kernel get_kernel(runtime& rt, const operation_description& d, bool built_in, const problem& p,
                  const std::optional<placement>& named) {
  if (built_in) return named ? rt.operation(d.name, p, *named) : rt.operation(d.name, p);
  return named ? rt.compile(d, p, *named) : rt.compile(d, p);
}

std::pair<std::string, std::string> named_value(const std::string& text, const std::string& option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    refuse(errc::invalid_argument, option + " " + text + " is not of the form NAME=VALUE.");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

double number_of(const std::string& text, const std::string& what) {
  double v = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (problem != std::errc() || end != text.data() + text.size())
    refuse(errc::invalid_argument, what + ": '" + text + "' is not a number.");
  return v;
}

double seconds_of(const std::string& text) {
  return with_unit(text, {{"s", 1}, {"ms", 1e-3}, {"m", 60}, {"h", 3600}}, "a time");
}
long long bytes_from(const std::string& text) {
  if (const auto n = bytes_in(text)) return *n;
  refuse(errc::invalid_argument, "a number of bytes: '" + text + "' is not understood.",
         "Write for example 1K, 1M, 1G.");
}

void print(const json& j) { std::puts(j.dump(2, ' ', false, json::error_handler_t::replace).c_str()); }

void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c == widths.size()) widths.push_back(0);
      widths[c] = std::max(widths[c], row[c].size());
    }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += row[c] + (c + 1 < row.size() ? std::string(widths[c] - row[c].size() + 2, ' ') : "");
    std::puts(line.c_str());
  }
}

std::string size_text(std::int64_t bytes) {
  if (bytes < 10000) return std::to_string(bytes) + " B";
  const double kb = static_cast<double>(bytes) / 1024;
  const auto digits = [](double v) { return number_text(v, v < 1000 ? 3 : 4); };
  return kb < 10000            ? digits(kb) + " kB"
         : kb < 10000.0 * 1024 ? digits(kb / 1024) + " MB"
                               : digits(kb / 1024 / 1024) + " GB";
}

std::string number_text(double v, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, v);
  return text;
}

}  // namespace glass::jit::cli
