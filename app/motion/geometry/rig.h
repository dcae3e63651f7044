// Cameras that look at one space, and how well their numbers are known.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/motion/geometry/camera.h"

namespace glint::motion {

/// Covariance of a rig's estimated numbers. Unnamed numbers were given, and count as exact. Names
/// are "cam_N." and fx, fy, cx, cy, k1, k2, p1, p2, k3, rotation_x, _y, _z (rad), translation_x, _y
/// or _z (mm).
struct RigCovariance {
  std::vector<std::string> names;
  Eigen::MatrixXd matrix;  ///< square, symmetric, in the order of the names; may be singular
};

/// What of camera N a name of RigCovariance stands for, in the order of Lens::numbers(), rotation,
/// translation.
constexpr int kCameraNumbers = Lens::kNumbers + 6;
std::string numberName(size_t camera, int number);

struct Rig {
  std::vector<RigCamera> cameras;
  RigCovariance covariance;  ///< without names: not known, unless the rig is
  bool exact = false;        ///< of a synthetic scene: without errors
};

/// The covariance of all numbers of the cameras, kCameraNumbers each, with zeros where a number is
/// not named. Throws Error naming a name that stands for nothing.
Eigen::MatrixXd fullCovariance(const Rig& rig);

/// Puts the named numbers whose variance is not zero into rig.covariance: the rig is exact no
/// longer. `full` is as of fullCovariance().
void setCovariance(Rig& rig, const Eigen::MatrixXd& full);

/// Some cameras of a rig, in this order, each at most once; indices are below the number of its
/// cameras.
Rig chosen(const Rig& rig, std::span<const size_t> cameras);

/// The rig in a world that is moved: a point p of the old world is scale * motion.apply(p) in the
/// new one, scale > 0. Motion and scale count as exact.
Rig moved(const Rig& rig, const Pose& motion, double scale);

}  // namespace glint::motion
