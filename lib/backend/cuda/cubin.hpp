// Reads the ELF header of a cubin: whether it is whole, and what it is for. Knows nothing of the driver.
#pragma once
#include <vector>

namespace glass::jit::cuda {

// The architecture a cubin was compiled for, 90 for sm_90; 0 when the bytes are no cubin or are cut short.
int cubin_architecture(const std::vector<unsigned char>& bytes);

// Whether a cubin of `image` runs on a device of `device` (both like 90): the same, or an earlier minor of the same
// major, between which only the boards with an integrated GPU (Jetson, DRIVE) make an exception.
bool runs_on(int image, int device);

}  // namespace glass::jit::cuda
