// What the model thinks a placement costs. Only the order it gives matters; measuring decides.
#pragma once
#include "catalog/catalog.hpp"
#include "glass/dispatch/model.cuh"
#include "glass/jit/device.hpp"

namespace glass::jit {

// Nanoseconds per problem at the problem's batch class.
double predict(const bound_problem&, const placement&, const device_description&);
// What nobody is faster than: a launch, or the operands from memory and back, whichever takes longer.
double floor_ns(const bound_problem&, const device_description&);
// The longest first extent among the operands: the rows that lanes share.
int rows_of(const bound_problem&);
bool has_matrix(const bound_problem&);
// Both as the rule of the static headers takes them.
dispatch::facts facts_of(const bound_problem&);
dispatch::device device_of(const device_description&);

}  // namespace glass::jit
