// Between NumPy arrays, shape (batch, rows, cols), (batch, n) or (batch,), and operands as they lie in memory.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "cli/npy.hpp"

namespace glass::jit::cli {

struct given_array {
  std::string operand, file;
  array data;
};

// Adds the sizes and the batch that the arrays imply and that are not given: an extent with one size that is not known
// gives it.
void infer(const operation_description&, const std::vector<given_array>&, problem&, bool batch_given);

// The whole batch of an operand as bytes; what is no element is NaN (all bits set). Throws when the shape is not that
// of the operand, and when a value changes by conversion and `convert` does not allow it.
std::vector<unsigned char> to_memory(const bound_problem&, const bound_operand&, const given_array&, long long count,
                                     bool convert);
// An operand of `count` problems that holds nothing yet: all bits set.
std::vector<unsigned char> empty_memory(const bound_operand&, long long count);
// `flat`: a matrix of one column as (batch, n).
array from_memory(const bound_operand&, const std::vector<unsigned char>&, long long count, bool flat);
// Whether an array of one extent too few stands for a matrix of one column.
bool is_flat(const operand&, const array&);

}  // namespace glass::jit::cli
