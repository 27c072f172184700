// Matrix-vector and matrix-matrix products and triangular solves. flops and bytes are those of the contract; a rule
// says in one sentence why a body does not take a placement.
#include "catalog/rows/rows.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit::rows {
namespace {

const option side = {"SIDE", {"glass::Side::left", "glass::Side::right"}};
const option triangle_or_full = {"FILL", {"glass::Fill::lower", "glass::Fill::upper", "glass::Fill::full"}};
// Indices of one problem's P products.
void any_index(double* index, std::size_t products, long long problem) {
  for (std::size_t p = 0; p < products; ++p)
    index[p] = static_cast<double>((5 * p + static_cast<std::size_t>(problem)) % products);
}
void each_index(double* index, std::size_t products, long long) {
  for (std::size_t p = 0; p < products; ++p) index[p] = static_cast<double>(products - 1 - p);
}
const std::string order = "(SIDE==left ? M : N)",
                  others = "(SIDE==left ? N : M)";  // of A, and of what it is applied to
// What was best on an H200, one problem or 64 of them, and 8192.
std::vector<usual> gemv_defaults() {
  return {{"batch<=256 && M*N>=8192", "scope=block512 body=fragment"},
          {"batch<=256 && M*N>=4096", "scope=block256 body=fragment"},
          {"batch<=256 && M*N>=2048", "scope=block128 body=fragment"},
          {"batch<=256 && M*N>=512", "scope=warp body=fragment"},
          {"M*N>=8192 && bytes==8", "scope=block256 body=fragment"},
          {"M*N>=2048", "scope=warp pack=2 body=fragment"},
          {"M*N>=512 && bytes==8", "scope=warp pack=4 body=fragment"},
          {"M*N>=512", "scope=tile16 pack=8 body=fragment"}};
}
operation_description gemm_row() {
  return {.name = "gemm",
          .header = "glass/matrix/gemm.cuh",
          .operands = {scalar("alpha", 0.5), in("A", {"TRANSA==yes ? K : M", "TRANSA==yes ? M : K"}),
                       in("B", {"TRANSB==yes ? N : K", "TRANSB==yes ? K : N"}), scalar("beta", 0.25),
                       inout("C", {"M", "N"})},
          .sizes = {{.name = "N"}, like("M", "N"), like("K", "N")},
          .options = {transpose_a, transpose_b},
          .tunables = product_tunables(),
          .bodies = {"loop", "direct", "ring", "stream"},
          .calls = {product_call()},
          .linked = "glass/linked/product.cuh",
          .exchange = product_exchange(),
          .rules = product_rules(),
          .defaults = product_defaults(),
          .flops = "2*M*N*K",
          .bytes = "bytes*(M*K+K*N+2*M*N)",
          .contract =
              "C = alpha op(A) op(B) + beta C. op(A): M x K, op(B): K x N, C: M x N, column-major. With beta = 0, "
              "C is not read; with alpha = 0, A and B are not; with K = 0, C = beta C."};
}
// The same with a result that is not read: what others call C = A B.
operation_description gemm_to_row() {
  operation_description d = gemm_row();
  d.name = "gemm_to", d.function = "gemm";
  d.operands = {d.operands[0], d.operands[1], d.operands[2], out("C", {"M", "N"})};
  d.bytes = "bytes*(M*K+K*N+M*N)";
  d.contract = "C = alpha op(A) op(B): gemm with a result that is not read. With alpha = 0 or K = 0, C is 0.";
  return d;
}
}  // namespace

std::vector<rule> strip_rules(std::vector<rule> more, const std::string& of, const std::string& sides) {
  more.insert(
      more.end(),
      {{"body==direct && backend==cuda", "arch==80 || arch==90 || arch==100 || bytes==8 && arch>=80 && arch<=100",
        "Sums are f64: full-rate f64 tensor cores are in the architectures 8.0, 9.0 and 10.0."},
       {"body==direct", "run_time_sizes==0", "Tiles for tensor cores need sizes that are constants."},
       {"body==direct", "scope==warp || scope==block && width/32*32==width", "Tensor cores are fed by whole warps."},
       {"body==direct", "home==global", "Tensor cores are fed from global memory: staging would be a copy more."},
       {"body==direct", of + ">=16 && " + of + "<=128 && " + sides + ">=8",
        "Tiles are for triangles of order 16 to 128 and for at least 8 right-hand sides."},
       {"body==direct", "width/32<=(" + sides + "+15)/16", "Every warp should have right-hand sides."}});
  return more;
}

