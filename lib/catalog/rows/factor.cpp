// Factorisations and solves. flops and bytes are those of the contract; a rule says in one sentence why a body does not
// take a placement.
#include <cmath>

#include "catalog/rows/factor_defaults.hpp"
#include "catalog/rows/rows.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit::rows {

namespace {
// Row swaps as getrf gives them: piv[k] in k ... elements - 1.
void row_swaps(double* piv, std::size_t elements, long long problem) {
  for (std::size_t k = 0; k < elements; ++k)
    piv[k] = static_cast<double>(k + (7 * k + 5 + static_cast<std::size_t>(problem)) % (elements - k));
}
// A matrix whose columns are outweighed by the entry `By` rows below the diagonal (round the end): well conditioned,
// and with By > 0 every step of an elimination swaps rows.
template <int By>
void dominant(double* a, std::size_t elements, long long problem) {
  std::size_t n = 0;
  while ((n + 1) * (n + 1) <= elements) ++n;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t mixed = (i * 131 + j * 37 + static_cast<std::size_t>(problem) * 1009) * 2654435761u % 65536;
      a[i + j * n] = static_cast<double>(mixed) / 32768 - 1 + ((j + By) % n == i ? static_cast<double>(n + 1) : 0);
    }
}
// Factors L and U, or L and D, that are well conditioned: the diagonal outweighs everything, with both signs.
void factors(double* a, std::size_t elements, long long problem) {
  dominant<0>(a, elements, problem);
  std::size_t n = 0;
  while ((n + 1) * (n + 1) <= elements) ++n;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) a[i + j * n] *= (i == j && j % 3 == 1 ? -1.0 : 1.0) / static_cast<double>(n);
}
// A vector of length 1/256 or less: what L (kind::lower) can lose often.
void little(double* x, std::size_t elements, long long problem) {
  for (std::size_t i = 0; i < elements; ++i) {
    const std::size_t mixed = (i * 131 + static_cast<std::size_t>(problem) * 1009 + 7) * 2654435761u % 65536;
    x[i] = (static_cast<double>(mixed) / 32768 - 1) / (256 * std::sqrt(static_cast<double>(elements)));
  }
}
operand square(std::string name, access how, void (*fill)(double*, std::size_t, long long)) {
  return make_operand(std::move(name), how, {"N", "N"}).filled(fill);
}
operand swaps_out() { return out("piv", {"N"}).typed(i32); }
operand swaps_in() { return in("piv", {"N"}).typed(i32).filled(row_swaps); }
// Bodies of the Cholesky factor that exchange numbers through shared memory (factor/rows.cuh, factor/left.cuh): 48 KB
// of it for all problems of a block. `columns`: how many columns a problem keeps there.
const rule exchange_static = {"body==rows || body==left || body==whole || body==regs", "run_time_sizes==0",
                              "This body's registers and shared memory must be known: no run-time sizes."};
const rule rows_lanes = {"body==rows", "scope!=block && width>1",
                         "The rows are dealt over the lanes of a tile or warp."};
rule rows_fit_registers(const std::string& words) {
  return {"body==rows", "N>0 && " + words, "The triangle does not fit the registers of the lanes."};
}
rule rows_exchange(const std::string& columns) {
  const std::string each = "(16/bytes)";
  return {"body==rows",
          "pack*bytes*((" + columns + ")*(((N+width-1)/width*width+" + each + "-1)/" + each + "*" + each + "+" + each +
              ")+" + each + ")<=49152",
          "The columns that are exchanged do not fit 48 KB of shared memory."};
}
const rule left_lanes = {"body==left || body==whole || body==regs", "width>=32 && width<=256",
                         "Tensor cores are fed by whole warps: one to eight."};
const rule left_cores = {"(body==left || body==whole || body==regs) && backend==cuda", "arch>=80",
                         "Products of f64 and of TF32 on tensor cores begin with architecture 8.0."};
