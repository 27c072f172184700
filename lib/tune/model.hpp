// What the model thinks a placement costs. Only the order it gives matters; measuring decides.
#pragma once
#include "catalog/catalog.hpp"
#include "glass/jit/device.hpp"

namespace glass::jit {

// Nanoseconds per problem at the problem's batch class.
double predict(const bound_problem&, const placement&, const device_description&);
// The longest first extent among the operands: the rows that lanes share.
int rows_of(const bound_problem&);
bool has_matrix(const bound_problem&);
// 1, 2, 4 … : the smallest power of two that is >= n, `most` at most.
int power_of_two(int n, int most);

}  // namespace glass::jit
