// NVIDIA's libraries that give kernels further bodies (Body::nvidia) where they are installed. None is needed, none is
// shipped.
#pragma once
#include <string>
#include <vector>

namespace glass::jit {

struct library_state {
  std::string name;     // "libmathdx"
  std::string version;  // "0.4.2"; empty: unknown, or not there
  std::string file;
  std::string adds;     // what it is good for
  std::string trouble;  // why it is not used, one sentence; empty: it is
  std::string install;  // what to do about it
  bool usable() const { return trouble.empty(); }
};

// Those of this machine, beside its newest NVRTC. Loads the libraries.
std::vector<library_state> nvidia_libraries();

}  // namespace glass::jit
