// Which body Body::automatic is, for the Cholesky factor and solve (potrf, posv) inside a kernel: what was fastest on an
// H200, by lanes, N and type. A catalog's operation names its body: the tuner measures all of them.
//   thread           fragment where it fits the registers, else loop
//   tile, warp       rows, but in f32 only with as many rows as lanes, and only where a block of the kernel gives it at
//                    most 24 KB of exchange memory: another operation and fragments then fit beside it in the 48 KB. Else,
//                    or where it is not known how many such scopes the block holds: left on a warp, from N = 24, within
//                    the same 24 KB; fragment; loop
//   block<64 .. 256> left from N = 24, on tensor cores, within 40 KB; else loop
//   other blocks, and sizes known at run time only: loop
// A fused least-squares step, posv of N, 8192 problems, ns a problem, rows against fragment: f32 N = 8 on tiles of 8 lanes
// 0.59 : 0.61, 16 on 16 lanes 1.58 : 1.73, 32 on a warp 4.5 : 7.2, but 4 on 8 lanes 0.64 : 0.41 and 16 on a warp
// 2.6 : 2.2; f64 0.77 : 0.93, 1.8 : 2.4, and on a warp left 8.5 : 11.5 at N = 32.
#pragma once
#include <glass/factor/left.cuh>
#include <glass/factor/rows.cuh>
namespace glass::detail {
template <class S, class A, class B>
GLASS_SCALAR constexpr bool prefers_rows() {
  if constexpr (fits_rows<S, A, B>())
    return (A::static_rows >= S::width || sizeof(value_of<A>) == 8) &&
           scopes_of<S> * rows_shape<S, A, B>::words * int(sizeof(value_of<A>)) <= (24 << 10);
  else
    return false;
}
template <class S, class A, class B>
GLASS_SCALAR constexpr bool prefers_left() {
  if constexpr (fits_left<S, A, B>())
    return has_tensor_cores && A::static_rows >= 24 &&
           scopes_of<S> * tiles_shape<S, A, B>::words * int(sizeof(value_of<A>)) <=
               (can_shuffle<S> ? 24 << 10 : 40 << 10);
  else
    return false;
}
// Fragments: whether that body fits.
template <bool Fragments, class S, class A, class B>
GLASS_SCALAR constexpr Body cholesky_body(Body asked) {
  return asked != Body::automatic  ? asked
         : prefers_rows<S, A, B>() ? Body::rows
         : prefers_left<S, A, B>() ? Body::left
         : Fragments               ? Body::fragment
                                   : Body::loop;
}
}  // namespace glass::detail
