// The race: the default placement first, then challengers in the order the model gives, compiled in parallel, timed one
// at a time. How they stand and what is written down: standings.hpp; what an earlier race left: journal.hpp.
#include <algorithm>

#include "tune/standings.hpp"

namespace glass::jit {
namespace {

constexpr std::size_t shortlist_length = 16;  // candidates that a budget names
constexpr std::size_t candidates_without_limit = 1 << 20;
constexpr int screening_rounds = 3, least_rounds = 9, most_rounds = 41;
constexpr double lost = 1.25, near = 1.10;  // × the best: dropped while screening; raced again at the end
constexpr int most_discarded = 5;           // disturbed rounds, then they count
constexpr double first_deadline = 10;       // seconds: nothing is known yet

class race {
 public:
  race(backend& device, builder& build, store& rows, warner& warn, const bound_problem& problem,
       const tuning_options& options, const std::string& key, const std::string& material, company* beside)
      : device_(device),
        build_(build),
        problem_(problem),
        options_(options),
        beside_(beside),
        bench_(device, problem, options, beside ? &beside->clock : nullptr),
        journal_(rows, key, options.retry_killed),
        board_(rows, warn, problem, options),
        runners_(board_.runners) {
    board_.result.row = unmeasured_row(problem, device, key, material);
  }

  decision run() {
    line_up();
    const std::size_t together = static_cast<std::size_t>(std::max(1, device_.compile_slots()));
    const std::size_t ready = compile_beside_default(together);
    run_default();
    std::size_t next = 1;
    double slowest_compile = runners_[0].row.compile_seconds;
    // What was compiled beside the default is measured in any case: that takes milliseconds.
    while (bench_.comparable() && next < runners_.size() && (next < ready || board_.time_for(slowest_compile))) {
      stop_if_asked();
      std::vector<runner*> some;
      const std::size_t end = next < ready ? ready : runners_.size();
      for (; next < end && some.size() < together; ++next) {
        if (journal_.risky(runners_[next].row.placement) && !some.empty()) break;
        if (!seen_before(runners_[next])) some.push_back(&runners_[next]);
      }
      screen(compile(some));
      for (const runner* r : some) slowest_compile = std::max(slowest_compile, r->row.compile_seconds);
    }
    stop_if_asked();
    board_.result.row.complete = next == runners_.size();
    race_libraries();
    finish();
    board_.result.launches = bench_.launches();
    return board_.decide(build_);
  }

 private:
  double deadline() {
    const double best = board_.best_ns() * 1e-9 * static_cast<double>(bench_.problems());
    return best > 0 ? std::max(1.0, options_.deadline_factor * best) : first_deadline;
  }

  // The default, then the shortlist (or, in an exhaustive race, all that is legal).
  void line_up() {
    const device_description& d = device_.device();
    board_.add(examine(problem_, d, default_placement(problem_, d)));
    const std::size_t most = options_.mode == tune_mode::exhaustive ? candidates_without_limit : shortlist_length;
    for (auto& c : shortlist(candidates(problem_, d), most))
      if (c.placement.text() != runners_[0].row.placement && runners_.size() < most) board_.add(std::move(c));
    // What may end this process comes last: all others are measured by then.
    std::stable_partition(runners_.begin() + 1, runners_.end(),
                          [&](const runner& r) { return !journal_.risky(r.row.placement); });
    board_.result.resumed = journal_.resumed(), board_.result.total = static_cast<int>(runners_.size());
    for (const auto& [placement, reason] : journal_.found(board_.standard().row.placement))
      board_.warn(state::killed, placement, placement + ": " + reason);
  }

  // Last, and only while the budget has room for one more: library.cpp says why.
  void race_libraries() {
    const double seconds = library_seconds(problem_);
    if (seconds <= 0 || !bench_.comparable() || !board_.time_for(seconds)) return;
    for (auto& c : library_candidates(problem_, device_, board_.best_ns())) {
      if (!board_.time_for(seconds)) return;
      stop_if_asked();
      runner& r = board_.add(std::move(c));
      ++board_.result.total;
      if (!seen_before(r)) screen(compile({&r}));
    }
  }

  const std::atomic<bool>* stop() const { return beside_ ? &beside_->stop : nullptr; }
  // Between candidates only: nothing is begun that would have to be undone.
  void stop_if_asked() {
    if (!options_.stop || !options_.stop()) return;
    for (auto& r : runners_)
      if (r.row.state == state::timing) board_.commit(r, state::ok);  // without samples: begun anew
    throw error(errc::interrupted, stage::tune, problem_.text() + ": tuning was stopped.",
                "What was measured is kept; a later run goes on from there.");
  }

  static void note_image(runner& r, const built& image) {
    r.row.image_key = image.key;
    if (image.compiled) r.row.compile_seconds = image.compile_seconds;
  }

