#include "app/motion/geometry/decomposition.h"

#include <Eigen/LU>
#include <Eigen/SVD>

namespace glint::motion {

SingularValues singularValuesOf(const Eigen::Matrix3d& matrix) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {.left = svd.matrixU(), .right = svd.matrixV(), .values = svd.singularValues()};
}

Matrix6 inverseOf(const Matrix6& matrix) {
  return matrix.inverse();
}

SymmetricSolver::SymmetricSolver(const Matrix6& matrix) : factors_(matrix) {}

std::optional<double> SymmetricSolver::smallest() const {
  if (factors_.info() != Eigen::Success) return std::nullopt;
  return factors_.vectorD().minCoeff();
}

Vector6 SymmetricSolver::solve(const Vector6& right) const {
  return factors_.solve(right);
}

Matrix6 SymmetricSolver::inverse() const {
  return factors_.solve(Matrix6(Matrix6::Identity()));
}

}  // namespace glint::motion
