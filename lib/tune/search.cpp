// The race: the default placement first, then challengers in the order the model gives, compiled in parallel, timed one
// at a time.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/text.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

constexpr std::size_t shortlist_length = 16;  // candidates that a budget names
constexpr std::size_t candidates_without_limit = 1 << 20;
constexpr double sample_seconds = 300e-6;  // launches of a sample are chosen so that it lasts about this long
constexpr int most_launches = 512;
constexpr int screening_rounds = 3, least_rounds = 9, most_rounds = 41;
constexpr double lost = 1.25, near = 1.10;  // × the best: dropped while screening; raced again at the end
constexpr int most_discarded = 5;           // disturbed rounds, then they count
constexpr double first_deadline = 10;       // seconds: nothing is known yet
constexpr long long gate_problems = 259;    // odd: the last block is never full
constexpr std::size_t gate_bytes = 64u << 20, timing_bytes = 512u << 20;
constexpr const char* earlier_crash = "hang or crash in an earlier run.";

// One placement in the race.
struct runner {
  jit::candidate what;
  candidate_row row;
  std::shared_ptr<const loaded_image> image;
  int launches = 1;
  bool racing = false;  // may still win
  summary time() const { return summarize(row.ns); }
};

class race {
 public:
  race(backend& device, builder& build, store& rows, warner& warn, const bound_problem& problem,
       const tuning_options& options, const std::string& key, const std::string& material)
      : device_(device),
        build_(build),
        store_(rows),
        warn_(warn),
        problem_(problem),
        options_(options),
        start_(seconds_now()) {
    result_.row = unmeasured_row(problem, device, key, material);
    budget_ = options.mode == tune_mode::exhaustive ? std::numeric_limits<double>::infinity() : options.budget_seconds;
  }

  decision run() {
    line_up();
    const std::size_t together = static_cast<std::size_t>(std::max(1, device_.compile_slots()));
    const std::size_t ready = compile_beside_default(together);
    run_default();
    std::size_t next = 1;
    double slowest_compile = runners_[0].row.compile_seconds;
    // What was compiled beside the default is measured in any case: that takes milliseconds.
    while (comparable_ && next < runners_.size() && (next < ready || elapsed() + slowest_compile < budget_)) {
      std::vector<runner*> some;
      const std::size_t end = next < ready ? ready : runners_.size();
      for (; next < end && some.size() < together; ++next)
        if (!seen_before(runners_[next])) some.push_back(&runners_[next]);
      compile(some);
      for (const runner* r : some) slowest_compile = std::max(slowest_compile, r->row.compile_seconds);
      screen(some);
    }
    result_.row.complete = next == runners_.size();
    finish();
    return decide();
  }

 private:
  double elapsed() const { return seconds_now() - start_; }
  runner& leader() { return runners_[0]; }  // the default placement
  double best_ns() {
    double best = leader().time().median;
    for (const auto& r : runners_)
      if (r.racing && !r.row.ns.empty()) best = std::min(best, r.time().median);
    return best;
  }
  double deadline() {
    const double best = best_ns() * 1e-9 * static_cast<double>(timed_ ? timed_->count() : 0);
    return best > 0 ? std::max(1.0, options_.deadline_factor * best) : first_deadline;
  }

  // The default, then the shortlist (or, in an exhaustive race, all that is legal).
  void line_up() {
    const device_description& d = device_.device();
    const auto add = [&](candidate c) {
      runner r;
      r.what = std::move(c), r.row.decision_key = result_.row.key, r.row.placement = r.what.placement.text();
      runners_.push_back(std::move(r));
    };
    add(examine(problem_, d, default_placement(problem_, d)));
    const std::string first = leader().row.placement;
    const std::size_t most = options_.mode == tune_mode::exhaustive ? candidates_without_limit : shortlist_length;
    for (auto& c : shortlist(candidates(problem_, d), most))
      if (c.placement.text() != first && runners_.size() < most) add(std::move(c));
    result_.total = static_cast<int>(runners_.size());
    for (auto& row : store_.candidates(result_.row.key)) earlier_[row.placement] = std::move(row);
    result_.resumed = !earlier_.empty();
  }

