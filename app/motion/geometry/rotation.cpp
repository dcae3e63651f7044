#include "app/motion/geometry/rotation.h"

#include <cmath>

#include <Eigen/Geometry>

namespace glint::motion {
namespace {

// Below this angle, the power series is more accurate than the quotient.
constexpr double kSmall = 1e-4;  // rad

}  // namespace

Eigen::Matrix3d crossMatrix(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

Eigen::Matrix3d rotationOf(const Eigen::Vector3d& vector) {
  const double angle = vector.norm(), square = angle * angle;
  const double first = angle < kSmall ? 1 - square / 6 : std::sin(angle) / angle;
  const double second = angle < kSmall ? 0.5 - square / 24 : (1 - std::cos(angle)) / square;
  const Eigen::Matrix3d cross = crossMatrix(vector);
  return Eigen::Matrix3d::Identity() + first * cross + second * cross * cross;
}

Eigen::Vector3d rodriguesOf(const Eigen::Matrix3d& rotation) {
  Eigen::Quaterniond q(rotation);
  q.normalize();
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  // Sine of half the angle.
  const double sine = q.vec().norm();
  if (sine < kSmall) return q.vec() * (2 + sine * sine / 3);
  return q.vec() * (2 * std::atan2(sine, q.w()) / sine);
}

Eigen::Matrix3d leftJacobian(const Eigen::Vector3d& vector) {
  const double angle = vector.norm(), square = angle * angle;
  const double first = angle < kSmall ? 0.5 - square / 24 : (1 - std::cos(angle)) / square;
  const double second =
      angle < kSmall ? 1.0 / 6 - square / 120 : (angle - std::sin(angle)) / (square * angle);
  const Eigen::Matrix3d cross = crossMatrix(vector);
  return Eigen::Matrix3d::Identity() + first * cross + second * cross * cross;
}

Eigen::Matrix3d rotatedByVector(const Eigen::Vector3d& vector, const Eigen::Vector3d& point) {
  return -crossMatrix(rotationOf(vector) * point) * leftJacobian(vector);
}

}  // namespace glint::motion
