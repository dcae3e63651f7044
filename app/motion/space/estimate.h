// A point from all rays that see it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/motion/space/noise_floor.h"
#include "app/motion/space/space_rig.h"

namespace glint::motion {

/// One camera's ray to a point.
struct Sight {
  size_t camera = 0;
  size_t dot = 0;  ///< its place in the DotIndex
  Eigen::Vector2d pixel;
  Eigen::Vector2d variance;  ///< px^2, of the image
  Eigen::Vector2d total;     ///< px^2, with the floor and with the rig's share: what weighs it
  /// mm: how much further the point is when this camera sees it.
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();
};

struct Estimate {
  Eigen::Vector3d at;          ///< mm
  Eigen::Matrix3d covariance;  ///< mm^2, by Sight::total
  double chi2 = 0;             ///< by Sight::total; 2 n - 3 are free
  double residual = 0;         ///< px, rms over rays of the distance to where it should be
};

/// The point of least chi2 by Gauss-Newton from `start` on (Hartley and Zisserman, Multiple View
/// Geometry, 12.3 and A6.2); empty with fewer than two sights, where rays are parallel, or where it
/// comes to lie behind one of the cameras.
std::optional<Estimate> estimate(const SpaceRig& rig, std::span<const Sight> sights,
                                 const Eigen::Vector3d& start);

/// sum over x and y of residual^2 / total of one of its sights.
double chi2Of(const SpaceRig& rig, const Sight& sight, const Eigen::Vector3d& at);

/// What is known of the place, mm^2: from images and floor alone, as repeated frames scatter, and
/// with the rig, which they share.
struct StatedCovariance {
  Eigen::Matrix3d images, rig;
};
/// The first by propagation through the estimate; the second, too: dX = -C J^T W J_rig d_rig.
/// `withRig`: else it stays 0.
StatedCovariance statedCovariance(const SpaceRig& rig, const NoiseFloor& floor,
                                  std::span<const Sight> sights, const Estimate& estimate,
                                  bool withRig = true);

/// Teaches the floor by a point of three rays or more; of two, where there are but two cameras.
/// They see no error along their lines, so that the rig's must be known.
void teach(NoiseFloor& floor, const SpaceRig& rig, std::span<const Sight> sights,
           const Estimate& estimate);

}  // namespace glint::motion
