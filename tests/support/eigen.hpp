// Answers of Eigen, as another opinion than the formulas. Its templates are compiled once, in eigen.cpp: in each test's
// source they would be most of what the compiler does.
#pragma once
#include "reference.hpp"

namespace glass::test::eigen {
using reference::dense;

dense<double> product(const dense<double>& a, const dense<double>& b);
dense<double> cholesky(const dense<double>& a);           // the lower factor of a symmetric matrix, in full
std::vector<double> eigenvalues(const dense<double>& a);  // of a symmetric matrix, in full, ascending

}  // namespace glass::test::eigen
