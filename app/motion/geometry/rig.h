// A rig: cameras that look at one space, and the uncertainty of their parameters.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/motion/geometry/camera.h"

namespace glint::motion {

/// Covariance of the estimated parameters of a rig. Parameters without a name were given, and count
/// as exact. A name is "cam_N." followed by fx, fy, cx, cy, k1, k2, p1, p2, k3, rotation_x,
/// rotation_y, rotation_z (rad), translation_x, translation_y or translation_z (mm).
struct RigCovariance {
  std::vector<std::string> names;
  /// Square and symmetric, in the order of the names. It may be singular.
  Eigen::MatrixXd matrix;
};

/// Number of parameters of a camera: those of Lens::numbers(), then rotation, then translation.
constexpr int kCameraNumbers = Lens::kNumbers + 6;
/// Returns the name in RigCovariance of parameter `number` (0 to kCameraNumbers - 1) of a camera.
std::string numberName(size_t camera, int number);

struct Rig {
  std::vector<RigCamera> cameras;
  /// Without names, the uncertainty is unknown, unless `exact` is true.
  RigCovariance covariance;
  /// True for the rig of a synthetic scene, whose parameters have no errors.
  bool exact = false;
};

/// Returns the covariance of all parameters of all cameras, kCameraNumbers each. Parameters that
/// rig.covariance does not name get zeros. Throws Error if it names a parameter that no camera has.
Eigen::MatrixXd fullCovariance(const Rig& rig);

/// Replaces rig.covariance by the parameters whose variance in `full` is above zero. `full` has the
/// order of fullCovariance(). The rig no longer counts as exact.
void setCovariance(Rig& rig, const Eigen::MatrixXd& full);

/// Returns a rig of some of the cameras, in the order of `cameras`. Each index may appear once, and
/// must be below the number of cameras.
Rig chosen(const Rig& rig, std::span<const size_t> cameras);

/// Returns the rig in a moved and scaled world: a point p of the old world becomes scale *
/// motion.apply(p). `scale` must be above 0. Motion and scale count as exact.
Rig moved(const Rig& rig, const Pose& motion, double scale);

}  // namespace glint::motion
