// Detects a camera that was moved during a calibration.
#pragma once

#include <optional>

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// A camera that was moved, and how.
struct Move {
  MovedCamera moved;
  /// The first moment after the move.
  size_t moment = 0;
  /// The poses before and after the move.
  Pose before, after;
};

/// Returns the camera whose residuals are explained by two poses much better than by one, and by
/// more than chance. The other cameras share its lights, so their residuals show some of the move,
/// too. The moves of likely cameras are found with one step from the fitted rig with the lights
/// held. Then each is judged and measured by a fit in which two cameras replace this one, which
/// also corrects the time of the move, and the best is returned. If many dots of a camera are
/// missing in a part of the recording, dots that are too far off to count as lights are included: a
/// move of many pixels would explain them. Returns nothing if no camera seems to have moved.
std::optional<Move> findMoved(const Bundle& bundle, const LightRecording& recording,
                              const Target& target);

}  // namespace glint::motion
