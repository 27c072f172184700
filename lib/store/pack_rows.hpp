// The rows of a cache folder or a pack as they go into another pack: what is chosen, checked, and which of two is better.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "store/pack.hpp"
#include "store/place.hpp"

namespace glass::jit {

// A cache folder, or a pack; only read.
class row_source {
 public:
  explicit row_source(const std::string& path);  // throws when there is neither
  row_source(const pack_source&, const std::vector<std::string>& keys);

  struct chosen {
    std::vector<std::string> decisions, images;  // keys
  };
  // All that a pack of this holds. `wanted`: only these decisions; empty: all. `operations`: of the images that belong to
  // no decision only those of these names; null: all. `targets`: of the images; empty: all.
  chosen choose(const std::function<bool(const decision_row&)>& wanted, const std::vector<std::string>* operations,
                const std::vector<std::string>& targets);

  // Nothing, and a note, for a damaged row.
  std::optional<decision_row> decision(const std::string& key);
  std::vector<candidate_row> evidence(const std::string& key);  // without those that were interrupted
  std::optional<image_row> image(const std::string& key);

  const std::string& name() const { return name_; }
  std::vector<std::string> notes;

 private:
  struct head {
    std::string target, kernel;
    bool current = true;  // made with the device headers of this glass
  };
  std::map<std::string, head> heads();

  std::string name_;
  bool packed_ = false;
  pack pack_;
  opened cache_;
  layer* rows_ = nullptr;
};

// "posv N=12 NRHS=1 f32 batch=4096"
std::string problem_of(const decision_row&);

// The order of decisions for one key; the smallest is the best. Valid before marked, then by rungs of 5 %, then the
// newest; the last makes it total, so that the best of several does not depend on how they are compared.
struct rank {
  bool marked = false;
  long rung = 0;
  std::string age;  // of its time, reversed: a later time is smaller
  std::string rest;
  bool better_than(const rank& r) const { return std::tie(marked, rung, age) < std::tie(r.marked, r.rung, r.age); }
  friend bool operator<(const rank& a, const rank& b) {
    return std::tie(a.marked, a.rung, a.age, a.rest) < std::tie(b.marked, b.rung, b.age, b.rest);
  }
};
rank rank_of(const decision_row&, const std::vector<candidate_row>& evidence);

}  // namespace glass::jit
