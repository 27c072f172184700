// An operation described (built-in rows and users' kernels alike), and a problem: an operation with sizes, type and
// options fixed.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "glass/jit/operand.hpp"

namespace glass::jit {

// The value of a size: fixed now, or `up_to(32)`: any value up to the bound, given later by kernel::with.
struct size_value {
  int value = 0;
  bool bound = false;
  size_value() = default;
  size_value(int n) : value(n) {}
};
inline size_value up_to(int n) {
  size_value s(n);
  s.bound = true;
  return s;
}

// A size parameter of an operation. Listed only to give a default or a range; sizes that appear in shapes need no row.
struct size_parameter {
  std::string name = {};
  int fallback = -1;  // -1: must be given, or follows fallback_size
  int least = 0, most = 1 << 20;
  std::string fallback_size = {};  // another size whose value is taken when this one is not given
};

// A choice of the caller that changes the meaning, e.g. {"TRANS", {"glass::Trans::no", "glass::Trans::yes"}}. The first
// is the default. In a problem and in expressions a value is written by its last name: {"TRANS", "yes"}, TRANS==yes.
struct option {
  std::string name = {};
  std::vector<std::string> values = {};
};

// A choice of the tuner that does not change the meaning: {"UNROLL", {1, 2, 4}}, {"BODY", {"glass::Body::fragment",
// …}}.
struct tunable {
  struct value {
    std::string text;
    value(int n) : text(std::to_string(n)) {}
    value(const char* s) : text(s) {}
    value(std::string s) : text(std::move(s)) {}
  };
  std::string name = {};
  std::vector<value> values = {};  // the first is the default
};

// A legality rule: where `when` holds, `require` must hold, or the candidate is illegal with `reason`. Expressions of
// sizes, options and tunables by name, and of: width (lanes of the scope), pack, bytes (of the type), home, body, scope
// (thread, tile8, warp, block: any block<N>), backend, arch (90 for sm_90; 0 on the host), run_time_sizes (how many
// sizes are up_to). A rule whose `when` names bodies does not hold for the body `nvidia` unless it names that.
struct rule {
  std::string when = {};  // empty: always
  std::string require = {};
  std::string reason = {};  // one sentence
};

// Where `when` holds on a GPU, this placement is the untuned default: the first that is legal, before any rule of
// thumb. Expressions of sizes and options by name, and of bytes, arch, batch (the class: 1, 4, 16 … 16384),
// run_time_sizes.
struct usual {
  std::string when = {};       // empty: always
  std::string placement = {};  // "scope=tile8 pack=16 body=rows"
};

// A function of NVIDIA's device libraries that the body `nvidia` of an operation calls, where they are installed. Sizes
// and switches are expressions of what extents know.
struct library_call {
  std::string library = {};             // "cusolverdx", "cublasdx"
  std::string function = {};            // as the library calls it: "posv"; cublasdx: "mm"
  std::vector<std::string> sizes = {};  // M, N, K as the library counts them
  std::string upper = {}, right = {};   // of a triangle; empty: no
  std::string unit = {};                // its diagonal is 1
  std::string transposed = {}, transposed_b = {};
  std::string workspace = {};  // numbers of scratch that the operation has for it; empty: none
  bool several = true;         // takes several problems of a block at once

  library_call triangle(std::string is_upper, std::string on_the_right, std::string is_unit) && {
    upper = std::move(is_upper), right = std::move(on_the_right), unit = std::move(is_unit);
    return std::move(*this);
  }
  library_call transposed_if(std::string condition) && {
    transposed = std::move(condition);
    return std::move(*this);
  }
};

// One operation. The text (a user's) or the header (ours) defines a function template NAME<options…, tunables…>(scope,
// operands…).
struct operation_description {
  std::string name = {};      // of the function; built-ins: in namespace glass
  std::string text = {};      // device source, unchanged; empty for built-ins
  std::string header = {};    // built-ins: "glass/factor/posv.cuh"
  std::string function = {};  // built-ins: the function, where it is not called as the row (a second form of copy)
  std::vector<operand> operands = {};
  std::vector<size_parameter> sizes = {};
  std::vector<option> options = {};
  std::vector<tunable> tunables = {};
  // variant=split: functions that are launched one after the other instead of NAME, each with its template arguments
  // and operands; scratch operands then lie in global memory, in the workspace. The last one returns info.
  std::vector<std::string> stages = {};
  // Values of glass::Body this operation has; empty: no Body argument. The body `stream` takes several problems of a
  // block scope, pack of them, one after the other: its matrices and vectors are then glass::several<View>.
  std::vector<std::string> bodies = {};
  // Of these the ones that call no scope function under a condition on data. Their tiles go in step: shuffles and syncs
  // name the whole warp, and the compiler needs no second copy of the code for warps that are not together
  // (scope::others::in_step). With home=shared, tiles without a problem make the same calls on what lies there.
  std::vector<std::string> in_step = {};
  // Not empty: the operation has the body `nvidia` too, of a block whose operands are staged: the function template
  // glass::linked::NAME of `linked`, a header of glass, which calls these. Never a default.
  std::vector<library_call> calls = {};
  std::string linked = {};
  // Bytes of a block's exchange memory beyond the 48 KB of a kernel's own, which its launch then gives: an expression of
  // what rules know but backend and arch. The scope is block<N, Reserve> with so many. Empty: none.
  std::string exchange = {};
  std::vector<rule> rules = {};
  std::vector<usual> defaults = {};
  std::string flops = {}, bytes = {};  // expressions of the sizes, per problem; empty: from the operands
  double bound = 0;                    // error bound in eps, normwise (0: the gate measures a tolerance)
  int revision = 1;                    // of a built-in row: part of the decision key
  std::string contract = {};           // one paragraph, for `glass ops`
};

// How a candidate is timed; part of the decision key.
enum class measure { throughput, latency, graph };
const char* name(measure) noexcept;

struct problem {
  std::map<std::string, size_value> sizes = {};
  scalar_type type = scalar_type::f32;
  long long batch = 1;  // expected count: chooses the batch class; a launch may have any count
  std::map<std::string, std::string> options = {};  // {"TRANS", "yes"}
  jit::measure measure = jit::measure::throughput;
};

}  // namespace glass::jit
