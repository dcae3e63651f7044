// A camera that was moved while it was being calibrated.
#pragma once

#include <optional>

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// The camera whose residuals two places explain better than one, and much better than chance. The
/// others' residuals show some of its move, too, since they share the lights: the one that gains
/// most is named. It is found by one step from the fitted rig, lights held, and measured by a fit
/// of two cameras in its place. Where a camera lacks dots, those that are too far off to be lights
/// count, too, as after a move of many pixels.
std::optional<MovedCamera> findMoved(const Bundle& bundle, const LightRecording& recording,
                                     const Target& target);

}  // namespace glint::motion
