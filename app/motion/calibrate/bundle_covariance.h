// How well the numbers of a bundle's cameras are known.
#pragma once

#include <optional>

#include "app/motion/calibrate/bundle.h"

namespace glint::motion {

/// The covariance of all that is free in the cameras, kBundleNumbers each, zeros elsewhere: the
/// inverse of the reduced normal equations (Triggs et al., Bundle adjustment, 6 and 10). Empty
/// where they are singular.
std::optional<Eigen::MatrixXd> covarianceOf(const Bundle& bundle);

/// The inverse of the normal equations' matrix, kBundleNumbers a camera, over what is free, with
/// zeros elsewhere. Empty where it is singular.
std::optional<Eigen::MatrixXd> inverseOfFree(const std::vector<BundleCamera>& cameras,
                                             const Eigen::MatrixXd& whole);

/// The covariance of the rig's numbers, kCameraNumbers a camera, from that of a bundle's: fx and fy
/// are one.
Eigen::MatrixXd rigCovariance(const std::vector<BundleCamera>& cameras,
                              const Eigen::MatrixXd& covariance);

}  // namespace glint::motion