  // What an earlier run found out is not found out again. True: nothing is left to do before the final rounds.
  bool seen_before(runner& r) {
    const journal::earlier was = journal_.of(r.row.placement);
    if (was == journal::earlier::nothing) return false;
    if (was == journal::earlier::settled) {
      r.row = journal_.row(r.row.placement);
      return board_.done(r), true;
    }
    if (was == journal::earlier::measured) {
      r.row = journal_.row(r.row.placement);
      if (r.time().median > lost * board_.best_ns()) return board_.done(r), true;
      r.row.ns.clear();  // its samples were taken beside others, of another process
    }
    stop_if_asked();
    for (const auto& [runner, image] : compile({&r})) {
      bench_.restore();
      if (try_out(*runner, image, was)) screen_rounds({runner});
    }
    return true;
  }

  // Where several compiles run at once, the first challengers cost no time of their own. Their images wait in the
  // builder's memory; what fails here fails again, with its reason, when its turn comes. The number of runners readied.
  std::size_t compile_beside_default(std::size_t together) {
    const std::size_t some = board_.budget() > 0 ? std::min(together, runners_.size()) : 1;
    if (some < 2 && !beside_) return 1;
    std::vector<placement> list;
    for (std::size_t i = 0; i < some; ++i) list.push_back(runners_[i].what.placement);
    build_.get_all(
        problem_, list,
        [&](std::size_t i, const built* b, const error*) {
          if (b) note_image(runners_[i], *b);  // each i once: no two threads write one runner
        },
        stop());
    return some;
  }

  void run_default() {
    runner& r = board_.standard();
    built image;
    stop_if_asked();
    try {
      image = build_.get(problem_, r.what.placement);
    } catch (const error&) {
      stop_if_asked();
      throw;
    }
    note_image(r, image);
    bench_.prepare();
    board_.commit(r, state::running);
    bench_.load(r, image);
    must(bench_.refer(r, deadline()));
    if (!bench_.comparable())
      board_.warn("data", "",
                  "the default placement's results on the tuning data are not finite; nothing is compared with it. "
                  "Give its operands a kind or a filling function that suits them.");
    bench_.restore();
    r.racing = true;
    must(bench_.warm_up(r, deadline()));
    for (int i = 0; i < screening_rounds; ++i) one_round({&r});
    board_.measured(r);
  }
  void must(const status& s) {
    if (s.ok()) return;
    board_.commit(board_.standard(), s.code() == errc::hang ? state::hang : state::failed, s.message());
    throw error(
        s.code(), stage::tune,
        problem_.text() + ": the default placement " + board_.standard().row.placement + " failed: " + s.message());
  }

  // Those that compile, with their images. Nothing is timed meanwhile: get_all returns when the last compile has ended.
  using images = std::vector<std::pair<runner*, built>>;
  images compile(const std::vector<runner*>& some) {
    std::vector<placement> placements;
    for (const runner* r : some) placements.push_back(r->what.placement);
    std::vector<built> made(some.size());
    std::vector<std::string> reasons(some.size());
    std::vector<char> short_of_memory(some.size());
    build_.get_all(
        problem_, placements,
        [&](std::size_t i, const built* b, const error* e) {
          made[i] = b ? *b : built{};
          reasons[i] = b ? "" : e->message();
          short_of_memory[i] = e && e->code() == errc::out_of_memory;
        },
        stop());
    stop_if_asked();  // a signal to the whole group of processes ends compilers too: not the candidates' fault
    images list;
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (short_of_memory[i])
        board_.pass_over(*some[i], reasons[i]);
      else if (!reasons[i].empty())
        board_.drop(*some[i], state::failed, reasons[i]);
      else
        list.emplace_back(some[i], std::move(made[i]));
    }
    return list;
  }

  void screen(const images& some) {
    std::vector<runner*> passed;
    if (!some.empty()) bench_.restore();
    for (const auto& [r, image] : some) {
      stop_if_asked();
      if (try_out(*r, image, journal::earlier::nothing)) passed.push_back(r);
    }
    if (!passed.empty()) screen_rounds(passed);
  }

  // The first launches of a candidate, as a rule the only ones that it makes as `running`: load, gate, warm up.
  bool try_out(runner& r, const built& image, journal::earlier was) {
    board_.commit(r, state::running, journal_.strike(r.row.placement));
    try {
      note_image(r, image);
      bench_.load(r, image);
    } catch (const error& e) {
      board_.drop(r, state::failed, e.message());
      if (e.code() == errc::device_lost) throw;
      return false;
    }
    if (const std::string reason = examine_usage(r.image->usage(), r.what, device_.device()); !reason.empty())
      return board_.drop(r, state::failed, reason), false;
    r.racing = true;
    if ((was != journal::earlier::measured && !agrees(r)) || !warm_up(r)) return false;
    if (was == journal::earlier::nothing || was == journal::earlier::measured) board_.commit(r, state::timing);
    return true;
  }

