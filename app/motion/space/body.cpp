#include "app/motion/space/body.h"

#include <algorithm>

#include <Eigen/Eigenvalues>

namespace glint::motion {

Eigen::Vector3d Body::centre() const {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const Marker& marker : markers) sum += marker.at;
  return sum / static_cast<double>(markers.size());
}

double Body::extent() const {
  double most = 0;
  for (const Marker& a : markers)
    for (const Marker& b : markers) most = std::max(most, (a.at - b.at).norm());
  return most;
}

bool onOneLine(std::span<const Eigen::Vector3d> points) {
  // Points are on one line if the second largest extent is below this share of the largest. Raising
  // it refuses more bodies.
  constexpr double kFlat = 0.05;
  if (points.size() < 3) return true;
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& point : points) mean += point / static_cast<double>(points.size());
  Eigen::Matrix3d scatter = Eigen::Matrix3d::Zero();
  for (const Eigen::Vector3d& point : points)
    scatter += (point - mean) * (point - mean).transpose();
  // The eigenvalues of the scatter are the squared extents, with the largest last.
  const Eigen::Vector3d squares = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>()
                                      .computeDirect(scatter, Eigen::EigenvaluesOnly)
                                      .eigenvalues();
  return !(squares[1] > kFlat * kFlat * squares[2]);
}

}  // namespace glint::motion
