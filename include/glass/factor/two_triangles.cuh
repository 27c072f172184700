// The solve by two factors, a lower and then an upper triangle, that potrs and getrs share.
#pragma once
#include <glass/factor/trsv.cuh>
#include <glass/matrix/triangle_direct.cuh>
namespace glass::detail {
// Right-hand sides that go through registers together, which is straight code: up to four, of a large triangle two; a
// divisor of all.
GLASS_SCALAR constexpr int columns_together(int order, int columns) {
  for (int n = order <= 16 ? 4 : 2; n > 1; --n)
    if (columns % n == 0) return n;
  return 1;
}
template <Diag OfLower, Diag OfUpper, class S, class L, class U, class B>
GLASS_DEVICE void solve_both_by_elements(S scope, L lower, U upper, B b) {
  using T = value_of<B>;
  triangle_by_elements<true, OfLower, true>(scope, T(1), lower, b, b);
  triangle_by_elements<false, OfUpper, true>(scope, T(1), upper, b, b);
}
// Right-hand sides stay in registers between the two; without a sync.
template <Diag OfLower, Diag OfUpper, class S, class L, class U, class B>
GLASS_DEVICE void solve_both_directly(S scope, L lower, U upper, B b) {
  if (!pairs_reach(lower, upper, b)) {
    solve_both_by_elements<OfLower, OfUpper>(scope, lower, upper, b);
  } else {
    in_strips(scope, lower, b, [&](strips_for<S, L, B>& y, int first) {
      y.load(1, b, first);
      y.template solve<true, OfLower>(lower);
      y.template solve<false, OfUpper>(upper);  // of -Y: the tiles are then those of X
      y.store(1, b, first);
    });
  }
}
// As Body::direct does it, or in memory. Ends without a sync.
template <bool Direct, Diag OfLower, Diag OfUpper, class S, class L, class U, class B>
GLASS_DEVICE void solve_both(S scope, L lower, U upper, B b) {
  if constexpr (Direct) {
    solve_both_directly<OfLower, OfUpper>(scope, lower, upper, b);
  } else {
    solve_in_memory<true, OfLower>(scope, lower, b);
    scope.sync();
    solve_in_memory<false, OfUpper>(scope, upper, b);
  }
}
}  // namespace glass::detail