// What was best of them on an H200 (bench_axis trsm --axis body); where there are too few right-hand sides for so many
// warps, the next that is legal. Then `more`.
std::vector<usual> strip_defaults(const std::string& of, const std::string& sides, const std::vector<usual>& more) {
  const std::string strips = of + ">=16 && " + sides + ">=16";
  std::vector<usual> all = {{strips + " && " + of + ">64", "scope=block256 pack=1 body=direct"},
                            {strips + " && " + of + ">32 && bytes==8", "scope=block128 pack=1 body=direct"},
                            {strips + " && " + of + ">32", "scope=block64 pack=1 body=direct"},
                            {strips + " && " + of + ">16 && batch<=256", "scope=block64 pack=1 body=direct"},
                            {strips + " && batch<=256", "scope=warp pack=1 body=direct"},
                            {strips + " && " + of + ">16", "scope=warp pack=2 body=direct"},
                            {strips, "scope=warp pack=4 body=direct"}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

table matrix_rows() {
  return {
      {.name = "gemv",
       .header = "glass/matrix/gemv.cuh",
       .operands = {scalar("alpha", 0.5), in("A", {"M", "N"}), in("x", {"TRANS==yes ? M : N"}), scalar("beta", 0.25),
                    inout("y", {"TRANS==yes ? N : M"})},
       .sizes = {{.name = "N"}, like("M", "N")},
       .options = {transpose},
       .bodies = {"fragment", "loop"},
       .rules = {fragment_static,
                 fragment_lanes,
                 {"body==fragment", "M*N>0", "A fragment of nothing."},
                 {"body==fragment && scope==block", "width/32*32==width", "Whole warps share by shuffles."},
                 {"body==fragment && width>32", "M*N>=16*width", "Too few elements for so many lanes."},
                 {"body==fragment && width>32 && TRANS!=yes", "width/32*M*bytes<=49152",
                  "The sums of the warps do not fit 48 KB of shared memory."},
                 {"body==fragment && TRANS==yes",
                  "(N+(width>32 ? width/32 : 1)-1)/(width>32 ? width/32 : 1)*bytes/4<=160",
                  "The sums of a warp do not fit its registers."},
                 thread_matrix},
       .defaults = gemv_defaults(),
       .flops = "2*M*N",
       .bytes = "bytes*(M*N+(TRANS==yes ? M+2*N : N+2*M))",
       .contract = "y = alpha op(A) x + beta y, op(A) = A or its transpose (TRANS=yes). A: M x N, column-major. With "
                   "beta = 0, y is not read; with alpha = 0, A and x are not."},
      gemm_row(),
      gemm_to_row(),
      {.name = "syrk",
       .header = "glass/matrix/syrk.cuh",
       .operands = {scalar("alpha", 0.5), in("A", {"TRANS==yes ? K : N", "TRANS==yes ? N : K"}), scalar("beta", 0.25),
                    inout("C", {"N", "N"}, kind::spd)},
       .sizes = {{.name = "N"}, like("K", "N")},
       .options = {transpose, full_or_triangle},
       .tunables = symmetric_tunables(),
       .bodies = {"loop", "direct"},
       .rules = symmetric_rules("N*N*K<=8192"),
       .defaults = symmetric_defaults(),
       .flops = "N*(N+1)*K",
       .bytes = "bytes*(N*K+2*N*N)",
       .contract = "C = alpha A A' + beta C with A: N x K, or alpha A' A + beta C with A: K x N (TRANS=yes). FILL=full "
                   "writes both triangles, exactly symmetric; lower or upper leaves the other triangle alone."},
      {.name = "trsv",
       .header = "glass/factor/trsv.cuh",
       .operands = {in("A", {"N", "N"}, kind::lower), inout("x", {"N"})},
       .sizes = {{.name = "N"}},
       .options = {one_triangle, transpose, diagonal},
       .bodies = {"fragment", "loop"},
       .calls =
           {solver_call("trsm", {"N", "1", "1"}).triangle("FILL==upper", "", "DIAG==unit").transposed_if("TRANS==yes")},
       .linked = solver_header,
       .rules = {fragment_static,
                 fragment_no_block,
                 fragment_lanes,
                 {"body==fragment", "N>0 && N<=128", "This fragment body is for N <= 128."},
                 {"body==fragment", "N<=8*width", "A lane holds at most 8 rows."},
                 thread_to_16},
       .defaults = {{"batch>256 && N>4 && N<=8", "scope=tile8 pack=16 body=fragment"},
                    {"batch>256 && N>8 && N<=16", "scope=tile16 pack=8 body=fragment"},
                    {"batch>256 && N>16 && N<=48", "scope=tile16 pack=4 body=fragment"}},
       .flops = "N*N",
       .bytes = "bytes*(N*(N+1)/2+2*N)",
       .contract = "Solves op(A) x = b in place for A triangular: only the triangle that FILL names is read, and with "
                   "DIAG=unit not its diagonal. A zero on the diagonal gives Inf or NaN."},
      {.name = "trmv",
       .header = "glass/matrix/trmv.cuh",
       .operands = {in("A", {"N", "N"}, kind::lower), inout("x", {"N"})},
       .sizes = {{.name = "N"}},
       .options = {one_triangle, transpose, diagonal},
       .rules = {small_thread("N<=32", "One thread per problem is for N <= 32.")},
       .flops = "N*N",
       .bytes = "bytes*(N*(N+1)/2+2*N)",
       .contract =
           "x = op(A) x in place for A triangular: only the triangle that FILL names is read, and with DIAG=unit "
           "not its diagonal; the zeros of A are not multiplied."},
      {.name = "trmm",
       .header = "glass/matrix/trmm.cuh",
       .operands = {scalar("alpha", 1), in("A", {order, order}, kind::lower), inout("B", {"M", "N"})},
       .sizes = {{.name = "N"}, like("M", "N")},
       .options = {side, one_triangle, transpose, diagonal},
       .bodies = {"loop", "direct"},
       .rules = strip_rules(
           {small_thread("M*N*" + order + "<=4096", "One thread per problem is for products of at most 4096 terms.")},
           order, others),
       .defaults = strip_defaults(order, others, {{"batch<=256", "scope=warp pack=1 body=loop"}}),
       .flops = "M*N*" + order,
       .bytes = "bytes*(" + order + "*(" + order + "+1)/2+2*M*N)",
       .revision = 2,
       .contract =
           "B = alpha op(A) B in place, or alpha B op(A) (SIDE=right), for A triangular: only the triangle that "
           "FILL names is read, and with DIAG=unit not its diagonal; the zeros of A are not multiplied. With "
           "alpha = 0, B becomes 0 and nothing is read."},
      {.name = "trmv_to",
       .header = "glass/matrix/trmv.cuh",
       .function = "trmv",
       .operands = {in("A", {"N", "N"}, kind::lower), in("x", {"N"}), out("y", {"N"})},
       .sizes = {{.name = "N"}},
       .options = {one_triangle, transpose, diagonal},
       .rules = {small_thread("N<=32", "One thread per problem is for N <= 32.")},
       .flops = "N*N",
       .bytes = "bytes*(N*(N+1)/2+2*N)",
       .contract = "y = op(A) x for A triangular: trmv with the result in a place of its own."},
      {.name = "trmm_to",
       .header = "glass/matrix/trmm.cuh",
       .function = "trmm",
       .operands = {scalar("alpha", 1), in("A", {order, order}, kind::lower), in("B", {"M", "N"}),
                    out("C", {"M", "N"})},
       .sizes = {{.name = "N"}, like("M", "N")},
       .options = {side, one_triangle, transpose, diagonal},
       .bodies = {"loop", "direct"},
       .rules = strip_rules(
           {small_thread("M*N*" + order + "<=4096", "One thread per problem is for products of at most 4096 terms.")},
           order, others),
       .defaults = strip_defaults(order, others, {{"batch<=256", "scope=warp pack=1 body=loop"}}),
       .flops = "M*N*" + order,
       .bytes = "bytes*(" + order + "*(" + order + "+1)/2+2*M*N)",
       .revision = 2,
       .contract =
           "C = alpha op(A) B, or alpha B op(A) (SIDE=right), for A triangular: trmm with the result in a place "
           "of its own."},
      {.name = "trsm",
       .header = "glass/matrix/trsm.cuh",
       .operands = {scalar("alpha", 1), in("A", {order, order}, kind::lower), inout("B", {"M", "N"})},
       .sizes = {{.name = "N"}, like("M", "N")},
       .options = {side, one_triangle, transpose, diagonal},
       .bodies = {"fragment", "loop", "direct"},
       .calls = {solver_call("trsm", {"M", "N", "N"})
                     .triangle("FILL==upper", "SIDE==right", "DIAG==unit")
                     .transposed_if("TRANS==yes")},
       .linked = solver_header,
       .rules = strip_rules(
           {fragment_static,
            fragment_no_block,
            fragment_lanes,
            {"body==fragment", order + ">0 && " + order + "<=128 && " + others + ">0",
             "This fragment body is for an A of order 1 to 128."},
            {"body==fragment", order + "<=8*width", "A lane holds at most 8 rows."},
            {"body==fragment", "(" + order + "+width-1)/width*" + others + "*bytes/4<=64",
             "The right-hand sides do not fit the registers of the lanes."},
            small_thread("M*N*" + order + "<=4096", "One thread per problem is for solves of at most 4096 terms.")},
           order, others),
       .defaults = strip_defaults(
           order, others,
           {{"batch>256 && bytes==4 && " + order + "<=8 && " + others + "<=8", "scope=tile8 pack=16 body=fragment"},
            {"batch>256 && " + order + "<=8 && " + others + "<=8", "scope=tile8 pack=8 body=fragment"},
            {"batch>256 && " + order + "==16 && " + others + "<=16", "scope=tile8 pack=16 body=fragment"}}),
       .flops = "M*N*" + order,
       .bytes = "bytes*(" + order + "*(" + order + "+1)/2+2*M*N)",
       .revision = 2,
       .contract =
           "Solves op(A) X = alpha B, or X op(A) = alpha B (SIDE=right), in place of B for A triangular: only the "
           "triangle that FILL names is read, and with DIAG=unit not its diagonal. A zero on the diagonal gives "
           "Inf or NaN. With alpha = 0, B becomes 0 and nothing is read."},
      {.name = "ger",
       .header = "glass/matrix/ger.cuh",
       .operands = {scalar("alpha", 0.5), in("x", {"M"}), in("y", {"N"}), inout("A", {"M", "N"})},
       .sizes = {{.name = "N"}, like("M", "N")},
       .rules = {thread_matrix},
       .flops = "2*M*N",
       .bytes = "bytes*(2*M*N+M+N)",
       .contract = "A = A + alpha x y'. x: M, y: N, A: M x N. With alpha = 0 nothing is read or written."},
      {.name = "symv",
       .header = "glass/matrix/symv.cuh",
       .operands = {scalar("alpha", 0.5), in("A", {"N", "N"}, kind::lower), in("x", {"N"}), scalar("beta", 0.25),
                    inout("y", {"N"})},
       .sizes = {{.name = "N"}},
       .options = {one_triangle},
       .rules = {small_thread("N<=32", "One thread per problem is for N <= 32.")},
       .flops = "2*N*N",
       .bytes = "bytes*(N*(N+1)/2+3*N)",
       .contract = "y = alpha A x + beta y for A symmetric, of which only the triangle that FILL names is read. With "
                   "beta = 0, y is not read; with alpha = 0, A and x are not."},
      {.name = "syr",
       .header = "glass/matrix/syr.cuh",
       .operands = {scalar("alpha", 0.5), in("x", {"N"}), inout("A", {"N", "N"}, kind::spd)},
       .sizes = {{.name = "N"}},
       .options = {triangle_or_full},
       .rules = {small_thread("N<=32", "One thread per problem is for N <= 32.")},
       .flops = "N*(N+1)",
       .bytes = "bytes*(FILL==full ? N*(N+1)/2+N*N+N : N*(N+1)+N)",
       .contract = "A = A + alpha x x' for A symmetric: FILL=lower or upper reads and writes that triangle only, full "
                   "reads the lower one and writes both. With alpha = 0 nothing is read or written."},
      {.name = "syr2",
       .header = "glass/matrix/syr.cuh",
       .operands = {scalar("alpha", 0.5), in("x", {"N"}), in("y", {"N"}), inout("A", {"N", "N"}, kind::spd)},
       .sizes = {{.name = "N"}},
       .options = {triangle_or_full},
       .rules = {small_thread("N<=32", "One thread per problem is for N <= 32.")},
       .flops = "2*N*(N+1)",
       .bytes = "bytes*(FILL==full ? N*(N+1)/2+N*N+2*N : N*(N+1)+2*N)",
       .contract =
           "A = A + alpha (x y' + y x') for A symmetric: FILL=lower or upper reads and writes that triangle only, "
           "full reads the lower one and writes both. With alpha = 0 nothing is read or written."},
      {.name = "symm",
       .header = "glass/matrix/symm.cuh",
       .operands = {scalar("alpha", 0.5), in("A", {order, order}, kind::lower), in("B", {"M", "N"}),
                    scalar("beta", 0.25), inout("C", {"M", "N"})},
       .sizes = {{.name = "N"}, like("M", "N")},
       .options = {side, one_triangle},
       .tunables = product_tunables(),
       .bodies = {"loop", "direct"},
       .rules = direct_rules(
           small_thread("M*N*" + order + "<=4096", "One thread per problem is for products of at most 4096 terms."),
           order),
       .defaults = symm_defaults(),
       .flops = "2*M*N*" + order,
       .bytes = "bytes*(" + order + "*(" + order + "+1)/2+3*M*N)",
       .contract = "C = alpha A B + beta C, or alpha B A + beta C (SIDE=right), for A symmetric, of which only the "
                   "triangle that FILL names is read. With beta = 0, C is not read; with alpha = 0, A and B are not."},
      {.name = "syr2k",
       .header = "glass/matrix/syr2k.cuh",
       .operands = {scalar("alpha", 0.5), in("A", {"TRANS==yes ? K : N", "TRANS==yes ? N : K"}),
                    in("B", {"TRANS==yes ? K : N", "TRANS==yes ? N : K"}), scalar("beta", 0.25),
                    inout("C", {"N", "N"}, kind::spd)},
       .sizes = {{.name = "N"}, like("K", "N")},
       .options = {transpose, full_or_triangle},
       .tunables = symmetric_tunables(),
       .bodies = {"loop", "direct"},
       .rules = symmetric_rules("N*N*K<=4096"),
       .defaults = symmetric_defaults(),
       .flops = "2*N*(N+1)*K",
       .bytes = "bytes*(2*N*K+2*N*N)",
       .contract =
           "C = alpha (A B' + B A') + beta C with A, B: N x K, or alpha (A' B + B' A) + beta C with A, B: K x N "
           "(TRANS=yes). FILL=full writes both triangles, exactly symmetric; lower or upper leaves the other "
           "triangle alone."},
      {.name = "dimm",
       .header = "glass/matrix/dimm.cuh",
       .operands = {scalar("alpha", 0.5), in("d", {order}), in("B", {"M", "N"}), out("C", {"M", "N"})},
       .sizes = {{.name = "N"}, like("M", "N")},
       .options = {side},
       .rules = {thread_matrix},
       .flops = "2*M*N",
       .bytes = "bytes*(2*M*N+" + order + ")",
       .contract = "C = alpha diag(d) B, or alpha B diag(d) (SIDE=right). B, C: M x N; d: M, or N. With alpha = 0, C "
                   "becomes 0 and nothing is read."},
      {.name = "gemm_batched_indexed",
       .header = "glass/matrix/gemm_batched_indexed.cuh",
       .operands = {in("ai", {"P"}).typed(i32).filled(any_index), in("bi", {"P"}).typed(i32).filled(any_index),
                    in("ci", {"P"}).typed(i32).filled(each_index), in("A", {"N", "N*P"}), in("B", {"N", "N*P"}),
                    inout("C", {"N", "N*P"})},
       .sizes = {{.name = "N"}, {.name = "P", .fallback = 4}},
       .options = {transpose_a, transpose_b, {"ATOMIC", {"glass::Atomic::no", "glass::Atomic::yes"}}},
       .rules = {small_thread("N*N*N<=4096", "One thread per problem is for products of at most 4096 terms.")},
       .flops = "2*P*N*N*N",
       .bytes = "bytes*3*P*N*N",
       .contract =
           "P products of N x N matrices picked by index: C[ci] = op(A[ai]) op(B[bi]), the ci distinct, or "
           "(ATOMIC=yes) "
           "added to C[ci], several to one place if need be. A, B and C hold P matrices side by side, so that indices "
           "are 0 to P - 1. Problems do not share C."},
  };
}

}  // namespace glass::jit::rows
