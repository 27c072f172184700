// Which part of a manifest a machine tunes: by the problems themselves, not by their places in the list.
#pragma once
#include <string>
#include <utility>

#include "catalog/catalog.hpp"

namespace glass::jit::cli {

struct shard {
  int number = 1, of = 1;
};
shard shard_from(const std::string& text);  // "2/8"
// 1 … `of`. Problems that share a decision share a shard; an edited manifest moves no other problem, and one shard more
// takes from each of the others its share only.
int shard_of(const bound_problem&, int of);

}  // namespace glass::jit::cli
