// Bare names, glass::posv<float, 12>(A, b): the contract of the block's (any number of threads, all of them call, all get
// the result), and the body that was fastest for one problem.
//   which     the decision of the smallest batch class for this operation, type, sizes and options on the architecture
//             that is compiled for; else that of the nearest sizes, up to a factor of two, and of the nearest
//             architecture that has a table. Only what needs no staging and no reserve of dynamic shared memory.
//   thread, tile, warp   the first lanes of the block run it (of a tile in some bodies the whole first warp) and the
//             others wait at the end, if the block has as many
//   block     all of them run it, if the block has exactly as many threads
//   else      (other blocks, sizes at run time, a Body, Mma or Tile that the call names, nothing measured): as
//             glass::block::posv, with the body that the operation chooses
// Both ways are in the code, and the size of the block decides: the same for all threads.
#pragma once
#include <glass/core/scope.cuh>
#include <glass/dispatch/tables.cuh>
namespace glass::dispatch {
template <int Name, int N>  // a size and its value; Name: size_named
struct sized {};

namespace detail {
template <class T>
inline constexpr bool names_a_body = false;
template <>
inline constexpr bool names_a_body<Body> = true;
template <>
inline constexpr bool names_a_body<Mma> = true;
template <>
inline constexpr bool names_a_body<Tile> = true;

template <op O, auto... Options, int... Name, int... N>
GLASS_CONSTANT constexpr verdict alone_in(int bytes, types<sized<Name, N>...>) {
  request r;
  bool all = true;
  for (long long& s : r.size) s = -1;
  const int names[] = {Name..., 0}, values[] = {N..., 0};
  for (int i = 0; i < int(sizeof...(Name)); ++i) {
    bool is = false;
    for (int k = 0; k < operation<O>::sizes; ++k)
      if (int(operation<O>::size_at(k)) == names[i]) r.size[k] = values[i], is = true;
    all = all && is;
  }
  r.bytes = bytes;
  operation<O>::complete(r);
  for (int k = 0; k < operation<O>::sizes; ++k) all = all && r.size[k] >= 0;
  operation<O>::template take<Options...>(r);
  if (!all) return {};
  verdict v = measured<O>(r, this_arch);
  const bool usable = v.found && v.apart <= 1 && v.where.home == word::global &&
                      problem<O>(r, device_of(this_arch)).exchange(v.where) == 0 && v.where.body != word::stream;
  return usable ? v : verdict();
}
template <int Op, class T, class Sizes, auto... Options>
GLASS_CONSTANT constexpr verdict alone_on_this_device() {
  if constexpr (Op > 0 && (glass::detail::same<T, float> ||
                           glass::detail::same<T, double>)&&!(false || ... || names_a_body<decltype(Options)>)) {
    return alone_in<op(Op - 1), Options...>(int(sizeof(T)), Sizes{});
  }
  return {};
}
template <int Width, bool Block, bool InStep>
struct scope_of {
  using type = scope::tile<Width, 1>;
};
template <int Width>
struct scope_of<Width, false, true> {
  using type = scope::tile<Width, 1, scope::others::in_step>;
};
template <>
struct scope_of<1, false, false> {
  using type = scope::thread;
};
template <int Width>
struct scope_of<Width, true, false> {
  using type = scope::block<Width>;
};
}  // namespace detail

// How one problem runs alone in a block of unknown size.
template <int Op, class T, class Sizes, auto... Options>
struct alone {
  static constexpr verdict chosen = detail::alone_on_this_device<Op, T, Sizes, Options...>();
  static constexpr int width = chosen.found ? chosen.where.width : 1;
  static constexpr bool block = chosen.where.block();
  static constexpr Body body = body_of(chosen.where.body);
  static constexpr Mma mma = mma_of(chosen.where.tunable[0]);
  static constexpr Tile tile = tile_of(chosen.where.tunable[1]);
  // Options that name the body: 0, 1 (body) or 3 (body, mma, tile); -1: nothing was measured.
  static constexpr int options = !chosen.found                           ? -1
                                 : chosen.where.body == word::none       ? 0
                                 : chosen.where.tunable[0] == word::none ? 1
                                                                         : 3;
  // The body rows (factor/rows.cuh) has read its operands before its first sync and writes after it. So all tiles of
  // the first warp may solve the same problem, in step: they write the same numbers to the same places, also where they
  // exchange them, and shuffles name the whole warp, for which the compiler needs no second way through the code.
  static constexpr bool in_step = GLASS_CUDA && body == Body::rows && !block && width < 32;
  static constexpr int lanes = in_step ? 32 : width;  // that run it
  using scope = typename detail::scope_of<width, block, in_step>::type;
  static constexpr bool syncs = glass::chosen<Sync::yes, 0, Options...>() == Sync::yes;

  GLASS_DEVICE static bool fits_here() {
    const int n = glass::scope::block<>{}.size();
    return block ? n == width : n >= lanes;
  }
  // A whole warp asks its first lane, so that the compiler knows that it goes one way; else it lays a second, slow way
  // around every shuffle (posv f64 N = 16: 3296 instructions against 2016).
  GLASS_DEVICE static bool takes_part() {
    const glass::scope::block<> all;
    if constexpr (lanes == 32 && !block)
      return all.in_first_warp();
    else
      return block || all.rank() < lanes;
  }
  GLASS_DEVICE static void end() {
    if constexpr (!block && syncs) glass::scope::block<>{}.sync();
  }
  template <class R>
  GLASS_DEVICE static R end(R r) {
    if constexpr (!block) {
      const glass::scope::block<> all;
      if (all.size() == 32 && lanes < 32) {  // no memory and no barrier where there is but one warp
        const glass::scope::warp only;
        only.sync();
        return only.broadcast(r, 0);
      }
      if (all.size() > lanes) return all.broadcast(r, 0);  // which also ends what the others wait for
    }
    return r;
  }
};
}  // namespace glass::dispatch
