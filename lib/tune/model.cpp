// The cost model's inputs: a bound problem and a device as the rule that this library shares with the static headers
// sees them (include/glass/dispatch/model.cuh), and the host's own.
#include "tune/model.hpp"

#include <algorithm>
#include <cmath>

namespace glass::jit {
namespace {

constexpr double task_ns = 400;  // host: handing a task to a worker
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

double predict_host(const bound_problem& p, const placement& c, const device_description& d) {
  const double work = 1 + host_ns_per_flop * p.flops + host_ns_per_byte * p.bytes, batch = p.batch_class;
  const double launches = c.variant == "split" ? static_cast<double>(p.description.stages.size()) : 1;
  const double tasks = std::ceil(batch / c.pack), rounds = std::ceil(tasks / std::max(1, d.sm_count));
  return rounds * (std::min<double>(c.pack, batch) * work + launches * task_ns) / batch;
}

}  // namespace

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

dispatch::facts facts_of(const bound_problem& p) {
  dispatch::facts f;
  f.flops = p.flops, f.moved = p.bytes, f.state = state_of(p);
  f.rows = rows_of(p), f.bytes = static_cast<int>(bytes_of(p.request.type)), f.batch = p.batch_class;
  f.matrix = has_matrix(p), f.interleaved = interleaved(p), f.one_body = p.description.bodies.empty();
  f.writes_matrix = std::any_of(p.operands.begin(), p.operands.end(), [](const bound_operand& o) {
    return o.what->access == access::inout && o.shape.size() == 2;
  });
  return f;
}

dispatch::device device_of(const device_description& d) {
  dispatch::device r;
  r.arch = d.arch(), r.sms = std::max(1, d.sm_count);
  r.threads_per_block = d.max_threads_per_block, r.threads_per_sm = d.max_threads_per_sm;
  r.blocks_per_sm = d.max_blocks_per_sm, r.registers_per_sm = d.registers_per_sm;
  r.shared_per_block = static_cast<long long>(d.shared_per_block);
  r.shared_optin = static_cast<long long>(d.shared_per_block_optin);
  r.shared_per_sm = static_cast<long long>(d.shared_per_sm);
  if (d.clock_khz > 0) r.clock = d.clock_khz * 1e-6;
  r.memory = bandwidth(d);
  return r;
}

double floor_ns(const bound_problem& p, const device_description& d) {
  return std::max(dispatch::model::grid_ns / p.batch_class, p.bytes / bandwidth(d));
}

double predict(const bound_problem& p, const placement& c, const device_description& d) {
  if (d.backend == "host") return predict_host(p, c, d);
  dispatch::shape s;
  s.width = c.width(), s.pack = c.pack, s.threads = c.threads(), s.shared = c.home == "shared";
  s.in_registers = c.body.empty() ? s.width == 1 : c.body != "loop";
  s.group = static_cast<double>(group_bytes(p, c));
  // A chain of launches, whose scratch goes through memory once each way.
  if (c.variant == "split") {
    s.launches = static_cast<double>(p.description.stages.size());
    for (const auto& part : workspace_parts(p)) s.between += 2 * static_cast<double>(part.bytes);
  }
  return dispatch::predict(facts_of(p), s, device_of(d));
}

}  // namespace glass::jit
