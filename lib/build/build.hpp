// The image for a key: memory, store, or the compiler. Source assembly, image keys, single flight in and across
// processes.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../backend/backend.hpp"
#include "../catalog/catalog.hpp"
#include "../store/store.hpp"

namespace glass::jit {

// The translation unit: constant includes, `#line 1 "NAME"`, the user's text unchanged, and the generated tail.
source assemble(const bound_problem&, const placement&);

// What the body of NVIDIA's device libraries calls there; of another body nothing.
std::vector<library_function> library_functions(const bound_problem&, const placement&);

// Says in one sentence what the user did wrong, from a compiler's log; keeps the user's own frames ("at line 7 of
// lm_step"). When the first error lies in the tail, prints side by side what the operand list hands over and what the
// text takes.
error explain_compile_failure(const error& raw, const bound_problem&, const source&);

struct built {
  std::string key;
  std::vector<unsigned char> bytes;
  bool compiled = false;  // by this call
  double compile_seconds = 0;
  bool quick = false;  // with the backend's options for a quick compile
};

// How much compiling a call may do. quick: with the backend's options that save time at the cost of the code's speed;
// such an image has a key of its own, stays in this process's memory and reaches no store.
enum class effort { none, quick, full };

struct build_counters {
  std::atomic<std::int64_t> compiles{0}, from_cache{0}, from_memory{0};
  std::atomic<double> compile_seconds{0};
};

class builder {
 public:
  builder(std::shared_ptr<backend>, std::shared_ptr<store>, std::shared_ptr<warner>);
  ~builder();
  // What makes the image of such a placement, with the versions of the libraries that it calls; "": it is not here.
  std::string compiler(const bound_problem&, const placement&);
  std::string key(const bound_problem&, const placement&);  // also when nothing is built yet; without a compiler: ""
  // The image. effort::none: throws errc::refused when it is not at hand. A row found but implausible is dropped and
  // made again. Where there is no compiler, or none may run, the newest stored image of the same material but the
  // compiler is used.
  built get(const bound_problem&, const placement&, effort = effort::full);
  // Several at once, at most backend::compile_slots() at a time; `done(i, built or error)` is called as each ends, from
  // any thread. `beside`: other work is under way, and these compiles give way to it (threads of low priority), and
  // stop before the next one once it is set.
  struct job {
    const bound_problem* problem;
    jit::placement placement;
  };
  using ended = std::function<void(std::size_t, const built*, const error*)>;
  void get_all(const std::vector<job>&, const ended& done, const std::atomic<bool>* beside = nullptr);
  void get_all(const bound_problem&, const std::vector<placement>&, const ended& done,
               const std::atomic<bool>* beside = nullptr);
  void forget(const std::string& key);  // a refused image: out of memory and store
  const build_counters& counters() const { return counters_; }
  std::function<void(const bound_problem&, const placement&, const built&)> compiled = {};  // told of each compile
  double waiting_seconds = 60;  // for another process that compiles the same image; then this one compiles too

 private:
  struct implementation;
  std::unique_ptr<implementation> self_;
  build_counters counters_;
};

}  // namespace glass::jit
