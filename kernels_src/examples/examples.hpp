// The fused kernels of this folder as C++ programs use them: each function compiles its kernel for the runtime's
// device, solves real (or for MPPI made-up) problems, and compares with known answers. Used by glass_examples (one by
// name) and by the demo (timed and tabled).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <glass/jit.hpp>

namespace example {

struct answer {
  glass::jit::kernel kernel;
  double error = 0;  // the largest over the batch of ||got - known|| / ||known||
  double bound = 0;  // what rounding can explain
  bool right() const { return error <= bound; }
};

answer lm_step(glass::jit::runtime&);       // 1024 inverse-kinematics steps of a Franka Panda
answer lqr_gain(glass::jit::runtime&);      // 256 gains of a Skydio X2 quadrotor
answer mppi_weights(glass::jit::runtime&);  // 512 controllers, 64 sampled controls each

// A file of this folder.
inline std::string path(const std::string& name) { return std::string(GLASS_EXAMPLES) + "/" + name; }
inline std::string read_text(const std::string& name) {
  std::ifstream in(path(name));
  std::ostringstream text;
  text << in.rdbuf();
  if (!in || text.str().empty()) throw std::runtime_error(path(name) + ": cannot be read");
  return text.str();
}

inline std::vector<float> to_float(const std::vector<double>& v) { return {v.begin(), v.end()}; }

// The largest relative difference of a problem, each `size` numbers. NaN counts as infinite.
inline double largest_error(const std::vector<float>& got, const std::vector<double>& known, std::size_t size) {
  double worst = 0;
  for (std::size_t p = 0; p < known.size(); p += size) {
    double difference = 0, norm = 0;
    for (std::size_t e = p; e < p + size; ++e) {
      difference += (got[e] - known[e]) * (got[e] - known[e]);
      norm += known[e] * known[e];
    }
    const double error = std::sqrt(difference / norm);
    worst = std::max(worst, std::isfinite(error) ? error : HUGE_VAL);
  }
  return worst;
}

}  // namespace example
