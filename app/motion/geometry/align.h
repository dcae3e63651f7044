// The motion that carries points onto others.
#pragma once

#include <optional>
#include <span>

#include <Eigen/Core>

#include "app/motion/geometry/camera.h"

namespace glint::motion {

struct Alignment {
  Pose motion;       ///< to = scale * R * from + t
  double scale = 1;  ///< 1 where it was not asked for
  /// Of a small rotation on the left of R (rad, about the axes of `to`, through the points'
  /// weighted centre) and of the translation of that centre (mm). It has nothing of the scale.
  Eigen::Matrix<double, 6, 6> covariance;
  double rms = 0;  ///< mm, unweighted
};

/// The rigid motion of least sum of |to - motion(from)|^2 / sigma^2 (Horn, Closed-form solution of
/// absolute orientation, 1987, in the form of Kabsch with its guard against mirroring); `sigmas`
/// in mm, one a point and isotropic, or none: 1 each. Empty with fewer than three points, or where
/// they lie on one line. Throws std::invalid_argument where the spans differ in length.
std::optional<Alignment> alignRigid(std::span<const Eigen::Vector3d> from,
                                    std::span<const Eigen::Vector3d> to,
                                    std::span<const double> sigmas = {});

/// The same with a scale (Umeyama, Least-squares estimation of transformation parameters, 1991).
std::optional<Alignment> alignSimilar(std::span<const Eigen::Vector3d> from,
                                      std::span<const Eigen::Vector3d> to,
                                      std::span<const double> sigmas = {});

}  // namespace glint::motion
