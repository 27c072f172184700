// From a placement to a kernel that can be launched: the image within the effort allowed, the load, once per image.
#pragma once
#include <map>
#include <mutex>
#include <shared_mutex>

#include "build/build.hpp"
#include "runtime/kernel_state.hpp"
#include "runtime/observer.hpp"

namespace glass::jit {

class loader {
 public:
  using problem = std::shared_ptr<const bound_problem>;
  using state = std::shared_ptr<const detail::kernel_state>;
  loader(std::shared_ptr<backend>, std::shared_ptr<store>, const std::shared_ptr<warner>&, observer&);

  // `beside`: called by the background, which stops when it is set and compiles at low priority. An image that the
  // device refuses is forgotten and, where that is allowed, made again once. Throws errc::refused where the image would
  // take more than `most`.
  state make(const problem&, detail::verdict, effort most, const std::atomic<bool>* beside = nullptr);

  builder& images() { return builder_; }
  std::shared_mutex quiet;  // a clock holds it alone, compiling shares it: nothing is timed beside a compile
  std::atomic<std::int64_t> loads{0};

 private:
  using code = std::shared_ptr<const loaded_image>;
  built image(const bound_problem&, const placement&, effort most, const std::atomic<bool>* beside);
  built compile_beside(const bound_problem&, const placement&, const std::atomic<bool>& stop);
  code load(const bound_problem&, const detail::verdict&, const built&);

  std::shared_ptr<backend> device_;
  observer& observer_;
  builder builder_;
  std::mutex mutex_;
  std::map<std::string, code> loaded_;  // by image key and shape
};

}  // namespace glass::jit
