// 256 regulator gains of a quadrotor, by the fused kernel in lqr_gain.cu.
#include "examples.hpp"
#include "npy.hpp"

namespace example {

answer lqr_gain(glass::jit::runtime& rt) {
  using namespace glass::jit;
  const array A = read_npy(path("data/lqr_A.npy")), B = read_npy(path("data/lqr_B.npy")),
              P = read_npy(path("data/lqr_P.npy")), R = read_npy(path("data/lqr_R.npy")),
              K = read_npy(path("data/lqr_K.npy"));
  const long long count = B.shape[0];
  const int nx = int(B.shape[1]), nu = int(B.shape[2]);

  answer a;
  a.kernel = rt.compile(
      {.name = "lqr_gain",
       .text = read_text("lqr_gain.cu"),
       .operands = {in("A", {"NX", "NX"}).row_major(), in("B", {"NX", "NU"}).row_major(),
                    in("P", {"NX", "NX"}, kind::spd).row_major(), in("R", {"NU", "NU"}, kind::spd).row_major(),
                    out("K", {"NU", "NX"}), scratch("PB", {"NX", "NU"}), scratch("H", {"NU", "NU"}), info()}},
      {.sizes = {{"NX", nx}, {"NU", nu}}, .type = f32, .batch = count});

  auto device_A = rt.array(to_float(A.values)), device_B = rt.array(to_float(B.values)),
       device_P = rt.array(to_float(P.values)), device_R = rt.array(to_float(R.values)),
       device_K = rt.array<float>(K.values.size());
  auto codes = rt.array<int>(std::size_t(count));
  a.kernel
      .launch(nullptr, count, device_A.get(), device_B.get(), device_P.get(), device_R.get(), device_K.get(),
              codes.get())
      .check();
  rt.synchronize();

  std::vector<double> known(K.values.size());  // K column-major, as the kernel writes it
  const std::size_t rows = std::size_t(nu), cols = std::size_t(nx), size = rows * cols;
  for (std::size_t e = 0; e < known.size(); ++e)
    known[e] = K.values[e / size * size + e % rows * cols + e % size / rows];
  for (int code : rt.values(codes, std::size_t(count)))
    if (code != 0) a.error = HUGE_VAL;
  a.error = std::max(a.error, largest_error(rt.values(device_K, known.size()), known, size));
  a.bound = 1e-5;  // R + B^T P B is well conditioned; f32
  return a;
}

}  // namespace example
