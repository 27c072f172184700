// The body `nvidia`: which placements it takes. Everything else about it is in the rows.
#include <algorithm>

#include "catalog/catalog.hpp"

namespace glass::jit {

bool has_library_body(const operation_description& d) { return !d.calls.empty(); }

bool uses_cub(const operation_description& d) { return has_library_body(d) && d.calls.front().library == "cub"; }

std::vector<std::string> body_names(const operation_description& d) {
  std::vector<std::string> all = d.bodies;
  if (has_library_body(d)) all.push_back(library_body);
  return all;
}

std::string no_library_body(const bound_problem& p, const placement& q, const std::string& backend) {
  if (!from_library(q)) return {};
  if (backend != "cuda") return "NVIDIA's device libraries are for NVIDIA GPUs.";
  if (uses_cub(p.description)) {
    if (!q.is_block() && q.scope != "warp") return "CUB reduces in warps and blocks: scope=warp, or scope=block32 ….";
    if (q.is_block() && q.pack > 1) return "a block of CUB's takes one problem.";
    return {};
  }
  if (!q.is_block() || q.home != "shared")
    return "NVIDIA's functions work as a block, on operands that are staged: scope=block32 … home=shared.";
  if (!p.slots.empty()) return "NVIDIA's functions are made for sizes that are known: no run-time sizes.";
  if (q.variant != "fused") return "NVIDIA's functions are called by one kernel: variant=fused.";
  for (const bound_operand& o : p.operands) {
    const access how = o.what->access;
    if (how == access::scalar || how == access::info || how == access::workspace) continue;
    const std::string who = "operand '" + o.what->name + "' ";
    if (o.elements() == 0) return who + "is empty: there is nothing to call a function for.";
    if (o.what->order != order::col || !o.natural_ld)
      return who + "is not packed by columns, as NVIDIA's functions are called here.";
    if (q.pack > 1 && (o.what->broadcast || o.shape.empty()))
      return who + "is not one for each problem: NVIDIA's functions take several problems only so.";
  }
  if (q.pack > 32) return "pack=" + std::to_string(q.pack) + " is more than the 32 problems of a block of NVIDIA's.";
  if (q.pack > 1)
    for (const library_call& c : p.description.calls)
      if (!c.several) return "this function of NVIDIA's takes one problem a block.";
  return {};
}

}  // namespace glass::jit