  void commit(runner& r, const char* state, const std::string& reason = {}) {
    r.row.state = state, r.row.reason = reason;
    store_.put_candidate(r.row);
  }
  void drop(runner& r, const char* state, const std::string& reason) {
    r.racing = false;
    ++result_.failed;
    commit(r, state, reason);
    if (r.row.state == "wrong")
      warn_("wrong " + result_.row.key + r.row.placement,
            problem_.text() + ": " + r.row.placement + " is disqualified: " + reason);
    progress();
  }

  static void note_image(runner& r, const built& image) {
    r.row.image_key = image.key;
    if (image.compiled) r.row.compile_seconds = image.compile_seconds;
  }

  // What an interrupted run found out is not found out again. True: nothing is left to do for this candidate before the
  // final rounds.
  bool seen_before(runner& r) {
    const auto it = earlier_.find(r.row.placement);
    if (it == earlier_.end() || (it->second.state == "ok" && it->second.ns.empty())) return false;
    r.row = it->second;
    if (r.row.state == "running") return drop(r, "hang", earlier_crash), true;
    if (r.row.state != "ok") return ++result_.failed, true;
    if (r.time().median > lost * best_ns()) return ++result_.measured, true;
    r.row.ns.clear();  // its samples were taken beside others
    compile({&r});
    if (!r.racing) return true;
    timed_->restore();
    if (warm_up(r)) screen_rounds({&r});
    return true;
  }

  // Where several compiles run at once, the first challengers cost no time of their own. Their images wait in the
  // builder's memory; what fails here fails again, with its reason, when its turn comes. The number of runners readied.
  std::size_t compile_beside_default(std::size_t together) {
    const std::size_t some = budget_ > 0 ? std::min(together, runners_.size()) : 1;
    if (some < 2) return 1;
    std::vector<placement> list;
    for (std::size_t i = 0; i < some; ++i) list.push_back(runners_[i].what.placement);
    build_.get_all(problem_, list, [&](std::size_t i, const built* b, const error*) {
      if (b) note_image(runners_[i], *b);  // each i once: no two threads write one runner
    });
    return some;
  }

  void run_default() {
    runner& r = leader();
    const built image = build_.get(problem_, r.what.placement);
    note_image(r, image);
    make_workloads();
    commit(r, "running");
    r.image = device_.load(image.bytes, shape(r, std::max(gate_->count(), timed_->count())));
    for (const unsigned seed : {1u, 2u}) {
      if (seed > 1) gate_ = std::make_unique<workload>(device_, problem_, gate_->count(), seed);
      gate_->restore();
      must(launch(r, *gate_));
      reference_ = gate_->collect();
      if (!reference_.overrun.empty())
        throw error(errc::wrong_result, stage::tune,
                    problem_.text() + ": the default placement " + r.row.placement + ": " + reference_.overrun);
      gate_->perturb();
      must(launch(r, *gate_));
      perturbed_ = gate_->collect();
      if ((comparable_ = any_comparable(problem_, reference_))) break;
    }
    if (!comparable_)
      warn_("data " + result_.row.key,
            problem_.text() +
                ": the default placement's results on the tuning data are not finite; nothing is compared with it. "
                "Give its operands a kind or a filling function that suits them.");
    timed_->restore();
    r.racing = true;
    warm_up(r);
    for (int i = 0; i < screening_rounds; ++i) one_round({&r});
    ++result_.measured;
    commit(r, "ok");
    progress();
  }
  void must(const status& s) {
    if (s.ok()) return;
    commit(leader(), s.code() == errc::hang ? "hang" : "failed", s.message());
    throw error(s.code(), stage::tune,
                problem_.text() + ": the default placement " + leader().row.placement + " failed: " + s.message());
  }

