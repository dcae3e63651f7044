// A camera that was moved while it was being calibrated.
#pragma once

#include <optional>

#include "app/calibrate/bundle.h"
#include "app/calibrate/recording.h"
#include "app/calibrate/target.h"

namespace glint {

struct MovedCamera {
  size_t camera = 0;
  double time = 0;    ///< after which, s or frames: see LightRecording::timed
  double pixels = 0;  ///< by how much its lights are shifted afterwards against before, rms
};

/// The camera whose residuals two places explain better than one, and much better than chance. The
/// others' residuals show some of its move, too, since they share the lights: the one that gains
/// most is named. It is found by one step from the fitted rig, lights held, and measured by a fit
/// of two cameras in its place. Where a camera lacks dots, those that are too far off to be lights
/// count, too, as after a move of many pixels.
std::optional<MovedCamera> findMoved(const Bundle& bundle, const LightRecording& recording,
                                     const Target& target);

}  // namespace glint
