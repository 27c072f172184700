// Which tables there are, and the choice from them. A table of one's own is found when it lies in the include path as
// glass/dispatch/sm_87.cuh: `glass table --arch sm_87 my.pack > include/glass/dispatch/sm_87.cuh`.
#pragma once
#include <glass/dispatch/choose.cuh>
#if __has_include(<glass/dispatch/sm_72.cuh>)
#include <glass/dispatch/sm_72.cuh>
#endif
#if __has_include(<glass/dispatch/sm_75.cuh>)
#include <glass/dispatch/sm_75.cuh>
#endif
#if __has_include(<glass/dispatch/sm_80.cuh>)
#include <glass/dispatch/sm_80.cuh>
#endif
#if __has_include(<glass/dispatch/sm_86.cuh>)
#include <glass/dispatch/sm_86.cuh>
#endif
#if __has_include(<glass/dispatch/sm_87.cuh>)
#include <glass/dispatch/sm_87.cuh>
#endif
#if __has_include(<glass/dispatch/sm_89.cuh>)
#include <glass/dispatch/sm_89.cuh>
#endif
#if __has_include(<glass/dispatch/sm_90.cuh>)
#include <glass/dispatch/sm_90.cuh>
#endif
#if __has_include(<glass/dispatch/sm_100.cuh>)
#include <glass/dispatch/sm_100.cuh>
#endif
#if __has_include(<glass/dispatch/sm_103.cuh>)
#include <glass/dispatch/sm_103.cuh>
#endif
#if __has_include(<glass/dispatch/sm_110.cuh>)
#include <glass/dispatch/sm_110.cuh>
#endif
#if __has_include(<glass/dispatch/sm_120.cuh>)
#include <glass/dispatch/sm_120.cuh>
#endif
#if __has_include(<glass/dispatch/sm_121.cuh>)
#include <glass/dispatch/sm_121.cuh>
#endif
namespace glass::dispatch {
// The architecture that is compiled for; on the host, where there is none, that of the first table.
#if defined(__CUDA_ARCH__)
inline constexpr int this_arch = __CUDA_ARCH__ / 10;
#else
inline constexpr int this_arch = 90;
#endif

namespace detail {
template <int... Arch>
struct architectures {};
using known_architectures = architectures<72, 75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121>;
template <op O, int... Arch>
GLASS_CONSTANT constexpr void from_tables(const request& r, const problem<O>& p, int arch, verdict& v,
                                          architectures<Arch...>) {
  // The own table first, then the others from the nearest on; of two as near the older.
  int last = -1;
  for (int round = 0; round < int(sizeof...(Arch)) && !v.found; ++round) {
    int next = 1 << 20;
    const auto look = [&](int a, bool exists) {
      const int far = 2 * (a < arch ? arch - a : a - arch) + (a > arch);
      if (exists && far > last && far < next) next = far;
    };
    (look(Arch, has_table<Arch>), ...);
    if (next == 1 << 20) break;
    last = next;
    const int a = next % 2 ? arch + next / 2 : arch - next / 2;
    ((a == Arch && has_table<Arch> && from_table<Arch, O>(r, p, a == arch, v)) || ...);
  }
}
}  // namespace detail

// What was measured, and else what the rule says; sizes of r that are -1 take their defaults.
template <op O>
GLASS_CONSTANT constexpr verdict measured(request r, int arch) {
  operation<O>::complete(r);
  const problem<O> p(r, device_of(arch));
  verdict v;
  detail::from_tables<O>(r, p, arch, v, detail::known_architectures{});
  if constexpr (constexpr op other = other_form<O>; other != O) {  // gemm with beta is placed as gemm without
    verdict w;
    detail::from_tables<other>(r, problem<other>(r, device_of(arch)), arch, w, detail::known_architectures{});
    if (w.found && (!v.found || w.how < v.how)) return w;
  }
  return v;
}
template <op O>
GLASS_CONSTANT constexpr verdict choose(request r, int arch) {
  verdict v = measured<O>(r, arch);
  if (v.found) return v;
  operation<O>::complete(r);
  const problem<O> p(r, device_of(arch));
  v.found = usual(p, v.where);
  v.arch = arch;
  if (v.found) v.ns = v.default_ns = p.time(v.where);
  return v;
}
}  // namespace glass::dispatch
