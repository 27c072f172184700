// The device's side of a race: the problems to run on, what the default placement makes of them, and single launches
// and samples with their deadlines. What wins is decided in search.cpp.
#pragma once
#include "tune/tune.hpp"

namespace glass::jit {

// One placement in the race.
struct runner {
  jit::candidate what;
  candidate_row row;
  std::shared_ptr<const loaded_image> image;
  int launches = 1;
  bool racing = false;  // may still win
  summary time() const { return summarize(row.ns); }
};

// The fastest whose body is ours; there is one among those that race, for the default's is.
runner* best_of_ours(const std::vector<runner*>& ranked);
struct verdict {
  runner* winner;
  // The next best, one that left the race early too, for it is verified; of ours, for it takes the winner's place where
  // a library is missing. May be null.
  const runner* runner_up;
};
// Of all runners, the first of which is the default, and those that race, fastest first: the fastest body of ours that
// beats the default by more than noise and `margin`, unless a library's beats the best of ours by library_margin.
verdict judge(std::vector<runner>& all, const std::vector<runner*>& ranked, double margin);

class bench {
 public:
  // `clock`: held alone while a sample is taken, so that nothing compiles elsewhere in the process meanwhile.
  bench(backend& device, const bound_problem& problem, const tuning_options& options, std::shared_mutex* clock)
      : device_(device), problem_(problem), options_(options), clock_(clock) {}

  void prepare();                               // the workloads; throws errc::out_of_memory
  void load(runner&, const built&);             // throws errc::load_failed, too_large, device_lost
  status refer(const runner&, double seconds);  // what the default makes of the gate's data; throws errc::wrong_result
  bool comparable() const { return comparable_; }
  // A launch on the gate's data; `disagrees`: "", or a sentence that tells how its results differ from the default's.
  status compare(const runner&, double seconds, std::string& disagrees);
  void restore() { timed_->restore(); }  // the data that samples are taken on
  status warm_up(runner&, double seconds);
  timing sample(const runner&, int launches, double seconds);

  long long problems() const { return timed_ ? timed_->count() : 0; }  // of a sample
  std::int64_t launches() const { return launches_; }

 private:
  launch_shape shape(const runner& r, long long count) const { return shape_of(problem_, r.what.placement, count); }
  status launch(const runner&, workload&, double seconds);

  backend& device_;
  const bound_problem& problem_;
  const tuning_options& options_;
  std::shared_mutex* const clock_;
  std::unique_ptr<workload> gate_, timed_;
  workload::outcome reference_, perturbed_;
  bool comparable_ = true;
  std::int64_t launches_ = 0;
};

}  // namespace glass::jit
