// Initial guess of all cameras: the first two by their epipolar geometry, the others by the lights
// that these have placed.
#pragma once

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// Returns a bundle with cameras that are right to some pixels, in the frame of the first one,
/// without items. Throws Error as calibrate() does.
Bundle startRig(const LightRecording& recording, const CalibrationOptions& options);

}  // namespace glint::motion
