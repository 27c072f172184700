// The progress line of a tuning run on stderr: done/total, best so far, time left; wiped when it ends.
#pragma once
#include <functional>

#include "glass/jit/tuning.hpp"

namespace glass::jit::cli {
std::function<void(const tuning_progress&)> progress_line();
}
