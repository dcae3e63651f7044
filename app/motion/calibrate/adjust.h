// Bundle adjustment: finds the cameras, lights and time offsets that explain all dots best.
#pragma once

#include "app/motion/calibrate/bundle.h"

namespace glint::motion {

/// Residual, in standard deviations, beyond which the weight of a dot falls (Huber's loss). Raising
/// it gives wrong dots more weight.
constexpr double kHuber = 3;

/// Minimises the sum of loss((residual / sigma)^2) over all sights, starting from the values in
/// `bundle`. It uses the method of Levenberg and Marquardt with the Schur complement (Ceres), in at
/// most `mostSteps` steps. Beyond `loss` standard deviations the loss grows like Huber's, or like
/// Cauchy's if `redescending`. Returns the cost, which is half of that sum. Returns infinity and
/// leaves `bundle` as it was if there is no solution, for example because the start has a light
/// behind a camera.
double adjust(Bundle& bundle, int mostSteps, double loss = kHuber, bool redescending = false);

}  // namespace glint::motion