const rule left_size = {"body==left || body==whole || body==regs", "N>=8 && N<=128",
                        "Tiles of 8 x 8 are for N from 8 to 128."};
const std::string tile_pairs = "((N+15)/16)";
const rule left_registers = {"body==left || body==whole", "(" + tile_pairs + "+width/32-1)/(width/32)*bytes<=32",
                             "A panel does not fit the registers of so few warps."};
const rule left_exchange = {"body==left",
                            "pack==1 || pack*bytes*(64*" + tile_pairs + "*(2*" + tile_pairs + "+1)+16)<=49088",
                            "The factors do not fit 48 KB of shared memory."};
// All tiles of the factor, which `whole` keeps in the reserve of a block.
const std::string factor_bytes = "bytes*(64*" + tile_pairs + "*(2*" + tile_pairs + "+1)+16)";
const rule whole_block = {"body==whole", "scope==block && home==global",
                          "Only a block that leaves its operands where they are has memory in reserve."};
const rule whole_large = {"body==whole", factor_bytes + ">49088", "The factor fits 48 KB: left does the same."};
const std::string whole_exchange = "body==whole ? " + factor_bytes + " : 0";
// The tiles of a warp of the body that keeps all of them in registers, at most 160 of these.
const std::string pairs_of_a_warp = "((" + tile_pairs + "+width/32-1)/(width/32))";
const rule regs_lanes = {"body==regs", "width/32<=" + tile_pairs, "Every warp needs a pair of block rows."};
const rule regs_registers = {"body==regs", "(width/32)*" + pairs_of_a_warp + "*(" + pairs_of_a_warp + "+1)*bytes<=160",
                             "The triangle does not fit the registers of the warps."};
const rule regs_exchange = {"body==regs", "pack*(bytes*(16+16*(width/32))+512*(2*" + tile_pairs + "+1))<=49088",
                            "A block column does not fit 48 KB of shared memory."};
const rule regs_few = {"body==regs && backend==cuda", "batch<=256 || bytes==4 && N>32",
                       "Long code: for few problems, and in f32 for N > 32."};
// Unrolled element updates of a Cholesky factor: 2304 of them are half a second of compiling by shuffles, 6912 two thirds
// of a second by exchange memory. Beyond, what compiles faster was faster, too, on an H200.
const std::string updates = "(N+width-1)/width*N*N*bytes/4";
const rule fragment_compiles = {"body==fragment && backend==cuda && width>1", updates + "<=2304",
                                "So many unrolled steps compile for more than half a second, and body=rows is faster."};
rule rows_compile(const std::string& unless) {
  return {"body==rows && backend==cuda && arch>=80", updates + "<=6912" + unless,
          "So many unrolled steps compile for a second, and body=left is faster on tensor cores."};
}
// What `fragment` needs, then what the bodies that exchange need, then `more`. `words`: of registers that a lane's rows
// take; `columns`: as rows_exchange.
std::vector<rule> cholesky_rules(std::vector<rule> fragment, const std::string& words, const std::string& columns,
                                 const std::vector<rule>& more = {}) {
  std::vector<rule> all = std::move(fragment);
  for (const rule& r : {fragment_compiles, exchange_static, rows_lanes, rows_fit_registers(words),
                        rows_exchange(columns), left_lanes, left_cores, left_size, left_registers, left_exchange,
                        whole_block, whole_large, regs_lanes, regs_registers, regs_exchange, regs_few})
    all.push_back(r);
  all.insert(all.end(), more.begin(), more.end());
  return all;
}
const option pivot_of_ldlt = {"PIVOT", {"glass::Pivot::none", "glass::Pivot::bunch_kaufman"}};
const rule fragment_shared_on_host = {"body==fragment && backend==host", "width>1",
                                      "One lane on the host works in memory: a copy would be one more pass."};
