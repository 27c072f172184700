// libFuzzer's entry; the target is named by $GLASS_FUZZ.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "targets.hpp"

namespace {
const std::function<void(std::string_view)>& target() {
  static const auto& one = [&]() -> const std::function<void(std::string_view)>& {
    const char* name = std::getenv("GLASS_FUZZ");
    const auto& all = glass::faults::fuzz_targets();
    const auto found = all.find(name == nullptr ? "" : name);
    if (found != all.end()) return found->second;
    std::fputs("GLASS_FUZZ names no target; there are:", stderr);
    for (const auto& [known, run] : all) std::fprintf(stderr, " %s", known.c_str());
    std::fputs("\n", stderr);
    std::exit(2);
  }();
  return one;
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target()({reinterpret_cast<const char*>(data), size});
  return 0;
}
