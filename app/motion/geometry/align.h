// Rigid alignment: the motion that maps one set of points onto another.
#pragma once

#include <optional>
#include <span>

#include <Eigen/Core>

#include "app/motion/geometry/camera.h"

namespace glint::motion {

struct Alignment {
  /// Maps the points of `from` onto those of `to`.
  Pose motion;
  /// Covariance of six numbers: a small rotation applied on the left (rad, about the axes of `to`,
  /// through the points' weighted centre), then the translation of that centre (mm).
  Eigen::Matrix<double, 6, 6> covariance;
  /// Root mean square distance between matching points after the motion, mm, unweighted.
  double rms = 0;
};

/// Returns the rigid motion that minimises the sum of |to - motion(from)|^2 / sigma^2 (Horn,
/// Closed-form solution of absolute orientation, 1987, in the form of Kabsch, whose sign correction
/// prevents mirrored solutions). `sigmas` has one standard deviation for each point, mm, equal
/// along all axes; if it is empty, all are 1. Returns nothing with fewer than three points, or if
/// they lie on one line. Throws std::invalid_argument if the spans differ in length.
std::optional<Alignment> alignRigid(std::span<const Eigen::Vector3d> from,
                                    std::span<const Eigen::Vector3d> to,
                                    std::span<const double> sigmas = {});

}  // namespace glint::motion