const rule fragment_of_something = {"body==fragment", "N>0", "A fragment of nothing."};
const rule rows_to_64 = {"body==fragment", "N<=64", "Whole rows live in registers up to N = 64."};
rule rows_fit(const std::string& columns) {
  return {"body==fragment", "(N+width-1)/width*(" + columns + ")*bytes/4<=160",
          "The rows do not fit the registers of the lanes."};
}
// Bodies of lu.cuh are unrolled: about this many element updates are a second of compiling, fewer in tiles: where they
// are not in step (operands in shared memory) compilers keep a second copy for lanes that have parted.
rule unrolled(const std::string& in_tiles, const std::string& in_warps) {
  return {"body==fragment && backend==cuda",
          "(N+width-1)/width*N*N*bytes/4<=(width<32 ? " + in_tiles + " : " + in_warps + ")",
          "So many unrolled steps would compile for more than a second."};
}
const rule pivoted_compiles = unrolled("1024", "2048"), unpivoted_compiles = unrolled("2048", "4096"),
           inverse_compiles = unrolled("512", "2048");
const std::string lu_flops = "(2*N*N*N+2)/3", lu_bytes = "bytes*2*N*N";
const std::string right_hand_sides = "(N+width-1)/width*NRHS*bytes/4";
}  // namespace

