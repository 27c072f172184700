// The commands of `glass cache` that have a file of their own.
#pragma once
#include <utility>
#include <vector>

#include "cli/command.hpp"

namespace glass::jit::cli {

json to_json(const pack_info&);
void add_pack_commands(CLI::App& cache, std::vector<std::pair<CLI::App*, action>>& commands);

}  // namespace glass::jit::cli
