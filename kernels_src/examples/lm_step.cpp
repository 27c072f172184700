// 1024 damped least-squares steps of a Panda's inverse kinematics, by the fused kernel in lm_step.cu.
#include "examples.hpp"
#include "npy.hpp"

namespace example {

answer lm_step(glass::jit::runtime& rt) {
  using namespace glass::jit;
  const array J = read_npy(path("data/ik_J.npy")), r = read_npy(path("data/ik_r.npy")),
              dq = read_npy(path("data/ik_dq.npy"));
  const long long count = J.shape[0];
  const int nx = int(J.shape[1]), nu = int(J.shape[2]);

  answer a;
  a.kernel = rt.compile({.name = "lm_step",
                         .text = read_text("lm_step.cu"),
                         .operands = {in("J", {"NX", "NU"}).row_major(), in("r", {"NX"}), scalar("lambda", 1e-2),
                                      out("dq", {"NU"}), scratch("H", {"NU", "NU"}), info()}},
                        {.sizes = {{"NX", nx}, {"NU", nu}}, .type = f32, .batch = count});

  auto device_J = rt.array(to_float(J.values)), device_r = rt.array(to_float(r.values));
  auto device_dq = rt.array<float>(dq.values.size());
  auto codes = rt.array<int>(std::size_t(count));
  a.kernel.launch(nullptr, count, device_J.get(), device_r.get(), 1e-2f, device_dq.get(), codes.get()).check();
  rt.synchronize();

  for (int code : rt.values(codes, std::size_t(count)))
    if (code != 0) a.error = HUGE_VAL;
  a.error = std::max(a.error, largest_error(rt.values(device_dq, dq.values.size()), dq.values, std::size_t(nu)));
  a.bound = 2e-4;  // J^T J + 0.01 I has a condition number of a few hundred; f32
  return a;
}

}  // namespace example
