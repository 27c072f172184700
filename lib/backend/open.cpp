// Which backend a device's name means.
#include <cstdlib>

#include "backend.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "cuda/cuda.hpp"
#include "host/host.hpp"

namespace glass::jit {

std::shared_ptr<backend> open_backend(const std::string& id) {
  if (id == "host") return open_host_backend();
  const std::string prefix = "cuda:", digits = id.substr(0, prefix.size()) == prefix ? id.substr(prefix.size())
                                               : id == "cuda"                        ? "0"
                                                                                     : "";
  if (digits.empty() || digits.size() > 4 || digits.find_first_not_of("0123456789") != std::string::npos) {
    throw error(errc::no_device, stage::device,
                "there is no device \"" + id + "\"." + did_you_mean(id, {"cuda:0", "host"}),
                "A device is \"cuda:N\", the N-th GPU that this process sees, or \"host\".");
  }
  return open_cuda_backend(std::atoi(digits.c_str()));
}

std::shared_ptr<backend> open_default_backend() {
  try {
    return open_cuda_backend(0);
  } catch (const error& e) {
    if (e.code() != errc::no_driver && e.code() != errc::no_device) throw;
    const bool broken = e.attempted() == "cuInit" && e.code() == errc::no_driver;  // a driver that should have started
    log(broken ? level::warn : level::info, e.message() + " Using the host backend.");
    return open_host_backend();
  }
}

}  // namespace glass::jit
