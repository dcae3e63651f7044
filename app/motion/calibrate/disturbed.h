// Detects a camera that was moved during a calibration.
#pragma once

#include <optional>

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// Returns the camera whose residuals are explained by two poses much better than by one, and by
/// more than chance. The other cameras share its lights, so their residuals show some of the move,
/// too. Therefore the camera that gains most is returned. The move is found with one step from the
/// fitted rig with the lights held. Its size is then measured by a fit in which two cameras replace
/// this one. If many dots of a camera are missing, dots that are too far off to count as lights are
/// included: a move of many pixels would explain them. Returns nothing if no camera moved.
std::optional<MovedCamera> findMoved(const Bundle& bundle, const LightRecording& recording,
                                     const Target& target);

}  // namespace glint::motion
