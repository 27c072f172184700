// What reads bytes that others wrote: each takes any input, and answers or throws jit::error; anything else is a bug. With
// libFuzzer (fuzz_main.cpp, the preset `fuzz`), and over the kept corpus in every test run (corpus_test.cpp).
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace glass::faults {

// By name: overlay, pack, placement, manifest, spec, npy, profile, signature.
const std::map<std::string, std::function<void(std::string_view)>>& fuzz_targets();

}  // namespace glass::faults
