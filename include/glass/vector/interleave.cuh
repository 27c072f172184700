// interleave(scope, A, B)          B <- A, where A lies problem by problem and B interleaved: element e of problem p at
// deinterleave(scope, B, A)        e * count + p, as glass::Order::interleaved says. The other way round.
// data     A, B: M x N, one problem's views (kernels_src/batch.cuh makes them); they do not overlap.
// lanes    every lane of the scope calls; neighbouring lanes own neighbouring rows; ends synchronised unless Sync::no.
// bodies   one, and its placement is the algorithm: with a thread a problem and the packed operand in shared memory,
//          the block moves that one by contiguous copies, and neighbouring threads write (read) neighbouring problems
//          of the interleaved one: a transposition of a pack x elements tile, both sides coalesced.
// cost     no flops; reads and writes M N.
#pragma once
#include <glass/core/each.cuh>
#include <glass/core/view.cuh>
namespace glass {
namespace detail {
template <auto... Options, class S, class From, class To>
GLASS_DEVICE void relay(S scope, From from, To to) {
  constexpr bool known = takes<types<Sync>, Options...>;
  constexpr bool fits = agree(From::static_rows, To::static_rows) && agree(From::static_cols, To::static_cols);
  static_assert(known, "glass: interleave and deinterleave take the option Sync.");
  static_assert(fits, "glass: interleave and deinterleave: the two operands have different sizes.");
  static_assert(To::writable, "glass: interleave and deinterleave write their second operand, but it is const.");
  if constexpr (known && fits && To::writable) {
    each(scope, to.rows(), to.cols(), [&](int i, int j) { to(i, j) = from(i, j); });
    if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  }
}
}  // namespace detail
template <auto... Options, class S, class A, class B, detail::when<is_view<A> && is_view<B>> = 0>
GLASS_DEVICE void interleave(S scope, A a, B b) {
  detail::relay<Options...>(scope, a, b);
}
template <auto... Options, class S, class B, class A, detail::when<is_view<A> && is_view<B>> = 0>
GLASS_DEVICE void deinterleave(S scope, B b, A a) {
  detail::relay<Options...>(scope, b, a);
}
}  // namespace glass
