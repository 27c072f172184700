// How the candidates of a race stand: who takes part, who is fastest, what time is left, and what is written down about
// each, in the store and for who watches. What is run and when is search.cpp's.
#pragma once
#include "tune/bench.hpp"
#include "tune/journal.hpp"

namespace glass::jit {

class standings {
 public:
  standings(store&, warner&, const bound_problem&, const tuning_options&);

  std::vector<runner> runners;  // the default placement first
  decision result;              // its row as unmeasured_row makes it, until decide

  runner& add(candidate);
  runner& standard() { return runners.front(); }
  double best_ns() const;
  std::vector<runner*> ranking();  // those that may win, fastest first; the default is always among them

  double budget() const { return budget_; }  // seconds, may be infinite
  bool time_for(double seconds) const;       // within the budget

  void commit(runner&, const char* state, const std::string& reason = {});
  void done(runner&);  // counts it by its state, and tells who watches
  void measured(runner& r) { commit(r, state::ok), done(r); }
  void drop(runner&, const char* state, const std::string& reason);  // out of this race and of later ones
  void pass_over(runner&, const std::string& reason);  // by a fault of the moment, which the store does not remember
  void warn(const std::string& kind, const std::string& placement, const std::string& sentence);
  decision decide(builder&);  // who wins, written down

 private:
  double elapsed() const;

  store& store_;
  warner& warn_;
  const bound_problem& problem_;
  const tuning_options& options_;
  const double start_, budget_;
};

}  // namespace glass::jit
