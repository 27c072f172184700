// One problem's numbers for one operand, by its kind: deterministic, so that every candidate and every run sees the
// same.
#pragma once
#include <vector>

#include "catalog/catalog.hpp"

namespace glass::jit {

// Rows and columns of an operand at the bounds of its sizes (1 where it has fewer extents).
struct extents {
  int rows = 1, columns = 1;
};
extents extents_of(const bound_operand&);

// Column-major values of problem `index`. `steady`: such that launching on the results over and over does the same work
// each time and stays clear of denormal numbers: in place, an spd operand is the identity (a fixed point of a
// factorisation), a triangle has a unit diagonal.
std::vector<double> problem_data(const bound_operand&, unsigned seed, unsigned operand, long long index, bool steady);
// The same 64 random bits for the same words.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t a, std::uint64_t b, std::uint64_t c);

}  // namespace glass::jit
