// Uncertainty of the cameras of a bundle.
#pragma once

#include <optional>

#include "app/motion/calibrate/bundle.h"

namespace glint::motion {

/// Returns the covariance of the free numbers of all cameras, kBundleNumbers each, with zeros for
/// the others. It is the inverse of the reduced normal equations (Triggs et al., Bundle adjustment,
/// 6 and 10). Returns nothing if these are singular.
std::optional<Eigen::MatrixXd> covarianceOf(const Bundle& bundle);

/// Adds the priors of the lenses to a matrix of normal equations, kBundleNumbers for each camera.
void addPriors(const std::vector<BundleCamera>& cameras, Eigen::MatrixXd& whole);

/// Returns the inverse of a matrix of normal equations, kBundleNumbers for each camera, restricted
/// to the free numbers, with zeros for the others. Returns nothing if it is singular.
std::optional<Eigen::MatrixXd> inverseOfFree(const std::vector<BundleCamera>& cameras,
                                             const Eigen::MatrixXd& whole);

/// Converts the covariance of a bundle's cameras to that of a rig, kCameraNumbers for each camera.
/// Time offsets and readout times are left out.
Eigen::MatrixXd rigCovariance(const std::vector<BundleCamera>& cameras,
                              const Eigen::MatrixXd& covariance);

}  // namespace glint::motion
