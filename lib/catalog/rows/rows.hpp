// What the tables of rows/*.cpp are written with: options, sizes and rules that several rows share. One table per
// family; adding an operation is a row in one of them.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "glass/jit/problem.hpp"

namespace glass::jit::rows {

using table = std::vector<operation_description>;
table vector_rows();
table reduction_rows();
table matrix_rows();
table strided_rows();
table factor_rows();
table spectrum_rows();
table control_rows();
std::vector<tunable> product_tunables();  // of gemm
library_call product_call();
std::string product_exchange();
// Of triangles of order `of` on tensor cores (matrix/triangle_direct.cuh), for so many right-hand sides, after `more`.
std::vector<rule> strip_rules(std::vector<rule> more, const std::string& of, const std::string& sides);
std::vector<usual> strip_defaults(const std::string& of, const std::string& sides, const std::vector<usual>& more = {});
std::vector<rule> direct_rules(const rule& of_a_thread, const std::string& terms);
std::vector<rule> product_rules();
std::vector<usual> symm_defaults();
std::vector<usual> product_defaults();
std::vector<tunable> symmetric_tunables();  // of syrk and syr2k
std::vector<rule> symmetric_rules(const std::string& thread_terms, const std::string& order = "N",
                                  const std::string& terms = "K");
std::vector<usual> symmetric_defaults(const std::string& order = "N", const std::string& terms = "K");

inline const option transpose_a = {"TRANSA", {"glass::Trans::no", "glass::Trans::yes"}};
inline const option transpose_b = {"TRANSB", {"glass::Trans::no", "glass::Trans::yes"}};
inline const option transpose = {"TRANS", {"glass::Trans::no", "glass::Trans::yes"}};
inline const option full_or_triangle = {"FILL", {"glass::Fill::full", "glass::Fill::lower", "glass::Fill::upper"}};
inline const option one_triangle = {"FILL", {"glass::Fill::lower", "glass::Fill::upper"}};
inline const option diagonal = {"DIAG", {"glass::Diag::nonunit", "glass::Diag::unit"}};

inline size_parameter like(std::string name, std::string other) {
  size_parameter s;
  s.name = std::move(name), s.fallback_size = std::move(other);
  return s;
}

// A function of cuSOLVERDx.
inline library_call solver_call(std::string function, std::vector<std::string> sizes) {
  library_call c;
  c.library = "cusolverdx", c.function = std::move(function), c.sizes = std::move(sizes);
  return c;
}
inline constexpr const char* solver_header = "glass/linked/solver.cuh";
// What a solve that may fail leaves of its right-hand sides is kept in registers meanwhile.
inline const rule library_keeps = {"body==nvidia", "(pack*N*NRHS+width-1)/width*bytes/4<=32",
                                   "The right-hand sides do not fit the registers that keep them meanwhile."};

// One thread per problem unrolls everything: beyond these sizes it is code that no instruction cache holds.
inline rule small_thread(std::string limit, std::string reason) {
  return {"scope==thread && backend==cuda", std::move(limit), std::move(reason)};
}
inline const rule thread_to_16 = small_thread("N<=16", "One thread per problem is for N <= 16.");
inline const rule thread_matrix =
    small_thread("M*N<=1024", "One thread per problem is for matrices of at most 1024 elements.");
inline const rule thread_square = small_thread("N<=32", "One thread per problem is for N <= 32.");
inline const rule thread_product =
    small_thread("M*N*K<=4096", "One thread per problem is for products of at most 4096 terms.");

// Bodies that hold the problem in registers, dealt over the lanes of a tile or warp.
inline const rule fragment_static = {"body==fragment", "run_time_sizes==0",
                                     "Fragments live in registers, whose number must be known: no run-time sizes."};
inline const rule fragment_no_block = {
    "body==fragment", "scope!=block",
    "Fragments are dealt over the lanes of a thread, tile or warp, not over a block."};
inline const rule fragment_lanes = {"body==fragment", "width>1",
                                    "This fragment body shares a problem between lanes: not for a thread."};

// 32-bit registers of a lane that holds rows r, r + width, … of a lower triangle: its last row in each of ceil(N /
// width) groups.
inline const std::string triangle = "(width*((N+width-1)/width)*((N+width-1)/width-1)/2+N)*bytes/4";
inline rule fragment_fits(const std::string& words) {
  return {"body==fragment && (backend==cuda || width>1)", "N>0 && " + words,
          "The triangle does not fit the registers of the lanes."};
}
// One lane on the host holds columns in its first cache instead.
inline const rule columns_fit = {"body==fragment && backend==host && width==1", "N>0 && N<=64",
                                 "One lane on the host copies the matrix into its first cache: N <= 64."};

}  // namespace glass::jit::rows
