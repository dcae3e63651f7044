// Points in space from where cameras see them.
#pragma once

#include <optional>
#include <span>

#include "app/motion/geometry/rig.h"

namespace glint::motion {

/// One camera's view of a point.
struct Sighting {
  size_t camera = 0;  ///< which of the rig
  Eigen::Vector2d pixel;
  Eigen::Vector2d sigma{1, 1};  ///< px, standard deviations along x and y
};

struct SpacePoint {
  Eigen::Vector3d at;          ///< mm, world
  Eigen::Matrix3d covariance;  ///< mm^2, from the sigmas alone: the rig counts as exact
  double chi2 = 0;             ///< sum over cameras of (residual / sigma)^2; 2 n - 3 are free
};

/// The point of least chi2: midway between the rays first, then Gauss-Newton (Hartley and
/// Zisserman, Multiple View Geometry, 12.3 and A6.2). Empty with fewer than two sightings, rays
/// that are parallel, or a point behind one of the cameras.
std::optional<SpacePoint> triangulate(const Rig& rig, std::span<const Sighting> sightings);

/// How such a point moves with the rig's numbers (all of them, as of fullCovariance()), by the
/// implicit function theorem: dX / d_rig = -(J^T W J)^-1 J^T W J_rig.
Eigen::Matrix<double, 3, Eigen::Dynamic> byRig(const Rig& rig, std::span<const Sighting> sightings,
                                               const SpacePoint& point);

/// Returns how far along two rays the places are where the rays are nearest to each other, or
/// nothing if they meet behind an origin, or the square of the sine between them is at most
/// `parallel`. `base` leads from the first origin to the second. Directions have length 1.
inline std::optional<Eigen::Vector2d> nearestDepths(const Eigen::Vector3d& base,
                                                    const Eigen::Vector3d& first,
                                                    const Eigen::Vector3d& second,
                                                    double parallel) {
  const double cosine = first.dot(second), sine2 = 1 - cosine * cosine;
  if (!(sine2 > parallel)) return std::nullopt;
  const double s = (base.dot(first) - cosine * base.dot(second)) / sine2;
  const double t = (cosine * base.dot(first) - base.dot(second)) / sine2;
  if (!(s > 0 && t > 0)) return std::nullopt;
  return Eigen::Vector2d(s, t);
}

}  // namespace glint::motion
