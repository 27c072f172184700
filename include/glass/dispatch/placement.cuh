// What the dispatch speaks of: a problem with its numbers, a placement, the device, and how a choice was found. Plain
// constants, the same on both sides of a compiler.
#pragma once
#include <glass/core/config.cuh>
#include <glass/dispatch/names.cuh>
namespace glass::dispatch {
inline constexpr int most_sizes = 6, most_options = 4, most_tunables = 2;

// Of one operation: sizes and options in its order (operation<O>), bytes of the type (4, 8), the class of the batch.
struct request {
  long long size[most_sizes] = {};
  word option[most_options] = {};
  int bytes = 4;
  int batch = 1;
};
// What glass::jit::placement is as text.
struct placement {
  word scope = word::none;  // thread, tile2 .. tile16, warp, block
  int width = 0;            // lanes of the scope
  int pack = 1;             // problems of a block
  word home = word::global;
  word body = word::none;
  word tunable[most_tunables] = {};
  GLASS_CONSTANT constexpr bool block() const { return scope == word::block; }
  GLASS_CONSTANT constexpr int threads() const { return block() ? width : width * pack; }
};
GLASS_CONSTANT constexpr bool operator==(const placement& a, const placement& b) {
  bool same = a.scope == b.scope && a.width == b.width && a.pack == b.pack && a.home == b.home && a.body == b.body;
  for (int t = 0; t < most_tunables; ++t) same = same && a.tunable[t] == b.tunable[t];
  return same;
}
GLASS_CONSTANT constexpr word scope_of_width(int width) {
  return width == 1    ? word::thread
         : width == 2  ? word::tile2
         : width == 4  ? word::tile4
         : width == 8  ? word::tile8
         : width == 16 ? word::tile16
         : width == 32 ? word::warp
                       : word::block;
}
// The class of a batch: the smallest power of 4 that is not smaller, 16384 at most.
GLASS_CONSTANT constexpr int class_of(long long batch) {
  int c = 1;
  while (c < batch && c < 16384) c *= 4;
  return c;
}
// A measured choice: a line of a table.
struct decision {
  int size[most_sizes];
  word option[most_options];
  int bytes, batch;
  placement where;
  float ns, default_ns;  // per problem; of the untuned placement
};
// How a choice was found, best first: measured for this problem; for another batch, other sizes, another architecture;
// or by the rule for what nobody measured.
enum class tier { exact, nearby_batch, nearby_shape, other_device, model };
}  // namespace glass::dispatch
