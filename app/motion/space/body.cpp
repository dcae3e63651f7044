#include "app/motion/space/body.h"

#include <algorithm>

#include <Eigen/SVD>

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
  constexpr double kFlat = 0.05;  // of the second extent against the first
  if (points.size() < 3) return true;
  Eigen::Matrix3Xd all(3, static_cast<Eigen::Index>(points.size()));
  for (size_t i = 0; i < points.size(); ++i) all.col(static_cast<Eigen::Index>(i)) = points[i];
  all.colwise() -= all.rowwise().mean().eval();
  const Eigen::JacobiSVD<Eigen::Matrix3Xd> svd(all);
  return !(svd.singularValues()[1] > kFlat * svd.singularValues()[0]);
}

}  // namespace glint::motion
