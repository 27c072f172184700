// The cost model: launch, memory, arithmetic and the chain of dependent steps, each per problem, from sizes and the
// device's description. The figures are those of an H200 (launch of a block, cycles of a step), scaled by clock and
// multiprocessors elsewhere.
#include "tune/model.hpp"

#include <algorithm>
#include <cmath>

namespace glass::jit {
namespace {

constexpr double grid_ns = 530, block_ns = 0.62, reference_sms = 132;  // an empty kernel, and each of its blocks
constexpr double step_cycles = 60,
                 barrier_cycles = 40;          // one column of a factorisation in a warp; one barrier of a block
constexpr double instructions_per_flop = 1.5;  // address, load and loop work around a multiply-add
constexpr double task_ns = 400;                // host: handing a task to a worker
constexpr double host_ns_per_flop = 0.35, host_ns_per_byte = 0.08;

bool interleaved(const bound_problem& p) {
  return std::any_of(p.operands.begin(), p.operands.end(),
                     [](const bound_operand& o) { return o.what->order == order::interleaved; });
}

// Elements of the matrices and vectors that a body holds while it works.
double state_of(const bound_problem& p) {
  double n = 0;
  for (const auto& o : p.operands)
    if (o.what->access == access::inout || o.what->access == access::out) n += static_cast<double>(o.elements());
  return n;
}

double bandwidth(const device_description& d) {  // bytes per ns
  const double peak = 2.0 * d.memory_bus_bits / 8 * d.memory_clock_khz * 1e-6;
  return peak > 0 ? 0.85 * peak : 25.0 * d.sm_count;
}

// Sectors of 32 bytes that are moved for what one access of a scope needs.
double waste(const bound_problem& p, const placement& c) {
  if (c.home == "shared") return 1;
  const double size = static_cast<double>(bytes_of(p.request.type)), width = c.width();
  if (interleaved(p)) return c.width() == 1 ? 1 : std::min(8.0, 32 / size);
  const double columns = std::min(32 / size, std::max(1.0, 32 / (size * width)));
  if (c.width() > 1) return std::sqrt(columns);
  return p.bytes <= 256
             ? 1
             : columns;  // small problems of neighbouring threads share their sectors in the first-level cache
}

double predict_host(const bound_problem& p, const placement& c, const device_description& d) {
  const double work = 1 + host_ns_per_flop * p.flops + host_ns_per_byte * p.bytes, batch = p.batch_class;
  const double launches = c.variant == "split" ? static_cast<double>(p.description.stages.size()) : 1;
  const double tasks = std::ceil(batch / c.pack), rounds = std::ceil(tasks / std::max(1, d.sm_count));
  return rounds * (std::min<double>(c.pack, batch) * work + launches * task_ns) / batch;
}

}  // namespace

int power_of_two(int n, int most) {
  int p = 1;
  while (p < n && p < most) p *= 2;
  return p;
}

int rows_of(const bound_problem& p) {
  int rows = 1;
  for (const auto& o : p.operands)
    if (!o.shape.empty() && o.what->access != access::info) rows = std::max(rows, o.shape[0].value);
  return rows;
}

bool has_matrix(const bound_problem& p) {
  return std::any_of(p.operands.begin(), p.operands.end(), [](const bound_operand& o) {
    return o.shape.size() == 2 && o.shape[0].value > 1 && o.shape[1].value > 1;
  });
}

double predict(const bound_problem& p, const placement& c, const device_description& d) {
  if (d.backend == "host") return predict_host(p, c, d);
  const double batch = p.batch_class, width = c.width(), threads = c.threads(), rows = rows_of(p);
  const double words = static_cast<double>(bytes_of(p.request.type)) / 4;
  const double clock = d.clock_khz > 0 ? d.clock_khz * 1e-6 : 1.5;  // cycles per ns
  const double sms = std::max(1, d.sm_count), blocks = std::ceil(batch / c.pack);
  const bool in_registers = c.body.empty() ? width == 1 : c.body != "loop";

  // A chain of launches, whose scratch goes through memory once each way.
  const double launches = c.variant == "split" ? static_cast<double>(p.description.stages.size()) : 1;
  double between = 0;
  if (c.variant == "split")
    for (const auto& part : workspace_parts(p)) between += 2 * static_cast<double>(part.bytes);
  const double launch = launches * (grid_ns + blocks * block_ns * reference_sms / sms) / batch;

  // Lanes without a row idle; what does not fit into registers goes through memory, some ten times slower.
  const double share = rows / (std::ceil(rows / width) * width);
  const double held = in_registers ? state_of(p) * words / width : 0, registers = std::min(255.0, 32 + held);
  const double spilled = std::max(0.0, 32 + held - 255) / (32 + held);
  const double lane =
      instructions_per_flop * p.flops / (width * share) * words * (1 + 10 * spilled) * (in_registers ? 1 : 2);
  const double compute = lane * width / (128 * clock * sms);

  // The chain of one problem, hidden by the problems that are resident beside it.
  const double shared = static_cast<double>(group_bytes(p, c)) + 1024;
  double resident = std::min<double>(d.max_threads_per_sm, d.registers_per_sm / registers);
  resident = std::min(resident, threads * std::min<double>(d.max_blocks_per_sm, std::floor(d.shared_per_sm / shared)));
  resident = std::max(resident, threads);
  const double side_by_side = std::max(1.0, std::min(batch, sms * resident / width));
  const double steps = has_matrix(p) ? rows : std::log2(width) + 1;
  double chain = 4 * lane + steps * (width == 1 ? step_cycles / 3 : step_cycles);
  if (width > 32) chain += steps * barrier_cycles;
  if (c.home == "shared") chain += 4 * barrier_cycles + p.bytes / (16 * width);
  const double latency = (chain + 800) / clock / side_by_side;

  // A body that works in place and not in registers comes back to its data: to the cache, at a fraction of its price.
  const double again = in_registers || c.home == "shared" ? 1 : 1 + 0.1 * std::min(rows, 16.0);
  const double memory = (p.bytes + between) * waste(p, c) * again / bandwidth(d);

  const double most = std::max({compute, latency, memory});
  return launch + most + 0.2 * (compute + latency + memory - most);
}

}  // namespace glass::jit
