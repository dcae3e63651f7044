// Decompositions of small matrices that several files need. Eigen's templates for them take seconds
// to compile, so they are compiled once, in decomposition.cpp, and used through these functions.
#pragma once

#include <optional>

#include <Eigen/Cholesky>

namespace glint::motion {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// Singular value decomposition: the matrix is left * diagonal(values) * right^T, with the largest
/// value first.
struct SingularValues {
  Eigen::Matrix3d left, right;
  Eigen::Vector3d values;
};

/// Returns the singular value decomposition of `matrix`.
SingularValues singularValuesOf(const Eigen::Matrix3d& matrix);

/// Returns the inverse of `matrix`, which must be invertible.
Matrix6 inverseOf(const Matrix6& matrix);

/// Decomposition L D L^T of a symmetric matrix, of which only the lower triangle is read.
class SymmetricSolver {
 public:
  explicit SymmetricSolver(const Matrix6& matrix);

  /// Returns the smallest diagonal element of D, or nothing if the decomposition failed.
  std::optional<double> smallest() const;
  /// Returns the x that solves matrix * x = right.
  Vector6 solve(const Vector6& right) const;
  /// Returns the inverse of the matrix.
  Matrix6 inverse() const;

 private:
  Eigen::LDLT<Matrix6> factors_;
};

}  // namespace glint::motion
