// Estimates a point in space from all rays that see it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/motion/space/noise_floor.h"
#include "app/motion/space/space_rig.h"

namespace glint::motion {

/// A ray from a camera to a point.
struct Sight {
  size_t camera = 0;
  /// Index of the dot in the DotIndex.
  size_t dot = 0;
  Eigen::Vector2d pixel;
  /// Variance in the image, px^2.
  Eigen::Vector2d variance;
  /// Variance including the noise floor and the rig's uncertainty, px^2. It determines the weight.
  Eigen::Vector2d total;
  /// Motion of the point between the time of the set and the moment of this camera's image, mm.
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();
};

/// A point with its uncertainty.
struct Estimate {
  /// Position in the world, mm.
  Eigen::Vector3d at;
  /// Covariance of the position by Sight::total, mm^2.
  Eigen::Matrix3d covariance;
  /// Sum of squared residuals by Sight::total, with 2 n - 3 degrees of freedom for n rays.
  double chi2 = 0;
  /// Rms distance of the dots from the projected point, px.
  double residual = 0;
};

/// Returns the point with the smallest chi2, found by Gauss-Newton steps from `start` (Hartley and
/// Zisserman, Multiple View Geometry, 12.3 and A6.2). Returns nothing if there are fewer than two
/// sights, the rays are parallel, or the point comes to lie behind a camera.
std::optional<Estimate> estimate(const SpaceRig& rig, std::span<const Sight> sights,
                                 const Eigen::Vector3d& start);

/// Returns the sum of squared residual / total over x and y of one sight, or infinity if its camera
/// does not see the point.
double chi2Of(const SpaceRig& rig, const Sight& sight, const Eigen::Vector3d& at);

/// The uncertainty of a point in two parts, mm^2. `images` comes from images and noise floor, and
/// differs from frame to frame. `rig` comes from the rig's uncertainty, which is the same in all
/// frames.
struct StatedCovariance {
  Eigen::Matrix3d images, rig;
};
/// Returns both parts, propagated through the estimate; for the rig that is dX = -C J^T W J_rig
/// d_rig. Without `withRig`, the rig's part is 0.
StatedCovariance statedCovariance(const SpaceRig& rig, const NoiseFloor& floor,
                                  std::span<const Sight> sights, const Estimate& estimate,
                                  bool withRig = true);

/// Lets the noise floor learn from the residuals of a point. The point needs three rays. If the rig
/// has only two cameras, two rays are enough, but then the rig's covariance must be known, because
/// two rays show no error along their epipolar lines.
void teach(NoiseFloor& floor, const SpaceRig& rig, std::span<const Sight> sights,
           const Estimate& estimate);

}  // namespace glint::motion
