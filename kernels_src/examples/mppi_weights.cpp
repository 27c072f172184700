// The weights and the weighted control of 512 MPPI controllers with 64 sampled controls each, by the fused kernel in
// mppi_weights.cu. Costs and controls are made up; the answers come from the formula in double precision.
#include <random>

#include "examples.hpp"

namespace example {

answer mppi_weights(glass::jit::runtime& rt) {
  using namespace glass::jit;
  constexpr std::size_t count = 512, samples = 64, inputs = 4;
  constexpr double temperature = 0.5;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> cost(0, 5), push(-1, 1);
  std::vector<float> costs(count * samples), controls(count * samples * inputs);
  for (float& c : costs) c = cost(random);
  for (float& u : controls) u = push(random);

  answer a;
  a.kernel = rt.compile({.name = "mppi_weights",
                         .text = read_text("mppi_weights.cu"),
                         .operands = {in("costs", {"NS"}), scalar("temperature", temperature),
                                      in("controls", {"NU", "NS"}), out("weights", {"NS"}), out("control", {"NU"})}},
                        {.sizes = {{"NS", int(samples)}, {"NU", int(inputs)}}, .type = f32, .batch = int(count)});

  auto device_costs = rt.array(costs), device_controls = rt.array(controls),
       device_weights = rt.array<float>(costs.size()), device_control = rt.array<float>(count * inputs);
  a.kernel
      .launch(nullptr, int(count), device_costs.get(), float(temperature), device_controls.get(), device_weights.get(),
              device_control.get())
      .check();
  rt.synchronize();

  std::vector<double> weights(costs.size()), control(count * inputs);
  for (std::size_t p = 0; p < count; ++p) {
    const auto first = costs.begin() + std::ptrdiff_t(p * samples);
    const double best = *std::min_element(first, first + std::ptrdiff_t(samples));
    double total = 0;
    for (std::size_t k = 0; k < samples; ++k)
      total += weights[p * samples + k] = std::exp((best - costs[p * samples + k]) / temperature);
    for (std::size_t k = 0; k < samples; ++k) {
      const double weight = weights[p * samples + k] /= total;
      for (std::size_t i = 0; i < inputs; ++i)
        control[p * inputs + i] += weight * controls[(p * samples + k) * inputs + i];
    }
  }
  a.error = std::max(largest_error(rt.values(device_weights, weights.size()), weights, samples),
                     largest_error(rt.values(device_control, control.size()), control, inputs));
  a.bound = 1e-4;  // cancellation in the mean of controls of both signs; f32
  return a;
}

}  // namespace example
