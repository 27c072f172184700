// What each operation is (one row per built-in), and the checked combination of a description and a problem. Knows no
// compiler and no device.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "glass/jit/placement.hpp"
#include "glass/jit/problem.hpp"

namespace glass::jit {

// An extent worked out: a constant, or run-time slot `slot` (then `value` is its bound).
struct bound_extent {
  int value = 0;
  int slot = -1;
  bool fixed() const { return slot < 0; }
};

struct bound_operand {
  std::shared_ptr<const operand> what;  // owned, so that copies of a bound_problem stay valid
  scalar_type type = scalar_type::f32;
  std::vector<bound_extent> shape;
  bound_extent ld;      // of a matrix
  bound_extent stride;  // elements between problems (0: broadcast); value = its bound
  bool natural_ld = true, natural_stride = true;
  bool unspecified = false;    // written, but not to be compared
  int step = 1;                // of its fill, at the bounds
  long long elements() const;  // of one problem's storage: what one stride covers
  bool in_launch() const { return what->access != access::scratch; }  // an argument of launch
  bool in_body() const {                                              // an argument of the body
    return what->access != access::info && what->access != access::workspace;
  }
};

struct bound_problem {
  operation_description description;
  problem request;
  bool built_in = false;
  std::map<std::string, int> sizes;            // defaults filled in; bounds for up_to
  std::map<std::string, std::string> options;  // last names, defaults filled in
  std::vector<bound_operand> operands;         // those whose `when` holds, in order
  std::vector<std::string> slots;              // expression of run-time slot k (at most 8)
  std::string identity;              // built-in: "posv/1"; user: "lm_step/" + hash of text, operands, options, tunables
  double flops = 0, bytes = 0;       // per problem, at the bounds
  int batch_class = 1;               // 1, 4, 16 … 16384: the smallest power of 4 that is >= batch, 16384 at most
  std::string text() const;          // "posv N=12 NRHS=1 f32 batch=8192" (batch = the request's)
  std::string sizes_text() const;    // "N=12 NRHS=1", "N<=32" for up_to
  std::string options_text() const;  // "TRANS=yes"
  bool has_info() const;
  // The run-time slot values for given sizes; throws when one is missing, negative or above its bound.
  std::vector<int> slot_values(const std::map<std::string, int>& sizes) const;
};

// Checks everything and works out extents; throws errc::invalid_argument or unknown_name, naming the operand and the
// nearest valid choice.
bound_problem bind(const operation_description&, const problem&, bool built_in);

// Evaluates an expression for a bound problem. Known names: sizes (bounds of up_to), options, `bytes` (of the type),
// `run_time_sizes` (how many sizes are up_to), and those of `more`; a value that reads as an integer is a number, any
// other a word.
long long evaluate(const std::string& expression, const bound_problem&,
                   const std::map<std::string, std::string>& more = {});

// The reason of the first rule that a placement breaks, or "". Adds the placement's names: width, pack, home, body,
// scope (thread, tile8, warp, and `block` for every block<N>), backend, arch, and each tunable (the first value where
// the placement names none).
std::string broken_rule(const bound_problem&, const placement&, const std::string& backend, int arch);

// The body whose functions come from NVIDIA's device libraries (operation_description::calls).
inline constexpr const char* library_body = "nvidia";
inline bool from_library(const placement& q) { return q.body == library_body; }
bool has_library_body(const operation_description&);
bool uses_cub(const operation_description&);  // that body is one of headers (CUB), not of functions that are linked
inline bool uses_cub(const bound_problem& p, const placement& q) { return from_library(q) && uses_cub(p.description); }
std::vector<std::string> body_names(const operation_description&);  // ours, then that one
// Why the body of the library does not take this placement, or "".
std::string no_library_body(const bound_problem&, const placement&, const std::string& backend);

// Whether the operand lies in the block's shared memory: staged, or scratch that is not a lane's own array.
bool lies_in_group(const bound_operand&, const placement&);
// What a block's exchange takes of the launch's dynamic shared memory (operation_description::exchange).
std::size_t exchange_bytes(const bound_problem&, const placement&);
// Bytes of a block's dynamic shared memory for a placement, the same number that batch::group_bytes folds on the
// device: first exchange_bytes, then what lies in the group.
std::size_t group_bytes(const bound_problem&, const placement&);

// Where the scratch of variant=split lies in the workspace: operand after operand, each at the next multiple of 256
// bytes.
struct workspace_part {
  std::size_t operand, bytes;  // bytes: of one problem
  std::size_t of(long long count) const { return (bytes * static_cast<std::size_t>(count) + 255) / 256 * 256; }
};
std::vector<workspace_part> workspace_parts(const bound_problem&);  // none without stages

}  // namespace glass::jit
