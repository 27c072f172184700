// Every sync of every operation, left out, is found by the race check: the header is run in a block without one of its
// sync calls, and every element is then read and written by the lane next to its owner. Unchanged, nothing is found.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "../backend/host_fixture.hpp"

namespace glass::jit {
namespace {

using host_test::arguments;

// Operation, header, the calls made (each is followed by `used`, which uses all operands), operands, and the number of
// sync calls in its header: a new one needs a call here that reaches it.
struct operation {
  std::string name, header, calls, operands;
  int syncs;
  std::string scope = "block<64>";
  int order = 7;  // of A, B, C, x and y
};
void PrintTo(const operation& o, std::ostream* out) { *out << o.name; }
// Row swaps, as getrf gives them, where y lies: rows k and 6 for every k. And matrices whose first pivot is in row 6.
const std::string with_swaps =
    "glass::vector<int, 7> piv(reinterpret_cast<int*>(&y(0))); if (s.rank() < 7) piv(s.rank()) = 6; "
    "if (s.rank() == 0) A(6, 0) = 100, C(6, 0) = 100; s.sync(); ";
// Scratch where C lies.
const std::string with_scratch = "const glass::vector<float, 49> scratch(&C(0, 0)); ";
// Two matrices, a vector and scratch of an eigenvalue problem, where those of order 21 lie.
const std::string seven_of_21 =
    "const auto a = A.template block<7, 7>(0, 0), b = B.template block<7, 7>(0, 0); "
    "const glass::vector<float, 7> w(&x(0)); const glass::vector<float, 84> scratch(&C(0, 0)); ";
const std::vector<operation> operations = {
    {"fold", "reduce/fold.cuh",
     "glass::detail::deliver<>(s, glass::detail::partial_sum<float>(s, 7, [&](int i) { return x(i); }), A.column(0)); "
     "used(s, x, A);",
     "", 1},
    {"prefix_sum", "reduce/prefix_sum.cuh",
     "glass::prefix_sum_inclusive(s, x, y); used(s, x, y); s.sync(); glass::prefix_sum_exclusive(s, x, y); used(s, x, "
     "y);",
     "", 2},
    {"axpy", "vector/axpy.cuh",
     "glass::axpy(s, 2, x, y); used(s, x, y); s.sync(); glass::axpby(s, 2, x, 3, y, A.column(0)); used(s, x, y, A);",
     "", 2},
    {"move", "vector/move.cuh",
     "glass::copy(s, x, y); used(s, x, y); s.sync(); glass::copy(s, 2, x, y); used(s, x, y); s.sync(); "
     "glass::set_const(s, 2, x); used(s, x); s.sync(); glass::swap(s, x, y); used(s, x, y);",
     "", 4},
    {"elementwise", "vector/elementwise.cuh", "glass::elementwise_add(s, x, y, y); used(s, x, y);", "", 1},
    {"rotate", "vector/rotate.cuh",
     "glass::rot(s, x, y, 0.6f, 0.8f); used(s, x, y); s.sync(); "
     "glass::rotg(s, x, y, A.column(0), A.column(1), A.column(2)); used(s, x, y, A);",
     "", 2},
    {"shape", "vector/shape.cuh",
     "glass::set_identity(s, A); used(s, A); s.sync(); glass::symmetrize(s, A); used(s, A); s.sync(); "
     "glass::transpose(s, A, B); used(s, A, B); s.sync(); glass::transpose(s, A); used(s, A); s.sync(); "
     "glass::copy_strided(s, 2, A, B); used(s, A, B); s.sync(); glass::axpy_strided(s, 2, A, B); used(s, A, B);",
     "", 6},
    {"interleave", "vector/interleave.cuh", "glass::interleave(s, A, B); used(s, A, B);", "", 1},
    {"gemv", "matrix/gemv.cuh",
     "glass::gemv(s, 1, A, x, 1, y); used(s, A, x, y); s.sync(); glass::gemv<glass::Body::fragment>(s, 1, A, x, 1, y); "
     "used(s, A, x, y);",
     "", 2},
    {"gemm", "matrix/gemm.cuh", "glass::gemm(s, 1, A, B, 1, C); used(s, A, B, C);", "", 1},
    {"gemm_ring", "matrix/gemm_ring.cuh",
     "glass::detail::gemm_through_ring<glass::Body::ring, glass::Mma::tf32x3, glass::Tile::m64n32>(s, 1.0f, 1.0f, "
     "glass::detail::one_problem<decltype(A), decltype(B), decltype(C)>{A, B, C}); used(s, A, B, C);",
     "", 2, "block<64>", 64},
    {"gemm_stream", "matrix/gemm_ring.cuh",
     "using glass::several; glass::detail::gemm_through_ring<glass::Body::stream, glass::Mma::tf32x3, "
     "glass::Tile::m64n32>(s, 1.0f, 1.0f, glass::detail::problems_in_turn<decltype(A), decltype(B), decltype(C)>{"
     "several<decltype(A)>{A, 0, 2}, several<decltype(B)>{B, 0, 2}, several<decltype(C)>{C, 0, 2}, 2}); "
     "used(s, A, B, C);",
     "", 2, "block<64>", 64},
    {"syrk", "matrix/syrk.cuh", "glass::syrk(s, 1, A, 1, C); used(s, A, C);", "", 1},
    {"gemm_batched_indexed", "matrix/gemm_batched_indexed.cuh",
     "int at[] = {0}; const glass::vector<const int, 1> i(at); glass::gemm_batched_indexed(s, i, i, i, A, B, C); "
     "used(s, A, B, C);",
     "", 1},
    {"gemv_segmented", "matrix/gemv_segmented.cuh",
     "int at[] = {0}; const glass::vector<const int, 1> i(at); glass::gemv_segmented(s, i, i, i, 1, A, x, 1, y); "
     "used(s, A, x, y); s.sync(); glass::gemv_segmented(s, i, i, i, 1, A, x, 1, y, i, x, x); used(s, A, x, y);",
     "", 2},
    {"symm", "matrix/symm.cuh", "glass::symm(s, 1, A, B, 1, C); used(s, A, B, C);", "", 1},
    {"symv", "matrix/symv.cuh", "glass::symv(s, 1, A, x, 1, y); used(s, A, x, y);", "", 1},
    {"syr2k", "matrix/syr2k.cuh", "glass::syr2k(s, 1, A, B, 1, C); used(s, A, B, C);", "", 1},
    {"syr", "matrix/syr.cuh",
     "glass::syr(s, 1, x, A); used(s, x, A); s.sync(); glass::syr2(s, 1, x, y, A); used(s, x, y, A);", "", 2},
    {"ger", "matrix/ger.cuh", "glass::ger(s, 1, x, y, A); used(s, x, y, A);", "", 1},
    {"dimm", "matrix/dimm.cuh", "glass::dimm(s, 1, x, A, B); used(s, x, A, B);", "", 1},
    {"trmv", "matrix/trmv.cuh",
     "glass::trmv(s, A, x, y); used(s, A, x, y); s.sync(); glass::trmv(s, A, x); used(s, A, x);", "", 2},
    {"trmm", "matrix/trmm.cuh",
     "glass::trmm(s, 2, A, B, C); used(s, A, B, C); s.sync(); glass::trmm(s, 2, A, B); used(s, A, B);", "", 1},
    {"triangle", "matrix/triangle.cuh",
     "glass::detail::multiply_triangle_in_place<true, glass::Diag::nonunit>(s, 1.0f, A, glass::detail::as_columns(x)); "
     "s.sync(); used(s, A, x);",
     "", 1},
    {"trsm", "matrix/trsm.cuh", "glass::trsm(s, 2, A, B); used(s, A, B);", "", 1},
    {"add_identity", "matrix/add_identity.cuh", "glass::add_identity(s, 1, A); used(s, A);", "", 1},
    {"potrf", "factor/potrf.cuh", "glass::potrf(s, A); used(s, A);", "", 2},
    {"trsv", "factor/trsv.cuh",
     "glass::trsv(s, A, x); used(s, A, x); s.sync(); "
     "glass::detail::solve_in_memory<true, glass::Diag::nonunit>(s, A, B, 2); s.sync(); used(s, A, B);",
     "", 4},
    {"two_triangles", "factor/two_triangles.cuh",
     "glass::detail::solve_both<false, glass::Diag::nonunit, glass::Diag::nonunit>(s, A, A, B); s.sync(); "
     "used(s, A, B);",
     "", 1},
    {"potrs", "factor/potrs.cuh", "glass::potrs(s, A, x); used(s, A, x);", "", 1},
    {"chol_update", "factor/chol_update.cuh",
     "glass::chol_update(s, A, x); used(s, A, x); s.sync(); glass::chol_downdate(s, B, y); used(s, B, y);", "", 3},
    {"laswp", "factor/laswp.cuh", with_swaps + "glass::laswp(s, A, piv, 0, 7); used(s, A);", "", 1},
    {"inv", "factor/inv.cuh",
     with_swaps + "glass::inv(s, A, B); used(s, A, B); s.sync(); glass::inv_each(s, A, B); used(s, A, B); s.sync(); "
                  "if (s.rank() < 32) { glass::scope::warp w; glass::inv(w, C, C); used(w, C); }",
     "", 8},
    {"potrf_each", "factor/potrf_each.cuh", "glass::potrf_each(s, A, B); used(s, A, B);", "", 2},
    {"ldlt", "factor/ldlt.cuh",
     with_swaps + "glass::ldlt(s, B); used(s, B); s.sync(); glass::ldlt<glass::Pivot::bunch_kaufman>(s, A, piv); "
                  "used(s, A, y); s.sync(); glass::ldlt<glass::Pivot::bunch_kaufman>(s, C, piv, glass::vector<int, "
                  "3>(reinterpret_cast<int*>(&x(0)))); used(s, C, x, y);",
     "", 8},
    {"ldlt_solve", "factor/ldlt_solve.cuh",
     with_swaps +
         "glass::ldlt_solve(s, A, B); used(s, A, B); s.sync(); glass::ldlt_solve(s, A, piv, B); used(s, A, B);",
     "", 6},
    {"getrf", "factor/getrf.cuh",
     with_swaps +
         "glass::getrf(s, A, piv); used(s, A, y); s.sync(); glass::getrf_no_pivot(s, B); used(s, B); s.sync(); "
         "if (s.rank() < 32) { glass::scope::warp w; glass::getrf(w, C, piv); used(w, C, y); }",
     "", 5},
    {"getrs", "factor/getrs.cuh",
     with_swaps + "glass::getrs(s, A, piv, x); used(s, A, x); s.sync(); glass::getrs<glass::Trans::yes>(s, A, piv, x); "
                  "used(s, x); s.sync(); glass::getrs_no_pivot(s, B, x); used(s, B, x); s.sync(); "
                  "if (s.rank() < 32) { glass::scope::warp w; glass::getrs(w, C, piv, x); used(w, C, x); }",
     "", 4},
    {"trtri", "factor/trtri.cuh", "glass::trtri(s, A); used(s, A);", "", 1},
    {"potri", "factor/potri.cuh", "glass::potri(s, A, B); used(s, A, B);", "", 4},
    {"getri", "factor/getri.cuh", with_swaps + "glass::getri(s, A, piv, B); used(s, A, B);", "", 3},
    {"gesv", "factor/gesv.cuh",
     with_swaps +
         "glass::gesv(s, A, piv, B); used(s, A, B, y); s.sync(); "
         "if (s.rank() < 32) { glass::scope::warp w; glass::gesv(w, C, piv, x); used(w, C, x, y); } s.sync(); "
         "glass::gesv_no_pivot(s, C.template block<2, 2>(2, 2), B.template block<2, 2>(0, 0)); used(s, C, B); ",
     "", 4},
    {"eig3", "spectrum/eig3.cuh",
     "auto a = A.template block<3, 3>(0, 0); auto v = B.template block<3, 3>(0, 0); glass::vector<float, 3> w(&x(0)); "
     "glass::eig3(s, a, w, v); used(s, a, w, v);",
     "", 1},
    {"svd3", "spectrum/svd3.cuh",
     "auto a = A.template block<3, 3>(0, 0); auto u = B.template block<3, 3>(0, 0); auto v = C.template block<3, 3>(0, "
     "0); "
     "glass::vector<float, 3> w(&x(0)); glass::svd3(s, a, u, w, v); used(s, a, u, w, v);",
     "", 1},
    {"closest_rotation", "spectrum/closest_rotation.cuh",
     "auto a = A.template block<3, 3>(0, 0); auto r = B.template block<3, 3>(0, 0); glass::closest_rotation(s, a, r); "
     "used(s, a, r);",
     "", 1},
    {"jacobi", "spectrum/jacobi.cuh", "glass::detail::diagonalize<true>(s, A, B, x, 30); used(s, A, B, x);", "", 2},
    {"tridiagonal", "spectrum/tridiagonal.cuh",  // more rows than lanes along a column: 32
     "const glass::detail::tridiagonal_space<float, 33> m(&C(0, 0), 33); bool finite; "
     "const auto a = A.template block<33, 33>(0, 0); glass::detail::diagonalize_by_ql(s, a, m, finite); "
     "used(s, a, m.q, m.d);",
     "", 7, "block<64>", 40},
    {"eigen", "spectrum/eigen.cuh",
     seven_of_21 + "const auto f = glass::detail::decompose<glass::Body::loop>(s, a, b, scratch); "
                   "used(s, a, b, f.values, f.vectors);",
     "", 2, "block<64>", 21},
    {"eigh", "spectrum/eigh.cuh",
     seven_of_21 + "glass::eigh<glass::Sweeps{3}>(s, a, w, b, scratch); used(s, a, w, b, scratch); s.sync(); "
                   "glass::eigh(s, a, w, b, scratch); used(s, a, w, b);",
     "", 2, "block<64>", 21},
    {"syev", "spectrum/syev.cuh", seven_of_21 + "glass::syev(s, a, w, b, scratch); used(s, a, w, b);", "", 1,
     "block<64>", 21},
    {"one_sided", "spectrum/one_sided.cuh", "glass::detail::orthogonal_columns(s, A, false, B, C); used(s, A, B, C);",
     "", 2},
    {"svd", "spectrum/svd.cuh",
     "if (s.rank() < 7) A(s.rank(), 3) = A(s.rank(), 5) = 0; s.sync(); glass::svd(s, A, B, x, C); used(s, A, B, C, x);",
     "", 2},
    {"pinv", "spectrum/pinv.cuh",
     "const glass::vector<float, 40> scratch(&C(0, 0)); glass::pinv(s, A.template block<5, 4>(0, 0), "
     "B.template block<4, 5>(0, 0), 0, scratch); used(s, A, B, C);",
     "", 3},
    {"psd_project", "spectrum/psd_project.cuh",
     "glass::matrix<float, 6, 6, 7> a(&A(0, 0)), b(&B(0, 0)); glass::vector<float, 66> w(&C(0, 0)); "
     "glass::psd_project(s, a, 8.75f, w); used(s, a, w); s.sync(); glass::eig_clamp(s, b, 8.75f, w); used(s, b, w); "
     "s.sync(); if (s.rank() == 0) a(5, 0) = 0.0f / (x(0) - x(0)); s.sync(); glass::eig_clamp(s, a, 0, w); used(s, a); "
     "s.sync(); if (s.rank() < 32) { glass::matrix<float, 20, 20, 20> d(&B(0, 0)); glass::vector<float, 500> "
     "scratch(&C(0, 0)); glass::scope::warp w; glass::eig_clamp(w, d, 0, scratch); used(w, d); }",
     "", 3, "block<64>", 23},
    {"jacobi_fragments", "spectrum/jacobi_fragments.cuh",
     "if (s.rank() < 32) { const glass::scope::warp w; bool finite; auto f = glass::detail::load_jacobi(w, A, finite); "
     "glass::detail::rebuild(w, f, false, 0.0f, A); w.sync(); used(w, A); }",
     "", 1},
    {"householder", "spectrum/householder.cuh",
     "glass::detail::triangularize(s, A, x, glass::detail::no_columns_beside(A)); s.sync(); used(s, A, x);", "", 2},
    {"geqp3", "spectrum/geqp3.cuh",
     "glass::vector<int, 7> jpiv(reinterpret_cast<int*>(&y(0))); if (s.rank() == 0) A(6, 3) = 100; s.sync(); "
     "glass::geqp3(s, A, jpiv, x); used(s, A, x, y);",
     "", 4},
    {"geqrf", "spectrum/geqrf.cuh", "glass::geqrf(s, A, x); used(s, A, x);", "", 1},
    {"orgqr", "spectrum/orgqr.cuh",
     "glass::orgqr(s, A, x.template segment<5>(0)); used(s, A, x); s.sync(); glass::ormqr(s, B, x, C); used(s, B, x, "
     "C);",
     "", 4},
    {"gels", "spectrum/gels.cuh",
     "glass::vector<float, 7> w(&C(0, 0)); glass::gels(s, A, x, w); used(s, A, x, C); s.sync(); "
     "glass::gels(s, B.template block<4, 7>(0, 0), y, w); used(s, B, y, C);",
     "", 3},
    {"posv", "factor/posv.cuh",
     "glass::posv(s, A, x); used(s, A, x); s.sync(); glass::posv<glass::Shift::identity>(s, A, x, 1); used(s, A, x); "
     "if (s.rank() < 8) { glass::scope::tile<8> w; glass::posv<glass::Body::loop>(w, C, B); used(w, C, B); }",
     "", 4},
    {"staging", "core/staging.cuh",
     "using run = glass::detail::run<S, M, glass::Path::staged>; const run a(s, A), b(s, B); "
     "if (a.open(true)) a.read(), used(s, a.part()), a.write(); "
     "if (b.open(true)) b.read(), used(s, b.part()), b.write(); used(s, A, B);",
     "", 3, "tile<8>"},
    {"fragment_products", "matrix/fragments.cuh",
     "const auto f = glass::load(s, A); auto g = glass::load(s, C); glass::multiply(s, 1, f, f, g); "
     "glass::multiply<glass::Trans::no, glass::Trans::yes>(s, 1, f, f, g); glass::store(s, g, C); s.sync(); used(s, A, "
     "C);",
     "", 2, "tile<8>"},
    {"cholesky_in_rows", "factor/rows.cuh",
     "glass::detail::cholesky_in_rows<glass::Shift::none, glass::Factor::keep>(s, A, x, 0); used(s, A, x);", "", 2,
     "tile<8>"},
    {"cholesky_in_tiles", "factor/left.cuh",
     "glass::detail::cholesky_in_tiles<glass::Shift::none, glass::Factor::keep>(s, A, x, 0); used(s, A, x);", "", 4,
     "block<64>", 40},
    {"cholesky_in_registers", "factor/regs.cuh",
     "glass::detail::cholesky_in_registers<glass::Shift::none, glass::Factor::keep>(s, A, x, 0); used(s, A, x);", "", 4,
     "block<64>", 40},
    {"congruence", "control/congruence.cuh",
     "glass::congruence_sym(s, 1, A.block(0, 0, 3, 2), B.block(0, 0, 3, 3), 1, C.block(0, 0, 2, 2), x); used(s, A, B, "
     "C, x); s.sync(); glass::bilinear(s, 1, A.block(0, 0, 3, 2), B.block(0, 0, 3, 3), A.block(0, 2, 3, 2), 1, "
     "C.block(0, 0, 2, 2), x); used(s, A, B, C, x);",
     "", 4},
    {"tensor", "control/tensor.cuh",
     "glass::tensor_vec_contract(s, 1, A.block(0, 0, 6, 4), x.segment(0, 4), 1, C.block(0, 0, 2, 3)); used(s, A, x, "
     "C); "
     "s.sync(); glass::vec_tensor_vec(s, 1, A.block(0, 0, 6, 4), x.segment(0, 2), x.segment(2, 3), 1, y.segment(0, "
     "4)); "
     "used(s, A, x, y);",
     "", 2},
    {"gn_step", "control/gn_step.cuh",
     with_scratch +
         "glass::gn_step(s, A.block(0, 0, 4, 3), x.segment(0, 4), 1, y.segment(0, 3), scratch); used(s, A, C, x, y); "
         "s.sync(); glass::lm_step(s, A.block(0, 0, 4, 3), x.segment(0, 4), 1, y.segment(0, 3), scratch); used(s, A, "
         "C, "
         "x, y); s.sync(); glass::lm_step(s, A.block(0, 0, 4, 3), x.segment(0, 4), 1, y.segment(0, 3), y.segment(3, "
         "1), "
         "scratch); used(s, A, C, x, y);",
     "", 6},
    {"riccati_gain", "control/riccati_gain.cuh",
     with_scratch +
         "glass::riccati_gain(s, A.block(0, 0, 3, 3), A.block(3, 3, 3, 3), B.block(0, 0, 3, 2), B.block(3, 3, 2, 2), "
         "B.block(0, 3, 2, 3), scratch); used(s, A, B, C); s.sync(); glass::riccati_step(s, A.block(0, 0, 3, 3), "
         "A.block(3, 3, 3, 3), B.block(0, 0, 3, 2), A.block(0, 3, 3, 3), B.block(3, 3, 2, 2), B.block(0, 3, 2, 3), "
         "A.block(0, 0, 3, 3), scratch); used(s, A, B, C);",
     "", 5},
    {"lqr", "control/lqr.cuh",
     with_scratch +
         "const auto a = A.block(0, 0, 2, 2), b = A.block(2, 2, 2, 2), c = A.block(0, 2, 2, 1), d = A.block(0, 3, 2, "
         "1), "
         "k = B.block(0, 0, 2, 2), k1 = B.block(0, 2, 2, 1), p = B.block(2, 0, 2, 4), p1 = B.block(4, 0, 2, 2), xs = "
         "B.block(4, 2, 2, 2), u = B.block(4, 4, 2, 1); const auto last = x.segment(0, 2), x0 = y.segment(0, 2); "
         "glass::lqr_backward(s, a, b, c, a, b, a, c, d, a, last, k, k1, p, p1, scratch); used(s, A, B, C, x); "
         "s.sync(); "
         "glass::lqr_forward(s, a, b, c, k, k1, x0, xs, u); used(s, A, B, y);",
     "", 6},
    {"kalman_update", "control/kalman_update.cuh",
     with_scratch +
         "glass::kalman_update(s, x.segment(0, 3), A.block(0, 0, 3, 3), B.block(0, 0, 2, 3), B.block(3, 3, 2, 2), "
         "y.segment(0, 2), scratch); used(s, A, B, C, x, y); s.sync(); glass::kalman_update<glass::Joseph::yes>(s, "
         "x.segment(0, 3), A.block(0, 0, 3, 3), B.block(0, 0, 2, 3), B.block(3, 3, 2, 2), y.segment(0, 2), scratch); "
         "used(s, A, B, C, x, y);",
     "", 5},
};

std::string text_of(const std::string& header) {
  std::ifstream file(GLASS_SOURCE_DIR "/include/glass/" + header);
  std::stringstream s;
  s << file.rdbuf();
  std::string text = s.str();
  const std::string once = "#pragma once";
  text.erase(text.find(once), once.size());  // it is now part of the main source
  return text;
}
const std::string call = "scope.sync();";
int syncs(const std::string& text) {
  int n = 0;
  for (std::size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 1)) ++n;
  return n;
}
// The header with its sync calls numbered; the kernel's only scalar says which of them is left out, -1: none. One
// compile serves all. What asks is hidden from the race check, for every lane may ask whenever it comes by.
source mutants(const operation& o) {
  std::string text = text_of(o.header);
  int n = 0;
  for (std::size_t at = text.find(call); at != std::string::npos; at = text.find(call, at)) {
    const std::string asking = "{ if (is_kept(" + std::to_string(n++) + ")) scope.sync(); }";
    text.replace(at, call.size(), asking);
    at += asking.size();
  }
  const std::string order = std::to_string(o.order),
                    vector = "glass::batch::inout<float, glass::batch::layout<>, " + order + ">",
                    matrix = "glass::batch::inout<float, glass::batch::layout<>, " + order + ", " + order + ">";
  source s;
  s.name = o.name;
  s.text = R"(
static int removed;
__attribute__((no_sanitize("thread"), noinline)) static void remove_sync(int n) { removed = n; }
__attribute__((no_sanitize("thread"), noinline)) static bool is_kept(int n) { return n != removed; }
)" + text + R"(
#include <kernels_src/batch.cuh>
template <class S, class V>
void used_one(S s, V v) {
  for (int e = (s.rank() + 1) % s.size(); e < v.rows() * v.cols(); e += s.size()) {
    auto& x = v(e % v.rows(), e / v.rows());
    x = x + 1;
  }
}
template <class S, class... V>
void used(S s, V... v) { (used_one(s, v), ...); }
struct glass_body {
  template <class S, class M, class V>
  static void run(S s, M A, M B, M C, V x, V y, int left_out) { remove_sync(left_out); )" +
           o.calls + R"( }
};
GLASS_BATCH(6, glass_body, glass::scope::)" +
           o.scope + ", 1, glass::batch::home::global, " + matrix + ", " + matrix + ", " + matrix + ", " + vector +
           ", " + vector + ", glass::batch::scalar<int>)\n";
  return s;
}
host_test::launched compiled(const operation& o) {
  host_options options;
  options.check_race = true;
  return host_test::launched(mutants(o), o.scope == "block<64>" ? 64 : 8, 1, 1, options);
}
status run(const host_test::launched& k, int n, int removed) {
  std::vector<float> numbers(static_cast<std::size_t>(5 * n * n));
  for (int m = 0; m < 3; ++m)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        numbers[static_cast<std::size_t>((m * n + j) * n + i)] = i == j ? 9.0f : 1.0f / float(1 + i + j);
  arguments a;
  for (int i = 0; i < 5; ++i) a.at[i].pointer = &numbers[static_cast<std::size_t>(i * n * n)];
  a.at[5].i32 = removed;
  return k.launch(a);
}

class Sync : public testing::TestWithParam<operation> {};
TEST_P(Sync, OfEachKindIsNeeded) {
  const operation& o = GetParam();
  ASSERT_EQ(syncs(text_of(o.header)), o.syncs) << "a sync call was added or removed: this test must reach every one";
  const host_test::launched k = compiled(o);
  EXPECT_EQ(run(k, o.order, -1).code(), errc::ok) << host_report();
  for (int n = 0; n < o.syncs; ++n)
    EXPECT_EQ(run(k, o.order, n).code(), errc::race)
        << "sync " << n << " of " << o.header << " was left out and nothing was found";
}
INSTANTIATE_TEST_SUITE_P(Removed, Sync, testing::ValuesIn(operations),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace glass::jit