  bool agrees(runner& r) {
    std::string reason;
    if (const status s = bench_.compare(r, deadline(), reason); !s.ok()) return failed(r, s), false;
    if (!reason.empty()) board_.drop(r, state::wrong, reason);
    return reason.empty();
  }
  void failed(runner& r, const status& s) {
    const bool lost_before = s.code() == errc::device_lost && hung_;  // by the one that hangs
    if (lost_before) board_.commit(r, state::timing);
    if (&r == &board_.standard() && !lost_before) must(s);
    hung_ = hung_ || s.code() == errc::hang;
    if (!lost_before) board_.drop(r, s.code() == errc::hang ? state::hang : state::failed, s.message());
    if (s.code() == errc::device_lost)
      throw error(
          s.code(), stage::tune,
          problem_.text() + ": " + (lost_before ? "" : r.row.placement + " took the device down: ") + s.message());
  }

  bool warm_up(runner& r) {
    const status s = bench_.warm_up(r, deadline());
    if (!s.ok()) failed(r, s);
    return s.ok();
  }

  // One sample of each, kept unless something disturbed the round.
  void one_round(const std::vector<runner*>& list) {
    std::vector<std::pair<runner*, double>> samples;
    bool disturbed = false;
    for (runner* r : list) {
      if (!r->racing) continue;
      const timing t = bench_.sample(*r, r->launches, deadline());
      if (!t.status.ok())
        failed(*r, t.status);
      else
        samples.emplace_back(r, t.seconds * 1e9 / static_cast<double>(bench_.problems()));
      disturbed = disturbed || t.disturbed;
    }
    if (disturbed && discarded_++ < most_discarded) return one_round(list);
    for (const auto& [r, ns] : samples) r->row.ns.push_back(ns);
  }

  // A few rounds beside the default and the best so far; clear losers leave at once.
  void screen_rounds(std::vector<runner*> list) {
    const std::vector<runner*> fresh = list;
    for (auto& r : runners_)
      if (&r == &board_.standard() || (r.racing && !r.row.ns.empty() && r.time().median <= board_.best_ns()))
        list.push_back(&r);
    for (int i = 0; i < screening_rounds; ++i) {
      one_round(list);
      const double best = board_.best_ns();
      for (runner* r : fresh)
        if (i > 0 && r->racing && *std::min_element(r->row.ns.begin(), r->row.ns.end()) > lost * best)
          r->racing = false;
    }
    for (runner* r : fresh)  // others failed while they were timed
      if (r->row.state == state::running || r->row.state == state::timing) board_.measured(*r);
  }

  // Near ties and the default again, until they are told apart.
  void finish() {
    std::vector<runner*> list = board_.ranking();
    const runner *const fastest = list[0], *const ours = best_of_ours(list);
    const auto stays = [&](const runner* r) {
      return r == &board_.standard() || (r == ours && from_library(fastest->what.placement));
    };
    list.erase(std::remove_if(
                   list.begin(), list.end(),
                   [&](runner* r) { return !stays(r) && r != fastest && r->time().median > near * board_.best_ns(); }),
               list.end());
    bench_.restore();
    for (int i = 0; i < most_rounds; ++i) {
      if (!board_.time_for(0) && i >= least_rounds / 2) break;
      one_round(list);
      if (i < least_rounds - 1) continue;
      const auto ranked = board_.ranking();
      const summary best = ranked[0]->time();
      list.erase(std::remove_if(list.begin(), list.end(),
                                [&](runner* r) { return !stays(r) && r != ranked[0] && r->time().low > best.high; }),
                 list.end());
      const bool told_apart =
          std::all_of(list.begin(), list.end(), [&](runner* r) { return r == ranked[0] || r->time().low > best.high; });
      if (told_apart) break;
    }
    for (runner* r : list)
      if (r->racing) board_.commit(*r, state::ok);
  }

  backend& device_;
  builder& build_;
  const bound_problem& problem_;
  const tuning_options& options_;
  company* const beside_;
  bench bench_;
  const journal journal_;
  standings board_;
  std::vector<runner>& runners_;  // of the board
  int discarded_ = 0;
  bool hung_ = false;  // a launch passed its deadline and may still run
};

}  // namespace

decision tune(backend& device, builder& build, store& rows, warner& warn, const bound_problem& problem,
              const tuning_options& options, const std::string& key, const std::string& material, company* beside) {
  return race(device, build, rows, warn, problem, options, key, material, beside).run();
}

}  // namespace glass::jit
