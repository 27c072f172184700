// The key of a decision, and the nearby tiers: decisions of other batch classes, shapes and devices, best first.
#pragma once
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "catalog/catalog.hpp"
#include "glass/jit/device.hpp"
#include "store/store.hpp"

namespace glass::jit {

// What a decision on a device is found by.
material decision_material(const bound_problem&, const device_description&);

inline constexpr std::size_t most_related = 4;  // decisions of other problems that are tried
struct related_decision {
  tier how = tier::nearby_batch;
  std::string origin;  // for why(): "batch=1024", "N=16", "sm_90, power 300 W"
  decision_row row;
};
// The problem that is asked for, and where it is to run.
struct wanted_decision {
  std::string sizes;
  int batch_class = 1;
  std::string backend, target, fingerprint, power_class;
};
// `rows`: of the same operation, type, options and measure. Those of another backend or with other size names are left
// out.
std::vector<related_decision> related(const wanted_decision&, const std::string& own_key,
                                      std::vector<decision_row> rows);
std::vector<related_decision> related(const bound_problem&, const device_description&, const std::string& own_key,
                                      std::vector<decision_row> rows);

}  // namespace glass::jit
