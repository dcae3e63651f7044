// A camera that was moved while it was being calibrated.
#pragma once

#include <optional>

#include "app/calibrate/bundle.h"
#include "app/calibrate/recording.h"

namespace glint {

struct MovedCamera {
  size_t camera = 0;
  double time = 0;    ///< after which, s or frames: see LightRecording::timed
  double pixels = 0;  ///< by how much its lights were shifted, rms
};

/// The camera whose residuals two places explain better than one, and much better than chance. The
/// others' residuals show some of its move, too, since they share the lights: the one that gains
/// most is named. By one step from the fitted rig, lights held.
std::optional<MovedCamera> findMoved(const Bundle& bundle, const LightRecording& recording);

}  // namespace glint
