// Images made ahead, for a device that need not be here: which ones a runtime there will ask for, and compiling them
// side by side into the store. No decision is written: what the model alone picks stays a choice of the model.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "build/build.hpp"
#include "catalog/catalog.hpp"
#include "store/store.hpp"

namespace glass::jit {

struct wanted_image {
  jit::placement placement;
  std::string
      reason;  // "exact", "other_device (from sm_87 nvpmodel=MAXN clocks=free)", "runner-up", "default", "model"
};
// What a runtime on `device` with these decisions takes, first choice first: the decision that it finds and its
// runner-up, else the model's best `model_best`; and the default placement, the last resort of every mode.
std::vector<wanted_image> wanted_images(const bound_problem&, const device_description&, store&,
                                        std::size_t model_best);

struct prewarm_progress {
  std::size_t done = 0, total = 0;
  std::string problem, placement;  // of the image that ended
  const built* image = nullptr;    // null: it failed
  const error* failure = nullptr;
};
struct prewarm_result {
  std::size_t images = 0, compiled = 0, known = 0;
  std::size_t bytes = 0;  // of all images, the known ones too
  struct failure {
    std::string problem, placement, reason;
  };
  std::vector<failure> failures;
  std::vector<builder::job> made;  // with pointers to the problems given
};
// Images of all problems, each once: first those that decisions and defaults name, then the model's, so that an
// interrupted run has made what matters. One that is in the store is not made again. Throws errc::no_compiler and
// compiler_too_old before anything is done. `progress` is called one at a time.
prewarm_result prewarm(std::shared_ptr<backend>, std::shared_ptr<store>, std::shared_ptr<warner>,
                       const std::vector<bound_problem>&, std::size_t model_best,
                       const std::function<void(const prewarm_progress&)>& progress = {});

// How many of these images a store does not hold: asked of one that is opened anew, what a full disk did not take.
std::size_t count_missing(backend&, store&, const std::vector<builder::job>& made);

// How many compiles at once stay within `bytes` of memory.
int compiles_within(long long bytes);

}  // namespace glass::jit
