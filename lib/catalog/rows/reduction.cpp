// Reductions. flops and bytes are those of the contract; a rule says in one sentence why a body does not take a
// placement.
#include <limits>

#include "catalog/rows/rows.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit::rows {
namespace {

const option sum_option = {"SUM", {"glass::Sum::fast", "glass::Sum::fixed"}};

// The body `nvidia`: WarpReduce and BlockReduce of CUB. Sums whose order is fixed are ours.
library_call cub_call() {
  library_call c;
  c.library = "cub";
  return c;
}
constexpr const char* cub_header = "glass/nvidia/cub.cuh";
const rule cub_has_its_order = {"body==nvidia", "SUM==fast",
                                "SUM=fixed fixes the order of the additions, and CUB has its own."};

operation_description reduction(std::string name, std::string header, std::vector<operand> operands, std::string flops,
                                std::string bytes, std::string contract) {
  operation_description d;
  d.name = std::move(name), d.header = "glass/reduce/" + std::move(header) + ".cuh", d.operands = std::move(operands);
  if (d.header != "glass/reduce/softmax.cuh" && d.header != "glass/reduce/prefix_sum.cuh")
    d.calls = {cub_call()}, d.linked = cub_header;
  d.sizes = {{.name = "N"}}, d.flops = std::move(flops), d.bytes = std::move(bytes), d.contract = std::move(contract);
  return d;
}
// Halves from -2 to 2, a NaN now and then: ties, and what the extremes skip.
operand with_ties(operand o) {
  return std::move(o).filled([](double* x, std::size_t n, long long problem) {
    for (std::size_t i = 0; i < n; ++i) {
      const long long k = static_cast<long long>(i) * 7 + problem * 5;
      x[i] = k % 11 == 3 ? std::numeric_limits<double>::quiet_NaN() : 0.5 * static_cast<double>(k % 9 - 4);
    }
  });
}

void add_sums(table& all) {
  all.push_back(
      reduction("reduce", "sum", {in("x", {"N"}), out("r", {1})}, "N", "bytes*(N+1)",
                "r = sum of x[i]; 0 for N = 0. SUM=fixed: the additions depend on N only, not on the scope."));
  all.push_back(reduction("asum", "sum", {in("x", {"N"}), out("r", {1})}, "N", "bytes*(N+1)",
                          "r = sum of |x[i]|; 0 for N = 0. SUM=fixed: the additions depend on N only."));
  all.push_back(reduction("nrm1_diff", "sum", {in("x", {"N"}), in("y", {"N"}), out("r", {1})}, "2*N", "bytes*(2*N+1)",
                          "r = sum of |x[i] - y[i]|; 0 for N = 0. SUM=fixed: the additions depend on N only."));
  for (auto& d : all) d.options = {sum_option}, d.rules = {cub_has_its_order};
  for (const char* name : {"nrm2", "vector_norm"})
    all.push_back(
        reduction(name, "norm", {in("x", {"N"}), out("r", {1})}, "2*N", "bytes*(N+1)",
                  "r = sqrt(sum of x[i]^2), scaled: no overflow or underflow unless the result has it. NaN if "
                  "one is NaN, else Inf if one is infinite; 0 for N = 0. nrm2 and vector_norm are one."));
}

void add_extremes(table& all) {
  all.push_back(reduction("reduce_min", "extreme", {with_ties(in("x", {"N"})), out("r", {1})}, "N", "bytes*(N+1)",
                          "r = the smallest x[i]. NaN is ignored; NaN only if all are NaN; Inf for N = 0."));
  all.push_back(reduction("reduce_max", "extreme", {with_ties(in("x", {"N"})), out("r", {1})}, "N", "bytes*(N+1)",
                          "r = the largest x[i]. NaN is ignored; NaN only if all are NaN; -Inf for N = 0."));
  all.push_back(reduction("infnorm", "extreme", {in("x", {"N"}), out("r", {1})}, "N", "bytes*(N+1)",
                          "r = the largest |x[i]|; NaN if one is NaN; 0 for N = 0."));
  const auto argument = [&](const char* name, const char* contract) {
    all.push_back(reduction(name, "argument",
                            {with_ties(in("x", {"N"})), out("index", {1}).typed(i32), out("value", {1})}, "N",
                            "bytes*(N+2)", contract));
  };
  argument("argmax",
           "The largest x[i] and its index (i32). NaN is skipped, of equal values the lowest index wins (-0 = +0); all "
           "NaN: 0 and NaN; N = 0: 0 and -Inf.");
  argument(
      "argmin",
      "The smallest x[i] and its index (i32). NaN is skipped, of equal values the lowest index wins (-0 = +0); all "
      "NaN: 0 and NaN; N = 0: 0 and Inf.");
  argument("iamax",
           "The largest |x[i]| and its index (i32). NaN is skipped, of equal values the lowest index wins; all NaN: 0 "
           "and NaN; N = 0: 0 and 0.");
  const auto pair = [&](const char* name, const char* contract) {
    all.push_back(reduction(name, "argument",
                            {with_ties(in("keys", {"N"})), in("indices", {"N"}, kind::index).typed(i32),
                             out("index", {1}).typed(i32), out("key", {1})},
                            "N", "bytes*(2*N+2)", contract));
  };
  pair("argmax_pair",
       "The largest of keys and its entry of indices (i32). A NaN key or index -1 (0xffffffff) is no candidate; of "
       "equal "
       "keys the lowest index wins; without a candidate: -1 and -Inf. In a kernel also of one pair a lane.");
  pair("argmin_pair",
       "The smallest of keys and its entry of indices (i32). A NaN key or index -1 (0xffffffff) is no candidate; of "
       "equal keys the lowest index wins; without a candidate: -1 and Inf. In a kernel also of one pair a lane.");
}

void add_soft_maxima(table& all) {
  all.push_back(reduction(
      "softmax", "softmax", {scalar("alpha", 0.5), in("x", {"N"}), out("y", {"N"}), out("max", {1}), out("sum", {1})},
      "4*N", "bytes*(2*N+2)",
      "y[i] = exp(alpha x[i] - max) / sum, max the largest alpha x[i], sum the sum of the "
      "exponentials; alpha < 0 turns costs into weights. -Inf weighs 0; any NaN, any Inf, or all -Inf "
      "(of alpha x): all NaN. alpha always multiplies: 0 times NaN is NaN."));
  all.push_back(reduction("logsumexp", "softmax", {scalar("alpha", 0.5), in("x", {"N"}), out("r", {1})}, "4*N",
                          "bytes*(N+1)",
                          "r = max + log(sum of exp(alpha x[i] - max)). NaN if one is NaN, else Inf if one is Inf; all "
                          "-Inf, or N = 0: -Inf. alpha always multiplies: 0 times NaN is NaN."));
  all.push_back(
      reduction("path_weights", "softmax",
                {scalar("lambda", 0.5), in("cost", {"N"}), out("w", {"N"}), out("baseline", {1}),
                 out("normaliser", {1}), out("ess", {1})},
                "6*N", "bytes*(2*N+3)",
                "w[i] = exp(-(cost[i] - baseline) / lambda), baseline the least cost, not normalised; "
                "normaliser = sum of w, ess = normaliser^2 / sum of w^2. Costs NaN and Inf weigh 0; without any "
                "other, all is 0. lambda > 0."));
}

void add_prefix_sums(table& all) {
  all.push_back(reduction("prefix_sum_inclusive", "prefix_sum", {in("x", {"N"}), out("y", {"N"})}, "N", "bytes*2*N",
                          "y[i] = x[0] + ... + x[i]. NaN and Inf propagate to what follows them."));
  all.push_back(reduction("prefix_sum_exclusive", "prefix_sum", {in("x", {"N"}), out("y", {"N"})}, "N", "bytes*2*N",
                          "y[i] = x[0] + ... + x[i-1], y[0] = 0. NaN and Inf propagate to what follows them."));
}

}  // namespace

