// candidates -> measured decision. space: which placements are legal and why not; model: which come first; measure and
// search: what wins.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "../backend/backend.hpp"
#include "../build/build.hpp"
#include "../catalog/catalog.hpp"
#include "../store/store.hpp"
#include "glass/jit/tuning.hpp"

namespace glass::jit {

// ---- space (space.cpp) and model (model.cpp)
struct candidate {
  jit::placement placement;
  std::string illegal;      // empty: legal here; else one sentence
  double predicted_ns = 0;  // per problem, from the model
};
inline constexpr int candidate_set_revision =
    2;  // part of the decision key: raise when the list or its meaning changes
// Every placement considered for this problem on this device, legal ones first in order of predicted time; illegal ones
// say why.
std::vector<candidate> candidates(const bound_problem&, const device_description&);
// Of the legal ones `most`, of several kinds, in the order in which they should be measured.
std::vector<candidate> shortlist(std::vector<candidate> sorted, std::size_t most);
// One placement by name: normalised (body and tunables filled in with defaults, unknown ones an error), legality
// checked.
candidate examine(const bound_problem&, const device_description&, placement);
placement default_placement(const bound_problem&, const device_description&);  // always legal, from sizes alone
// After loading: a reason to disqualify (spills beyond reason, registers × threads above the limit), or "".
std::string examine_usage(const usage&, const candidate&, const device_description&);
launch_shape shape_of(const bound_problem&, const placement&, long long count);

// ---- bodies of NVIDIA's libraries (library.cpp): not among the candidates above, which are always there
// A body of a library is chosen only where it is faster than the best of ours by more than this.
inline constexpr double library_margin = 0.05;
// Those that could still be chosen where the best of ours takes `best_ns` a problem, the most promising first; none
// where the library is not there.
std::vector<candidate> library_candidates(const bound_problem&, backend&, double best_ns);
double library_seconds(const bound_problem&);  // that compiling one takes, about

// ---- measure (measure.cpp): buffers, the correctness gate, samples
// Operands filled for `count` problems by kind and seed, outputs poisoned, canaries around everything.
class workload {
 public:
  // `steady`: for timing, where a launch follows the other on its own results (data.hpp).
  workload(backend&, const bound_problem&, long long count, unsigned seed, bool steady = false);
  ~workload();
  workload(const workload&) = delete;
  void restore();                                       // inputs as filled, outputs poisoned
  void perturb();                                       // inputs moved by one unit in the last place
  const std::vector<unsigned char>& arguments() const;  // the glass::batch::arguments struct
  // What a run left in the written operands, as doubles, per operand and problem; and what is wrong with the canaries
  // ("" if nothing).
  struct outcome {
    std::vector<std::vector<double>> written;
    std::vector<bool> kept;  // per written operand: an spd or triangular one whose other triangle is as it was
    std::string overrun;
  };
  outcome collect();
  long long count() const;
  static std::size_t bytes_for(const bound_problem&, long long count);  // device memory that a workload takes

 private:
  struct implementation;
  std::unique_ptr<implementation> self_;
};
// "" if `got` agrees with `reference` within the tolerance (see cache rules, section 3), else one sentence with
// operand, problem and difference.
std::string disagreement(const bound_problem&, const workload::outcome& reference, const workload::outcome& perturbed,
                         const workload::outcome& got);
// Whether the default placement's own results are finite somewhere, so that there is something to compare with.
bool any_comparable(const bound_problem&, const workload::outcome& reference);

// ---- search (search.cpp)
struct decision {
  decision_row row;
  int measured = 0, failed = 0, killed = 0,
      total = 0;  // killed: skipped, for a process ended while they ran; in failed
  std::int64_t launches = 0;
  bool resumed = false;
};
// For a race that runs beside other work of the process.
struct company {
  const std::atomic<bool>& stop;  // set, as options.stop says then too: no further compile is begun
  std::shared_mutex& clock;       // held alone while a sample is taken; whoever compiles elsewhere shares it
};
// Races candidates within the budget; commits after each; resumes from the rows of an interrupted run (journal.hpp).
// Throws only when the default placement itself cannot be compiled or run, the device is lost, or options.stop says so.
decision tune(backend&, builder&, store&, warner&, const bound_problem&, const tuning_options&,
              const std::string& decision_key, const std::string& decision_material, company* = nullptr);

// A decision with all but its verdict: the problem, the device and the tools, as the nearby tiers look for them.
decision_row unmeasured_row(const bound_problem&, backend&, const std::string& key, const std::string& material);

// Median and a distribution-free interval of samples.
struct summary {
  double median = 0, low = 0, high = 0;
};
summary summarize(std::vector<double> samples);

}  // namespace glass::jit
