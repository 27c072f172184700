// What a set of samples says: the median, and an interval that needs no distribution.
#include <algorithm>
#include <cmath>

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

}  // namespace glass::jit
