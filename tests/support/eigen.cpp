#include "eigen.hpp"

#include <Eigen/Dense>

namespace glass::test::eigen {
namespace {

using matrix = Eigen::MatrixXd;
Eigen::Map<const matrix> map(const dense<double>& a) { return {a.numbers.data(), a.rows, a.cols}; }
dense<double> plain(const matrix& m) {
  dense<double> d(int(m.rows()), int(m.cols()));
  Eigen::Map<matrix>(d.numbers.data(), m.rows(), m.cols()) = m;
  return d;
}
std::vector<double> plain(const Eigen::VectorXd& v) { return {v.data(), v.data() + v.size()}; }

}  // namespace

dense<double> product(const dense<double>& a, const dense<double>& b) { return plain(matrix(map(a) * map(b))); }
dense<double> cholesky(const dense<double>& a) { return plain(matrix(matrix(map(a)).llt().matrixL())); }
std::vector<double> eigenvalues(const dense<double>& a) {
  if (a.rows == 0) return {};
  return plain(Eigen::VectorXd(Eigen::SelfAdjointEigenSolver<matrix>(map(a), Eigen::EigenvaluesOnly).eigenvalues()));
}

}  // namespace glass::test::eigen
