// What goes into a decision besides the race: its place among others, and what a set of samples says.
#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "tune/tune.hpp"

namespace glass::jit {

summary summarize(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const auto n = static_cast<double>(samples.size());
  const auto at = [&](double rank) { return samples[static_cast<std::size_t>(std::clamp(rank, 0.0, n - 1))]; };
  const double half =
      0.98 * std::sqrt(n);  // order statistics that hold the median with 95 %, whatever the distribution
  return {samples.size() % 2 ? at(n / 2) : (at(n / 2 - 1) + at(n / 2)) / 2, at(std::floor(n / 2 - half)),
          at(std::ceil(n / 2 + half) - 1)};
}

decision_row unmeasured_row(const bound_problem& p, backend& device, const std::string& key,
                            const std::string& material) {
  const device_description& d = device.device();
  decision_row row;
  row.key = key, row.material = material;
  row.identity = p.identity, row.sizes = p.sizes_text(), row.options = p.options_text();
  row.type = name(p.request.type), row.measure = name(p.request.measure), row.batch_class = p.batch_class;
  row.backend = d.backend, row.target = d.target, row.fingerprint = d.fingerprint(), row.power_class = d.power_class;
  row.candidate_set = std::to_string(candidate_set_revision);
  row.driver = d.driver, row.created = utc_now();
  try {
    row.compiler = device.compiler();
  } catch (const error&) {  // the images are all in the cache
  }
  return row;
}

}  // namespace glass::jit
