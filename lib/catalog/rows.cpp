// The catalog: one row per built-in operation. Adding one is a row here, a header in include/glass and a test in
// tests/ops. flops and bytes are those of the contract; a rule says in one sentence why a body does not take a
// placement.
#include <algorithm>

#include "base/text.hpp"
#include "catalog/check.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit {
namespace {

const option transpose_a = {"TRANSA", {"glass::Trans::no", "glass::Trans::yes"}};
const option transpose_b = {"TRANSB", {"glass::Trans::no", "glass::Trans::yes"}};
const option transpose = {"TRANS", {"glass::Trans::no", "glass::Trans::yes"}};
const option full_or_triangle = {"FILL", {"glass::Fill::full", "glass::Fill::lower", "glass::Fill::upper"}};
const option one_triangle = {"FILL", {"glass::Fill::lower", "glass::Fill::upper"}};
const option diagonal = {"DIAG", {"glass::Diag::nonunit", "glass::Diag::unit"}};

size_parameter like(std::string name, std::string other) {
  size_parameter s;
  s.name = std::move(name), s.fallback_size = std::move(other);
  return s;
}

// One thread per problem unrolls everything: beyond these sizes it is code that no instruction cache holds.
rule small_thread(std::string limit, std::string reason) {
  return {"scope==thread && backend==cuda", std::move(limit), std::move(reason)};
}
const rule thread_to_16 = small_thread("N<=16", "One thread per problem is for N <= 16.");
const rule thread_matrix =
    small_thread("M*N<=1024", "One thread per problem is for matrices of at most 1024 elements.");
const rule thread_product =
    small_thread("M*N*K<=4096", "One thread per problem is for products of at most 4096 terms.");

// Bodies that hold the problem in registers, dealt over the lanes of a tile or warp.
const rule fragment_static = {"body==fragment", "run_time_sizes==0",
                              "Fragments live in registers, whose number must be known: no run-time sizes."};
const rule fragment_no_block = {"body==fragment", "scope!=block",
                                "Fragments are dealt over the lanes of a thread, tile or warp, not over a block."};
const rule fragment_lanes = {"body==fragment", "width>1",
                             "This fragment body shares a problem between lanes: not for a thread."};

// 32-bit registers of a lane that holds rows r, r + width, … of a lower triangle: its last row in each of ceil(N /
// width) groups.
const std::string triangle = "(width*((N+width-1)/width)*((N+width-1)/width-1)/2+N)*bytes/4";
rule fragment_fits(const std::string& words) {
  return {"body==fragment && (backend==cuda || width>1)", "N>0 && " + words,
          "The triangle does not fit the registers of the lanes."};
}
// One lane on the host holds columns in its first cache instead.
const rule columns_fit = {"body==fragment && backend==host && width==1", "N>0 && N<=64",
                          "One lane on the host copies the matrix into its first cache: N <= 64."};

std::vector<operation_description> make_operations() {
  return {
      {.name = "dot",
       .header = "glass/vector/dot.cuh",
       .operands = {in("x", {"N"}), in("y", {"N"}), out("r", {1})},
       .flops = "2*N",
       .bytes = "bytes*(2*N+1)",
       .contract = "r = sum of x[i] y[i]. x and y are read, r holds one number per problem; an empty sum is 0, NaN and "
                   "Inf propagate."},
      {.name = "axpy",
       .header = "glass/vector/axpy.cuh",
       .operands = {scalar("alpha", 0.5), in("x", {"N"}), inout("y", {"N"})},
       .flops = "2*N",
       .bytes = "bytes*3*N",
       .bound = 4,
       .contract = "y = alpha x + y, in place. With alpha = 0, x is not read."},
      {.name = "gemv",
       .header = "glass/matrix/gemv.cuh",
       .operands = {scalar("alpha", 0.5), in("A", {"M", "N"}), in("x", {"TRANS==yes ? M : N"}), scalar("beta", 0.25),
                    inout("y", {"TRANS==yes ? N : M"})},
       .sizes = {{.name = "N"}, like("M", "N")},
       .options = {transpose},
       .bodies = {"fragment", "loop"},
       .rules = {fragment_static,
                 fragment_no_block,
                 fragment_lanes,
                 {"body==fragment", "M*N>0", "A fragment of nothing."},
                 thread_matrix},
       .flops = "2*M*N",
       .bytes = "bytes*(M*N+(TRANS==yes ? M+2*N : N+2*M))",
       .contract = "y = alpha op(A) x + beta y, op(A) = A or its transpose (TRANS=yes). A: M x N, column-major. With "
                   "beta = 0, y is not read; with alpha = 0, A and x are not."},
      {.name = "gemm",
       .header = "glass/matrix/gemm.cuh",
       .operands = {scalar("alpha", 0.5), in("A", {"TRANSA==yes ? K : M", "TRANSA==yes ? M : K"}),
                    in("B", {"TRANSB==yes ? N : K", "TRANSB==yes ? K : N"}), scalar("beta", 0.25),
                    inout("C", {"M", "N"})},
       .sizes = {{.name = "N"}, like("M", "N"), like("K", "N")},
       .options = {transpose_a, transpose_b},
       .rules = {thread_product},
       .flops = "2*M*N*K",
       .bytes = "bytes*(M*K+K*N+2*M*N)",
       .contract = "C = alpha op(A) op(B) + beta C. op(A): M x K, op(B): K x N, C: M x N, column-major. With beta = 0, "
                   "C is not read; with alpha = 0, A and B are not; with K = 0, C = beta C."},
      {.name = "syrk",
       .header = "glass/matrix/syrk.cuh",
       .operands = {scalar("alpha", 0.5), in("A", {"TRANS==yes ? K : N", "TRANS==yes ? N : K"}), scalar("beta", 0.25),
                    inout("C", {"N", "N"}, kind::spd)},
       .sizes = {{.name = "N"}, like("K", "N")},
       .options = {transpose, full_or_triangle},
       .rules = {small_thread("N*N*K<=8192", "One thread per problem is for products of at most 8192 terms.")},
       .flops = "N*(N+1)*K",
       .bytes = "bytes*(N*K+2*N*N)",
       .contract = "C = alpha A A' + beta C with A: N x K, or alpha A' A + beta C with A: K x N (TRANS=yes). FILL=full "
                   "writes both triangles, exactly symmetric; lower or upper leaves the other triangle alone."},
      {.name = "potrf",
       .header = "glass/factor/potrf.cuh",
       .operands = {inout("A", {"N", "N"}, kind::spd), info()},
       .sizes = {{.name = "N"}},
       .bodies = {"fragment", "loop"},
       .rules = {fragment_static, fragment_no_block, fragment_fits(triangle + "<=192"), columns_fit, thread_to_16},
       .flops = "N*N*N/3+N*N/2",
       .bytes = "bytes*N*(N+1)",
       .contract =
           "A = L L' in place for A symmetric positive definite: the lower triangle is read and becomes L, the strict "
           "upper triangle is kept. info: 0, or k in 1..N when the leading minor of order k is not positive."},
      {.name = "trsv",
       .header = "glass/factor/trsv.cuh",
       .operands = {in("A", {"N", "N"}, kind::lower), inout("x", {"N"})},
       .sizes = {{.name = "N"}},
       .options = {one_triangle, transpose, diagonal},
       .bodies = {"fragment", "loop"},
       .rules = {fragment_static,
                 fragment_no_block,
                 fragment_lanes,
                 {"body==fragment", "N>0 && N<=64", "This fragment body is for N <= 64."},
                 thread_to_16},
       .flops = "N*N",
       .bytes = "bytes*(N*(N+1)/2+2*N)",
       .contract = "Solves op(A) x = b in place for A triangular: only the triangle that FILL names is read, and with "
                   "DIAG=unit not its diagonal. A zero on the diagonal gives Inf or NaN."},
      {.name = "posv",
       .header = "glass/factor/posv.cuh",
       .operands = {inout("A", {"N", "N"}, kind::spd), inout("b", {"N", "NRHS"}), info()},
       .sizes = {{.name = "N"}, {.name = "NRHS", .fallback = 1}},
       .bodies = {"fragment", "loop"},
       .rules = {fragment_static, fragment_no_block, columns_fit,
                 fragment_fits(triangle + "<=192 && " + triangle + "+(N+width-1)/width*NRHS*bytes/4<=208"),
                 thread_to_16},
       .flops = "N*N*N/3+2*N*N*NRHS",
       .bytes = "bytes*(N*(N+1)+2*N*NRHS)",
       .contract = "Solves A x = b for A symmetric positive definite. A's lower triangle becomes L of A = L L', its "
                   "strict upper triangle is kept; b: N x NRHS becomes x. info: 0, or k in 1..N when the leading minor "
                   "of order k is not positive; then b is unchanged."},
      {.name = "add_identity",
       .header = "glass/matrix/add_identity.cuh",
       .operands = {scalar("alpha", 0.5), inout("A", {"N", "N"})},
       .sizes = {{.name = "N"}},
       .flops = "N",
       .bytes = "bytes*2*N",
       .bound = 2,
       .contract = "A = A + alpha I: only the diagonal is read and written."},
  };
}

}  // namespace

const std::vector<operation_description>& operations() {
  static const std::vector<operation_description> rows = make_operations();
  return rows;
}

const operation_description& find_operation(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& d : operations()) {
    if (d.name == name) return d;
    known.push_back(d.name);
  }
  refuse(errc::unknown_name, "there is no operation '" + name + "'." + did_you_mean(name, known),
         "Operations are " + join(known, ", ") + ".");
}

}  // namespace glass::jit
