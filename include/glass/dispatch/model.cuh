// What a placement costs where nothing was measured, and which one is then taken: the rule of glass::jit and of the
// static headers. Time is launch, memory, arithmetic and the chain of dependent steps, per problem, from sizes and the
// device's description. The figures are those of an H200 (launch of a block, cycles of a step), scaled by clock and
// multiprocessors elsewhere.
#pragma once
#include <glass/core/config.cuh>
namespace glass::dispatch {

struct device {
  int arch = 0;  // 90
  int sms = 1, threads_per_block = 1024, threads_per_sm = 2048, blocks_per_sm = 32, registers_per_sm = 65536;
  long long shared_per_block = 48 << 10, shared_optin = 48 << 10, shared_per_sm = 48 << 10;
  double clock = 1.5;  // cycles per ns
  double memory = 25;  // bytes per ns
};
struct facts {                  // of a problem
  double flops = 0, moved = 0;  // per problem; bytes
  double state = 0;             // elements of what a body writes: held while it works
  int rows = 1;                 // the longest first extent: what lanes share
  int bytes = 4;                // of the type
  int batch = 1;                // the class
  bool matrix = false;          // an operand of more than one row and column
  bool writes_matrix = false;   // in place
  bool interleaved = false;     // an operand
  bool staged = false;          // an operand that home=shared would stage
  bool one_body = true;         // bodies have no names
};
struct shape {  // of a placement
  int width = 1, pack = 1, threads = 32;
  bool shared = false;               // home
  bool in_registers = false;         // the body
  double group = 0;                  // bytes of a block's dynamic shared memory
  double launches = 1, between = 0;  // a chain of launches, and what it leaves in memory for the next
};

namespace model {
inline constexpr double grid_ns = 530, block_ns = 0.62, reference_sms = 132;  // an empty kernel, and each of its blocks
inline constexpr double step_cycles = 60;                                     // one column of a factorisation in a warp
inline constexpr double barrier_cycles = 40;                                  // one barrier of a block
inline constexpr double instructions_per_flop = 1.5;  // address, load and loop work around a multiply-add

// No standard library here: compilers evaluate these at compile time too.
template <class T>
GLASS_CONSTANT constexpr T least(T a, T b) {
  return b < a ? b : a;
}
template <class T>
GLASS_CONSTANT constexpr T most(T a, T b) {
  return a < b ? b : a;
}
GLASS_CONSTANT constexpr double floor(double x) { return double((long long)(x)); }  // x >= 0
GLASS_CONSTANT constexpr double ceil(double x) { return floor(x) + (floor(x) < x); }
GLASS_CONSTANT constexpr double log2(double x) {  // x > 0
  double n = 0;
  for (; x >= 2; x /= 2) n += 1;
  for (; x < 1; x *= 2) n -= 1;
  const double z = (x - 1) / (x + 1);  // ln x = 2 artanh z, z <= 1/3
  double power = z, sum = 0;
  for (int k = 1; k < 30; k += 2, power *= z * z) sum += power / k;
  return n + 2.8853900817779268 * sum;
}
GLASS_CONSTANT constexpr double square_root(double x) {  // 1 <= x <= 32
  double r = 0.5 * (1 + x);
  for (int i = 0; i < 8; ++i) r = 0.5 * (r + x / r);
  return r;
}
GLASS_CONSTANT constexpr int power_of_two(int n, int limit) {
  int p = 1;
  while (p < n && p < limit) p *= 2;
  return p;
}
// Sectors of 32 bytes that are moved for what one access of a scope needs.
GLASS_CONSTANT constexpr double waste(const facts& p, const shape& c) {
  if (c.shared) return 1;
  const double size = p.bytes, width = c.width;
  if (p.interleaved) return c.width == 1 ? 1 : least(8.0, 32 / size);
  const double columns = least(32 / size, most(1.0, 32 / (size * width)));
  if (c.width > 1) return square_root(columns);
  // Small problems of neighbouring threads share their sectors in the first-level cache.
  return p.moved <= 256 ? 1 : columns;
}
}  // namespace model

// Nanoseconds per problem. Only the order it gives matters; measuring decides.
GLASS_CONSTANT constexpr double predict(const facts& p, const shape& c, const device& d) {
  using namespace model;
  const double batch = p.batch, width = c.width, threads = c.threads, rows = p.rows, words = p.bytes / 4;
  const double sms = d.sms, blocks = model::ceil(batch / c.pack);
  const double launch = c.launches * (grid_ns + blocks * block_ns * reference_sms / sms) / batch;

  // Lanes without a row idle; what does not fit into registers goes through memory, some ten times slower.
  const double share = rows / (model::ceil(rows / width) * width);
  const double held = c.in_registers ? p.state * words / width : 0, registers = least(255.0, 32 + held);
  const double spilled = most(0.0, 32 + held - 255) / (32 + held);
  const double lane =
      instructions_per_flop * p.flops / (width * share) * words * (1 + 10 * spilled) * (c.in_registers ? 1 : 2);
  const double compute = lane * width / (128 * d.clock * sms);

  // The chain of one problem, hidden by the problems that are resident beside it.
  const double shared = c.group + 1024;
  double resident = least<double>(d.threads_per_sm, d.registers_per_sm / registers);
  resident = least(resident, threads * least<double>(d.blocks_per_sm, model::floor(d.shared_per_sm / shared)));
  resident = most(resident, threads);
  const double side_by_side = most(1.0, least(batch, sms * resident / width));
  const double steps = p.matrix ? rows : model::log2(width) + 1;
  double chain = 4 * lane + steps * (c.width == 1 ? step_cycles / 3 : step_cycles);
  if (c.width > 32) chain += steps * barrier_cycles;
  if (c.shared) chain += 4 * barrier_cycles + p.moved / (16 * width);
  const double latency = (chain + 800) / d.clock / side_by_side;

  // A body that works in place and not in registers comes back to its data: to the cache, at a fraction of its price.
  const double again = c.in_registers || c.shared ? 1 : 1 + 0.1 * least(rows, 16.0);
  const double memory = (p.moved + c.between) * waste(p, c) * again / d.memory;

  const double longest = most(compute, most(latency, memory));
  return launch + longest + 0.2 * (compute + latency + memory - longest);
}

// Widths that were best, or near it, on an H200 (`glass tune` with --tune exhaustive).
GLASS_CONSTANT constexpr int default_width(const facts& p, const device& d) {
  const int rows = p.rows;
  const bool few = 32.0 * p.batch <= 128.0 * d.sms;  // a warp each leaves room: shorten the chain of each
  if (few) return p.one_body && p.matrix ? 32 : model::power_of_two(rows, 32);
  if (!p.matrix) return model::power_of_two(model::most(4, rows / 4), 32);
  if (rows > 64 && p.flops > 8.0 * rows * rows) return 256;  // more than registers hold: a block a problem
  if (p.one_body && p.flops > 1.5 * rows * rows * rows) return rows <= 8 ? 4 : rows <= 16 ? 16 : 32;  // products
  return rows <= 12 ? 4 : rows <= 24 ? 8 : rows <= 48 ? 16 : 32;
}

// The untuned default on a GPU. False where no placement of its kind is legal. A Problem p has
//   p.facts(), p.device()
//   p.listed(c)                        the first of the operation's own list that holds here, is legal and needs no
//                                      more shared memory than any launch may have
//   p.bodies()                         how many, at least 1; numbered in the order of preference, registers first
//   p.at(width, pack, shared, body)    a placement
//   p.legal(c), p.group(c), p.time(c), p.in_fragments(c)
template <class Problem, class Placement>
GLASS_CONSTANT constexpr bool usual(const Problem& p, Placement& found) {
  if (p.listed(found)) return true;
  const facts& f = p.facts();
  const int first = default_width(f, p.device());
  for (int any = 0; any < 2; ++any) {  // what any launch may have of shared memory, else what it may ask for
    const long long limit = any ? p.device().shared_optin : p.device().shared_per_block;
    int width = first;
    while (width > 0) {
      for (int body = 0; body < p.bodies(); ++body)
        for (int threads = f.batch <= 64 ? 32 : f.rows <= 16 ? 128 : 64; threads >= 32; threads /= 2) {
          double best = 0;  // of the two homes, where staging comes into question
          for (int shared = 0; shared < 2; ++shared) {
            const Placement c = p.at(width, model::most(1, threads / width), shared == 1, body);
            // Staging pays where a body comes back to operands that it does not hold in registers.
            if (shared == 1 && (p.in_fragments(c) || !f.matrix || !f.writes_matrix)) continue;
            if (!p.legal(c) || p.group(c) > limit) continue;
            if (const double ns = p.time(c); best == 0 || ns < best) found = c, best = ns;
          }
          if (best > 0) return true;
        }
      width = width >= first && width < 256 ? 2 * width : width >= first ? first / 2 : width / 2;
    }
  }
  return false;
}
}  // namespace glass::dispatch
