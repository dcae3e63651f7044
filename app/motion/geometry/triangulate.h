// Triangulation: points in space from the pixels at which cameras see them.
#pragma once

#include <optional>
#include <span>

#include "app/motion/geometry/rig.h"

namespace glint::motion {

/// One camera's view of a point.
struct Sighting {
  /// Index of the camera in the rig.
  size_t camera = 0;
  Eigen::Vector2d pixel;
  /// Standard deviations along x and y, px.
  Eigen::Vector2d sigma{1, 1};
};

struct SpacePoint {
  /// Position in the world, mm.
  Eigen::Vector3d at;
  /// Covariance of the position, mm^2. It follows from the sigmas alone; the rig counts as exact.
  Eigen::Matrix3d covariance;
  /// Sum of (residual / sigma)^2 over both coordinates of all n cameras, with 2 n - 3 degrees of
  /// freedom.
  double chi2 = 0;
};

/// Returns the point with the smallest chi2. It starts midway between the rays and continues with
/// Gauss-Newton steps (Hartley and Zisserman, Multiple View Geometry, 12.3 and A6.2). Returns
/// nothing if there are fewer than two sightings, the rays are parallel, the point lies behind a
/// camera, or the steps do not converge.
std::optional<SpacePoint> triangulate(const Rig& rig, std::span<const Sighting> sightings);

/// Returns the derivative of a triangulated point by all parameters of the rig, in the order of
/// fullCovariance(). By the implicit function theorem it is dX / d_rig = -(J^T W J)^-1 J^T W J_rig.
Eigen::Matrix<double, 3, Eigen::Dynamic> byRig(const Rig& rig, std::span<const Sighting> sightings,
                                               const SpacePoint& point);

/// Finds the places where two rays are nearest to each other, and returns their distances from the
/// origins of the rays. Returns nothing if such a place lies behind an origin, or if the squared
/// sine of the angle between the rays is at most `parallel`. `base` leads from the first origin to
/// the second. The directions must have length 1.
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
