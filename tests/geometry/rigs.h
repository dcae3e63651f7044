// Makes rigs and directions for tests.
#pragma once

#include <numbers>
#include <random>

#include <Eigen/Geometry>

#include "app/motion/geometry/rig.h"
#include "app/motion/geometry/rotation.h"

namespace glint::test {

/// Returns the pose of a camera at `eye` that looks at `target`. The world's z axis points up.
inline motion::Pose lookingAt(const Eigen::Vector3d& eye, const Eigen::Vector3d& target) {
  const Eigen::Vector3d forward = (target - eye).normalized();
  const Eigen::Vector3d right = forward.cross(Eigen::Vector3d::UnitZ()).normalized();
  Eigen::Matrix3d rotation;
  rotation << right.transpose(), forward.cross(right).transpose(), forward.transpose();
  return {motion::rodriguesOf(rotation), -(rotation * eye)};
}

/// Returns cameras of 1280x1024 pixels in a circle of 3.5 m about the origin, in turns 0.5 and 1.2
/// m above it.
inline motion::Rig ringRig(int count, double focal = 1000) {
  motion::Rig rig;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count;
    const Eigen::Vector3d eye(3500 * std::cos(angle), 3500 * std::sin(angle), i % 2 ? 1200 : 500);
    const motion::Lens lens{focal, focal, 645 - 3.0 * i, 508 + 2.0 * i, -0.12 + 0.01 * i, 0.05};
    rig.cameras.push_back(
        {"cam" + std::to_string(i), 1280, 1024, lens, lookingAt(eye, Eigen::Vector3d::Zero()), 0});
  }
  return rig;
}

inline Eigen::Vector3d normalVector(std::mt19937& random, double sigma = 1) {
  std::normal_distribution<double> normal;
  return {sigma * normal(random), sigma * normal(random), sigma * normal(random)};
}

}  // namespace glint::test
