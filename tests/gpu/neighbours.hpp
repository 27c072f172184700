// Problems whose numbers are not finite leave the others as they are, also those that share their block: asked of
// NVIDIA's bodies, whose search for a pivot is not ours to read.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "glass/jit/problem.hpp"
#include "tune/tune.hpp"

namespace glass::test {

// The floating-point operands that problem k reads, filled with x.
inline void spoil(jit::backend& device, const jit::bound_problem& p, const jit::workload& data, long long k, double x) {
  constexpr std::size_t first = 8 + 8 * sizeof(int);  // glass::batch::arguments: the count, the sizes, the operands
  for (std::size_t i = 0; i < p.operands.size(); ++i) {
    const jit::bound_operand& o = p.operands[i];
    const bool read = o.what->access == jit::access::in || o.what->access == jit::access::inout;
    if (!read || o.type == jit::scalar_type::i32 || o.what->broadcast) continue;
    char* at = nullptr;
    std::memcpy(&at, data.arguments().data() + first + 8 * i, sizeof at);
    const auto fill = [&](auto value) {
      const std::vector<decltype(value)> all(static_cast<std::size_t>(o.elements()), value);
      const std::size_t bytes = all.size() * sizeof value;
      device.upload(at + static_cast<std::size_t>(k) * bytes, all.data(), bytes);
    };
    o.type == jit::scalar_type::f64 ? fill(x) : fill(static_cast<float>(x));
  }
}

// "", or which problem another one changed. `clean`: the results of all; `solve` runs what is in a workload of the same
// seed. One is spoiled in a full block, and one whose copies fill the last block.
inline std::string harmed(jit::backend& device, const jit::bound_problem& p, int pack,
                          const jit::workload::outcome& clean, const std::function<void(const jit::workload&)>& solve) {
  const long long count = p.request.batch;
  const std::set<long long> broken = {std::min(5LL, count - 1), (count - 1) / pack * pack};
  for (const double x : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    jit::workload data(device, p, count, 7);
    data.restore();
    for (const long long k : broken) spoil(device, p, data, k, x);
    solve(data);
    const auto beside = data.collect().written;
    for (std::size_t i = 0; i < beside.size(); ++i) {
      const std::vector<double>& all = clean.written[i];
      const std::size_t each = all.size() / static_cast<std::size_t>(count);
      for (std::size_t e = 0; e < all.size(); ++e) {
        const double was = all[e], is = beside[i][e];
        const bool same =
            was == is || std::abs(was - is) <= 1e-4 * (1 + std::abs(was)) || (std::isnan(was) && std::isnan(is));
        if (same || broken.count(static_cast<long long>(e / each))) continue;
        std::ostringstream out;
        out << "Where other problems are " << x << ", written operand " << i << " of problem " << e / each
            << " becomes " << is << " instead of " << was << ".";
        return out.str();
      }
    }
  }
  return {};
}

}  // namespace glass::test
