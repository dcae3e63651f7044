#include "app/motion/geometry/align.h"

#include <cmath>
#include <stdexcept>
#include <vector>

#include <Eigen/LU>

#include "app/motion/geometry/decomposition.h"
#include "app/motion/geometry/rotation.h"

namespace glint::motion {
namespace {

using Points = std::span<const Eigen::Vector3d>;

Eigen::Vector3d centreOf(Points points, std::span<const double> weights) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  double total = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    sum += weights[i] * points[i];
    total += weights[i];
  }
  return sum / total;
}

/// Returns the covariance of rotation and translation at the optimum: the inverse of the
/// Gauss-Newton normal matrix.
Matrix6 covarianceOf(Points to, const Eigen::Vector3d& centre, std::span<const double> weights) {
  Matrix6 normal = Matrix6::Zero();
  for (size_t i = 0; i < to.size(); ++i) {
    Eigen::Matrix<double, 3, 6> slope;
    slope << -crossMatrix(to[i] - centre), Eigen::Matrix3d::Identity();
    normal += weights[i] * slope.transpose() * slope;
  }
  return inverseOf(normal);
}

}  // namespace

std::optional<Alignment> alignRigid(Points from, Points to, std::span<const double> sigmas) {
  if (from.size() != to.size() || (!sigmas.empty() && sigmas.size() != from.size()))
    throw std::invalid_argument("points to align differ in number");
  if (from.size() < 3) return std::nullopt;
  std::vector<double> weights(from.size(), 1);
  for (size_t i = 0; i < sigmas.size(); ++i) weights[i] = 1 / (sigmas[i] * sigmas[i]);
  const Eigen::Vector3d fromCentre = centreOf(from, weights), toCentre = centreOf(to, weights);

  Eigen::Matrix3d mixed = Eigen::Matrix3d::Zero();
  for (size_t i = 0; i < from.size(); ++i)
    mixed += weights[i] * (to[i] - toCentre) * (from[i] - fromCentre).transpose();
  const SingularValues svd = singularValuesOf(mixed);
  // Points lie on one line if the second singular value is at most this share of the first.
  constexpr double kLine = 1e-9;
  if (!(svd.values[1] > kLine * svd.values[0])) return std::nullopt;
  Eigen::Vector3d signs(1, 1, 1);
  signs.z() = (svd.left * svd.right.transpose()).determinant() < 0 ? -1 : 1;
  const Eigen::Matrix3d rotation = svd.left * signs.asDiagonal() * svd.right.transpose();

  Alignment result;
  result.motion = {rodriguesOf(rotation), toCentre - rotation * fromCentre};
  result.covariance = covarianceOf(to, toCentre, weights);
  double sum = 0;
  for (size_t i = 0; i < from.size(); ++i)
    sum += (to[i] - rotation * from[i] - result.motion.translation).squaredNorm();
  result.rms = std::sqrt(sum / static_cast<double>(from.size()));
  return result;
}

}  // namespace glint::motion
