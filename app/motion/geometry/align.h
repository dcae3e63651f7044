// The motion that carries points onto others.
#pragma once

#include <optional>
#include <span>

#include <Eigen/Core>

#include "app/motion/geometry/camera.h"

namespace glint::motion {

struct Alignment {
  Pose motion;  ///< from `from` to `to`
  /// The covariance of a small rotation on the left (rad, about the axes of `to`, through the
  /// points' weighted centre) and of the translation of that centre (mm).
  Eigen::Matrix<double, 6, 6> covariance;
  double rms = 0;  ///< mm, unweighted
};

/// Returns the rigid motion of least sum of |to - motion(from)|^2 / sigma^2 (Horn, Closed-form
/// solution of absolute orientation, 1987, in the form of Kabsch with its guard against mirroring).
/// `sigmas` (mm) has one for each point along every axis, or none, which means 1 each. Returns
/// nothing with fewer than three points, or if they lie on one line. Throws std::invalid_argument
/// if the spans differ in length.
std::optional<Alignment> alignRigid(std::span<const Eigen::Vector3d> from,
                                    std::span<const Eigen::Vector3d> to,
                                    std::span<const double> sigmas = {});

}  // namespace glint::motion