  void make_workloads() {
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

  launch_shape shape(const runner& r, long long count) const { return shape_of(problem_, r.what.placement, count); }

  status launch(const runner& r, workload& w) {
    ++result_.launches;
    return device_.run(*r.image, shape(r, w.count()), w.arguments().data(), w.arguments().size(), deadline());
  }

  // Nothing is timed meanwhile: get_all returns when the last compile has ended.
  void compile(const std::vector<runner*>& some) {
    std::vector<placement> placements;
    for (const runner* r : some) placements.push_back(r->what.placement);
    std::vector<built> images(some.size());
    std::vector<std::string> reasons(some.size());
    build_.get_all(problem_, placements, [&](std::size_t i, const built* b, const error* e) {
      images[i] = b ? *b : built{};
      reasons[i] = b ? "" : e->message();
    });
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (!reasons[i].empty())
        drop(*some[i], "failed", reasons[i]);
      else
        load(*some[i], images[i]);
    }
  }

  bool load(runner& r, const built& image) {
    note_image(r, image);
    commit(r, "running");  // loading launches once
    try {
      r.image = device_.load(image.bytes, shape(r, std::max(gate_->count(), timed_->count())));
    } catch (const error& e) {
      drop(r, "failed", e.message());
      if (e.code() == errc::device_lost) throw;
      return false;
    }
    const std::string reason = examine_usage(r.image->usage(), r.what, device_.device());
    r.racing = reason.empty();
    if (!r.racing) drop(r, "failed", reason);
    return r.racing;
  }

  void screen(const std::vector<runner*>& some) {
    std::vector<runner*> passed;
    for (runner* r : some)
      if (r->racing && agrees(*r)) passed.push_back(r);
    if (passed.empty()) return;
    timed_->restore();
    passed.erase(std::remove_if(passed.begin(), passed.end(), [&](runner* r) { return !warm_up(*r); }), passed.end());
    screen_rounds(passed);
  }

  bool agrees(runner& r) {
    gate_->restore();
    if (const status s = launch(r, *gate_); !s.ok()) return failed(r, s), false;
    const std::string reason = disagreement(problem_, reference_, perturbed_, gate_->collect());
    if (!reason.empty()) drop(r, "wrong", reason);
    return reason.empty();
  }
  void failed(runner& r, const status& s) {
    if (&r == &leader()) must(s);
    drop(r, s.code() == errc::hang ? "hang" : "failed", s.message());
    if (s.code() == errc::device_lost)
      throw error(s.code(), stage::tune,
                  problem_.text() + ": " + r.row.placement + " took the device down: " + s.message());
  }

  timing sample(runner& r, int launches) {
    result_.launches += launches;
    return device_.time(*r.image, shape(r, timed_->count()), timed_->arguments().data(), timed_->arguments().size(),
                        problem_.request.measure, launches, deadline());
  }

  // Chooses the launches of a sample; the first sample of that length is dropped.
  bool warm_up(runner& r) {
    timing t = sample(r, 1);
    if (t.status.ok()) {
      r.launches =
          static_cast<int>(std::clamp(std::ceil(sample_seconds / std::max(t.seconds, 1e-9)), 1.0, 1.0 * most_launches));
      t = sample(r, r.launches);
    }
    if (!t.status.ok()) failed(r, t.status);
    return t.status.ok();
  }

  // One sample of each, kept unless something disturbed the round.
  void one_round(const std::vector<runner*>& list) {
    std::vector<std::pair<runner*, double>> samples;
    bool disturbed = false;
    for (runner* r : list) {
      if (!r->racing) continue;
      const timing t = sample(*r, r->launches);
      if (!t.status.ok())
        failed(*r, t.status);
      else
        samples.emplace_back(r, t.seconds * 1e9 / static_cast<double>(timed_->count()));
      disturbed = disturbed || t.disturbed;
    }
    if (disturbed && discarded_++ < most_discarded) return one_round(list);
    for (const auto& [r, ns] : samples) r->row.ns.push_back(ns);
  }

