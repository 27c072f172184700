// Decisions as constants of the static headers (include/glass/dispatch/sm_90.cuh), and between the names of both sides.
#pragma once
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "glass/dispatch/placement.cuh"
#include "store/store.hpp"

namespace glass::jit {

// Names of the headers: an operation's, a word of options and placements (throws errc::unknown_name), a placement.
std::string static_name(op);
std::string static_name(dispatch::word);
dispatch::word static_word(const std::string&);
placement static_placement(const operation_description&, const dispatch::placement&);

// The table of one architecture, of the decisions that a static program can use: of the device that has most of them,
// of one mode of measuring for each problem; where a body of NVIDIA's won, the runner-up, which is one of ours. What was
// left out, and why.
struct static_table {
  std::string text;
  std::size_t decisions = 0;
  std::vector<std::string> left_out;  // one sentence for each reason
};
static_table table_text(int arch, std::vector<decision_row> rows);

}  // namespace glass::jit
