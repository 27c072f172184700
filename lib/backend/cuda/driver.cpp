// Finds libcuda, resolves what driver.hpp declares, and words what the driver answers.
#include "driver.hpp"

#include <string>

#include "backend/cuda/shared_library.hpp"
#include "base/text.hpp"
#include "glass/jit/error.hpp"

namespace glass::jit::cuda {
namespace {
const char* const use_host = "or use the host backend (device \"host\", GLASS_DEVICE=host).";
}

driver load_driver() {
  const auto failure = [](errc code, const std::string& message, const std::string& hint, const std::string& attempted,
                          const std::string& said) {
    return error({code, stage::device, message + ".", hint, attempted, said, {}});
  };
  const std::string named = environment("GLASS_LIBCUDA");
  const std::string file = named.empty() ? "libcuda.so.1" : named;
  const shared_library library(file);
  if (!library)
    throw failure(
        errc::no_driver, "the NVIDIA driver library " + file + " cannot be loaded",
        std::string("Install the NVIDIA driver (in a container: start it with GPU access, e.g. --gpus all), ") +
            use_host,
        "dlopen " + file, library.trouble());
  driver d{};
  driver::each(d, [&]<class F>(const char* symbol, F*& member) {
    member = library.find<F>(symbol);
    if (member == nullptr)
      throw failure(errc::no_driver, "the NVIDIA driver library " + file + " has no " + symbol,
                    "glass needs a driver of CUDA 11.4 or later: update the NVIDIA driver.",
                    "dlsym " + std::string(symbol), "");
  });
  const result r = d.init(0);
  if (r == success) return d;
  const std::string said = describe(d, r);
  if (r == no_device)
    throw failure(errc::no_device, "the NVIDIA driver finds no GPU",
                  std::string("Check `nvidia-smi -L` and CUDA_VISIBLE_DEVICES, ") + use_host, "cuInit", said);
  std::string hint = "Try `nvidia-smi`; if it fails too, reload or reinstall the NVIDIA driver, ";
  if (r == stub_library)
    hint = "This file is the toolkit's stub for linking: take its folder out of LD_LIBRARY_PATH, ";
  else if (r == system_driver_mismatch)
    hint = "Library and kernel module are of different versions (an update without a reboot, usually): reboot, ";
  throw failure(errc::no_driver, "the NVIDIA driver does not start: " + said, hint + use_host, "cuInit", said);
}

bool sticky(result r) noexcept {
  switch (r) {
    case 214:  // ECC uncorrectable
    case 220:  // NVLink uncorrectable
    case 226:  // contained
    case 700:  // illegal address
    case 702:  // launch timeout
    case 710:  // device assert
    case 714:  // hardware stack error
    case 715:  // illegal instruction
    case 716:  // misaligned address
    case 717:  // invalid address space
    case 718:  // invalid program counter
    case 719:  // launch failed
    case 721:  // tensor memory leak
      return true;
    default:
      return false;
  }
}

std::string describe(const driver& d, result r) {
  const char *name = nullptr, *text = nullptr;
  d.error_name(r, &name);
  d.error_string(r, &text);
  return (name == nullptr ? std::string("CUDA error") : std::string(name)) + " (" + std::to_string(r) + ")" +
         (text == nullptr ? "" : std::string(": ") + text);
}

}  // namespace glass::jit::cuda
