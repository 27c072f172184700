// Hashes of rows. hash_of: over all that is kept about a row; what a row carries in its own column, and what a pack's
// manifest says. content_of: the same without times (when it was made, how long it took to compile), so that the same
// work gives the same hash whenever it is done.
#pragma once
#include <string>
#include <vector>

#include "store/store.hpp"

namespace glass::jit {

std::string hash_of(const decision_row&);
std::string hash_of(const candidate_row&);
std::string hash_of(const image_row&);
std::string hash_of(const std::vector<candidate_row>&);  // in any order
std::string content_of(const decision_row&, const std::vector<candidate_row>&);
std::string content_of(const image_row&);

}  // namespace glass::jit