  // A few rounds beside the default and the best so far; clear losers leave at once.
  void screen_rounds(std::vector<runner*> list) {
    const std::vector<runner*> fresh = list;
    for (auto& r : runners_)
      if (&r == &leader() || (r.racing && !r.row.ns.empty() && r.time().median <= best_ns())) list.push_back(&r);
    for (int i = 0; i < screening_rounds; ++i) {
      one_round(list);
      const double best = best_ns();
      for (runner* r : fresh)
        if (i > 0 && r->racing && *std::min_element(r->row.ns.begin(), r->row.ns.end()) > lost * best)
          r->racing = false;
    }
    for (runner* r : fresh) {
      if (r->row.state != "running") continue;  // failed while it was timed
      ++result_.measured;
      commit(*r, "ok");
      progress();
    }
  }

  // Near ties and the default again, until they are told apart.
  void finish() {
    std::vector<runner*> list = ranking();
    list.erase(std::remove_if(
                   list.begin(), list.end(),
                   [&](runner* r) { return r != &leader() && r != list[0] && r->time().median > near * best_ns(); }),
               list.end());
    timed_->restore();
    for (int i = 0; i < most_rounds; ++i) {
      if (elapsed() > budget_ && i >= least_rounds / 2) break;
      one_round(list);
      if (i < least_rounds - 1) continue;
      const auto ranked = ranking();
      const summary best = ranked[0]->time();
      list.erase(
          std::remove_if(list.begin(), list.end(),
                         [&](runner* r) { return r != &leader() && r != ranked[0] && r->time().low > best.high; }),
          list.end());
      const bool told_apart =
          std::all_of(list.begin(), list.end(), [&](runner* r) { return r == ranked[0] || r->time().low > best.high; });
      if (told_apart) break;
    }
    for (runner* r : list)
      if (r->racing) commit(*r, "ok");
  }

  // Those that may win, fastest first; the default is always among them.
  std::vector<runner*> ranking() {
    std::vector<runner*> list;
    for (auto& r : runners_)
      if (r.racing && !r.row.ns.empty()) list.push_back(&r);
    std::stable_sort(list.begin(), list.end(),
                     [](const runner* a, const runner* b) { return a->time().median < b->time().median; });
    return list;
  }

  decision decide() {
    runner* winner = &leader();
    const summary standard = winner->time();
    for (runner* r : ranking())  // the fastest that beats the default by more than noise and margin
      if (const summary s = r->time(); winner == &leader() && r != winner && s.high < standard.low &&
                                       s.median < standard.median * (1 - options_.margin))
        winner = r;
    decision_row& row = result_.row;
    const runner* second = nullptr;  // those that left the race early count too: they are verified
    for (const auto& r : runners_)
      if (&r != winner && r.row.state == "ok" && !r.row.ns.empty() &&
          (!second || r.time().median < second->time().median))
        second = &r;
    if (second) row.runner_up = second->row.placement;
    row.placement = winner->row.placement, row.image_key = winner->row.image_key;
    row.ns = winner->time().median, row.default_ns = standard.median,
    row.samples = static_cast<int>(winner->row.ns.size());
    store_.put_decision(row);
    return std::move(result_);
  }

  void progress() {
    if (!options_.progress) return;
    const auto ranked = ranking();
    tuning_progress p;
    p.problem = problem_.text(), p.done = std::min(result_.measured + result_.failed, result_.total),
    p.total = result_.total;
    if (!ranked.empty()) p.best = ranked[0]->row.placement, p.best_ns = ranked[0]->time().median;
    if (std::isfinite(budget_)) p.seconds_left = std::max(0.0, budget_ - elapsed());
    options_.progress(p);
  }

  backend& device_;
  builder& build_;
  store& store_;
  warner& warn_;
  const bound_problem& problem_;
  const tuning_options& options_;
  const double start_;
  double budget_ = 0;
  std::vector<runner> runners_;
  std::map<std::string, candidate_row> earlier_;  // by placement
  std::unique_ptr<workload> gate_, timed_;
  workload::outcome reference_, perturbed_;
  bool comparable_ = true;
  int discarded_ = 0;
  decision result_;
};

}  // namespace

decision tune(backend& device, builder& build, store& rows, warner& warn, const bound_problem& problem,
              const tuning_options& options, const std::string& key, const std::string& material) {
  return race(device, build, rows, warn, problem, options, key, material).run();
}

}  // namespace glass::jit