table factor_rows() {
  return {
      {.name = "potrf",
       .header = "glass/factor/potrf.cuh",
       .operands = {inout("A", {"N", "N"}, kind::spd), info()},
       .sizes = {{.name = "N"}},
       .bodies = {"fragment", "loop", "rows", "left", "regs", "whole"},
       .in_step = {"fragment", "rows"},
       .calls = {solver_call("potrf", {"N", "N"})},
       .linked = solver_header,
       .exchange = whole_exchange,
       .rules = cholesky_rules(
           {fragment_static, fragment_no_block, fragment_fits(triangle + "<=192"), columns_fit, thread_to_16},
           triangle + "<=192", "2", {rows_compile("")}),
       .defaults = cholesky_defaults({"batch<=256 && N<=32", "scope=warp pack=1 body=rows"},
                                     {"bytes==4 && N<=6", "scope=tile4 pack=32 body=fragment"},
                                     {"bytes==4 && N<=64", "scope=warp pack=1 body=left"}),
       .flops = "N*N*N/3+N*N/2",
       .bytes = "bytes*N*(N+1)",
       .contract =
           "A = L L' in place for A symmetric positive definite: the lower triangle is read and becomes L, the strict "
           "upper triangle is kept. info: 0, or k in 1..N when the leading minor of order k is not positive."},
      {.name = "posv",
       .header = "glass/factor/posv.cuh",
       .operands = {inout("A", {"N", "N"}, kind::spd).unspecified_if("FACTOR==discard"), inout("b", {"N", "NRHS"}),
                    scalar("rho", 0.25).only_if("SHIFT!=none"), info()},
       .sizes = {{.name = "N"}, {.name = "NRHS", .fallback = 1}},
       .options = {{"FACTOR", {"glass::Factor::keep", "glass::Factor::discard"}},
                   {"SHIFT", {"glass::Shift::none", "glass::Shift::identity", "glass::Shift::diagonal"}}},
       .bodies = {"fragment", "loop", "rows", "left", "regs", "whole"},
       .in_step = {"fragment", "rows"},
       .calls = {solver_call("posv", {"N", "N", "NRHS"})},
       .linked = solver_header,
       .exchange = whole_exchange,
       .rules = cholesky_rules(
           {fragment_static, fragment_no_block, columns_fit,
            fragment_fits(triangle + "<=192 && " + triangle + "+(N+width-1)/width*NRHS*bytes/4<=208"), thread_to_16},
           triangle + "+(N+width-1)/width*NRHS*bytes/4<=192", "NRHS>0 ? N : 2",
           {rows_compile(" || NRHS>1"),
            {"body==left || body==whole || body==regs", "NRHS<=1", "This body solves for one right-hand side."},
            library_keeps}),
       .defaults = cholesky_defaults({"batch<=256 && bytes==8 && N<=32", "scope=warp pack=1 body=regs"},
                                     {"bytes==4 && N>24 && N<=32", "scope=tile8 pack=4 body=rows"},
                                     {"bytes==4 && N<=64", "scope=warp pack=2 body=left"}),
       .flops = "N*N*N/3+2*N*N*NRHS",
       .bytes = "bytes*((FACTOR==discard ? N*(N+1)/2 : N*(N+1))+2*N*NRHS)",
       .contract = "Solves A x = b for A symmetric positive definite. A's lower triangle becomes L of A = L L', its "
                   "strict upper triangle is kept; b: N x NRHS becomes x. SHIFT=identity solves for A + rho I, "
                   "SHIFT=diagonal for A + rho diag(A). FACTOR=discard: L is not wanted, A's lower triangle is left "
                   "unspecified. info: 0, or k in 1..N when the leading minor of order k is not "
                   "positive; then b is unchanged."},
      {.name = "potrs",
       .header = "glass/factor/potrs.cuh",
       .operands = {in("L", {"N", "N"}, kind::lower), inout("b", {"N", "NRHS"})},
       .sizes = {{.name = "N"}, {.name = "NRHS", .fallback = 1}},
       .bodies = {"fragment", "loop", "direct"},
       .calls = {solver_call("potrs", {"N", "N", "NRHS"})},
       .linked = solver_header,
       .rules = strip_rules({fragment_static,
                             fragment_no_block,
                             fragment_shared_on_host,
                             fragment_of_something,
                             {"body==fragment", triangle + "+" + right_hand_sides + "<=208",
                              "The triangle does not fit the registers of the lanes."},
                             thread_to_16},
                            "N", "NRHS"),
       .defaults = strip_defaults("N", "NRHS"),
       .flops = "2*N*N*NRHS",
       .bytes = "bytes*(N*(N+1)/2+2*N*NRHS)",
       .revision = 2,
       .contract =
           "Solves L L' x = b for L lower triangular as potrf gives it; only its lower triangle is read. b: N x "
           "NRHS becomes x. A zero on the diagonal gives Inf or NaN."},
      {.name = "chol_update",
       .header = "glass/factor/chol_update.cuh",
       .operands = {inout("L", {"N", "N"}, kind::lower), inout("x", {"N"})},
       .sizes = {{.name = "N"}},
       .rules = {thread_to_16},
       .flops = "2*N*N",
       .bytes = "bytes*(N*(N+1)+2*N)",
       .contract =
           "L becomes the Cholesky factor of L L' + x x', by plane rotations. L: N x N lower triangular as potrf "
           "gives it; its strict upper triangle is not touched. x: N numbers, destroyed."},
      {.name = "chol_downdate",
       .header = "glass/factor/chol_update.cuh",
       .operands = {inout("L", {"N", "N"}, kind::lower), inout("x", {"N"}).filled(little), info()},
       .sizes = {{.name = "N"}},
       .rules = {thread_to_16},
       .flops = "2*N*N",
       .bytes = "bytes*(N*(N+1)+2*N)",
       .contract =
           "L becomes the Cholesky factor of L L' - x x', by hyperbolic rotations. L: N x N lower triangular as potrf "
           "gives it; its strict upper triangle is not touched. x: N numbers, destroyed. info: 0, or k in 1..N when "
           "the leading minor of order k of L L' - x x' is not positive; then L and x are unspecified."},
      {.name = "laswp",
       .header = "glass/factor/laswp.cuh",
       .operands = {inout("A", {"M", "N"}), in("piv", {"M"}).typed(i32).filled(row_swaps), scalar("k0", 0).typed(i32),
                    scalar("k1", 1000000).typed(i32)},
       .sizes = {{.name = "N"}, like("M", "N")},
       .options = {{"DIRECTION", {"glass::Direction::forward", "glass::Direction::backward"}}},
       .flops = "1",
       .bytes = "bytes*2*M*N",
       .contract = "Swaps rows k and piv[k] of A: M x N for k = k0 ... k1 - 1 in order (DIRECTION=backward: in reverse "
                   "order, which undoes it). piv: 0-based row numbers in 0 ... M - 1; k1 > M counts as M."},
      {.name = "ldlt",
       .header = "glass/factor/ldlt.cuh",
       .operands = {square("A", access::inout, factors), swaps_out().only_if("PIVOT==bunch_kaufman"),
                    out("inertia", {3}).typed(i32), info()},
       .sizes = {{.name = "N"}},
       .options = {pivot_of_ldlt},
       .rules = {thread_to_16},
       .flops = "(N*N*N+2)/3",
       .bytes = "bytes*N*(N+1)+(PIVOT==none ? 0 : 4*N)",
       .contract =
           "A = L D L' in place for symmetric A, D diagonal; PIVOT=bunch_kaufman: P A P' = L D L' with 1 x 1 and 2 "
           "x 2 blocks, piv: N integers the swaps as LAPACK chooses them, piv[k] = p >= 0 or, for a 2 x 2 block, "
           "-p-1 twice. The lower triangle is read and written. inertia: how many eigenvalues are positive, "
           "negative, zero. info: 0, or k in 1..N for the first pivot that is zero or NaN."},
      {.name = "ldlt_solve",
       .header = "glass/factor/ldlt_solve.cuh",
       .operands = {square("LD", access::in, factors),
                    in("piv", {"N"}).typed(i32).filled(row_swaps).only_if("PIVOT==bunch_kaufman"),
                    inout("b", {"N", "NRHS"})},
       .sizes = {{.name = "N"}, {.name = "NRHS", .fallback = 1}},
       .options = {pivot_of_ldlt},
       .rules = {thread_to_16},
       .flops = "2*N*N*NRHS",
       .bytes = "bytes*(N*(N+1)/2+2*N*NRHS)+(PIVOT==none ? 0 : 4*N)",
       .contract =
           "Solves A x = b for the factors (PIVOT=bunch_kaufman: and piv) that ldlt gives; only the lower triangle "
           "of LD is read. b: N x NRHS becomes x. A zero in D gives Inf or NaN."},
      {.name = "inv",
       .header = "glass/factor/inv.cuh",
       .operands = {square("A", access::in, dominant<3>), out("X", {"N", "N"}), info()},
       .sizes = {{.name = "N"}},
       .bodies = {"fragment", "loop", "rolled"},
       .in_step = {"fragment", "rolled"},
       .rules = {fragment_static,
                 fragment_no_block,
                 fragment_lanes,
                 fragment_of_something,
                 {"body==fragment", "N<=32", "Inverses are formed in registers up to N = 32."},
                 {"body==fragment", "N<24 || N/4*4!=N",
                  "From N = 24 on `rolled` is as fast and compiles in a fraction."},
                 inverse_compiles,
                 rows_fit("N"),
                 {"body==rolled", "run_time_sizes==0 && N>=16 && N/4*4==N",
                  "Groups of four steps are for a constant N from 16 on, a multiple of 4."},
                 {"body==rolled", "scope!=block && width>1", "The rows are dealt over the lanes of a tile or warp."},
                 {"body==rolled", "N<=64 && (N+width-1)/width*N*bytes/4<=160",
                  "The rows do not fit the registers of the lanes."},
                 {"run_time_sizes>0", "N<=256", "Pivoting with run-time sizes is for N <= 256."},
                 thread_to_16},
       .defaults = inverse_defaults(),
       .flops = "2*N*N*N",
       .bytes = "bytes*2*N*N",
       .revision = 2,
       .contract =
           "X = the inverse of A by Gauss-Jordan elimination with partial pivoting; A is read only. info: 0, or k "
           "in 1..N for the first pivot that is zero or NaN; then X is unspecified."},
      // Not by cuSOLVERDx, getrf and gesv: where a number of a matrix is not finite its pivot search (0.6.0) leaves the
      // matrix: on an H200 the neighbours in the block came out wrong, and gesv ended in an illegal instruction.
      {.name = "getrf",
       .header = "glass/factor/getrf.cuh",
       .operands = {square("A", access::inout, dominant<3>), swaps_out(), info()},
       .sizes = {{.name = "N"}},
       .bodies = {"fragment", "loop"},
       .in_step = {"fragment"},
       .rules = {fragment_static, fragment_no_block, fragment_lanes, fragment_of_something, rows_to_64,
                 pivoted_compiles, rows_fit("N"), thread_to_16},
       .defaults = lu_defaults("N<=16"),
       .flops = lu_flops,
       .bytes = lu_bytes + "+4*N",
       .contract =
           "P A = L U in place by partial pivoting, L unit lower triangular. piv: N integers, row k was swapped "
           "with row piv[k] >= k in order (LAPACK's, counted from 0); of equal candidates the lowest row. info: "
           "0, or k in 1..N for the first pivot that is zero or NaN; the elimination goes on without dividing."},
      {.name = "getrf_no_pivot",
       .header = "glass/factor/getrf.cuh",
       .operands = {square("A", access::inout, dominant<0>), info()},
       .sizes = {{.name = "N"}},
       .bodies = {"fragment", "loop"},
       .in_step = {"fragment"},
       .calls = {solver_call("getrf_no_pivot", {"N", "N"})},
       .linked = solver_header,
       .rules = {fragment_static, fragment_no_block, fragment_lanes, fragment_of_something, rows_to_64,
                 unpivoted_compiles, rows_fit("N"), thread_to_16},
       .defaults = lu_defaults("N<=16"),
       .flops = lu_flops,
       .bytes = lu_bytes,
       .contract = "A = L U in place without row swaps, for diagonally dominant A, say. info: 0, or k in 1..N for the "
                   "first pivot that is zero or NaN; the elimination goes on without dividing."},
      {.name = "getrs",
       .header = "glass/factor/getrs.cuh",
       .operands = {square("LU", access::in, factors), swaps_in(), inout("b", {"N", "NRHS"})},
       .sizes = {{.name = "N"}, {.name = "NRHS", .fallback = 1}},
       .options = {transpose},
       .bodies = {"fragment", "loop", "direct"},
       .calls = {solver_call("getrs", {"N", "N", "NRHS"}).transposed_if("TRANS==yes")},
       .linked = solver_header,
       .rules = strip_rules({fragment_static, fragment_no_block, fragment_lanes, fragment_of_something, rows_to_64,
                             rows_fit("N+NRHS"), thread_to_16},
                            "N", "NRHS"),
       .defaults = strip_defaults("N", "NRHS"),
       .flops = "2*N*N*NRHS",
       .bytes = "bytes*(N*N+2*N*NRHS)+4*N",
       .revision = 2,
       .contract = "Solves op(A) x = b for P A = L U and piv as getrf gives them, op(A) = A or its transpose "
                   "(TRANS=yes). b: N x NRHS becomes x. A zero on the diagonal of U gives Inf or NaN."},
      {.name = "getrs_no_pivot",
       .header = "glass/factor/getrs.cuh",
       .operands = {square("LU", access::in, factors), inout("b", {"N", "NRHS"})},
       .sizes = {{.name = "N"}, {.name = "NRHS", .fallback = 1}},
       .options = {transpose},
       .bodies = {"fragment", "loop", "direct"},
       .calls = {solver_call("getrs_no_pivot", {"N", "N", "NRHS"}).transposed_if("TRANS==yes")},
       .linked = solver_header,
       .rules = strip_rules({fragment_static, fragment_no_block, fragment_lanes, fragment_of_something, rows_to_64,
                             rows_fit("N+NRHS"), thread_to_16},
                            "N", "NRHS"),
       .defaults = strip_defaults("N", "NRHS"),
       .flops = "2*N*N*NRHS",
       .bytes = "bytes*(N*N+2*N*NRHS)",
       .revision = 2,
       .contract =
           "Solves op(A) x = b for A = L U as getrf_no_pivot gives it, op(A) = A or its transpose (TRANS=yes). b: "
           "N x NRHS becomes x. A zero on the diagonal of U gives Inf or NaN."},
      {.name = "gesv",
       .header = "glass/factor/gesv.cuh",
       .operands = {square("A", access::inout, dominant<3>), swaps_out(), inout("b", {"N", "NRHS"}), info()},
       .sizes = {{.name = "N"}, {.name = "NRHS", .fallback = 1}},
       .bodies = {"fragment", "loop"},
       .in_step = {"fragment"},
       .rules = {fragment_static, fragment_no_block, fragment_lanes, fragment_of_something, rows_to_64,
                 pivoted_compiles, rows_fit("N+NRHS"), thread_to_16},
       .defaults = lu_defaults("N<=16"),
       .flops = lu_flops + "+2*N*N*NRHS",
       .bytes = lu_bytes + "+bytes*2*N*NRHS+4*N",
       .contract =
           "Solves A x = b by P A = L U with partial pivoting. A becomes L and U, piv: N integers the row swaps of "
           "getrf, b: N x NRHS becomes x. info: 0, or k in 1..N for the first pivot that is zero or NaN; then b "
           "is unchanged."},
      {.name = "gesv_no_pivot",
       .header = "glass/factor/gesv.cuh",
       .operands = {square("A", access::inout, dominant<0>), inout("b", {"N", "NRHS"}), info()},
       .sizes = {{.name = "N"}, {.name = "NRHS", .fallback = 1}},
       .bodies = {"fragment", "loop"},
       .in_step = {"fragment"},
       .calls = {solver_call("gesv_no_pivot", {"N", "N", "NRHS"})},
       .linked = solver_header,
       .rules = {fragment_static, fragment_no_block, fragment_lanes, fragment_of_something, rows_to_64,
                 unpivoted_compiles, rows_fit("N+NRHS"), thread_to_16, library_keeps},
       .defaults = lu_defaults("N<=16"),
       .flops = lu_flops + "+2*N*N*NRHS",
       .bytes = lu_bytes + "+bytes*2*N*NRHS",
       .contract =
           "Solves A x = b by A = L U without row swaps, for diagonally dominant A, say. A becomes L and U, b: N "
           "x NRHS becomes x. info: 0, or k in 1..N for the first pivot that is zero or NaN; then b is "
           "unchanged."},
      {.name = "trtri",
       .header = "glass/factor/trtri.cuh",
       .operands = {square("A", access::inout, factors)},
       .sizes = {{.name = "N"}},
       .options = {one_triangle, diagonal},
       .rules = {thread_to_16},
       .flops = "(N*N*N+2)/3",
       .bytes = "bytes*N*(N+1)",
       .contract =
           "A = its inverse in place for A triangular: only the triangle that FILL names is read and written, and "
           "with DIAG=unit not its diagonal. A zero on the diagonal gives Inf or NaN."},
      {.name = "potri",
       .header = "glass/factor/potri.cuh",
       .operands = {in("L", {"N", "N"}, kind::lower), out("X", {"N", "N"})},
       .sizes = {{.name = "N"}},
       .rules = {thread_to_16},
       .flops = "(2*N*N*N+2)/3",
       .bytes = "bytes*(N*(N+1)/2+N*N)",
       .contract =
           "X = the inverse of L L', exactly symmetric, for L lower triangular as potrf gives it; only its lower "
           "triangle is read. A zero on the diagonal gives Inf or NaN."},
      {.name = "getri",
       .header = "glass/factor/getri.cuh",
       .operands = {square("LU", access::in, factors), swaps_in(), out("X", {"N", "N"})},
       .sizes = {{.name = "N"}},
       .rules = {thread_to_16},
       .flops = "(4*N*N*N+2)/3",
       .bytes = "bytes*2*N*N+4*N",
       .contract =
           "X = the inverse of A for P A = L U and piv as getrf gives them. A zero on the diagonal of U gives Inf "
           "or NaN."},
  };
}

}  // namespace glass::jit::rows