table reduction_rows() {
  table all;
  add_sums(all);
  add_extremes(all);
  add_soft_maxima(all);
  add_prefix_sums(all);
  all.push_back({.name = "dot",
                 .header = "glass/vector/dot.cuh",
                 .operands = {in("x", {"N"}), in("y", {"N"}), out("r", {1})},
                 .sizes = {{.name = "N"}},
                 .options = {sum_option},
                 .calls = {cub_call()},
                 .linked = cub_header,
                 .rules = {cub_has_its_order},
                 .defaults = {{"batch<=256 && bytes==8 && N>8 && N<=16", "scope=tile8 pack=8"},
                              {"batch<=256 && bytes==8 && N>16 && N<=64", "scope=warp pack=4"},
                              {"batch<=256 && N<=16", "scope=tile4 pack=8"},  // a lane for every 16 to 32 bytes
                              {"batch<=256 && N<=32", "scope=tile8 pack=4"},
                              {"batch<=256 && N<=64", "scope=tile16 pack=2"},
                              {"batch<=256", "scope=warp"},
                              {"N<=16", "scope=tile4 pack=32"},
                              {"N<=32", "scope=tile8 pack=16"},
                              {"N<=96", "scope=tile16 pack=8"},
                              {"", "scope=warp pack=4"}},
                 .flops = "2*N",
                 .bytes = "bytes*(2*N+1)",
                 .contract =
                     "r = sum of x[i] y[i]. x and y are read, r holds one number per problem; an empty sum is 0, "
                     "NaN and Inf propagate. SUM=fixed: the additions depend on N only, not on the scope."});
  all.push_back({.name = "dot_strided",
                 .header = "glass/vector/dot.cuh",
                 .operands = {in("x", {1, "N"}).leading("SX"), in("y", {1, "N"}).leading("SY"), out("r", {1})},
                 .options = {sum_option},
                 .flops = "2*N",
                 .bytes = "bytes*(2*N+1)",
                 .contract =
                     "r = sum of x[i SX] y[i SY]: dot of vectors with increments SX and SY (1 unless given). In a "
                     "kernel also dot_strided_coalesced, the same, and dot_fast, dot with SUM=fast."});
  size_parameter sx, sy;
  sx.name = "SX", sx.fallback = 1, sy.name = "SY", sy.fallback = 1;
  all.back().sizes = {{.name = "N"}, sx, sy};
  return all;
}

}  // namespace glass::jit::rows
