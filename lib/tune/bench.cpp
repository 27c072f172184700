#include "tune/bench.hpp"

#include <algorithm>
#include <cmath>

namespace glass::jit {
namespace {

constexpr double sample_seconds = 300e-6;  // launches of a sample are chosen so that it lasts about this long
constexpr int most_launches = 512;
constexpr double load_seconds = 10;       // loading launches once, with no problem
constexpr long long gate_problems = 259;  // odd: the last block is never full
constexpr std::size_t gate_bytes = 64u << 20, timing_bytes = 512u << 20;

// Tells a process that watches this one what runs on the device right now.
struct watched {
  watched(const tuning_options& o, const runner& r, double seconds) : to(o.watch) {
    if (to) to({r.row.decision_key, r.row.placement, seconds});
  }
  ~watched() {
    if (to) to({});
  }
  watched(const watched&) = delete;
  const std::function<void(const running_candidate&)>& to;
};

}  // namespace

void bench::prepare() {
  const std::size_t at_hand = device_.free_bytes() / 4;
  const auto fitting = [&](long long count, std::size_t limit) {
    while (count > 1 && workload::bytes_for(problem_, count) > std::min(limit, at_hand))
      count = count / 2 + (count & 1);
    if (workload::bytes_for(problem_, count) > at_hand)
      throw error(errc::out_of_memory, stage::tune, problem_.text() + ": too little free device memory to tune.");
    return count;
  };
  gate_ = std::make_unique<workload>(device_, problem_, fitting(gate_problems, gate_bytes), 1);
  timed_ = std::make_unique<workload>(device_, problem_, fitting(problem_.request.batch, timing_bytes), 1, true);
}

void bench::load(runner& r, const built& image) {
  const watched now(options_, r, load_seconds);
  r.image = device_.load(image.bytes, shape(r, std::max(gate_->count(), timed_->count())));
}

status bench::launch(const runner& r, workload& w, double seconds) {
  ++launches_;
  const watched now(options_, r, seconds);
  return device_.run(*r.image, shape(r, w.count()), w.arguments().data(), w.arguments().size(), seconds);
}

status bench::refer(const runner& r, double seconds) {
  for (const unsigned seed : {1u, 2u}) {
    if (seed > 1) gate_ = std::make_unique<workload>(device_, problem_, gate_->count(), seed);
    gate_->restore();
    if (const status s = launch(r, *gate_, seconds); !s.ok()) return s;
    reference_ = gate_->collect();
    if (!reference_.overrun.empty())
      throw error(errc::wrong_result, stage::tune,
                  problem_.text() + ": the default placement " + r.row.placement + ": " + reference_.overrun);
    gate_->perturb();
    if (const status s = launch(r, *gate_, seconds); !s.ok()) return s;
    perturbed_ = gate_->collect();
    if ((comparable_ = any_comparable(problem_, reference_))) break;
  }
  return {};
}

status bench::compare(const runner& r, double seconds, std::string& disagrees) {
  gate_->restore();
  if (const status s = launch(r, *gate_, seconds); !s.ok()) return s;
  disagrees = disagreement(problem_, reference_, perturbed_, gate_->collect());
  return {};
}

timing bench::sample(const runner& r, int launches, double seconds) {
  launches_ += launches;
  const auto alone = clock_ ? std::unique_lock(*clock_) : std::unique_lock<std::shared_mutex>();
  const watched now(options_, r, seconds);
  return device_.time(*r.image, shape(r, timed_->count()), timed_->arguments().data(), timed_->arguments().size(),
                      problem_.request.measure, launches, seconds);
}

// Chooses the launches of a sample; the first sample of that length is dropped.
status bench::warm_up(runner& r, double seconds) {
  timing t = sample(r, 1, seconds);
  if (!t.status.ok()) return t.status;
  r.launches =
      static_cast<int>(std::clamp(std::ceil(sample_seconds / std::max(t.seconds, 1e-9)), 1.0, 1.0 * most_launches));
  return sample(r, r.launches, seconds).status;
}

}  // namespace glass::jit
