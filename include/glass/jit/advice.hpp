// Advice for a kernel that is written by hand: how a problem should be placed on a GPU that need not be here, from what
// was measured there or nearby. What glass::recommend answers at compile time, with its reason.
#pragma once
#include <cstddef>
#include <string>

#include "glass/jit/placement.hpp"
#include "glass/jit/problem.hpp"

namespace glass::jit {

struct advice {
  std::string problem;            // "posv N=12 NRHS=1 FACTOR=keep SHIFT=none f32 batch=256"
  std::string device;             // "sm_87 (Orin)"
  jit::placement placement;       // scope, body, home, tunables
  int threads = 0, problems = 0;  // of a block
  std::size_t shared_bytes = 0;   // of dynamic shared memory a block
  double ns = 0, gain = 1;        // expected, per problem; over the untuned placement
  tier how = tier::model;         // exact, nearby_batch, nearby_shape, other_device, model
  std::string layer;              // the cache, pack or "shipped" that it comes from; empty: the model
  std::string reason;             // one sentence
  std::string runner_up;          // the next best placement; empty: none is known
  double runner_up_ns = 0;        // 0: not known
  std::string text() const;       // some lines for people
};

// `device`: an architecture ("sm_87": whatever was measured on a GPU of it counts), a shipped profile or a profile's
// file. Looks through the cache of this machine, its packs and the decisions that come with glass, of all ways to
// measure; compiles and measures nothing. Throws as runtime::operation does for what it cannot read.
advice advise(const std::string& operation, const problem&, const std::string& device);

}  // namespace glass::jit
