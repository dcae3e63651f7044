// How well the numbers of a bundle's cameras are known.
#pragma once

#include <optional>

#include "app/calibrate/bundle.h"

namespace glint {

/// The covariance of all that is free in the cameras, kBundleNumbers each, zeros elsewhere: the
/// inverse of the reduced normal equations (Triggs et al., Bundle adjustment, 6 and 10). Empty
/// where they are singular.
std::optional<Eigen::MatrixXd> covarianceOf(const Bundle& bundle);

}  // namespace glint
