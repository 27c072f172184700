// How a static kernel should be shaped for a problem: the decision of the table, at compile time.
//   constexpr auto r = glass::recommend<glass::op::posv, float, 12, 4096>();     operation, type, sizes, batch
// Sizes stand in the order of the pointer faces (posv: N, NRHS; gemm: M, N, K); the last number is the batch, how many
// problems a launch solves. Trailing sizes may be left out where the operation has a default, and one size alone is
// that of a square problem. Options follow: glass::recommend<glass::op::trsv, float, 12, 4096, glass::Trans::yes>().
// In device code it answers for the architecture that is compiled for. On the host it takes that of the kernel, so that
// both sides agree: cudaFuncAttributes::ptxVersion (90), which is __CUDA_ARCH__ / 10 of the code that runs.
//   solve<<<r.blocks(count), r.threads, r.shared_bytes>>>(...)
// and in the kernel
//   using S = glass::recommended_scope<r.width, r.block, r.problems, r.reserve>;   thread, tile<8, 16>, warp, block<128>
// A kernel that does nothing else after lanes without a problem have left (`if (problem >= count) return;`) may add
// r.in_step: tiles of such bodies then go in step, as in the kernels of glass::jit, which is faster.
#pragma once
#include <glass/core/scope.cuh>
#include <glass/dispatch/tables.cuh>
namespace glass {
struct recommendation {
  int width = 0;        // lanes that share one problem: 1 (thread), 2 .. 16 (tile), 32 (warp), or those of the block
  bool block = false;   // the scope is a block
  int threads = 0;      // of a block of the launch
  int problems = 0;     // that a block solves
  bool staged = false;  // operands are copied to shared memory before (home=shared)
  long long shared_bytes = 0;   // of dynamic shared memory a block, for what is staged, scratch, and a block's reserve
  long long reserve = 0;        // of these the first, which are left to scope::block<N, Reserve>
  Body body = Body::automatic;  // automatic: the operation has one body
  bool in_step = false;         // its tiles may go in step
  Mma mma = Mma::f64;           // of products
  Tile tile = Tile::m16n8;
  double ns = 0;    // expected, per problem
  double gain = 1;  // over the untuned placement
  dispatch::tier how = dispatch::tier::model;
  int arch = 0;  // of the table it comes from
  GLASS_CONSTANT constexpr bool found() const { return width > 0; }
  GLASS_CONSTANT constexpr unsigned blocks(long long count) const {
    return unsigned((count + problems - 1) / problems);
  }
};

namespace dispatch::detail {
template <op O>
GLASS_CONSTANT constexpr bool complete(request& r) {
  operation<O>::complete(r);
  for (int k = 0; k < operation<O>::sizes; ++k)
    if (r.size[k] < 0) return false;
  return true;
}
template <op O>
GLASS_CONSTANT constexpr bool sizes_given(request& r, const long long* given, int n) {
  if (n > operation<O>::sizes) return false;
  for (long long& s : r.size) s = -1;
  for (int k = 0; k < n; ++k) r.size[k] = given[k];
  if (n != 1 || complete<O>(r)) return complete<O>(r);
  for (long long& s : r.size) s = -1;  // one size alone that is not enough as the first: N
  for (int k = 0; k < operation<O>::sizes; ++k)
    if (operation<O>::size_at(k) == size::N) r.size[k] = given[0];
  return complete<O>(r);
}
template <op O>
GLASS_CONSTANT constexpr recommendation recommended(const request& r, int arch) {
  const verdict v = choose<O>(r, arch);
  recommendation a;
  if (!v.found) return a;
  const problem<O> p(r, device_of(arch));
  const placement& c = v.where;
  a.width = c.width, a.block = c.block(), a.threads = c.threads(), a.problems = c.pack;
  a.staged = c.home == word::shared, a.shared_bytes = p.group(c), a.reserve = p.exchange(c);
  a.body = body_of(c.body);
  a.in_step = operation<O>::in_step(c.body) && !a.block && a.width > 1 && !a.staged;
  if (operation<O>::tunables > 1) a.mma = mma_of(c.tunable[0]), a.tile = tile_of(c.tunable[1]);
  a.ns = v.ns, a.gain = v.ns > 0 && v.default_ns > v.ns ? v.default_ns / v.ns : 1;
  a.how = v.how, a.arch = v.arch;
  return a;
}
template <int Width, bool Block, int Problems, long long Reserve, bool InStep>
struct lanes_of {
  using type = scope::tile<Width, Problems, InStep ? scope::others::in_step : scope::others::unknown>;
};
template <int Problems, long long Reserve, bool InStep>
struct lanes_of<1, false, Problems, Reserve, InStep> {
  using type = scope::thread;
};
template <int Width, int Problems, long long Reserve, bool InStep>
struct lanes_of<Width, true, Problems, Reserve, InStep> {
  using type = scope::block<Width, int(Reserve)>;
};
}  // namespace dispatch::detail

// The scope that a recommendation names, for a kernel whose blocks hold Problems of them.
template <int Width, bool Block, int Problems, long long Reserve = 0, bool InStep = false>
using recommended_scope = typename dispatch::detail::lanes_of<Width, Block, Problems, Reserve, InStep>::type;

namespace dispatch::detail {
// Sizes and batch, without the options.
template <auto... Arguments>
struct numbers {
  long long at[sizeof...(Arguments) + 1] = {};
  int n = 0;
  GLASS_CONSTANT constexpr numbers() {
    const bool option[] = {glass::detail::is_option<decltype(Arguments)>..., true};
    const long long value[] = {(long long)(Arguments)..., 0};
    for (int i = 0; i < int(sizeof...(Arguments)); ++i)
      if (!option[i]) at[n++] = value[i];
  }
};
template <op O, auto... Arguments>
GLASS_CONSTANT constexpr bool fits() {
  const numbers<Arguments...> given;
  request r;
  return given.n > 0 && sizes_given<O>(r, given.at, given.n - 1);
}
}  // namespace dispatch::detail

template <op O, class T, auto... SizesBatchOptions>
GLASS_CONSTANT constexpr recommendation recommend(int arch = dispatch::this_arch) {
  constexpr bool type = detail::same<T, float> || detail::same<T, double>;
  constexpr bool fits = dispatch::detail::fits<O, SizesBatchOptions...>();
  static_assert(type, "glass: recommend knows the types float and double.");
  static_assert(fits, "glass: recommend<op, T, N..., Batch>: sizes are missing, or more than the operation has.");
  recommendation a;
  if constexpr (type && fits) {
    const dispatch::detail::numbers<SizesBatchOptions...> given;
    dispatch::request r;
    dispatch::detail::sizes_given<O>(r, given.at, given.n - 1);
    dispatch::operation<O>::template take<SizesBatchOptions...>(r);
    r.bytes = int(sizeof(T)), r.batch = dispatch::class_of(given.at[given.n - 1]);
    a = dispatch::detail::recommended<O>(r, arch);
  }
  return a;
}
}  // namespace glass
