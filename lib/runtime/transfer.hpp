// What the verdicts of one device cost on another: over the problems that B decided, the time on B of the placement that
// A's decisions name, over the time on B of the placement that B chose. Only what was measured on B counts: a cell whose
// placement B has no time for is listed with the reason.
#pragma once
#include <string>
#include <vector>

#include "glass/jit/runtime.hpp"
#include "store/store.hpp"

namespace glass::jit {

// One device's decisions, each with the candidates of its race.
struct measured_device {
  std::string backend, target, fingerprint, power_class;
  struct decided {
    decision_row row;
    std::vector<candidate_row> candidates;
  };
  std::vector<decided> decisions;

  std::string text() const;  // "cuda sm_87 sm=16 …, power class nvpmodel=MODE_15W"
  bool same_as(const measured_device& o) const { return fingerprint == o.fingerprint && power_class == o.power_class; }
};
// The devices of all these, those with most decisions first. Decisions that may no longer be used stay out; of several
// of one problem the one with the newest set of candidates, then the newest, is taken.
std::vector<measured_device> devices_of(std::vector<measured_device::decided>);

// A problem that B decided, and what A says of it.
struct transfer_cell {
  std::string problem;     // "posv N=12 NRHS=1 f32 batch=4096", with options and measure
  tier how = tier::exact;  // exact: A decided it too; nearby_batch, nearby_shape: what A decided of others
  std::string origin;      // of those: "batch=1024", "N=16"
  std::string placement, own_placement;  // A's and B's
  double ns = 0, own_ns = 0;             // on B, per problem: medians
  double default_ns = 0;                 // on B, of the default placement; 0: not known
  std::string why;                       // empty, or why it cannot be compared

  bool differs() const { return placement != own_placement; }
  double cost() const { return differs() ? ns / own_ns : 1; }
};

// Of the cells that can be compared.
struct transfer_cost {
  std::size_t problems = 0, differ = 0, compared = 0;  // problems: all, compared or not
  // 95 % of the cells cost no more than `percentile_95` (the least cost for which this is so). 0 where none was compared.
  double geometric_mean = 0, percentile_95 = 0, worst = 0;
};

struct transfer {
  std::vector<transfer_cell> cells;   // dearest first, then those that cannot be compared
  std::vector<std::string> unserved;  // problems of B for which A has no decision of the operation at all
  transfer_cost exact, nearby_batch, nearby_shape;
  transfer_cost untuned;  // B's default placement in place of A's, over the exact cells that are compared
};
// What a process on B finds in A's decisions, by the rules of lookup (related.hpp).
transfer transfer_between(const measured_device& a, const measured_device& b);

}  // namespace glass::jit
