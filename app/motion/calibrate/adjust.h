// Bundle adjustment: cameras, lights and offsets in time that explain all dots best.
#pragma once

#include "app/motion/calibrate/bundle.h"

namespace glint::motion {

/// How many standard deviations a dot is off, at which its weight begins to fall (Huber's loss).
constexpr double kHuber = 3;

/// Minimises the sum over sights of loss((residual / sigma)^2) by Levenberg and Marquardt with
/// Schur's complement (Ceres), from what is in `bundle`. Beyond `loss` standard deviations it grows
/// as Huber's does, or with `redescending` as Cauchy's. The cost, half of that sum; infinite where
/// the start has a light behind a camera.
double adjust(Bundle& bundle, int mostSteps, double loss = kHuber, bool redescending = false);

}  // namespace glint::motion
